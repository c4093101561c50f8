// SPDX-License-Identifier: MIT
#include "sessions/search/best_point.h"

#include "core/base/try.h"
#include "core/stats/correctness_text.h"
#include "kernels/family_point.h"
#include "kernels/space/search_space.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/measure/keep.h"
#include "sessions/measure/workbench.h"
#include "sessions/store/search_times.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline search {
namespace {

Status judge(Workbench& bench, const SearchSubject& subject, Objective objective, const Job& job, BestPoint& best)
{
    const bool energy = objective == Objective::energy;
    const Address current = addressOf(*subject.family, *subject.variant, {});
    for (const TunedPoint& point : best.tuned.points) {
        if (!point.cost(objective) || !point.refined)
            break;
        const Address address = addressOf(*subject.family, *subject.variant, point.tunables);
        job.report(fmt::format("checking {} on the whole suite", toText(address)));
        KL_ASSIGN(RunRecord run, bench.run(address, subject.problem, true, job, {}, {}, energy));
        if (!isUsable(run)) {
            best.wrong.push_back({toText(address), isRefuted(run.correctness.result) ? refutedWords(run.correctness) : run.reason});
            continue;
        }
        best.run = std::move(run);
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
std::vector<Params> knownBest(Workbench& bench, const SearchSubject& subject)
{
    constexpr std::size_t kKnown = 3;
    const DeviceInfo* device = measuredDevice(bench.collector().hello());
    const Result<FamilyPoint> point =
        pointOf(*subject.family, *subject.variant, subject.fixed, subject.problem, device ? chipOf(*device) : Chip{});
    if (!device || !point)
        return {}; // tune() reports it
    const auto times =
        savedSearchTimes(bench.store(), device->name, toText(Address{subject.family->id, subject.variant->id, {}}), toText(point->sizes));
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
SearchTimes timesOf(const BestPoint& best, const KernelFamily& family, const Variant& variant)
{
    const SpaceBuild& build = best.tuned.build;
    SearchTimes times{best.tuned.device, toText(Address{family.id, variant.id, {}}), build.space.problem, {}};
    for (const TunedPoint& point : best.tuned.points)
        if (point.ns)
            times.ns[toText(addressOf(family, variant, point.tunables))] = *point.ns;
    for (const WrongPoint& wrong : best.wrong)
        times.ns.erase(wrong.kernel);
    const auto nameFor = [&](const CompiledPoint& point) {
        return toText(addressOf(family, variant, build.space.points[point.index].tunables));
    };
    for (const CompiledPoint& point : build.points)
        if (point.sameAs)
            if (const auto timed = times.ns.find(nameFor(build.points[*point.sameAs])); timed != times.ns.end())
                times.ns.emplace(nameFor(point), timed->second);
    return times;
}

} // namespace

Result<BestPoint> findBest(Workbench& bench, const SearchSubject& subject, const TunePlan& plan, const Job& job)
{
    if (bench.collector().source() == Source::sample)
        return Error{.code = ErrorCode::usage,
                     .message = "A search measures on a GPU; it cannot use a recording.",
                     .hint = "Run it on a GPU; checking and compiling the space need no GPU.",
                     .where = "--on"}
            .leadingTo({StepId::searchSpace, {{StepArgument::kernel, subject.family->id + '/' + subject.variant->id}}});
    if (const Status storable = checkStorable(bench.store()); !storable) // before minutes of measuring
        return storable.error();
    TunePlan informed = plan;
    informed.known = knownBest(bench, subject);
    KL_ASSIGN(TuneResult tuned,
              tune(bench.collector(), bench.catalog(), *subject.family, *subject.variant, subject.fixed, subject.problem, informed, job));
    BestPoint best{std::move(tuned), {}, {}, {}};
    KL_TRY(judge(bench, subject, plan.objective, job, best));
    Unstored times;
    times.artifacts.push_back(artifactOf(timesOf(best, *subject.family, *subject.variant)));
    static_cast<void>(keep(bench.store(), times, job)); // the job reports it: the answer is still valid
    return best;
}

} // namespace kl::inline search
