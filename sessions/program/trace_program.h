// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/program/injected_run.h"
#include "sessions/program/program_profile.h"

namespace kl::inline program {

/// Runs a program: runInjected(), or one that has the same answer from elsewhere.
using RunProgram = std::function<Result<InjectedEnd>(const InjectedRun&, const RunWatch&)>;

/// Runs programs on the host of a collector instead, in the background there; what they write goes to `job`.
RunProgram runOn(Collector& collector, const Job& job);

/// A program to trace, and how its kernels' counters are read.
struct TraceRequest {
    InjectedRun run;
    bool counters = true;    ///< no: without hardware counters
    bool executions = false; ///< count what instructions do beside the counters, too; without counters they are, in runs of their own
    bool once = false;       ///< in the first run, of every launch; no: in a second run, of the launches that take the time
    bool lock = false;       ///< keep other measurements of this machine off the GPUs that it may use, and wait for them first
    RunProgram runner = runInjected;
};

/// What its runs left: the arguments of makeProgramProfile().
struct TracedProgram {
    ProgramRun program;
    std::vector<ProcessTrace> processes;
    Counting counting;
};

/// Runs the program, and again for the counters, or for the executions of instructions, where that is requested, it left kernels worth
/// counting, and it was not killed or stopped. Without counters it runs again for each of the three launches that take most of the time.
/// `again` gets the number of launches to be counted before that. Errors: runInjected's; GpuLock's, where it
/// locks.
Result<TracedProgram> traceProgram(TraceRequest request, const RunWatch& watch, const std::function<void(std::size_t)>& again);

} // namespace kl::inline program
