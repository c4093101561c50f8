// SPDX-License-Identifier: MIT
#include "sessions/learning/convergence.h"

#include "core/base/format.h"
#include "core/stats/robust.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <random>

namespace kl::inline learning {
namespace {

constexpr int kResamples = 2000;
constexpr int kTrendAhead = 5;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// y = intercept + slope × i, i = 0, 1, 2 …
struct Line {
    double intercept = 0;
    double slope = 0;

    double at(double i) const { return intercept + slope * i; }
    /// Where it falls to y; infinite when it rises or stays.
    double reaches(double y) const
    {
        if (intercept <= y)
            return 0;
        return slope < 0 ? (y - intercept) / slope : kNever;
    }
};

Line fit(const std::vector<double>& y)
{
    const double n = static_cast<double>(y.size());
    const double middle = (n - 1) / 2;
    double mean = 0;
    double across = 0;
    double along = 0;
    for (const double value : y)
        mean += value / n;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double x = static_cast<double>(i) - middle;
        across += x * x;
        along += x * (y[i] - mean);
    }
    const double slope = along / across;
    return {mean - slope * middle, slope};
}

/// Residuals freed of the shrinkage that the fit gave them.
std::vector<double> fullResiduals(const std::vector<double>& y, const Line& line)
{
    const double n = static_cast<double>(y.size());
    const double middle = (n - 1) / 2;
    const double across = n * (n * n - 1) / 12; // sum of (i − middle)²
    std::vector<double> residuals;
    double mean = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double x = static_cast<double>(i) - middle;
        residuals.push_back((y[i] - line.at(static_cast<double>(i))) / std::sqrt(1 - 1 / n - x * x / across));
        mean += residuals.back() / n;
    }
    for (double& value : residuals)
        value -= mean;
    return residuals;
}

std::vector<Line> resampleLines(const std::vector<double>& y, const Line& line)
{
    const std::vector<double> residuals = fullResiduals(y, line);
    std::mt19937_64 random(20251012); // any fixed number: the same history gives the same interval
    std::vector<Line> lines;
    lines.reserve(kResamples);
    std::vector<double> again(y.size());
    for (int k = 0; k < kResamples; ++k) {
        for (std::size_t i = 0; i < y.size(); ++i)
            again[i] = line.at(static_cast<double>(i)) + residuals[random() % residuals.size()];
        lines.push_back(fit(again));
    }
    return lines;
}

/// The value below which a share of them lies; infinite ones last. No interpolation: it would mix a finite with an infinite one.
double percentile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

} // namespace

Convergence estimateConvergence(const std::vector<double>& minutes, double targetMinutes)
{
    Convergence found;
    found.targetMinutes = targetMinutes;
    std::vector<double> logs;
    for (const double value : minutes)
        if (value > 0 && std::isfinite(value))
            logs.push_back(std::log(value));
    found.used = static_cast<int>(logs.size());
    if (logs.size() < kLeastForConvergence) {
        found.why = fmt::format("requires {} finished sessions of one kind, not driven by a script; there {} {}", kLeastForConvergence,
                                logs.size() == 1 ? "is" : "are", logs.size());
        return found;
    }
    const Line line = fit(logs);
    const std::vector<Line> lines = resampleLines(logs, line);
    found.decay = std::exp(line.slope);
    std::vector<double> arrivals;
    for (const Line& other : lines)
        arrivals.push_back(other.reaches(std::log(targetMinutes)));
    const double arrival = line.reaches(std::log(targetMinutes));
    if (const double low = percentile(arrivals, 0.025); std::isfinite(low))
        found.low = low;
    if (const double high = percentile(arrivals, 0.975); std::isfinite(high))
        found.high = high;
    if (std::isfinite(arrival))
        found.sessions = arrival;
    for (int i = 0; i < found.used + kTrendAhead; ++i) {
        std::vector<double> here;
        for (const Line& other : lines)
            here.push_back(std::exp(other.at(i)));
        found.trend.push_back({i, std::exp(line.at(i)), computeQuantile(here, 0.025), computeQuantile(here, 0.975)});
    }
    found.why = found.sessions ? fmt::format("{} sessions; each took {} of the one before", found.used, formatPercent(*found.decay * 100))
                               : fmt::format("{} sessions, and they do not get shorter: each took {} of the one before", found.used,
                                             formatPercent(*found.decay * 100));
    return found;
}

} // namespace kl::inline learning
