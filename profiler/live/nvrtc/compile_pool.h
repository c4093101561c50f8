// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/live/nvrtc/compile_cache.h"

#include <cstddef>
#include <functional>

namespace kl {

/// Threads that compile at the same time: `asked`, else one a processor; never more than there are tasks.
int compileThreads(int asked, std::size_t tasks);

/// Compiles `count` tasks on `threads` threads. `task` gives each, from any thread; `done` gets each outcome, one at a time, in whatever
/// order they come. Reports how many are done and how long the rest should take. Error interrupted when the job is stopped: running
/// compilers end, too.
Status compileAll(CompileCache& cache, std::size_t count, const std::function<CompileTask(std::size_t)>& task, int threads, const Job& job,
                  const std::function<void(std::size_t, const Result<CompileCache::Compiled>&)>& done);

} // namespace kl
