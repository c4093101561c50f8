// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/stats/timing_text.h"
#include "sessions/report/report_charts.h"
#include "sessions/report/session_material.h"
#include "sessions/session/event_words.h"
#include "sessions/session/session_document.h"

#include <fmt/format.h>

namespace kl::inline report {
namespace {

ReportModel::Table claimsTable(const std::vector<ClaimView>& claims)
{
    ReportModel::Table table{{"Claim", "Claimed value", "Measured here", "Verdict"}, {}, ReportModel::Table::kAllText};
    for (const ClaimView& row : claims)
        table.rows.push_back({row.claim.source, row.claim.figure + (row.claim.about == "kernel" ? "" : " (" + row.claim.about + ")"),
                              orDash(row.measured), row.verdict});
    return table;
}

/// An edit of one's own has the address of what it edits.
std::string candidateName(const SessionView& view)
{
    const Address& candidate = view.candidateRun->kernel;
    return toText(candidate) + (candidate == view.baselineRun->kernel ? " (edited)" : "");
}

std::string chartSentence(const SessionView& view)
{
    if (view.candidateRun && view.candidateRun->timing && view.baselineRun->timing)
        return fmt::format("GPU time at {}: {} takes {}, {} takes {}.", toText(view.problem), toText(view.start),
                           formatTime(view.baselineRun->timing->gpu.median), candidateName(view),
                           formatTime(view.candidateRun->timing->gpu.median));
    return fmt::format("GPU time of the kernel and the baseline at {}.", toText(view.problem));
}

} // namespace

std::string markFor(GateResult result, GateProgress progress)
{
    if (progress == GateProgress::waived)
        return "⊘ waived";
    if (progress == GateProgress::stale)
        return "↻ stale";
    return result == GateResult::pass ? "✓ pass" : result == GateResult::fail ? "✕ fail" : "– not evaluated";
}

std::string formatMinute(const std::string& iso)
{
    return iso.size() >= 16 ? iso.substr(0, 10) + ' ' + iso.substr(11, 5) + " UTC" : iso;
}

std::string orDash(const std::string& text)
{
    return text.empty() ? kNoValue : text;
}

ReportModel::Section aboutSection(const SessionMaterial& material)
{
    const SessionView& view = material.view;
    ReportModel::Section section{"Objective, opening questions and claims"};
    if (!view.header.objective.empty())
        section.paragraphs.push_back(view.header.objective);
    ReportModel::Table table{{"Question", "Answer"}, {}, ReportModel::Table::kAllText};
    for (const auto& [id, text] : view.questions)
        if (const auto answer = view.answers.find(id); answer != view.answers.end())
            table.rows.push_back({text, answer->second});
    section.tables.push_back(std::move(table));
    if (view.claims.empty())
        section.paragraphs.push_back("There was no claim to check.");
    else
        section.tables.push_back(claimsTable(view.claims));
    return section;
}

ReportModel::Section gatesSection(const SessionMaterial& material)
{
    ReportModel::Section section{"Gates"};
    ReportModel::Table table{{"Gate", "Result", "Verdict"}, {}, ReportModel::Table::kAllText};
    for (const GateView& gate : material.view.gates) {
        std::string found = orDash(gate.verdict);
        if (!gate.waivedReason.empty())
            found += " Waived: " + gate.waivedReason;
        if (!gate.staleReason.empty())
            found += " Stale: " + gate.staleReason;
        table.rows.push_back({gate.id + ' ' + gate.title, markFor(gate.result, gate.progress), std::move(found)});
        section.targets.push_back({gate.id, gate.id + ' ' + gate.title});
    }
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section checksSection(const SessionMaterial& material)
{
    ReportModel::Section section{"Checks"};
    ReportModel::Table table{{"Gate", "Check", "Result", "Found", "Required"}, {}, ReportModel::Table::kAllText};
    for (const GateView& gate : material.view.gates)
        for (const CheckRow& row : gate.checks)
            table.rows.push_back({gate.id, row.title + (row.requirement == Requirement::optional ? " (optional)" : ""), markFor(row.result),
                                  orDash(row.found), orDash(row.threshold)});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section timesSection(const SessionMaterial& material)
{
    const SessionView& view = material.view;
    if (!view.baselineRun)
        return {};
    ReportModel::Section section{"Times"};
    std::vector<ChartBar> bars;
    ReportModel::Table table{{"What", "GPU time", "95 % CI", "n", "Speedup"}, {}, 1};
    const auto add = [&](const std::string& label, const Summary& time, const std::string& speedup, const char* color) {
        bars.push_back({label, time.median, time.low, time.high, color, {}});
        table.rows.push_back({label, formatTime(time.median), timeInterval(time), fmt::format("{}", time.n), speedup});
    };
    const RunRecord& start = *view.baselineRun;
    if (start.baseline && start.baseline->gpu)
        add(start.baseline->name, *start.baseline->gpu, formatRatio(1.0), "#666666");
    else if (start.baseline)
        section.paragraphs.push_back(fmt::format("{} was not measured: {}", start.baseline->name, start.baseline->unavailable));
    if (start.timing)
        add(toText(start.kernel), start.timing->gpu, formatRatio(start.speedup), "#D55E00");
    if (const std::optional<RunRecord>& run = view.candidateRun; run && run->timing)
        add(candidateName(view), run->timing->gpu, formatRatio(run->speedup), "#0072B2");
    const std::string state = start.program ? "of launches among the program's others" : "with cold L2";
    if (!bars.empty())
        section.charts.push_back(
            {barsSvg(bars, chartSentence(view)), fmt::format("{} GPU time {}, median and 95 % CI.", chartSentence(view), state)});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section debugSection(const SessionMaterial& material)
{
    if (material.view.iterations.empty())
        return {};
    ReportModel::Section section{"Debugging iterations"};
    if (material.view.failingProblem)
        section.paragraphs.push_back(fmt::format("Smallest size that fails: {}.", toText(*material.view.failingProblem)));
    ReportModel::Table table{{"#", "Believed", "Instrument", "Seen", "Says", "Fix", "Result", "Learned"}, {}, ReportModel::Table::kAllText};
    for (const DebugIteration& row : material.view.iterations)
        table.rows.push_back({fmt::format("{}", row.number), orDash(row.believed), orDash(row.instrument), orDash(row.seen),
                              orDash(row.analysis), orDash(row.fix), orDash(row.result), orDash(row.learned)});
    for (const DebugIteration& row : material.view.iterations)
        if (!row.sanitizer.empty())
            section.paragraphs.push_back(fmt::format("Iteration {}, {}", row.number, row.sanitizer));
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section logSection(const SessionMaterial& material)
{
    ReportModel::Section section{"Log"};
    ReportModel::Table table{{"#", "When", "What"}, {}, ReportModel::Table::kAllText};
    for (const SessionEvent& event : material.view.events)
        table.rows.push_back({fmt::format("{}", event.seq), formatMinute(event.at), describeEvent(event)});
    section.tables.push_back(std::move(table));
    if (const std::string parts = fixPartsText(material.view); !parts.empty())
        section.paragraphs.push_back(fmt::format("Time spent on the fix: {}.", parts));
    return section;
}

} // namespace kl::inline report
