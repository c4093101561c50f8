// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/diagnosis.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline report {

/// One bar of a chart with its 95 % interval.
struct ChartBar {
    std::string label;
    double value = 0;
    double low = 0;
    double high = 0;
    std::string color;  ///< "#0072B2"
    std::string figure; ///< the value as text; empty: `value` is a time in nanoseconds
};

/// Inline SVG, 720 wide, colors of the light theme; `name` is its accessible name. Empty input gives an empty text.
std::string barsSvg(const std::vector<ChartBar>& bars, const std::string& name);

/// A comparison of a finding's path as in the window: "excess sectors", "77.8 %", "≥ 20 %". The tree's id for an unknown quantity;
/// "not measured" and "–" where a figure is missing.
struct EvidenceWords {
    std::string name;
    std::string value;
    std::string threshold;
};
EvidenceWords evidenceWords(const PathEntry& entry);

/// The questions of a finding's path that have a figure: value as a bar, threshold as a tick, each on its own scale.
std::string evidenceSvg(const std::vector<PathEntry>& path, const std::string& name);

/// Old over new, one dot per block, with the interval and the ratio from which a change is kept.
std::string ratioSvg(const Comparison& comparison, double keepAt, const std::string& name);

} // namespace kl::inline report
