// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace kl::inline kernels {

/// Writes a working kernel: kernel.cu, kernel.json, kernel.schema.json (for editors) and README.md, from one of the embedded starters
/// (elementwise, copy, reduction, matmul), with `name` as its id. `folder` is created; it must be empty or not exist.
/// Returns the path of the kernel.json. Errors badInput: an unknown starter, an invalid name or that of a built-in kernel, a folder that
/// is not empty or not writable.
Result<std::string> writeStarter(const std::string& starter, const std::string& name, const std::string& folder);

/// A file of a starter: its name in the folder, and the embedded resource that it is made from.
struct StarterFile {
    std::string name;
    std::string resource;
};

/// Writes these files with `name` in the place of @NAME@ into a folder that is empty or does not exist. Returns it, absolute. Errors as
/// writeStarter's.
Result<std::string> writeStarterFiles(const std::vector<StarterFile>& files, const std::string& name, const std::string& folder);

} // namespace kl::inline kernels
