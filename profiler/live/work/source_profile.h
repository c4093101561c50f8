// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "core/model/source_profile.h"
#include "profiler/collector.h"
#include "profiler/live/work/built_work.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

struct CUctx_st;
struct CUstream_st;

namespace kl::inline live {

class SassCounter;

/// The environment of sampling.
struct SourceTarget {
    CUctx_st* context = nullptr;   ///< current on the calling thread
    CUstream_st* stream = nullptr; ///< for issuing the work
    DeviceInfo device;
    SassCounter* counter = nullptr; ///< null: no counts, for the reason in noCounter
    std::string noCounter;
    /// Builds the work once more over the same memory: after counters were collected, CUPTI 13.0 handles only modules loaded since.
    std::function<Result<std::unique_ptr<BuiltWork>>()> rebuild;
    /// Keeps the sampled code loaded for the process's life: CUPTI 13.0 remembers the function at each sampled address, and would use
    /// its name for samples of another module at that address.
    std::function<void(std::shared_ptr<const Module>)> keepLoaded;
    std::string_view cubin; ///< that the work was built from
    std::size_t launch = 0; ///< index into the work's facts
};

/// Samples the program counters of one launch of the work and counts the executions of its instructions. The whole sequence is issued
/// for it, again and again until there are enough samples: half a second at most. What is unavailable is listed in the answer's
/// `unavailable` and `countsUnavailable`. Error: the work itself fails, or the job was stopped.
Result<SourceProfile> profileSource(BuiltWork& work, const SourceTarget& target, const Job& job);

/// The sampling of launches: the period as a power of two in cycles, and how many launches give `samples` samples.
struct SamplingPlan {
    int periodLog2 = 10;
    int launches = 1;

    bool operator==(const SamplingPlan&) const = default;
};

/// A period short enough that every SM is sampled several times within one launch, and launches enough for `samples`.
/// `launchNs` and `sequenceNs`: GPU time of the launch alone, and of the sequence that it is part of.
SamplingPlan planSampling(double launchNs, double sequenceNs, std::int64_t gridBlocks, const DeviceInfo& device, int samples);

} // namespace kl::inline live
