// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string_view>

namespace kl {

/// Writes a whole file, or leaves the one that was there as it was: under another name beside it, then renamed; its permissions stay, and a
/// link stays one. What is not a plain file is written in place (/dev/stdout and /dev/fd/N: to the open descriptor), and so is a file that
/// cannot be replaced: a mount point, one in a folder that cannot be written. There a full disk leaves the old one too.
/// Error badInput with the reason: no such folder, no permission, a full disk, an SQLite database in its place; it says where what was
/// there is lost.
Status writeFile(const std::filesystem::path& file, std::string_view text);

/// Whether writeFile may write there, before work that takes long: the error that it would give for a missing folder or permission.
Status checkWritable(const std::filesystem::path& file);

} // namespace kl
