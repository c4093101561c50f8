// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/codec/model_fields.h"
#include "core/codec/run_codec.h"
#include "core/device/run_figures.h"
#include "core/stats/correctness_text.h"
#include "core/stats/ratio_text.h"
#include "core/stats/timing_text.h"
#include "sessions/report/report.h"
#include "sessions/report/report_charts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline report {
namespace {

ReportModel::Section differences(const char* title, const std::vector<Difference>& rows)
{
    ReportModel::Section section{title};
    if (rows.empty()) {
        section.paragraphs.push_back("None.");
        return section;
    }
    ReportModel::Table table{{"Name", "A", "B", "Change"}, {}, 1};
    for (const Difference& row : rows)
        table.rows.push_back({row.name, row.a, row.b, row.change ? formatDifference(*row.change) : kNoValue});
    section.tables.push_back(std::move(table));
    return section;
}

std::string sideText(const std::string& side, const std::optional<RunRecord>& run)
{
    return run ? fmt::format("{} at {}", toText(run->kernel), toText(run->problem)) : side;
}

ReportModel::Section makeTimesSection(const Comparison& comparison, const std::optional<RunRecord>& a, const std::optional<RunRecord>& b)
{
    ReportModel::Section section{"Times"};
    ReportModel::Table table{{"Side", "Kernel", "GPU time", "95 % CI", "n", "Correct", "Device"}, {}, 99};
    std::vector<ChartBar> bars;
    for (const auto& [side, name, run] : {std::tuple{"A", &comparison.a, &a}, std::tuple{"B", &comparison.b, &b}}) {
        if (!*run || !(*run)->timing)
            continue;
        const Summary& time = (*run)->timing->gpu;
        const CorrectnessResult result = (*run)->correctness.result;
        const std::string correct =
            result == CorrectnessResult::notChecked ? "not checked" : (isRefuted(result) ? "✕ " : "✓ ") + std::string(toWord(result));
        table.rows.push_back({side, sideText(*name, *run), formatTime(time.median), timeInterval(time), fmt::format("{}", time.n), correct,
                              (*run)->device.name});
        bars.push_back({fmt::format("{}: {}", side, toText((*run)->kernel)),
                        time.median,
                        time.low,
                        time.high,
                        bars.empty() ? "#D55E00" : "#0072B2",
                        {}});
    }
    if (table.rows.empty())
        section.paragraphs.push_back("Neither side has its own time; the blocks below compare them.");
    else {
        const std::string sentence = "GPU time of both sides with cold L2, median and 95 % CI.";
        section.charts.push_back({barsSvg(bars, sentence), sentence});
        section.tables.push_back(std::move(table));
    }
    for (const auto& [side, run] : {std::pair{"A", &a}, std::pair{"B", &b}})
        if (*run && (*run)->timing && (*run)->timing->energy)
            section.paragraphs.push_back(fmt::format("Energy of {}: {}.", side, energyText(*(*run)->timing->energy)));
    if (comparison.wall)
        section.paragraphs.push_back(fmt::format("Wall time of a step, A / B: {} ({} and {}).", ratioText(comparison.wall->ratio),
                                                 formatTime(comparison.wall->aNs), formatTime(comparison.wall->bNs)));
    if (comparison.energy)
        section.paragraphs.push_back(fmt::format("Energy of A / energy of B: {}.", energyRatioText(*comparison.energy)));
    return section;
}

ReportModel::Section makeBasisSection(const Comparison& comparison)
{
    ReportModel::Section section{"What the verdict is based on"};
    if (comparison.refuted && comparison.refuted->witness)
        if (const std::string place = witnessPlace(*comparison.refuted->witness); !place.empty())
            section.paragraphs.push_back(fmt::format("First failure of side {}: {}.", comparison.refuted->side == "a" ? "A" : "B", place));
    if (!comparison.statistics.empty())
        section.paragraphs.push_back(comparison.statistics);
    section.paragraphs.push_back(fmt::format("A/A noise of this device: {} ({}).",
                                             comparison.noise.value ? formatPercent(*comparison.noise.value * 100) : kNoValue,
                                             comparison.noise.from.empty() ? "not calibrated" : comparison.noise.from));
    if (!comparison.waived.empty())
        section.paragraphs.push_back("Conditions differ; compared anyway: " + comparison.waived);
    for (const Warning& warning : comparison.warnings)
        section.paragraphs.push_back(warning.text);
    if (const std::string svg = ratioSvg(comparison, 1, comparison.sentence); !svg.empty())
        section.charts.push_back(
            {svg, fmt::format("Speedup of B over A, one dot per block ({} blocks); the band is the interval.", comparison.blocks)});
    std::string next = comparison.next;
    for (const NextStep& step : comparison.nextSteps)
        next += (next.empty() ? "" : " ") + titleFor(step) + '.';
    if (!next.empty())
        section.paragraphs.push_back("Next: " + next);
    return section;
}

} // namespace

Report comparisonReport(const Comparison& comparison, const std::optional<RunRecord>& a, const std::optional<RunRecord>& b)
{
    Report report;
    ReportModel& model = report.model;
    model.title = fmt::format("Comparison: {} against {}", a ? toText(a->kernel) : comparison.a, b ? toText(b->kernel) : comparison.b);
    model.subtitle = fmt::format("A: {} · B: {}", comparison.a, comparison.b);
    model.verdict = comparison.sentence;
    model.tone = comparison.verdict == Verdict::faster ? "good" : comparison.verdict == Verdict::slower ? "bad" : "neutral";
    if (comparison.ratio)
        model.figures.push_back({"Speedup of B over A", formatRatio(comparison.ratio->value), intervalText(*comparison.ratio)});
    if (comparison.energy && comparison.energy->ratio)
        model.figures.push_back(
            {"Energy of A / energy of B", formatRatio(comparison.energy->ratio->value), intervalText(*comparison.energy->ratio)});
    model.figures.push_back({"Verdict", toWord(comparison.verdict), std::string(verdictReasonText(comparison.reason))});
    model.sections = {makeTimesSection(comparison, a, b), makeBasisSection(comparison),
                      differences("Metrics that differ", comparison.metrics), differences("Tunables that differ", comparison.tunables),
                      differences("Environment that differs", comparison.environment)};

    Json answer = comparisonToJson(comparison);
    answer.erase("id"); // of this reading, not of what was measured
    Json json{{"schema", "kernelloop.report-comparison/1"}, {"comparison", std::move(answer)}};
    json["a"] = a ? runToJsonWithoutCode(*a) : Json(nullptr);
    json["b"] = b ? runToJsonWithoutCode(*b) : Json(nullptr);
    report.json = encodePretty(json) + '\n';

    report.csv = {{"group", "name", "a", "b", "change"}, {}, 2};
    if (comparison.ratio)
        report.csv.rows.push_back({"ratio", "time(A) / time(B)", rawNumber(comparison.ratio->low), rawNumber(comparison.ratio->high),
                                   rawNumber(comparison.ratio->value)});
    if (comparison.energy && comparison.energy->ratio)
        report.csv.rows.push_back({"ratio", "energy(A) / energy(B)", rawNumber(comparison.energy->ratio->low),
                                   rawNumber(comparison.energy->ratio->high), rawNumber(comparison.energy->ratio->value)});
    for (const auto& [group, rows] : {std::pair{"metric", &comparison.metrics}, std::pair{"tunable", &comparison.tunables},
                                      std::pair{"environment", &comparison.environment}})
        for (const Difference& row : *rows)
            report.csv.rows.push_back({group, row.name, row.a, row.b, row.change ? rawNumber(*row.change) : ""});
    return report;
}

} // namespace kl::inline report
