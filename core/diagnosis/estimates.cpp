// SPDX-License-Identifier: MIT
#include "core/diagnosis/estimates.h"

#include "core/base/format.h"
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline diagnosis {
namespace {

/// The share of the DRAM peak that a good copy reaches (4.3 of 4.8 TB/s on an H200).
constexpr double kReachableDram = 0.9;
/// Where a kernel with enough work in flight should bring its busiest unit.
constexpr double kWellUsed = 60;
/// Cycles of Hopper's tensor pipe that products take by wgmma, over those by mma.sync: 4 for 16 x 8 x 16 in FP16, where mma.sync took 6.6
/// and 6.9 in two kernels on an H200 (matmul/tensor, jacobi/packed: busy cycles over instructions).
constexpr double kWgmmaCycles = 0.6;
/// Percent of imbalance below which warps, not blocks, are what is uneven.
constexpr double kSmallImbalance = 30;
/// A promise below this share of the time is none.
constexpr double kNothing = 0.01;

Value get(const RunFacts& facts, std::string_view id)
{
    const Quantity* quantity = findQuantity(id);
    return quantity ? quantity->compute(facts) : std::nullopt;
}

std::optional<Estimate> estimate(double reduction, std::string how)
{
    return Estimate{std::clamp(reduction, 0.0, 1.0), std::move(how)};
}

std::string percent(double fraction)
{
    return formatPercent(100 * fraction);
}

/// Bytes that the launch has to move: the descriptor's formula, else what DRAM moved less what nobody asked for. Unset for several launches
/// without a formula: counters are of the longest one.
Value computeNeededBytes(const RunFacts& facts)
{
    if (facts.run().idealBytes > 0)
        return facts.run().idealBytes;
    const Value read = facts.metric("dram__bytes_read.sum"), write = facts.metric("dram__bytes_write.sum");
    if (!read || !write || facts.run().launches.size() > 1)
        return {};
    return (*read + *write) * (1 - get(facts, "excess_dram_percent").value_or(0) / 100);
}

/// What is left until the DRAM roof: 1 − (needed bytes / reachable bandwidth) / time.
Value roofHeadroom(const RunFacts& facts)
{
    const Value dram = computePeaks(facts.run().device).dram, ns = facts.sequenceNs(), bytes = computeNeededBytes(facts);
    if (!dram || !ns || !bytes)
        return {};
    return std::clamp(1 - *bytes / (kReachableDram * *dram) / (*ns * 1e-9), 0.0, 1.0);
}

/// Time is proportional to what moves at the level that limits: sectors, or bytes of DRAM, where a sector that is partly written is read
/// first and two are moved for one. If no unit is well used, scattered accesses wait for DRAM's rows, and only its roof is a limit. All
/// three are held against pairs of real calls (tests/corpus/pairs.json).
std::optional<Estimate> excessSectors(const RunFacts& facts)
{
    const Value sectors = get(facts, "excess_sectors_percent"), bytes = get(facts, "excess_dram_percent");
    const Value roof = roofHeadroom(facts), busiest = get(facts, "busiest_percent");
    if (!sectors)
        return roof ? estimate(*roof, fmt::format("1 - (ideal bytes / 90 % of the DRAM peak) / time = {}", percent(*roof))) : std::nullopt;
    const bool ofDram = bytes && *bytes > *sectors;
    const double excess = ofDram ? *bytes : *sectors;
    const std::string what = ofDram ? "DRAM bytes" : "sectors";
    if (roof && *roof < excess / 100)
        return estimate(
            *roof, fmt::format("{} of the {} are excess, but the DRAM roof leaves only 1 - (ideal bytes / 90 % of the peak) / time = {}",
                               formatPercent(excess), what, percent(*roof)));
    if (roof && ofDram && busiest && *busiest < kWellUsed)
        return estimate(*roof,
                        fmt::format("scattered accesses keep every unit below {}: at best, 1 - (ideal bytes / 90 % of the DRAM peak) / "
                                    "time = {}",
                                    formatPercent(kWellUsed), percent(*roof)));
    return estimate(excess / 100,
                    fmt::format("time is proportional to {} moved: excess / total {} = {}", what, what, formatPercent(excess)));
}

std::optional<Estimate> roof(const RunFacts& facts)
{
    if (const Value times = get(facts, "traffic_amplification"); times && *times > 1.1)
        return estimate(1 - 1 / *times,
                        fmt::format("1 - ideal bytes / DRAM bytes = 1 - 1 / {} = {}", formatNumber(*times), percent(1 - 1 / *times)));
    if (const Value left = roofHeadroom(facts))
        return estimate(*left, fmt::format("1 - (ideal bytes / 90 % of the DRAM peak) / time = {}", percent(*left)));
    return {};
}

/// Of the wall time: one launch stays whatever is fused, and with it its share of the gaps. A single launch has no gap to remove
/// here.
std::optional<Estimate> launchGaps(const RunFacts& facts)
{
    const Value busy = get(facts, "busy_percent");
    if (!busy)
        return {};
    const double idle = 1 - *busy / 100;
    const Value longest = get(facts, "longest_launch_percent");
    if (!longest)
        return estimate(
            idle, fmt::format("wall time in which the GPU idles between launches = 1 - {} busy = {}", formatPercent(*busy), percent(idle)));
    const double others = std::clamp(1 - *longest / 100, 0.0, 1.0);
    if (others * idle < kNothing)
        return {};
    return estimate(
        others * idle,
        fmt::format("of the wall time the GPU idles between launches for 1 - {} busy = {}; all launches but the longest, {} of the "
                    "work, can be fused away: {}",
                    formatPercent(*busy), percent(idle), percent(others), percent(others * idle)));
}

std::optional<Estimate> smallGrid(const RunFacts& facts)
{
    const Value waves = get(facts, "waves");
    if (!waves || *waves >= 1)
        return {};
    return estimate(1 - *waves,
                    fmt::format("at best, block slots that stay empty = 1 - {} waves = {}", formatNumber(*waves), percent(1 - *waves)));
}

/// Blocks that wait take as long alone as among others, so that the empty slots of the last wave are lost. Where a unit is well used they
/// share it: a multiprocessor's time is proportional to the blocks that it gets, the most loaded one ends last, and an even share would do.
std::optional<Estimate> tail(const RunFacts& facts)
{
    const Value cost = get(facts, "tail_cost_percent"), busiest = get(facts, "busiest_percent");
    if (!cost)
        return {};
    const int multiprocessors = facts.run().device.smCount;
    if (!busiest || *busiest < kWellUsed || multiprocessors <= 0 || facts.launch()->gridBlocks <= 0)
        return estimate(*cost / 100, fmt::format("(ceil(waves) - waves) / ceil(waves) = {}", formatPercent(*cost)));
    const double mean = static_cast<double>(facts.launch()->gridBlocks) / multiprocessors, most = std::ceil(mean);
    return estimate(1 - mean / most,
                    fmt::format("{} is at {} where blocks run, so they share it: 1 - {} blocks per multiprocessor on average / {} on the "
                                "most loaded = {}",
                                busiestUnit(facts).name, formatPercent(*busiest), formatNumber(mean), formatNumber(most),
                                percent(1 - mean / most)));
}

std::optional<Estimate> spills(const RunFacts& facts)
{
    const Value share = get(facts, "spill_share_percent");
    if (!share)
        return {};
    return estimate(*share / 100, fmt::format("local accesses / all memory instructions = {}", formatPercent(*share)));
}

/// Warps wait for shared memory; the part of its passes that are conflicts is the part of that wait which goes away.
std::optional<Estimate> bankConflicts(const RunFacts& facts)
{
    const Value conflicts = get(facts, "bank_conflict_percent"), stalls = get(facts, "shared_memory_stall_percent");
    const Value cost = get(facts, "bank_conflict_cost_percent");
    if (!cost)
        return {};
    const double part = conflicts && stalls ? *conflicts / 100 * *stalls / 100 : *cost / 100;
    const Value left = roofHeadroom(facts);
    if (left && *left < part)
        return estimate(*left, fmt::format("conflicts cost {}, but the DRAM roof leaves only {}", percent(part), percent(*left)));
    if (!conflicts || !stalls)
        return estimate(part, fmt::format("conflict cycles / (SMs x cycles elapsed) = {}", formatPercent(*cost)));
    return estimate(part, fmt::format("{} of warp latency waits for shared memory x {} of its passes are conflicts = {}",
                                      formatPercent(*stalls), formatPercent(*conflicts), percent(part)));
}

std::optional<Estimate> divergence(const RunFacts& facts)
{
    const Value threads = get(facts, "threads_per_warp"), slots = get(facts, "issue_slots_percent");
    if (!threads || !slots)
        return {};
    const double part = (1 - *threads / 32) * *slots / 100;
    return estimate(part, fmt::format("(1 - {} / 32 threads) x {} of the issue slots = {}", formatNumber(*threads), formatPercent(*slots),
                                      percent(part)));
}

std::optional<Estimate> barriers(const RunFacts& facts)
{
    const Value share = get(facts, "barrier_stall_percent");
    if (!share)
        return {};
    return estimate(*share / 100, fmt::format("warps spend {} of their time waiting at barriers", formatPercent(*share)));
}

/// If the limiting unit's load went away, the next one would set the time.
std::optional<Estimate> nextUnit(const RunFacts& facts)
{
    double first = 0, second = 0;
    for (const char* unit : {"dram_percent", "l2_percent", "l1_percent", "fma_pipe_percent", "fp64_pipe_percent", "xu_pipe_percent",
                             "alu_pipe_percent", "tensor_percent", "issue_slots_percent"}) {
        const double percent = get(facts, unit).value_or(0);
        second = std::max(second, std::min(first, percent));
        first = std::max(first, percent);
    }
    if (!(first > 0) || !(second > 0))
        return {};
    const double part = 1 - second / first;
    return estimate(part, fmt::format("at best, until the next unit becomes the bottleneck: 1 - {} / {} of peak = {}",
                                      formatPercent(second), formatPercent(first), percent(part)));
}

std::optional<Estimate> untilRoof(const RunFacts& facts)
{
    const Value left = roofHeadroom(facts);
    return left ? estimate(*left, fmt::format("at best, 1 - (ideal bytes / 90 % of the DRAM peak) / time = {}", percent(*left)))
                : std::nullopt;
}

std::optional<Estimate> inFlight(const RunFacts& facts)
{
    const Value busiest = get(facts, "busiest_percent");
    const Value left = roofHeadroom(facts);
    if (busiest && *busiest < kWellUsed && (!left || 1 - *busiest / kWellUsed < *left))
        return estimate(1 - *busiest / kWellUsed,
                        fmt::format("if the busiest unit rose from {} to 60 % of its peak: 1 - {} / 60 = {}", formatPercent(*busiest),
                                    formatNumber(*busiest), percent(1 - *busiest / kWellUsed)));
    if (!left)
        return {};
    return estimate(*left, fmt::format("1 - (ideal bytes / 90 % of the DRAM peak) / time = {}", percent(*left)));
}

std::optional<Estimate> halfPrecision(const RunFacts& facts)
{
    const Peaks peaks = computePeaks(facts.run().device);
    if (!peaks.fp32 || !peaks.fp64 || !(*peaks.fp32 > 0))
        return {};
    const double part = 1 - *peaks.fp64 / *peaks.fp32;
    return estimate(part, fmt::format("1 - FP64 peak / FP32 peak of this GPU = {}", percent(part)));
}

/// mma.sync keeps Hopper's tensor pipe busy for longer than wgmma does for the same products: at best, these at the pipe's peak.
std::optional<Estimate> tensorHeadroom(const RunFacts& facts)
{
    const Value pipe = get(facts, "tensor_percent"), wgmma = facts.metric("sm__inst_executed_pipe_tensor_op_gmma.sum");
    if (!pipe)
        return {};
    if (facts.run().device.ccMajor == 9 && wgmma && *wgmma == 0)
        return estimate(1 - kWgmmaCycles * *pipe / 100,
                        fmt::format("at best, the same products by wgmma, in {} of the cycles that the tensor pipe is busy, with it at its "
                                    "peak: 1 - {} x {} = {}",
                                    percent(kWgmmaCycles), formatNumber(kWgmmaCycles), formatPercent(*pipe),
                                    percent(1 - kWgmmaCycles * *pipe / 100)));
    return estimate(1 - *pipe / 100,
                    fmt::format("at best, the tensor pipe from {} to its peak = {}", formatPercent(*pipe), percent(1 - *pipe / 100)));
}

/// The busy time of the tensor pipe that is saved if the same products take wgmma's cycles and nothing else changes.
std::optional<Estimate> warpgroupProducts(const RunFacts& facts)
{
    const Value pipe = get(facts, "tensor_percent"), mmaSync = get(facts, "mma_sync_percent");
    if (!pipe || !mmaSync || facts.run().device.ccMajor != 9) // seen on Hopper alone
        return {};
    const double part = *pipe / 100 * *mmaSync / 100 * (1 - kWgmmaCycles);
    return estimate(
        part, fmt::format("the same products by wgmma take {} of the cycles that mma.sync keeps the tensor pipe busy: {} x {} = {}",
                          percent(kWgmmaCycles), formatPercent(*pipe * *mmaSync / 100), formatNumber(1 - kWgmmaCycles), percent(part)));
}

/// Multiprocessors that wait for the last ones.
std::optional<Estimate> loadImbalance(const RunFacts& facts)
{
    if (const Value imbalance = get(facts, "imbalance_percent"); imbalance && *imbalance >= kSmallImbalance)
        return estimate(*imbalance / 100,
                        fmt::format("multiprocessors have work for {} less of the time than with equal blocks", formatPercent(*imbalance)));
    const Value reached = get(facts, "occupancy_reached_percent");
    return reached ? estimate(1 - *reached / 100, fmt::format("at best, warps of equal length: 1 - {} of the theoretical occupancy = {}",
                                                              formatPercent(*reached), percent(1 - *reached / 100)))
                   : std::nullopt;
}

/// Work of the multiprocessors is proportional to their clock.
std::optional<Estimate> clock(const RunFacts& facts)
{
    const Value share = get(facts, "clock_percent");
    return share ? estimate(1 - *share / 100, fmt::format("at best, the same cycles at the default clock: 1 - {} = {}",
                                                          formatPercent(*share), percent(1 - *share / 100)))
                 : std::nullopt;
}

/// Warps wait for the memory input/output unit; what goes away is at best that wait.
std::optional<Estimate> mioStalls(const RunFacts& facts)
{
    const Value stalls = get(facts, "shared_memory_stall_percent");
    return stalls ? estimate(*stalls / 100,
                             fmt::format("at best, warps' time in the queue of the memory input/output unit = {}", formatPercent(*stalls)))
                  : std::nullopt;
}

struct Row {
    std::string_view id;
    EstimateFormula formula;
};
constexpr std::array<Row, 18> kRows{{{"excess-sectors", excessSectors},
                                     {"roof", roof},
                                     {"launch-gaps", launchGaps},
                                     {"small-grid", smallGrid},
                                     {"tail", tail},
                                     {"spills", spills},
                                     {"bank-conflicts", bankConflicts},
                                     {"divergence", divergence},
                                     {"barriers", barriers},
                                     {"next-unit", nextUnit},
                                     {"until-roof", untilRoof},
                                     {"in-flight", inFlight},
                                     {"lower-precision", halfPrecision},
                                     {"tensor-headroom", tensorHeadroom},
                                     {"warpgroup-products", warpgroupProducts},
                                     {"load-imbalance", loadImbalance},
                                     {"clock", clock},
                                     {"mio-stalls", mioStalls}}};

} // namespace

EstimateFormula findEstimate(std::string_view id)
{
    for (const Row& row : kRows)
        if (row.id == id)
            return row.formula;
    return nullptr;
}

std::vector<std::string> estimateIds()
{
    std::vector<std::string> ids;
    for (const Row& row : kRows)
        ids.emplace_back(row.id);
    return ids;
}

std::optional<double> computeRealizedReduction(std::string_view classId, const Timing& before, const Timing& after)
{
    const bool wall = classId == "launch-overhead";
    if (wall && !(before.host && after.host))
        return {};
    const double then = wall ? *before.host : before.gpu.median, now = wall ? *after.host : after.gpu.median;
    return then > 0 ? std::optional(1 - now / then) : std::nullopt;
}

} // namespace kl::inline diagnosis
