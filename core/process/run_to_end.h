// SPDX-License-Identifier: MIT
#pragma once

#include "core/process/process.h"

#include <cstddef>
#include <functional>
#include <string_view>

namespace kl::inline process {

/// What is read of a program that is run to its end.
struct OutputWanted {
    std::size_t kept = 64 * 1024;                      ///< bytes of its end
    bool errors = true;                                ///< its standard error, too, in the order of writing
    std::function<void(std::string_view)> listen = {}; ///< gets all of it, piece by piece
    std::function<bool(double seconds)> waiting = {};  ///< called many times per second while it runs; false kills it, with its group
};

struct CompletedRun {
    ProcessEnd end;
    bool timedOut = false; ///< it was killed, with its group, when its time was up
    bool stopped = false;  ///< it was killed because `waiting` said so
    double seconds = 0;
    std::string output;
};

/// Starts a program in a group of its own, reads its output and waits for its end, at most `seconds`. What it leaves running is killed, and
/// is not waited for even where it keeps the output open. `options` without output and errors, which lead here. `failure`: as
/// Process::start.
CompletedRun runToEnd(ProcessOptions options, double seconds, const OutputWanted& wanted, std::error_code& failure);

} // namespace kl::inline process
