// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/memory_chart.h"
#include "core/diagnosis/roofline.h"
#include "core/model/run.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/shared/finding_charts.h"

#include <vector>

namespace kl::ui {

/// A pinned run and its color. The run outlives it.
struct PinnedRun {
    const RunRecord* run = nullptr;
    Token token = Token::muted;
};

/// Fills the deltas of evidence about `finding`, whose rows these are: each quantity computed of the baselines, too.
void addDeltas(std::vector<EvidenceRow>& rows, const Finding& finding, const std::vector<PinnedRun>& baselines);

/// The same for unitRows().
void addUnitDeltas(std::vector<EvidenceRow>& rows, const std::vector<PinnedRun>& baselines);

/// The same for the first of the bars of runs, against those of the baselines. A baseline without stall reasons has no numbers to compare.
void addDeltas(StallBars& bars, const std::vector<const RunRecord*>& runs, const std::vector<PinnedRun>& baselines);

/// Colors the baselines' points in a roofline as everywhere, and writes at the run's point how much more work per second it does.
void addDeltas(XYSpec& roofline, const RunRecord& run, const std::vector<PinnedRun>& baselines, MemoryLevel level);

/// A figure of the memory chart against those at the same place of the baselines' charts, which `find` looks up there.
Deltas figureDeltas(const MemoryFigure& figure, const std::vector<std::pair<const MemoryFigure*, Token>>& before);

/// "transpose/naive": a baseline's name; with its problem where that is another than the run's.
QString baselineName(const RunRecord& baseline, const RunRecord& run);

} // namespace kl::ui
