// SPDX-License-Identifier: MIT
#include "profiler/live/work/nvtx_phase.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <nvtx3/nvToolsExt.h>
#pragma GCC diagnostic pop

namespace kl {

Phase::Phase(const Job& job, const std::string& step)
{
    nvtxRangePushA(step.c_str());
    job.report(step);
}

Phase::~Phase()
{
    nvtxRangePop();
}

Error cancelled()
{
    return {ErrorCode::interrupted, "The request was cancelled.", {}, {}, {}};
}

} // namespace kl
