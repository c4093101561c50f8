// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

#include <vector>

namespace kl::inline imports {

/// Stores runs that came from files, with the SASS of their machine code where it can be had here; each counts as imported, except for
/// recordings. True for each that was new: storing twice changes nothing. All are stored or none. Errors: the store's.
Result<std::vector<bool>> storeRuns(Store& store, const std::vector<const RunRecord*>& runs);
Result<std::vector<bool>> storeRuns(Store& store, const std::vector<RunRecord>& runs);

} // namespace kl::inline imports
