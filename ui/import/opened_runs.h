// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

#include <vector>

namespace kl::ui {

/// The summary that lists show, for a run that the store does not hold.
RunSummary summarizeRun(const RunRecord& run);

/// A run's kernel as displayed: the short name in its program or report, at most 60 characters, else its address.
std::string displayKernel(const RunRecord& run);

/// The whole demangled name in its program or report; empty for a kernel that has an address.
std::string fullKernel(const RunRecord& run);

/// The run with that id among those of opened files that the database could not store, else in the store. Errors: the store's.
Result<RunRecord> findOpenedOrStored(const Store& store, const std::vector<RunRecord>& opened, const RunId& id);

} // namespace kl::ui
