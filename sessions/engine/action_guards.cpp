// SPDX-License-Identifier: MIT
#include "sessions/engine/action_guards.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/gate.h"
#include "sessions/session/rules.h"
#include "sessions/session/suggestions.h"

#include <fmt/format.h>

namespace kl::inline engine::guard {
namespace {

/// The waiver of a gate, whose reason the user gives.
NextStep waiver(const GateView* gate)
{
    NextStep step{StepId::waiveGate, {}, {{StepArgument::reason, "Why is it waived?"}}};
    if (gate)
        step.set(StepArgument::gate, gate->id);
    return step;
}

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
    const std::string where = !rule.empty() ? rule : gate ? gate->id : model.plan.lookUpPhase(kind)->id;
    return refusal(where, fmt::format("{}{}{}", what, state.empty() ? "" : " ", state), "See what the gate found.", {{StepId::checkGate}});
}

/// The change and everything after it stay locked until a real profile of the current variant exists.
Status requireProfile(const SessionModel& model, SessionAction action)
{
    const bool stale = model.view.stale.contains(Evidence::profile);
    if ((model.view.profileRun && !stale) || !model.plan.asksFor(Evidence::profile))
        return {};
    const std::optional<RunRecord>& baseline = model.view.baselineRun;
    const double speedup = baseline && baseline->speedup ? *baseline->speedup : 1;
    const bool stop = !stale && action == SessionAction::chooseFix && speedup < model.plan.threshold("speedup_min");
    const std::string what =
        stale  ? fmt::format("The profile is no longer valid. {}", model.view.stale.at(Evidence::profile))
        : stop ? fmt::format("The kernel runs at {} the baseline's speed and has not been profiled.", formatRatio(speedup))
               : fmt::format("{} has not been profiled in this session.", toText(model.view.current));
    return refusal(stop ? rule::kStopBelowHalf : rule::kProfileFirst, what,
                   model.settled(Evidence::baseline) ? "Profile it first." : "Continue the session until it has been profiled.",
                   {{StepId::stepSession}});
}

Status candidateThere(const SessionModel& model)
{
    if (model.trying())
        return {};
    if (model.view.kept)
        return refusal(rule::kOneVariable, "This session has kept its one change already.", "Open the next session for the next change.");
    return refusal(rule::kOneVariable, "No candidate is being tried.", "Choose one fix first.", {{StepId::showSession}});
}

Error refuseMoved(const SessionModel& model)
{
    const SourceChange& change = model.view.sourceChange ? *model.view.sourceChange : *model.view.parked.back().source;
    return refusal(rule::kOneVariable, fmt::format("{} was edited further since the edit was taken.", change.file), "Take it again.",
                   {makeActionStep(SessionAction::takeEdit)});
}

Status requireProven(const SessionModel& model)
{
    KL_TRY(needs(model, Evidence::minimalCase,
                 fmt::format("{} is not proven correct at the smallest size that failed.", toText(*model.view.candidate)),
                 rule::kCorrectnessFirst));
    if (model.settled(Evidence::candidate))
        return {};
    return refusal(rule::kCorrectnessFirst,
                   fmt::format("{} is not proven correct at every size in the suite.", toText(*model.view.candidate)),
                   "Run the suite first.", {makeActionStep(SessionAction::verifySuite)});
}

Status memoryClean(const SessionModel& model)
{
    if (model.settled(Evidence::memory))
        return {};
    const std::string candidate = toText(*model.view.candidate);
    if (model.view.has(Evidence::memory) && !model.view.stale.contains(Evidence::memory))
        return refusal(rule::kCorrectnessFirst, fmt::format("{} has memory errors. {}", candidate, model.view.memoryCheck->seen),
                       "Correct the source and take the edit again, or revert. A false alarm can be waived with a reason.",
                       {makeActionStep(SessionAction::revert), waiver(model.gate(Evidence::memory))});
    return refusal(rule::kCorrectnessFirst, fmt::format("{} has not been checked for memory errors.", candidate), "Check it first.",
                   {{StepId::stepSession}});
}

} // namespace

Status inOrder(const SessionModel& model, const std::vector<Evidence>& kinds)
{
    for (const Evidence kind : kinds)
        KL_TRY(needs(model, kind, fmt::format("First comes {}.", lookUpRow(kind).title)));
    return {};
}

Status smallestFirst(const SessionModel& model, SessionAction)
{
    return needs(model, Evidence::smallest,
                 model.view.smallestRun ? "The kernel is incorrect at its smallest size." : "The smallest size has not been measured yet.",
                 rule::kSmallestFirst);
}

Status baseline(const SessionModel& model, SessionAction action)
{
    KL_TRY(smallestFirst(model, action));
    return needs(model, Evidence::startSuite, fmt::format("{} is not proven correct at every size.", toText(model.view.start)),
                 rule::kCorrectnessFirst);
}

Status profile(const SessionModel& model, SessionAction)
{
    KL_TRY(needs(model, Evidence::baseline, "The baseline has not been measured with a correct kernel.", rule::kBaselineFirst));
    if (!model.editMoved())
        return {};
    return refusal(rule::kProfileFirst, "The source was edited since the last step was set aside: the profile would be of that edit.",
                   "Put the edit away until the step that was set aside is profiled, or drop the steps set aside.",
                   {makeActionStep(SessionAction::revert)});
}

Status chooseFix(const SessionModel& model, SessionAction)
{
    KL_TRY(requireProfile(model, SessionAction::chooseFix));
    KL_TRY(needs(model, Evidence::profile, "There is no valid finding to choose a fix for."));
    KL_TRY(inOrder(model, {Evidence::environment, Evidence::hypothesis, Evidence::instrument, Evidence::failingCase, Evidence::analysis}));
    if (model.view.kept)
        return refusal(rule::kOneVariable, "This session has kept its one change already.", "Open the next session for the next change.");
    if (model.view.editing)
        return refusal(rule::kOneVariable, fmt::format("An edit of {} is begun.", model.view.editing->file), "Take it, or give it up.",
                       {{StepId::stepSession}, makeActionStep(SessionAction::revert)});
    if (model.trying())
        return refusal(rule::kOneVariable, fmt::format("{} is being tried.", toText(*model.view.candidate)), "Keep or revert it first.",
                       {makeActionStep(SessionAction::keep), makeActionStep(SessionAction::revert)});
    return model.editMoved() ? Status(refuseMoved(model)) : Status{};
}

Status takeEdit(const SessionModel& model, SessionAction)
{
    if (model.view.editing || (model.trying() && model.view.sourceChange))
        return {};
    if (model.editMoved())
        return requireProfile(model, SessionAction::takeEdit);
    return refusal(rule::kOneVariable, "No edit is begun.", "Begin one.", {makeActionStep(SessionAction::chooseFix, kOwnEdit)});
}

Status undo(const SessionModel& model, SessionAction)
{
    if (model.view.decision)
        return {};
    return Error{.code = ErrorCode::refused, .message = "There is no keep or revert to undo.", .hint = "See the session's status."}.leadTo(
        {StepId::showSession});
}

Status tryCandidate(const SessionModel& model, SessionAction action)
{
    KL_TRY(requireProfile(model, action));
    const bool parkedAlone = !model.trying() && !model.view.parked.empty() && !model.decided();
    if (parkedAlone && action == SessionAction::keep && model.editMoved())
        return refuseMoved(model);
    if (parkedAlone && (action == SessionAction::keep || action == SessionAction::revert))
        return action == SessionAction::revert ? Status{}
                                               : needs(model, Evidence::evaluation, "The steps set aside are not worth keeping yet.");
    if (model.view.editing && action == SessionAction::revert)
        return {};
    KL_TRY(candidateThere(model));
    if (action == SessionAction::revert)
        return {};
    if (model.editMoved())
        return refuseMoved(model);
    if (action == SessionAction::verifyMinimal)
        return {};
    if (action == SessionAction::verifySuite)
        return needs(model, Evidence::minimalCase, "The smallest size that failed comes before all sizes.", rule::kSmallestFirst);
    if (const Status ready = requireProven(model); !ready || action == SessionAction::evaluate || action == SessionAction::checkMemory)
        return ready;
    KL_TRY(memoryClean(model));
    if (action == SessionAction::park) {
        if (!model.view.cumulative)
            return refusal(model.plan.lookUpGate(Evidence::evaluation)->id, "The option cumulative is off.", "Switch it on.",
                           {{StepId::setOption, {{StepArgument::option, "cumulative"}, {StepArgument::value, "on"}}}});
        return canPark(model.view) ? Status{}
                                   : needs(model, Evidence::evaluation, "Only a step that is certainly faster can be set aside.");
    }
    return needs(model, Evidence::evaluation,
                 model.view.has(Evidence::evaluation) ? "The change is not worth keeping by its measurement."
                                                      : "The change has not been measured yet.");
}

Status bisect(const SessionModel& model, SessionAction)
{
    if (model.family && !model.family->origin.empty())
        return {};
    return Error{.code = ErrorCode::refused,
                 .message = fmt::format("{} is built into KernelLoop: it has no history here.", model.view.header.kernel),
                 .hint = "Only the history of your own kernels can be searched."}
        .leadTo({StepId::showSession});
}

Status repeat(const SessionModel& model, SessionAction)
{
    if (!model.view.iterationOpen)
        return refusal(model.plan.lookUpPhase(Evidence::failingCase)->id, "No iteration is open.", "Do it first.", {{StepId::stepSession}});
    return inOrder(model, {Evidence::failingCase, Evidence::analysis});
}

Status end(const SessionModel& model, SessionAction)
{
    if (model.view.editing)
        return refusal(rule::kOneVariable, fmt::format("An edit of {} is begun.", model.view.editing->file), "Take it, or give it up.",
                       {{StepId::stepSession}, makeActionStep(SessionAction::revert)});
    if (model.trying())
        return refusal(rule::kOneVariable, fmt::format("{} is neither kept nor reverted.", toText(*model.view.candidate)), "Decide first.",
                       {makeActionStep(SessionAction::keep), makeActionStep(SessionAction::revert)});
    if (model.undecided())
        return refusal(rule::kOneVariable, fmt::format("Neither kept nor dropped: {}.", formatParked(model.view.parked.size())),
                       "Decide first.", {makeActionStep(SessionAction::keep), makeActionStep(SessionAction::revert)});
    return {};
}

} // namespace kl::inline engine::guard
