// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/stats/ab.h"
#include "sessions/engine/rules.h"
#include "sessions/gates/check_functions.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::checks {
namespace {

CheckRow rowOf(const GateInput& input, const char* id, const char* title, Requirement requirement = Requirement::required)
{
    CheckRow row{id, requirement, GateResult::unknown, title};
    if (input.view.candidateRun)
        row.evidence = "run:" + input.view.candidateRun->id.text;
    return row;
}

CheckRow evaluationRow(const GateInput& input, const char* id, const char* title)
{
    CheckRow row{id, Requirement::required, GateResult::unknown, title};
    if (input.view.evaluation)
        row.evidence = "comparison:" + input.view.evaluation->id.text;
    return row;
}

/// The largest of a count over the measured problem and every row of the suite.
template <class Field> std::int64_t total(const Correctness& correctness, Field field)
{
    std::int64_t sum = field(correctness);
    for (const SuiteRow& row : correctness.suite)
        sum += field(row);
    return sum;
}

CheckRow countRow(const GateInput& input, CheckRow row, std::int64_t count, const char* noun)
{
    if (!input.view.candidateRun)
        return row;
    if (input.view.candidateRun->correctness.result == CorrectnessResult::notChecked) {
        row.found = "not checked";
        row.result = GateResult::fail;
        return row;
    }
    row.found = fmt::format("{} {}", formatCount(static_cast<double>(count)), noun);
    row.result = count == 0 ? GateResult::pass : GateResult::fail;
    return row;
}

} // namespace

std::vector<CheckRow> oneVariable(const GateInput& input)
{
    CheckRow row = rowOf(input, "one-variable", "One variable changed");
    row.threshold = "one step of the ladder, or one tunable";
    row.why = "With two changes at once neither can be credited or blamed.";
    row.evidence.clear();
    if (input.view.candidate && input.family) {
        const std::vector<std::string> changes = changedVariables(*input.family, input.view.start, *input.view.candidate);
        row.result = changes.size() == 1 ? GateResult::pass : GateResult::fail;
        for (const std::string& change : changes)
            row.found += (row.found.empty() ? "" : "; ") + change;
        if (changes.empty())
            row.found = "nothing changed";
    }
    return {row};
}

std::vector<CheckRow> sharedMemory(const GateInput& input)
{
    CheckRow row = rowOf(input, "shared-memory", "Shared memory a block");
    row.why = "An overflow found after compiling cost an hour's rebuild.";
    if (const std::optional<RunRecord>& run = input.view.candidateRun) {
        std::int64_t used = 0;
        for (const LaunchFacts& launch : run->launches)
            used = std::max(used, launch.staticSmem + launch.dynamicSmem);
        const std::int64_t limit = run->device.smemPerBlockOptin;
        row.threshold = limit > 0 ? fmt::format("at most {}", formatBytes(static_cast<double>(limit))) : "the device's limit";
        row.found = run->launches.empty() ? "not known: nothing was launched" : formatBytes(static_cast<double>(used));
        if (run->launches.empty() || limit <= 0)
            row.requirement = Requirement::optional;
        else
            row.result = used <= limit ? GateResult::pass : GateResult::fail;
    }
    return {row};
}

std::vector<CheckRow> suiteRight(const GateInput& input)
{
    CheckRow row = rowOf(input, "suite-right", "Right on every size");
    row.why = "A kernel right on one size is often right by accident.";
    const std::size_t sizes = input.family ? input.family->suite.size() : 0;
    row.threshold = sizes > 0 ? fmt::format("{} of {} sizes", sizes, sizes) : "every size";
    if (const std::optional<RunRecord>& run = input.view.candidateRun) {
        const std::vector<SuiteRow>& suite = run->correctness.suite;
        const auto passed =
            static_cast<std::size_t>(std::count_if(suite.begin(), suite.end(), [](const SuiteRow& size) { return size.pass; }));
        row.found = fmt::format("{} of {} sizes", passed, std::max(sizes, suite.size()));
        const bool good = run->status == ResultStatus::ok && run->correctness.result == CorrectnessResult::pass && passed == suite.size() &&
                          suite.size() >= sizes;
        row.result = good ? GateResult::pass : GateResult::fail;
        const auto wrong = std::find_if(suite.begin(), suite.end(), [](const SuiteRow& size) { return !size.pass; });
        if (wrong != suite.end())
            row.found += fmt::format("; {}: {}", wrong->problem, wrong->reason.empty() ? "wrong result" : wrong->reason);
        else if (!good && !run->reason.empty())
            row.found += "; " + run->reason;
        else if (!good && !run->correctness.reason.empty())
            row.found += "; " + run->correctness.reason;
        if (!good)
            row.fix = fmt::format("kloop run {} --suite", toText(run->kernel));
    }
    return {row};
}

std::vector<CheckRow> finite(const GateInput& input)
{
    CheckRow row = rowOf(input, "finite", "No NaN or Inf");
    row.threshold = "0";
    const auto field = [](const auto& item) { return item.nonfinite; };
    return {countRow(input, row, input.view.candidateRun ? total(input.view.candidateRun->correctness, field) : 0, "not finite")};
}

std::vector<CheckRow> written(const GateInput& input)
{
    CheckRow row = rowOf(input, "written", "Every output written");
    row.threshold = "0";
    const auto field = [](const auto& item) { return item.unwritten; };
    return {countRow(input, row, input.view.candidateRun ? total(input.view.candidateRun->correctness, field) : 0, "unwritten")};
}

std::vector<CheckRow> peakMemory(const GateInput& input)
{
    CheckRow row = rowOf(input, "peak-memory", "Peak device memory", Requirement::optional);
    const double times = input.plan.threshold("peak_memory_max");
    row.threshold = fmt::format("at most {} the kept variant's", formatRatio(times));
    row.why = "A kernel that is faster by taking all the memory is of little use.";
    const std::optional<RunRecord>& run = input.view.candidateRun;
    const std::optional<RunRecord>& old = input.view.baselineRun;
    if (run && run->memoryBytes && old && old->memoryBytes && *old->memoryBytes > 0) {
        const auto now = static_cast<double>(*run->memoryBytes);
        const auto before = static_cast<double>(*old->memoryBytes);
        row.found = fmt::format("{}, before {}", formatBytes(now), formatBytes(before));
        row.result = now <= times * before ? GateResult::pass : GateResult::fail;
    }
    return {row};
}

std::vector<CheckRow> bothRight(const GateInput& input)
{
    CheckRow row = evaluationRow(input, "both-right", "Both sides right while timed");
    row.threshold = "right";
    row.why = "Correctness is part of every run.";
    if (const std::optional<Comparison>& seen = input.view.evaluation) {
        const bool wrong = seen->reason == "wrong-result" || seen->reason == "run-failed";
        row.result = wrong ? GateResult::fail : GateResult::pass;
        row.found = wrong ? seen->sentence : "right";
    }
    return {row};
}

std::vector<CheckRow> comparable(const GateInput& input)
{
    CheckRow row = evaluationRow(input, "comparable", "Measured under the same conditions");
    row.threshold = "interleaved blocks on one device";
    row.why = "Another device, driver or clock state is another experiment.";
    if (const std::optional<Comparison>& seen = input.view.evaluation) {
        row.result = seen->verdict == Verdict::notComparable || !seen->ratio ? GateResult::fail : GateResult::pass;
        row.found = row.result == GateResult::pass ? fmt::format("{} interleaved blocks", seen->blocks) : seen->sentence;
    }
    return {row};
}

std::vector<CheckRow> improvement(const GateInput& input)
{
    CheckRow row = evaluationRow(input, "improvement", "Old time / new time");
    const double keepAt = input.plan.keepAt();
    row.threshold = fmt::format("lower end of the 95 % interval at least {}", formatRatio(keepAt));
    row.why = "A smaller gain does not pay for the code it adds.";
    const std::optional<Comparison>& seen = input.view.evaluation;
    if (!seen || !seen->ratio)
        return {row};
    row.found =
        fmt::format("{} ({} to {})", formatRatio(seen->ratio->value), formatRatio(seen->ratio->low), formatRatio(seen->ratio->high));
    switch (judgeKeep(*seen->ratio, seen->blocks, keepAt, seen->noise.value.value_or(0))) {
    case KeepDecision::keep: row.result = GateResult::pass; break;
    case KeepDecision::revert: row.result = GateResult::fail; break;
    case KeepDecision::moreBlocks:
    case KeepDecision::inconclusive: row.found += ", inconclusive"; break;
    }
    return {row};
}

} // namespace kl::checks
