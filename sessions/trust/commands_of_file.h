// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_command.h"
#include "core/base/result.h"

#include <filesystem>
#include <vector>

namespace kl::inline trust {

/// The commands that a file names: a project file, a kernel's descriptor (or the folder of either), or a reference script itself. Error
/// badInput: it cannot be read, or names none.
Result<std::vector<FileCommand>> listFileCommands(const std::filesystem::path& path);

} // namespace kl::inline trust
