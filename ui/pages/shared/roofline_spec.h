// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/roofline.h"
#include "ui/charts/xy_chart.h"
#include "ui/models/kernel_row.h"

#include <vector>

namespace kl::ui {

/// Work per second against bytes moved at a level, log-log: the level's memory roof and all compute roofs of the first run's device, solid
/// from the data sheet and dashed as measured, with the clock on the compute roofs. Each run is at its main point (mainPoint); one
/// whose bytes come from its formula is marked. A run without a point is left out; the spec gives the reason when none is left. `arrows`
/// connects the runs in order; without them the first run also has a point for the work it executed, if that is elsewhere.
XYSpec rooflineSpec(const std::vector<const RunRecord*>& runs, MemoryLevel level, bool arrows);

/// Kernels of a report, a program or a history in one roofline: a marker's area is the kernel's share of the time of all. The roofs are
/// those of `device`'s GPU. Names are written at the largest; the pointer shows the others.
XYSpec kernelsRooflineSpec(const std::vector<KernelRow>& kernels, const RunRecord& device, MemoryLevel level);

/// Why a run has no point in the roofline; empty if it has one at some level.
QString explainMissingRoofline(const RunRecord& run);

/// "Runs at 12 % of the FP32 roof and 42 % of L2's": the chart's title; empty if the run has no point.
QString rooflineTitle(const RunRecord& run, MemoryLevel level);

/// "DRAM traffic 1.02× the required amount · FLOPs 1.00× the required amount": what a run moved and computed over its formulas;
/// unknown values and values below 1× are explained.
QString describeAmplification(const RunRecord& run);

} // namespace kl::ui
