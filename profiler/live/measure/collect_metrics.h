// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "profiler/collector.h"
#include "profiler/live/session/gpu_session.h"

#include <span>

namespace kl::inline live {

struct MetricRequest;

/// Index of the launch that takes longest by its measured time; the first one without measurements.
std::size_t longestLaunch(const std::vector<LaunchFacts>& launches);

/// Hardware metrics of the work's longest launch. For every pass, memory is restored, the launches before it run, and the caches are
/// emptied unless disabled in the request; if the device has no room for a copy of the buffers, CUPTI replays the launch
/// and caches are not emptied, as noted in the set. Error environment: no counters; kernelFailed: the work itself fails.
Result<MetricSet> collectMetrics(GpuSession& session, BuiltWork& work, const ProfileRequest& request, const Job& job);

/// The same of several works whose buffers are all on the device, in one collection: each pass goes through all of them. `flush`: empty
/// the caches before each counted launch. `failed`: set to the index of the work that ended it with an error.
/// Error with isDeviceLimit where a second copy of the buffers does not fit.
Result<std::vector<MetricSet>> collectTogether(GpuSession& session, std::span<BuiltWork* const> works, const MetricRequest& wanted,
                                               bool flush, const Job& job, std::optional<std::size_t>& failed);

} // namespace kl::inline live
