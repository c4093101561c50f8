// SPDX-License-Identifier: MIT
#include "sessions/session/session_json.h"

#include "core/base/error.h"
#include "core/codec/model_fields.h"
#include "core/codec/step_codec.h"
#include "sessions/session/session_document.h"
#include "sessions/session/template_library.h"

namespace kl::inline session {
namespace {

const char* word(GateResult result)
{
    return result == GateResult::pass ? "pass" : result == GateResult::fail ? "fail" : "unknown";
}

const char* word(GateProgress progress)
{
    switch (progress) {
    case GateProgress::notStarted: return "not-started";
    case GateProgress::running: return "running";
    case GateProgress::done: return "done";
    case GateProgress::waived: return "waived";
    case GateProgress::stale: break;
    }
    return "stale";
}

const char* word(PhaseState state)
{
    switch (state) {
    case PhaseState::upcoming: return "upcoming";
    case PhaseState::current: return "current";
    case PhaseState::done: return "done";
    case PhaseState::skipped: break;
    }
    return "skipped";
}

Json checkToJson(const CheckRow& row)
{
    return {{"id", row.id},
            {"requirement", toWord(row.requirement)},
            {"result", word(row.result)},
            {"title", row.title},
            {"found", row.found},
            {"threshold", row.threshold},
            {"why", row.why},
            {"fix", row.fix},
            {"next_steps", stepsToJson(row.next)},
            {"evidence", row.evidence},
            {"blocks", row.blocks}};
}

Json phasesToJson(const std::vector<PhaseView>& phases)
{
    Json list = Json::array();
    for (const PhaseView& phase : phases)
        list.push_back({{"id", phase.id},
                        {"title", phase.title},
                        {"purpose", phase.purpose},
                        {"state", word(phase.state)},
                        {"budget_minutes", phase.budgetMinutes},
                        {"elapsed_minutes", phase.elapsedMinutes},
                        {"gates", phase.gates},
                        {"patterns", phase.patterns}});
    return list;
}

Json claimsToJson(const std::vector<ClaimView>& claims)
{
    Json list = Json::array();
    for (const ClaimView& row : claims)
        list.push_back({{"source", row.claim.source},
                        {"figure", row.claim.figure},
                        {"about", row.claim.about},
                        {"measured", row.measured},
                        {"reached", toJson(row.reached)},
                        {"verdict", row.verdict},
                        {"evidence", row.evidence}});
    return list;
}

Json iterationsToJson(const std::vector<DebugIteration>& iterations)
{
    Json list = Json::array();
    for (const DebugIteration& row : iterations)
        list.push_back({{"number", row.number},
                        {"believed", row.believed},
                        {"instrument", row.instrument},
                        {"seen", row.seen},
                        {"sanitizer", row.sanitizer},
                        {"analysis", row.analysis},
                        {"fix", row.fix},
                        {"result", row.result},
                        {"learned", row.learned},
                        {"evidence", row.evidence}});
    return list;
}

Json parkedToJson(const SessionView& view)
{
    Json list = Json::array();
    for (const ParkedStep& step : view.parked)
        list.push_back({{"from", toText(step.from)},
                        {"to", toText(step.to)},
                        {"title", step.title},
                        {"comparison", step.comparison.text},
                        {"ratio", toJson(step.ratio)}});
    return list;
}

Json checklistToJson(const std::vector<ChecklistItem>& items)
{
    Json list = Json::array();
    for (const ChecklistItem& item : items)
        list.push_back({{"id", item.id},
                        {"group", item.group},
                        {"title", item.title},
                        {"state", toString(item.state)},
                        {"found", item.found},
                        {"evidence", item.evidence},
                        {"note", item.note},
                        {"by_note", item.byNote},
                        {"next_steps", stepsToJson(item.next ? std::vector{*item.next} : std::vector<NextStep>{})}});
    return list;
}

/// The current gate; at the end, the last one that was evaluated.
const GateView* chooseShownGate(const SessionView& view)
{
    const GateView* last = view.gates.empty() ? nullptr : &view.gates.front();
    for (const GateView& gate : view.gates) {
        if (gate.id == view.gate)
            return &gate;
        if (view.gate.empty() &&
            (gate.progress == GateProgress::done || gate.progress == GateProgress::waived || gate.progress == GateProgress::running))
            last = &gate;
    }
    return last;
}

} // namespace

Json documentToJson(const SessionView& view)
{
    Json list = Json::array();
    for (const DocumentAnswer& row : composeDocument(view))
        list.push_back({{"id", row.question->id},
                        {"title", row.question->title},
                        {"question", row.question->text},
                        {"text", row.text},
                        {"drafted", row.drafted}});
    return list;
}

Json gateToJson(const GateView& gate)
{
    Json checks = Json::array();
    for (const CheckRow& row : gate.checks)
        checks.push_back(checkToJson(row));
    return {{"id", gate.id},
            {"result", word(gate.result)},
            {"requirement", toWord(gate.requirement)},
            {"progress", word(gate.progress)},
            {"checks", std::move(checks)},
            {"title", gate.title},
            {"rule", gate.rule},
            {"verdict", gate.verdict},
            {"waived_reason", gate.waivedReason},
            {"stale_reason", gate.staleReason},
            {"can_be_waived", gate.canBeWaived},
            {"blocks", gate.blocks},
            {"level", gate.level.empty() ? Json(nullptr) : Json(gate.level)}};
}

Json nextToJson(const std::vector<NextAction>& next)
{
    Json list = Json::array();
    for (const NextAction& item : next) {
        Json row = stepsToJson({item.step}).front();
        row["action"] = toString(item.action);
        row["argument"] = item.argument;
        row["title"] = item.title;
        row["enabled"] = item.enabled;
        row["reason"] = item.reason;
        list.push_back(std::move(row));
    }
    return list;
}

Json offersToJson(const std::vector<ActionOffer>& offers)
{
    Json list = Json::array();
    for (const ActionOffer& offer : offers)
        list.push_back({{"action", toString(offer.action)},
                        {"argument", offer.argument},
                        {"offered", offer.offered},
                        {"enabled", offer.enabled},
                        {"reason", offer.reason},
                        {"hint", offer.hint},
                        {"next_steps", stepsToJson(offer.next)}});
    return list;
}

Json sessionToJson(const SessionView& view)
{
    Json json{{"schema", "kernelloop.session/1"}, {"session", view.header.id.text}, {"kind", view.header.kind}, {"phase", view.phase}};
    const GateView* gate = chooseShownGate(view);
    json["gate"] = gate ? gateToJson(*gate) : Json(nullptr);
    json["blocked"] = view.blocked;
    json["rule"] = toJson(view.rule);
    json["why"] = view.why;
    json["next"] = nextToJson(view.next);
    json["actions"] = offersToJson(view.offers);
    json["name"] = view.header.name;
    json["objective"] = view.header.objective;
    json["kernel"] = view.header.kernel;
    json["source"] = toWord(view.header.source);
    json["created_at"] = view.header.createdAt;
    json["problem"] = toText(view.problem);
    json["start"] = toText(view.start);
    json["current"] = toText(view.current);
    json["fix"] = view.fix;
    json["candidate"] = view.candidate ? Json(toText(*view.candidate)) : Json(nullptr);
    json["outcome"] = view.outcome;
    json["speedup"] = toJson(view.speedup);
    json["gain"] = toJson(computeGain(view));
    json["ratio"] = view.evaluation ? toJson(view.evaluation->ratio) : Json(nullptr);
    json["minutes"] = view.minutes;
    json["budget_minutes"] = view.budgetMinutes;
    json["phases"] = phasesToJson(view.phases);
    json["gates"] = Json::array();
    for (const GateView& item : view.gates)
        json["gates"].push_back(gateToJson(item));
    json["answers"] = toJson(view.answers);
    json["claims"] = claimsToJson(view.claims);
    json["options"] = {{"cumulative", view.cumulative}, {"git", toJson(view.git)}};
    json["parked"] = parkedToJson(view);
    json["parked_ratio"] = toJson(view.parkedRatio);
    json["iterations"] = iterationsToJson(view.iterations);
    json["failing_problem"] = view.failingProblem ? Json(toText(*view.failingProblem)) : Json(nullptr);
    json["source_change"] = nullptr;
    if (const std::optional<SourceChange>& change = view.sourceChange)
        json["source_change"] = {{"file", change->file}, {"summary", change->summary}, {"diff", change->diff}, {"git", change->git}};
    json["editing"] = view.editing ? Json(view.editing->file) : Json(nullptr);
    json["commit"] = view.commit.empty() ? Json(nullptr) : Json(view.commit);
    json["runs"] = Json::object();
    for (const auto& [name, run] :
         {std::pair{"smallest", &view.smallestRun}, std::pair{"start_suite", &view.startRun}, std::pair{"baseline", &view.baselineRun},
          std::pair{"profile", &view.profileRun}, std::pair{"failing", &view.failingRun}, std::pair{"minimal", &view.minimalRun},
          std::pair{"candidate", &view.candidateRun}})
        json["runs"][name] = *run ? Json((*run)->id.text) : Json(nullptr);
    json["comparison"] = view.evaluation ? Json(view.evaluation->id.text) : Json(nullptr);
    json["patterns_applied"] = view.patternsApplied;
    json["notes"] = view.notes;
    json["refusals"] = view.refusals;
    json["stalls"] = view.stalls;
    json["retrospective"] = view.retrospective;
    json["document"] = documentToJson(view);
    json["fix_parts"] = Json::array();
    for (const FixPart& part : fixParts(view))
        json["fix_parts"].push_back(
            {{"id", part.id}, {"title", part.title}, {"planned_minutes", part.planned}, {"minutes", toJson(part.minutes)}});
    json["checklist"] = checklistToJson(view.checklist);
    json["report"] = view.artifact;
    json["events"] = Json::array();
    for (const SessionEvent& event : view.events)
        json["events"].push_back({{"seq", event.seq}, {"at", event.at}, {"type", event.type}});
    return json;
}

Json kindsToJson()
{
    Json json{{"schema", "kernelloop.kinds/1"}, {"folder", ownTemplatesFolder().string()}, {"kinds", Json::array()}};
    for (const KindRow& row : sessionKinds())
        json["kinds"].push_back({{"kind", row.kind},
                                 {"title", row.title},
                                 {"budget_minutes", row.budgetMinutes},
                                 {"phases", row.phases},
                                 {"gates", row.gates},
                                 {"own", row.own},
                                 {"where", row.where},
                                 {"error", row.broken ? Json(row.broken->message) : Json(nullptr)}});
    return json;
}

int chooseExitCode(const SessionView& view)
{
    if (!view.blocked)
        return 0;
    for (const GateView& gate : view.gates)
        if (gate.id == view.gate && gate.result == GateResult::unknown)
            return exitCode(ErrorCode::inconclusive);
    return exitCode(ErrorCode::refused);
}

} // namespace kl::inline session
