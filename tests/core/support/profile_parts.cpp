// SPDX-License-Identifier: MIT
#include "tests/core/support/profile_parts.h"

#include "core/device/device_table.h"
#include "core/device/metric_catalog.h"

namespace kl::test {
namespace {

std::string nameFor(M metric)
{
    switch (metric) {
    case M::sm: return "sm__throughput.avg.pct_of_peak_sustained_elapsed";
    case M::mem: return "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
    case M::dram: return "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
    case M::l2: return "lts__throughput.avg.pct_of_peak_sustained_elapsed";
    case M::l1: return "l1tex__throughput.avg.pct_of_peak_sustained_elapsed";
    case M::tensor: return "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
    case M::occupancy: return "sm__warps_active.avg.pct_of_peak_sustained_active";
    case M::issue: return "smsp__issue_active.avg.per_cycle_active";
    case M::issueElapsed: return "sm__inst_issued.avg.pct_of_peak_sustained_elapsed";
    case M::fma: return "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active";
    case M::fp64: return "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active";
    case M::xu: return "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active";
    case M::alu: return "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active";
    case M::lsu: return "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active";
    case M::threads: return "smsp__thread_inst_executed_per_inst_executed.ratio";
    case M::threadsOn: return "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio";
    case M::sectorsLd: return "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
    case M::sectorsSt: return "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
    case M::usefulLd: return "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
    case M::usefulSt: return "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct";
    case M::global: return "smsp__sass_inst_executed_op_global.sum";
    case M::globalLd: return "smsp__sass_inst_executed_op_global_ld.sum";
    case M::globalSt: return "smsp__sass_inst_executed_op_global_st.sum";
    case M::shared: return "smsp__sass_inst_executed_op_shared.sum";
    case M::localLd: return "smsp__sass_inst_executed_op_local_ld.sum";
    case M::localSt: return "smsp__sass_inst_executed_op_local_st.sum";
    case M::atom: return "smsp__sass_inst_executed_op_global_red.sum";
    case M::conflictsLd: return "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
    case M::conflictsSt: return "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
    case M::wavesLd: return "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    case M::wavesSt: return "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
    case M::cycles: return "gpc__cycles_elapsed.max";
    case M::latency: return "smsp__average_warp_latency_per_inst_issued.ratio";
    case M::barrier: return std::string(stallMetric("barrier"));
    case M::longScoreboard: return std::string(stallMetric("long_scoreboard"));
    case M::shortScoreboard: return std::string(stallMetric("short_scoreboard"));
    case M::mio: return std::string(stallMetric("mio_throttle"));
    case M::lg: return std::string(stallMetric("lg_throttle"));
    case M::wait: return std::string(stallMetric("wait"));
    case M::notSelected: return std::string(stallMetric("not_selected"));
    case M::ffma: return "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
    case M::dfma: return "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum";
    case M::gmma: return "sm__inst_executed_pipe_tensor_op_gmma.sum";
    case M::readBytes: return "dram__bytes_read.sum";
    case M::writeBytes: return "dram__bytes_write.sum";
    }
    return {};
}

} // namespace

RunRecord profile(const std::string& kernel, double us, double idealBytes, double flops, const std::map<M, double>& values)
{
    RunRecord run = h200Run(kernel, us, idealBytes, flops);
    run.metrics = MetricSet{};
    run.metrics->values["gpu__time_duration.sum"] = us * 1000;
    set(run, {{M::sm, 15},
              {M::mem, 20},
              {M::dram, 10},
              {M::l2, 15},
              {M::l1, 10},
              {M::tensor, 0},
              {M::occupancy, 85},
              {M::issue, 0.15},
              {M::fma, 3},
              {M::fp64, 0},
              {M::xu, 1},
              {M::alu, 5},
              {M::lsu, 5},
              {M::threads, 32},
              {M::threadsOn, 31},
              {M::localLd, 0},
              {M::localSt, 0},
              {M::atom, 0},
              {M::shared, 0},
              {M::global, 1e6},
              {M::conflictsLd, 0},
              {M::conflictsSt, 0},
              {M::wavesLd, 0},
              {M::wavesSt, 0},
              {M::cycles, us * 1980},
              {M::latency, 20},
              {M::barrier, 0},
              {M::longScoreboard, 10},
              {M::shortScoreboard, 0},
              {M::mio, 0},
              {M::lg, 0},
              {M::wait, 3},
              {M::notSelected, 1},
              {M::ffma, 0},
              {M::dfma, 0},
              {M::gmma, 0}});
    set(run, values);
    return run;
}

std::map<M, double> coalesced(double requests)
{
    return {{M::sectorsLd, 4},         {M::sectorsSt, 4},       {M::usefulLd, 100},     {M::usefulSt, 100},
            {M::global, 2 * requests}, {M::globalLd, requests}, {M::globalSt, requests}};
}

std::map<M, double> with(std::map<M, double> base, const std::map<M, double>& more)
{
    for (const auto& [metric, value] : more)
        base[metric] = value;
    return base;
}

RunRecord withGrid(RunRecord run, double waves, std::int64_t smem)
{
    run.launches.front().waves = waves;
    run.launches.front().staticSmem = smem;
    return run;
}

RunRecord h200Run(const std::string& kernel, double us, double idealBytes, double flops)
{
    RunRecord run;
    run.kernel = *parseAddress(kernel);
    run.device = describeDevice(*findGpu("NVIDIA H200"));
    run.device.clockMhz = 1980;
    run.correctness.result = CorrectnessResult::correct;
    run.timing = Timing{};
    run.timing->gpu = {us * 1000, us * 995, us * 1005, 30};
    run.timing->busyFraction = 1;
    run.idealBytes = idealBytes;
    run.flops = flops;
    LaunchFacts launch;
    launch.entry = run.kernel.variant;
    launch.blockThreads = 256;
    launch.registers = 32;
    launch.gridBlocks = 100000;
    launch.blocksPerSm = 8;
    launch.theoreticalOccupancy = 100;
    launch.occupancyLimiter = "warps";
    launch.waves = 94.7;
    launch.gpuNs = us * 1000;
    launch.opcodes = {{"ld.global", 1}, {"st.global", 1}, {"int", 4}};
    run.launches.push_back(launch);
    return run;
}

void set(RunRecord& run, const std::map<M, double>& values)
{
    if (!run.metrics)
        run.metrics.emplace();
    for (const auto& [metric, value] : values)
        run.metrics->values[nameFor(metric)] = value;
}

RunRecord withoutCounters(RunRecord run)
{
    run.metrics.reset();
    return run;
}

} // namespace kl::test
