// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace kl::inline live {

/// The result of a program.
struct Finished {
    int status = 0; ///< exit status; 128 + the signal that ended it
    bool timedOut = false;
    std::string output; ///< the last 4,000 characters of its standard output and error
};

/// Runs a program to its end in `folder`, in a process group of its own, which is killed when it takes longer than `seconds`.
/// Error environment: it cannot be started.
Result<Finished> runOnce(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, const std::string& folder,
                         double seconds);

} // namespace kl::inline live
