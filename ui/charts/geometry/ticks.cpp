// SPDX-License-Identifier: MIT
#include "ui/charts/geometry/ticks.h"

#include <algorithm>
#include <cmath>

namespace kl::ui {

namespace {

double niceStep(double span, int wanted)
{
    const double raw = span / std::max(1, wanted);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

} // namespace

std::vector<double> niceTicks(double low, double high, int wanted)
{
    std::vector<double> ticks;
    if (!(high > low))
        return ticks;
    const double step = niceStep(high - low, wanted);
    const auto first = static_cast<long long>(std::ceil(low / step - 1e-9));
    const auto last = static_cast<long long>(std::floor(high / step + 1e-9));
    for (long long i = first; i <= last; ++i)
        ticks.push_back(static_cast<double>(i) * step);
    return ticks;
}

AxisRange linearRange(std::span<const double> values, bool withZero)
{
    bool any = false;
    double low = 0;
    double high = 0;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        low = any ? std::min(low, value) : value;
        high = any ? std::max(high, value) : value;
        any = true;
    }
    if (!any)
        return {};
    if (withZero) {
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }
    if (high <= low) {
        const double pad = low == 0 ? 1 : std::abs(low) * 0.5;
        return {low - (withZero && low >= 0 ? 0 : pad), high + pad};
    }
    const double step = niceStep(high - low, 5);
    return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step};
}

AxisRange logRange(std::span<const double> values)
{
    double low = 0;
    double high = 0;
    for (const double value : values) {
        if (!drawable(value, true))
            continue;
        low = low == 0 ? value : std::min(low, value);
        high = std::max(high, value);
    }
    if (low == 0)
        return {0.1, 10};
    const double down = std::pow(10.0, std::floor(std::log10(low) + 1e-9));
    const double up = std::pow(10.0, std::ceil(std::log10(high) - 1e-9));
    return {down, up > down ? up : down * 10};
}

bool drawable(double value, bool log)
{
    return std::isfinite(value) && (!log || value > 0);
}

double axisPosition(double value, const AxisRange& range, double length, bool log)
{
    if (log)
        return length * (std::log(value) - std::log(range.low)) / (std::log(range.high) - std::log(range.low));
    return length * (value - range.low) / (range.high - range.low);
}

} // namespace kl::ui
