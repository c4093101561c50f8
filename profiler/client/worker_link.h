// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/child_process.h"
#include "profiler/client/wire.h"
#include "profiler/client/worker_client.h"

#include <chrono>
#include <deque>

namespace kl::inline client {

/// One running worker: bytes in and out, no policy. Blocking, one thread at a time.
class WorkerLink {
public:
    using Clock = std::chrono::steady_clock;

    static Result<WorkerLink> start(const WorkerOptions& options);

    /// The result of waiting.
    enum class Wake { event, ended, stopped, timeout };

    /// Sends what is queued and reads until there is an event, the worker's output ended, `wakeFd` (an eventfd; −1: none)
    /// became readable, or `until` passed. A line that is not an event of the protocol is an Error.
    Result<Wake> wait(Clock::time_point until, int wakeFd = -1);

    /// Whether wait() would return with an event at once, without reading.
    bool pending() const noexcept { return !events_.empty(); }

    /// The oldest event that wait() announced. Precondition: it announced one.
    WorkerEvent take();

    void send(const std::string& line) { unsent_ += line; }

    ChildProcess& process() noexcept { return process_; }
    const std::string& errorTail();

private:
    explicit WorkerLink(ChildProcess process) : process_(std::move(process)) {}
    void flush();
    Status splitLines();

    ChildProcess process_;
    std::string unsent_;
    std::size_t sent_ = 0; ///< of these
    std::string received_;
    std::size_t searched_ = 0; ///< of these, for the end of a line
    std::deque<WorkerEvent> events_;
    Tail tail_;
    bool outputOpen_ = true;
    bool errorsOpen_ = true;
};

} // namespace kl::inline client
