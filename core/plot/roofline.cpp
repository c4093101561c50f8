// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/plot/axis.h"
#include "core/plot/charts.h"
#include "core/plot/svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::plot {
namespace {

constexpr double kLeft = 64, kRight = 20, kTop = 24, kBottom = 44;

/// "transpose/naive (L2)"; DRAM, the usual level, is not named.
std::string nameFor(const RooflinePoint& point)
{
    return point.level == MemoryLevel::dram ? point.label : fmt::format("{} ({})", point.label, titleFor(point.level));
}

const char* chooseDash(const Roof& roof)
{
    return roof.measured ? "5 4" : "";
}

/// A roof and the measured one below it have one color.
std::size_t chooseColor(const std::vector<Roof>& roofs, std::size_t at)
{
    for (std::size_t i = 0; i < at; ++i)
        if (!roofs[at].id.empty() && roofs[i].id == roofs[at].id)
            return i;
    return at;
}

} // namespace

std::string svgRoofline(const std::vector<Roof>& roofs, const std::vector<RooflinePoint>& points, const Palette& palette, Size size)
{
    const std::string name =
        points.empty() ? "Roofline" : fmt::format("Roofline: {} at {}", points.front().label, formatFlops(points.front().flopsPerSecond));
    Svg svg(size.width, size.height, name, palette);
    std::vector<double> intensities{0.1, 1000}, rates;
    for (const RooflinePoint& point : points) {
        intensities.push_back(point.intensity);
        rates.push_back(point.flopsPerSecond);
    }
    double top = 0;
    for (const Roof& roof : roofs)
        if (!roof.slanted && std::isfinite(roof.value)) {
            top = std::max(top, roof.value);
            rates.push_back(roof.value);
        }
    if (rates.empty()) {
        svg.text(size.width / 2, size.height / 2, "The device has no known roofs and no run has a FLOP rate.", palette.muted,
                 Svg::Anchor::middle, 13);
        return svg.finish();
    }
    const double right = size.width - kRight, bottom = size.height - kBottom;
    const Axis x = Axis::around(Scale::log, intensities, kLeft, right);
    for (const Roof& roof : roofs)
        if (roof.slanted)
            rates.push_back(roof.value * x.low() * 2);
    const Axis y = Axis::around(Scale::log, rates, bottom, kTop);
    for (const Tick& tick : x.ticks(8)) {
        svg.line(*x.pixel(tick.value), kTop, *x.pixel(tick.value), bottom, palette.border);
        svg.text(*x.pixel(tick.value), bottom + 16, tick.label, palette.muted, Svg::Anchor::middle, 11);
    }
    for (const Tick& tick : y.ticks(6)) {
        svg.line(kLeft, *y.pixel(tick.value), right, *y.pixel(tick.value), palette.border);
        svg.text(kLeft - 6, *y.pixel(tick.value) + 4, tick.label, palette.muted, Svg::Anchor::end, 11);
    }
    double bandwidth = 0;
    for (const Roof& roof : roofs)
        bandwidth = roof.slanted ? std::max(bandwidth, roof.value) : bandwidth;
    double slantLabel = 0.32;
    for (std::size_t i = 0; i < roofs.size(); ++i) {
        const Roof& roof = roofs[i];
        const std::string& ink = palette.series[chooseColor(roofs, i) % palette.series.size()];
        if (!(roof.value > 0))
            continue;
        const double width = roof.measured ? 1.2 : 2;
        if (roof.slanted) {
            // From where it enters the plot to the highest flat roof.
            const double from = std::max(x.low(), y.low() / roof.value), to = top > 0 ? std::min(x.high(), top / roof.value) : x.high();
            if (from >= to)
                continue;
            svg.line(*x.pixel(from), *y.pixel(roof.value * from), *x.pixel(to), *y.pixel(roof.value * to), ink, width, chooseDash(roof));
            const double at = from * std::pow(to / from, slantLabel);
            slantLabel = slantLabel > 0.8 ? 0.1 : slantLabel + 0.13;
            svg.text(*x.pixel(at) + 8, *y.pixel(roof.value * at) + 10, roof.label, ink, Svg::Anchor::start, 11);
        } else {
            const double from = bandwidth > 0 ? std::max(x.low(), roof.value / bandwidth) : x.low();
            svg.line(*x.pixel(std::min(from, x.high())), *y.pixel(roof.value), right, *y.pixel(roof.value), ink, width, chooseDash(roof));
            svg.text(right, *y.pixel(roof.value) + (roof.measured ? 12 : -5), roof.label, ink, Svg::Anchor::end, 11);
        }
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto px = x.pixel(points[i].intensity), py = y.pixel(points[i].flopsPerSecond);
        if (!px || !py)
            continue;
        const std::string label = fmt::format("{}: {}, {}{}", nameFor(points[i]), formatFlops(points[i].flopsPerSecond),
                                              formatIntensity(points[i].intensity), points[i].measured ? "" : " by formula");
        svg.circle(*px, *py, i == 0 ? 6 : 4, i == 0 ? palette.accent : palette.neutral, label);
        svg.text(*px + 9, *py + 4, nameFor(points[i]), palette.text, Svg::Anchor::start, 12, i == 0);
    }
    svg.text((kLeft + right) / 2, size.height - 8, "arithmetic intensity, FLOP/byte", palette.muted, Svg::Anchor::middle, 11);
    svg.text(kLeft, kTop - 8, "FLOP/s", palette.muted, Svg::Anchor::start, 11);
    return svg.finish();
}

} // namespace kl::plot
