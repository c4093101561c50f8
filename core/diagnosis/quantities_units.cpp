// SPDX-License-Identifier: MIT
// Quantities of how busy each unit is, as a share of its peak.
#include "core/diagnosis/quantities.h"

#include <array>

namespace kl {
namespace {

Value computeSol(const RunFacts& f)
{
    return f.metric("sm__throughput.avg.pct_of_peak_sustained_elapsed");
}
Value memorySol(const RunFacts& f)
{
    return f.metric("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
}
Value dram(const RunFacts& f)
{
    return f.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
}
Value l2(const RunFacts& f)
{
    return f.metric("lts__throughput.avg.pct_of_peak_sustained_elapsed");
}
Value l1(const RunFacts& f)
{
    return f.metric("l1tex__throughput.avg.pct_of_peak_sustained_elapsed");
}
Value tensor(const RunFacts& f)
{
    return f.metric("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed");
}
Value achievedOccupancy(const RunFacts& f)
{
    return f.metric("sm__warps_active.avg.pct_of_peak_sustained_active");
}
Value issueSlots(const RunFacts& f)
{
    return times(f.metric("smsp__issue_active.avg.per_cycle_active"), 100);
}

Value busiestPercent(const RunFacts& f)
{
    const BusiestUnit unit = busiestUnit(f);
    return unit.name ? Value(unit.percent) : std::nullopt;
}

Value fmaPipe(const RunFacts& f)
{
    return f.metric("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active");
}

/// Arithmetic pipes and instruction issue. Not sm__throughput where these are known: that counts the load/store pipe, too, and would set L1
/// against itself.
Value computeOrIssue(const RunFacts& f)
{
    const Value work = maxOf({fmaPipe(f), f.metric("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"),
                              f.metric("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"),
                              f.metric("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"), tensor(f),
                              f.metric("sm__inst_issued.avg.pct_of_peak_sustained_elapsed")});
    return fmaPipe(f) ? work : maxOf({work, computeSol(f)});
}

/// Units as a share of the launch's whole time on all multiprocessors: those that stay empty in a last wave count. A pipe's share of the
/// cycles in which its multiprocessor was active does not show them.
Value busiestElapsed(const RunFacts& f)
{
    return maxOf({computeSol(f), dram(f), l2(f), l1(f), tensor(f), f.metric("sm__inst_issued.avg.pct_of_peak_sustained_elapsed")});
}

Value memoryUnit(const RunFacts& f)
{
    return maxOf({dram(f), l2(f), l1(f)});
}

/// Positive: the memory system is busier than the multiprocessors' arithmetic and issue.
Value memoryOverCompute(const RunFacts& f)
{
    const Value memory = memoryUnit(f), compute = computeOrIssue(f);
    return memory && compute ? Value(*memory - *compute) : std::nullopt;
}

Value dramOverCompute(const RunFacts& f)
{
    const Value memory = dram(f), compute = computeOrIssue(f);
    return memory && compute ? Value(*memory - *compute) : std::nullopt;
}

/// Positive: the FP32 pipe is busier than DRAM; near 0 neither alone is the limit.
Value fmaOverDram(const RunFacts& f)
{
    const Quantity* needed = findQuantity("needed_dram_percent");
    const Value fma = fmaPipe(f), memory = maxOf({dram(f), needed->compute(f)});
    return fma && memory ? Value(*fma - *memory) : std::nullopt;
}

Value occupancyGap(const RunFacts& f)
{
    const Value achieved = achievedOccupancy(f);
    const LaunchFacts* launch = f.launch();
    return achieved && launch && launch->theoreticalOccupancy > 0 ? Value(launch->theoreticalOccupancy - *achieved) : std::nullopt;
}

constexpr std::array<Quantity, 15> kUnits{{
    {"compute_sol_percent", "compute speed of light", "%", "sm__throughput", computeSol},
    {"memory_sol_percent", "memory speed of light", "%", "gpu__compute_memory_throughput", memorySol},
    {"dram_percent", "DRAM throughput", "%", "gpu__dram_throughput", dram},
    {"l2_percent", "L2 throughput", "%", "lts__throughput", l2},
    {"l1_percent", "L1 throughput", "%", "l1tex__throughput", l1},
    {"tensor_percent", "tensor pipe", "%", "sm__pipe_tensor_cycles_active", tensor},
    {"busiest_percent", "busiest unit", "%", "largest share of peak among compute, DRAM, L2, L1, tensor and arithmetic pipes",
     busiestPercent},
    {"busiest_elapsed_percent", "busiest unit over the whole time", "%",
     "largest share of peak over the launch's whole time, empty multiprocessors counted: compute, DRAM, L2, L1, tensor, issue",
     busiestElapsed},
    {"fma_over_dram", "FP32 pipe over DRAM", "%", "FP32 pipe minus DRAM throughput, measured or needed by formula, in points", fmaOverDram},
    {"memory_unit_percent", "busiest memory unit", "%", "largest of DRAM, L2 and L1 throughput", memoryUnit},
    {"memory_over_compute", "memory over compute", "%", "busiest memory unit minus arithmetic pipes and issue, in points",
     memoryOverCompute},
    {"dram_over_compute", "DRAM over compute", "%", "DRAM throughput minus arithmetic pipes and issue, in points", dramOverCompute},
    {"achieved_occupancy_percent", "achieved occupancy", "%", "sm__warps_active", achievedOccupancy},
    {"occupancy_gap", "theoretical over achieved occupancy", "%", "theoretical minus achieved occupancy, in points", occupancyGap},
    {"issue_slots_percent", "issue slots used", "%", "smsp__issue_active, per cycle active", issueSlots},
}};

} // namespace

std::span<const Quantity> unitQuantities()
{
    return kUnits;
}

BusiestUnit busiestUnit(const RunFacts& f)
{
    struct Candidate {
        const char* name;
        Value percent;
    };
    const std::array<Candidate, 10> candidates{{
        {"DRAM", dram(f)},
        {"L2", l2(f)},
        {"L1", l1(f)},
        {"the tensor pipe", tensor(f)},
        {"the FP32 pipe", f.metric("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active")},
        {"the FP64 pipe", f.metric("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active")},
        {"the transcendental pipe", f.metric("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active")},
        {"the integer pipe", f.metric("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active")},
        {"instruction issue", f.metric("sm__inst_issued.avg.pct_of_peak_sustained_elapsed")},
        {"the multiprocessors", computeSol(f)},
    }};
    BusiestUnit best;
    for (const Candidate& candidate : candidates)
        if (candidate.percent && (!best.name || *candidate.percent > best.percent))
            best = {candidate.name, *candidate.percent};
    return best;
}

} // namespace kl
