// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/stacked_bar.h"

#include <vector>

namespace kl::ui {

/// The comparisons of a finding as evidence: first those of the deciding node, the ones that hold before the rest, then the ones it
/// passed on the way, each quantity once, missing ones last.
std::vector<EvidenceRow> evidenceRows(const Finding& finding);

/// "Evidence for a DRAM bandwidth limit: 4 of 12 comparisons": those that hold in the deciding question.
QString evidenceTitle(const Finding& finding);

/// The utilization of each unit of the GPU, percent of its peak; replaces the roofline of a kernel without floating-point work.
/// Empty without hardware counters.
std::vector<EvidenceRow> unitRows(const RunRecord& run);

/// "L2 is the busiest unit: 78.7 % of its peak"; "… the busiest unit measured …" if some were not measured.
QString unitTitle(const std::vector<EvidenceRow>& rows);

/// Why some or all units have no value; empty if all have one.
QString explainMissingUnits(const RunRecord& run);

/// Stall reasons of several runs, one bar per run: the part names by decreasing share, and the rows.
struct StallBars {
    QStringList parts;
    std::vector<StackedRow> rows;
    std::vector<const RunRecord*> runs; ///< of the rows: those that have stall reasons
};
/// `names`: the names of the runs, in their order; by default their kernels (displayKernel).
StallBars stallBars(const std::vector<const RunRecord*>& runs, const QStringList& names = {});

/// The stall reason that differs most between the first two bars, as a chart title; empty with less than two.
QString stallChange(const StallBars& bars);

/// The largest stall as a chart title: "Long scoreboard is the top stall reason: 62 % of a warp's latency"; empty without stalls.
QString stallTitle(const RunRecord& run);

/// Why no run of these has stall reasons.
QString explainMissingStalls(const std::vector<const RunRecord*>& runs);

/// What the run's largest stalls mean, one line each, as rich text; empty without stalls.
QString stallMeanings(const RunRecord& run);

} // namespace kl::ui
