// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/stacked_bar.h"

#include <vector>

namespace kl {

/// The comparisons of a finding as evidence: those of the node that gave the class first, what holds before the rest, then the ones it
/// passed on the way, each quantity once, missing ones last.
std::vector<EvidenceRow> evidenceRows(const Finding& finding);

/// "Evidence: 4 of 12 comparisons speak for dram-bound": those that hold in the question that gave the class.
QString evidenceTitle(const Finding& finding);

/// How busy each unit of the GPU was, percent of its peak: what stands in the roofline's place for a kernel without floating-point work.
/// Nothing without hardware counters.
std::vector<EvidenceRow> unitRows(const RunRecord& run);

/// "L2 is the busiest unit, 78.7 % of its peak"; "… the busiest unit measured …" where some were not.
QString unitTitle(const std::vector<EvidenceRow>& rows);

/// Why units have no figure, or there is no unit; empty where all have one.
QString unitsMissing(const RunRecord& run);

/// Stall reasons of several runs, one bar a run: the part names in the order of the largest share, and the rows.
struct StallBars {
    QStringList parts;
    std::vector<StackedRow> rows;
};
/// `names`: what the runs are called, in their order; without them their kernels (displayKernel).
StallBars stallBars(const std::vector<const RunRecord*>& runs, const QStringList& names = {});

/// The stall reason that differs most between the first two bars, as a chart title; empty with less than two.
QString stallChange(const StallBars& bars);

/// The largest stall as a chart title: "Long scoreboard is 62 % of a warp's latency"; empty without stalls.
QString stallTitle(const RunRecord& run);

/// Why no run of these has stall reasons.
QString stallsMissing(const std::vector<const RunRecord*>& runs);

/// What the run's largest stalls mean, a line each, as rich text; empty without stalls.
QString stallMeanings(const RunRecord& run);

} // namespace kl
