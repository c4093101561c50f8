// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <chrono>
#include <filesystem>
#include <memory>

namespace kl {

struct WorkerOptions {
    std::filesystem::path program;  ///< kloop-worker; empty: beside the running program
    std::chrono::seconds silence{60}; ///< no event for so long: the worker is killed and the request fails
    std::chrono::seconds deadline{300}; ///< of one step
};

/// Starts kloop-worker in its own process group and waits for its hello. A worker that dies or goes silent fails the request
/// with the tail of its stderr, and the next request starts a fresh one.
/// Error environment when the program cannot be started.
Result<std::unique_ptr<Collector>> startWorker(const WorkerOptions& options = {});

} // namespace kl
