// SPDX-License-Identifier: MIT
#include "sessions/program/trace_program.h"

#include "core/base/format.h"
#include "core/base/try.h"

namespace kl::inline program {
namespace {

Result<std::vector<ProcessTrace>> runOnce(const TraceRequest& request, const RunWatch& watch, ProgramRun& program)
{
    program.command = request.run.command;
    program.startedAt = isoNow();
    KL_ASSIGN(InjectedEnd end, request.runner(request.run, watch));
    program.host = end.host;
    program.exitCode = end.exitCode;
    program.signal = end.signal;
    program.wallSeconds = end.wallSeconds;
    return std::move(end.processes);
}

} // namespace

RunProgram runOn(Collector& collector, const Job& job)
{
    return [&collector, job](const InjectedRun& run, const RunWatch&) -> Result<InjectedEnd> {
        const TraceProgramRequest request{run.command, run.variables, encodeTraceConfig(run.config), run.again};
        KL_ASSIGN(const TraceProgramAnswer answer, traceProgram(collector, request, job));
        return readAnswer(answer, collector.answeredBy().host);
    };
}

Result<TracedProgram> traceProgram(TraceRequest request, const RunWatch& watch, const std::function<void(std::size_t)>& again)
{
    const bool lookFirst = !request.once, executions = request.executions || !request.counters;
    request.run.config.counters = request.counters && !lookFirst;
    request.run.config.executions = executions && !lookFirst;
    TracedProgram traced;
    KL_ASSIGN(traced.processes, runOnce(request, watch, traced.program));
    traced.counting.off = !request.counters;
    traced.counting.ranges = request.run.config.ranges;
    if (!lookFirst || traced.program.signal || watch.stop.stop_requested())
        return traced;
    const TraceConfig& config = request.run.config;
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(config.kernel));
    traced.counting.wanted = launchesWorthCounting(totalsOf(traced.processes, config.ranges), pattern, config.count, config.ranges);
    if (traced.counting.wanted.empty())
        return traced;
    again(traced.counting.wanted.size());
    request.run.config.counters = request.counters;
    request.run.config.executions = executions;
    request.run.config.wanted = traced.counting.wanted;
    request.run.again = true;
    ProgramRun second;
    KL_ASSIGN(traced.counting.processes, runOnce(request, watch, second));
    traced.counting.run = std::move(second);
    return traced;
}

} // namespace kl::inline program
