// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/render/render_baselines.h"
#include "app/kloop/render/render_show.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/codec/model_fields.h"
#include "core/diagnosis/estimate_text.h"
#include "core/diagnosis/targets.h"
#include "core/stats/correctness_text.h"
#include "core/stats/mismatch_text.h"
#include "core/stats/timing_text.h"
#include "sessions/learning/fix_case.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kl::cli {
namespace {

/// Whether the result's reason is what ended the run: then one line says it.
bool endedByResult(const RunRecord& run)
{
    return run.status == ResultStatus::validationFailed && isRefuted(run.correctness.result);
}

std::string failureText(const RunRecord& run)
{
    const std::string word = toWord(run.status);
    return endedByResult(run) || run.reason.empty() ? word : word + ": " + run.reason;
}

/// What was measured of a first, untimed launch.
std::string figuresText(const Correctness& c)
{
    std::string text = differenceText(c);
    if (c.nonfinite > 0)
        text += fmt::format(", {} not finite", c.nonfinite);
    if (c.unwritten > 0)
        text += fmt::format(", {} not written", c.unwritten);
    if (c.peerMaxAbs)
        text += fmt::format(" (PyTorch's own 16-bit kernel: {:.2g})", *c.peerMaxAbs);
    if (!c.suite.empty()) {
        const auto passed = std::ranges::count_if(c.suite, [](const SuiteRow& row) { return row.pass; });
        text += fmt::format("; {} of {} sizes of the suite correct", passed, c.suite.size());
    }
    if (c.seed && *c.seed != 1)
        text += fmt::format("; inputs of --seed {}", *c.seed);
    return text;
}

std::string correctnessText(const RunRecord& run)
{
    const Correctness& c = run.correctness;
    if (c.result == CorrectnessResult::notChecked)
        return "not checked" + (c.reason.empty() ? std::string() : ": " + c.reason);
    const bool correct = c.result == CorrectnessResult::correct;
    std::string text =
        applyTone(toWord(c.result), correct ? Tone::good : Tone::bad) + (c.witness ? "; first launch: " : ", ") + figuresText(c);
    const bool reportedElsewhere = c.witness || (c.reason == run.reason && !endedByResult(run));
    return c.reason.empty() || reportedElsewhere ? text : text + ": " + c.reason;
}

std::string witnessText(const Witness& witness)
{
    const std::string place = witnessPlace(witness);
    return witness.what + (place.empty() ? "" : " (" + place + ')');
}

std::string timingText(const Timing& t)
{
    std::string text =
        t.gpu.n < 2 ? formatTime(t.gpu.median) : fmt::format("{} median ({})", formatTime(t.gpu.median), timeInterval(t.gpu));
    if (t.gpuHot)
        text += fmt::format("; L2 hot {}", formatTime(*t.gpuHot));
    if (t.host)
        text += fmt::format("; host {}", formatTime(*t.host));
    return text;
}

std::string baselineText(const RunRecord& run)
{
    const Baseline& b = *run.baseline;
    if (!b.gpu)
        return fmt::format("{}: {}", b.name, b.unavailable);
    std::string text = fmt::format("{}, {}", b.name, formatTime(b.gpu->median));
    if (!b.version.empty())
        text += fmt::format(" ({})", b.version);
    return text;
}

std::string importText(const ImportFacts& imported)
{
    std::string text = fmt::format("{}, {} {}", imported.file, imported.kind, imported.index + 1);
    if (!imported.kernel.empty())
        text += ": " + imported.kernel;
    if (!imported.process.empty())
        text += fmt::format("; in {}{}", imported.process, imported.host.empty() ? "" : " on " + imported.host);
    return imported.tool.empty() ? text : text + "; by " + imported.tool;
}

std::string metricsText(const MetricSet& set)
{
    const std::size_t values = set.values.size();
    std::string text =
        fmt::format("{} {}, {} missing; {} {} planned, {} ran; {}, {}, cache control: {}", formatCount(static_cast<double>(values)),
                    values == 1 ? "value" : "values", set.missing.size(), set.plan.passes, set.plan.passes == 1 ? "pass" : "passes",
                    set.plan.ran, set.rangeMode, set.replayMode, set.cacheControl);
    if (set.clockMhz)
        text += fmt::format("; {}", formatClock(*set.clockMhz));
    return text;
}

void addFacts(Table& facts, const RunRecord& run, bool stored)
{
    const bool measured = run.source == Source::live && !run.host.empty();
    facts.add({"Device",
               fmt::format("{}{}, compute capability {}{}", run.device.name, measured ? " of " + run.host : std::string(),
                           computeCapability(run.device), run.source == Source::sample ? ", recorded " + run.startedAt : std::string())});
    if (run.imported)
        facts.add({"Imported", importText(*run.imported)});
    if (run.status != ResultStatus::ok)
        facts.add({"Failed", applyTone(failureText(run), Tone::bad)});
    facts.add({"Result", correctnessText(run)});
    if (run.correctness.witness)
        facts.add({"First failure", witnessText(*run.correctness.witness)});
    if (run.correctness.firstWrong)
        facts.add({"First mismatch", mismatchText(*run.correctness.firstWrong)});
    if (run.timing) {
        facts.add({"GPU time", timingText(*run.timing)});
        facts.add({"Samples", samplesText(*run.timing)});
        if (const std::string state = gpuStateText(*run.timing); !state.empty())
            facts.add({"GPU state", state});
        if (run.timing->energy)
            facts.add({"Energy", energyText(*run.timing->energy)});
    }
    if (run.correctness.proof || (run.timing && !run.imported))
        facts.add({"Checks", proofText(run.correctness)});
    if (const auto alone = run.program ? aloneNs(run) : std::nullopt)
        facts.add({"Counted", fmt::format("{}{} for the profiled launch, from its counters", formatTime(*alone),
                                          run.metrics->clockMhz ? " at " + formatClock(*run.metrics->clockMhz) : std::string())});
    if (run.baseline && run.baselines.size() < 2)
        facts.add({"Baseline", baselineText(run)});
    if (run.speedup)
        facts.add({"Speedup", applyTone(formatRatio(*run.speedup), *run.speedup >= 1 ? Tone::good : Tone::bad)});
    if (run.memoryBytes)
        facts.add({"Memory", memoryText(*run.memoryBytes, run.baseline)});
    if (run.metrics && !(run.metrics->values.empty() && run.metrics->missing.empty()))
        facts.add({"Metrics", metricsText(*run.metrics)});
    for (const Warning& warning : run.warnings)
        facts.add({"Note", withCommands(warning.text, warning.next)});
    if (stored)
        facts.add({"Stored as", "run:" + run.id.text});
}

/// The commands of a fix's steps that no fix before it has listed. Who profiled a program knows that command.
std::string newCommands(const std::vector<NextStep>& steps, std::set<std::string>& shown)
{
    std::string text;
    for (const NextStep& step : steps)
        if (const std::string command = formatCommand(step); step.id != StepId::profileProgram && shown.insert(command).second)
            text += fmt::format("     {}\n", command);
    return text;
}

} // namespace

std::string formatHeading(const RunRecord& run, const std::string& kernel)
{
    return run.problem.empty() ? kernel : fmt::format("{} at {}", kernel, toText(run.problem));
}

std::string renderRun(const RunRecord& run, bool stored)
{
    Table facts({"", ""});
    addFacts(facts, run, stored);
    std::string text = applyTone(formatHeading(run, toText(run.kernel)), Tone::strong) + '\n' + facts.text("  ");
    bool anyFailed = false;
    for (const SuiteRow& row : run.correctness.suite)
        anyFailed = anyFailed || !row.pass;
    if (anyFailed) {
        Table suite({"Size", "Result", "Max abs>", "Mean abs>", "Relative L2>", "Reason"});
        for (const SuiteRow& row : run.correctness.suite)
            suite.add({row.problem, row.pass ? "correct" : "incorrect", formatNumber(row.maxAbs),
                       row.meanAbs ? formatNumber(*row.meanAbs) : kNoValue, formatNumber(row.relL2),
                       row.firstWrong ? row.reason + " First mismatch: " + mismatchText(*row.firstWrong) : row.reason});
        text += '\n' + suite.text("  ");
    }
    if (run.baselines.size() > 1)
        text += '\n' + renderBaselines(run);
    if (run.diagnosis)
        text += '\n' + renderDiagnosis(*run.diagnosis) + renderTargets(run);
    text += renderExperiments(run);
    return text;
}

std::string renderTargets(const RunRecord& run)
{
    const std::vector<TargetRow> rows = compareWithTargets(run);
    if (std::ranges::none_of(rows, [](const TargetRow& row) { return row.value.has_value(); }))
        return {};
    const auto verdict = [](const TargetRow& row, const Target& target) {
        const std::string result = target.result == TargetResult::meets    ? applyTone("pass", Tone::good)
                                   : target.result == TargetResult::misses ? applyTone("fail", Tone::bad)
                                                                           : applyTone(kNoValue, Tone::faint);
        return fmt::format("{}, {}", limitText(row, target), result);
    };
    Table table({"Metric", "Value>", "Original target", "Target"});
    for (const TargetRow& row : rows)
        table.add({row.title, valueText(row), verdict(row, row.document), verdict(row, row.method)});
    std::string text = '\n' + applyTone("Metrics against their targets", Tone::strong) + '\n' + table.text("  ");
    for (const TargetRow& row : rows)
        if (row.misses())
            text += fmt::format("  {}: {}\n", row.title, row.action);
    return text;
}

std::string renderDiagnosis(const Diagnosis& diagnosis)
{
    const Finding& f = diagnosis.finding;
    std::string text = applyTone(f.title, Tone::strong) + '\n';
    text += fmt::format("  {} ({}), confidence {}{}\n", f.classId, f.priority, formatPercent(f.confidence * 100),
                        f.inferred ? ", inferred without counters" : "");
    Table path({"Question", "Quantity", "Value>", "", "Threshold>", "Answer"});
    for (const PathEntry& entry : f.path) {
        std::vector<std::string> cells = comparisonCells(entry);
        cells.insert(cells.begin(), entry.node);
        cells.emplace_back(!entry.value ? "skipped" : entry.taken ? "yes" : "no");
        path.add(std::move(cells));
    }
    if (!path.empty())
        text += '\n' + path.text("  ");
    if (f.estimate || (f.classId != "invalid" && f.classId != "balanced"))
        text += fmt::format("\n  {}\n", estimateText(f));
    if (!f.fixes.empty())
        text += '\n';
    int number = 0;
    std::set<std::string> commands;
    for (const Fix& fix : f.fixes) {
        text += fmt::format("  {}. {} ({}), {}{}{}\n", ++number, fix.title, fix.id, fixChanceText(fix.confidence, !fix.kind.empty()),
                            fix.cases == 0   ? std::string()
                            : fix.cases == 1 ? ", 1 similar case"
                                             : fmt::format(", {} similar cases", fix.cases),
                            fix.why.empty() ? "" : ": " + fix.why);
        text += newCommands(fix.next, commands);
    }
    if (!diagnosis.secondary.empty()) {
        text += "\n  Also seen:\n";
        for (const Finding& other : diagnosis.secondary) {
            const std::optional<double> speedup = computeEstimatedSpeedup(other);
            text += fmt::format("    {} ({}{}): {}\n", other.classId, other.priority,
                                speedup ? ", estimated speedup " + shortEstimate(speedup) : "", other.title);
        }
    }
    return text;
}

} // namespace kl::cli
