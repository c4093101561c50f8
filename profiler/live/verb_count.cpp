// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "core/base/ids.h"
#include "profiler/live/work/bench.h"
#include "profiler/live/work/collect_metrics.h"
#include "profiler/live/work/nvtx_phase.h"

#include <chrono>

namespace kl {
namespace {

/// Times each launch once, to know which takes longest; a single launch needs no clock.
Status timeLaunches(GpuSession& session, BuiltWork& work)
{
    if (work.facts().size() < 2)
        return {};
    Result<std::unique_ptr<ActivityRecorder>> recorder = ActivityRecorder::start();
    if (!recorder)
        return recorder.error();
    KL_TRY(work.reset());
    const Result<std::vector<Sample>> samples = session.bench().measure(
        **recorder, [&] { return work.issueEachOnce(); }, work.facts().size(), 1, true);
    if (!samples)
        return samples.error();
    for (const Sample& sample : *samples)
        for (std::size_t i = 0; i < sample.partsNs.size() && i < work.facts().size(); ++i)
            work.facts()[i].gpuNs = sample.partsNs[i];
    return {};
}

} // namespace

Result<RunAnswer> countWork(GpuSession& session, const ProfileRequest& request, const Job& job)
{
    const auto begin = std::chrono::steady_clock::now();
    RunAnswer answer;
    answer.device = session.device();
    answer.sourceHash = request.run.work.sourceHash;
    answer.correctness.reason = "counters alone were asked for";
    const auto failed = [&](const Error& error) -> Result<RunAnswer> {
        const std::optional<ResultStatus> status = statusOf(error);
        if (!status)
            return error;
        answer.status = *status;
        answer.reason = error.message;
        if (contextLost())
            answer.warnings.push_back(workerRestarts());
        return answer;
    };
    const Result<std::unique_ptr<BuiltWork>> work = session.build(request.run.work);
    if (!work)
        return failed(work.error());
    if (Status timed = timeLaunches(session, **work); !timed)
        return failed(timed.error());
    answer.launches = (*work)->facts();
    answer.memoryBytes = (*work)->memoryBytes();
    Result<MetricSet> metrics = collectMetrics(session, **work, request, job);
    if (!metrics)
        return failed(metrics.error());
    answer.metrics = std::move(*metrics);
    answer.workerSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return answer;
}

} // namespace kl
