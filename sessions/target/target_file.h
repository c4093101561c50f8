// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/target/target_spec.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace kl::inline targeting {

/// The JSON schema of kernelloop.json, as an embedded resource; `kloop kernels schema --project` prints it.
inline constexpr const char* kProjectSchema = "resources/kernelloop.schema.json";
inline constexpr const char* kTargetFileName = "kernelloop.json";

/// Reads the target of a kernelloop.json of schema 2; unset where it has none. `shown`: the file in errors. Error badInput names file,
/// line, column and field ("kernelloop.json:7:12: target.run: is missing").
Result<std::optional<TargetSpec>> parseTarget(std::string_view text, const std::filesystem::path& file, const std::string& shown);

/// The target of a file, or of the kernelloop.json of a folder. Error badInput, too, where there is none.
Result<TargetSpec> loadTarget(const std::filesystem::path& path);

/// The kernelloop.json that a path means: itself, or that of a folder without a kernel.json; unset for any other.
std::optional<std::filesystem::path> targetFileAt(const std::filesystem::path& path);

} // namespace kl::inline targeting
