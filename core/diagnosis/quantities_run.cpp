// SPDX-License-Identifier: MIT
// Quantities of timing, correctness, geometry and formulas: all known without hardware counters.
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kl::inline diagnosis {
namespace {

Value incorrect(const RunFacts& facts)
{
    if (facts.run().status != ResultStatus::ok)
        return 1;
    if (facts.run().correctness.result == CorrectnessResult::notChecked)
        return {};
    return isRefuted(facts.run().correctness.result) ? 1 : 0;
}

Value computeThrottled(const RunFacts& facts)
{
    for (const Warning& warning : facts.run().warnings)
        if (warning.code == "throttled")
            return 1;
    return facts.run().timing ? Value(0) : std::nullopt;
}

/// Not used for a program's kernel: its launches may do different amounts of work.
Value noise(const RunFacts& facts)
{
    if (facts.run().program)
        return {};
    const auto& timing = facts.run().timing;
    if (!timing || timing->gpu.n < 6 || !(timing->gpu.median > 0))
        return {};
    return 100 * (timing->gpu.high - timing->gpu.low) / timing->gpu.median;
}

Value duration(const RunFacts& facts)
{
    return times(facts.sequenceNs(), 1e-3);
}

/// Not of a program's kernel: the gaps between its launches are the program's.
Value busy(const RunFacts& facts)
{
    return facts.run().timing && !facts.run().program ? times(facts.run().timing->busyFraction, 100) : std::nullopt;
}

/// Unset where other kernels are around it that nobody knows of here.
Value fusable(const RunFacts& facts)
{
    const RunRecord& run = facts.run();
    return run.program || run.imported || run.launches.empty() ? std::nullopt : Value(static_cast<double>(run.launches.size()));
}

Value counters(const RunFacts& facts)
{
    return facts.launch() ? Value(facts.hasCounters() ? 1 : 0) : std::nullopt;
}

Value launchCount(const RunFacts& facts)
{
    return facts.run().launches.empty() ? std::nullopt : Value(static_cast<double>(facts.run().launches.size()));
}

Value waves(const RunFacts& facts)
{
    return facts.launch() && facts.launch()->waves > 0 ? Value(facts.launch()->waves) : std::nullopt;
}

/// Blocks of a last, partly filled wave take as long as a full one: the share of block slots that stay empty.
Value tailCost(const RunFacts& facts)
{
    const Value count = waves(facts);
    if (!count)
        return {};
    const double whole = std::ceil(*count - 1e-9);
    return *count < 1 ? Value(0) : Value(100 * (whole - *count) / whole);
}

Value theoreticalOccupancy(const RunFacts& facts)
{
    const LaunchFacts* launch = facts.launch();
    return launch && launch->theoreticalOccupancy > 0 ? Value(launch->theoreticalOccupancy) : std::nullopt;
}

Value localBytes(const RunFacts& facts)
{
    return facts.launch() ? Value(static_cast<double>(facts.launch()->localBytes)) : std::nullopt;
}

/// Shared memory per block that is a multiple of 32 rows of 32 words: columns of an unpadded tile all fall into one bank.
Value computeUnpaddedTile(const RunFacts& facts)
{
    if (!facts.launch())
        return {};
    const std::int64_t bytes = facts.launch()->staticSmem + facts.launch()->dynamicSmem;
    return bytes > 0 && bytes % 4096 == 0 ? 1 : 0;
}

Value smCoverage(const RunFacts& facts)
{
    const int multiprocessors = facts.run().device.smCount;
    if (!facts.launch() || facts.launch()->gridBlocks <= 0 || multiprocessors <= 0)
        return {};
    return std::min(100.0, 100.0 * static_cast<double>(facts.launch()->gridBlocks) / multiprocessors);
}

Value speedup(const RunFacts& facts)
{
    return facts.run().speedup;
}

/// Bytes that a launch without a formula moves at least, by its executed instructions: the sectors that they touch, or those that the
/// requested bytes would fill, at most the memory behind its arguments. Tensor copies touch memory that is not counted: then all of it.
/// What fits in L2 needs no DRAM. An estimate: data that is read again, and missed, counts once.
Value computeExecutedBytes(const RunFacts& facts, bool requested)
{
    const LaunchFacts* launch = facts.launch();
    if (facts.hasCounters() || facts.run().idealBytes > 0 || findQuantity("executions_counted")->compute(facts) != Value(1))
        return {};
    constexpr double kSectorBytes = 32, kWarpThreads = 32, kAtomicBytes = 4;
    const WarpModel& warp = *launch->warp;
    const double warps = static_cast<double>(launch->gridBlocks) * std::ceil(launch->blockThreads / kWarpThreads);
    const double touched = kSectorBytes * (warp.loads.sectors + warp.stores.sectors + warp.atomicAddresses);
    const double requestedBytes = kSectorBytes * (warp.loads.ideal + warp.stores.ideal) + kAtomicBytes * warp.atomicThreads;
    const double sum = warps * (requested ? requestedBytes : touched);
    if (!facts.run().memoryBytes)
        return sum;
    const auto memory = static_cast<double>(*facts.run().memoryBytes);
    if (memory <= static_cast<double>(facts.run().device.l2Bytes))
        return 0;
    const bool hidden = warp.executed.contains("tma") || warp.loads.unknown > 0 || warp.stores.unknown > 0;
    return hidden ? memory : std::min(sum, memory);
}

Value dramShare(const RunFacts& facts, Value bytes)
{
    return times(quotient(quotient(bytes, times(facts.launchNs(), 1e-9)), computePeaks(facts.run().device).dram), 100);
}

/// Of a program's kernel: what its arguments point to, touched once. Nothing where that fits in L2.
Value reachDram(const RunFacts& facts)
{
    if (!facts.run().program || !facts.run().memoryBytes || facts.run().device.l2Bytes <= 0)
        return {};
    const std::int64_t memory = *facts.run().memoryBytes;
    return dramShare(facts, memory <= facts.run().device.l2Bytes ? 0 : static_cast<double>(memory));
}

Value computeExecutedDram(const RunFacts& facts)
{
    return dramShare(facts, computeExecutedBytes(facts, false));
}

Value computeRequestedDramBytes(const RunFacts& facts)
{
    return dramShare(facts, computeExecutedBytes(facts, true));
}

Value analyticDram(const RunFacts& facts)
{
    if (!(facts.run().idealBytes > 0))
        return computeExecutedDram(facts);
    const Value rate = quotient(facts.run().idealBytes, times(facts.sequenceNs(), 1e-9));
    return times(quotient(rate, computePeaks(facts.run().device).dram), 100);
}

/// Of the counted launch, in the time of its pass: what the launch wrote and the L2 still holds at its end is moved, too, but later, and no
/// counter of the launch shows it.
Value computeNeededDram(const RunFacts& facts)
{
    if (!(facts.run().idealBytes > 0) || facts.run().launches.size() > 1)
        return {};
    const Value rate = quotient(facts.run().idealBytes, times(facts.launchNs(), 1e-9));
    return times(quotient(rate, computePeaks(facts.run().device).dram), 100);
}

/// Without a formula: the busiest pipe of floating-point work, by the executed instructions.
Value computeExecutedPipes(const RunFacts& facts)
{
    if (facts.hasCounters() || findQuantity("executions_counted")->compute(facts) != Value(1))
        return {};
    const Value tensor = facts.metric("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed");
    return tensor ? tensor
                  : findLargest({facts.metric("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"),
                                 facts.metric("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active")});
}

/// Against the tensor cores' peak where the kernel holds matrix instructions, or is faster than FP32 can be.
Value analyticFlops(const RunFacts& facts)
{
    if (!(facts.run().flops > 0))
        return computeExecutedPipes(facts);
    const Value rate = quotient(facts.run().flops, times(facts.sequenceNs(), 1e-9));
    const Peaks peaks = computePeaks(facts.run().device);
    bool tensor = rate && peaks.fp32 && *rate > *peaks.fp32;
    for (const LaunchFacts& launch : facts.run().launches)
        for (const auto& [name, count] : launch.opcodes)
            tensor = tensor || (count > 0 && isMatrixOpcode(name));
    return times(quotient(rate, tensor ? peaks.tensorFp16 : peaks.fp32), 100);
}

Value analyticRoof(const RunFacts& facts)
{
    return findLargest({analyticDram(facts), analyticFlops(facts)});
}

Value launchDuration(const RunFacts& facts)
{
    return times(facts.launchNs(), 1e-3);
}

Value intensity(const RunFacts& facts)
{
    return facts.run().flops > 0 ? quotient(facts.run().flops, facts.run().idealBytes) : std::nullopt;
}

/// FLOPs per byte over the device's ridge: below 1 the memory roof is the lower one.
Value computeRidgeIntensity(const RunFacts& facts)
{
    const Peaks peaks = computePeaks(facts.run().device);
    const Value ridge = quotient(peaks.fp32, peaks.dram);
    return facts.run().idealBytes > 0 ? quotient(facts.run().flops / facts.run().idealBytes, ridge) : std::nullopt;
}

constexpr std::array<Quantity, 25> kRun{{
    {"incorrect", "incorrect result", "", "1 when the run failed or its result is anything but correct", incorrect, "correct result"},
    {"throttled", "throttled", "", "1 when the SM clock fell below 75 % of its default during the samples", computeThrottled,
     "not throttled"},
    {"noise_percent", "relative CI width", "%", "width of the median's 95 % CI / median", noise},
    {"duration_us", "duration", "us", "median GPU time of the launch sequence, L2 cold", duration},
    {"busy_percent", "GPU busy", "%", "kernel time / wall time of the sequence as a program issues it", busy},
    {"counters", "hardware counters", "", "1 when the launch has any", counters, "no hardware counters"},
    {"launch_count", "launches", "count", "kernel launches of the sequence", launchCount},
    {"fusable_launches", "launches that can be fused", "count", "kernel launches of the sequence; unset for a program's kernel", fusable},
    {"waves", "waves", "", "grid blocks / blocks that fit on the GPU at once", waves},
    {"tail_cost_percent", "cost of the last wave", "%", "(ceil(waves) - waves) / ceil(waves)", tailCost},
    {"theoretical_occupancy_percent", "theoretical occupancy", "%", "warps that fit on an SM / its maximum", theoreticalOccupancy},
    {"local_bytes", "local memory", "bytes", "local memory per thread, from the compiled kernel", localBytes},
    {"unpadded_tile", "unpadded shared tile", "", "1 when shared memory per block is a multiple of 32 x 32 words", computeUnpaddedTile,
     "no unpadded shared tile"},
    {"sm_coverage_percent", "SMs with a block", "%", "blocks / SMs, at most 100 %", smCoverage},
    {"speedup", "speedup", "", "baseline GPU time / kernel GPU time", speedup},
    {"analytic_dram_percent", "DRAM rate by formula", "%",
     "ideal bytes / duration / the device's DRAM peak; without a formula, that of the executed instructions", analyticDram},
    {"executed_dram_percent", "DRAM rate by executed instructions", "%",
     "sectors touched (at most the memory behind the arguments) / time / the DRAM peak; 0 where all fits in L2", computeExecutedDram},
    {"reach_dram_percent", "DRAM rate of all memory within reach", "%",
     "memory behind the arguments of a program's kernel / time / the DRAM peak; 0 where it fits in L2", reachDram},
    {"requested_dram_percent", "DRAM rate of requested bytes", "%", "the same of the sectors that the requested bytes would fill",
     computeRequestedDramBytes},
    {"needed_dram_percent", "DRAM rate needed", "%", "ideal bytes / time of the counted launch / the device's DRAM peak",
     computeNeededDram},
    {"analytic_flops_percent", "FLOP rate by formula", "%",
     "FLOPs / duration / the device's FP32 or tensor peak; without a formula, the busiest such pipe by executed instructions",
     analyticFlops},
    {"analytic_roof_percent", "nearest roof by formula", "%", "larger of the DRAM and FLOP rates by formula", analyticRoof},
    {"launch_us", "longest launch", "us", "GPU time of the sequence's longest launch", launchDuration},
    {"intensity", "arithmetic intensity", "flop/byte", "FLOPs by formula / ideal bytes", intensity},
    {"intensity_of_ridge", "intensity / ridge", "", "(FLOPs / ideal bytes) / (FP32 peak / DRAM peak)", computeRidgeIntensity},
}};

} // namespace

std::span<const Quantity> runQuantities()
{
    return kRun;
}

} // namespace kl::inline diagnosis
