// SPDX-License-Identifier: MIT
#include "sessions/engine/guards.h"

#include "core/base/format.h"
#include "core/device/shared_memory.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/engine/rules.h"
#include "sessions/gates/gate.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl {
namespace {

constexpr const char* kStep = "Do it first: kloop session step.";

/// What is asked for has to be there and count. Where the template asks for none, nothing is in the way.
Status needs(const SessionModel& model, Evidence kind, const std::string& what, const std::string& rule = {})
{
    if (model.settled(kind))
        return {};
    const GateView* gate = model.gate(kind);
    const auto stale = model.view.stale.find(kind);
    const std::string state = stale != model.view.stale.end()  ? "It is stale: " + stale->second
                              : gate && !gate->verdict.empty() ? gate->verdict
                              : gate                           ? gate->rule
                                                               : std::string();
    const std::string where = !rule.empty() ? rule : gate ? gate->id : model.plan.phaseOf(kind)->id;
    return refusal(where, fmt::format("{}{}{}", what, state.empty() ? "" : " ", state), "See what the gate found: kloop session gate.");
}

Status inOrder(const SessionModel& model, std::initializer_list<Evidence> kinds)
{
    for (const Evidence kind : kinds)
        if (const Status ready = needs(model, kind, fmt::format("First comes {}.", rowOf(kind).title)); !ready)
            return ready;
    return {};
}

Status smallestFirst(const SessionModel& model)
{
    return needs(model, Evidence::smallest,
                 model.view.smallestRun ? "The kernel is not right on its smallest size." : "The smallest size has not been measured yet.",
                 rule::kSmallestFirst);
}

Status baselineReady(const SessionModel& model)
{
    if (const Status ready = inOrder(model, {Evidence::environment, Evidence::build}); !ready)
        return ready;
    if (const Status ready = smallestFirst(model); !ready)
        return ready;
    return needs(model, Evidence::startSuite, fmt::format("{} is not proven right on every size.", toText(model.view.start)),
                 rule::kCorrectnessFirst);
}

/// The change and everything after it stay locked until a real profile of the variant that stands is there.
Status profiled(const SessionModel& model, const std::string& action)
{
    const bool stale = model.view.stale.contains(Evidence::profile);
    if ((model.view.profileRun && !stale) || !model.plan.asksFor(Evidence::profile))
        return {};
    const std::optional<RunRecord>& baseline = model.view.baselineRun;
    const double speedup = baseline && baseline->speedup ? *baseline->speedup : 1;
    const bool stop = !stale && action == "choose-fix" && speedup < model.plan.threshold("speedup_min");
    const std::string what = stale ? fmt::format("The profile counts no more. {}", model.view.stale.at(Evidence::profile))
                             : stop
                                 ? fmt::format("The kernel has {} of the baseline's speed and has not been profiled.", formatRatio(speedup))
                                 : fmt::format("{} has not been profiled in this session.", toText(model.view.standing));
    return refusal(stop ? rule::kStopBelowHalf : rule::kProfileFirst, what, "Profile it first: kloop session step.");
}

Status candidateThere(const SessionModel& model)
{
    if (model.trying())
        return {};
    if (model.facts.kept)
        return refusal(rule::kOneVariable, "This session has kept its one change already.", "Open the next session for the next change.");
    return refusal(rule::kOneVariable, "No candidate is being tried.", "Choose one fix first: kloop session fix.");
}

Error moved(const SessionModel& model)
{
    const SourceChange& change = model.facts.sourceChange ? *model.facts.sourceChange : *model.facts.parked.back().source;
    return refusal(rule::kOneVariable, fmt::format("{} was edited further since the edit was taken.", change.file),
                   "Take it again: kloop session act take-edit.");
}

Status mayChoose(const SessionModel& model)
{
    if (const Status ready = profiled(model, "choose-fix"); !ready)
        return ready;
    if (const Status ready = needs(model, Evidence::profile, "There is no valid finding to choose a fix for."); !ready)
        return ready;
    if (const Status ready =
            inOrder(model, {Evidence::environment, Evidence::hypothesis, Evidence::instrument, Evidence::failingCase, Evidence::analysis});
        !ready)
        return ready;
    if (model.facts.kept)
        return refusal(rule::kOneVariable, "This session has kept its one change already.", "Open the next session for the next change.");
    if (model.facts.editing)
        return refusal(rule::kOneVariable, fmt::format("An edit of {} is begun.", model.facts.editing->file),
                       "Take it, or give it up: kloop session step, or revert.");
    if (model.trying())
        return refusal(rule::kOneVariable, fmt::format("{} is being tried.", toText(*model.view.candidate)), "Keep or revert it first.");
    return model.editMoved() ? Status(moved(model)) : Status{};
}

Status mayTake(const SessionModel& model)
{
    if (model.facts.editing || (model.trying() && model.facts.sourceChange))
        return {};
    if (model.editMoved())
        return profiled(model, "take-edit");
    return refusal(rule::kOneVariable, "No edit is begun.", "Begin one: kloop session fix own-edit.");
}

Status mayUndo(const SessionModel& model)
{
    if (model.facts.decision)
        return {};
    return Error{ErrorCode::refused, "There is no keep or revert to undo.", "See kloop session show.", {}, {}};
}

Status provenRight(const SessionModel& model)
{
    if (const Status ready = needs(model, Evidence::minimalCase,
                                   fmt::format("{} is not proven right on the smallest size that failed.", toText(*model.view.candidate)),
                                   rule::kCorrectnessFirst);
        !ready)
        return ready;
    if (model.settled(Evidence::candidate))
        return {};
    return refusal(rule::kCorrectnessFirst,
                   fmt::format("{} is not proven right on every size of the suite.", toText(*model.view.candidate)),
                   "Run the suite first: kloop session verify.");
}

Status memoryClean(const SessionModel& model)
{
    if (model.settled(Evidence::memory))
        return {};
    const std::string candidate = toText(*model.view.candidate);
    if (model.facts.has(Evidence::memory) && !model.view.stale.contains(Evidence::memory))
        return refusal(rule::kCorrectnessFirst, fmt::format("{} has memory errors. {}", candidate, model.facts.memoryCheck->seen),
                       "Correct the source and take the edit again, or revert: kloop session revert. What is no error can be waived with a "
                       "reason: kloop session waive.");
    return refusal(rule::kCorrectnessFirst, fmt::format("{} has not been checked for memory errors.", candidate),
                   "Check it first: kloop session step.");
}

/// Everything that is done with a candidate, once it is chosen.
Status mayTry(const SessionModel& model, const std::string& action)
{
    if (const Status ready = profiled(model, action); !ready)
        return ready;
    const bool parkedAlone = !model.trying() && !model.view.parked.empty() && !model.decided();
    if (parkedAlone && action == "keep" && model.editMoved())
        return moved(model);
    if (parkedAlone && (action == "keep" || action == "revert"))
        return action == "revert" ? Status{} : needs(model, Evidence::evaluation, "The parked steps are not worth keeping yet.");
    if (model.facts.editing && action == "revert")
        return {};
    if (const Status ready = candidateThere(model); !ready)
        return ready;
    if (action == "revert")
        return {};
    if (model.editMoved())
        return moved(model);
    if (action == "verify-minimal")
        return {};
    if (action == "verify-suite")
        return needs(model, Evidence::minimalCase, "The smallest size that failed comes before all sizes.", rule::kSmallestFirst);
    if (const Status ready = provenRight(model); !ready || action == "evaluate" || action == "check-memory")
        return ready;
    if (const Status ready = memoryClean(model); !ready)
        return ready;
    if (action == "park") {
        if (!model.view.cumulative)
            return refusal(model.plan.gateOf(Evidence::evaluation)->id, "The option cumulative is off.",
                           "Switch it on: kloop session option cumulative on.");
        return canPark(model.view) ? Status{} : needs(model, Evidence::evaluation, "Only a step that is surely faster can be parked.");
    }
    return needs(model, Evidence::evaluation, "The change is not worth keeping by its measurement.");
}

Status mayRepeat(const SessionModel& model)
{
    if (!model.facts.iterationOpen)
        return refusal(model.plan.phaseOf(Evidence::failingCase)->id, "No iteration is open.", kStep);
    return inOrder(model, {Evidence::failingCase, Evidence::analysis});
}

Status mayEnd(const SessionModel& model)
{
    if (model.facts.editing)
        return refusal(rule::kOneVariable, fmt::format("An edit of {} is begun.", model.facts.editing->file),
                       "Take it, or give it up: kloop session step, or revert.");
    if (model.trying())
        return refusal(rule::kOneVariable, fmt::format("{} is neither kept nor reverted.", toText(*model.view.candidate)),
                       "Decide first: kloop session keep, or revert.");
    if (model.undecided())
        return refusal(rule::kOneVariable, fmt::format("Neither kept nor dropped: {}.", parkedWords(model.view.parked.size())),
                       "Decide first: kloop session keep, or revert.");
    return {};
}

Status mayGather(const SessionModel& model, Evidence kind, const std::string& action)
{
    using enum Evidence;
    switch (kind) {
    case environment: return {};
    case build: return inOrder(model, {environment});
    case smallest: return inOrder(model, {environment, build});
    case startSuite:
        if (const Status ready = inOrder(model, {environment, build}); !ready)
            return ready;
        return smallestFirst(model);
    case baseline: return baselineReady(model);
    case profile:
        if (const Status ready = inOrder(model, {environment}); !ready)
            return ready;
        if (const Status ready = needs(model, baseline, "The baseline has not been measured with a right kernel.", rule::kBaselineFirst);
            !ready)
            return ready;
        return model.editMoved()
                   ? Status(refusal(rule::kProfileFirst,
                                    "The source was edited since the last step was parked: the profile would be of that edit.",
                                    "Put the edit away until the parked step is profiled, or drop the parked steps: revert."))
                   : Status{};
    case hypothesis: return inOrder(model, {environment});
    case instrument: return inOrder(model, {environment, hypothesis});
    case failingCase: return inOrder(model, {environment, hypothesis, instrument});
    case analysis: return inOrder(model, {environment, hypothesis, instrument, failingCase});
    case minimalCase:
    case candidate:
    case memory:
    case evaluation: break;
    }
    return mayTry(model, action);
}

} // namespace

std::vector<std::string> actionsOf(const SessionTemplate& plan)
{
    std::vector<std::string> actions;
    for (const EvidenceKind& row : evidenceTable()) {
        if (!plan.asksFor(row.evidence))
            continue;
        if (aboutCandidate(row.evidence) && std::find(actions.begin(), actions.end(), "choose-fix") == actions.end())
            actions.insert(actions.end(), {"choose-fix", "take-edit"});
        actions.emplace_back(row.action);
    }
    if (plan.asksFor(Evidence::evaluation))
        actions.emplace_back("park");
    if (plan.asksFor(Evidence::failingCase))
        actions.insert(actions.end(), {"sanitize", "repeat"});
    if (plan.asksFor(Evidence::candidate))
        actions.insert(actions.end(), {"keep", "revert", "undo"});
    actions.insert(actions.end(), {"document", "finish"});
    return actions;
}

Status allowed(const SessionModel& model, const std::string& action)
{
    const std::vector<std::string> known = actionsOf(model.plan);
    if (std::find(known.begin(), known.end(), action) == known.end())
        return Error{ErrorCode::usage,
                     fmt::format("There is no action \"{}\" in a session of kind {}.", action, model.view.header.kind),
                     fmt::format("Actions: {}.", fmt::join(known, ", ")),
                     action,
                     {}};
    if (model.facts.finished || model.view.phase == "done")
        return refusal("", fmt::format("Session {} is finished.", model.view.header.name), "Open the next one: kloop session new.");
    if (const std::optional<Evidence> kind = evidenceOfAction(action))
        return mayGather(model, *kind, action);
    if (action == "choose-fix")
        return mayChoose(model);
    if (action == "take-edit")
        return mayTake(model);
    if (action == "undo")
        return mayUndo(model);
    if (action == "repeat")
        return mayRepeat(model);
    if (action == "sanitize")
        return inOrder(model, {Evidence::environment, Evidence::hypothesis, Evidence::instrument, Evidence::failingCase});
    return action == "document" || action == "finish" ? mayEnd(model) : mayTry(model, action);
}

Status sameDevice(const SessionModel& model, const std::string& action, const Collector& collector)
{
    const SessionHeader& header = model.view.header;
    const auto name = [](Source source) {
        return source == Source::live ? "a live GPU" : source == Source::sample ? "the recorded sample" : "an import";
    };
    if (collector.source() != header.source)
        return refusal(
            rule::kBaselineFirst,
            fmt::format("Session {} was opened on {}, and this is {}.", header.name, name(header.source), name(collector.source())),
            header.source == Source::sample ? "Say --on sample." : "Say --on local, or open another session.");
    const DeviceInfo* device = measuredDevice(collector.hello());
    if (header.source == Source::live && !model.facts.deviceUuid.empty() && device && action != "check-environment" &&
        device->uuid != model.facts.deviceUuid)
        return refusal(rule::kBaselineFirst,
                       fmt::format("Session {} is on {}, and this is {}.", header.name, model.facts.device, device->name),
                       "Go back to that GPU, or move the session here, where all has to be measured again: kloop session act "
                       "check-environment.");
    return {};
}

Status fitsSharedMemory(const Catalog& catalog, const Address& variant, const Params& problem, std::int64_t limit)
{
    const Result<WorkSpec> work = catalog.work(variant, problem);
    if (!work)
        return work.error();
    if (const std::optional<std::int64_t> most = sharedMemoryOverflow(*work, limit))
        return refusal(rule::kSharedMemoryFirst, fmt::format("{}: {}.", toText(variant), smemSentence(*most, smemFit(*most, limit))),
                       "Choose smaller tiles; kloop smem, or the page Calculate, shows which fit.");
    return {};
}

Status candidateAllowed(const SessionModel& model, const Catalog& catalog, const Address& candidate)
{
    const std::int64_t limit = model.view.baselineRun ? model.view.baselineRun->device.smemPerBlockOptin : 0;
    const Status fits = fitsSharedMemory(catalog, candidate, model.view.problem, limit);
    if (!fits && fits.error().code != ErrorCode::refused)
        return fits;
    const std::vector<std::string> changes = changedVariables(*model.family, model.view.standing, candidate);
    if (changes.empty())
        return refusal(rule::kOneVariable, fmt::format("{} is the variant that stands already.", toText(candidate)), "Choose a change.");
    if (changes.size() > 1)
        return refusal(rule::kOneVariable,
                       fmt::format("{} changes {} things at once: {}.", toText(candidate), changes.size(), fmt::join(changes, "; ")),
                       "Take them one session at a time.");
    if (std::find(model.view.tried.begin(), model.view.tried.end(), candidate) != model.view.tried.end())
        return refusal(rule::kOneVariable, fmt::format("{} was tried and reverted in this session.", toText(candidate)),
                       "Choose another fix.");
    return fits;
}

} // namespace kl
