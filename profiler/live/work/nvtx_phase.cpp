// SPDX-License-Identifier: MIT
#include "profiler/live/work/nvtx_phase.h"

#include <chrono>
#include <fmt/format.h>
#include <thread>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <nvtx3/nvToolsExt.h>
#pragma GCC diagnostic pop

namespace kl::inline live {

Phase::Phase(const Job& job, const std::string& step) : time_(step)
{
    nvtxRangePushA(step.c_str());
    job.report(step);
}

Phase::~Phase()
{
    nvtxRangePop();
}

void waitForCooling(double seconds, const Job& job)
{
    const Phase phase(job, fmt::format("waiting {:.1f} s: the GPU is throttled", seconds));
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end && !job.stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

Error makeCanceledError()
{
    return {.code = ErrorCode::interrupted, .message = "The request was canceled."};
}

} // namespace kl::inline live
