// SPDX-License-Identifier: MIT
#include "sessions/engine/session_preview.h"

#include "core/base/try.h"
#include "sessions/engine/action_table.h"
#include "sessions/engine/recorded_plan.h"
#include "sessions/engine/session_create.h"
#include "sessions/session/session_document.h"
#include "sessions/session/template_library.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

StagePreview previewStage(const SessionTemplate& plan, const SessionTemplate::Phase& phase)
{
    StagePreview stage{phase.id, phase.title, phase.purpose, phase.budgetMinutes, {}, {}};
    bool chosen = false; // a change is chosen before the first of its evidence
    for (const Evidence kind : plan.listEvidence(phase)) {
        if (aboutCandidate(kind) && kind != Evidence::evaluation && !std::exchange(chosen, true))
            stage.steps.emplace_back(lookUpRow(SessionAction::chooseFix).title);
        stage.steps.emplace_back(lookUpRow(lookUpRow(kind).action).title);
        if (kind == Evidence::evaluation)
            stage.steps.push_back(fmt::format("{}, or revert", lookUpRow(SessionAction::keep).title));
    }
    if (stage.steps.empty())
        for (const DocumentQuestion& question : kDocumentQuestions)
            stage.steps.emplace_back(question.text);
    for (const std::string& id : phase.gates)
        if (const SessionTemplate::Gate* gate = plan.gate(id))
            stage.gates.push_back({gate->id, gate->title, gate->rule});
    return stage;
}

/// The first reason for which none of a family's problems will do, empty if one does.
std::string explainMissingOnEvery(RecordedPlan& recorded, const SessionTemplate& plan, const KernelFamily& family, const Address& start)
{
    std::string first;
    for (const Params& problem : family.problems) {
        const std::string missing = recorded.explainMissing(plan, start, problem);
        if (missing.empty())
            return {};
        if (first.empty())
            first = missing;
    }
    return first;
}

} // namespace

Result<SessionPreview> previewSession(const NewSession& request, Workbench& bench)
{
    KL_ASSIGN(const SessionDraft draft, draftSession(request, bench));
    KL_ASSIGN(const SessionFacts facts, foldEvents({draft.opened}));
    KL_ASSIGN(const SessionTemplate plan, parseTemplate(draft.header.templateJson, draft.header.kind));
    SessionPreview preview;
    preview.kind = plan.kind;
    preview.title = plan.title;
    preview.start = facts.start;
    preview.problem = facts.problem;
    preview.device = facts.device + (draft.header.source == Source::sample ? ", recorded" : "");
    preview.budgetMinutes = plan.budgetMinutes;
    for (const SessionTemplate::Phase& phase : plan.phases)
        preview.stages.push_back(previewStage(plan, phase));
    for (const SessionTemplate::Question& question : plan.questions)
        if (const auto answer = facts.answers.find(question.id); answer != facts.answers.end())
            preview.answers.push_back({question.id, question.text, answer->second});
    RecordedPlan recorded(bench);
    preview.missing = recorded.explainMissing(plan, preview.start, preview.problem);
    if (std::string caveat = recorded.faultCaveat(plan, preview.start, preview.problem); !caveat.empty())
        preview.caveats.push_back(std::move(caveat));
    return preview;
}

Json previewToJson(const SessionPreview& preview)
{
    Json json{{"schema", "kernelloop.session-preview/1"},
              {"kind", preview.kind},
              {"title", preview.title},
              {"start", toText(preview.start)},
              {"problem", toText(preview.problem)},
              {"device", preview.device},
              {"budget_minutes", preview.budgetMinutes},
              {"stages", Json::array()},
              {"answers", Json::array()},
              {"caveats", preview.caveats},
              {"missing", preview.missing.empty() ? Json(nullptr) : Json(preview.missing)}};
    for (const StagePreview& stage : preview.stages) {
        Json gates = Json::array();
        for (const GatePreview& gate : stage.gates)
            gates.push_back({{"id", gate.id}, {"title", gate.title}, {"rule", gate.rule}});
        json["stages"].push_back({{"id", stage.id},
                                  {"title", stage.title},
                                  {"purpose", stage.purpose},
                                  {"budget_minutes", stage.budgetMinutes},
                                  {"steps", stage.steps},
                                  {"gates", std::move(gates)}});
    }
    for (const AnswerPreview& row : preview.answers)
        json["answers"].push_back({{"id", row.id}, {"question", row.question}, {"answer", row.answer}});
    return json;
}

Result<SessionChoices> sessionChoices(const NewSession& request, Workbench& bench)
{
    KL_ASSIGN(const Address named, parseAddress(request.kernel));
    KL_ASSIGN(const KernelFamily* family, bench.catalog().family(named.family));
    KL_ASSIGN(const std::string text, templateText(request.kind));
    KL_ASSIGN(const SessionTemplate plan, parseTemplate(text, request.kind));
    KL_ASSIGN(const Address start, chooseStart(request, plan, *family, bench));
    RecordedPlan recorded(bench);
    SessionChoices choices;
    for (const Variant& variant : family->variants)
        choices.variants.push_back(
            {variant.id, variant.title, explainMissingOnEvery(recorded, plan, *family, {family->id, variant.id, {}})});
    for (const Params& problem : family->problems)
        choices.problems.push_back({toText(problem), toText(problem), recorded.explainMissing(plan, start, problem)});
    for (const KindRow& row : sessionKinds()) {
        SessionChoice choice{row.kind, row.title, row.broken ? row.broken->message : std::string()};
        if (!row.broken) {
            KL_ASSIGN(const std::string other, templateText(row.kind));
            KL_ASSIGN(const SessionTemplate kind, parseTemplate(other, row.kind));
            KL_ASSIGN(const Address first, chooseStart(request, kind, *family, bench));
            choice.reason = explainMissingOnEvery(recorded, kind, *family, first);
        }
        choices.kinds.push_back(std::move(choice));
    }
    return choices;
}

} // namespace kl::inline engine
