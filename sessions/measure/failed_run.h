// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/messages.h"

namespace kl::inline measure {

/// A request that killed its worker (crash, hang, no heartbeat) as the answer of a failed run: its reason, and the tail of the worker's
/// error stream as a warning "worker-ended", so that it is in the database like any run. Answers and errors unrelated to the
/// kernel (environment, interrupted, not recorded, bad input) pass unchanged.
Result<RunAnswer> orFailedRun(Result<RunAnswer> answer, const Hello& hello);

} // namespace kl::inline measure
