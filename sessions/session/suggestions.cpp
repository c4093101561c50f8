// SPDX-License-Identifier: MIT
#include "sessions/session/suggestions.h"

#include "sessions/session/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session {

void Suggestions::add(SessionAction action, const std::string& title, const std::string& argument, const std::string& locked)
{
    NextAction next{action, argument, title, makeActionStep(action, argument), locked.empty(), locked};
    if (model_.view.next.empty())
        next.step = {StepId::stepSession};
    finish(std::move(next));
}

void Suggestions::addText(SessionAction action, const std::string& title, const std::string& question)
{
    NextAction next{action, {}, title, makeActionStep(action)};
    next.step.inputs.push_back({StepArgument::text, question});
    finish(std::move(next));
}

void Suggestions::addWaiver(const GateView& gate)
{
    NextAction next{SessionAction::waive, gate.id, fmt::format("Waive {} and record the reason", gate.id), {StepId::waiveGate}};
    next.step.set(StepArgument::gate, gate.id);
    next.step.inputs.push_back({StepArgument::reason, fmt::format("Why is {} waived?", gate.id)});
    finish(std::move(next));
}

void Suggestions::finish(NextAction next)
{
    std::vector<NextStep> step{std::move(next.step)};
    nameSession(step, model_.view.header, location_);
    next.step = std::move(step.front());
    model_.view.next.push_back(std::move(next));
}

void nameSession(std::vector<NextStep>& steps, const SessionHeader& header, const std::string& location)
{
    for (NextStep& step : steps) {
        const std::vector<StepArgument>& known = findKind(step.id).arguments;
        if (std::ranges::find(known, StepArgument::session) == known.end() || !step.at(StepArgument::session).empty())
            continue;
        step.set(StepArgument::session, header.id.text);
        if (header.source == Source::sample)
            step.set(StepArgument::source, "sample");
        if (location != Store::defaultLocation())
            step.set(StepArgument::database, location);
    }
}

NextStep openNext(const SessionHeader& header)
{
    NextStep step = sessionOn(header.kernel);
    if (header.source == Source::sample)
        step.set(StepArgument::source, "sample");
    return step;
}

Error needsEdit(const Fix& fix)
{
    return {.code = ErrorCode::badInput,
            .message = "No variant makes this change: it needs a source edit.",
            .hint = "Choose a fix that has a variant.",
            .where = fix.id};
}

Error makeFinishedError(const SessionHeader& header)
{
    return refusal("", fmt::format("Session {} is finished.", header.name), "Open the next one.", {openNext(header)});
}

} // namespace kl::inline session
