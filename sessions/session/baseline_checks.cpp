// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/stats/correctness_text.h"
#include "sessions/session/check_functions.h"
#include "sessions/session/gate.h"

#include <fmt/format.h>

namespace kl::inline session::checks {
namespace {

GateResult resultFrom(CheckResult result)
{
    return result == CheckResult::pass ? GateResult::pass : result == CheckResult::fail ? GateResult::fail : GateResult::unknown;
}

/// Ran to the end with a correct result; `why` says what went wrong.
bool right(const RunRecord& run, std::string& why)
{
    if (isRefuted(run.correctness.result))
        why = describeRefuted(run.correctness);
    else if (run.status != ResultStatus::ok)
        why = run.reason.empty() ? "the run failed" : run.reason;
    else if (run.correctness.result != CorrectnessResult::correct)
        why = run.correctness.reason.empty() ? "the result was not checked" : run.correctness.reason;
    return why.empty();
}

CheckRow correctnessRow(const std::optional<RunRecord>& run, CheckRow row)
{
    row.threshold = "correct, within the kernel's tolerance";
    row.why = "The time of an incorrect kernel means nothing.";
    if (!run)
        return row;
    row.evidence = "run:" + run->id.text;
    std::string why;
    row.result = right(*run, why) ? GateResult::pass : GateResult::fail;
    row.found = why.empty() ? fmt::format("{}: {}", toText(run->problem), differenceText(run->correctness))
                            : fmt::format("{}: {}", toText(run->problem), why);
    if (!why.empty())
        row.next = {{StepId::run, {{StepArgument::kernel, toText(run->kernel)}, {StepArgument::problem, toText(run->problem)}}}};
    return row;
}

} // namespace

std::vector<CheckRow> environment(const GateInput& input)
{
    const std::optional<EnvReport>& report = input.view.environment;
    if (!report || report->checks.empty())
        return {{"environment",
                 Requirement::required,
                 report ? GateResult::fail : GateResult::unknown,
                 "Environment check",
                 report ? "the check returned no result" : "",
                 "every required check passes",
                 "A missing tool that is noticed after an hour of work costs that hour.",
                 "",
                 "",
                 {{StepId::checkEnvironment}}}};
    std::vector<CheckRow> rows;
    for (const EnvCheck& check : report->checks) {
        CheckRow row{check.id, check.requirement, resultFrom(check.result), check.id, check.found, "", check.why, check.fix,
                     "",       check.next};
        if (check.result == CheckResult::skipped)
            row.requirement = Requirement::optional; // a check that could not run does not block; its row says so
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<CheckRow> smallestCorrect(const GateInput& input)
{
    return {correctnessRow(input.view.smallestRun,
                           {"smallest-correct", Requirement::required, GateResult::unknown, "Correct at the smallest size"})};
}

std::vector<CheckRow> kernelCorrect(const GateInput& input)
{
    return {
        correctnessRow(input.view.baselineRun, {"kernel-correct", Requirement::required, GateResult::unknown, "Correct on this problem"})};
}

std::vector<CheckRow> baselineMeasured(const GateInput& input)
{
    CheckRow row{"baseline-measured", Requirement::required, GateResult::unknown, "Baseline measured in the same run"};
    row.threshold = "kernel and baseline times";
    row.why = "Published figures are only claims; a comparison needs the same run on the same device.";
    if (const std::optional<RunRecord>& run = input.view.baselineRun) {
        row.evidence = "run:" + run->id.text;
        const bool kernel = run->timing && run->timing->gpu.median > 0;
        const bool baseline = run->baseline && run->baseline->gpu;
        row.result = kernel && baseline ? GateResult::pass : GateResult::fail;
        if (kernel && baseline)
            row.found = fmt::format("{} {}, {} {}", toText(run->kernel), formatTime(run->timing->gpu.median), run->baseline->name,
                                    formatTime(run->baseline->gpu->median));
        else if (!kernel)
            row.found = "the kernel has no time";
        else
            row.found = fmt::format("{} unavailable: {}", run->baseline ? run->baseline->name : "baseline",
                                    run->baseline && !run->baseline->unavailable.empty() ? run->baseline->unavailable : "no reason given");
    }
    return {row};
}

std::vector<CheckRow> speedupLevel(const GateInput& input)
{
    // Below speedup_min the gate fails, but does not block: the way on is the profile, and the rule stop-below-half closes all else.
    CheckRow row{"speedup-level", Requirement::required, GateResult::unknown, "Speedup"};
    row.blocks = false;
    row.threshold = fmt::format("at least {}", formatRatio(input.plan.threshold("speedup_min")));
    row.why = "Far from the baseline, guessing wastes hours: the profile comes first.";
    if (const std::optional<RunRecord>& run = input.view.baselineRun; run && run->speedup) {
        row.evidence = "run:" + run->id.text;
        row.found = fmt::format("{}, {}", formatRatio(*run->speedup), chooseLevel(*run->speedup, input.plan));
        row.result = *run->speedup >= input.plan.threshold("speedup_min") ? GateResult::pass : GateResult::fail;
        if (row.result == GateResult::fail)
            row.next = {{StepId::profile, {{StepArgument::kernel, toText(run->kernel)}}}};
    }
    return {row};
}

std::vector<CheckRow> speedupTarget(const GateInput& input)
{
    CheckRow row{"speedup-target", Requirement::optional, GateResult::unknown, "Speedup against the target"};
    const double target = input.plan.threshold("speedup_target");
    row.threshold = fmt::format("at least {}", formatRatio(target));
    row.why = "The goal of the sessions together: a kernel that reaches it is worth publishing.";
    if (const std::optional<RunRecord>& run = input.view.baselineRun; run && run->speedup) {
        row.evidence = "run:" + run->id.text;
        row.result = *run->speedup >= target ? GateResult::pass : GateResult::fail;
        row.found = row.result == GateResult::pass
                        ? formatRatio(*run->speedup)
                        : fmt::format("{}; must be {} faster", formatRatio(*run->speedup), formatRatio(target / *run->speedup));
    }
    return {row};
}

std::vector<CheckRow> profileTaken(const GateInput& input)
{
    CheckRow row{"profile-taken", Requirement::required, GateResult::unknown, "Profile of this kernel on this problem"};
    row.threshold = fmt::format("{} at {}", toText(input.view.current), toText(input.view.problem));
    row.why = "Four out of five guesses miss the bottleneck.";
    if (const std::optional<RunRecord>& run = input.view.profileRun) {
        row.evidence = "run:" + run->id.text;
        row.found = fmt::format("{} at {}", toText(run->kernel), toText(run->problem));
        std::string why;
        // A profile of the variant before is stale, not wrong: the gate says so.
        const bool isCurrent = run->kernel == input.view.current || input.view.stale.contains(Evidence::profile);
        const bool same = isCurrent && run->problem == input.view.problem;
        row.result = same && right(*run, why) ? GateResult::pass : GateResult::fail;
        if (!why.empty())
            row.found += ": " + why;
    }
    return {row};
}

std::vector<CheckRow> metricsMeasured(const GateInput& input)
{
    CheckRow row{"metrics-measured", Requirement::required, GateResult::unknown, "Hardware metrics"};
    row.threshold = "measured, not inferred";
    row.why = "A finding without counters is a guess.";
    if (const std::optional<RunRecord>& run = input.view.profileRun) {
        row.evidence = "run:" + run->id.text;
        std::size_t values = 0;
        if (run->metrics)
            for (const auto& [name, value] : run->metrics->values)
                values += value.has_value() ? 1U : 0U;
        row.result = values > 0 ? GateResult::pass : GateResult::fail;
        row.found = values == 0 ? "none" : fmt::format("{} metrics, {} missing", values, run->metrics->missing.size());
        if (values == 0)
            row.next = {{StepId::checkEnvironment}};
    }
    return {row};
}

std::vector<CheckRow> passesComplete(const GateInput& input)
{
    CheckRow row{"passes-complete", Requirement::optional, GateResult::unknown, "All planned passes ran"};
    row.why = "A pass that did not run leaves metrics out.";
    if (const std::optional<RunRecord>& run = input.view.profileRun; run && run->metrics) {
        row.evidence = "run:" + run->id.text;
        row.threshold = fmt::format("{}", run->metrics->plan.passes);
        row.found = fmt::format("{} of {}", run->metrics->plan.ran, run->metrics->plan.passes);
        row.result = run->metrics->plan.ran == run->metrics->plan.passes ? GateResult::pass : GateResult::fail;
    }
    return {row};
}

std::vector<CheckRow> findingClassified(const GateInput& input)
{
    CheckRow row{"finding-classified", Requirement::required, GateResult::unknown, "Finding"};
    row.threshold = "one bottleneck class, with evidence";
    row.why = "The fix list depends on the class.";
    if (const std::optional<RunRecord>& run = input.view.profileRun) {
        row.evidence = "run:" + run->id.text;
        const Finding* finding = run->diagnosis ? &run->diagnosis->finding : nullptr;
        const bool good = finding && !finding->classId.empty() && finding->classId != "invalid" && !finding->inferred;
        row.result = good ? GateResult::pass : GateResult::fail;
        row.found = !finding ? "none" : fmt::format("{} {}: {}", finding->priority, finding->classId, finding->title);
    }
    return {row};
}

} // namespace kl::inline session::checks
