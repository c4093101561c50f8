// SPDX-License-Identifier: MIT
#include "sessions/engine/session_actions.h"

#include "core/base/format.h"
#include "core/codec/run_codec.h"
#include "sessions/engine/guards.h"
#include "sessions/engine/requests.h"
#include "sessions/engine/rules.h"
#include "sessions/report/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

std::string wordOfGate(const GateView& gate)
{
    if (gate.progress == GateProgress::waived)
        return "waived";
    return gate.result == GateResult::pass ? "pass" : gate.result == GateResult::fail ? "fail" : "unknown";
}

Json orNull(std::optional<double> value)
{
    return value ? Json(*value) : Json(nullptr);
}

} // namespace

SessionEvent SessionActions::event(const char* type, const Json& data) const
{
    return {model_.facts.lastSeq + 1, isoNow(), type, encode(data)};
}

Result<SessionEvent> SessionActions::perform(const std::string& action, const std::string& argument)
{
    const SessionView& view = model_.view;
    if (action == "check-environment")
        return checkEnvironment();
    if (action == "profile")
        return profile();
    if (action == "choose-fix")
        return chooseFix(argument);
    if (action == "verify-suite")
        return measure(event::kCandidateVerified, *view.candidate, view.problem, true);
    if (action == "evaluate")
        return evaluate();
    if (action == "keep")
        return keep();
    if (action == "revert")
        return revert();
    if (action == "document")
        return document();
    if (action == "finish")
        return finish();
    if (!model_.family)
        return Error{ErrorCode::notFound,
                     fmt::format("The catalogue has no kernel \"{}\".", view.header.kernel),
                     "See kloop kernels.",
                     view.header.kernel,
                     {}};
    if (action == "verify-smallest")
        return measure(event::kSmallestVerified, view.start, model_.family->smallest, false);
    return measure(event::kBaselineMeasured, view.start, view.problem, false);
}

Result<SessionEvent> SessionActions::checkEnvironment()
{
    const Result<EnvReport> report = bench_.environment(job_);
    if (!report)
        return report.error();
    return event(event::kEnvironmentChecked, envToJson(*report));
}

Result<SessionEvent> SessionActions::measure(const char* type, const Address& address, const Params& problem, bool suite)
{
    const Result<RunRecord> run = bench_.run(address, problem, suite, job_);
    if (!run)
        return run.error();
    return event(type, {{"run", run->id.text}});
}

Result<SessionEvent> SessionActions::profile()
{
    const Result<RunRecord> run = bench_.profile(model_.view.start, model_.view.problem, kSessionTier, job_);
    if (!run)
        return run.error();
    return event(event::kProfiled, {{"run", run->id.text}, {"class", run->diagnosis ? run->diagnosis->finding.klass : ""}});
}

Result<SessionEvent> SessionActions::chooseFix(const std::string& argument)
{
    std::vector<Fix> fixes = model_.readyFixes();
    Fix chosen;
    if (argument.empty()) {
        if (fixes.empty())
            return Error{
                ErrorCode::notFound, "There is no ready fix left to choose.", "Document the session, or name a variant.", "choose-fix", {}};
        chosen = fixes.front();
    } else {
        for (const Finding* finding = &model_.view.profileRun->diagnosis->finding; const Fix& fix : finding->fixes)
            if (fix.id == argument || (!fix.variant.empty() && fix.variant == argument))
                chosen = fix;
        if (chosen.id.empty()) { // any variant of the family may be tried, as long as it is one variable away
            const Result<Address> address = parseAddress(argument);
            if (!address || address->variant.empty())
                return Error{ErrorCode::notFound,
                             fmt::format("\"{}\" is neither a fix of the finding nor a variant.", argument),
                             "See the fixes: kloop session show.",
                             argument,
                             {}};
            chosen.id = chosen.variant = toText(*address);
            chosen.title = fmt::format("Try {}", chosen.variant);
        }
        if (chosen.variant.empty())
            return Error{ErrorCode::badInput,
                         fmt::format("\"{}\" needs an edit of the source; no ready variant does it.", chosen.title),
                         "Choose a fix with a variant.",
                         argument,
                         {}};
    }
    const Result<Address> candidate = parseAddress(chosen.variant);
    if (!candidate)
        return candidate.error();
    if (const Status fine = candidateAllowed(model_, bench_.catalogue(), *candidate); !fine)
        return fine.error();
    Json data{{"fix", chosen.id}, {"title", chosen.title}, {"candidate", toText(*candidate)}};
    data["changes"] = changedVariables(*model_.family, model_.view.start, *candidate);
    return event(event::kFixChosen, data);
}

Result<SessionEvent> SessionActions::evaluate()
{
    const SessionView& view = model_.view;
    const Result<Comparison> comparison = bench_.ab(view.start, *view.candidate, view.problem, model_.plan.keepAt(), job_);
    if (!comparison)
        return comparison.error();
    return event(event::kEvaluated, {{"comparison", comparison->id.text}});
}

Result<SessionEvent> SessionActions::keep()
{
    const SessionView& view = model_.view;
    Json data{{"variant", toText(*view.candidate)}, {"ratio", nullptr}};
    if (view.evaluation && view.evaluation->ratio)
        data["ratio"] = view.evaluation->ratio->value;
    return event(event::kKept, data);
}

Result<SessionEvent> SessionActions::revert()
{
    const SessionView& view = model_.view;
    return event(event::kReverted, {{"variant", toText(view.start)}, {"candidate", toText(*view.candidate)}, {"reason", view.why}});
}

Result<SessionEvent> SessionActions::document()
{
    const SessionId& id = model_.view.header.id;
    for (const auto& [format, extension] : {std::pair{ReportFormat::html, "html"}, std::pair{ReportFormat::markdown, "md"}}) {
        const Result<std::string> text = renderReport(bench_.store(), bench_.catalogue(), id, format);
        if (!text)
            return text.error();
        if (const Status saved = bench_.store().saveArtifact(reportArtifact(id, extension), *text); !saved)
            return saved.error();
    }
    return event(event::kDocumented, {{"artifact", reportArtifact(id, "html")}, {"retrospective", retrospectiveOf(model_)}});
}

Result<SessionEvent> SessionActions::finish()
{
    const SessionView& view = model_.view;
    Json gates = Json::object();
    for (const GateView& gate : view.gates)
        gates[gate.id] = wordOfGate(gate);
    Json minutes = Json::object();
    for (const PhaseView& phase : view.phases)
        minutes[phase.id] = phase.elapsedMinutes;
    Json data{{"speedup", orNull(view.speedup)}, {"minutes", view.minutes}, {"outcome", outcomeOf(model_)}, {"start", toText(view.start)}};
    data["candidate"] = view.candidate ? Json(toText(*view.candidate)) : Json(nullptr);
    data["ratio"] = view.evaluation && view.evaluation->ratio ? Json(view.evaluation->ratio->value) : Json(nullptr);
    data["gates"] = std::move(gates);
    data["patterns"] = view.patternsApplied;
    data["measured_minutes"] = std::move(minutes);
    data["budget_minutes"] = view.budgetMinutes;
    data["refusals"] = view.refusals;
    return event(event::kFinished, data);
}

std::string outcomeOf(const SessionModel& model)
{
    if (model.facts.kept)
        return "kept";
    if (model.facts.candidate && model.facts.reverted)
        return "reverted";
    return model.view.profileRun && model.open("G3") && model.readyFixes().empty() ? "nothing to fix" : "abandoned";
}

std::string retrospectiveOf(const SessionModel& model)
{
    const SessionView& view = model.view;
    std::string text = fmt::format("Objective: {}.", view.header.objective.empty() ? "none given" : view.header.objective);
    if (view.baselineRun && view.baselineRun->speedup)
        text += fmt::format("\nStart: {} at {} of the baseline's speed.", toText(view.start), formatRatio(*view.baselineRun->speedup));
    if (view.profileRun && view.profileRun->diagnosis)
        text += fmt::format("\nSeen: {}", view.profileRun->diagnosis->finding.title);
    if (view.candidate)
        text += fmt::format("\nTried: {} ({}).", view.fixTitle, toText(*view.candidate));
    if (view.evaluation && view.evaluation->ratio)
        text += fmt::format("\nMeasured: old / new {} ({} to {}).", formatRatio(view.evaluation->ratio->value),
                            formatRatio(view.evaluation->ratio->low), formatRatio(view.evaluation->ratio->high));
    text += fmt::format("\nOutcome: {}.", outcomeOf(model));
    if (view.refusals > 0)
        text += fmt::format("\nActions that a rule refused: {}.", view.refusals);
    return text;
}

std::string reportArtifact(const SessionId& id, const char* extension)
{
    return fmt::format("session/{}/report.{}", id.text, extension);
}

} // namespace kl
