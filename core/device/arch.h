// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/occupancy.h"

#include <string>

namespace kl::inline device {

/// A GPU architecture that the device table knows.
struct GpuArch {
    std::string name; ///< "sm_90"
    SmLimits limits;
    std::string target; ///< what is compiled for: the name, or a feature target of it, "sm_90a"
};

/// "sm_90", "sm_90a", "compute_90", "90", "9.0", or a GPU by part of its name. Error badInput lists the architectures and GPUs known.
Result<GpuArch> findArch(const std::string& text);

/// The architecture's name of a compute capability.
std::string archName(int ccMajor, int ccMinor);

/// The target of the same features on another compute capability: "sm_100a" of "sm_90a" on 10.0, "sm_80" on 8.0, which has none.
std::string targetLike(const std::string& target, int ccMajor, int ccMinor);

/// Whether machine code for a target runs on a GPU: on the same major compute capability from its minor one on; code for "sm_90a" on 9.0
/// alone (CUDA C++ Programming Guide, "Binary Compatibility", "Feature Set Compiler Targets").
bool runsOn(const GpuArch& code, int ccMajor, int ccMinor);

} // namespace kl::inline device
