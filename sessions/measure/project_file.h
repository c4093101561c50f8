// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/protocol/messages.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// `kernelloop.json`, what a project requires of a machine (docs/environment.md):
///
///     { "schema": 1,
///       "torch": "2.2.1+cu121",
///       "extension": { "module": "fast_attention", "folder": ".", "build": "python3 setup.py build_ext --inplace",
///                      "import_folder": ".", "max_jobs": 4, "timeout_s": 150 } }
///
/// Schema 2 has the same, and a program to optimize (sessions/target/target_spec.h). All but schema may be left out. `build` is a shell's
/// line, or a list of program and arguments. Folders are relative to the file.
namespace kl::inline measure {

inline constexpr const char* kProjectFileName = "kernelloop.json";

struct ProjectFile {
    std::string path;
    std::string torch; ///< required version; empty: any
    std::optional<ExtensionSpec> extension;
};

/// Error badInput, naming file and field, for invalid JSON and a field that is unknown, missing or of the wrong type.
Result<ProjectFile> parseProjectFile(std::string_view text, const std::filesystem::path& file);

/// The named file; without a name, kernelloop.json of `folder` or of the nearest folder above it; unset where there is none.
Result<std::optional<ProjectFile>> findProjectFile(const std::string& named, const std::filesystem::path& folder);

} // namespace kl::inline measure
