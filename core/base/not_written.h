// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace kl {

/// The error of a file that cannot be written, for an errno: badInput.
Error makeNotWrittenError(const std::filesystem::path& file, int failure);

/// The error of a database that is open and must not be replaced: badInput.
Error makeNotReplacedError(const std::filesystem::path& file);

} // namespace kl
