// SPDX-License-Identifier: MIT
#include "ui/charts/geometry/zoom.h"

#include <algorithm>
#include <cmath>

namespace kl::ui {
namespace {

constexpr double kMostDecades = 6; ///< one label per decade; wider axes skip decades
constexpr double kNarrowest = 1e-6;

double toPlace(double value, bool log)
{
    return log ? std::log10(value) : value;
}

AxisRange toRange(double low, double high, bool log)
{
    return log ? AxisRange{std::pow(10, low), std::pow(10, high)} : AxisRange{low, high};
}

} // namespace

AxisRange zoomRange(const AxisRange& range, double at, double factor, bool log, const AxisRange& whole)
{
    const double low = toPlace(range.low, log), high = toPlace(range.high, log);
    const double least = toPlace(whole.low, log), most = toPlace(whole.high, log);
    const double span = std::clamp((high - low) * factor, kNarrowest * (most - least), most - least);
    const double fixed = low + at * (high - low);
    const double from = std::clamp(fixed - at * span, least, most - span);
    return toRange(from, from + span, log);
}

AxisRange panRange(const AxisRange& range, double share, bool log, const AxisRange& whole)
{
    const double low = toPlace(range.low, log), span = toPlace(range.high, log) - low;
    const double from = std::clamp(low + share * span, toPlace(whole.low, log), toPlace(whole.high, log) - span);
    return toRange(from, from + span, log);
}

double logBase(const AxisRange& range)
{
    const double decades = std::log10(range.high / range.low);
    if (decades >= 2)
        return std::pow(10.0, std::max(1.0, std::ceil(decades / kMostDecades)));
    for (const double base : {2.0, 1.2, 1.05})
        if (std::log(range.high / range.low) / std::log(base) >= 2)
            return base;
    return 1.01;
}

} // namespace kl::ui
