// SPDX-License-Identifier: MIT
#include "sessions/engine/recorded_plan.h"

#include "profiler/protocol/message_codec.h"
#include "sessions/measure/requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

bool fails(const RunAnswer& answer)
{
    return answer.status != ResultStatus::ok || isRefuted(answer.correctness.result) ||
           !std::ranges::all_of(answer.correctness.suite, &SuiteRow::pass);
}

} // namespace

bool RecordedPlan::holdsRun(const Address& variant, const Params& problem, bool suite)
{
    const auto [at, added] = known_.try_emplace(fmt::format("run {} {} {}", toText(variant), toText(problem), suite), false);
    if (added)
        if (const Result<RunRequest> request = runRequest(bench_.catalog(), variant, problem, suite, toChip(bench_.collector())))
            at->second = bench_.collector().holds(Verb::run, toJsonMessage(*request));
    return at->second;
}

bool RecordedPlan::holdsProfile(const Address& variant, const Params& problem)
{
    const auto [at, added] = known_.try_emplace(fmt::format("profile {} {}", toText(variant), toText(problem)), false);
    if (added)
        if (const Result<ProfileRequest> request =
                profileRequest(bench_.catalog(), variant, problem, kSessionTier, toChip(bench_.collector())))
            at->second = bench_.collector().holds(Verb::profile, toJsonMessage(*request));
    return at->second;
}

bool RecordedPlan::holdsComparison(const Address& a, const Address& b, const Params& problem)
{
    const auto [at, added] = known_.try_emplace(fmt::format("compare {} {} {}", toText(a), toText(b), toText(problem)), false);
    if (added)
        if (const Result<AbRequest> request = abRequest(bench_.catalog(), a, b, problem, 0, toChip(bench_.collector())))
            at->second = bench_.collector().holds(Verb::compare, toJsonMessage(*request));
    return at->second;
}

bool RecordedPlan::holdsChange(const Address& start, const Params& problem)
{
    const std::vector<Address> changes = bench_.catalog().fixesFor(start);
    return changes.empty() || std::ranges::any_of(changes, [&](const Address& change) {
               return holdsRun(change, problem, true) && holdsComparison(start, change, problem);
           });
}

std::string RecordedPlan::explainMissing(const SessionTemplate& plan, const Address& start, const Params& problem)
{
    if (bench_.collector().source() == Source::live)
        return {};
    const Result<const KernelFamily*> family = bench_.catalog().family(start.family);
    if (!family)
        return family.error().message;
    if (const Result<WorkSpec> work = bench_.catalog().work(start, problem, toChip(bench_.collector())); !work)
        return work.error().message;
    const std::string variant = toText(start);
    const std::string size = problem.empty() ? toText((*family)->problems.front()) : toText(problem);
    using enum Evidence;
    if (plan.asksFor(smallest) && !holdsRun(start, (*family)->smallest, false))
        return fmt::format("The recording has no run of {} at {}, its smallest size.", variant, toText((*family)->smallest));
    if (plan.asksFor(failingCase) && !holdsRun(start, (*family)->smallest, true))
        return fmt::format("The recording has no run of {} over its suite: nothing can be debugged.", variant);
    if (plan.asksFor(startSuite) && !holdsRun(start, problem, true))
        return fmt::format("The recording has no run of {} over its suite at {}.", variant, size);
    if (plan.asksFor(baseline) && !holdsRun(start, problem, false))
        return fmt::format("The recording has no run of {} at {}.", variant, size);
    if (plan.asksFor(profile) && !holdsProfile(start, problem))
        return fmt::format("The recording has no profile of {} at {}.", variant, size);
    if (plan.asksFor(evaluation) && !holdsChange(start, problem))
        return fmt::format("The recording has no change of {} at {}.", variant, size);
    return {};
}

std::string RecordedPlan::explainMissingChange(const SessionTemplate& plan, const Address& from, const Address& to, const Params& problem)
{
    if (bench_.collector().source() == Source::live)
        return {};
    if (!holdsRun(to, problem, true))
        return fmt::format("The recording has no run of {} over its suite at {}.", toText(to), toText(problem));
    if (plan.asksFor(Evidence::evaluation) && !holdsComparison(from, to, problem))
        return fmt::format("The recording has no comparison of {} with {} at {}.", toText(to), toText(from), toText(problem));
    return {};
}

std::string RecordedPlan::fixCaveat(const Address& start, const Params& problem)
{
    const std::vector<Address> fixes = bench_.catalog().fixesFor(start, toChip(bench_.collector()));
    if (std::ranges::any_of(fixes, [&](const Address& fix) { return holdsRun(fix, problem, true); }))
        return {};
    return fmt::format("The fault of {} is recorded, but no variant that fixes it: the session will end without a fix.", toText(start));
}

std::optional<RunAnswer> RecordedPlan::findRecordedSuite(const Address& variant)
{
    const Result<const KernelFamily*> family = bench_.catalog().family(variant.family);
    if (!family || !holdsRun(variant, (*family)->smallest, true))
        return {};
    const Result<RunRequest> request = runRequest(bench_.catalog(), variant, (*family)->smallest, true, toChip(bench_.collector()));
    Result<RunAnswer> answer = request ? run(bench_.collector(), *request) : Result<RunAnswer>(request.error());
    return answer ? std::optional(std::move(*answer)) : std::nullopt;
}

std::string RecordedPlan::debuggableFaults()
{
    std::string names;
    for (const Address& address : bench_.catalog().addresses()) {
        const Result<const Variant*> variant = bench_.catalog().variant(address);
        if (!variant || (*variant)->fault.empty())
            continue;
        const std::optional<RunAnswer> suite = findRecordedSuite(address);
        if (suite && fails(*suite) && fixCaveat(address, {}).empty())
            names += (names.empty() ? " Recorded with a fault and its fix: " : ", ") + toText(address);
    }
    return names.empty() ? names : names + '.';
}

std::string RecordedPlan::faultCaveat(const SessionTemplate& plan, const Address& start, const Params& problem)
{
    if (bench_.collector().source() == Source::live || !plan.asksFor(Evidence::failingCase))
        return {};
    const std::optional<RunAnswer> suite = findRecordedSuite(start);
    if (!suite)
        return {};
    if (fails(*suite))
        return fixCaveat(start, problem);
    return fmt::format(
        "No fault is recorded of {}: it is correct on all {} sizes of its suite. The session will end with nothing to fix.{}",
        toText(start), suite->correctness.suite.size(), debuggableFaults());
}

} // namespace kl::inline engine
