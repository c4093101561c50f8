// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/messages.h"

#include <chrono>
#include <mutex>
#include <string>

namespace kl::cli {

/// Progress on stderr: one line rewritten in place on a terminal, else a line every ten seconds.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    void show(const Progress& progress);
    /// A notice, which stays: from any thread.
    void tell(const std::string& text);
    /// Takes the line off the terminal, before other output.
    void clear();

private:
    void wipe();

    std::mutex mutex_;
    bool terminal_;
    std::size_t width_ = 0;
    std::chrono::steady_clock::time_point last_;
};

} // namespace kl::cli
