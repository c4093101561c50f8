// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace kl {

/// The error of a file that cannot be written, for an errno: badInput.
Error makeNotWrittenError(const std::filesystem::path& file, int failure);

/// Error badInput for an SQLite database, open in this process or not: no other file takes its place.
Status checkReplaceable(const std::filesystem::path& file);

} // namespace kl
