// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/descriptor.h"
#include "sessions/edit/text_diff.h"

#include <map>
#include <string>
#include <vector>

namespace kl::inline edit {

/// The files of a user's kernel at one moment.
struct KernelFiles {
    std::string descriptor;                   ///< absolute path of its kernel.json
    std::map<std::string, std::string> texts; ///< by absolute path: the descriptor, the sources, what they include, the reference's script
    std::map<std::string, std::string> other; ///< contentHash of data and compiled files by absolute path
    bool program = false;                     ///< a program's target: `texts` are its descriptor and what may be edited, `other` the rest

    bool operator==(const KernelFiles&) const = default;
};

/// The current files of a kernel, or of a program's target. Errors: loadFamily's.
Result<KernelFiles> readKernelFiles(const std::string& descriptor);

std::string encodeFiles(const KernelFiles& files);
/// Error badInput for a damaged text.
Result<KernelFiles> decodeFiles(const std::string& text);

/// An edit between two points in time.
struct KernelEdit {
    std::vector<std::string> sources; ///< absolute paths of sources that were changed, added or removed
    std::vector<std::string> others;  ///< of descriptor, script and data, by which the kernel is built and judged
    TextDiff diff;                    ///< of the sources
};
KernelEdit editBetween(const KernelFiles& before, const KernelFiles& after);

/// Writes these sources to disk as in `files`; files that are not in it are not touched, as they may belong to another kernel. All are
/// checked before the first is written. Error badInput: one cannot be written.
Status restoreFiles(const KernelFiles& files, const std::vector<std::string>& sources);

} // namespace kl::inline edit
