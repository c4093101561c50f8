// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/metric_info.h"
#include "core/device/stall_reasons.h"

#include <algorithm>

/// The catalog's rows, known to the compiler so that a misspelled name is an error (metric_name.h). Programs read metricCatalog().
namespace kl::inline device::metric_table {

using enum Better;

inline constexpr std::string_view kHostMemory = "this chip's memory is the host's, and it counts no DRAM traffic";
inline constexpr std::string_view kTensorByType = "tensor work is counted by number type from Ampere on";
inline constexpr std::string_view kHopperOnly = "only Hopper has warpgroup matrix instructions";
inline constexpr NameList kIntegrated{"GA10B", "GB10B", "GB20B"};
inline constexpr NameList kAllButHopper{"GV", "TU", "GA", "AD", "GB"};

// Tier 0: one pass on every chip, cheap enough for each trial of a search.
inline constexpr auto kBasics = std::to_array<MetricInfo>({
    {"gpu__time_duration.sum", 0, "GPU time", "ns", lower,
     "Time of the launch inside the profiler. Timing proper comes from activity records."},
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
     0,
     "DRAM throughput",
     "%",
     neutral,
     "Share of the DRAM's peak rate in use. From about 70 % the kernel is limited by how many bytes it moves.",
     {},
     kIntegrated,
     kHostMemory},
    {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 0, "instruction issue", "%", higher,
     "Warp instructions issued, as a share of what the schedulers could issue over the whole launch."},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
     0,
     "tensor pipe",
     "%",
     higher,
     "Share of the launch in which the tensor cores worked.",
     {"sm__pipe_tensor_cycles_active_v2.avg.pct_of_peak_sustained_elapsed"}},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", 0, "achieved occupancy", "%", higher,
     "Warps resident on an active multiprocessor, of the most it can hold. Far below the theoretical value: uneven work or a tail."},
    {"smsp__issue_active.avg.per_cycle_active", 0, "issue slots", "1/cycle", higher,
     "Instructions issued per active cycle of a scheduler, at most 1. Under 0.6 warps mostly wait."},
    {"dram__bytes_read.sum",
     0,
     "DRAM read",
     "B",
     lower,
     "Bytes read from device memory.",
     {"dram__bytes_op_read.sum"},
     kIntegrated,
     kHostMemory},
    {"dram__bytes_write.sum",
     0,
     "DRAM written",
     "B",
     lower,
     "Bytes written to device memory.",
     {"dram__bytes_op_write.sum"},
     kIntegrated,
     kHostMemory},
    {"lts__t_sectors_op_read.sum", 0, "L2 sectors read", "sectors", lower, "Sectors of 32 bytes that were read from L2."},
    {"lts__t_bytes.sum", 0, "L2 traffic", "B", lower, "All bytes requested of L2."},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 0, "bank conflicts, loads", "", lower,
     "Extra shared-memory cycles because lanes of a load fell into one bank."},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0, "bank conflicts, stores", "", lower,
     "Extra shared-memory cycles because lanes of a store fell into one bank."},
    {"smsp__average_warp_latency_per_inst_issued.ratio", 0, "warp latency", "cycles/instruction", lower,
     "Cycles a warp is resident for each instruction it issues: the sum of all its stall reasons."},
    {"gpc__cycles_elapsed.max", 0, "GPU cycles", "cycles", lower,
     "Clock cycles of the launch; divided by its time, the SM clock of the pass."},
    {"sm__cycles_active.max", 0, "busiest SM", "cycles", lower,
     "Cycles in which the busiest multiprocessor held a warp. Far above the mean: uneven work."},
});

inline constexpr auto kUnits = std::to_array<MetricInfo>({
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 2, "compute speed of light", "%", neutral,
     "The busiest part of the multiprocessors, as a share of its peak."},
    {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 2, "memory speed of light", "%", neutral,
     "The busiest part of the memory system (L1, L2, DRAM, shared), as a share of its peak."},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 2, "L2 throughput", "%", neutral, "The busiest part of the L2 cache."},
    {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 2, "L1 throughput", "%", neutral, "The busiest part of L1 and shared memory."},
    {"lts__t_sector_hit_rate.pct", 1, "L2 hit rate", "%", higher, "Sectors that L2 served without DRAM. Stores count as hits."},
    {"l1tex__t_sector_hit_rate.pct", 1, "L1 hit rate", "%", higher, "Sectors that L1 served without L2."},
    {"smsp__thread_inst_executed_per_inst_executed.ratio",
     2,
     "active threads per warp",
     "threads",
     higher,
     "Lanes of 32 that an instruction ran for. Below 24 the branches of a warp diverge.",
     {"smsp__average_thread_inst_executed_per_inst_executed.ratio"}},
    {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
     2,
     "predicated-on threads per warp",
     "threads",
     higher,
     "The same, without lanes that a predicate switched off.",
     {"smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio"}},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 2, "sectors per load", "sectors/request", lower,
     "32-byte sectors for one warp's global load: 4 is ideal for 4-byte elements, 16 for 16-byte ones, 32 is a sector per lane."},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", 2, "sectors per store", "sectors/request", lower,
     "32-byte sectors for one warp's global store: 4 is ideal for 4-byte elements, 16 for 16-byte ones, 32 is a sector per lane."},
    {"l1tex__t_sectors.sum", 2, "L1 traffic", "sectors", lower, "Sectors of 32 bytes that passed through L1: the work of the L1 roofline."},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1, "shared wavefronts, loads", "", lower,
     "Cycles of shared-memory work for loads; conflicts / wavefronts is the share lost."},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 1, "shared wavefronts, stores", "", lower,
     "Cycles of shared-memory work for stores; conflicts / wavefronts is the share lost."},
    {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", 2, "transcendental pipe", "%", neutral,
     "Use of the pipe for exp2, log2, sin, rsqrt and conversions: softmax's limit."},
    {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", 2, "FP32 pipe", "%", neutral, "Use of the FP32 multiply-add pipe."},
    {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", 2, "integer pipe", "%", neutral,
     "Use of the pipe for integer, logic and comparison instructions."},
    {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", 2, "FP64 pipe", "%", neutral, "Use of the double-precision pipe."},
    {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", 2, "load/store pipe", "%", neutral,
     "Use of the pipe for loads and stores of every memory space."},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 2, "global atomics", "requests", lower,
     "Warp requests that return an atomic's old value."},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 2, "global reductions", "requests", lower,
     "Warp requests of atomics whose result is not used."},
    {"sm__inst_executed_pipe_tensor_op_hmma.sum",
     2,
     "half-precision matrix instructions",
     "instructions",
     neutral,
     "Warp instructions of the half-precision matrix pipe. HFMA2, which compilers also use to load constants, counts too.",
     {"sm__inst_executed_pipe_tensor_subpipe_hmma.sum"}},
    {"sm__inst_executed_pipe_tensor_op_gmma.sum",
     2,
     "wgmma instructions",
     "instructions",
     neutral,
     "Warpgroup matrix instructions. A tensor kernel without any on Hopper stays near 60 % of the peak.",
     {},
     kAllButHopper,
     kHopperOnly},
});

/// Text that is put together by the compiler.
class FixedText {
public:
    constexpr FixedText& operator+=(std::string_view part)
    {
        for (const char c : part)
            text_[size_++] = c;
        return *this;
    }
    constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }

private:
    std::array<char, 96> text_{};
    std::size_t size_ = 0;
};

/// "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio".
inline constexpr auto kStallNames = [] {
    std::array<FixedText, kStallReasons.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i)
        (((names[i] += "smsp__average_warps_issue_stalled_") += kStallReasons[i].id) += "_per_issue_active.ratio");
    return names;
}();

inline constexpr auto kStallTitles = [] {
    std::array<FixedText, kStallReasons.size()> titles{};
    for (std::size_t i = 0; i < titles.size(); ++i)
        ((titles[i] += "stall: ") += kStallReasons[i].title);
    return titles;
}();

constexpr MetricInfo stallRow(std::size_t index)
{
    const StallReason& reason = kStallReasons[index];
    MetricInfo row;
    row.name = kStallNames[index].view();
    row.title = kStallTitles[index].view();
    row.unit = "warps";
    row.better = reason.id == "selected" ? neutral : lower;
    row.help = reason.help;
    row.tier = reason.id == "long_scoreboard" || reason.id == "barrier" || reason.id == "mio_throttle" ? 1 : 2;
    if (reason.id == "gmma") {
        row.lackedBy = kAllButHopper;
        row.lackedWhy = kHopperOnly;
    } else if (reason.id == "imc_miss") {
        row.lackedBy = {"GB"};
        row.lackedWhy = "Blackwell does not count this stall on its own";
    }
    return row;
}

inline constexpr auto kStalls = [] {
    std::array<MetricInfo, kStallReasons.size()> rows{};
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = stallRow(i);
    return rows;
}();

// Counted by instrumented code, all of them in one pass.
inline constexpr auto kInstructions = std::to_array<MetricInfo>({
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1, "FP32 adds", "", neutral, "Single-precision additions, one FLOP each."},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1, "FP32 multiplies", "", neutral,
     "Single-precision multiplications, one FLOP each."},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1, "FP32 multiply-adds", "", neutral, "Fused multiply-adds, two FLOPs each."},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 1, "FP64 adds", "", neutral, "Double-precision additions, one FLOP each."},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 1, "FP64 multiplies", "", neutral,
     "Double-precision multiplications, one FLOP each."},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 1, "FP64 multiply-adds", "", neutral,
     "Double-precision multiply-adds, two FLOPs each."},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 1, "FP16 adds", "", neutral,
     "Half-precision additions; a packed one counts once."},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 1, "FP16 multiplies", "", neutral,
     "Half-precision multiplications; a packed one counts once."},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 1, "FP16 multiply-adds", "", neutral,
     "Half-precision multiply-adds; a packed one counts once. Compilers also load constants with them."},
    {"smsp__sass_inst_executed_op_local_ld.sum", 1, "local loads", "instructions", lower,
     "Warp loads of local memory: registers that were spilled, or arrays indexed at run time."},
    {"smsp__sass_inst_executed_op_local_st.sum", 1, "local stores", "instructions", lower,
     "Warp stores to local memory: registers that were spilled, or arrays indexed at run time."},
    {"smsp__sass_inst_executed_op_global.sum", 1, "global accesses", "instructions", lower,
     "Warp instructions that access global memory, atomics included."},
    {"smsp__sass_inst_executed_op_global_ld.sum", 1, "global loads", "instructions", lower, "Warp loads of global memory."},
    {"smsp__sass_inst_executed_op_global_st.sum", 1, "global stores", "instructions", lower, "Warp stores to global memory."},
    {"smsp__sass_inst_executed_op_shared.sum", 1, "shared accesses", "instructions", lower, "Warp instructions that access shared memory."},
    {"smsp__sass_inst_executed_op_global_atom.sum", 1, "atomic instructions", "instructions", lower,
     "Warp atomics whose old value is used."},
    {"smsp__sass_inst_executed_op_global_red.sum", 1, "reduction instructions", "instructions", lower,
     "Warp atomics whose old value is not used."},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 1, "useful bytes per sector, loads", "%", higher,
     "Share of each 32-byte sector that the load asked for. 100 is fully coalesced; 12.5 uses 4 bytes of 32."},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 1, "useful bytes per sector, stores", "%", higher,
     "Share of each 32-byte sector that the store wrote. 100 is fully coalesced; 12.5 uses 4 bytes of 32."},
});

inline constexpr auto kTensorWork = std::to_array<MetricInfo>({
    {"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32_sparsity_off.sum",
     2,
     "mma.sync FLOPs, fp16",
     "FLOP",
     neutral,
     "Tensor-core operations of mma.sync with fp16 inputs and fp32 sums.",
     {"sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_off.sum"},
     {"GV", "TU"},
     kTensorByType},
    {"sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32_sparsity_off.sum",
     2,
     "mma.sync FLOPs, bf16",
     "FLOP",
     neutral,
     "Tensor-core operations of mma.sync with bf16 inputs.",
     {"sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum"},
     {"GV", "TU"},
     kTensorByType},
    {"sm__ops_path_tensor_src_fp16.sum",
     2,
     "tensor FLOPs, fp16",
     "FLOP",
     neutral,
     "Tensor-core operations with fp16 inputs, mma.sync and wgmma.",
     {"sm__ops_path_tensor_src_fp16_dst_fp32.sum"},
     {"TU"},
     kTensorByType},
    {"sm__ops_path_tensor_src_bf16_dst_fp32.sum",
     2,
     "tensor FLOPs, bf16",
     "FLOP",
     neutral,
     "Tensor-core operations with bf16 inputs, mma.sync and wgmma.",
     {},
     {"GV", "TU"},
     kTensorByType},
});

inline constexpr auto kAll = [] {
    std::array<MetricInfo, kBasics.size() + kUnits.size() + kStalls.size() + kInstructions.size() + kTensorWork.size()> rows{};
    auto* next = rows.data();
    const auto add = [&next](const auto& theme) { next = std::copy(theme.begin(), theme.end(), next); };
    add(kBasics);
    add(kUnits);
    add(kStalls);
    add(kInstructions);
    add(kTensorWork);
    return rows;
}();

} // namespace kl::inline device::metric_table
