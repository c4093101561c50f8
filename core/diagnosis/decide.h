// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"

#include <string>
#include <vector>

namespace kl::inline diagnosis {

/// `kloop decide SPEEDUP KERNEL_MS`: what the method says to do at this speedup. Thresholds: speedup_min 0.5, 1.0, 2.0 and
/// kernel_duration_min 0.010 ms (for a shorter kernel launch overhead is checked first).
struct Decision {
    std::string level;  ///< "critical", "high", "medium", "success"
    std::string action; ///< one sentence
    struct Step {
        std::string action; ///< one sentence
        NextStep step;
    };
    std::vector<Step> next;
};

/// Preconditions: speedup > 0, kernelMs > 0.
Decision decide(double speedup, double kernelMs);

} // namespace kl::inline diagnosis
