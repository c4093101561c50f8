// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kl::inline client {

class Consent;

/// Time for which a GPU of another host was held: what a cloud or a cluster charges for.
struct HeldTime {
    std::string host; ///< as Collector::remoteHost() names it
    double seconds = 0;
};

struct WorkerOptions {
    std::filesystem::path program;      ///< kloop-worker; empty: $KERNELLOOP_WORKER, else beside the running program
    std::vector<std::string> under;     ///< a tool that starts the worker and watches it, path first: {"compute-sanitizer", "--tool", …}
    std::vector<std::string> arguments; ///< after the program's name
    std::string host;                   ///< that the worker runs on, as Collector::remoteHost() names it; empty: this one
    std::string gpu;                    ///< that is measured on, as chooseGpu() takes it; empty: the first
    std::shared_ptr<Consent> consent;   ///< for commands in files; unset: each is refused
    Job opening = {};                   ///< told about a device that takes its time to open, and what stops that; from any thread
    std::function<void(const HeldTime&)> held = {}; ///< called when a device of another host is closed; from any thread
    /// Called when a device of another host is opened, or that host cannot be reached or is lost; from any thread.
    std::function<void(const std::string& host, const Result<Hello>& met)> met = {};
    std::chrono::milliseconds silence = std::chrono::seconds(60);   ///< limit without an event: the worker is killed, the request fails
    std::chrono::milliseconds deadline = std::chrono::seconds(300); ///< of one step
    std::chrono::milliseconds hello = std::chrono::seconds(60);     ///< from start to the first event
    std::chrono::milliseconds cancel = std::chrono::seconds(3);     ///< for a canceled request to end on its own
};

/// Error::where of a worker whose protocol is not this program's.
inline constexpr const char* kOtherProtocol = "protocol";

/// The worker that `options` name: their program, else $KERNELLOOP_WORKER, else the one beside the running program.
std::filesystem::path workerProgram(const WorkerOptions& options);

/// Starts kloop-worker in its own process group and waits for its hello. A worker that dies or goes silent fails the request
/// with the tail of its stderr, and the next request starts a new one. A request whose files contain commands is sent only with consent.
/// Error environment when the program cannot be started.
Result<std::unique_ptr<Collector>> startWorker(const WorkerOptions& options = {});

} // namespace kl::inline client
