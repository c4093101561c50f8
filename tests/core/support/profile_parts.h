// SPDX-License-Identifier: MIT
#pragma once

#include "tests/core/support/profiles.h"

/// What the fixtures are put together from.
namespace kl::test {

inline constexpr double kInput = 67108864.0 * 4; // bytes that the large reduction reads

/// A profile with a quiet background: what a kernel that does little shows.
RunRecord profile(const std::string& kernel, double us, double idealBytes, double flops, const std::map<M, double>& values);

/// Of so many loads and as many stores, each by a whole warp of neighbors.
std::map<M, double> coalesced(double requests);

/// `base`, of which `more` replaces some.
std::map<M, double> with(std::map<M, double> base, const std::map<M, double>& more);

/// Of a run with a modeled launch.
inline WarpModel& getWarp(RunRecord& run)
{
    return *run.launches.front().warp;
}

RunRecord withGrid(RunRecord run, double waves, std::int64_t smem = 0);

} // namespace kl::test
