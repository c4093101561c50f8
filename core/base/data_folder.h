// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace kl {

/// Where a user's own data lie: $XDG_DATA_HOME/kernelloop, else ~/.local/share/kernelloop.
std::filesystem::path dataFolder();

} // namespace kl
