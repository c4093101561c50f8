// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/work_builder.h"

namespace kl {

/// The code of a variant: its own file, or the family's. Borrows from both.
struct CodeText {
    const std::string& source; ///< CUDA text; empty with an image
    const std::map<std::string, std::string>& headers;
    const std::optional<ImageSpec>& image;

    /// As WorkSpec::sourceHash.
    std::string hash() const { return codeHash(source, headers, image); }
};
CodeText codeTextOf(const KernelFamily& family, const Variant& variant);

/// What a variant compiles and launches at a point of its family: text or image, headers, options, launches with their arguments.
/// Error badInput: a bad formula, an argument of an unknown type.
Result<CodeSpec> buildCode(const KernelFamily& family, const Variant& variant, const FamilyPoint& point);

} // namespace kl
