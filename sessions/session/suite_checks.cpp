// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/stats/correctness_text.h"
#include "sessions/session/check_functions.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session::checks {
namespace {

using Run = std::optional<RunRecord>;

CheckRow makeSuiteRow(const Run& run, const char* id, const char* title)
{
    CheckRow row{id, Requirement::required, GateResult::unknown, title};
    if (run)
        row.evidence = "run:" + run->id.text;
    return row;
}

/// A count over the measured problem and every row of the suite.
template <class Field> std::int64_t total(const Correctness& correctness, Field field)
{
    std::int64_t sum = field(correctness);
    for (const SuiteRow& row : correctness.suite)
        sum += field(row);
    return sum;
}

template <class Field> std::vector<CheckRow> countRow(const Run& run, CheckRow row, Field field, const char* noun)
{
    row.threshold = "0";
    if (!run)
        return {row};
    if (run->correctness.result == CorrectnessResult::notChecked) {
        row.found = "not checked";
        row.result = GateResult::fail;
        return {row};
    }
    const std::int64_t count = total(run->correctness, field);
    row.found = fmt::format("{} {}", formatCount(static_cast<double>(count)), noun);
    row.result = count == 0 ? GateResult::pass : GateResult::fail;
    return {row};
}

std::vector<CheckRow> everySize(const Run& run, CheckRow row, const KernelFamily* family)
{
    row.why = "A kernel correct at one size is often correct by accident.";
    const std::size_t sizes = family ? family->suite.size() : 0;
    row.threshold = sizes > 0 ? fmt::format("{} of {} sizes", sizes, sizes) : "every size";
    if (!run)
        return {row};
    const std::vector<SuiteRow>& suite = run->correctness.suite;
    const auto passed = static_cast<std::size_t>(std::count_if(suite.begin(), suite.end(), [](const SuiteRow& size) { return size.pass; }));
    row.found = fmt::format("{} of {} sizes", passed, std::max(sizes, suite.size()));
    const bool good = run->status == ResultStatus::ok && run->correctness.result == CorrectnessResult::correct && passed == suite.size() &&
                      suite.size() >= sizes;
    row.result = good ? GateResult::pass : GateResult::fail;
    const auto wrong = std::find_if(suite.begin(), suite.end(), [](const SuiteRow& size) { return !size.pass; });
    if (wrong != suite.end())
        row.found += fmt::format("; {}: {}", wrong->problem, wrong->reason.empty() ? "incorrect" : wrong->reason);
    else if (isRefuted(run->correctness.result))
        row.found += "; " + describeRefuted(run->correctness);
    else if (!good && !run->reason.empty())
        row.found += "; " + run->reason;
    else if (!good && !run->correctness.reason.empty())
        row.found += "; " + run->correctness.reason;
    if (!good)
        row.next = {{StepId::run, {{StepArgument::kernel, toText(run->kernel)}, {StepArgument::suite, "on"}}}};
    return {row};
}

constexpr auto kNonfinite = [](const auto& item) { return item.nonfinite; };
constexpr auto kUnwritten = [](const auto& item) { return item.unwritten; };

} // namespace

std::vector<CheckRow> startCorrect(const GateInput& input)
{
    return everySize(input.view.startRun, makeSuiteRow(input.view.startRun, "start-correct", "Correct at every size"), input.family);
}

std::vector<CheckRow> startFinite(const GateInput& input)
{
    return countRow(input.view.startRun, makeSuiteRow(input.view.startRun, "start-finite", "No NaN or Inf"), kNonfinite, "not finite");
}

std::vector<CheckRow> startWritten(const GateInput& input)
{
    return countRow(input.view.startRun, makeSuiteRow(input.view.startRun, "start-written", "Every output written"), kUnwritten,
                    "unwritten");
}

std::vector<CheckRow> suiteCorrect(const GateInput& input)
{
    return everySize(input.view.candidateRun, makeSuiteRow(input.view.candidateRun, "suite-correct", "Correct at every size"),
                     input.family);
}

std::vector<CheckRow> finite(const GateInput& input)
{
    return countRow(input.view.candidateRun, makeSuiteRow(input.view.candidateRun, "finite", "No NaN or Inf"), kNonfinite, "not finite");
}

std::vector<CheckRow> written(const GateInput& input)
{
    return countRow(input.view.candidateRun, makeSuiteRow(input.view.candidateRun, "written", "Every output written"), kUnwritten,
                    "unwritten");
}

std::vector<CheckRow> failingCaseFixed(const GateInput& input)
{
    const Run& run = input.view.minimalRun;
    CheckRow row = makeSuiteRow(run, "failing-case-fixed", "Minimal failing case fixed");
    row.threshold = input.view.failingProblem ? fmt::format("correct at {}", toText(*input.view.failingProblem)) : "correct";
    row.why = "The smallest failing case is the quickest way to verify a fix.";
    if (!run)
        return {row};
    const bool right = run->status == ResultStatus::ok && run->correctness.result == CorrectnessResult::correct;
    row.result = right ? GateResult::pass : GateResult::fail;
    const std::string why = describeRefuted(run->correctness);
    row.found = right ? fmt::format("{}: max abs error {:.3g}", toText(run->problem), run->correctness.maxAbs)
                      : fmt::format("{}: {}", toText(run->problem), why.empty() ? run->reason : why);
    return {row};
}

} // namespace kl::inline session::checks
