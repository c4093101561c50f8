// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/search/recorded_space.h"

#include <filesystem>

namespace kl::inline search {

/// Reads a recorded space: a T4 file (AutoTuningAssociation's exchange format, 1.0.0), a Kernel Tuner cache file, also one that its
/// search did not close, or, by the name's end, CSV (listCsv); plain or gzip. The listed configurations are the space. Values are the
/// objective's in ms; the cost of a point is its compile, benchmark and framework time (without a benchmark time, the sum of its runs). A
/// configuration is valid where it has a positive number as its value. Errors badInput with the place: unreadable, no such format, tunables
/// that differ between configurations, a configuration listed twice, an unknown time unit, an objective that is not a time, no valid
/// configuration, a cost below 0 or of many years, more than 384 MiB of text or 12 million values: a compressed file can hold a thousand
/// times its size.
Result<RecordedSpace> readRecordedSpace(const std::filesystem::path& file);

/// The same from the text of a file called `name`, which is CSV where the name ends in .csv or .csv.gz.
Result<RecordedSpace> parseRecordedSpace(std::string_view text, const std::string& name);

} // namespace kl::inline search
