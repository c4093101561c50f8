// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/search_record.h"
#include "core/search/recorded_space.h"
#include "kernels/catalog.h"
#include "sessions/store/store.h"

#include <string>
#include <string_view>

namespace kl::inline search {

/// How a search of a database is named where a recorded space is asked for: "search:ID", or the begin of its id.
inline constexpr std::string_view kSearchPrefix = "search:";

/// The points that a search measured, as a space that can be searched again: their times as first measured, what the compiler reports of
/// them, and the kernel's default as the point to start at. The cost of one that an earlier search measured is not known.
/// Error badInput: no point has a time, or the points differ in their tunables.
Result<RecordedSpace> makeRecordedSpace(const SearchRecord& record, const Catalog& catalog);

/// The same of a search in a database. Errors: those, searchRecord()'s.
Result<RecordedSpace> loadRecordedSearch(const Store& store, const Catalog& catalog, const std::string& id);

} // namespace kl::inline search
