// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/recorded_space.h"

#include <filesystem>

namespace kl::inline search {

/// Formats of formatRecorded.
enum class RecordedFormat {
    t4,    ///< AutoTuningAssociation's exchange format, 1.0.0
    cache, ///< a cache file of Kernel Tuner
    csv,   ///< a row per point: the tunables, time_ms, cost_s, failure
};

/// By the name of a file: ".csv", ".cache.json", else T4 for ".json"; each also with ".gz". Error usage for another name.
Result<RecordedFormat> formatFor(const std::filesystem::path& file);

/// The points in the space's order; readRecordedSpace reads it back with the same values. The cost of a point is its compile
/// time there, since its parts are not known.
std::string formatRecorded(const RecordedSpace& recorded, RecordedFormat format);

/// Errors: formatFor's, writeFile's.
Status writeRecordedSpace(const RecordedSpace& recorded, const std::filesystem::path& file);

} // namespace kl::inline search
