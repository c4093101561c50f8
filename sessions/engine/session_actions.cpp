// SPDX-License-Identifier: MIT
#include "sessions/engine/session_actions.h"

#include "core/base/format.h"
#include "core/codec/model_fields.h"
#include "core/codec/or_null.h"
#include "core/codec/run_codec.h"
#include "sessions/engine/find_failing.h"
#include "sessions/engine/guards.h"
#include "sessions/engine/keep.h"
#include "sessions/engine/next_steps.h"
#include "sessions/engine/requests.h"
#include "sessions/engine/rules.h"
#include "sessions/engine/session_outcome.h"
#include "sessions/report/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// Lines of a compiler's log that warn.
int warningsIn(const std::string& log)
{
    int count = 0;
    for (std::size_t at = log.find("warning"); at != std::string::npos; at = log.find("warning", log.find('\n', at)))
        ++count;
    return count;
}

std::string wordOfGate(const GateView& gate)
{
    if (gate.progress == GateProgress::waived)
        return "waived";
    if (gate.progress == GateProgress::stale)
        return "stale";
    return gate.result == GateResult::pass ? "pass" : gate.result == GateResult::fail ? "fail" : "unknown";
}

} // namespace

SessionEvent SessionActions::event(const char* type, const Json& data) const
{
    return {model_.facts.lastSeq + 1, isoNow(), type, encode(data)};
}

Result<SessionEvent> SessionActions::perform(const std::string& action, const std::string& argument)
{
    if (action == "choose-fix")
        return chooseFix(argument);
    if (action == "take-edit")
        return takeEdit();
    if (action == "undo")
        return undo();
    if (action == "park")
        return park();
    if (action == "sanitize")
        return sanitize(argument);
    if (action == "repeat")
        return repeat(argument);
    if (action == "keep")
        return keep(argument);
    if (action == "revert")
        return revert();
    if (action == "document")
        return document();
    if (action == "finish")
        return finish();
    if (!model_.family)
        return Error{ErrorCode::notFound,
                     fmt::format("The catalog has no kernel \"{}\".", model_.view.header.kernel),
                     "See kloop kernels.",
                     model_.view.header.kernel,
                     {}};
    return gather(*evidenceOfAction(action), argument);
}

Result<SessionEvent> SessionActions::gather(Evidence kind, const std::string& argument)
{
    const SessionView& view = model_.view;
    switch (kind) {
    case Evidence::environment: return checkEnvironment();
    case Evidence::build: return validateBuild();
    case Evidence::smallest: return measure(event::kSmallestVerified, view.start, model_.family->smallest, false);
    case Evidence::startSuite: return measure(event::kStartVerified, view.start, view.problem, true);
    case Evidence::baseline: return measure(event::kBaselineMeasured, view.start, view.problem, false);
    case Evidence::profile: return profile();
    case Evidence::hypothesis:
    case Evidence::instrument:
    case Evidence::analysis: return write(rowOf(kind).event, rowOf(kind).action, argument);
    case Evidence::failingCase: return findFailing();
    case Evidence::minimalCase:
        return measure(event::kMinimalVerified, *view.candidate, view.failingProblem.value_or(model_.family->smallest), false);
    case Evidence::candidate: return measure(event::kCandidateVerified, *view.candidate, view.problem, true);
    case Evidence::memory: return checkMemory();
    case Evidence::evaluation: break;
    }
    return evaluate();
}

Result<SessionEvent> SessionActions::checkEnvironment()
{
    const Result<EnvReport> report = bench_.environment(job_);
    if (!report)
        return report.error();
    return event(event::kEnvironmentChecked, envToJson(*report));
}

Result<SessionEvent> SessionActions::validateBuild()
{
    const SessionView& view = model_.view;
    Result<WorkSpec> work = bench_.catalog().work(view.start, model_.family->smallest, chipOf(bench_.collector()));
    if (!work)
        return work.error();
    const Result<CompileAnswer> answer = compile(bench_.collector(), {std::move(*work)}, job_);
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

Result<SessionEvent> SessionActions::findFailing()
{
    const Result<FailingCase> found = findFailingCase(bench_, model_.view.start, *model_.family, job_);
    if (!found)
        return found.error();
    const Json problem = found->problem ? Json(toText(*found->problem)) : Json(nullptr);
    return event(event::kFailingCaseFound, {{"run", found->run.id.text}, {"problem", problem}, {"seen", found->seen}});
}

Result<SessionEvent> SessionActions::write(const char* type, const std::string& action, const std::string& text)
{
    const std::string proposed = proposedWords(model_, action);
    const std::string words = text.empty() ? proposed : text;
    if (words.find_first_not_of(" \t\n") == std::string::npos)
        return Error{ErrorCode::usage, fmt::format("\"{}\" needs a text.", action), "Describe in one sentence what to record.", action, {}};
    return event(type, {{"text", words}, {"proposed", words == proposed}});
}

Result<SessionEvent> SessionActions::measure(const char* type, const Address& address, const Params& problem, bool suite)
{
    // A suite asks whether the code is correct, on inputs that it was not tuned for; a recording has one kind of inputs.
    const bool fresh = suite && bench_.collector().source() == Source::live;
    const Result<RunRecord> run = bench_.run(address, problem, suite, job_, fresh ? std::optional(freshSeed()) : std::nullopt);
    if (!run)
        return run.error();
    return event(type, {{"run", run->id.text}});
}

Result<SessionEvent> SessionActions::profile()
{
    const Result<RunRecord> run = bench_.profile(model_.view.current, model_.view.problem, kSessionTier, job_);
    if (!run)
        return run.error();
    return event(event::kProfiled, {{"run", run->id.text}, {"class", run->diagnosis ? run->diagnosis->finding.classId : ""}});
}

Result<SessionEvent> SessionActions::document()
{
    const SessionId& id = model_.view.header.id;
    for (const auto& [format, extension] : {std::pair{ReportFormat::html, "html"}, std::pair{ReportFormat::markdown, "md"}}) {
        const Result<std::string> text = renderReport(bench_.store(), bench_.catalog(), id, format);
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
    data["ratio"] = view.evaluation && view.evaluation->ratio ? Json(productOf(view.parked, view.evaluation->ratio).value) : Json(nullptr);
    data["gates"] = std::move(gates);
    data["patterns"] = view.patternsApplied;
    data["measured_minutes"] = std::move(minutes);
    data["budget_minutes"] = view.budgetMinutes;
    data["refusals"] = view.refusals;
    return event(event::kFinished, data);
}

std::string reportArtifact(const SessionId& id, const char* extension)
{
    return fmt::format("session/{}/report.{}", id.text, extension);
}

} // namespace kl
