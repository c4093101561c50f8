// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/or_null.h"
#include "core/codec/run_codec.h"
#include "core/diagnosis/estimate_text.h"
#include "core/stats/ratio_text.h"
#include "sessions/learning/history_json.h"
#include "sessions/patterns/pattern_json.h"
#include "sessions/report/report.h"
#include "sessions/report/review_json.h"
#include "sessions/report/session_material.h"
#include "sessions/session/session_json.h"
#include "sessions/session/session_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline report {
namespace {

Result<SessionMaterial> gatherMaterial(const Store& store, const Catalog& catalog, const SessionId& id)
{
    KL_ASSIGN(SessionModel model, loadSession(store, catalog, id));
    KL_ASSIGN(std::vector<Pattern> patterns, store.patterns());
    KL_ASSIGN(History history, loadHistory(store));
    KL_ASSIGN(std::vector<ReviewComment> comments, reviewComments(store, id));
    SessionMaterial material{std::move(model.view), std::move(model.plan), std::move(history), {}, std::move(patterns), {},
                             std::move(comments)};
    for (const HistoryRow& row : material.history.rows)
        if (row.id == id.text)
            material.row = row;
    if (material.view.profileRun)
        material.hot = hotLines(*material.view.profileRun, catalog);
    return material;
}

std::string describeVerdict(const SessionView& view)
{
    const std::string last = view.gates.empty() ? "" : view.gates.back().verdict;
    if (view.outcome.empty())
        return fmt::format("In progress, stage {}. {}", view.phase, view.why);
    if (view.outcome == "kept" && view.candidate)
        return fmt::format("{} is kept. {}", toText(*view.candidate), last);
    if (view.outcome == "reverted" && view.candidate)
        return fmt::format("{} was reverted; {} remains current. {}", toText(*view.candidate), toText(view.start), last);
    return view.outcome == "nothing to fix" ? fmt::format("Nothing to fix in {}.", toText(view.start))
                                            : fmt::format("Ended: {}.", view.outcome);
}

ReportModel buildReportModel(const SessionMaterial& material)
{
    const SessionView& view = material.view;
    ReportModel report;
    report.title = fmt::format("Session {}: {}", view.header.name, view.header.kernel);
    const std::string device = view.baselineRun ? view.baselineRun->device.name : std::string();
    report.subtitle =
        fmt::format("{}{} · {} · opened {}", device.empty() ? "" : device + " · ",
                    view.header.source == Source::sample ? "recorded" : "live", toText(view.problem), formatMinute(view.header.createdAt));
    report.verdict = describeVerdict(view);
    report.tone = view.outcome == "kept" ? "good" : view.outcome == "reverted" ? "bad" : "neutral";
    const std::string baseline = view.baselineRun && view.baselineRun->baseline ? view.baselineRun->baseline->name : "baseline";
    report.figures.push_back({"Speedup", formatRatio(view.speedup), "against " + baseline});
    if (view.evaluation && view.evaluation->ratio)
        report.figures.push_back({computeGain(view) ? "Improvement" : "Old / new", formatRatio(view.evaluation->ratio->value),
                                  intervalText(*view.evaluation->ratio)});
    report.figures.push_back({"Working time", formatMinutes(view.minutes), "budget " + formatMinutes(view.budgetMinutes)});
    report.figures.push_back({"Refused actions", fmt::format("{}", view.refusals), "blocked by a rule"});
    if (material.row && !material.row->grade.letter.empty())
        report.figures.push_back({"Grade", material.row->grade.letter, "A is best, D is worst"});

    for (const auto section :
         {aboutSection, gatesSection, timesSection, findingSection, hotLinesSection, debugSection, changeSection, timeSection,
          mistakesSection, documentSection, makeLearnedSection, reviewSection, checksSection, environmentSection, logSection})
        if (ReportModel::Section made = section(material); !made.title.empty())
            report.sections.push_back(std::move(made));
    return report;
}

Json estimateToJson(const SessionView& view)
{
    if (!view.profileRun || !view.profileRun->diagnosis)
        return nullptr;
    const Finding& finding = view.profileRun->diagnosis->finding;
    const Ratio* measured = view.evaluation && view.evaluation->ratio ? &*view.evaluation->ratio : nullptr;
    Json json{{"ratio", orNull(computeEstimatedSpeedup(finding))}, {"how", finding.estimate ? Json(finding.estimate->how) : Json(nullptr)}};
    json["measured"] = measured ? Json{{"value", measured->value}, {"low", measured->low}, {"high", measured->high}} : Json(nullptr);
    return json;
}

/// The session's answer and the measurements it names in full; without `next`, which is about this machine.
std::string renderJson(const SessionMaterial& material, const Catalog& catalog)
{
    const SessionView& view = material.view;
    Json session = sessionToJson(view);
    session.erase("next");
    Json json{{"schema", "kernelloop.report/1"}, {"session", std::move(session)}, {"runs", Json::object()}};
    for (const auto& [name, run] : {std::pair{"smallest", &view.smallestRun}, std::pair{"baseline", &view.baselineRun},
                                    std::pair{"profile", &view.profileRun}, std::pair{"candidate", &view.candidateRun}})
        if (*run)
            json["runs"][name] = runToJsonWithLines(**run, catalog);
    json["comparison"] = view.evaluation ? comparisonToJson(*view.evaluation) : Json(nullptr);
    json["environment"] = view.environment ? envToJson(*view.environment) : Json(nullptr);
    json["estimate"] = estimateToJson(view);
    json["history"] = material.row ? historyRowToJson(*material.row) : Json(nullptr);
    json["applications"] = Json::array();
    for (const PatternApplication& use : material.history.applications)
        if (use.session == view.header.id.text)
            json["applications"].push_back(applicationToJson(use));
    json["review"] = Json::array();
    for (const ReviewComment& comment : material.comments)
        json["review"].push_back(commentToJson(comment));
    return encodePretty(json) + '\n';
}

void addRun(ReportModel::Table& csv, const char* role, const std::optional<RunRecord>& run)
{
    if (!run)
        return;
    const std::string kernel = toText(run->kernel);
    const auto time = [&](const std::string& item, const Summary& t) {
        csv.rows.push_back(
            {role, kernel, item, rawNumber(t.median), rawNumber(t.low), rawNumber(t.high), fmt::format("{}", t.n), "ns", ""});
    };
    if (run->timing)
        time("gpu_time", run->timing->gpu);
    if (run->baseline && run->baseline->gpu)
        time("baseline: " + run->baseline->name, *run->baseline->gpu);
    if (run->speedup)
        csv.rows.push_back({role, kernel, "speedup", rawNumber(*run->speedup), "", "", "", "", ""});
    if (!run->metrics)
        return;
    for (const auto& [name, value] : run->metrics->values)
        if (value)
            csv.rows.push_back({role, kernel, name, rawNumber(*value), "", "", "", "", ""});
    for (const auto& [name, reason] : run->metrics->missing)
        csv.rows.push_back({role, kernel, name, "", "", "", "", "", "missing: " + reason});
}

ReportModel::Table makeCsvTable(const SessionMaterial& material)
{
    const SessionView& view = material.view;
    ReportModel::Table csv{{"group", "subject", "item", "value", "low", "high", "n", "unit", "text"}, {}, 3};
    csv.rows.push_back({"session", view.header.name, "minutes", rawNumber(view.minutes), "", "", "", "min", view.outcome});
    for (const GateView& gate : view.gates) {
        csv.rows.push_back({"gate", gate.id, gate.title, "", "", "", "", "", markFor(gate.result, gate.progress) + ": " + gate.verdict});
        for (const CheckRow& row : gate.checks)
            csv.rows.push_back({"check", gate.id, row.id, "", "", "", "", "", markFor(row.result) + ": " + row.found});
    }
    addRun(csv, "smallest", view.smallestRun);
    addRun(csv, "baseline", view.baselineRun);
    addRun(csv, "profile", view.profileRun);
    addRun(csv, "candidate", view.candidateRun);
    if (view.evaluation && view.evaluation->ratio)
        csv.rows.push_back({"comparison", view.evaluation->b, "old / new", rawNumber(view.evaluation->ratio->value),
                            rawNumber(view.evaluation->ratio->low), rawNumber(view.evaluation->ratio->high),
                            fmt::format("{}", view.evaluation->blocks), "", view.evaluation->sentence});
    for (const PhaseView& phase : view.phases)
        csv.rows.push_back({"phase", phase.id, "minutes", rawNumber(phase.elapsedMinutes), "", "", "", "min", ""});
    return csv;
}

} // namespace

Result<Report> sessionReport(const Store& store, const Catalog& catalog, const SessionId& id)
{
    KL_ASSIGN(const SessionMaterial material, gatherMaterial(store, catalog, id));
    return Report{buildReportModel(material), renderJson(material, catalog), makeCsvTable(material)};
}

} // namespace kl::inline report
