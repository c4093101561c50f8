// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/stacked_bar.h"

#include <vector>

namespace kl {

/// The comparisons of a finding as evidence: those of the node that gave the class first, then the ones it passed on the way, each
/// quantity once, missing ones last.
std::vector<EvidenceRow> evidenceRows(const Finding& finding);

/// How busy each unit of the GPU was, percent of its peak: what stands in the roofline's place for a kernel without floating-point work.
std::vector<EvidenceRow> unitRows(const RunRecord& run);

/// Stall reasons of several runs, one bar a run: the part names in the order of the largest share, and the rows.
struct StallBars {
    QStringList parts;
    std::vector<StackedRow> rows;
};
StallBars stallBars(const std::vector<const RunRecord*>& runs);

/// The largest stall as a chart title: "Long scoreboard is 62 % of a warp's latency"; empty without stalls.
QString stallTitle(const RunRecord& run);

/// What the run's largest stalls mean, a line each, as rich text; empty without stalls.
QString stallMeanings(const RunRecord& run);

} // namespace kl
