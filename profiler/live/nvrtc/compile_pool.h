// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <cstddef>
#include <functional>
#include <stop_token>

namespace kl::inline live {

/// Threads that compile at the same time: `requested`, else one per processor; never more than there are tasks.
int compileThreads(int requested, std::size_t tasks);

/// Compiles one of many; returns whether it was cached. Called from any thread, each index once.
using CompileOne = std::function<Result<bool>(std::size_t, const std::stop_token&)>;

/// Runs `one` for every index below `count` on `threads` threads, in spread order. Reports progress, elapsed
/// time and expected time. Errors: interrupted when the job is stopped, including running compilers; the first error of `one`, after
/// which no more are started.
Status compileAll(std::size_t count, int threads, const Job& job, const CompileOne& one);

} // namespace kl::inline live
