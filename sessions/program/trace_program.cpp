// SPDX-License-Identifier: MIT
#include "sessions/program/trace_program.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "profiler/program/program_gpus.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace kl::inline program {
namespace {

/// CUPTI 13.0 counts the instructions of one kernel in a process that reads no hardware counters: each of those kernels is a run.
constexpr std::size_t kRunsWithoutCounters = 3;

Job lockJob(const RunWatch& watch)
{
    return {[&watch, reportedStep = std::string()](const Progress& progress) mutable {
                if (watch.locked && std::exchange(reportedStep, progress.step) != progress.step)
                    watch.locked(progress.step);
            },
            watch.stop};
}

constexpr std::int64_t kEntriesToCountRange = 40; ///< enough for the passes of a range and for launches to be counted after them
constexpr std::int64_t kEntriesMost = 1'000'000;

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

/// A program and its files are there, not here.
Error addHostName(Error error, const std::string& host)
{
    if (error.message.find(host) == std::string::npos)
        error.message = fmt::format("{}: {}", host, error.message);
    return error;
}

} // namespace

RunProgram runOn(Collector& collector, const Job& job)
{
    return [&collector, job](const InjectedRun& run, const RunWatch&) -> Result<InjectedEnd> {
        const TraceProgramRequest request{run.command, run.variables, encodeTraceConfig(run.config), run.again};
        const Result<TraceProgramAnswer> answer = traceProgram(collector, request, job);
        if (!answer)
            return addHostName(answer.error(), collector.remoteHost());
        return readAnswer(*answer, collector.getAnsweringHello().host);
    };
}

Result<TracedProgram> traceProgram(TraceRequest request, const RunWatch& watch, const std::function<void(std::size_t)>& again)
{
    KL_ASSIGN([[maybe_unused]] const std::vector<GpuLock> locks,
              request.lock ? lockGpus(request.run.variables, lockJob(watch)) : Result<std::vector<GpuLock>>(std::vector<GpuLock>{}));
    const bool lookFirst = !request.once, executions = request.executions || (!request.counters && lookFirst);
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
    const ProgramTotals totals = computeTotals(traced.processes, config.ranges);
    traced.counting.wanted = chooseLaunchesToCount(totals, pattern, config.count, config.ranges);
    const bool often = totals.chosen && totals.chosen->count >= kEntriesToCountRange;
    if (traced.counting.wanted.empty() && !(often && request.counters))
        return traced;
    if (!request.counters && traced.counting.wanted.size() > kRunsWithoutCounters)
        traced.counting.wanted.resize(kRunsWithoutCounters);
    request.run.config.rangeEntries =
        often && request.counters ? static_cast<int>(std::min<std::int64_t>(totals.chosen->count, kEntriesMost)) : 0;
    again(traced.counting.wanted.size());
    request.run.config.counters = request.counters;
    request.run.config.executions = executions;
    request.run.again = true;
    const auto countWantedLaunches = [&](std::vector<WantedLaunch> wanted) -> Status {
        request.run.config.wanted = std::move(wanted);
        ProgramRun run;
        KL_ASSIGN(std::vector<ProcessTrace> processes, runOnce(request, watch, run));
        std::ranges::move(processes, std::back_inserter(traced.counting.processes));
        traced.counting.run = std::move(run);
        return {};
    };
    if (request.counters) {
        KL_TRY(countWantedLaunches(traced.counting.wanted));
        return traced;
    }
    for (const WantedLaunch& launch : traced.counting.wanted)
        if (!watch.stop.stop_requested())
            KL_TRY(countWantedLaunches({launch}));
    return traced;
}

} // namespace kl::inline program
