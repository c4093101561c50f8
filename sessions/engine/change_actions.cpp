// SPDX-License-Identifier: MIT
#include "sessions/engine/guards.h"
#include "sessions/engine/own_edit.h"
#include "sessions/engine/session_actions.h"
#include "sessions/session/next_steps.h"
#include "sessions/session/rules.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

Result<SessionEvent> SessionActions::beginEdit(const std::string& fix, const std::string& goal)
{
    const Result<Json> data = OwnEdit(model_, bench_.store()).begin(fix, goal);
    if (!data)
        return data.error();
    return event(event::kEditBegun, *data);
}

Result<SessionEvent> SessionActions::takeEdit(const std::string&)
{
    const Result<Json> data = OwnEdit(model_, bench_.store()).take();
    if (!data)
        return data.error();
    return event(event::kFixChosen, *data);
}

Result<SessionEvent> SessionActions::undo(const std::string&)
{
    const Result<Json> data = OwnEdit(model_, bench_.store()).undo();
    if (!data)
        return data.error();
    return event(event::kUndone, *data);
}

Result<SessionEvent> SessionActions::chooseFix(const std::string& argument)
{
    if (argument == kOwnEdit)
        return beginEdit(argument, {});
    std::vector<Fix> fixes = model_.readyFixes();
    Fix chosen;
    if (argument.empty()) {
        if (fixes.empty())
            return Error{
                ErrorCode::notFound, "There is no ready fix left to choose.", "Document the session, or name a variant.", "choose-fix", {}};
        chosen = fixes.front();
    } else {
        if (!model_.debugs())
            fixes = model_.view.profileRun->diagnosis->finding.fixes;
        for (const Fix& fix : fixes)
            if (fix.id == argument || (!fix.variant.empty() && fix.variant == argument))
                chosen = fix;
        if (chosen.id.empty()) { // any variant of the family that differs in one variable may be tried
            const Result<Address> address = parseAddress(argument);
            if (!address || address->variant.empty())
                return Error{ErrorCode::notFound,
                             fmt::format("\"{}\" is neither a fix of the finding nor a variant.", argument),
                             "See the fixes of the session.",
                             argument,
                             {}}
                    .leadingTo({StepId::showSession});
            chosen.id = chosen.variant = toText(*address);
            chosen.title = fmt::format("Try {}", chosen.variant);
        }
        if (chosen.variant.empty() && model_.editable())
            return beginEdit(chosen.id, chosen.title);
        if (chosen.variant.empty())
            return Error{ErrorCode::badInput,
                         fmt::format("\"{}\" needs a source edit; no existing variant makes that change.", chosen.title),
                         "Choose a fix that has a variant.",
                         argument,
                         {}};
    }
    const Result<Address> candidate = parseAddress(chosen.variant);
    if (!candidate)
        return candidate.error();
    if (const Status fine = candidateAllowed(model_, bench_.catalog(), *candidate); !fine)
        return fine.error();
    Json data{{"fix", chosen.id}, {"title", chosen.title}, {"candidate", toText(*candidate)}};
    data["changes"] = changedVariables(*model_.family, model_.view.current, *candidate);
    return event(event::kFixChosen, data);
}

Result<SessionEvent> SessionActions::evaluate(const std::string&)
{
    const SessionView& view = model_.view;
    const auto measured = [&]() -> Result<Comparison> {
        if (!view.sourceChange)
            return bench_.ab(view.current, *view.candidate, view.problem, model_.plan.keepAt(), job_);
        const Result<Catalog> before = OwnEdit(model_, bench_.store()).before(bench_.catalog());
        if (!before)
            return before.error();
        return bench_.abOfEdit(*before, view.current, view.problem, model_.plan.keepAt(), job_);
    };
    const Result<Comparison> comparison = measured();
    if (!comparison)
        return comparison.error();
    return event(event::kEvaluated, {{"comparison", comparison->id.text}});
}

Result<SessionEvent> SessionActions::park(const std::string&)
{
    const SessionView& view = model_.view;
    const Ratio& ratio = *view.evaluation->ratio;
    return event(event::kParked, {{"from", toText(view.current)},
                                  {"to", toText(*view.candidate)},
                                  {"fix", view.fix},
                                  {"title", view.fixTitle},
                                  {"comparison", view.evaluation->id.text},
                                  {"ratio", ratio.value},
                                  {"low", ratio.low},
                                  {"high", ratio.high}});
}

Result<SessionEvent> SessionActions::repeat(const std::string& text)
{
    const SessionView& view = model_.view;
    const std::string learned = text.empty() ? proposedWords(model_, SessionAction::repeat) : text;
    const Json candidate = view.candidate ? Json(toText(*view.candidate)) : Json(nullptr);
    return event(event::kIterationClosed, {{"learned", learned}, {"result", view.iterations.back().result}, {"candidate", candidate}});
}

Result<SessionEvent> SessionActions::keep(const std::string& argument)
{
    const SessionView& view = model_.view;
    const Address& variant = model_.trying() ? *view.candidate : view.current;
    Json data{{"variant", toText(variant)}, {"ratio", nullptr}, {"steps", Json::array()}};
    for (const ParkedStep& step : view.parked)
        data["steps"].push_back(toText(step.to));
    if (model_.trying())
        data["steps"].push_back(toText(variant));
    const std::optional<Ratio> last = view.evaluation ? view.evaluation->ratio : std::nullopt;
    if (last || !view.parked.empty())
        data["ratio"] = productOf(view.parked, last).value;
    if (!argument.empty() && argument != kKeepWithGit && argument != kKeepWithoutGit)
        return Error{ErrorCode::usage,
                     fmt::format("\"{}\" is not a way to keep a change.", argument),
                     "Use git, no-git, or leave it out to follow the session's option git.",
                     argument,
                     {}};
    const bool edited = wholeEdit(view.parked, view.sourceChange).has_value();
    if (argument == kKeepWithGit || (argument.empty() && edited && view.git.value_or(false))) {
        const Result<Json> made = OwnEdit(model_, bench_.store()).commit();
        if (!made)
            return made.error();
        data.update(*made);
    }
    return event(event::kKept, data);
}

Result<SessionEvent> SessionActions::revert(const std::string&)
{
    const SessionView& view = model_.view;
    const bool own = model_.view.editing || (model_.trying() && view.sourceChange);
    const bool drops = !own && !model_.trying(); // the parked steps
    const bool files = own || (drops && wholeEdit(view.parked, {}));
    const Json candidate(toText(drops || own ? view.current : *view.candidate));
    Json data{{"variant", toText(drops ? view.start : view.current)}, {"candidate", candidate}, {"reason", view.why}};
    if (files) {
        const Result<Json> restored = OwnEdit(model_, bench_.store()).restore();
        if (!restored)
            return restored.error();
        data.update(*restored);
    }
    return event(event::kReverted, data);
}

} // namespace kl
