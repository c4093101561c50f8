// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

/// For the tests that read the sources.
namespace kl::test {

inline const std::filesystem::path kRoot = KL_SOURCE_DIR;

} // namespace kl::test
