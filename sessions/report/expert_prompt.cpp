// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "sessions/learning/history.h"
#include "sessions/report/report.h"
#include "sessions/session/rules.h"
#include "sessions/session/session_model.h"
#include "sessions/session/session_names.h"
#include "sessions/session/suggestions.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace kl::inline report {
namespace {

/// The text with a period, unless it has an end.
std::string endSentence(std::string text)
{
    if (!text.empty() && std::string_view(".!?").find(text.back()) == std::string_view::npos)
        text += '.';
    return text;
}

ReportModel::Section makeStateSection(const SessionModel& model)
{
    const SessionView& view = model.view;
    ReportModel::Section section{"Current state"};
    section.paragraphs.push_back(fmt::format("Session {} on {} at {}: {}.", view.header.name, view.header.kernel, toText(view.problem),
                                             view.outcome.empty() ? "in progress, stage " + view.phase : view.outcome));
    const Address& best = view.outcome == "kept" && view.candidate ? *view.candidate : view.current;
    section.paragraphs.push_back(fmt::format("{} runs at {} of the baseline's speed.", toText(best), formatRatio(view.speedup)));
    if (view.profileRun && view.profileRun->diagnosis) {
        const Finding& finding = view.profileRun->diagnosis->finding;
        section.paragraphs.push_back(
            fmt::format("Profile of {}: {} {}: {}", toText(view.profileRun->kernel), finding.priority, finding.classId, finding.title));
    }
    if (view.evaluation)
        section.paragraphs.push_back(view.evaluation->sentence);
    for (const Address& tried : view.tried)
        section.paragraphs.push_back(fmt::format("Tried and reverted, do not repeat: {}.", toText(tried)));
    return section;
}

ReportModel::Section makeGatesSection(const SessionTemplate& plan)
{
    ReportModel::Section section{"Gates and thresholds"};
    ReportModel::Table gates{{"Gate", "Question", "Passes when"}, {}, 99};
    for (const SessionTemplate::Gate& gate : plan.gates)
        gates.rows.push_back({gate.id + ' ' + gate.title, gate.question, gate.rule});
    section.tables.push_back(std::move(gates));
    ReportModel::Table thresholds{{"Threshold", "Value", "Where it counts"}, {}, ReportModel::Table::kAllText};
    for (const Threshold& row : kThresholds)
        if (plan.thresholds.contains(std::string(row.name)))
            thresholds.rows.push_back({std::string(row.name), formatNumber(plan.threshold(row.name)), std::string(row.usedBy)});
    section.tables.push_back(std::move(thresholds));
    ReportModel::Table phases{{"Stage", "Budget", "Purpose"}, {}, 99};
    for (const SessionTemplate::Phase& phase : plan.phases)
        phases.rows.push_back({phase.title, formatMinutes(phase.budgetMinutes), phase.purpose});
    section.tables.push_back(std::move(phases));
    return section;
}

ReportModel::Section makeRulesSection()
{
    ReportModel::Section section{"Rules that are enforced"};
    ReportModel::Table table{{"Rule", "Why"}, {}, 99};
    for (const Rule& rule : rules())
        table.rows.push_back({rule.name, rule.cost});
    section.tables.push_back(std::move(table));
    return section;
}

/// The retrospectives of the last three sessions on this kernel that wrote one, newest first, and the mistakes of all.
Result<ReportModel::Section> makeLessonsSection(const Store& store, const Catalog& catalog, const SessionModel& model)
{
    constexpr int kMost = 3;
    ReportModel::Section section{"What the last sessions found"};
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions());
    int reportedCount = 0;
    for (auto header = sessions.rbegin(); header != sessions.rend() && reportedCount < kMost; ++header) {
        if (header->isShipped() || header->kernel != model.view.header.kernel)
            continue;
        KL_ASSIGN(const SessionModel past, loadSession(store, catalog, header->id));
        if (past.view.retrospective.empty())
            continue;
        section.paragraphs.push_back(fmt::format("{}: {}", header->name, past.view.retrospective));
        ++reportedCount;
    }
    if (reportedCount == 0)
        section.paragraphs.push_back("No session on this kernel has written a retrospective yet.");
    KL_ASSIGN(const History history, loadHistory(store));
    ReportModel::Table mistakes{{"Mistake", "Times", "What was observed"}, {}, 99};
    for (const MistakeKind& kind : history.mistakes) {
        int made = 0;
        std::string seen;
        for (const HistoryRow& row : history.rows)
            for (const Mistake& item : row.mistakes)
                if (item.id == kind.id) {
                    made += item.count;
                    seen = item.how;
                }
        if (made > 0)
            mistakes.rows.push_back({kind.text, fmt::format("{}", made), seen.empty() || seen == kind.text ? kNoValue : seen});
    }
    if (!mistakes.rows.empty())
        section.tables.push_back(std::move(mistakes));
    return section;
}

Result<ReportModel::Section> makePatternsSection(const Store& store, const SessionTemplate& plan)
{
    KL_ASSIGN(const std::vector<Pattern> patterns, store.patterns());
    ReportModel::Section section{"Patterns to apply"};
    ReportModel::Table table{{"Stage", "Pattern", "Advice"}, {}, 99};
    for (const SessionTemplate::Phase& phase : plan.phases)
        for (const std::string& slug : phase.patterns)
            for (const Pattern& pattern : patterns)
                if (pattern.slug == slug)
                    table.rows.push_back({phase.title, pattern.title + " (" + slug + ")", pattern.advice});
    if (table.rows.empty())
        section.paragraphs.push_back("This database has no patterns for these stages.");
    else
        section.tables.push_back(std::move(table));
    return section;
}

/// What there is to do in the session, or in the one to open, as the writer words it.
ReportModel::Section makeCommandsSection(const Store& store, const SessionView& view, const std::string& name, const StepWriter& write)
{
    const bool goesOn = view.phase != "done";
    std::vector<NextStep> steps;
    if (!goesOn) {
        NextStep open = openNext(view.header);
        open.set(StepArgument::name, name);
        open.set(StepArgument::kind, view.header.kind);
        steps.push_back(std::move(open));
    }
    steps.insert(steps.end(), {{StepId::stepSession},
                               {StepId::showSession},
                               {StepId::noteInSession, {}, {{StepArgument::text, "What is worth knowing?"}}},
                               {StepId::suggestPatterns},
                               {StepId::writeReport, {{StepArgument::file, "report.html"}}}});
    ReportModel::Section section{"Exact commands"};
    section.paragraphs.push_back(
        "Every answer with --json lists the allowed next actions as \"next\", the recommended one first. Follow it until "
        "\"phase\" is \"done\". Exit codes: 0 success · 1 failed, refused or slower · 2 usage error · 3 inconclusive · "
        "4 bad input · 5 no GPU or permission · 6 internal error · 130 interrupted.");
    for (NextStep& step : steps) {
        if (step.id != StepId::newSession)
            step.set(StepArgument::session, goesOn ? view.header.id.text : name);
        if (store.location() != Store::defaultLocation())
            step.set(StepArgument::database, store.location());
        section.code += (section.code.empty() ? "" : "\n") + write(step);
    }
    return section;
}

} // namespace

Result<Report> expertPrompt(const Store& store, const Catalog& catalog, const SessionId& id, const StepWriter& write)
{
    KL_ASSIGN(const SessionModel model, loadSession(store, catalog, id));
    KL_ASSIGN(const std::string name, nextSessionName(store));
    KL_ASSIGN(ReportModel::Section lessons, makeLessonsSection(store, catalog, model));
    KL_ASSIGN(ReportModel::Section patterns, makePatternsSection(store, model.plan));
    const SessionView& view = model.view;
    const bool goesOn = view.phase != "done";
    Report report;
    report.model.title = goesOn ? fmt::format("Continue session {}: {}", view.header.name, view.header.kernel)
                                : fmt::format("Session {}: {}", name, view.header.kernel);
    report.model.subtitle = fmt::format("Written from session {} of KernelLoop", view.header.name);
    report.model.tone = "neutral";
    report.model.verdict = goesOn ? fmt::format("Objective: {} Next: {}", endSentence(view.header.objective), view.why)
                                  : fmt::format("Objective: measure what limits {} now, and fix that one thing. Previous session: {}",
                                                view.header.kernel, view.header.objective);
    report.model.sections = {makeStateSection(model), makeGatesSection(model.plan), makeRulesSection(), std::move(lessons),
                             std::move(patterns)};
    if (write)
        report.model.sections.push_back(makeCommandsSection(store, view, name, write));
    report.json = encodePretty(Json{{"schema", "kernelloop.prompt/1"},
                                    {"session", goesOn ? view.header.name : name},
                                    {"from", view.header.id.text},
                                    {"markdown", toMarkdown(report.model)}}) +
                  '\n';
    report.csv = {{"section", "text"}, {}, 99};
    for (const ReportModel::Section& section : report.model.sections)
        for (const std::string& paragraph : section.paragraphs)
            report.csv.rows.push_back({section.title, paragraph});
    return report;
}

} // namespace kl::inline report
