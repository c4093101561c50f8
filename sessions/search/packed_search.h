// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/search_record.h"

#include <string>

namespace kl::inline search {

/// A search as the sample ships it, compressed: counters to five digits, without the names of host and GPU and the ids of runs that it
/// does not have.
std::string packSearch(SearchRecord record);

} // namespace kl::inline search
