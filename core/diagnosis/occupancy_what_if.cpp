// SPDX-License-Identifier: MIT
#include "core/diagnosis/occupancy_what_if.h"

#include "core/diagnosis/run_facts.h"

namespace kl::inline diagnosis {

std::optional<OccupancyWhatIf> occupancyWhatIf(const RunRecord& run)
{
    const RunFacts facts(run);
    const LaunchFacts* launch = facts.launch();
    const std::optional<SmLimits> limits = smLimits(run.device);
    if (!launch || !limits || launch->blockThreads <= 0 || launch->registers <= 0)
        return {};
    OccupancyWhatIf out;
    out.launch = launch->entry;
    out.limits = *limits;
    out.needs = {launch->blockThreads, launch->registers, launch->staticSmem + launch->dynamicSmem};
    out.now = computeOccupancy(*limits, out.needs);
    out.terms = occupancyTerms(*limits, out.needs);
    out.levers = occupancyLevers(*limits, out.needs);
    out.achieved = facts.metric("sm__warps_active.avg.pct_of_peak_sustained_active");
    for (const Experiment& one : run.experiments)
        if (one.id == "half-occupancy")
            out.halvedTakes = one.ratio;
    return out;
}

} // namespace kl::inline diagnosis
