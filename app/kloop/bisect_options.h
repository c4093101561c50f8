// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl {

/// What `kloop bisect` says.
struct BisectOptions {
    std::string good;
    std::string bad = "HEAD";
    bool builds = false;
    bool wrong = false;
    double slowerThan = 0; ///< 0: not asked
    std::string arch = "sm_90";
};

} // namespace kl
