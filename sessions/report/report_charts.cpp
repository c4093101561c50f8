// SPDX-License-Identifier: MIT
#include "sessions/report/report_charts.h"

#include "core/base/format.h"
#include "core/base/xml.h"
#include "core/diagnosis/quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline report {
namespace {

constexpr double kWidth = 720;
constexpr double kLabel = 250;  ///< left column of names
constexpr double kFigure = 130; ///< right column of figures
constexpr double kRow = 34;
constexpr double kPlot = kWidth - kLabel - kFigure;

std::string openSvg(double height, const std::string& name)
{
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
        "aria-label=\"{2}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#17202B\">",
        kWidth, height, escapeXml(name));
}

std::string drawText(double x, double y, const std::string& text, const char* style)
{
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>", x, y, style, escapeXml(text));
}

std::string lineAt(double x1, double y1, double x2, double y2, const char* style)
{
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>", x1, y1, x2, y2, style);
}

std::string barAt(double x, double y, double width, double height, const std::string& color)
{
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\" fill=\"{}\"/>", x, y,
                       std::max(1.0, width), height, color);
}

constexpr const char* kNameStyle = "class=\"name\" text-anchor=\"end\"";
constexpr const char* kFigureStyle = "class=\"num\"";
constexpr const char* kHair = "stroke=\"#D5DCE6\"";
constexpr const char* kInk = "stroke=\"#17202B\" stroke-width=\"1.5\"";

/// Median of the paired ratios of one block, as a point to draw.
double blockRatio(const AbBlock& block)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(block.a.size(), block.b.size()); ++i)
        if (block.b[i] > 0)
            ratios.push_back(block.a[i] / block.b[i]);
    if (ratios.empty())
        return 0;
    std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
    return ratios[ratios.size() / 2];
}

} // namespace

std::string barsSvg(const std::vector<ChartBar>& bars, const std::string& name)
{
    double most = 0;
    for (const ChartBar& bar : bars)
        most = std::max({most, bar.value, bar.high});
    if (most <= 0)
        return {};
    std::string svg = openSvg(kRow * static_cast<double>(bars.size()) + 8, name);
    double y = 4;
    for (const ChartBar& bar : bars) {
        const double middle = y + kRow / 2;
        const auto x = [&](double value) { return kLabel + value / most * kPlot; };
        svg += drawText(kLabel - 12, middle + 4, bar.label, kNameStyle);
        svg += barAt(kLabel, y + 7, x(bar.value) - kLabel, kRow - 14, bar.color);
        if (bar.high > bar.low)
            svg += lineAt(x(bar.low), middle, x(bar.high), middle, kInk) + lineAt(x(bar.low), middle - 5, x(bar.low), middle + 5, kInk) +
                   lineAt(x(bar.high), middle - 5, x(bar.high), middle + 5, kInk);
        svg += drawText(kLabel + kPlot + 12, middle + 4, bar.figure.empty() ? formatTime(bar.value) : bar.figure, kFigureStyle);
        y += kRow;
    }
    return svg + lineAt(kLabel, 4, kLabel, y, kHair) + "</svg>";
}

EvidenceWords evidenceWords(const PathEntry& entry)
{
    const Quantity* quantity = findQuantity(entry.metric);
    const std::string_view unit = quantity ? quantity->unit : std::string_view();
    const std::string sense = entry.sense == ">=" ? "≥" : entry.sense == "<=" ? "≤" : entry.sense;
    return {quantity ? std::string(quantity->title) : entry.metric, entry.value ? formatWithUnit(*entry.value, unit) : "not measured",
            entry.threshold ? sense + " " + formatWithUnit(*entry.threshold, unit) : std::string(kNoValue)};
}

std::string evidenceSvg(const std::vector<PathEntry>& path, const std::string& name)
{
    std::vector<const PathEntry*> shown;
    for (const PathEntry& entry : path)
        if (entry.value && entry.threshold && std::isfinite(*entry.value) && std::isfinite(*entry.threshold))
            shown.push_back(&entry);
    if (shown.empty())
        return {};
    std::string svg = openSvg(kRow * static_cast<double>(shown.size()) + 8, name);
    double y = 4;
    for (const PathEntry* entry : shown) {
        const double most = std::max({std::abs(*entry->value), std::abs(*entry->threshold), 1e-12}) * 1.1;
        const double middle = y + kRow / 2;
        const EvidenceWords words = evidenceWords(*entry);
        svg += drawText(kLabel - 12, middle + 4, words.name, kNameStyle);
        svg += barAt(kLabel, y + 9, kPlot, kRow - 18, "#EEF2F7");
        svg += barAt(kLabel, y + 9, std::abs(*entry->value) / most * kPlot, kRow - 18, entry->taken ? "#B84300" : "#5F6B7A");
        const double tick = kLabel + std::abs(*entry->threshold) / most * kPlot;
        svg += lineAt(tick, y + 4, tick, y + kRow - 4, kInk);
        svg += drawText(kLabel + kPlot + 12, middle + 4, fmt::format("{} ({})", words.value, words.threshold), kFigureStyle);
        y += kRow;
    }
    return svg + "</svg>";
}

std::string ratioSvg(const Comparison& comparison, double keepAt, const std::string& name)
{
    if (!comparison.ratio || comparison.data.empty())
        return {};
    double low = std::min({1.0, comparison.ratio->low});
    double high = std::max({keepAt, comparison.ratio->high});
    for (const AbBlock& block : comparison.data) {
        low = std::min(low, blockRatio(block));
        high = std::max(high, blockRatio(block));
    }
    const double room = (high - low) * 0.06;
    const auto x = [&](double ratio) { return 24 + (ratio - low + room) / (high - low + 2 * room) * (kWidth - 48); };
    std::string svg = openSvg(132, name);
    // Each label has a line of its own: the two ratios may lie close together.
    const auto marker = [&](double at, double below, const std::string& label) {
        svg += lineAt(x(at), 20, x(at), below - 14, "stroke=\"#556273\" stroke-dasharray=\"4 4\"") +
               drawText(x(at), below, label, x(at) > kWidth / 2 ? "class=\"num\" text-anchor=\"end\"" : "class=\"num\"");
    };
    // The right one of two neighbors must not run through the words of the left one.
    const bool below = keepAt > 1 && x(keepAt) <= kWidth / 2;
    marker(1.0, below ? 126 : 108, "1.00×, the same");
    if (keepAt > 1)
        marker(keepAt, below ? 108 : 126, formatRatio(keepAt) + ", kept from here");
    svg += barAt(x(comparison.ratio->low), 46, x(comparison.ratio->high) - x(comparison.ratio->low), 20, "#0072B240");
    svg += lineAt(x(comparison.ratio->value), 40, x(comparison.ratio->value), 72, kInk);
    for (const AbBlock& block : comparison.data)
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"56\" r=\"4\" fill=\"#0072B2\" fill-opacity=\"0.7\"/>", x(blockRatio(block)));
    svg += drawText(x(comparison.ratio->value), 32, formatRatio(comparison.ratio->value), "class=\"num\" text-anchor=\"middle\"");
    return svg + "</svg>";
}

} // namespace kl::inline report
