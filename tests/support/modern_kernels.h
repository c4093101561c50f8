// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/user_kernel.h"

#include <filesystem>
#include <string>

namespace kl::test {

/// Kernels that need what newer chips have: tests/data/modern.
inline constexpr const char* kModernKernels[] = {"tma", "cluster", "cooperative", "dependent", "types", "scalars"};

inline Result<KernelFamily> modernKernel(const std::string& name)
{
    const std::filesystem::path relative = std::filesystem::path("tests/data/modern") / name / "kernel.json";
    const std::filesystem::path built = std::filesystem::path(KL_SOURCE_DIR) / relative;
    return loadKernel(std::filesystem::exists(built) ? built : relative); // the program may have been carried to another machine
}

} // namespace kl::test
