// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "sessions/store/store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kl::inline imports {

/// All runs of a kernel in the database, newest first: an address prefix ("transpose", "transpose/naive"); empty: of every kernel.
Result<std::vector<RunId>> listKernelRuns(const Store& store, const std::string& kernel);

/// Writes runs into a file as BundleWriter does, a few at a time: a database holds more than memory does. Returns the size of the file in
/// bytes. Errors: the store's, BundleWriter's; interrupted.
Result<std::uint64_t> exportRuns(const Store& store, const std::vector<RunId>& runs, const std::string& file, const Job& job = {});

} // namespace kl::inline imports
