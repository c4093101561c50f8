// SPDX-License-Identifier: MIT
#include "sessions/report/report_model.h"

#include "core/base/format.h"
#include "sessions/engine/session_template.h"
#include "sessions/report/charts.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

std::string mark(GateResult result, GateProgress progress = GateProgress::done)
{
    if (progress == GateProgress::waived)
        return "⊘ waived";
    return result == GateResult::pass ? "✓ pass" : result == GateResult::fail ? "✕ fail" : "– unknown";
}

/// A stored time as people read it: date and minute.
std::string day(const std::string& iso)
{
    return iso.size() >= 16 ? iso.substr(0, 10) + ' ' + iso.substr(11, 5) + " UTC" : iso;
}

std::string orDash(const std::string& text)
{
    return text.empty() ? kNoValue : text;
}

ReportModel::Section aboutSection(const SessionView& view)
{
    ReportModel::Section section{"Objective and opening questions", {}, {}, {}};
    if (!view.header.objective.empty())
        section.paragraphs.push_back(view.header.objective);
    ReportModel::Table table{{"Question", "Answer"}, {}, 99};
    for (const auto& [id, text] : view.questions)
        if (const auto answer = view.answers.find(id); answer != view.answers.end())
            table.rows.push_back({text, answer->second});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section gatesSection(const SessionView& view)
{
    ReportModel::Section section{"Gates", {}, {}, {}};
    ReportModel::Table table{{"Gate", "Result", "What it found"}, {}, 99};
    for (const GateView& gate : view.gates)
        table.rows.push_back(
            {gate.id + ' ' + gate.title, mark(gate.result, gate.progress),
             gate.waivedReason.empty() ? orDash(gate.verdict) : fmt::format("{} Waived: {}", gate.verdict, gate.waivedReason)});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section checksSection(const SessionView& view)
{
    ReportModel::Section section{"Checks", {}, {}, {}};
    ReportModel::Table table{{"Gate", "Check", "Result", "Found", "Needed"}, {}, 99};
    for (const GateView& gate : view.gates)
        for (const CheckRow& row : gate.checks)
            table.rows.push_back({gate.id, row.title + (row.requirement == Requirement::optional ? " (optional)" : ""), mark(row.result),
                                  orDash(row.found), orDash(row.threshold)});
    section.tables.push_back(std::move(table));
    return section;
}

std::string chartSentence(const SessionView& view)
{
    if (view.candidateRun && view.candidateRun->timing && view.baselineRun->timing)
        return fmt::format("GPU time on {}: {} takes {}, {} takes {}.", toText(view.problem), toText(view.start),
                           formatTime(view.baselineRun->timing->gpu.median), toText(*view.candidate),
                           formatTime(view.candidateRun->timing->gpu.median));
    return fmt::format("GPU time of kernel and baseline on {}.", toText(view.problem));
}

ReportModel::Section timesSection(const SessionView& view)
{
    ReportModel::Section section{"Times", {}, {}, {}};
    std::vector<TimeBar> bars;
    ReportModel::Table table{{"What", "GPU time", "95 % interval", "n", "Speedup"}, {}, 1};
    const auto add = [&](const std::string& label, const Summary& time, const std::string& speedup, const char* colour) {
        bars.push_back({label, time.median, time.low, time.high, colour});
        table.rows.push_back({label, formatTime(time.median), fmt::format("{} to {}", formatTime(time.low), formatTime(time.high)),
                              fmt::format("{}", time.n), speedup});
    };
    if (const std::optional<RunRecord>& run = view.baselineRun) {
        if (run->baseline && run->baseline->gpu)
            add(run->baseline->name, *run->baseline->gpu, formatRatio(1.0), "#666666");
        if (run->timing)
            add(toText(run->kernel), run->timing->gpu, formatRatio(run->speedup), "#D55E00");
    }
    if (const std::optional<RunRecord>& run = view.candidateRun; run && run->timing)
        add(toText(run->kernel), run->timing->gpu, formatRatio(run->speedup), "#0072B2");
    section.charts.push_back(
        {timeBarsSvg(bars, chartSentence(view)), chartSentence(view) + " GPU time with cold L2, median and 95 % interval."});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section findingSection(const RunRecord& run)
{
    const Finding& finding = run.diagnosis->finding;
    ReportModel::Section section{"What limits it", {}, {}, {}};
    section.paragraphs.push_back(fmt::format("{} {}: {}", finding.priority, finding.klass, finding.title));
    if (finding.estimate)
        section.paragraphs.push_back(fmt::format("Mending it should remove about {} of the time: {}",
                                                 formatPercent(finding.estimate->runtimeReduction * 100), finding.estimate->how));
    if (const std::string svg = evidenceSvg(finding.path, "Evidence of the finding"); !svg.empty())
        section.charts.push_back(
            {svg, "Each question with its value as a bar and its threshold as a tick; the answer that was taken in colour."});
    ReportModel::Table fixes{{"Fix", "Confidence", "Why"}, {}, 99};
    for (const Fix& fix : finding.fixes)
        fixes.rows.push_back({fix.title, formatPercent(fix.confidence * 100), orDash(fix.why)});
    if (!fixes.rows.empty())
        section.tables.push_back(std::move(fixes));
    if (!run.diagnosis->secondary.empty()) {
        ReportModel::Table others{{"Also seen", "Priority", "What"}, {}, 99};
        for (const Finding& other : run.diagnosis->secondary)
            others.rows.push_back({other.klass, other.priority, other.title});
        section.tables.push_back(std::move(others));
    }
    return section;
}

ReportModel::Section changeSection(const SessionView& view, double keepAt)
{
    ReportModel::Section section{"The change", {}, {}, {}};
    section.paragraphs.push_back(fmt::format("{}: {} against {}.", orDash(view.fixTitle), toText(*view.candidate), toText(view.start)));
    if (view.candidateRun && !view.candidateRun->correctness.suite.empty()) {
        ReportModel::Table suite{{"Size", "Result", "Max abs error", "Relative L2"}, {}, 2};
        for (const SuiteRow& row : view.candidateRun->correctness.suite)
            suite.rows.push_back({row.problem, row.pass ? "✓ right" : "✕ " + orDash(row.reason), fmt::format("{:.3g}", row.maxAbs),
                                  fmt::format("{:.3g}", row.relL2)});
        section.tables.push_back(std::move(suite));
    }
    if (view.evaluation) {
        section.paragraphs.push_back(view.evaluation->sentence);
        if (const std::string svg = ratioSvg(*view.evaluation, keepAt, view.evaluation->sentence); !svg.empty())
            section.charts.push_back(
                {svg, fmt::format("Old time over new time, one dot a block of alternating launches ({} blocks); the band is the interval.",
                                  view.evaluation->blocks)});
    }
    return section;
}

ReportModel::Section timeSection(const SessionView& view)
{
    ReportModel::Section section{"Time spent", {}, {}, {}};
    ReportModel::Table table{{"Phase", "Spent", "Budget"}, {}, 1};
    for (const PhaseView& phase : view.phases)
        table.rows.push_back({phase.title, formatMinutes(phase.elapsedMinutes), formatMinutes(phase.budgetMinutes)});
    table.rows.push_back({"All", formatMinutes(view.minutes), formatMinutes(view.budgetMinutes)});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section learnedSection(const SessionView& view, const std::vector<Pattern>& patterns)
{
    ReportModel::Section section{"What was learned", {}, {}, {}};
    std::size_t from = 0;
    while (from < view.retrospective.size()) {
        const std::size_t end = std::min(view.retrospective.find('\n', from), view.retrospective.size());
        section.paragraphs.push_back(view.retrospective.substr(from, end - from));
        from = end + 1;
    }
    for (const std::string& note : view.notes)
        section.paragraphs.push_back("Note: " + note);
    ReportModel::Table table{{"Pattern applied", "Saves, as quoted by its notes"}, {}, 99};
    for (const std::string& slug : view.patternsApplied) {
        const auto found = std::find_if(patterns.begin(), patterns.end(), [&](const Pattern& pattern) { return pattern.slug == slug; });
        const bool quoted = found != patterns.end() && found->quotedMinutes;
        table.rows.push_back({found == patterns.end() ? slug : found->title, quoted ? formatMinutes(*found->quotedMinutes) : kNoValue});
    }
    if (!table.rows.empty())
        section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section eventsSection(const SessionView& view)
{
    ReportModel::Section section{"Log", {}, {}, {}};
    ReportModel::Table table{{"#", "When", "What"}, {}, 99};
    for (const SessionEvent& event : view.events)
        table.rows.push_back({fmt::format("{}", event.seq), day(event.at), event.type});
    section.tables.push_back(std::move(table));
    return section;
}

std::string verdictOf(const SessionView& view)
{
    const std::string last = view.gates.empty() ? "" : view.gates.back().verdict;
    if (view.outcome.empty())
        return fmt::format("In progress, phase {}. {}", view.phase, view.why);
    if (view.outcome == "kept" && view.candidate)
        return fmt::format("{} is kept. {}", toText(*view.candidate), last);
    if (view.outcome == "reverted" && view.candidate)
        return fmt::format("{} was reverted; {} stands. {}", toText(*view.candidate), toText(view.start), last);
    return view.outcome == "nothing to fix" ? fmt::format("Nothing to fix in {}.", toText(view.start))
                                            : fmt::format("Ended: {}.", view.outcome);
}

} // namespace

ReportModel reportOf(const SessionView& view, const std::vector<Pattern>& patterns)
{
    ReportModel report;
    report.title = fmt::format("Session {}: {}", view.header.name, view.header.kernel);
    const std::string device = view.baselineRun ? view.baselineRun->device.name : std::string();
    report.subtitle =
        fmt::format("{}{} · {} · opened {}", device.empty() ? "" : device + " · ",
                    view.header.source == Source::sample ? "recorded" : "live", toText(view.problem), day(view.header.createdAt));
    report.verdict = verdictOf(view);
    report.tone = view.outcome == "kept" ? "good" : view.outcome == "reverted" ? "bad" : "neutral";
    const std::string baseline = view.baselineRun && view.baselineRun->baseline ? view.baselineRun->baseline->name : "baseline";
    report.figures.push_back({"Speedup", formatRatio(view.speedup), "against " + baseline});
    if (view.evaluation && view.evaluation->ratio)
        report.figures.push_back(
            {"Old / new", formatRatio(view.evaluation->ratio->value),
             fmt::format("{} to {}", formatRatio(view.evaluation->ratio->low), formatRatio(view.evaluation->ratio->high))});
    report.figures.push_back({"Working time", formatMinutes(view.minutes), "budget " + formatMinutes(view.budgetMinutes)});
    report.figures.push_back({"Refused actions", fmt::format("{}", view.refusals), "blocked by a rule"});

    report.sections.push_back(aboutSection(view));
    report.sections.push_back(gatesSection(view));
    if (view.baselineRun)
        report.sections.push_back(timesSection(view));
    if (view.profileRun && view.profileRun->diagnosis)
        report.sections.push_back(findingSection(*view.profileRun));
    if (view.candidate) {
        const Result<SessionTemplate> plan = parseTemplate(view.header.templateJson, "the session's template");
        report.sections.push_back(changeSection(view, plan ? plan->keepAt() : 1));
    }
    report.sections.push_back(timeSection(view));
    report.sections.push_back(learnedSection(view, patterns));
    report.sections.push_back(checksSection(view));
    report.sections.push_back(eventsSection(view));
    return report;
}

} // namespace kl
