// SPDX-License-Identifier: MIT
#pragma once

#include "core/process/fd.h"
#include "profiler/client/child_process.h"
#include "profiler/client/wire.h"
#include "profiler/remote/attach.h"
#include "profiler/remote/resumable_link.h"
#include "profiler/remote/route.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace kl::inline remote {

struct RelayOptions {
    std::chrono::seconds giveUp{300}; ///< without a connection
    std::chrono::seconds silence{20}; ///< of a connection, whose ends ping each other every five seconds
};

/// A worker on another host, in the shape of one on this host: JSON Lines on standard input and output, its errors on standard error, its
/// exit status. Where the connection is cut it is made again, with the worker working on; meanwhile progress says so. It writes events of
/// its own: that progress, and one error that says why a host cannot be used (host_trouble.h). SIGTERM, and a client that no longer reads,
/// kill the worker.
class Relay {
public:
    /// Reads standard input, writes events to `output`, a duplicate of standard output.
    Relay(std::unique_ptr<Route> route, RelayOptions options, Fd output);

    /// Until the worker has ended or cannot be reached: the exit status of this process, which dies by the worker's signal if one ended it.
    int run();

private:
    using Clock = std::chrono::steady_clock;

    void waitForNews();
    void connect();
    void cutOff(const std::string& why);
    void readHost();
    bool readMark();
    void readFrames(std::string_view bytes);
    void readEnd(const std::string& payload);
    void writeHost();
    void readInput();
    void addOutput(std::string_view bytes);
    void writeOutput();
    void watchConnection();
    void reportWaiting();
    Error makeNeverAnsweredError(const std::string& words) const;
    void fail(const Error& error);
    void killWorker();
    int finish();

    std::unique_ptr<Route> route_;
    RelayOptions options_;
    Fd output_;
    Fd signals_;
    std::optional<ChildProcess> carrier_; ///< the program that is the connection
    Clock::time_point began_ = Clock::now();
    ResumableLink link_;
    std::string printed_;   ///< by the host, before the frames
    bool attached_ = false; ///< this connection has reached the worker
    bool everAttached_ = false;
    bool again_ = false; ///< an earlier one has, too
    int attempts_ = 0;   ///< since the connection was lost
    Clock::time_point lost_;
    Clock::time_point nextAttempt_ = Clock::now();
    Clock::time_point heard_;
    Clock::time_point pinged_;
    Clock::time_point reported_;
    Tail errors_; ///< of the carrier
    bool errorsOpen_ = false;
    bool inputOpen_ = true;
    bool greeted_ = false; ///< the worker's hello has been passed on
    std::string line_;     ///< of the worker's output, incomplete
    std::string unwritten_;
    std::optional<int> status_; ///< set: nothing is left to do
    std::optional<int> signal_;
};

} // namespace kl::inline remote
