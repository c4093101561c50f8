// SPDX-License-Identifier: MIT
#include "core/plot/charts.h"

#include "core/base/format.h"
#include "core/diagnosis/quantities.h"
#include "core/plot/axis.h"
#include "core/plot/svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace kl::plot {
namespace {

constexpr double kLeft = 64, kRight = 16, kTop = 20, kBottom = 44, kRow = 30;

void empty(Svg& svg, const Palette& palette, Size size, const char* why)
{
    svg.text(size.width / 2, size.height / 2, why, palette.muted, Svg::Anchor::middle, 13);
}

void yGrid(Svg& svg, const Axis& axis, const Palette& palette, double left, double right)
{
    for (const Tick& tick : axis.ticks())
        if (const auto y = axis.pixel(tick.value)) {
            svg.line(left, *y, right, *y, palette.border);
            svg.text(left - 6, *y + 4, tick.label, palette.muted, Svg::Anchor::end, 11);
        }
}

} // namespace

std::vector<EvidenceBar> evidenceBars(const Finding& finding)
{
    // The node that decided stands last in the path; its comparisons are the evidence proper and come first.
    std::vector<PathEntry> entries;
    for (const PathEntry& entry : finding.path) {
        const bool repeated = std::any_of(entries.begin(), entries.end(), [&](const PathEntry& other) {
            return other.metric == entry.metric && other.sense == entry.sense && other.threshold == entry.threshold;
        });
        if (entry.value && entry.threshold && (!repeated || entry.node == finding.path.back().node))
            entries.push_back(entry);
    }
    std::stable_partition(entries.begin(), entries.end(),
                          [&](const PathEntry& entry) { return entry.node == finding.path.back().node && entry.taken; });
    std::vector<EvidenceBar> bars;
    for (const PathEntry& entry : entries) {
        const Quantity* quantity = findQuantity(entry.metric);
        const std::string_view unit = quantity ? quantity->unit : "";
        EvidenceBar bar{quantity ? std::string(quantity->title) : entry.metric,
                        *entry.value,
                        *entry.threshold,
                        100,
                        entry.taken && entry.node == finding.path.back().node,
                        {}};
        if (unit != "%")
            bar.scale = 1.25 * std::max({std::abs(bar.value), std::abs(bar.threshold), 1e-9});
        bar.text = fmt::format("{} {} {}", formatWithUnit(bar.value, unit), entry.sense, formatWithUnit(bar.threshold, unit));
        bars.push_back(std::move(bar));
    }
    return bars;
}

std::string svgEvidence(const Finding& finding, const Palette& palette, Size size)
{
    const auto bars = evidenceBars(finding);
    size.height = std::max(size.height, 2 * kTop + kRow * std::max<double>(1, static_cast<double>(bars.size())));
    Svg svg(size.width, size.height, "Evidence: " + finding.title, palette);
    if (bars.empty())
        empty(svg, palette, size, "No comparison of this finding has a measured value.");
    const double left = size.width * 0.36, right = size.width * 0.74;
    double y = kTop;
    for (const EvidenceBar& bar : bars) {
        const Axis axis(Scale::linear, 0, bar.scale, left, right);
        svg.text(left - 10, y + 15, bar.label, palette.text, Svg::Anchor::end);
        svg.rect(left, y + 4, right - left, kRow - 14, palette.border, {}, 0.5);
        if (const auto x = axis.pixel(bar.value))
            svg.rect(left, y + 4, *x - left, kRow - 14, bar.taken ? palette.accent : palette.neutral, bar.text);
        if (const auto x = axis.pixel(bar.threshold))
            svg.line(*x, y, *x, y + kRow - 6, palette.text, 2);
        svg.text(right + 10, y + 15, bar.text, bar.taken ? palette.text : palette.muted, Svg::Anchor::start, 12, bar.taken);
        y += kRow;
    }
    return svg.finish();
}

std::string svgStalls(const RunRecord& run, const Palette& palette, Size size)
{
    const auto shares = stallShares(RunFacts(run));
    const std::string name = shares.empty()
                                 ? "Stall reasons: not measured"
                                 : fmt::format("Warps mostly wait for {}: {}", shares.front().id, formatPercent(shares.front().percent));
    Svg svg(size.width, size.height, name, palette);
    if (shares.empty()) {
        empty(svg, palette, size, "Stall reasons were not collected.");
        return svg.finish();
    }
    const Axis axis(Scale::linear, 0, 100, kRight, size.width - kRight);
    double total = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double from = *axis.pixel(total), to = *axis.pixel(total + shares[i].percent);
        svg.rect(from, kTop, std::max(0.0, to - from - 1), 36, i < 7 ? palette.series[i] : palette.neutral,
                 fmt::format("{}: {}", shares[i].id, formatPercent(shares[i].percent)));
        if (i < 3)
            svg.text(kRight + static_cast<double>(i) * (size.width - 2 * kRight) / 3, kTop + 60,
                     fmt::format("{} {}", shares[i].id, formatPercent(shares[i].percent)), palette.series[i], Svg::Anchor::start, 12,
                     i == 0);
        total += shares[i].percent;
    }
    svg.text(kRight, size.height - 8, "share of warp latency per instruction issued, %", palette.muted, Svg::Anchor::start, 11);
    return svg.finish();
}

std::string svgSpeedup(const std::vector<HistoryPoint>& sessions, double target, const Palette& palette, Size size)
{
    std::vector<double> values{1, target};
    int measured = 0;
    for (const HistoryPoint& point : sessions)
        for (const auto& value : {point.speedup, point.low, point.high})
            if (value) {
                values.push_back(*value);
                ++measured;
            }
    Svg svg(size.width, size.height, fmt::format("Speedup over {} sessions", sessions.size()), palette);
    if (measured == 0) {
        empty(svg, palette, size, "No session has a measured speedup yet.");
        return svg.finish();
    }
    const double right = size.width - kRight, bottom = size.height - kBottom;
    const Axis y = Axis::around(Scale::log, values, bottom, kTop);
    const Axis x(Scale::linear, -0.5, static_cast<double>(sessions.size()) - 0.5, kLeft, right);
    yGrid(svg, y, palette, kLeft, right);
    svg.line(kLeft, *y.pixel(1), right, *y.pixel(1), palette.text, 1.5);
    if (const auto line = y.pixel(target)) {
        svg.line(kLeft, *line, right, *line, palette.better, 1.5, "6 4");
        svg.text(kLeft + 4, *line - 4, "target " + formatRatio(target), palette.better, Svg::Anchor::start, 11);
    }
    Points points;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        const HistoryPoint& point = sessions[i];
        const double at = *x.pixel(static_cast<double>(i));
        svg.text(at, bottom + 16, point.session, palette.muted, Svg::Anchor::middle, 11);
        const auto level = point.speedup ? y.pixel(*point.speedup) : std::nullopt;
        if (!level)
            continue;
        points.emplace_back(at, *level);
        const auto low = point.low ? y.pixel(*point.low) : std::nullopt, high = point.high ? y.pixel(*point.high) : std::nullopt;
        if (low && high)
            svg.line(at, *low, at, *high, palette.series[0], 2);
        svg.circle(at, *level, 4, palette.series[0], fmt::format("{}: {}", point.session, formatRatio(*point.speedup)));
    }
    svg.path(points, palette.series[0]);
    svg.text(kLeft, size.height - 8, "speedup against the baseline, log scale", palette.muted, Svg::Anchor::start, 11);
    return svg.finish();
}

std::string svgSlope(const std::string& beforeName, const Summary& before, const std::string& afterName, const Summary& after,
                     const Palette& palette, Size size)
{
    const bool drawable = before.n > 0 && after.n > 0 && before.median > 0 && after.median > 0;
    const std::string name =
        drawable ? fmt::format("{} {} before, {} {} after", beforeName, formatTime(before.median), afterName, formatTime(after.median))
                 : "Before and after: not measured";
    Svg svg(size.width, size.height, name, palette);
    if (!drawable) {
        empty(svg, palette, size, "One of the two sides was not measured.");
        return svg.finish();
    }
    const Axis y = Axis::around(Scale::linear, {0, before.low, before.high, after.low, after.high}, size.height - kBottom, kTop);
    const double x1 = size.width * 0.3, x2 = size.width * 0.7;
    svg.line(x1, *y.pixel(before.median), x2, *y.pixel(after.median), after.median < before.median ? palette.better : palette.worse, 2.5);
    for (const auto& [x, side, label, anchor] :
         {std::tuple{x1, &before, &beforeName, Svg::Anchor::end}, std::tuple{x2, &after, &afterName, Svg::Anchor::start}}) {
        const auto low = y.pixel(side->low), high = y.pixel(side->high);
        if (low && high)
            svg.line(x, *low, x, *high, palette.text, 2);
        svg.circle(x, *y.pixel(side->median), 5, palette.accent,
                   fmt::format("{} to {}, n = {}", formatTime(side->low), formatTime(side->high), side->n));
        svg.text(x + (anchor == Svg::Anchor::end ? -10 : 10), *y.pixel(side->median) + 4, formatTime(side->median), palette.text, anchor,
                 13, true);
        svg.text(x, size.height - 14, *label, palette.muted, Svg::Anchor::middle);
    }
    return svg.finish();
}

} // namespace kl::plot
