// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// What `kloop show` shows of which runs. None of the parts asked for: all of them.
struct ShowOptions {
    std::vector<std::string> targets; ///< run:ID, files, or addresses for their newest profile
    bool roofline = false;
    bool memory = false;
    bool stalls = false;
    bool occupancy = false;
    std::string svg; ///< file that the roofline is drawn into; empty: none

    bool all() const { return !roofline && !memory && !stalls && !occupancy; }
};

} // namespace kl
