// SPDX-License-Identifier: MIT
#include "core/plot/axis.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>

namespace kl::plot {
namespace {

bool drawable(Scale scale, double value)
{
    return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

/// The round step nearest above span / wanted.
double roundStep(double span, int wanted)
{
    const double raw = span / std::max(1, wanted);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (raw <= factor * power * (1 + 1e-9))
            return factor * power;
    return 10 * power;
}

std::string formatLabel(double value)
{
    const double size = std::abs(value);
    if (size >= 1e12)
        return formatNumber(value / 1e12) + "T";
    if (size >= 1e9)
        return formatNumber(value / 1e9) + "G";
    if (size >= 1e6)
        return formatNumber(value / 1e6) + "M";
    if (size >= 1e4)
        return formatNumber(value / 1e3) + "k";
    return formatNumber(value);
}

} // namespace

Axis::Axis(Scale scale, double low, double high, double from, double to) : scale_(scale), low_(low), high_(high), from_(from), to_(to)
{
    if (!drawable(scale, low_))
        low_ = scale == Scale::log ? 1 : 0;
    if (!drawable(scale, high_) || high_ <= low_)
        high_ = scale == Scale::log ? low_ * 10 : low_ + std::max(1.0, std::abs(low_) * 0.1);
}

Axis Axis::around(Scale scale, const std::vector<double>& values, double from, double to)
{
    double low = INFINITY, high = -INFINITY;
    for (const double value : values)
        if (drawable(scale, value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (low > high)
        return scale == Scale::log ? Axis(scale, 1, 10, from, to) : Axis(scale, 0, 1, from, to);
    if (scale == Scale::log)
        return Axis(scale, std::pow(10, std::floor(std::log10(low) + 1e-9)), std::pow(10, std::ceil(std::log10(high) - 1e-9)), from, to);
    const double step = roundStep(high > low ? high - low : std::max(1.0, std::abs(high) * 0.1), 5);
    return Axis(scale, std::floor(low / step) * step, std::ceil(high / step) * step, from, to);
}

std::optional<double> Axis::pixel(double value) const
{
    if (!drawable(scale_, value))
        return {};
    const double part = scale_ == Scale::log ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
    return from_ + std::clamp(part, 0.0, 1.0) * (to_ - from_);
}

std::vector<Tick> Axis::ticks(int wanted) const
{
    std::vector<Tick> ticks;
    if (scale_ == Scale::log) {
        const int first = static_cast<int>(std::ceil(std::log10(low_) - 1e-9)),
                  last = static_cast<int>(std::floor(std::log10(high_) + 1e-9));
        const int every = std::max(1, (last - first + 1) / std::max(1, wanted));
        for (int power = first; power <= last; power += every)
            ticks.push_back({std::pow(10, power), formatLabel(std::pow(10, power))});
        return ticks;
    }
    const double step = roundStep(high_ - low_, wanted);
    const auto first = static_cast<long long>(std::ceil(low_ / step - 1e-9)),
               last = static_cast<long long>(std::floor(high_ / step + 1e-9));
    for (long long i = first; i <= last; ++i) {
        const double value = static_cast<double>(i) * step;
        ticks.push_back({value, formatLabel(std::abs(value) < step * 1e-9 ? 0 : value)});
    }
    return ticks;
}

} // namespace kl::plot
