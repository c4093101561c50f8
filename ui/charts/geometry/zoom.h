// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/geometry/ticks.h"

namespace kl::ui {

/// The range narrowed (factor below 1) or widened around the place `at`, a share of its length: what is under the pointer stays there. A
/// range is never wider than `whole` and never narrower than a millionth of it.
AxisRange zoomRange(const AxisRange& range, double at, double factor, bool log, const AxisRange& whole);

/// The range moved by a share of its length, not beyond `whole`.
AxisRange panRange(const AxisRange& range, double share, bool log, const AxisRange& whole);

/// The base whose powers are the labels of a log axis: 10, or a smaller one where the range is less than two decades.
double logBase(const AxisRange& range);

} // namespace kl::ui
