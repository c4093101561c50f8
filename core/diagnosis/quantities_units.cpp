// SPDX-License-Identifier: MIT
// Quantities of how busy each unit is, as a share of its peak.
#include "core/device/metric_catalog.h"
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kl::inline diagnosis {
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
Value computeAchievedOccupancy(const RunFacts& f)
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
    const Value work = findLargest({fmaPipe(f), f.metric("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"),
                                    f.metric("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"),
                                    f.metric("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"), tensor(f),
                                    f.metric("sm__inst_issued.avg.pct_of_peak_sustained_elapsed")});
    return fmaPipe(f) ? work : findLargest({work, computeSol(f)});
}

/// Units as a share of the launch's whole time on all multiprocessors: those that stay empty in a last wave count. A pipe's share of the
/// cycles in which its multiprocessor was active does not show them.
Value computeBusiestElapsed(const RunFacts& f)
{
    return findLargest({computeSol(f), dram(f), l2(f), l1(f), tensor(f), f.metric("sm__inst_issued.avg.pct_of_peak_sustained_elapsed")});
}

Value memoryUnit(const RunFacts& f)
{
    return findLargest({dram(f), l2(f), l1(f)});
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

/// Points of percent within which two shares are one figure.
constexpr double kSameShare = 1;

/// lts__throughput counts the fills and evictions of what streams between DRAM and the multiprocessors, too: a copy at 72 % of DRAM's peak
/// is at 89 % of it. Nsight Compute's memory speed of light leaves these out: where that is DRAM's share, L2 is not busier.
bool streamsThroughL2(const RunFacts& f)
{
    const Value all = memorySol(f), memory = dram(f);
    return all && memory && *all > 0 && *all <= *memory + kSameShare;
}

Value l2Own(const RunFacts& f)
{
    const Value own = l2(f), memory = dram(f);
    return own && streamsThroughL2(f) ? Value(std::min(*own, *memory)) : own;
}

/// Against the rate that copies and loops of our own reached on this product: no kernel gets DRAM to the data sheet's. Against that where
/// nothing was measured.
Value computeDramRoofShare(const RunFacts& f)
{
    const Peaks peaks = computePeaks(f.run().device);
    const Value reachable = peaks.measured.dram ? quotient(peaks.measured.dram, peaks.dram) : Value(1);
    return f.hasCounters() ? quotient(dram(f), reachable) : std::nullopt;
}

Value dramRoofOverCompute(const RunFacts& f)
{
    const Value memory = computeDramRoofShare(f), compute = computeOrIssue(f);
    return memory && compute ? Value(*memory - *compute) : std::nullopt;
}

/// Positive: the FP32 pipe is busier than DRAM; near 0 neither alone is the limit.
Value fmaOverDram(const RunFacts& f)
{
    const Quantity* needed = findQuantity("needed_dram_percent");
    const Value fma = fmaPipe(f), memory = findLargest({dram(f), needed->compute(f)});
    return fma && memory ? Value(*fma - *memory) : std::nullopt;
}

Value issue(const RunFacts& f)
{
    return f.metric("sm__inst_issued.avg.pct_of_peak_sustained_elapsed");
}

/// A unit whose share of its peak is counted on its own.
struct Unit {
    const char* name;
    MetricName share;
};
constexpr std::array<Unit, 9> kCounted{{
    {"DRAM", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"the tensor pipe", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"the FP32 pipe", "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"},
    {"the FP64 pipe", "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"},
    {"the transcendental pipe", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"},
    {"the integer pipe", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"},
    {"instruction issue", "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"},
}};

/// What the unit does by itself: L2 nothing, where it is busy with DRAM's stream alone.
Value ownShare(const RunFacts& f, const Unit& unit)
{
    const Value share = f.metric(unit.share);
    return share && std::string_view(unit.name) == "L2" && streamsThroughL2(f) ? Value(0) : share;
}

/// Positive: the schedulers are busier than every pipe that they issue to.
Value issueLead(const RunFacts& f)
{
    Value pipes;
    for (const Unit& unit : std::span(kCounted).subspan(3, 5))
        pipes = findLargest({pipes, f.metric(unit.share)});
    const Value own = issue(f);
    return own && pipes ? Value(*own - *pipes) : std::nullopt;
}

Value issueOverMemory(const RunFacts& f)
{
    const Value own = issue(f), memory = memoryUnit(f);
    return own && memory ? Value(*own - *memory) : std::nullopt;
}

/// Positive: no other unit is as busy.
Value unitLead(const RunFacts& f, std::string_view name)
{
    Value own, others;
    for (const Unit& unit : kCounted)
        (unit.name == name ? own : others) = findLargest({unit.name == name ? own : others, ownShare(f, unit)});
    return own && others ? Value(*own - *others) : std::nullopt;
}

Value dramLead(const RunFacts& f)
{
    return unitLead(f, "DRAM");
}
Value l2Lead(const RunFacts& f)
{
    return unitLead(f, "L2");
}
Value l1Lead(const RunFacts& f)
{
    return unitLead(f, "L1");
}

/// What "near its roof" means where several units must be.
constexpr double kNearRoof = 60;

/// Of a run without a launch and without metrics there is nothing to count.
bool isBare(const RunFacts& f)
{
    return !f.launch() && !f.run().metrics;
}

Value unitsNearRoof(const RunFacts& f)
{
    if (isBare(f))
        return {};
    const auto near = [&](const Unit& unit) { return ownShare(f, unit).value_or(0) >= kNearRoof; };
    return static_cast<double>(std::ranges::count_if(kCounted, near));
}

Value computeUnitsKnown(const RunFacts& f)
{
    if (isBare(f))
        return {};
    return static_cast<double>(std::ranges::count_if(kCounted, [&](const Unit& unit) { return f.metric(unit.share).has_value(); }));
}

/// A unit that the chip does not count is not missed.
Value unitsUnknown(const RunFacts& f)
{
    if (isBare(f))
        return {};
    const auto unknown = [&](const Unit& unit) {
        const MetricInfo* metric = findMetric(unit.share);
        return !f.metric(unit.share) && (!metric || lackReason(*metric, f.run().device.chip).empty());
    };
    return static_cast<double>(std::ranges::count_if(kCounted, unknown));
}

/// The mean share of the launch's time in which a multiprocessor had work: what the schedulers issued per elapsed cycle over what they
/// issued per active one.
Value smActive(const RunFacts& f)
{
    return times(quotient(issue(f), issueSlots(f)), 100);
}

/// Since compute capability 7.0.
constexpr double kSchedulersPerSm = 4;
constexpr int kWarpWidth = 32;

/// The part of a multiprocessor's schedulers that get a warp: smsp__issue_active counts cycles of those alone.
double schedulersWithWarps(const LaunchFacts& launch, double blocksPerSm)
{
    const double resident = std::clamp(std::ceil(blocksPerSm), 1.0, std::max(1.0, static_cast<double>(launch.blocksPerSm)));
    const int warps = (launch.blockThreads + kWarpWidth - 1) / kWarpWidth;
    return warps > 0 ? std::min(1.0, resident * warps / kSchedulersPerSm) : 1;
}

/// What equal blocks would give: multiprocessors without a block, the empty slots of a last wave, and schedulers without a warp are the
/// grid's fault.
Value evenShare(const RunFacts& f)
{
    const LaunchFacts* launch = f.launch();
    const int multiprocessors = f.run().device.smCount;
    if (!launch || launch->gridBlocks <= 0 || multiprocessors <= 0)
        return {};
    const double perSm = static_cast<double>(launch->gridBlocks) / multiprocessors;
    const double even = perSm < 1 ? perSm : launch->waves > 1 ? launch->waves / std::ceil(launch->waves - 1e-9) : 1;
    return even * schedulersWithWarps(*launch, perSm);
}

/// In a shorter launch blocks start and end one after another for as long as they run.
constexpr double kLongEnough = 10'000; // ns

Value imbalance(const RunFacts& f)
{
    const Value active = smActive(f), even = evenShare(f);
    return active && even && f.launchNs().value_or(0) >= kLongEnough ? Value(100 * std::max(0.0, 1 - *active / 100 / *even)) : std::nullopt;
}

/// Of a launch that fills the GPU: warps that end early leave the others alone.
Value computeReachedOccupancy(const RunFacts& f)
{
    const LaunchFacts* launch = f.launch();
    return launch && launch->waves >= 1 ? times(quotient(computeAchievedOccupancy(f), launch->theoreticalOccupancy), 100) : std::nullopt;
}

/// Of clocks that nobody locked: reports of Nsight Compute lock them, and so may the user, of which our worker's runs tell.
Value clockShare(const RunFacts& f)
{
    const RunRecord& run = f.run();
    const bool free = run.program || std::ranges::any_of(run.warnings, [](const Warning& w) { return w.code == "clock-unlocked"; });
    if (run.imported || !free)
        return {};
    const Value clock = run.timing && run.timing->clockMhz ? run.timing->clockMhz : run.metrics ? run.metrics->clockMhz : std::nullopt;
    return times(quotient(clock, run.device.clockMhz), 100);
}

Value occupancyGap(const RunFacts& f)
{
    const Value achieved = computeAchievedOccupancy(f);
    const LaunchFacts* launch = f.launch();
    return achieved && launch && launch->theoreticalOccupancy > 0 ? Value(launch->theoreticalOccupancy - *achieved) : std::nullopt;
}

constexpr std::array<Quantity, 31> kUnits{{
    {"compute_sol_percent", "compute speed of light", "%", "sm__throughput", computeSol},
    {"memory_sol_percent", "memory speed of light", "%", "gpu__compute_memory_throughput", memorySol},
    {"dram_percent", "DRAM throughput", "%", "gpu__dram_throughput", dram},
    {"l2_percent", "L2 throughput", "%", "lts__throughput", l2},
    {"l2_own_percent", "L2 throughput without streams", "%",
     "lts__throughput; where DRAM sets gpu__compute_memory_throughput, at most that: the rest is what streams through", l2Own},
    {"l1_percent", "L1 throughput", "%", "l1tex__throughput", l1},
    {"tensor_percent", "tensor pipe", "%", "sm__pipe_tensor_cycles_active", tensor},
    {"busiest_percent", "busiest unit", "%", "largest share of peak among compute, DRAM, L2, L1, tensor and arithmetic pipes",
     busiestPercent},
    {"busiest_elapsed_percent", "busiest unit over the whole time", "%",
     "largest share of peak over the launch's whole time, empty multiprocessors counted: compute, DRAM, L2, L1, tensor, issue",
     computeBusiestElapsed},
    {"fma_over_dram", "FP32 pipe minus DRAM", "%", "FP32 pipe minus DRAM throughput, measured or needed by formula, in percentage points",
     fmaOverDram},
    {"memory_unit_percent", "busiest memory unit", "%", "largest of DRAM, L2 and L1 throughput", memoryUnit},
    {"memory_over_compute", "memory minus compute", "%", "busiest memory unit minus arithmetic pipes and issue, in percentage points",
     memoryOverCompute},
    {"dram_over_compute", "DRAM minus compute", "%", "DRAM throughput minus arithmetic pipes and issue, in percentage points",
     dramOverCompute},
    {"dram_roof_percent", "DRAM / measured roof", "%",
     "DRAM throughput / the rate that was measured to be reachable (devices.json), or the peak where none was", computeDramRoofShare},
    {"dram_roof_over_compute", "DRAM / measured roof, minus compute", "%",
     "DRAM / measured roof, minus arithmetic pipes and issue, in percentage points", dramRoofOverCompute},
    {"achieved_occupancy_percent", "achieved occupancy", "%", "sm__warps_active", computeAchievedOccupancy},
    {"occupancy_gap", "theoretical minus achieved occupancy", "%", "theoretical minus achieved occupancy, in percentage points",
     occupancyGap},
    {"issue_slots_percent", "issue slots used", "%", "smsp__issue_active, per cycle active", issueSlots},
    {"issue_percent", "instruction issue", "%", "sm__inst_issued", issue},
    {"issue_lead", "issue minus the busiest pipe", "%", "instruction issue minus the busiest arithmetic pipe, in percentage points",
     issueLead},
    {"issue_over_memory", "issue minus memory", "%", "instruction issue minus the busiest memory unit, in percentage points",
     issueOverMemory},
    {"dram_lead", "DRAM minus the next unit", "%", "DRAM throughput minus the busiest other unit, in percentage points", dramLead},
    {"l2_lead", "L2 minus the next unit", "%", "L2 throughput minus the busiest other unit, in percentage points", l2Lead},
    {"l1_lead", "L1 minus the next unit", "%", "L1 throughput minus the busiest other unit, in percentage points", l1Lead},
    {"units_near_roof", "units near their roofs", "count",
     "of DRAM, L2, L1, five pipes and issue, those at 60 % of their peak or more; not L2 where DRAM's stream alone keeps it busy",
     unitsNearRoof},
    {"known_units", "units whose use is known", "count", "of DRAM, L2, L1, five pipes and issue", computeUnitsKnown},
    {"unmeasured_units", "units not measured", "count", "of DRAM, L2, L1, five pipes and issue, as far as the chip counts them",
     unitsUnknown},
    {"sm_active_percent", "time with work on an SM", "%", "sm__inst_issued / smsp__issue_active: the mean of all multiprocessors",
     smActive},
    {"imbalance_percent", "imbalance between SMs", "%",
     "1 - (time with work on an SM) / (its share with equal blocks: blocks per SM below 1, the last wave's slots, warps below 4); of 10 us "
     "and more",
     imbalance},
    {"occupancy_reached_percent", "achieved of the theoretical occupancy", "%", "of a launch of a whole wave and more",
     computeReachedOccupancy},
    {"clock_percent", "SM clock under load", "%", "SM clock of the timing (else of the counted pass) / the device's; unset where locked",
     clockShare},
}};

} // namespace

std::span<const Quantity> unitQuantities()
{
    return kUnits;
}

BusiestUnit busiestUnit(const RunFacts& f)
{
    BusiestUnit best;
    const auto consider = [&](const char* name, Value percent) {
        if (percent && (!best.name || *percent > best.percent))
            best = {name, *percent};
    };
    for (const Unit& unit : kCounted)
        consider(unit.name, f.metric(unit.share));
    consider("the multiprocessors", computeSol(f));
    return best;
}

} // namespace kl::inline diagnosis
