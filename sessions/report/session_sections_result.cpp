// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/diagnosis/estimate_text.h"
#include "core/model/source_lines.h"
#include "core/stats/ratio_text.h"
#include "sessions/learning/fix_case.h"
#include "sessions/report/report_charts.h"
#include "sessions/report/session_material.h"

#include <fmt/format.h>

namespace kl::inline report {
namespace {

ReportModel::Table pathTable(const Finding& finding)
{
    ReportModel::Table table{{"Question", "Quantity", "Measured", "Threshold", "Taken"}, {}, ReportModel::Table::kAllText};
    for (const PathEntry& entry : finding.path) {
        const EvidenceWords words = evidenceWords(entry);
        table.rows.push_back({entry.node, words.name, words.value, words.threshold, entry.taken ? "✓ yes" : "no"});
    }
    return table;
}

/// What the finding promised beside what the change brought.
ReportModel::Table outcomeTable(const SessionView& view, const Finding& finding)
{
    ReportModel::Table table{{"", "Estimate of the finding", "Measured outcome"}, {}, 1};
    const std::optional<double> promised = computeEstimatedSpeedup(finding);
    const Ratio* ratio = view.evaluation && view.evaluation->ratio ? &*view.evaluation->ratio : nullptr;
    table.rows.push_back({"Improvement (old / new)", shortEstimate(promised), ratio ? ratioText(*ratio) : std::string("not measured")});
    table.rows.push_back({"Time saved",
                          finding.estimate ? formatPercent(finding.estimate->runtimeReduction * 100) : shortEstimate(promised),
                          ratio ? formatPercent((1 - 1 / ratio->value) * 100) : std::string("not measured")});
    return table;
}

} // namespace

ReportModel::Section findingSection(const SessionMaterial& material)
{
    const std::optional<RunRecord>& run = material.view.profileRun;
    if (!run || !run->diagnosis)
        return {};
    const Finding& finding = run->diagnosis->finding;
    ReportModel::Section section{"What limits it"};
    section.paragraphs.push_back(fmt::format("{} {}: {}", finding.priority, finding.classId, finding.title));
    section.paragraphs.push_back(fmt::format("Confidence {}{}.", formatPercent(finding.confidence * 100),
                                             finding.inferred ? "; inferred without hardware counters" : ""));
    section.paragraphs.push_back(estimateText(finding));
    if (const std::string svg = evidenceSvg(finding.path, "Evidence of the finding"); !svg.empty())
        section.charts.push_back({svg, "Each question with its value as a bar and its threshold as a tick; the answer taken is in color."});
    section.tables.push_back(pathTable(finding));
    ReportModel::Table fixes{{"Fix", "Pays off", "Why"}, {}, ReportModel::Table::kAllText};
    for (const Fix& fix : finding.fixes)
        fixes.rows.push_back({fix.title, fixChanceText(fix.confidence, !fix.kind.empty()), orDash(fix.why)});
    if (!fixes.rows.empty())
        section.tables.push_back(std::move(fixes));
    ReportModel::Table others{{"Other findings", "Priority", "What"}, {}, ReportModel::Table::kAllText};
    for (const Finding& other : run->diagnosis->secondary)
        others.rows.push_back({other.classId, other.priority, other.title});
    if (!others.rows.empty())
        section.tables.push_back(std::move(others));
    section.targets.push_back({"finding", "The finding"});
    return section;
}

ReportModel::Section hotLinesSection(const SessionMaterial& material)
{
    if (!material.view.profileRun)
        return {};
    ReportModel::Section section{"Hot lines"};
    if (!material.hot.unavailable.empty()) {
        section.paragraphs.push_back("Not measured: " + material.hot.unavailable);
        return section;
    }
    if (!material.hot.note.empty())
        section.paragraphs.push_back(material.hot.note);
    ReportModel::Table table{{"Line", "Source", "Waits for", "Caused at", "Share of samples"}, {}, 4};
    for (const HotLine& row : material.hot.lines)
        table.rows.push_back({placeText(row.line.file, row.line.line), orDash(row.text),
                              orDash(row.stall.empty() ? row.stall : stallTitle(row.stall)), placeText(row.cause.file, row.cause.line),
                              formatPercent(row.line.share * 100)});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section changeSection(const SessionMaterial& material)
{
    const SessionView& view = material.view;
    if (!view.candidate)
        return {};
    ReportModel::Section section{"The change"};
    section.paragraphs.push_back(
        *view.candidate == view.current
            ? fmt::format("{}: {}, old version against edited.", orDash(view.fixTitle), toText(view.current))
            : fmt::format("{}: {} versus {}.", orDash(view.fixTitle), toText(*view.candidate), toText(view.current)));
    if (view.sourceChange)
        section.paragraphs.push_back(fmt::format("Edited source: {}, {}.", view.sourceChange->file, view.sourceChange->summary));
    for (const ParkedStep& step : view.parked)
        section.paragraphs.push_back(fmt::format("Set aside before: {} ({} → {}), {}.", step.title, toText(step.from), toText(step.to),
                                                 formatRatio(step.ratio.value)));
    for (const Address& tried : view.tried)
        section.paragraphs.push_back(fmt::format("Tried and reverted: {}.", toText(tried)));
    if (view.candidateRun && !view.candidateRun->correctness.suite.empty()) {
        ReportModel::Table suite{{"Size", "Result", "Max abs error", "Mean abs error", "Relative L2"}, {}, 2};
        for (const SuiteRow& row : view.candidateRun->correctness.suite)
            suite.rows.push_back({row.problem, row.pass ? "✓ correct" : "✕ " + orDash(row.reason), fmt::format("{:.3g}", row.maxAbs),
                                  row.meanAbs ? fmt::format("{:.3g}", *row.meanAbs) : kNoValue, fmt::format("{:.3g}", row.relL2)});
        section.tables.push_back(std::move(suite));
    }
    if (const std::optional<Comparison>& ab = view.evaluation) {
        section.paragraphs.push_back(ab->sentence);
        if (!ab->statistics.empty())
            section.paragraphs.push_back(ab->statistics);
        if (!ab->noise.from.empty())
            section.paragraphs.push_back(fmt::format("A/A noise of this device: {} ({}).",
                                                     ab->noise.value ? formatPercent(*ab->noise.value * 100) : kNoValue, ab->noise.from));
        if (ab->energy)
            section.paragraphs.push_back(fmt::format("Energy before / energy after: {}.", energyRatioText(*ab->energy)));
        if (const std::string svg = ratioSvg(*ab, material.plan.keepAt(), ab->sentence); !svg.empty())
            section.charts.push_back(
                {svg, fmt::format("Improvement (old / new), one dot per block of interleaved launches ({} blocks); the "
                                  "band is the interval.",
                                  ab->blocks)});
    }
    if (view.profileRun && view.profileRun->diagnosis)
        section.tables.push_back(outcomeTable(view, view.profileRun->diagnosis->finding));
    section.targets.push_back({"outcome", "The outcome"});
    return section;
}

} // namespace kl::inline report
