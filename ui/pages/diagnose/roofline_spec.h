// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/roofline.h"
#include "ui/charts/xy_chart.h"

#include <vector>

namespace kl {

/// Work per second against bytes moved at a level, log-log: the level's memory roof and all compute roofs of the first run's device, solid
/// as by the data sheet and dashed as measured, with the clock on the compute roofs. Each run stands at its main point (mainPoint); one
/// whose bytes come from its formula says so. A run that can be placed nowhere is left out; the spec says why when none is left. `arrows`
/// joins the runs in order; without them the first run also stands where all that it executed puts it, if that is elsewhere.
XYSpec rooflineSpec(const std::vector<const RunRecord*>& runs, MemoryLevel level, bool arrows);

/// Why a run has no place under the roofs; empty where it has one at some level.
QString rooflineMissing(const RunRecord& run);

/// "Runs at 12 % of the FP32 roof and 42 % of L2's": the chart's title; empty when nothing can be placed.
QString rooflineTitle(const RunRecord& run, MemoryLevel level);

/// "DRAM traffic 1.02× what is needed · FLOPs 1.00× what is needed": what a run moved and computed over its formulas;
/// says what is not known, and how less than needed can be.
QString describeAmplification(const RunRecord& run);

} // namespace kl
