// SPDX-License-Identifier: MIT
#pragma once

#include "core/process/fd.h"
#include "profiler/client/child_process.h"
#include "profiler/remote/resumable_link.h"

#include <chrono>

namespace kl::inline remote {

/// Runs a worker on the host with the GPU and passes on what it and its client write, over one connection after the other: while none is
/// there the worker works on, and what it writes is kept. A new connection takes the place of the one before. Ends with the worker, once
/// the client knows of it; when the client asks for it; and `idle` after the last connection, with the worker killed.
class Supervisor {
public:
    /// Clients come through `listener`.
    Supervisor(ChildProcess worker, Fd listener, std::chrono::seconds idle);

    void run();

private:
    using Clock = std::chrono::steady_clock;

    void waitForNews();
    void takeClient();
    void readClient();
    void writeClient();
    void leaveClient();
    void readWorker(int descriptor, FrameType type, bool& open);
    void writeWorker();
    void watchWorker();

    ChildProcess worker_;
    Fd listener_;
    Fd client_; ///< empty while there is none
    std::chrono::seconds idle_;
    Clock::time_point left_; ///< when the last client did
    ResumableLink link_;
    std::string input_; ///< for the worker
    bool inputEnds_ = false;
    bool inputOpen_ = true;
    bool outputOpen_ = true;
    bool errorsOpen_ = true;
    bool ended_ = false; ///< the worker, and link_ has the news
    bool quit_ = false;
};

} // namespace kl::inline remote
