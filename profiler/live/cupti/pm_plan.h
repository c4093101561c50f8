// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/pm_roles.h"

#include <string>
#include <vector>

namespace kl::inline live {

class MetricSource;

/// A metric that is sampled, by the chip's name.
struct PmMetric {
    PmRole role;
    std::string name;

    bool operator==(const PmMetric&) const = default;
};

/// What is sampled during one execution of a launch. The first of each group is PmRole::activeSms, which finds the launch in the samples.
using PmGroup = std::vector<PmMetric>;

/// The metrics of a chip that PM sampling can collect: of each role the best name that needs a single pass, in as few groups as fit into
/// one pass each. `source`: of MetricUse::pmSampling. Error environment: the chip has none.
Result<std::vector<PmGroup>> planPmSampling(MetricSource& source);

/// Limits and intervals, in nanoseconds.
inline constexpr double kLeastPmLaunchNs = 100'000; ///< a shorter launch has too few samples
inline constexpr double kLeastPmIntervalNs = 1'000; ///< H200: at 500 ns, counts of neighboring samples spill into each other
inline constexpr int kPmSamplesWanted = 250;        ///< of a launch, where the least interval permits

/// For a launch of that duration: whole microseconds.
std::uint64_t pmIntervalNs(double launchNs);

/// Whether samples are triggered by a count of system clock cycles: Turing and GA100 cannot trigger by time.
bool triggersBySystemClock(const std::string& chip);

} // namespace kl::inline live
