// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_labels.h"

#include "core/device/metric_name.h"

#include <array>
#include <string_view>

namespace kl::inline nsight {
namespace {

struct Label {
    std::string_view section;
    std::string_view label;
    MetricName metric;
};

/// As the sections of Nsight Compute 2025.3 pair them, read from a report.
constexpr std::array kLabels{
    Label{"Compute Workload Analysis", "Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active"},
    Label{"Compute Workload Analysis", "Executed Ipc Elapsed", "sm__inst_executed.avg.per_cycle_elapsed"},
    Label{"Compute Workload Analysis", "Issue Slots Busy", "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"},
    Label{"Compute Workload Analysis", "Issued Ipc Active", "sm__inst_issued.avg.per_cycle_active"},
    Label{"Compute Workload Analysis", "SM Busy", "sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed"},
    Label{"GPU Speed Of Light Throughput", "Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    Label{"GPU Speed Of Light Throughput", "DRAM Frequency", "dram__cycles_elapsed.avg.per_second"},
    Label{"GPU Speed Of Light Throughput", "DRAM Throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    Label{"GPU Speed Of Light Throughput", "Duration", "gpu__time_duration.sum"},
    Label{"GPU Speed Of Light Throughput", "Elapsed Cycles", "gpc__cycles_elapsed.max"},
    Label{"GPU Speed Of Light Throughput", "L1/TEX Cache Throughput", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    Label{"GPU Speed Of Light Throughput", "L2 Cache Throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    Label{"GPU Speed Of Light Throughput", "Memory Throughput", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    Label{"GPU Speed Of Light Throughput", "SM Active Cycles", "sm__cycles_active.avg"},
    Label{"GPU Speed Of Light Throughput", "SM Frequency", "gpc__cycles_elapsed.avg.per_second"},
    Label{"GPU and Memory Workload Distribution", "Average DRAM Active Cycles", "dram__cycles_active.avg"},
    Label{"GPU and Memory Workload Distribution", "Average L1 Active Cycles", "l1tex__cycles_active.avg"},
    Label{"GPU and Memory Workload Distribution", "Average L2 Active Cycles", "lts__cycles_active.avg"},
    Label{"GPU and Memory Workload Distribution", "Average SM Active Cycles", "sm__cycles_active.avg"},
    Label{"GPU and Memory Workload Distribution", "Average SMSP Active Cycles", "smsp__cycles_active.avg"},
    Label{"GPU and Memory Workload Distribution", "Total DRAM Elapsed Cycles", "dram__cycles_elapsed.sum"},
    Label{"GPU and Memory Workload Distribution", "Total L1 Elapsed Cycles", "l1tex__cycles_elapsed.sum"},
    Label{"GPU and Memory Workload Distribution", "Total L2 Elapsed Cycles", "lts__cycles_elapsed.sum"},
    Label{"GPU and Memory Workload Distribution", "Total SM Elapsed Cycles", "sm__cycles_elapsed.sum"},
    Label{"GPU and Memory Workload Distribution", "Total SMSP Elapsed Cycles", "smsp__cycles_elapsed.sum"},
    Label{"Instruction Statistics", "Avg. Executed Instructions Per Scheduler", "smsp__inst_executed.avg"},
    Label{"Instruction Statistics", "Avg. Issued Instructions Per Scheduler", "smsp__inst_issued.avg"},
    Label{"Instruction Statistics", "Executed Instructions", "smsp__inst_executed.sum"},
    Label{"Instruction Statistics", "Issued Instructions", "smsp__inst_issued.sum"},
    Label{"Launch Statistics", "# SMs", "launch__sm_count"},
    Label{"Launch Statistics", "# TPCs", "launch__tpc_count"},
    Label{"Launch Statistics", "Block Size", "launch__block_size"},
    Label{"Launch Statistics", "Cluster Scheduling Policy", "launch__cluster_scheduling_policy"},
    Label{"Launch Statistics", "Cluster Size", "launch__cluster_size"},
    Label{"Launch Statistics", "Driver Shared Memory Per Block", "launch__shared_mem_per_block_driver"},
    Label{"Launch Statistics", "Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic"},
    Label{"Launch Statistics", "Enabled TPC IDs", "launch__tpc_enabled"},
    Label{"Launch Statistics", "Function Cache Configuration", "launch__func_cache_config"},
    Label{"Launch Statistics", "Grid Size", "launch__grid_size"},
    Label{"Launch Statistics", "Registers Per Thread", "launch__registers_per_thread"},
    Label{"Launch Statistics", "Shared Memory Configuration Size", "launch__shared_mem_config_size"},
    Label{"Launch Statistics", "Stack Size", "launch__stack_size"},
    Label{"Launch Statistics", "Static Shared Memory Per Block", "launch__shared_mem_per_block_static"},
    Label{"Launch Statistics", "Threads", "launch__thread_count"},
    Label{"Launch Statistics", "Uses Green Context", "launch__uses_green_context"},
    Label{"Launch Statistics", "Waves Per SM", "launch__waves_per_multiprocessor"},
    Label{"Memory Workload Analysis", "L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    Label{"Memory Workload Analysis", "L2 Compression Input Sectors", "lts__gcomp_input_sectors.sum"},
    Label{"Memory Workload Analysis", "L2 Compression Ratio", "lts__average_gcomp_output_sector_compression_achieved_rate.ratio"},
    Label{"Memory Workload Analysis", "L2 Compression Success Rate", "lts__average_gcomp_input_sector_success_rate.pct"},
    Label{"Memory Workload Analysis", "L2 Hit Rate", "lts__t_sector_hit_rate.pct"},
    Label{"Memory Workload Analysis", "L2 Persisting Size", "launch__persisting_l2_cache_size"},
    Label{"Memory Workload Analysis", "Local Memory Spilling Request Overhead", "derived__local_spilling_requests_pct"},
    Label{"Memory Workload Analysis", "Local Memory Spilling Requests", "derived__local_spilling_requests"},
    Label{"Memory Workload Analysis", "Max Bandwidth", "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"},
    Label{"Memory Workload Analysis", "Mem Busy", "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"},
    Label{"Memory Workload Analysis", "Mem Pipes Busy", "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    Label{"Memory Workload Analysis", "Memory Throughput", "dram__bytes.sum.per_second"},
    Label{"Occupancy", "Achieved Active Warps Per SM", "sm__warps_active.avg.per_cycle_active"},
    Label{"Occupancy", "Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    Label{"Occupancy", "Block Limit Barriers", "launch__occupancy_limit_barriers"},
    Label{"Occupancy", "Block Limit Registers", "launch__occupancy_limit_registers"},
    Label{"Occupancy", "Block Limit SM", "launch__occupancy_limit_blocks"},
    Label{"Occupancy", "Block Limit Shared Mem", "launch__occupancy_limit_shared_mem"},
    Label{"Occupancy", "Block Limit Warps", "launch__occupancy_limit_warps"},
    Label{"Occupancy", "Cluster Occupancy", "launch__occupancy_cluster_pct"},
    Label{"Occupancy", "Max Active Clusters", "launch__cluster_max_active"},
    Label{"Occupancy", "Max Cluster Size", "launch__cluster_max_potential_size"},
    Label{"Occupancy", "Overall GPU Occupancy", "launch__occupancy_cluster_gpu_pct"},
    Label{"Occupancy", "Theoretical Active Warps per SM", "sm__maximum_warps_avg_per_active_cycle"},
    Label{"Occupancy", "Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    Label{"PM Sampling", "# Pass Groups", "profiler__pmsampler_pass_groups"},
    Label{"PM Sampling", "Maximum Buffer Size", "profiler__pmsampler_buffer_size_bytes"},
    Label{"PM Sampling", "Maximum Sampling Interval", "profiler__pmsampler_interval_time"},
    Label{"Scheduler Statistics", "Active Warps Per Scheduler", "smsp__warps_active.avg.per_cycle_active"},
    Label{"Scheduler Statistics", "Eligible Warps Per Scheduler", "smsp__warps_eligible.avg.per_cycle_active"},
    Label{"Scheduler Statistics", "Issued Warp Per Scheduler", "smsp__issue_active.avg.per_cycle_active"},
    Label{"Scheduler Statistics", "No Eligible", "smsp__issue_inst0.avg.pct_of_peak_sustained_active"},
    Label{"Scheduler Statistics", "One or More Eligible", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    Label{"Source Counters", "Avg. Divergent Branches", "smsp__sass_branch_targets_threads_divergent.avg"},
    Label{"Source Counters", "Branch Efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct"},
    Label{"Source Counters", "Branch Instructions", "smsp__inst_executed_op_branch.sum"},
    Label{"Source Counters", "Branch Instructions Ratio", "derived__smsp__inst_executed_op_branch_pct"},
    Label{"Warp State Statistics", "Avg. Active Threads Per Warp", "smsp__thread_inst_executed_per_inst_executed.ratio"},
    Label{"Warp State Statistics", "Avg. Not Predicated Off Threads Per Warp",
          "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"},
    Label{"Warp State Statistics", "Warp Cycles Per Executed Instruction", "smsp__average_warps_active_per_inst_executed.ratio"},
    Label{"Warp State Statistics", "Warp Cycles Per Issued Instruction", "smsp__average_warp_latency_per_inst_issued.ratio"}};

} // namespace

std::string findLabelMetric(const std::string& section, const std::string& label)
{
    if (label.find("__") != std::string::npos) {
        const std::size_t open = label.ends_with(')') ? label.rfind(" (") : std::string::npos;
        return open == std::string::npos ? label : label.substr(open + 2, label.size() - open - 3);
    }
    for (const Label& known : kLabels)
        if (known.section == section && known.label == label)
            return std::string(known.metric);
    return section + ": " + label;
}

} // namespace kl::inline nsight
