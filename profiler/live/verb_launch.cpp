// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "profiler/live/measure/correctness.h"
#include "profiler/live/work/nvtx_phase.h"

#include <fmt/format.h>

namespace kl::inline live {

Result<RunAnswer> launchWork(GpuSession& session, const LaunchRequest& request, const Job& job)
{
    RunAnswer answer;
    answer.device = session.device();
    answer.correctness.reason = "launched for another profiler";
    const auto failed = [&](const Error& error) -> Result<RunAnswer> {
        const std::optional<ResultStatus> status = findStatus(error);
        if (!status)
            return error;
        answer.status = *status;
        answer.reason = error.message;
        return answer;
    };
    const Phase phase(job, fmt::format("launching {}", request.work.kernel));
    const Result<std::unique_ptr<BuiltWork>> work = session.build(request.work, {.state = BufferState::bare});
    if (!work)
        return failed(work.error());
    for (int i = 0; i < request.repeat; ++i) {
        if (job.stop.stop_requested())
            return makeCanceledError();
        if (Status reset = (*work)->untouched() ? Status() : (*work)->reset(); !reset)
            return failed(reset.error());
        if (Status issued = (*work)->issueEachOnce(); !issued)
            return failed(issued.error());
        if (Status ended = waitFor(session.bench().stream(), 10 * kHangSeconds); !ended)
            return failed(ended.error());
    }
    answer.launches = (*work)->facts();
    answer.memoryBytes = (*work)->memoryBytes();
    return answer;
}

} // namespace kl::inline live
