// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace kl {

/// Enough for every text that people write: settings, trees, lists, reviews.
inline constexpr std::int64_t kMostOfText = 64LL << 20;

/// A whole file, which is a plain one of at most `limit` bytes. Error badInput with the reason: missing, a folder or a device, too large,
/// no permission, or one that cannot be read to its end.
Result<std::string> readFile(const std::filesystem::path& file, std::int64_t limit = kMostOfText);

} // namespace kl
