// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/charts/xy_chart.h"

#include <vector>

namespace kl {

/// Which level's traffic the arithmetic intensity counts.
enum class MemoryLevel { dram, l2, l1 };

/// Work per second against bytes moved at a level, log-log, with the memory and compute roofs of the first run's device at the clock of
/// its profile (the clock stands in the notes on the roofs). A run without FLOPs by its descriptor, or without the traffic metric, is
/// left out; the spec says why when none is left. `arrows` joins the runs in order.
XYSpec rooflineSpec(const std::vector<const RunRecord*>& runs, MemoryLevel level, bool arrows);

/// Bytes that a run moved at a level, by its metrics; nothing when not measured.
std::optional<double> bytesAt(const RunRecord& run, MemoryLevel level);

/// "Runs at 12 % of the FP32 roof and 42 % of DRAM's": the chart's title; empty when nothing can be placed.
QString rooflineTitle(const RunRecord& run);

} // namespace kl
