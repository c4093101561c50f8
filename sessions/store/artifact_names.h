// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

namespace kl::inline store {

/// Names of the stored artifacts whose name starts so, sorted. Errors: the store's; internal for a store that is not a database.
Result<std::vector<std::string>> artifactNames(const Store& store, const std::string& prefix);

} // namespace kl::inline store
