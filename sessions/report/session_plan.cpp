// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/report/report.h"
#include "sessions/report/session_material.h"
#include "sessions/session/session_document.h"
#include "sessions/session/session_model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline report {
namespace {

ReportModel::Section phaseSection(const SessionModel& model, const SessionTemplate::Phase& phase, const std::vector<Pattern>& patterns)
{
    ReportModel::Section section{fmt::format("{} ({})", phase.title, formatMinutes(phase.budgetMinutes))};
    section.paragraphs.push_back(phase.purpose);
    for (const std::string& id : phase.gates)
        if (const SessionTemplate::Gate* gate = model.plan.gate(id))
            section.paragraphs.push_back(fmt::format("Gate {} {}: {} {}", gate->id, gate->title, gate->question, gate->rule));
    const std::vector<Evidence> kinds = model.plan.listEvidence(phase);
    if (std::ranges::find(kinds, Evidence::candidate) != kinds.end()) {
        ReportModel::Table parts{{"Part of the fix", "Planned"}, {}, 1};
        for (const auto& [title, minutes] : {std::pair{"Edit the code", 45}, std::pair{"Rebuild", 5}, std::pair{"Test correctness", 15},
                                             std::pair{"Measure performance", 20}, std::pair{"Verify the improvement", 5}})
            parts.rows.push_back({title, formatMinutes(minutes)});
        section.tables.push_back(std::move(parts));
        ReportModel::Table fixes{{"Choose one", "Why"}, {}, ReportModel::Table::kAllText};
        for (const Fix& fix : model.readyFixes())
            fixes.rows.push_back({"☐ " + fix.title, orDash(fix.why)});
        if (!fixes.rows.empty())
            section.tables.push_back(std::move(fixes));
    }
    for (const std::string& slug : phase.patterns)
        for (const Pattern& pattern : patterns)
            if (pattern.slug == slug)
                section.paragraphs.push_back(fmt::format("Pattern {}: {}", pattern.title, pattern.advice));
    if (kinds.empty())
        for (const DocumentQuestion& question : kDocumentQuestions)
            section.paragraphs.push_back(fmt::format("{} …", question.text));
    return section;
}

} // namespace

Result<Report> sessionPlan(const Store& store, const Catalog& catalog, const SessionId& id)
{
    KL_ASSIGN(const SessionModel model, loadSession(store, catalog, id));
    KL_ASSIGN(const std::vector<Pattern> patterns, store.patterns());
    const SessionView& view = model.view;
    Report report;
    report.model.title = fmt::format("Plan of session {}: {}", view.header.name, view.header.kernel);
    report.model.subtitle = fmt::format("{}, {}, {} at {}", view.header.kind, formatMinutes(model.plan.budgetMinutes), toText(view.start),
                                        toText(view.problem));
    report.model.verdict = fmt::format("Objective: {}", view.header.objective);
    report.model.tone = "neutral";
    ReportModel::Section questions{"Opening questions"};
    ReportModel::Table answers{{"Question", "Answer"}, {}, ReportModel::Table::kAllText};
    for (const auto& [question, text] : view.questions)
        answers.rows.push_back({text, view.answers.contains(question) ? view.answers.at(question) : kNoValue});
    questions.tables.push_back(std::move(answers));
    report.model.sections.push_back(std::move(questions));
    for (const SessionTemplate::Phase& phase : model.plan.phases)
        report.model.sections.push_back(phaseSection(model, phase, patterns));
    report.json = encodePretty(Json{{"schema", "kernelloop.plan/1"}, {"session", id.text}, {"markdown", toMarkdown(report.model)}}) + '\n';
    report.csv = {{"phase", "minutes"}, {}, 1};
    for (const SessionTemplate::Phase& phase : model.plan.phases)
        report.csv.rows.push_back({phase.id, rawNumber(phase.budgetMinutes)});
    return report;
}

} // namespace kl::inline report
