// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/descriptor.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace kl::inline kernels {

/// The descriptor's name in a folder.
inline constexpr const char* kDescriptorName = "kernel.json";

/// The descriptor for a path: itself, or the kernel.json of a folder; absolute. It need not exist.
std::filesystem::path descriptorAt(const std::filesystem::path& path);

/// Reads a user's kernel: the descriptor (a file, or a folder that holds a kernel.json), its sources with their headers, images
/// and scripts. `instead`: texts by absolute path that replace files on disk, e.g. a kernel from before an edit.
/// Errors badInput: a file that is missing, too large or not of its kind; parseDescriptor's.
Result<KernelFamily> loadKernel(const std::filesystem::path& path, const std::map<std::string, std::string>& instead = {});

/// An error of buildWork whose `where` is a field, with that field's place in the family's descriptor before its message.
Error placeError(const KernelFamily& family, const Error& error);

/// The parts of a kernel address that is a path: "./scale/kernel.json", "scale/kernel.json:fast@TILE=32", a folder with a kernel.json in
/// it.
struct KernelPath {
    std::filesystem::path path;
    std::string rest; ///< the part after the path: "", "fast", "fast@TILE=32", "@TILE=32"
};

/// Unset where the text is a plain address (family/variant). A text that holds ".json" or begins with ".", "/" or "~" is a path; so is
/// one that ends as code does (".cu", ".ptx", ".cubin"), of which loadKernel says that it is not a kernel.
std::optional<KernelPath> kernelPathIn(const std::string& text);

} // namespace kl::inline kernels
