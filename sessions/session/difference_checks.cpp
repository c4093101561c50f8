// SPDX-License-Identifier: MIT
#include "sessions/session/check_functions.h"

#include <algorithm>
#include <fmt/format.h>

/// The October 2025 documents' plain limits of a difference, beside the kernel's own tolerance: above 0.01 not correct, above 0.1 wrong
/// rather than inaccurate.
namespace kl::inline session::checks {
namespace {

/// The limits are made for results of order one. A kernel whose own tolerance is larger has larger results, and is judged by that alone.
constexpr double kResultsOfOrderOne = 0.01;

/// The largest difference of a run, the sizes of its suite included. A size that passes although it differs by more than the kernel's
/// tolerance has a scaled one, and larger results.
double largestDifference(const RunRecord& run, const KernelFamily* family)
{
    double largest = run.correctness.maxAbs;
    for (const SuiteRow& size : run.correctness.suite)
        if (!(size.pass && family && size.maxAbs > family->tolerance.maxAbs))
            largest = std::max(largest, size.maxAbs);
    return largest;
}

std::vector<CheckRow> differenceRow(const GateInput& input, const std::optional<RunRecord>& run, CheckRow row, const char* threshold,
                                    const char* beyond)
{
    const double limit = input.plan.threshold(threshold);
    row.threshold = fmt::format("at most {:g}", limit);
    if (!run)
        return {row};
    row.evidence = "run:" + run->id.text;
    if (run->correctness.result == CorrectnessResult::notChecked) {
        row.result = GateResult::fail;
        row.found = "not checked";
        return {row};
    }
    const double largest = largestDifference(*run, input.family);
    row.found = fmt::format("{:.3g}", largest);
    if (input.family && input.family->tolerance.maxAbs > kResultsOfOrderOne) {
        row.requirement = Requirement::optional;
        row.result = largest <= input.family->tolerance.maxAbs ? GateResult::pass : GateResult::fail;
        row.found += fmt::format("; the kernel's own tolerance applies: {:g}", input.family->tolerance.maxAbs);
        return {row};
    }
    row.result = largest <= limit ? GateResult::pass : GateResult::fail;
    if (row.result == GateResult::fail)
        row.found += beyond;
    return {row};
}

std::vector<CheckRow> plain(const GateInput& input, const std::optional<RunRecord>& run, const char* id)
{
    CheckRow row{id, Requirement::required, GateResult::unknown, "Largest difference"};
    row.why = "A plain limit beside the kernel's own tolerance: the original success criterion against PyTorch.";
    return differenceRow(input, run, std::move(row), "max_abs_diff", "");
}

std::vector<CheckRow> gross(const GateInput& input, const std::optional<RunRecord>& run, const char* id)
{
    CheckRow row{id, Requirement::required, GateResult::unknown, "Gross error"};
    row.why = "A difference this large comes from a bug, not from rounding: look for an index, a bound, or a missing barrier.";
    return differenceRow(input, run, std::move(row), "gross_error", ": too large for rounding");
}

} // namespace

std::vector<CheckRow> kernelMaxDifference(const GateInput& input)
{
    return plain(input, input.view.baselineRun, "kernel-max-difference");
}

std::vector<CheckRow> kernelGrossError(const GateInput& input)
{
    return gross(input, input.view.baselineRun, "kernel-gross-error");
}

std::vector<CheckRow> smallestGrossError(const GateInput& input)
{
    std::vector<CheckRow> rows = gross(input, input.view.smallestRun, "smallest-gross-error");
    for (CheckRow& row : rows) {
        row.title = "Smallest size: difference that warns";
        row.requirement = Requirement::optional;
    }
    return rows;
}

std::vector<CheckRow> startMaxDifference(const GateInput& input)
{
    return plain(input, input.view.startRun, "start-max-difference");
}

std::vector<CheckRow> startGrossError(const GateInput& input)
{
    return gross(input, input.view.startRun, "start-gross-error");
}

std::vector<CheckRow> maxDifference(const GateInput& input)
{
    return plain(input, input.view.candidateRun, "max-difference");
}

std::vector<CheckRow> grossError(const GateInput& input)
{
    return gross(input, input.view.candidateRun, "gross-error");
}

} // namespace kl::inline session::checks
