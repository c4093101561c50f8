// SPDX-License-Identifier: MIT
// Quantities of memory accesses: coalescing, traffic, bank conflicts, spills, atomics.
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kl::inline diagnosis {
namespace {

constexpr double kSectorBytes = 32;

Value sectorsPerLoad(const RunFacts& f)
{
    return f.metric("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio");
}
Value sectorsPerStore(const RunFacts& f)
{
    return f.metric("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio");
}
Value usefulLoad(const RunFacts& f)
{
    return f.metric("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct");
}
Value usefulStore(const RunFacts& f)
{
    return f.metric("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct");
}

/// One side's sectors moved, the part of them without requested bytes, and sectors per request.
struct Side {
    double sectors = 0;
    double waste = 0; ///< 0 to 1
    double perRequest = 0;
};

/// A request that touches no more sectors than this wastes none that it could save: lanes that read one element, or rows of bytes.
constexpr double kFewSectors = 2;

/// Useful bytes per sector where measured, though each request needs a sector, however few bytes of it; else what sectors per request
/// says: above the 16 that the widest access of a full warp needs, against the 4 of 4-byte elements.
std::optional<double> computeWaste(Value useful, Value perRequest)
{
    const bool counted = perRequest && *perRequest > 0;
    if (counted && *perRequest <= kFewSectors)
        return 0;
    if (useful && *useful > 0)
        return std::clamp(1 - *useful / 100, 0.0, counted ? 1 - 1 / *perRequest : 1.0);
    if (perRequest && *perRequest > 0)
        return *perRequest > 16.5 ? 1 - 4 / *perRequest : 0;
    return {};
}

/// Requests of both sides: counted, or worked out from the L2's write traffic (L1 writes through) and all global instructions.
std::pair<Value, Value> requests(const RunFacts& f)
{
    const Value loads = f.metric("smsp__sass_inst_executed_op_global_ld.sum");
    const Value stores = f.metric("smsp__sass_inst_executed_op_global_st.sum");
    if (loads && stores)
        return {loads, stores};
    const Value all = f.metric("smsp__sass_inst_executed_op_global.sum");
    const Value bytes = f.metric("lts__t_bytes.sum"), read = f.metric("lts__t_sectors_op_read.sum");
    const Value perStore = sectorsPerStore(f);
    if (all && bytes && read && perStore && *perStore > 0) {
        const double count = std::clamp((*bytes / kSectorBytes - *read) / *perStore, 0.0, *all);
        return {*all - count, count};
    }
    return {};
}

Value excessSectors(const RunFacts& f)
{
    const auto waste = sectorWaste(f);
    return waste ? Value(waste->percent) : std::nullopt;
}

/// Against everything that L1 moved: asynchronous copies pass it too, but are neither global loads nor stores. A kernel that
/// stages its input with them and stores a little badly is not limited by those stores.
Value excessTraffic(const RunFacts& f)
{
    const auto waste = sectorWaste(f);
    if (!waste)
        return {};
    const Value all = f.metric("l1tex__t_sectors.sum");
    return waste->wasted && all ? times(quotient(waste->wasted, all), 100) : Value(waste->percent);
}

Value dramBytes(const RunFacts& f)
{
    const Value read = f.metric("dram__bytes_read.sum"), write = f.metric("dram__bytes_write.sum");
    return read && write ? Value(*read + *write) : std::nullopt;
}

/// Only for a sequence of one launch: the metrics cover the longest launch alone, the formula all of them.
Value amplification(const RunFacts& f)
{
    return f.run().launches.size() <= 1 && f.run().idealBytes > 0 ? quotient(dramBytes(f), f.run().idealBytes) : std::nullopt;
}

/// Where the bytes that must be moved already fill DRAM, better accesses to the caches above it gain nothing.
Value usefulDram(const RunFacts& f)
{
    if (!f.hasCounters()) {
        const Value requested = findQuantity("requested_dram_percent")->compute(f);
        return requested ? requested : findQuantity("analytic_dram_percent")->compute(f);
    }
    const Value busy = f.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"), times = amplification(f);
    return busy && times ? Value(*busy / std::max(*times, 1.0)) : std::nullopt;
}

Value bankConflicts(const RunFacts& f)
{
    return sumValues({f.metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"),
                      f.metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")});
}

Value wavefronts(const RunFacts& f)
{
    return sumValues({f.metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
                      f.metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")});
}

/// 0 where shared memory is not used.
Value conflictRatio(const RunFacts& f)
{
    const Value all = wavefronts(f);
    return all && *all == 0 ? Value(0) : times(quotient(bankConflicts(f), all), 100);
}

/// Cycles of each SM's shared-memory pipe lost to conflicts, over the launch's cycles (one wavefront per cycle and SM).
Value conflictCost(const RunFacts& f)
{
    const Value cycles = f.metric("gpc__cycles_elapsed.max");
    const int sms = f.run().device.smCount;
    return cycles && sms > 0 ? times(quotient(bankConflicts(f), *cycles * sms), 100) : std::nullopt;
}

Value localAccesses(const RunFacts& f)
{
    return sumValues({f.metric("smsp__sass_inst_executed_op_local_ld.sum"), f.metric("smsp__sass_inst_executed_op_local_st.sum")});
}

Value spillShare(const RunFacts& f)
{
    const Value local = localAccesses(f), global = f.metric("smsp__sass_inst_executed_op_global.sum");
    const Value shared = f.metric("smsp__sass_inst_executed_op_shared.sum");
    return local && global ? times(quotient(local, sumValues({local, global, shared})), 100) : std::nullopt;
}

/// Of a launch whose instructions were counted, but not what its tensor copies move: a copy as small as 4 KB does the work of so many
/// accesses of 128 bytes.
Value copiesAsAccesses(const RunFacts& f)
{
    constexpr double kAccessesPerCopy = 32, kWarpThreads = 32;
    const LaunchFacts* launch = f.launch();
    if (f.hasCounters() || !launch || !launch->warp || !launch->warp->executed.contains("tma"))
        return {};
    const double warps = static_cast<double>(launch->gridBlocks) * std::ceil(launch->blockThreads / kWarpThreads);
    return launch->warp->executed.at("tma") * warps * kAccessesPerCopy;
}

/// Tensor copies (TMA) and asynchronous copies move data without global load or store instructions: the traffic of L2, at most 32 sectors
/// of 32 bytes per instruction, is a lower bound of the number of accesses.
Value atomicShare(const RunFacts& f)
{
    const Value atomics =
        sumValues({f.metric("smsp__sass_inst_executed_op_global_atom.sum"), f.metric("smsp__sass_inst_executed_op_global_red.sum")});
    const Value accesses =
        sumValues({findLargest({f.metric("smsp__sass_inst_executed_op_global.sum"), times(f.metric("lts__t_bytes.sum"), 1.0 / (32 * 32))}),
                   copiesAsAccesses(f)});
    return atomics && *atomics == 0 ? Value(0) : times(quotient(atomics, accesses), 100);
}

Value l2HitRate(const RunFacts& f)
{
    return f.metric("lts__t_sector_hit_rate.pct");
}

/// Upper bound of the distinct bytes that the launch can request: the formula for a single launch; of several, each may touch all buffers.
Value footprint(const RunFacts& f)
{
    const bool alone = f.run().launches.size() <= 1;
    if (alone && f.run().idealBytes > 0)
        return f.run().idealBytes;
    return f.run().memoryBytes && *f.run().memoryBytes > 0 ? Value(static_cast<double>(*f.run().memoryBytes)) : std::nullopt;
}

Value computeL2Footprint(const RunFacts& f)
{
    const auto l2 = static_cast<double>(f.run().device.l2Bytes);
    return l2 > 0 ? quotient(footprint(f), l2) : std::nullopt;
}

Value l2Reuse(const RunFacts& f)
{
    return quotient(f.metric("lts__t_bytes.sum"), footprint(f));
}

Value computeRequestedDram(const RunFacts& f)
{
    const Value rate = quotient(f.metric("lts__t_bytes.sum"), times(f.launchNs(), 1e-9));
    return times(quotient(rate, computePeaks(f.run().device).dram), 100);
}

/// Bytes of global accesses: what L1 moved for them, and what they asked for. An atomic's lanes count 4 bytes each, of a sector at most.
struct RequestedTraffic {
    double moved = 0;
    double useful = 0;
};

std::optional<RequestedTraffic> computeRequestedTraffic(const RunFacts& f)
{
    const auto [loads, stores] = requests(f);
    const auto waste = sectorWaste(f);
    if (!loads || !stores || !waste || !waste->wasted)
        return {};
    const double sectors = *loads * sectorsPerLoad(f).value_or(0) + *stores * sectorsPerStore(f).value_or(0);
    const double atomics =
        sumValues({f.metric("smsp__sass_inst_executed_op_global_atom.sum"), f.metric("smsp__sass_inst_executed_op_global_red.sum")})
            .value_or(0);
    return RequestedTraffic{kSectorBytes * (sectors + 32 * atomics), kSectorBytes * (sectors - *waste->wasted) + 32 * 4 * atomics};
}

/// Below these shares of a level's traffic the accesses that are counted do not explain it: tensor copies, local memory. DRAM moves two
/// sectors where one is asked for, and lts__t_bytes counts what passes between the halves of L2 as well.
constexpr double kExplainsDram = 0.4;
constexpr double kExplainsL2 = 0.25;

/// Bytes that DRAM moved and nobody asked for: every byte that was asked for is counted as often as it was, so that this is a lower bound.
Value excessDram(const RunFacts& f)
{
    const std::optional<RequestedTraffic> traffic = computeRequestedTraffic(f);
    const Value moved = dramBytes(f);
    return traffic && moved && *moved > 0 && traffic->moved >= kExplainsDram * *moved
               ? Value(100 * std::max(0.0, 1 - traffic->useful / *moved))
               : std::nullopt;
}

/// Never more than the share of sectors that is excess.
Value excessL2(const RunFacts& f)
{
    const std::optional<RequestedTraffic> traffic = computeRequestedTraffic(f);
    const Value moved = f.metric("lts__t_bytes.sum"), sectors = excessSectors(f);
    return traffic && moved && sectors && *moved > 0 && traffic->moved >= kExplainsL2 * *moved
               ? Value(std::min(*sectors, 100 * std::max(0.0, 1 - traffic->useful / *moved)))
               : std::nullopt;
}

/// Excess that a cache catches costs nothing at the level that limits.
Value usefulLimit(const RunFacts& f)
{
    const struct {
        Value busy, excess;
    } levels[] = {{f.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"), excessDram(f)},
                  {f.metric("lts__throughput.avg.pct_of_peak_sustained_elapsed"), excessL2(f)},
                  {f.metric("l1tex__throughput.avg.pct_of_peak_sustained_elapsed"), excessTraffic(f)}};
    const auto& limit = *std::ranges::max_element(levels, {}, [](const auto& level) { return level.busy.value_or(-1); });
    return limit.busy && limit.excess && f.hasCounters() ? Value(*limit.busy * (1 - *limit.excess / 100)) : std::nullopt;
}

constexpr std::array<Quantity, 20> kMemory{{
    {"sectors_per_load", "sectors per load", "", "l1tex__average_t_sectors_per_request, global loads", sectorsPerLoad},
    {"sectors_per_store", "sectors per store", "", "l1tex__average_t_sectors_per_request, global stores", sectorsPerStore},
    {"useful_load_percent", "useful bytes per sector, loads", "%", "smsp__sass_average_data_bytes_per_sector, global loads", usefulLoad},
    {"useful_store_percent", "useful bytes per sector, stores", "%", "smsp__sass_average_data_bytes_per_sector, global stores",
     usefulStore},
    {"excess_sectors_percent", "excess sectors", "%", "sectors without requested bytes / all global sectors", excessSectors},
    {"excess_traffic_percent", "excess sectors in L1's traffic", "%",
     "excess global sectors / l1tex__t_sectors, or / global sectors alone where that was not collected", excessTraffic},
    {"dram_bytes", "DRAM traffic", "bytes", "dram__bytes_read + dram__bytes_write", dramBytes},
    {"traffic_amplification", "traffic amplification", "", "DRAM bytes / the formula's least bytes", amplification},
    {"useful_dram_percent", "DRAM busy with needed bytes", "%",
     "DRAM throughput / traffic amplification; without counters, ideal bytes / time", usefulDram},
    {"excess_dram_percent", "excess DRAM bytes", "%", "1 - bytes that global accesses asked for / DRAM bytes; a lower bound", excessDram},
    {"useful_limit_percent", "limiting level busy with needed bytes", "%",
     "busiest of DRAM, L2 and L1, without the share of its traffic that is excess at that level", usefulLimit},
    {"bank_conflict_percent", "bank conflicts", "%", "shared-memory conflicts / wavefronts, loads and stores", conflictRatio},
    {"bank_conflict_cost_percent", "time lost to bank conflicts", "%", "conflict cycles per SM / cycles elapsed", conflictCost},
    {"local_accesses", "local accesses", "count", "local loads + stores executed", localAccesses},
    {"spill_share_percent", "local share of memory instructions", "%", "local / (local + global + shared) instructions", spillShare},
    {"atomic_share_percent", "atomics among global accesses", "%",
     "(atomics + reductions) / (global instructions, at least L2 bytes / 1024)", atomicShare},
    {"l2_hit_percent", "L2 hit rate", "%", "lts__t_sector_hit_rate", l2HitRate},
    {"l2_reuse", "requests to L2 per byte", "", "lts__t_bytes of the longest launch / ideal bytes (several launches: / all buffers)",
     l2Reuse},
    {"footprint_of_l2", "footprint / L2 size", "", "ideal bytes (several launches: all buffers) / the size of L2", computeL2Footprint},
    {"asked_dram_percent", "DRAM rate if nothing hits in L2", "%", "lts__t_bytes / time of the longest launch / the device's DRAM peak",
     computeRequestedDram},
}};

} // namespace

std::span<const Quantity> memoryQuantities()
{
    return kMemory;
}

std::optional<SectorWaste> sectorWaste(const RunFacts& f)
{
    const auto [loadCount, storeCount] = requests(f);
    const auto computeSide = [](Value useful, Value perRequest, Value count) -> std::optional<Side> {
        const auto waste = computeWaste(useful, perRequest);
        if (!waste)
            return {};
        const double each = perRequest.value_or(0);
        return Side{count && each > 0 ? *count * each : count.value_or(each), *waste, each};
    };
    const auto load = computeSide(usefulLoad(f), sectorsPerLoad(f), loadCount);
    const auto store = computeSide(usefulStore(f), sectorsPerStore(f), storeCount);
    if (!load && !store)
        return {};
    const Side l = load.value_or(Side{}), s = store.value_or(Side{});
    const bool stores = s.sectors * s.waste > l.sectors * l.waste;
    const Side& worse = stores ? s : l;
    const double all = l.sectors + s.sectors;
    const double percent = all > 0 ? 100 * (l.sectors * l.waste + s.sectors * s.waste) / all : 100 * worse.waste;
    const Value wasted = loadCount && storeCount ? Value(l.sectors * l.waste + s.sectors * s.waste) : std::nullopt;
    return SectorWaste{percent, stores, worse.perRequest, worse.perRequest * (1 - worse.waste), wasted};
}

} // namespace kl::inline diagnosis
