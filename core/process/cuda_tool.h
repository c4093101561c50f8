// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace kl::inline process {

/// A program of the CUDA toolkit.
struct CudaTool {
    std::string name;     ///< of the program: "nvdisasm"
    std::string variable; ///< of the environment, with a path to it
    std::string package;  ///< of NVIDIA's repository that contains it
};

/// Where it is: named by its variable, on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin. Error environment, with the package.
Result<std::filesystem::path> findCudaTool(const CudaTool& tool);

} // namespace kl::inline process
