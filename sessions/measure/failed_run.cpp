// SPDX-License-Identifier: MIT
#include "sessions/measure/failed_run.h"

#include "profiler/protocol/gpu_choice.h"

namespace kl::inline measure {

Result<RunAnswer> orFailedRun(Result<RunAnswer> answer, const Hello& hello)
{
    if (answer || answer.error().code != ErrorCode::kernelFailed)
        return answer;
    const Error& error = answer.error();
    RunAnswer failed;
    failed.status = ResultStatus::computationFailed;
    failed.reason = error.hint.empty() ? error.message : error.message + ' ' + error.hint;
    if (const DeviceInfo* device = findMeasuredDevice(hello))
        failed.device = *device;
    failed.warnings.push_back({"worker-ended", error.detail.empty()
                                                   ? "The worker exited without a message; the next request starts a new one."
                                                   : "The worker exited; its last output: " + error.detail});
    return failed;
}

} // namespace kl::inline measure
