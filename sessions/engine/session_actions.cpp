// SPDX-License-Identifier: MIT
#include "sessions/engine/session_actions.h"
#include "core/base/try.h"
#include "sessions/engine/session_reporter.h"

#include "core/base/format.h"
#include "core/codec/model_fields.h"
#include "core/codec/or_null.h"
#include "core/codec/run_codec.h"
#include "sessions/engine/action_guards.h"
#include "sessions/engine/action_table.h"
#include "sessions/engine/own_edit.h"
#include "sessions/measure/keep.h"
#include "sessions/session/gate.h"
#include "sessions/session/next_steps.h"
#include "sessions/session/rules.h"
#include "sessions/session/session_outcome.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

/// Lines of a compiler's log that warn.
int warningsIn(const std::string& log)
{
    int count = 0;
    for (std::size_t at = log.find("warning"); at != std::string::npos; at = log.find("warning", log.find('\n', at)))
        ++count;
    return count;
}

} // namespace

SessionEvent SessionActions::event(const char* type, const Json& data) const
{
    return {model_.view.lastSeq + 1, isoNow(), type, encode(data)};
}

Result<SessionEvent> SessionActions::perform(SessionAction action, const std::string& argument)
{
    if (findActionEvidence(action) && !model_.family)
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("The catalog has no kernel \"{}\".", model_.view.header.kernel),
                     .hint = "See which kernels there are.",
                     .where = model_.view.header.kernel}
            .leadTo({StepId::listKernels});
    if (model_.view.sourceChange && lookUpRow(action).guard == guard::tryCandidate && action != SessionAction::revert)
        KL_TRY(OwnEdit(model_, bench_.store()).sameRules());
    return (this->*lookUpRow(action).handler)(argument);
}

Result<SessionEvent> SessionActions::checkEnvironment(const std::string&)
{
    KL_ASSIGN(const EnvReport report, subject_->environment(job_));
    return event(event::kEnvironmentChecked, envToJson(report));
}

Result<SessionEvent> SessionActions::validateBuild(const std::string&)
{
    const SessionView& view = model_.view;
    const Result<SubjectBuild> answer = subject_->build(view.start, model_.family->smallest, job_);
    if (!answer && answer.error().code != ErrorCode::notRecorded)
        return answer.error();
    if (!answer)
        return event(event::kBuildValidated, {{"unavailable", answer.error().message}});
    Json data{{"status", toWord(answer->status)}, {"reason", answer->reason}, {"arch", answer->arch}, {"seconds", answer->seconds}};
    data["warnings"] = warningsIn(answer->log);
    data["log"] = "";
    if (!answer->log.empty()) {
        const std::string name = fmt::format("session/{}/build.log", view.header.id.text);
        static_cast<void>(kl::keep(bench_.store(), Unstored{.artifacts = {{name, answer->log}}}, job_));
        data["log"] = name;
    }
    return event(event::kBuildValidated, data);
}

Result<SessionEvent> SessionActions::findFailing(const std::string&)
{
    KL_ASSIGN(const FailingCase found, subject_->findFailing(model_.view.start, job_));
    const Json problem = found.problem ? Json(toText(*found.problem)) : Json(nullptr);
    return event(event::kFailingCaseFound, {{"run", found.run.id.text}, {"problem", problem}, {"seen", found.seen}});
}

Result<SessionEvent> SessionActions::hypothesis(const std::string& words)
{
    return write(Evidence::hypothesis, words);
}

Result<SessionEvent> SessionActions::instrument(const std::string& words)
{
    return write(Evidence::instrument, words);
}

Result<SessionEvent> SessionActions::analyze(const std::string& words)
{
    return write(Evidence::analysis, words);
}

Result<SessionEvent> SessionActions::write(Evidence kind, const std::string& text)
{
    const EvidenceKind& row = lookUpRow(kind);
    const std::string proposed = proposeWords(model_, row.action);
    const std::string words = text.empty() ? proposed : text;
    if (words.find_first_not_of(" \t\n") == std::string::npos)
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("\"{}\" needs a text.", toString(row.action)),
                     .hint = "Describe in one sentence what to record.",
                     .where = toString(row.action)};
    return event(row.event, {{"text", words}, {"proposed", words == proposed}});
}

Result<SessionEvent> SessionActions::verifySmallest(const std::string&)
{
    return measure(event::kSmallestVerified, model_.view.start, model_.family->smallest, false);
}

Result<SessionEvent> SessionActions::verifyStart(const std::string&)
{
    return measure(event::kStartVerified, model_.view.start, model_.view.problem, true);
}

Result<SessionEvent> SessionActions::measureBaseline(const std::string&)
{
    return measure(event::kBaselineMeasured, model_.view.start, model_.view.problem, false);
}

Result<SessionEvent> SessionActions::verifyMinimal(const std::string&)
{
    const SessionView& view = model_.view;
    return verify(event::kMinimalVerified, view.failingProblem.value_or(model_.family->smallest), false);
}

Result<SessionEvent> SessionActions::verifySuite(const std::string&)
{
    return verify(event::kCandidateVerified, model_.view.problem, true);
}

Result<SessionEvent> SessionActions::verify(const char* type, const Params& problem, bool suite)
{
    std::optional<double> seconds;
    const bool first = !model_.view.has(Evidence::minimalCase) && !model_.view.has(Evidence::candidate);
    if (first) {
        KL_ASSIGN(seconds, rebuild());
    }
    KL_ASSIGN(const RunRecord run, subject_->run(*model_.view.candidate, problem, suite, job_));
    return event(type, {{"run", run.id.text}, {"build_seconds", orNull(seconds)}});
}

Result<std::optional<double>> SessionActions::rebuild()
{
    const Result<SubjectBuild> answer = subject_->build(*model_.view.candidate, model_.view.problem, job_);
    if (!answer && answer.error().code == ErrorCode::interrupted)
        return answer.error();
    if (!answer || answer->status != ResultStatus::ok)
        return std::optional<double>();
    if (!answer->log.empty()) {
        const std::string name = fmt::format("session/{}/rebuild-{}.log", model_.view.header.id.text, model_.view.lastSeq + 1);
        static_cast<void>(kl::keep(bench_.store(), Unstored{.artifacts = {{name, answer->log}}}, job_));
    }
    return std::optional(answer->seconds);
}

Result<SessionEvent> SessionActions::measure(const char* type, const Address& address, const Params& problem, bool suite)
{
    KL_ASSIGN(const RunRecord run, subject_->run(address, problem, suite, job_));
    return event(type, {{"run", run.id.text}});
}

Result<SessionEvent> SessionActions::profile(const std::string& report)
{
    KL_ASSIGN(const RunRecord run, subject_->profile(model_.view.current, model_.view.problem, report, job_));
    return event(event::kProfiled, {{"run", run.id.text}, {"class", run.diagnosis ? run.diagnosis->finding.classId : ""}});
}

Result<SessionEvent> SessionActions::document(const std::string&)
{
    KL_ASSIGN(const std::string report, reporter_.document(model_.view.header.id));
    return event(event::kDocumented, {{"artifact", report}, {"retrospective", composeRetrospective(model_)}});
}

Result<SessionEvent> SessionActions::finish(const std::string&)
{
    const SessionView& view = model_.view;
    Json gates = Json::object();
    for (const GateView& gate : view.gates)
        gates[gate.id] = outcomeWord(gate);
    Json minutes = Json::object();
    for (const PhaseView& phase : view.phases)
        minutes[phase.id] = phase.elapsedMinutes;
    Json data{
        {"speedup", orNull(view.speedup)}, {"minutes", view.minutes}, {"outcome", nameOutcome(model_)}, {"start", toText(view.start)}};
    data["candidate"] = view.candidate ? Json(toText(*view.candidate)) : Json(nullptr);
    data["ratio"] =
        view.evaluation && view.evaluation->ratio ? Json(computeProduct(view.parked, view.evaluation->ratio).value) : Json(nullptr);
    data["gates"] = std::move(gates);
    data["patterns"] = view.patternsApplied;
    data["measured_minutes"] = std::move(minutes);
    data["budget_minutes"] = view.budgetMinutes;
    data["refusals"] = view.refusals;
    return event(event::kFinished, data);
}

} // namespace kl::inline engine
