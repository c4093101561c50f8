// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kl::ui {

/// Where one bar of a bar chart lies on a lane that is 1 wide.
struct BarSpan {
    double from = 0;
    double to = 0;
};

/// Evidence: a value's bar from 0 and the tick of its threshold, on a scale of its own (percentages: 0 to 100, or further where the value
/// is). Unset for a missing value or threshold.
struct EvidenceSpan {
    std::optional<BarSpan> bar;
    std::optional<double> tick;
    double scaleMax = 1;
};
EvidenceSpan evidenceSpan(std::optional<double> value, std::optional<double> threshold, bool percent);

/// Parts of a whole stacked from 0; negative and non-finite parts count as 0. All zero: empty spans.
std::vector<BarSpan> stackSpans(const std::vector<double>& parts);

/// Where all minutes of a chart are below this, its axis is in seconds.
inline constexpr double kBriefMinutes = 3;

/// One step of a waterfall: each kind of saving continues where the last one of the same kind ended; the two kinds are never added.
struct SavingStep {
    std::string name;
    std::optional<double> measured;
    std::optional<double> quoted;
};
struct WaterfallStep {
    std::optional<BarSpan> measured; ///< in the unit of the input
    std::optional<BarSpan> quoted;
};
struct Waterfall {
    std::vector<WaterfallStep> steps;
    double measuredTotal = 0;
    double quotedTotal = 0;
};
Waterfall waterfall(const std::vector<SavingStep>& steps);

} // namespace kl::ui
