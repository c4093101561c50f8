// SPDX-License-Identifier: MIT
#include "profiler/live/python/run_once.h"

#include "core/process/run_to_end.h"

#include <fmt/format.h>

namespace kl::inline live {

Result<Finished> runOnce(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, const std::string& folder,
                         double seconds)
{
    std::error_code failure;
    CompletedRun run = runToEnd({.arguments = arguments, .folder = folder, .environment = environment}, seconds, {.kept = 4000}, failure);
    if (failure)
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("{} could not be started: {}.", arguments.front(), failure.message()),
                     .hint = "Install it, or set KLOOP_PYTHON to another python3.",
                     .where = arguments.front()};
    return Finished{run.end.status, run.timedOut, std::move(run.output)};
}

} // namespace kl::inline live
