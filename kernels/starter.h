// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>

namespace kl {

/// Writes a kernel that works: kernel.cu, kernel.json, kernel.schema.json (for editors) and README.md, from one of the embedded starters
/// (elementwise, copy, reduction, matmul), with `name` as its id. `folder` is made; it must be empty or not exist.
/// Gives the path of the kernel.json. Errors badInput: an unknown starter, a name that is none or that a carried kernel has, a folder that
/// is not empty or cannot be written.
Result<std::string> writeStarter(const std::string& starter, const std::string& name, const std::string& folder);

} // namespace kl
