// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "profiler/protocol/messages.h"
#include "profiler/protocol/timeline_messages.h"

#include <cstdint>

namespace kl::inline measure {

/// The requests behind every measurement, built the same way each time: a recording is found by a key over the request, so
/// recording and replay must use these. `chip`: the target of the work. Errors: what Catalog::work answers.

/// Correctness, timing and baseline of one variant; with `suite`, correctness on every size of the family's suite first.
Result<RunRequest> runRequest(const Catalog& catalog, const Address& address, const Params& problem, bool suite, const Chip& chip = {});

/// Makes the request measure these baselines, by name, instead of the kernel's own. "all" selects every one. Errors: findNamedBaselines'.
Status askForBaselines(const Catalog& catalog, const Address& address, const std::vector<std::string>& names, RunRequest& request,
                       const Chip& chip = {});

/// The request with other random inputs, also for its suite. A recording has the inputs of seed 1 only.
void seedInputs(RunRequest& request, std::uint64_t seed);

/// A random seed, from 2 to 4294967295: short enough to type.
std::uint64_t freshSeed();

/// What a profile collects in addition to a run.
struct ProfileScope {
    ProfileScope(int metricTier = 2) : tier(metricTier) {} ///< implicit: a tier alone is the usual scope

    int tier;
    std::vector<std::string> metrics;        ///< exactly these, if any
    int maxPasses = 0;                       ///< 0: no limit
    std::optional<bool> source;              ///< hot lines; unset: only at tier 2
    std::optional<std::string> cacheControl; ///< "flush" or "none"; unset: flush
    std::optional<bool> counters;            ///< false: none, the class is inferred
    std::optional<bool> experiments;         ///< that change the launch's shape; unset: if there are no counters
    bool energy = false;                     ///< per launch, too
    bool pmSampling = false;                 ///< metrics over the launch's duration, too
    bool countersOnly = false;               ///< only metrics: no correctness, timing, baseline or hot lines
};

/// The same with metrics, without the suite.
Result<ProfileRequest> profileRequest(const Catalog& catalog, const Address& address, const Params& problem, const ProfileScope& scope,
                                      const Chip& chip = {});

/// What a timeline records.
struct TimelineScope {
    std::optional<bool> automatic; ///< marks at waits and arrivals, too; unset: only where the source has no KL_MARK
    int blocks = 8;                ///< the first of the grid
    int marks = 4096;              ///< kept of each warp
    bool overhead = true;          ///< time the marked kernel against the plain one
};

Result<TimelineRequest> timelineRequest(const Catalog& catalog, const Address& address, const Params& problem, const TimelineScope& scope,
                                        const Chip& chip = {});

/// Ten interleaved blocks from firstBlock on: 0 is the first look, 10 the second.
Result<AbRequest> abRequest(const Catalog& catalog, const Address& a, const Address& b, const Params& problem, int firstBlock,
                            const Chip& chip = {});

/// The environment check with a smoke kernel: the copy family's last variant on its smallest problem, or the first family's.
Result<EnvRequest> envRequest(const Catalog& catalog);

/// The default metric tier of sessions and `kloop profile`.
inline constexpr int kSessionTier = 2;
/// Blocks of one look of an A/B.
inline constexpr int kBlocksPerLook = 10;
/// A/A comparisons of a kernel that a calibration makes, by default.
inline constexpr int kNoiseRepeats = 5;

} // namespace kl::inline measure
