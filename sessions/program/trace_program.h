// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/program/injected_run.h"
#include "sessions/program/program_profile.h"

namespace kl::inline program {

/// A program to trace, and how its kernels' counters are read.
struct TraceRequest {
    InjectedRun run;
    bool counters = true;    ///< no: without hardware counters
    bool executions = false; ///< count what instructions do beside the counters, too; without counters they are, in runs of their own
    bool once = false;       ///< in the first run, of every launch; no: in a second run, of the launches that take the time
    bool lock = false;       ///< keep other measurements of this machine off the GPUs that it may use, and wait for them first
};

/// What its runs left: the arguments of profileOf().
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
