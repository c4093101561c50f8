// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kl::inline client {

class Consent;

struct WorkerOptions {
    std::filesystem::path program;      ///< kloop-worker; empty: $KERNELLOOP_WORKER, else beside the running program
    std::vector<std::string> under;     ///< a tool that starts the worker and watches it, path first: {"compute-sanitizer", "--tool", …}
    std::vector<std::string> arguments; ///< after the program's name
    std::string host;                   ///< that the worker runs on, as ssh takes it; empty: this one. `program` is then a relay to it
    std::string gpu;                    ///< that is measured on, as chooseGpu() takes it; empty: the first
    std::shared_ptr<Consent> consent;   ///< for commands in files; unset: each is refused
    std::chrono::milliseconds silence = std::chrono::seconds(60);   ///< limit without an event: the worker is killed, the request fails
    std::chrono::milliseconds deadline = std::chrono::seconds(300); ///< of one step
    std::chrono::milliseconds hello = std::chrono::seconds(60);     ///< from start to the first event
    std::chrono::milliseconds cancel = std::chrono::seconds(3);     ///< for a canceled request to end on its own
};

/// The worker that `options` name: their program, else $KERNELLOOP_WORKER, else the one beside the running program.
std::filesystem::path workerProgram(const WorkerOptions& options);

/// Starts kloop-worker in its own process group and waits for its hello. A worker that dies or goes silent fails the request
/// with the tail of its stderr, and the next request starts a new one. A request whose files contain commands is sent only with consent.
/// Error environment when the program cannot be started.
Result<std::unique_ptr<Collector>> startWorker(const WorkerOptions& options = {});

} // namespace kl::inline client
