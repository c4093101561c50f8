// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "core/base/try.h"
#include "profiler/live/cupti/activity.h"
#include "profiler/live/cupti/range_profiler.h"
#include "profiler/live/measure/collect_metrics.h"
#include "profiler/live/work/bench.h"
#include "profiler/live/work/nvtx_phase.h"

#include <chrono>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

/// Times each launch of a work once, to know which takes longest; a single launch needs no clock.
class LaunchTimer {
public:
    explicit LaunchTimer(GpuSession& session) : session_(session) {}

    Status time(BuiltWork& work)
    {
        if (work.facts().size() < 2)
            return {};
        if (!recorder_) { // one for all works: starting it takes longer than timing
            KL_ASSIGN(std::unique_ptr<ActivityRecorder> started, ActivityRecorder::start());
            recorder_ = std::move(started);
        }
        if (!work.untouched())
            KL_TRY(work.reset());
        KL_ASSIGN(const std::vector<Sample> samples, session_.bench().measure(
                                                         *recorder_, [&] { return work.issueEachOnce(); }, work.facts().size(), 1, true));
        for (const Sample& sample : samples)
            for (std::size_t i = 0; i < sample.partsNs.size() && i < work.facts().size(); ++i)
                work.facts()[i].gpuNs = sample.partsNs[i];
        return {};
    }

private:
    GpuSession& session_;
    std::unique_ptr<ActivityRecorder> recorder_; ///< released before counters are collected
};

/// Works that fit on the device together.
struct Batch {
    std::vector<std::size_t> indices;
    std::vector<std::unique_ptr<BuiltWork>> works;

    std::vector<BuiltWork*> pointers() const
    {
        std::vector<BuiltWork*> list;
        for (const std::unique_ptr<BuiltWork>& work : works)
            list.push_back(work.get());
        return list;
    }
};

class Counting {
public:
    Counting(GpuSession& session, const CountRequest& request, const Job& job)
        : session_(session), request_(request), job_(job), wanted_{request.tier, request.metrics, request.maxPasses}
    {
        for (const WorkSpec& work : request.works) {
            RunAnswer answer;
            answer.device = session.device();
            answer.sourceHash = work.sourceHash;
            answer.correctness.reason = "only counters were requested";
            answer_.answers.push_back(std::move(answer));
        }
    }

    Result<CountAnswer> run()
    {
        {
            const Phase phase(job_, "compiling");
            session_.compileAhead(request_.works);
        }
        for (std::size_t next = 0; next < request_.works.size();) {
            if (job_.stop.stop_requested())
                return makeCanceledError();
            Batch batch;
            KL_TRY(fill(batch, next));
            if (!batch.works.empty())
                KL_TRY(collect(batch));
            if (contextLost())
                break;
        }
        return std::move(answer_);
    }

private:
    /// Builds works from `next` on until the device is half full: collecting takes a second copy of every buffer.
    Status fill(Batch& batch, std::size_t& next)
    {
        const Phase phase(job_, "preparing");
        LaunchTimer timer(session_);
        std::int64_t bytes = 0;
        for (; next < request_.works.size(); ++next) {
            Result<std::unique_ptr<BuiltWork>> work = session_.build(request_.works[next]);
            if (!work && isDeviceLimit(work.error()) && !batch.works.empty())
                return {}; // begins the next batch
            const Status timed = work ? timer.time(**work) : Status(work.error());
            if (!timed) {
                KL_TRY(fail(next, timed.error()));
                continue;
            }
            bytes += (*work)->memoryBytes();
            batch.indices.push_back(next);
            batch.works.push_back(std::move(*work));
            if (2 * bytes > session_.device().memoryBytes / 2) {
                ++next;
                return {};
            }
        }
        return {};
    }

    Status collect(const Batch& batch)
    {
        const auto begin = std::chrono::steady_clock::now();
        std::optional<std::size_t> failed;
        Result<std::vector<MetricSet>> sets =
            collectTogether(session_, batch.pointers(), wanted_, request_.cacheControl.value_or("flush") == "flush", job_, failed);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        for (std::size_t i = 0; i < batch.indices.size(); ++i) {
            RunAnswer& answer = answer_.answers[batch.indices[i]];
            answer.launches = batch.works[i]->facts();
            answer.memoryBytes = batch.works[i]->memoryBytes();
            answer.workerSeconds = seconds / static_cast<double>(batch.indices.size());
            if (sets)
                answer.metrics = std::move((*sets)[i]);
            else if (!failed || *failed == i)
                KL_TRY(fail(batch.indices[i], sets.error()));
            else
                KL_TRY(fail(batch.indices[i], {.code = ErrorCode::kernelFailed,
                                               .message = fmt::format("Not counted: {} failed in the same collection.",
                                                                      request_.works[batch.indices[*failed]].kernel),
                                               .detail = sets.error().detail}));
        }
        return {};
    }

    /// A kernel's failure is its answer; what is not the kernel's ends the request.
    Status fail(std::size_t index, const Error& error)
    {
        const std::optional<ResultStatus> status = findStatus(error);
        if (!status)
            return error;
        RunAnswer& answer = answer_.answers[index];
        answer.status = *status;
        answer.reason = error.message;
        if (contextLost())
            answer.warnings.push_back(workerRestarts());
        return {};
    }

    GpuSession& session_;
    const CountRequest& request_;
    const Job& job_;
    MetricRequest wanted_;
    CountAnswer answer_;
};

} // namespace

Result<CountAnswer> countWorks(GpuSession& session, const CountRequest& request, const Job& job)
{
    return Counting(session, request, job).run();
}

} // namespace kl::inline live
