// SPDX-License-Identifier: MIT
#include "core/diagnosis/targets.h"
#include "sessions/session/check_functions.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session::checks {
namespace {

GateResult gateResult(TargetResult result)
{
    return result == TargetResult::meets ? GateResult::pass : result == TargetResult::misses ? GateResult::fail : GateResult::unknown;
}

/// Informs, never blocks: what limits the kernel is the finding's answer, and a target that it misses may not be the limit.
std::vector<CheckRow> targetRow(const GateInput& input, const char* id)
{
    const std::optional<RunRecord>& run = input.view.profileRun;
    const std::vector<TargetRow> rows = compareWithTargets(run.value_or(RunRecord{}), collectLimits(input.plan));
    const TargetRow& target = *std::ranges::find(rows, id, &TargetRow::id);
    CheckRow row{id, Requirement::optional, GateResult::unknown, target.title};
    row.threshold = limitText(target, target.method);
    row.why = target.method.source;
    if (run) {
        row.evidence = "run:" + run->id.text;
        row.result = gateResult(target.method.result);
        row.found = valueText(target);
        if (target.value && target.document.limit != target.method.limit) // the row's verdict is the method's
            row.found += fmt::format("; original target: {}", limitText(target, target.document));
        row.fix = target.action;
    }
    return {row};
}

} // namespace

std::vector<CheckRow> memoryBandwidth(const GateInput& input)
{
    return targetRow(input, "memory-bandwidth");
}

std::vector<CheckRow> occupancy(const GateInput& input)
{
    return targetRow(input, "occupancy");
}

std::vector<CheckRow> kernelDuration(const GateInput& input)
{
    return targetRow(input, "kernel-duration");
}

std::vector<CheckRow> warpEfficiency(const GateInput& input)
{
    return targetRow(input, "warp-efficiency");
}

std::vector<CheckRow> bankConflicts(const GateInput& input)
{
    return targetRow(input, "bank-conflicts");
}

} // namespace kl::inline session::checks
