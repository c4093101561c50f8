// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/descriptor.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace kl {

/// The descriptor's name where a folder is given.
inline constexpr const char* kDescriptorName = "kernel.json";

/// The descriptor that a path means: itself, or the kernel.json of a folder; absolute. It need not exist.
std::filesystem::path descriptorAt(const std::filesystem::path& path);

/// Reads a user's kernel: the descriptor (a file, or a folder that holds a kernel.json), its sources with the headers beside them, images
/// and scripts. `instead`: texts by absolute path that are taken in the place of what lies on disk, as a kernel was before an edit.
/// Errors badInput: a file that is missing, too large or not what its name says; parseDescriptor's.
Result<KernelFamily> loadKernel(const std::filesystem::path& path, const std::map<std::string, std::string>& instead = {});

/// An error of buildWork whose `where` is a field, with that field's place in the family's descriptor before its message.
Error placedIn(const KernelFamily& family, const Error& error);

/// Where a kernel address is a path: "./scale/kernel.json", "scale/kernel.json:fast@TILE=32", a folder with a kernel.json in it.
struct KernelPath {
    std::filesystem::path path;
    std::string rest; ///< what follows the path: "", "fast", "fast@TILE=32", "@TILE=32"
};

/// Nothing where the text is a plain address (family/variant). A text that holds ".json" or begins with ".", "/" or "~" is a path; so is
/// one that ends as code does (".cu", ".ptx", ".cubin"), of which loadKernel says that it is no kernel.
std::optional<KernelPath> kernelPathIn(const std::string& text);

} // namespace kl
