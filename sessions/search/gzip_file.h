// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kl::inline search {

/// A whole file, decompressed where it is gzip, whatever its name. Error badInput: missing, unreadable, damaged, or more than `limit` bytes
/// of content.
Result<std::string> readPlainOrGzip(const std::filesystem::path& file, std::uint64_t limit);

/// writeFile(), compressed where the name ends in ".gz". Errors: writeFile's.
Status writePlainOrGzip(const std::filesystem::path& file, std::string_view content);

} // namespace kl::inline search
