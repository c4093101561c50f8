// SPDX-License-Identifier: MIT
// Quantities of what the multiprocessors execute: pipes, instruction mix, active threads.
#include "core/diagnosis/quantities.h"

#include <array>

namespace kl::inline diagnosis {
namespace {

Value fma(const RunFacts& f)
{
    return f.metric("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active");
}
Value fp64(const RunFacts& f)
{
    return f.metric("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active");
}
Value xu(const RunFacts& f)
{
    return f.metric("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active");
}
Value alu(const RunFacts& f)
{
    return f.metric("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active");
}
Value lsu(const RunFacts& f)
{
    return f.metric("sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active");
}

Value fp32Instructions(const RunFacts& f)
{
    return sumValues({f.metric("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"),
                      f.metric("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"),
                      f.metric("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum")});
}

Value fp64Instructions(const RunFacts& f)
{
    return sumValues({f.metric("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"),
                      f.metric("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"),
                      f.metric("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum")});
}

/// Share of FP64 work among the floating-point instructions: the FP64 pipe also shows on the FMA pipe's counters of small chips.
Value fp64Share(const RunFacts& f)
{
    const Value d = fp64Instructions(f);
    return d ? times(quotient(d, sumValues({d, fp32Instructions(f)})), 100) : std::nullopt;
}

/// FP32 thread instructions per cycle on the whole GPU; Nsight Compute's reports hold the rate instead of the count.
Value fp32PerCycle(const RunFacts& f)
{
    if (const Value rate = quotient(fp32Instructions(f), f.metric("gpc__cycles_elapsed.max")))
        return rate;
    return sumValues({f.perCycle("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"),
                      f.perCycle("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"),
                      f.perCycle("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum")});
}

/// Low when the FMA pipe is busy with integer multiply-adds.
Value fp32OfFma(const RunFacts& f)
{
    const DeviceInfo& device = f.run().device;
    const double lanes = device.ccMajor == 8 && device.ccMinor == 0 ? 64 : device.ccMajor == 7 ? 64 : 128;
    return times(quotient(times(fp32PerCycle(f), 100), times(fma(f), lanes * device.smCount)), 100);
}

Value threadsPerWarp(const RunFacts& f)
{
    return f.metric("smsp__thread_inst_executed_per_inst_executed.ratio");
}
Value threadsOnPerWarp(const RunFacts& f)
{
    return f.metric("smsp__thread_inst_executed_pred_on_per_inst_executed.ratio");
}

constexpr std::array<Quantity, 9> kInstructions{{
    {"fma_pipe_percent", "FP32 pipe", "%", "sm__inst_executed_pipe_fma", fma},
    {"fp64_pipe_percent", "FP64 pipe", "%", "sm__inst_executed_pipe_fp64", fp64},
    {"xu_pipe_percent", "transcendental pipe", "%", "sm__inst_executed_pipe_xu", xu},
    {"alu_pipe_percent", "integer pipe", "%", "sm__inst_executed_pipe_alu", alu},
    {"lsu_pipe_percent", "load/store pipe", "%", "sm__inst_executed_pipe_lsu", lsu},
    {"fp64_share_percent", "FP64 among FP instructions", "%", "FP64 thread instructions / (FP64 + FP32)", fp64Share},
    {"fp32_of_fma_percent", "FP32 on the FMA pipe", "%", "FP32 thread instructions per cycle and lane / the FMA pipe's use", fp32OfFma},
    {"threads_per_warp", "active threads per warp", "", "smsp__thread_inst_executed_per_inst_executed", threadsPerWarp},
    {"threads_on_per_warp", "predicated-on threads per warp", "", "smsp__thread_inst_executed_pred_on_per_inst_executed", threadsOnPerWarp},
}};

} // namespace

std::span<const Quantity> instructionQuantities()
{
    return kInstructions;
}

} // namespace kl::inline diagnosis
