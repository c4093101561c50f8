// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kl::ui {

/// A range that may be shown on an axis; low < high always.
struct AxisRange {
    double low = 0;
    double high = 1;
};

/// Round values (1, 2, 5 × 10ⁿ) inside [low, high], about `wanted` of them.
std::vector<double> niceTicks(double low, double high, int wanted);

/// The smallest round range with all finite values, and zero if requested. Without any value: 0 to 1.
AxisRange linearRange(std::span<const double> values, bool withZero);

/// Whole decades around all finite values above 0. Without any: 0.1 to 10.
AxisRange logRange(std::span<const double> values);

/// Whether a value can be drawn: finite, and above 0 on a log axis. One 0 or NaN makes a whole Qt Charts series vanish.
bool drawable(double value, bool log);

/// Position of a value on an axis of `length` pixels that starts at `range.low`.
double axisPosition(double value, const AxisRange& range, double length, bool log);

} // namespace kl::ui
