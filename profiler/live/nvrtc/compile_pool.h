// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <cstddef>
#include <functional>
#include <stop_token>

namespace kl {

/// Threads that compile at the same time: `asked`, else one a processor; never more than there are tasks.
int compileThreads(int requested, std::size_t tasks);

/// Makes one of many: whether it was there already. Called from any thread, each index once.
using CompileOne = std::function<Result<bool>(std::size_t, const std::stop_token&)>;

/// Runs `one` for every index below `count` on `threads` threads, near and far ones in turn. Reports how many are done, since when, and
/// how long all should take. Errors: interrupted when the job is stopped, running compilers end, too; the first that `one` answers, after
/// which nothing more is begun.
Status compileAll(std::size_t count, int threads, const Job& job, const CompileOne& one);

} // namespace kl
