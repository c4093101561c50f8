// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

#include <vector>

namespace kl {

/// What a list of runs shows of one that the store does not hold.
RunSummary summaryOf(const RunRecord& run);

/// What a run's kernel is called where people read: the name that its program or report gave it, else its address.
std::string shownKernel(const RunRecord& run);

/// A run of a file that was opened while the database could not take it, else one of the store. Errors: the store's.
Result<RunRecord> openedOrStored(const Store& store, const std::vector<RunRecord>& opened, const RunId& id);

} // namespace kl
