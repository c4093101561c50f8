// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/occupancy.h"

#include <string>

namespace kl {

/// A GPU architecture that the device table knows.
struct GpuArch {
    std::string name; ///< "sm_90"
    SmLimits limits;
};

/// "sm_90", "sm_90a", "compute_90", "90", "9.0", or a GPU by part of its name. Error badInput lists the architectures and GPUs known.
Result<GpuArch> archNamed(const std::string& text);

/// The architecture's name of a compute capability.
std::string archName(int ccMajor, int ccMinor);

} // namespace kl
