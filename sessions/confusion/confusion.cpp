// SPDX-License-Identifier: MIT
#include "sessions/confusion/confusion.h"

#include "core/diagnosis/estimates.h"
#include "core/diagnosis/without_counters.h"
#include "profiler/import/ncu_opinion.h"

#include <functional>

namespace kl::inline confusion {
namespace {

const RunRecord* find(const std::vector<RunRecord>& runs, const Address& kernel, const Params& problem)
{
    for (const RunRecord& run : runs)
        if (run.kernel == kernel && run.problem == problem && isUsable(run))
            return &run;
    return nullptr;
}

using Opinion = std::optional<NcuOpinion> (*)(const std::vector<RuleResult>&, const MetricSet&);

/// Empty without ncu, "none" if its rules name no class.
std::string classBy(const NcuRules& ncu, const RunRecord& run, Opinion readOpinion)
{
    const auto found = ncu.find(toText(run.kernel) + ' ' + toText(run.problem));
    if (found == ncu.end())
        return {};
    MetricSet metrics;
    metrics.values = found->second.metrics;
    const std::optional<NcuOpinion> opinion = readOpinion(found->second.rules, metrics);
    return opinion ? opinion->classId : "none";
}

/// What is known of a profile before its counters are read.
RunRecord beforeCounters(const RunRecord& run)
{
    RunRecord early = withoutCounters(run);
    early.experiments.clear();
    return early;
}

void judgeAll(Confusion& confusion, const std::vector<RunRecord>& runs, const std::function<Part(const RunRecord&)>& findPart,
              const Catalog& catalog, const DiagnosisTree& tree, const NcuRules& ncu)
{
    for (const RunRecord& run : runs) {
        const std::optional<std::string> expected = catalog.findExpectedClass(run.kernel, run.problem, toChip(run.device));
        if (!expected || !isUsable(run))
            continue;
        const Part part = findPart(run);
        const Diagnosis diagnosis = tree.diagnose(run, {});
        confusion.kernels.push_back(
            {run.kernel,
             run.problem,
             *expected,
             {diagnosis.finding.classId, tree.diagnose(withoutCounters(run), {}).finding.classId,
              tree.diagnose(beforeCounters(run), {}).finding.classId, classBy(ncu, run, ncuOpinion), classBy(ncu, run, ncuSpeedOfLight)},
             part});
        for (const Address& twin : catalog.fixesFor(run.kernel)) {
            const RunRecord* after = find(runs, twin, run.problem);
            // A step within one class, from memory-bound to less so, is not expected to leave it.
            if (!after || catalog.findExpectedClass(twin, run.problem, toChip(run.device)) == expected || !run.timing || !after->timing)
                continue;
            const std::optional<double> realized = computeRealizedReduction(*expected, *run.timing, *after->timing);
            if (!realized)
                continue;
            SeriesStep step{run.kernel, twin, run.problem, *expected, tree.diagnose(*after, {}).finding.classId};
            if (diagnosis.finding.classId == *expected && diagnosis.finding.estimate)
                step.estimated = diagnosis.finding.estimate->runtimeReduction;
            step.realized = *realized;
            step.part = part;
            confusion.steps.push_back(std::move(step));
        }
    }
}

} // namespace

Rate Confusion::rate(Judge judge, Part part) const
{
    Rate rate;
    for (const Judged& one : kernels) {
        if (one.by(judge).empty() || (part != Part::all && one.part != part))
            continue;
        ++rate.of;
        rate.right += one.by(judge) == one.expected ? 1 : 0;
    }
    return rate;
}

Rate Confusion::lost() const
{
    Rate rate{0, static_cast<int>(steps.size())};
    for (const SeriesStep& step : steps)
        rate.right += step.lost() ? 1 : 0;
    return rate;
}

Rate Confusion::estimates() const
{
    Rate rate;
    for (const SeriesStep& step : steps) {
        rate.of += step.estimated ? 1 : 0;
        rate.right += step.isWithinTwo() ? 1 : 0;
    }
    return rate;
}

Confusion computeConfusion(const std::vector<RunRecord>& runs, const std::vector<RunRecord>& unseen, const Catalog& catalog,
                           const DiagnosisTree& tree, const Holdout& holdout, const NcuRules& ncu)
{
    Confusion confusion;
    const auto findPart = [&](const RunRecord& run) { return holdout.holds(run.kernel, run.problem) ? Part::heldOut : Part::tuned; };
    judgeAll(confusion, runs, findPart, catalog, tree, ncu);
    judgeAll(
        confusion, unseen, [](const RunRecord&) { return Part::unseen; }, catalog, tree, ncu);
    return confusion;
}

} // namespace kl::inline confusion
