// SPDX-License-Identifier: MIT
#include "core/diagnosis/predicted_metrics.h"

#include "core/device/metric_name.h"
#include "core/device/peaks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>

namespace kl::inline diagnosis {
namespace {

constexpr double kWarpLanes = 32;
constexpr double kSchedulers = 4;        ///< of a multiprocessor, one instruction a cycle each
constexpr double kXuLanes = 16;          ///< CUDA C++ programming guide, throughput of native arithmetic instructions
constexpr double kAluLanes = 64;         ///< the same
constexpr double kL1BytesPerCycle = 128; ///< of a multiprocessor
constexpr double kBytesPerSector = 32;
constexpr double kMmaCycles = 6.6; ///< of Hopper's tensor pipe for an mma.sync of 16 x 8 x 16 in FP16, seen on an H200; wgmma's do more
/// Of a multiprocessor: 5.6 TB/s at 1980 MHz on 132, what loads that hit reach on a GH100. Not devices.json's measured roof, which is in
/// bytes of lts__t_bytes: those count what passes between the halves of L2, too.
constexpr double kL2BytesPerCycle = 21.5;

/// Cycles that a matrix product of machine code takes on its scheduler's tensor pipe on Hopper. mma.sync: as kMmaCycles, and half of it for
/// half the depth; the same for INT8, seen on an H200 (8192^3 in IMMA.16832: 74 % of the pipe in 1144 us). FP64: 64 FLOPs per cycle (67
/// TFLOP/s on the data sheet). Warpgroup products (the name's number is their columns): 1024 FLOPs per cycle of FP16, whatever the type,
/// whose depth makes up for its rate.
struct TensorCycles {
    std::string_view name;
    double cycles;
};
constexpr std::array<TensorCycles, 10> kTensorCycles{{{"sass.hmma.16816", kMmaCycles},
                                                      {"sass.hmma.1688", kMmaCycles / 2},
                                                      {"sass.hmma.1688.tf32", kMmaCycles},
                                                      {"sass.hmma.1684", kMmaCycles / 2},
                                                      {"sass.imma.16832", kMmaCycles},
                                                      {"sass.imma.16816", kMmaCycles / 2},
                                                      {"sass.dmma.884", 8},
                                                      {"sass.dmma.1684", 16},
                                                      {"sass.dmma.1688", 32},
                                                      {"sass.dmma.16816", 64}}};
constexpr std::string_view kWarpgroupProduct = "sass.gmma.";
constexpr double kCyclesPerColumn = 0.5; ///< 64 x N x 16 by four warps: 512 N FLOPs each

/// Of a warp.
double tensorCycles(const WarpModel& warp)
{
    double sum = 0;
    for (const auto& [name, count] : warp.executed) {
        const auto known = std::ranges::find(kTensorCycles, name, &TensorCycles::name);
        if (known != kTensorCycles.end())
            sum += count * known->cycles;
        else if (name.starts_with(kWarpgroupProduct))
            sum += count * kCyclesPerColumn * std::atof(name.c_str() + kWarpgroupProduct.size());
        else if (name == "mma")
            sum += count * kMmaCycles;
    }
    return sum;
}

double sumExecuted(const WarpModel& warp, std::initializer_list<const char*> classes)
{
    double sum = 0;
    for (const char* opcodeClass : classes)
        if (const auto found = warp.executed.find(opcodeClass); found != warp.executed.end())
            sum += found->second;
    return sum;
}

/// 128-byte lines that the requests touch: four sectors each where neighbors share them, one for every sector beyond what was requested.
double countTouchedLines(const WarpAccesses& side)
{
    return std::max(side.requests, side.ideal * kBytesPerSector / kL1BytesPerCycle) + (side.sectors - side.ideal);
}

double computeShare(double part, double whole)
{
    return whole > 0 ? std::min(100.0, 100 * part / whole) : 0;
}

/// Of a type's fused multiply-adds, from the peak in FLOP/s at the launch's clock.
double computeLanes(std::optional<double> peak, double cyclesPerSecond, double sms)
{
    return peak ? *peak / 2 / cyclesPerSecond / sms : 0;
}

} // namespace

std::map<std::string, double> predictMetrics(const RunRecord& run, const LaunchFacts& launch)
{
    const bool alone = run.launches.size() == 1;
    const double ns = launch.gpuNs ? *launch.gpuNs : alone && run.timing ? run.timing->gpu.median : 0;
    const double mhz = run.timing && run.timing->clockMhz ? *run.timing->clockMhz : run.device.clockMhz;
    if (!launch.warp || !launch.warp->complete || !(ns > 0) || !(mhz > 0) || run.device.smCount <= 0)
        return {};
    const WarpModel& warp = *launch.warp;
    const double sms = run.device.smCount;
    const double cycles = ns * 1e-3 * mhz;
    const double warps = static_cast<double>(launch.gridBlocks) * std::ceil(launch.blockThreads / kWarpLanes);
    const double perSm = warps / sms;
    const Peaks peaks = computePeaks(run.device, mhz);
    const auto pipe = [&](double instructions, double lanes) {
        return lanes > 0 ? computeShare(instructions * perSm * kWarpLanes / lanes, cycles) : 0;
    };

    std::map<std::string, double> out;
    const auto metric = [&out](MetricName name) -> double& { return out[std::string(name)]; };
    metric("gpc__cycles_elapsed.max") = cycles;
    metric("smsp__thread_inst_executed_per_inst_executed.ratio") = warp.activeThreads;
    const double issue = computeShare(warp.instructions * perSm / kSchedulers, cycles);
    metric("smsp__issue_active.avg.per_cycle_active") = issue / 100;
    metric("sm__inst_issued.avg.pct_of_peak_sustained_elapsed") = issue;
    const double fma =
        pipe(sumExecuted(warp, {"fma.f32", "sass.fp32", "sass.half", "sass.imad"}), computeLanes(peaks.fp32, mhz * 1e6, sms));
    const double fp64 = pipe(sumExecuted(warp, {"fma.f64", "sass.fp64"}), computeLanes(peaks.fp64, mhz * 1e6, sms));
    const double xu = pipe(sumExecuted(warp, {"xu", "div", "sass.xu"}), kXuLanes);
    // Of PTX nobody knows which pipe the compiler takes: integer adds and multiplies share the FMA pipe. Machine code tells.
    const double alu = pipe(sumExecuted(warp, {"int", "setp", "cvt"}) + 2 * sumExecuted(warp, {"sass.alu"}), 2 * kAluLanes);
    metric("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active") = fma;
    metric("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active") = fp64;
    metric("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active") = xu;
    metric("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active") = alu;
    const double tensor = run.device.ccMajor == 9 ? computeShare(tensorCycles(warp) * perSm / kSchedulers, cycles) : 0;
    if (tensor > 0)
        metric("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed") = tensor;
    metric("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") =
        sumExecuted(warp, {"fma.f32", "sass.fp32"}) * warp.activeThreads * warps;
    metric("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum") =
        sumExecuted(warp, {"fma.f64", "sass.fp64"}) * warp.activeThreads * warps;
    metric("sm__throughput.avg.pct_of_peak_sustained_elapsed") = std::max({issue, fma, fp64, xu, alu, tensor});

    const double globalSectors = warp.loads.sectors + warp.stores.sectors;
    const double l1Cycles = warp.sharedWavefronts + countTouchedLines(warp.loads) + countTouchedLines(warp.stores);
    metric("l1tex__throughput.avg.pct_of_peak_sustained_elapsed") = computeShare(l1Cycles * perSm, cycles);
    const double l2Sectors = warp.blockSectors + warp.stores.sectors + warp.atomicAddresses;
    metric("lts__t_bytes.sum") = l2Sectors * kBytesPerSector * warps;
    metric("lts__throughput.avg.pct_of_peak_sustained_elapsed") =
        computeShare(l2Sectors * kBytesPerSector * perSm, cycles * kL2BytesPerCycle);
    metric("l1tex__t_sectors.sum") = globalSectors * warps;
    metric("smsp__sass_inst_executed_op_global_ld.sum") = (warp.loads.requests + warp.loads.unknown) * warps;
    metric("smsp__sass_inst_executed_op_global_st.sum") = (warp.stores.requests + warp.stores.unknown) * warps;
    metric("smsp__sass_inst_executed_op_global.sum") =
        (warp.loads.requests + warp.loads.unknown + warp.stores.requests + warp.stores.unknown + warp.atomicRequests) * warps;
    if (warp.executed.contains("ld.local") || warp.executed.contains("st.local")) {
        metric("smsp__sass_inst_executed_op_local_ld.sum") = sumExecuted(warp, {"ld.local"}) * warps;
        metric("smsp__sass_inst_executed_op_local_st.sum") = sumExecuted(warp, {"st.local"}) * warps;
    }
    metric("smsp__sass_inst_executed_op_shared.sum") = warp.sharedRequests * warps;
    metric("smsp__sass_inst_executed_op_global_atom.sum") = warp.atomicRequests * warps;
    const auto side = [&](const WarpAccesses& accesses, MetricName sectorsPerRequest, MetricName usefulBytes) {
        if (!(accesses.requests > 0))
            return;
        metric(sectorsPerRequest) = accesses.sectors / accesses.requests;
        metric(usefulBytes) = 100 * accesses.ideal / accesses.sectors;
    };
    side(warp.loads, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
         "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct");
    side(warp.stores, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
         "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct");
    metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum") = (warp.sharedWavefronts - warp.sharedIdeal) * warps;
    metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") = warp.sharedWavefronts * warps;
    return out;
}

} // namespace kl::inline diagnosis
