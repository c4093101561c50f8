// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/learning/history.h"

namespace kl::inline learning {

/// Fills in the gates of open sessions as they are now; those of a finished one are in its last event. A session that cannot be read
/// keeps none.
void addOpenGates(std::vector<HistoryRow>& rows, const Store& store, const Catalog& catalog);

} // namespace kl::inline learning
