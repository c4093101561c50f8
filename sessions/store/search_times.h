// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

#include <map>
#include <string>
#include <utility>

namespace kl::inline store {

/// What one search timed: median GPU time, ns, cold L2, by address with tunables at their default left out. The outputs of most points were
/// not checked; those found wrong are not in it.
struct SearchTimes {
    std::string device; ///< its name
    std::string kernel; ///< "attention/fused"
    std::string problem;
    std::map<std::string, double> ns;
};

/// Keeps them in place of those of an earlier search of this kernel and problem on this device. Errors: the store's.
Status saveSearchTimes(Store& store, const SearchTimes& times);

/// Name and content of the artifact that saveSearchTimes() stores.
std::pair<std::string, std::string> makeArtifact(const SearchTimes& times);

/// Those of the newest search; empty without a search. Errors: the store's; badInput for a damaged row.
Result<std::map<std::string, double>> loadSearchTimes(const Store& store, const std::string& device, const std::string& kernel,
                                                      const std::string& problem);

} // namespace kl::inline store
