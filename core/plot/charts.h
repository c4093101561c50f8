// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/roofline.h"
#include "core/model/comparison.h"
#include "core/model/diagnosis.h"
#include "core/model/run.h"
#include "core/plot/palette.h"

#include <optional>
#include <string>
#include <vector>

/// Whole pictures for the report, and for the window where it shows a still. Each has axes with units and an accessible sentence; with
/// nothing to draw it says so in the picture.
namespace kl::plot {

struct Size {
    double width = 720;
    double height = 360;
};

/// Work over bytes, both on log axes: the roofs of every memory level and kind of arithmetic, those measured dashed, and each point with
/// the level whose bytes it counts. `roofs`: as rooflineOf gives them.
std::string svgRoofline(const std::vector<Roof>& roofs, const std::vector<RooflinePoint>& points, const Palette& palette = {},
                        Size size = {});

/// One bar a comparison: the value against its threshold tick.
struct EvidenceBar {
    std::string label;
    double value = 0;
    double threshold = 0;
    double scale = 100; ///< value at the full length of the bar
    bool taken = false;
    std::string text; ///< "77.8 % >= 20 %"
};
/// Bars of the path's comparisons that have a value, once each: first those that gave the class (`taken`), then the other questions in
/// the order asked. A percentage is drawn out of 100.
std::vector<EvidenceBar> evidenceBars(const Finding& finding);
std::string svgEvidence(const Finding& finding, const Palette& palette = {}, Size size = {720, 0});

/// Shares of warp latency, stacked in one bar, the largest named.
std::string svgStalls(const RunRecord& run, const Palette& palette = {}, Size size = {720, 120});

struct HistoryPoint {
    std::string session;
    std::optional<double> speedup;
    std::optional<double> low; ///< interval, where known
    std::optional<double> high;
};
/// Speedup over sessions on a log scale with the lines 1.0 and `target`.
std::string svgSpeedup(const std::vector<HistoryPoint>& sessions, double target, const Palette& palette = {}, Size size = {});

/// Before and after, medians joined by a line, each with its interval. Times in ns.
std::string svgSlope(const std::string& beforeName, const Summary& before, const std::string& afterName, const Summary& after,
                     const Palette& palette = {}, Size size = {420, 300});

} // namespace kl::plot
