// SPDX-License-Identifier: MIT
#include "sessions/search/best_point.h"

#include "core/base/try.h"
#include "core/stats/correctness_text.h"
#include "kernels/family_point.h"
#include "kernels/space/search_space.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/measure/keep.h"
#include "sessions/measure/workbench.h"
#include "sessions/search/confirm.h"
#include "sessions/search/search_log.h"
#include "sessions/store/search_times.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline search {
namespace {

Status judge(Workbench& bench, const SearchSubject& subject, Objective objective, const Job& job, BestPoint& best)
{
    const bool energy = objective == Objective::energy;
    const Address current = makeAddress(*subject.family, *subject.variant, {});
    for (const TunedPoint& point : best.tuned.points) {
        if (!point.cost(objective) || !point.refined)
            break;
        const Address address = makeAddress(*subject.family, *subject.variant, point.tunables);
        job.report(fmt::format("checking {} on the whole suite", toText(address)));
        KL_ASSIGN(RunRecord run, bench.run(address, subject.problem, true, job, {}, {}, energy));
        if (!isUsable(run)) {
            best.wrong.push_back({toText(address), isRefuted(run.correctness.result) ? describeRefuted(run.correctness) : run.reason});
            continue;
        }
        best.run = std::move(run);
        best.tunables = point.tunables;
        if (address == current)
            break;
        KL_ASSIGN(Comparison comparison, bench.ab(current, address, subject.problem, 1.0, job, energy));
        if (comparison.verdict == Verdict::faster) // whose own next step would be the suite
            comparison.next =
                fmt::format("Keep {}: it is correct on all {} sizes of the suite.", toText(address), best.run->correctness.suite.size());
        best.comparison = std::move(comparison);
        break;
    }
    return {};
}

/// The fastest points of the last search of this kernel and problem on this device, best first; none without one.
std::vector<Params> findKnownBest(Workbench& bench, const SearchSubject& subject)
{
    constexpr std::size_t kKnown = 3;
    const DeviceInfo* device = findMeasuredDevice(bench.collector().hello());
    const Result<FamilyPoint> point =
        makeFamilyPoint(*subject.family, *subject.variant, subject.fixed, subject.problem, device ? toChip(*device) : Chip{});
    if (!device || !point)
        return {}; // tune() reports it
    const auto times =
        loadSearchTimes(bench.store(), device->name, toText(Address{subject.family->id, subject.variant->id, {}}), toText(point->sizes));
    std::vector<std::pair<double, Params>> known;
    if (times) // what is damaged is replaced after this search
        for (const auto& [text, ns] : *times)
            if (const Result<Address> address = parseAddress(text); address)
                known.emplace_back(ns, address->tunables);
    std::ranges::sort(known);
    std::vector<Params> best;
    for (std::size_t i = 0; i < std::min(kKnown, known.size()); ++i)
        best.push_back(known[i].second);
    return best;
}

/// The points of a search that have a time, and those whose program is the same as that of one that has.
SearchTimes collectTimes(const BestPoint& best, const KernelFamily& family, const Variant& variant)
{
    const SpaceBuild& build = best.tuned.build;
    SearchTimes times{best.tuned.device, toText(Address{family.id, variant.id, {}}), build.space.problem, {}};
    for (const TunedPoint& point : best.tuned.points)
        if (point.ns)
            times.ns[toText(makeAddress(family, variant, point.tunables))] = *point.ns;
    for (const WrongPoint& wrong : best.wrong)
        times.ns.erase(wrong.kernel);
    const auto nameFor = [&](const CompiledPoint& point) {
        return toText(makeAddress(family, variant, build.space.points[point.index].tunables));
    };
    for (const CompiledPoint& point : build.points)
        if (point.sameAs)
            if (const auto timed = times.ns.find(nameFor(build.points[*point.sameAs])); timed != times.ns.end())
                times.ns.emplace(nameFor(point), timed->second);
    return times;
}

/// Reports what the search goes on without; stops where the user did.
Status withoutIt(const char* what, const Error& error, const Job& job)
{
    if (error.code == ErrorCode::interrupted)
        return error;
    if (job.notice)
        job.notice(fmt::format("{}: {}", what, error.message));
    return {};
}

/// The winner against its rival, and what limits it.
Status lookAtWinner(Workbench& bench, const LoopPlan& plan, const Job& job, BestPoint& best, SearchLog& log)
{
    if (!best.run)
        return {};
    const RunRecord& winner = *best.run;
    if (plan.confirmations > 0) {
        Result<Confirmation> confirmed =
            confirm(bench.collector(), bench.catalog(), winner.kernel, winner.problem, plan.confirmations, plan.target, job);
        if (!confirmed)
            KL_TRY(withoutIt("The winner was not confirmed", confirmed.error(), job));
        else
            best.confirmation = std::move(*confirmed);
        log.addBest(best);
    }
    if (plan.diagnosed) {
        job.report(fmt::format("profiling {}", toText(winner.kernel)));
        Result<RunRecord> profile = bench.profile(winner.kernel, winner.problem, ProfileScope(kSessionTier), job);
        if (!profile)
            KL_TRY(withoutIt("The winner was not profiled", profile.error(), job));
        else
            best.profile = std::move(*profile);
        log.addBest(best);
    }
    return {};
}

} // namespace

Status checkSearchable(const Collector& collector)
{
    if (collector.source() != Source::sample)
        return {};
    return Error{.code = ErrorCode::usage,
                 .message = "A search measures on a GPU; it cannot use the sample.",
                 .hint = "Choose a GPU, or replay a recorded search. Checking and compiling the space need no GPU.",
                 .where = "--on"};
}

Result<BestPoint> findBest(Workbench& bench, const SearchSubject& subject, const LoopPlan& plan, const Job& job)
{
    if (const Status searchable = checkSearchable(bench.collector()); !searchable)
        return Error(searchable.error())
            .leadTo({StepId::searchSpace, {{StepArgument::kernel, subject.family->id + '/' + subject.variant->id}}});
    if (const Status storable = checkStorable(bench.store()); !storable) // before minutes of measuring
        return storable.error();
    SearchLog log(bench.store(), bench.collector(), subject, plan, job);
    TunePlan informed = plan.tune;
    if (plan.tune.startsKnown)
        informed.known = findKnownBest(bench, subject);
    informed.onTime = [&](const TunedPoint& point) {
        log.add(point);
        if (plan.tune.onTime)
            plan.tune.onTime(point);
    };
    const auto ended = [&](const Error& error) {
        log.end(SearchStage::stopped);
        return error;
    };
    Result<TuneResult> tuned =
        tune(bench.collector(), bench.catalog(), *subject.family, *subject.variant, subject.fixed, subject.problem, informed, job);
    if (!tuned)
        return ended(tuned.error());
    log.addTuned(*tuned);
    BestPoint best{std::move(*tuned), {}, {}, {}};
    best.record = log.record().id;
    if (const Status judged = judge(bench, subject, plan.tune.objective, job, best); !judged)
        return ended(judged.error());
    log.addBest(best);
    Unstored times;
    times.artifacts.push_back(makeArtifact(collectTimes(best, *subject.family, *subject.variant)));
    static_cast<void>(keep(bench.store(), times, job)); // the job reports it: the answer is still valid
    if (const Status looked = lookAtWinner(bench, plan, job, best, log); !looked)
        return ended(looked.error());
    log.end(SearchStage::finished);
    return best;
}

LoopPlan LoopPlan::notes()
{
    LoopPlan plan;
    plan.protocol = "notes";
    plan.tune.strategy = "tpe"; // which begins with a Latin hypercube of 20 points
    plan.tune.budgetTrials = 120;
    plan.tune.startsKnown = false;
    return plan;
}

} // namespace kl::inline search
