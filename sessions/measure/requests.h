// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "profiler/protocol/messages.h"

#include <cstdint>

namespace kl {

/// The requests behind every measurement, built the same way each time: a recording is found by a key over the request, so
/// whoever records and whoever replays must use these. `chip`: that the work is for. Errors: what Catalog::work answers.

/// Correctness, timing and baseline of one variant; with `suite`, correctness on every size of the family's suite first.
Result<RunRequest> runRequest(const Catalog& catalog, const Address& address, const Params& problem, bool suite, const Chip& chip = {});

/// Has the request measured against these baselines, by name, instead of the kernel's own. "all" is every one. Errors: namedBaselines'.
Status askForBaselines(const Catalog& catalog, const Address& address, const std::vector<std::string>& names, RunRequest& request,
                       const Chip& chip = {});

/// The request on other random inputs, those of its suite too. A recording answers for the inputs that it was made with: seed 1.
void seedInputs(RunRequest& request, std::uint64_t seed);

/// A seed that nobody chose, from 2 to 4294967295: short enough to be typed.
std::uint64_t freshSeed();

/// What a profile collects beside a run's figures.
struct ProfileScope {
    ProfileScope(int metricTier = 2) : tier(metricTier) {} ///< implicit: a tier alone is the usual scope

    int tier;
    std::vector<std::string> metrics;        ///< exactly these, where there are any
    int maxPasses = 0;                       ///< 0: no limit
    std::optional<bool> source;              ///< hot lines; nothing: at tier 2 alone
    std::optional<std::string> cacheControl; ///< "flush" or "none"; nothing: flush
    std::optional<bool> counters;            ///< false: none, what limits the kernel is inferred
    std::optional<bool> experiments;         ///< that change the launch's shape; nothing: where there are no counters
    bool countersOnly = false;               ///< metrics alone: no correctness, timing, baseline or hot lines
};

/// The same with metrics, without the suite.
Result<ProfileRequest> profileRequest(const Catalog& catalog, const Address& address, const Params& problem, const ProfileScope& scope,
                                      const Chip& chip = {});

/// Ten interleaved blocks from firstBlock on: 0 is the first look, 10 the second.
Result<AbRequest> abRequest(const Catalog& catalog, const Address& a, const Address& b, const Params& problem, int firstBlock,
                            const Chip& chip = {});

/// The environment check with a smoke kernel: the copy family's last variant on its smallest problem, or the first family's.
Result<EnvRequest> envRequest(const Catalog& catalog);

/// The metric tier that sessions and `kloop profile` ask for.
inline constexpr int kSessionTier = 2;
/// Blocks of one look of an A/B.
inline constexpr int kBlocksPerLook = 10;
/// A/A comparisons of a kernel that a calibration makes, unless said otherwise.
inline constexpr int kNoiseRepeats = 5;

} // namespace kl
