// SPDX-License-Identifier: MIT
#include "tests/core/support/profiles.h"

#include "core/device/device_table.h"
#include "core/device/metric_catalogue.h"

namespace kl::test {
namespace {

std::string nameOf(M metric)
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
    case M::barrier: return stallMetric("barrier");
    case M::longScoreboard: return stallMetric("long_scoreboard");
    case M::shortScoreboard: return stallMetric("short_scoreboard");
    case M::mio: return stallMetric("mio_throttle");
    case M::lg: return stallMetric("lg_throttle");
    case M::wait: return stallMetric("wait");
    case M::notSelected: return stallMetric("not_selected");
    case M::ffma: return "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
    case M::dfma: return "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum";
    case M::gmma: return "sm__inst_executed_pipe_tensor_op_gmma.sum";
    case M::readBytes: return "dram__bytes_read.sum";
    case M::writeBytes: return "dram__bytes_write.sum";
    }
    return {};
}

/// A profile with a quiet background: what a kernel that does little shows.
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

RunRecord withGrid(RunRecord run, double waves, std::int64_t smem = 0)
{
    run.launches.front().waves = waves;
    run.launches.front().staticSmem = smem;
    return run;
}

constexpr double kMatrix = 8192.0 * 8192 * 4; // bytes of one side of the large transpose
constexpr double kRequests = 8192.0 * 8192 / 32;
constexpr double kInput = 67108864.0 * 4; // the large reduction
constexpr double kSums = 67108864.0 / 512;

} // namespace

RunRecord h200Run(const std::string& kernel, double us, double idealBytes, double flops)
{
    RunRecord run;
    run.kernel = *parseAddress(kernel);
    run.device = deviceOf(*findGpu("NVIDIA H200"));
    run.device.clockMhz = 1980;
    run.correctness.result = CorrectnessResult::pass;
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
    for (const auto& [metric, value] : values)
        run.metrics->values[nameOf(metric)] = value;
}

RunRecord recordedStrided()
{
    RunRecord run = profile("user/strided", 265.5, 134217728, 0,
                            {{M::sm, 7.43},
                             {M::mem, 73.9},
                             {M::dram, 73.2},
                             {M::l2, 93.5},
                             {M::l1, 16.6},
                             {M::occupancy, 98},
                             {M::issue, 0.08},
                             {M::fma, 2.7},
                             {M::xu, 4.9},
                             {M::alu, 6.2},
                             {M::lsu, 1.7},
                             {M::threadsOn, 29.5},
                             {M::sectorsLd, 32},
                             {M::sectorsSt, 4},
                             {M::usefulLd, 12.5},
                             {M::usefulSt, 100},
                             {M::global, 1048576},
                             {M::globalLd, 524288},
                             {M::globalSt, 524288},
                             {M::cycles, 524459},
                             {M::latency, 198.6},
                             {M::longScoreboard, 189.9},
                             {M::readBytes, 867.3e6},
                             {M::writeBytes, 67.4e6}});
    run.launches.front().waves = 1;
    return run;
}

RunRecord recordedFma()
{
    RunRecord run =
        profile("user/fma_k", 297.9, 2162688, 8.86e12 * 2.979e-4 * 2,
                {{M::sm, 94.7},    {M::mem, 0.17},        {M::dram, 0.0004},          {M::l2, 0.95},           {M::l1, 0.09},
                 {M::tensor, 2.8}, {M::occupancy, 79.1},  {M::issue, 0.956},          {M::issueElapsed, 94.7}, {M::fma, 89.8},
                 {M::alu, 5.8},    {M::threadsOn, 31.99}, {M::sectorsSt, 4},          {M::usefulSt, 100},      {M::global, 16896},
                 {M::globalLd, 0}, {M::globalSt, 16896},  {M::cycles, 589252},        {M::latency, 13.25},     {M::longScoreboard, 0},
                 {M::wait, 2.99},  {M::notSelected, 8.9}, {M::ffma, 15033.8 * 589252}});
    run.launches.front().waves = 2;
    return run;
}

RunRecord copyStrided()
{
    return profile("copy/strided", 700, 2 * kInput, 0,
                   {{M::sm, 6},
                    {M::mem, 85},
                    {M::dram, 42},
                    {M::l2, 85},
                    {M::l1, 40},
                    {M::sectorsLd, 32},
                    {M::sectorsSt, 32},
                    {M::usefulLd, 12.5},
                    {M::usefulSt, 12.5},
                    {M::globalLd, 2e6},
                    {M::globalSt, 2e6},
                    {M::global, 4e6},
                    {M::latency, 150},
                    {M::longScoreboard, 90},
                    {M::lg, 40}});
}

RunRecord copyVector()
{
    return profile("copy/vector", 2 * kInput / 4.3e12 * 1e6, 2 * kInput, 0,
                   {{M::sm, 8},
                    {M::mem, 90},
                    {M::dram, 90},
                    {M::l2, 50},
                    {M::l1, 25},
                    {M::sectorsLd, 16},
                    {M::sectorsSt, 16},
                    {M::usefulLd, 100},
                    {M::usefulSt, 100},
                    {M::globalLd, 5e5},
                    {M::globalSt, 5e5},
                    {M::global, 1e6},
                    {M::readBytes, kInput},
                    {M::writeBytes, kInput}});
}

RunRecord transposeNaive()
{
    return profile("transpose/naive", 420, 2 * kMatrix, 0,
                   {{M::sm, 12},
                    {M::mem, 70},
                    {M::dram, 30},
                    {M::l2, 70},
                    {M::l1, 45},
                    {M::sectorsLd, 4},
                    {M::sectorsSt, 32},
                    {M::usefulLd, 100},
                    {M::usefulSt, 12.5},
                    {M::global, 2 * kRequests},
                    {M::globalLd, kRequests},
                    {M::globalSt, kRequests},
                    {M::lg, 12},
                    {M::latency, 60},
                    {M::longScoreboard, 30}});
}

RunRecord transposeTiled()
{
    const double cycles = 300 * 1980;
    return withGrid(profile("transpose/tiled", 300, 2 * kMatrix, 0,
                            with(coalesced(kRequests), {{M::sm, 20},
                                                        {M::mem, 90},
                                                        {M::dram, 40},
                                                        {M::l2, 45},
                                                        {M::l1, 90},
                                                        {M::shared, 2 * kRequests},
                                                        {M::wavesLd, 32 * kRequests},
                                                        {M::conflictsLd, 31 * kRequests},
                                                        {M::wavesSt, kRequests},
                                                        {M::cycles, cycles},
                                                        {M::mio, 8},
                                                        {M::shortScoreboard, 6},
                                                        {M::latency, 40},
                                                        {M::barrier, 6}})),
                    94, 4096);
}

RunRecord transposePadded()
{
    return withGrid(profile("transpose/padded", 150, 2 * kMatrix, 0,
                            with(coalesced(kRequests), {{M::sm, 35},
                                                        {M::mem, 78},
                                                        {M::dram, 78},
                                                        {M::l2, 60},
                                                        {M::l1, 45},
                                                        {M::shared, 2 * kRequests},
                                                        {M::wavesLd, kRequests * 1.02},
                                                        {M::conflictsLd, 0.02 * kRequests},
                                                        {M::wavesSt, kRequests},
                                                        {M::readBytes, kMatrix},
                                                        {M::writeBytes, kMatrix}})),
                    94, 4224);
}

RunRecord reductionDivergent()
{
    return withGrid(profile("reduction/divergent", 330, kInput, kInput / 4,
                            {{M::sm, 62},
                             {M::mem, 45},
                             {M::dram, 17},
                             {M::l2, 15},
                             {M::l1, 45},
                             {M::issue, 0.62},
                             {M::issueElapsed, 60},
                             {M::alu, 45},
                             {M::threads, 17},
                             {M::threadsOn, 15},
                             {M::sectorsLd, 4},
                             {M::usefulLd, 100},
                             {M::sectorsSt, 1},
                             {M::usefulSt, 12.5},
                             {M::global, kInput / 128 + kSums},
                             {M::globalLd, kInput / 128},
                             {M::globalSt, kSums},
                             {M::shared, 3e7},
                             {M::wavesLd, 2e7},
                             {M::wavesSt, 1e7},
                             {M::conflictsLd, 1e6},
                             {M::barrier, 5}}),
                    248, 2048);
}

RunRecord reductionConflicting()
{
    return withGrid(profile("reduction/conflicting", 220, kInput, kInput / 4,
                            {{M::sm, 45},
                             {M::mem, 60},
                             {M::dram, 26},
                             {M::l2, 20},
                             {M::l1, 60},
                             {M::threads, 29},
                             {M::sectorsLd, 4},
                             {M::usefulLd, 100},
                             {M::sectorsSt, 1},
                             {M::usefulSt, 12.5},
                             {M::globalLd, kInput / 128},
                             {M::globalSt, kSums},
                             {M::global, kInput / 128 + kSums},
                             {M::wavesLd, 3e7},
                             {M::conflictsLd, 1.6e7},
                             {M::wavesSt, 2e7},
                             {M::conflictsSt, 8e6},
                             {M::shared, 2e7},
                             {M::barrier, 7},
                             {M::shortScoreboard, 5},
                             {M::mio, 3}}),
                    248, 2048);
}

RunRecord reductionSequential()
{
    return withGrid(profile("reduction/sequential", 160, kInput, kInput / 4,
                            {{M::sm, 45},
                             {M::mem, 40},
                             {M::dram, 36},
                             {M::l2, 25},
                             {M::l1, 35},
                             {M::threads, 30},
                             {M::sectorsLd, 4},
                             {M::usefulLd, 100},
                             {M::sectorsSt, 1},
                             {M::usefulSt, 12.5},
                             {M::globalLd, kInput / 128},
                             {M::globalSt, kSums},
                             {M::global, kInput / 128 + kSums},
                             {M::wavesLd, 1e7},
                             {M::wavesSt, 1e7},
                             {M::shared, 2e7},
                             {M::barrier, 9},
                             {M::longScoreboard, 4}}),
                    248, 2048);
}

RunRecord reductionGridStride()
{
    return withGrid(profile("reduction/grid-stride", 68, kInput, kInput / 4,
                            {{M::sm, 15},
                             {M::mem, 84},
                             {M::dram, 84},
                             {M::l2, 40},
                             {M::l1, 20},
                             {M::sectorsLd, 16},
                             {M::usefulLd, 100},
                             {M::sectorsSt, 1},
                             {M::usefulSt, 12.5},
                             {M::globalLd, kInput / 512},
                             {M::globalSt, 1056},
                             {M::global, kInput / 512 + 1056},
                             {M::readBytes, kInput},
                             {M::writeBytes, 4224}}),
                    0.5);
}

RunRecord chainTiny()
{
    RunRecord run =
        profile("chain/separate", 45, 2 * 262144 * 4, 262144 * 16, with(coalesced(8192), {{M::dram, 10}, {M::l2, 20}, {M::sm, 10}}));
    run.launches.front().gpuNs = 2100;
    run.launches.front().waves = 0.97;
    run.launches.resize(16, run.launches.front());
    run.metrics->values["gpu__time_duration.sum"] = 2100;
    run.timing->busyFraction = 0.42;
    return run;
}

RunRecord chainLarge()
{
    RunRecord run = profile("chain/separate", 16 * 33, 2 * 16777216 * 4.0, 16777216 * 16.0,
                            with(coalesced(16777216 / 32), {{M::dram, 82}, {M::l2, 50}, {M::sm, 20}}));
    run.launches.front().gpuNs = 33000;
    run.launches.resize(16, run.launches.front());
    run.timing->busyFraction = 0.95;
    return run;
}

RunRecord fmaFp64()
{
    return profile(
        "fma/fp64", 300, 8 * 1048576, 2.0 * 1048576 * 1024,
        with(coalesced(32768),
             {{M::sm, 95}, {M::fp64, 94}, {M::dram, 0.5}, {M::l2, 1}, {M::l1, 1}, {M::mem, 1}, {M::issue, 0.5}, {M::dfma, 1e9}}));
}

RunRecord fmaTranscendental()
{
    return profile(
        "fma/transcendental", 300, 8 * 1048576, 1048576.0 * 1024,
        with(coalesced(32768), {{M::sm, 97}, {M::xu, 97}, {M::dram, 0.5}, {M::l2, 1}, {M::l1, 1}, {M::mem, 1}, {M::issue, 0.3}}));
}

RunRecord fmaInteger()
{
    return profile("fma/integer", 300, 8 * 1048576, 0,
                   with(coalesced(32768),
                        {{M::sm, 96}, {M::alu, 96}, {M::fma, 20}, {M::dram, 0.5}, {M::l2, 1}, {M::l1, 1}, {M::mem, 1}, {M::issue, 0.55}}));
}

RunRecord attentionFusedLarge()
{
    RunRecord run = profile("attention/fused", 80, 4 * 2 * 8 * 2048 * 64 * 2.0, 4.0 * 2 * 8 * 2048 * 2048 * 64,
                            {{M::sm, 48},
                             {M::mem, 40},
                             {M::dram, 2},
                             {M::l2, 18},
                             {M::l1, 40},
                             {M::tensor, 68},
                             {M::xu, 35},
                             {M::fma, 25},
                             {M::alu, 25},
                             {M::occupancy, 18},
                             {M::issue, 0.45},
                             {M::shared, 1e6},
                             {M::wavesLd, 4e6},
                             {M::gmma, 0}});
    run.launches.front().waves = 1.94;
    run.launches.front().opcodes["mma"] = 32;
    return run;
}

RunRecord attentionFusedSmall()
{
    RunRecord run =
        profile("attention/fused", 12, 4 * 2 * 8 * 512 * 64 * 2.0, 4.0 * 2 * 8 * 512 * 512 * 64,
                {{M::sm, 16}, {M::mem, 12}, {M::dram, 3}, {M::l2, 10}, {M::l1, 12}, {M::tensor, 12}, {M::occupancy, 12}, {M::issue, 0.3}});
    run.launches.front().waves = 0.48;
    run.launches.front().opcodes["mma"] = 32;
    return run;
}

RunRecord spilling()
{
    RunRecord run =
        profile("spilling/array", 200, kInput, 0, with(coalesced(1e6), {{M::dram, 55}, {M::l1, 60}, {M::localLd, 3e6}, {M::localSt, 1e6}}));
    run.launches.front().localBytes = 512;
    return run;
}

RunRecord registerHog()
{
    RunRecord run =
        profile("occupancy/registers", 200, kInput, 0,
                with(coalesced(1e6), {{M::dram, 35}, {M::l2, 20}, {M::occupancy, 12}, {M::issue, 0.2}, {M::longScoreboard, 14}}));
    run.launches.front().registers = 255;
    run.launches.front().theoreticalOccupancy = 12.5;
    run.launches.front().occupancyLimiter = "registers";
    return run;
}

RunRecord histogramAtomics()
{
    return profile("histogram/global", 500, kInput, 0,
                   with(coalesced(1e6), {{M::dram, 8}, {M::l2, 40}, {M::atom, 1e6}, {M::longScoreboard, 4}, {M::lg, 12}}));
}

RunRecord withoutCounters(RunRecord run)
{
    run.metrics.reset();
    return run;
}

} // namespace kl::test
