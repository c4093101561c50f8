// SPDX-License-Identifier: MIT
#include "sessions/program/trace_program.h"

#include "core/base/format.h"
#include "core/base/try.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kl::inline program {
namespace {

/// CUPTI 13.0 counts the instructions of one kernel in a process that reads no hardware counters: each of those kernels is a run.
constexpr std::size_t kRunsWithoutCounters = 3;

Result<std::vector<ProcessTrace>> runOnce(const InjectedRun& run, const RunWatch& watch, ProgramRun& program)
{
    program.command = run.command;
    program.startedAt = isoNow();
    KL_ASSIGN(InjectedEnd end, runInjected(run, watch));
    program.exitCode = end.exitCode;
    program.signal = end.signal;
    program.wallSeconds = end.wallSeconds;
    return std::move(end.processes);
}

} // namespace

Result<TracedProgram> traceProgram(TraceRequest request, const RunWatch& watch, const std::function<void(std::size_t)>& again)
{
    const bool lookFirst = !request.once, executions = request.executions || (!request.counters && lookFirst);
    request.run.config.counters = request.counters && !lookFirst;
    request.run.config.executions = executions && !lookFirst;
    TracedProgram traced;
    KL_ASSIGN(traced.processes, runOnce(request.run, watch, traced.program));
    traced.counting.off = !request.counters;
    traced.counting.ranges = request.run.config.ranges;
    if (!lookFirst || traced.program.signal || watch.stop.stop_requested())
        return traced;
    const TraceConfig& config = request.run.config;
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(config.kernel));
    traced.counting.wanted = launchesWorthCounting(totalsOf(traced.processes, config.ranges), pattern, config.count, config.ranges);
    if (traced.counting.wanted.empty())
        return traced;
    if (!request.counters && traced.counting.wanted.size() > kRunsWithoutCounters)
        traced.counting.wanted.resize(kRunsWithoutCounters);
    again(traced.counting.wanted.size());
    request.run.config.counters = request.counters;
    request.run.config.executions = executions;
    request.run.again = true;
    const auto countOf = [&](std::vector<WantedLaunch> wanted) -> Status {
        request.run.config.wanted = std::move(wanted);
        ProgramRun run;
        KL_ASSIGN(std::vector<ProcessTrace> processes, runOnce(request.run, watch, run));
        std::ranges::move(processes, std::back_inserter(traced.counting.processes));
        traced.counting.run = std::move(run);
        return {};
    };
    if (request.counters) {
        KL_TRY(countOf(traced.counting.wanted));
        return traced;
    }
    for (const WantedLaunch& launch : traced.counting.wanted)
        if (!watch.stop.stop_requested())
            KL_TRY(countOf({launch}));
    return traced;
}

} // namespace kl::inline program
