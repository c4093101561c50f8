// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/messages.h"

namespace kl {

/// A request that took its worker down (died, hung, silent) as the answer of a failed run: its reason, and the tail of the worker's
/// error stream as a warning "worker-ended", so that it stands in the database like any run. Answers and errors that say nothing of the
/// kernel (environment, interrupted, not recorded, bad input) pass unchanged.
Result<RunAnswer> orFailedRun(Result<RunAnswer> answer, const Hello& hello);

} // namespace kl
