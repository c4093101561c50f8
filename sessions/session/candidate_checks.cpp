// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/device/shared_memory.h"
#include "core/stats/ab.h"
#include "core/stats/ratio_text.h"
#include "sessions/measure/compare.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/check_functions.h"
#include "sessions/session/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session::checks {
namespace {

CheckRow makeCandidateRow(const GateInput& input, const char* id, const char* title, Requirement requirement = Requirement::required)
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

} // namespace

std::vector<CheckRow> oneVariable(const GateInput& input)
{
    CheckRow row = makeCandidateRow(input, "one-variable", "One variable changed");
    const bool searched = input.view.fix == kSearchFix;
    row.threshold = searched ? "the tunables, by one search" : "one variant, one tunable, or one edit of the source";
    row.why = "With two changes at once neither can be credited or blamed.";
    row.evidence.clear();
    if (input.view.candidate && input.family) {
        const std::vector<std::string> changes =
            listChangedVariables(*input.family, input.view.current, *input.view.candidate, input.view.sourceChange);
        row.result = changes.size() == 1 || (searched && !changes.empty()) ? GateResult::pass : GateResult::fail;
        for (const std::string& change : changes)
            row.found += (row.found.empty() ? "" : "; ") + change;
        if (changes.empty())
            row.found = "nothing changed";
    }
    return {row};
}

std::vector<CheckRow> sharedMemory(const GateInput& input)
{
    CheckRow row = makeCandidateRow(input, "shared-memory", "Shared memory per block");
    row.why = "An overflow found after compiling cost an hour's rebuild.";
    if (const std::optional<RunRecord>& run = input.view.candidateRun) {
        std::int64_t used = 0;
        for (const LaunchFacts& launch : run->launches)
            used = std::max(used, launch.staticSmem + launch.dynamicSmem);
        const std::int64_t limit = run->device.smemPerBlockOptin;
        row.threshold = limit > 0 ? fmt::format("at most {}", formatBytes(static_cast<double>(limit))) : "the device's limit";
        row.found = run->launches.empty() ? "not evaluated: nothing was launched" : formatBytes(static_cast<double>(used));
        if (run->launches.empty() || limit <= 0)
            row.requirement = Requirement::optional;
        else
            row.result = smemFit(used, limit).fits ? GateResult::pass : GateResult::fail;
    }
    return {row};
}

std::vector<CheckRow> peakMemory(const GateInput& input)
{
    CheckRow row = makeCandidateRow(input, "peak-memory", "Peak device memory", Requirement::optional);
    const double times = input.plan.threshold("peak_memory_max");
    row.threshold = fmt::format("at most {} the kept variant's", formatRatio(times));
    row.why = "A kernel that gains speed by using all the memory is of little use.";
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

/// The documents' criterion: less than twice the memory of PyTorch's own call.
std::vector<CheckRow> peakMemoryBaseline(const GateInput& input)
{
    CheckRow row = makeCandidateRow(input, "peak-memory-baseline", "Peak device memory against the baseline", Requirement::optional);
    const double times = input.plan.threshold("peak_memory_max");
    row.threshold = fmt::format("at most {} the baseline's", formatRatio(times));
    row.why = "A kernel that needs more memory than the library's own call cannot take its place.";
    const std::optional<RunRecord>& run = input.view.candidateRun;
    if (!run || !run->memoryBytes)
        return {row};
    const auto now = static_cast<double>(*run->memoryBytes);
    if (!run->baseline || !run->baseline->memoryBytes || *run->baseline->memoryBytes <= 0) {
        row.found = fmt::format("{}; the baseline's is not recorded", formatBytes(now));
        return {row};
    }
    const auto theirs = static_cast<double>(*run->baseline->memoryBytes);
    row.found = fmt::format("{}, {} {}", formatBytes(now), run->baseline->name, formatBytes(theirs));
    row.result = now <= times * theirs ? GateResult::pass : GateResult::fail;
    return {row};
}

std::vector<CheckRow> memoryClean(const GateInput& input)
{
    CheckRow row{"memory-clean", Requirement::required, GateResult::unknown, "Memory accesses"};
    row.threshold = "no errors from compute-sanitizer's memcheck and initcheck";
    for (const std::string& tool : input.view.foundBy)
        if (row.threshold.find(tool) == std::string::npos)
            row.threshold += fmt::format(", nor from {}, which found one before", tool);
    row.why = "Reading out of bounds, or reading uninitialized memory, can give a correct result by chance.";
    const std::optional<MemoryCheck>& check = input.view.memoryCheck;
    if (!hasSanitizer(input.view, input.family)) {
        row.requirement = Requirement::optional;
        row.found = "not checked: recorded data cannot run kernels";
    } else if (check && check->found > 0) {
        row.result = GateResult::fail;
        row.found = check->seen;
    } else if (check && check->complete) {
        row.result = GateResult::pass;
        row.found = check->seen;
    } else if (check) { // a tool that cannot look says nothing against the kernel
        row.requirement = Requirement::optional;
        row.found = "not checked: " + (check->unavailable.empty() ? check->seen : check->unavailable);
    }
    return {row};
}

std::vector<CheckRow> bothCorrect(const GateInput& input)
{
    CheckRow row = evaluationRow(input, "both-correct", "Both versions correct while timed");
    row.threshold = "correct";
    row.why = "Correctness is part of every run.";
    if (const std::optional<Comparison>& seen = input.view.evaluation) {
        // "wrong-result" without a side: as older versions kept it
        const bool wrong = seen->refuted || seen->reason == "wrong-result" || seen->reason == "run-failed";
        row.result = wrong ? GateResult::fail : GateResult::pass;
        const bool unchecked = std::ranges::any_of(seen->warnings, [](const Warning& w) { return w.code == kPassesUnchecked; });
        row.found = wrong ? seen->sentence : unchecked ? "correct before timing; the timed passes were not checked" : "correct";
    }
    return {row};
}

std::vector<CheckRow> comparable(const GateInput& input)
{
    CheckRow row = evaluationRow(input, "comparable", "Measured under the same conditions");
    row.threshold = "interleaved blocks on one device";
    row.why = "A different device, driver or clock state is a different experiment.";
    if (const std::optional<Comparison>& seen = input.view.evaluation) {
        row.result = seen->verdict == Verdict::notComparable || !seen->ratio ? GateResult::fail : GateResult::pass;
        row.found = row.result == GateResult::pass ? fmt::format("{} interleaved blocks", seen->blocks) : seen->sentence;
    }
    return {row};
}

std::vector<CheckRow> improvement(const GateInput& input)
{
    CheckRow row = evaluationRow(input, "improvement", "Improvement (old / new)");
    const double keepAt = input.plan.keepAt();
    row.threshold = fmt::format("lower bound of the 95 % CI at least {}", formatRatio(keepAt));
    row.why = "A smaller improvement is not worth the added code.";
    const std::optional<Comparison>& seen = input.view.evaluation;
    if (!seen || !seen->ratio) {
        if (input.view.parkedRatio)
            row.found = fmt::format("set aside so far: {}", ratioText(*input.view.parkedRatio));
        return {row};
    }
    row.found = ratioText(*seen->ratio);
    Ratio judged = *seen->ratio;
    if (!input.view.parked.empty()) {
        judged = computeProduct(input.view.parked, seen->ratio);
        row.found += fmt::format("; together with {} set aside: {}", input.view.parked.size(), ratioText(judged));
    }
    std::vector<CheckRow> rows;
    if (seen->wall) {
        CheckRow wall = evaluationRow(input, "step-time", "Wall time of a step, old / new");
        wall.requirement = Requirement::optional;
        wall.threshold = "at least 1.00×";
        wall.why = "A kernel that is faster in a program that is not helps nobody.";
        wall.found = fmt::format("{}: {} → {}", ratioText(seen->wall->ratio), formatTime(seen->wall->aNs), formatTime(seen->wall->bNs));
        wall.result = seen->wall->ratio.high < 1 ? GateResult::fail : seen->wall->ratio.low >= 1 ? GateResult::pass : GateResult::unknown;
        rows.push_back(std::move(wall));
    }
    switch (judgeKeep(judged, seen->blocks, keepAt, seen->noise.value.value_or(0))) {
    case KeepDecision::keep: row.result = GateResult::pass; break;
    case KeepDecision::revert: row.result = GateResult::fail; break;
    case KeepDecision::moreBlocks:
    case KeepDecision::inconclusive: row.found += ", inconclusive"; break;
    }
    rows.insert(rows.begin(), std::move(row));
    return rows;
}

} // namespace kl::inline session::checks
