// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/protocol/program_messages.h"

namespace kl::inline program_runs {

/// Carries out the request `trace`: runs the program in the background, with what it writes given to Job::output as it comes, and a new
/// step of progress every minute, since only its user knows how long it may take. Job::stop ends it. Errors: runInjected's, badInput for
/// the request.
Result<TraceProgramAnswer> runStreamed(const TraceProgramRequest& request, const Job& job);

} // namespace kl::inline program_runs
