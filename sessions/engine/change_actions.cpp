// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "sessions/engine/guards.h"
#include "sessions/engine/own_edit.h"
#include "sessions/engine/recorded_plan.h"
#include "sessions/engine/session_actions.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/next_steps.h"
#include "sessions/session/rules.h"
#include "sessions/session/suggestions.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {

Result<SessionEvent> SessionActions::beginEdit(const std::string& fix, const std::string& goal)
{
    KL_ASSIGN(const Json data, OwnEdit(model_, bench_.store()).begin(fix, goal));
    return event(event::kEditBegun, data);
}

Result<SessionEvent> SessionActions::takeEdit(const std::string&)
{
    KL_ASSIGN(const Json data, OwnEdit(model_, bench_.store()).take());
    return event(event::kFixChosen, data);
}

Result<SessionEvent> SessionActions::undo(const std::string&)
{
    KL_ASSIGN(const Json data, OwnEdit(model_, bench_.store()).undo());
    return event(event::kUndone, data);
}

/// The winner of a search as the one change: what it changes belongs together, and only together was it measured.
Result<SessionEvent> SessionActions::chooseBySearch(const std::string& argument)
{
    double budget = 0;
    if (argument != kSearchFix) {
        const char* end = argument.data() + argument.size();
        const auto [rest, failure] = std::from_chars(argument.data() + std::string_view(kSearchFix).size() + 1, end, budget);
        if (failure != std::errc() || rest != end || !(budget > 0))
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("\"{}\" is not a budget of a search in seconds.", argument),
                         .hint = "For example search:60.",
                         .where = "choose-fix"};
    }
    const SessionView& view = model_.view;
    KL_ASSIGN(const FoundPoint found, subject_->search(view.current, view.problem, budget, job_));
    if (found.variant == view.current)
        return Error{.code = ErrorCode::refused,
                     .message = fmt::format("{} is the fastest of the {} points that were measured.", toText(view.current), found.measured),
                     .hint = "Choose another fix.",
                     .where = rule::kOneVariable};
    KL_TRY(candidateAllowed(model_, bench_.catalog(), found.variant, true));
    Json data{{"fix", kSearchFix},
              {"title", fmt::format("Search the tunables: the best of {} points", found.measured)},
              {"candidate", toText(found.variant)}};
    data["changes"] = listChangedVariables(*model_.family, view.current, found.variant);
    data["search"] = {{"id", found.record}, {"measured", found.measured}, {"seconds", found.seconds}};
    return event(event::kFixChosen, data);
}

Result<SessionEvent> SessionActions::chooseFix(const std::string& argument)
{
    if (argument == kOwnEdit)
        return beginEdit(argument, {});
    if (argument == kSearchFix || argument.starts_with(std::string(kSearchFix) + ':'))
        return chooseBySearch(argument);
    Fix chosen;
    if (argument.empty()) {
        KL_ASSIGN(chosen, bestFix(model_));
    } else {
        const std::vector<Fix> fixes = model_.debugs() ? model_.readyFixes() : model_.view.profileRun->diagnosis->finding.fixes;
        for (const Fix& fix : fixes)
            if (fix.id == argument || (!fix.variant.empty() && fix.variant == argument))
                chosen = fix;
        if (chosen.id.empty()) { // any variant of the family that differs in one variable may be tried
            const Result<Address> address = parseAddress(argument);
            if (!address || address->variant.empty())
                return Error{.code = ErrorCode::notFound,
                             .message = fmt::format("\"{}\" is neither a fix of the finding nor a variant.", argument),
                             .hint = "See the fixes of the session.",
                             .where = argument}
                    .leadTo({StepId::showSession});
            chosen.id = chosen.variant = toText(*address);
            chosen.title = fmt::format("Try {}", chosen.variant);
        }
        if (chosen.variant.empty() && model_.editable())
            return beginEdit(chosen.id, chosen.title);
        if (chosen.variant.empty())
            return needsEdit(chosen);
    }
    KL_ASSIGN(const Address candidate, parseAddress(chosen.variant));
    KL_TRY(candidateAllowed(model_, bench_.catalog(), candidate));
    // Said before the session is led into a change that it cannot try.
    if (const std::string missing =
            RecordedPlan(bench_).explainMissingChange(model_.plan, model_.view.current, candidate, model_.view.problem);
        !missing.empty())
        return Error{.code = ErrorCode::notRecorded,
                     .message = missing,
                     .hint = "Choose another fix, or measure on a GPU.",
                     .where = toText(candidate)};
    Json data{{"fix", chosen.id}, {"title", chosen.title}, {"candidate", toText(candidate)}};
    data["changes"] = listChangedVariables(*model_.family, model_.view.current, candidate);
    return event(event::kFixChosen, data);
}

Result<SessionEvent> SessionActions::evaluate(const std::string&)
{
    const SessionView& view = model_.view;
    const auto measured = [&]() -> Result<Comparison> {
        if (!view.sourceChange)
            return subject_->compare(view.current, *view.candidate, view.problem, model_.plan.keepAt(), job_);
        KL_ASSIGN(const KernelFiles before, OwnEdit(model_, bench_.store()).before());
        return subject_->compareEdit(before, view.current, view.problem, model_.plan.keepAt(), job_);
    };
    KL_ASSIGN(const Comparison comparison, measured());
    return event(event::kEvaluated, {{"comparison", comparison.id.text}});
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
    const std::string learned = text.empty() ? proposeWords(model_, SessionAction::repeat) : text;
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
        data["ratio"] = computeProduct(view.parked, last).value;
    if (!argument.empty() && argument != kKeepWithGit && argument != kKeepWithoutGit)
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("\"{}\" is not a way to keep a change.", argument),
                     .hint = "Use git, no-git, or leave it out to follow the session's option git.",
                     .where = argument};
    const bool edited = wholeEdit(view.parked, view.sourceChange).has_value();
    if (argument == kKeepWithGit || (argument.empty() && edited && view.git.value_or(false))) {
        KL_ASSIGN(const Json made, OwnEdit(model_, bench_.store()).commit());
        data.update(made);
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
        KL_ASSIGN(const Json restored, OwnEdit(model_, bench_.store()).restore());
        data.update(restored);
    }
    return event(event::kReverted, data);
}

} // namespace kl::inline engine
