// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace kl::inline targeting {

/// What a target can start from: pytorch, triton, cmake, command.
const std::vector<std::string>& targetStarters();

/// Writes a working target with `name` as its id: its program, kernelloop.json, kernelloop.schema.json (for editors) and README.md, for
/// Python also kloop_target.py. `folder` is created; it must be empty or not exist. Returns the path of the kernelloop.json. Errors
/// badInput: an unknown starter, an invalid name, a folder that is not empty or not writable.
Result<std::string> writeTarget(const std::string& starter, const std::string& name, const std::string& folder);

} // namespace kl::inline targeting
