// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/descriptor.h"
#include "sessions/target/target_spec.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kl::inline targeting {

/// The one variant of a program's family.
inline constexpr const char* kProgramVariant = "program";

/// Every file of a target's project, relative to its folder, sorted: what a copy of it needs, and what an edit must leave as it is. Left
/// out: what `leave_out` names, names that begin with a dot, `__pycache__`, `build`, `dist`, `*.egg-info`, folders of a virtual environment
/// or of CMake, and compiled files (ELF). Errors badInput: more than 5,000 files or 256 MiB.
Result<std::vector<std::string>> projectFiles(const TargetSpec& spec);

/// The target as a family without code, which is what a session knows of its subject: sizes, suite, tolerance, the name of the rival, and
/// its files (KernelOrigin: those that may be edited, and the others). `instead`: texts by absolute path that replace files on disk.
/// Error badInput: a file of `edit` is missing.
Result<KernelFamily> makeFamily(const TargetSpec& spec, const std::map<std::string, std::string>& instead = {});

/// A user's subject of sessions by its path: a kernel.json, or a kernelloop.json with a target. Errors: loadKernel's and loadTarget's.
Result<KernelFamily> loadFamily(const std::filesystem::path& path, const std::map<std::string, std::string>& instead = {});

} // namespace kl::inline targeting
