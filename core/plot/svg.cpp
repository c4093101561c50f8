// SPDX-License-Identifier: MIT
#include "core/plot/svg.h"

#include "core/base/xml.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>

namespace kl::plot {
namespace {

bool finite(std::initializer_list<double> values)
{
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

std::string formatTip(const std::string& tip)
{
    return tip.empty() ? "/>\n" : fmt::format("><title>{}</title>", escapeXml(tip));
}

} // namespace

Svg::Svg(double width, double height, const std::string& name, const Palette& palette)
    : width_(width), height_(height), name_(name), surface_(palette.surface)
{
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& color, double width, const std::string& dash)
{
    if (!finite({x1, y1, x2, y2}))
        return;
    body_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" stroke-width=\"{:.1f}\"{}/>\n", x1,
                         y1, x2, y2, color, width, dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

void Svg::circle(double x, double y, double radius, const std::string& fill, const std::string& tip)
{
    if (!finite({x, y, radius}))
        return;
    body_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.1f}\" fill=\"{}\"{}{}", x, y, radius, fill, formatTip(tip),
                         tip.empty() ? "" : "</circle>\n");
}

void Svg::text(double x, double y, const std::string& words, const std::string& color, Anchor anchor, double size, bool bold)
{
    if (!finite({x, y}))
        return;
    const char* place = anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
    body_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" fill=\"{}\" text-anchor=\"{}\" font-size=\"{:.0f}\"{}>{}</text>\n", x, y, color,
                         place, size, bold ? " font-weight=\"600\"" : "", escapeXml(words));
}

std::string Svg::finish() const
{
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
        "font-family=\"system-ui, sans-serif\"><title>{2}</title>\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"{3}\"/>\n{4}</svg>\n",
        width_, height_, escapeXml(name_), surface_, body_);
}

} // namespace kl::plot
