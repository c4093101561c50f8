// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <mutex>
#include <string>
#include <sys/types.h>

namespace kl::inject {

/// Appends lines to this process's trace file. Thread-safe. A forked child writes nothing: the file is its parent's, and CUDA does not
/// work in it anyway. After a failed write nothing more is written.
class TraceWriter {
public:
    /// Creates FOLDER/PID-NANOSECONDS.trace. Error environment with the system's reason.
    Status open(const std::string& folder);

    /// Keeps whole lines; they reach the file at the latest at the next flush().
    void write(const std::string& lines);
    void flush();

private:
    void flushLocked();

    std::mutex mutex_;
    std::string pending_;
    int fd_ = -1;
    pid_t owner_ = 0;
};

} // namespace kl::inject
