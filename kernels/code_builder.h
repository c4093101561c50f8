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

/// Most launches of one entry in a call.
inline constexpr std::int64_t kMaxRepeat = 1'000'000;

/// An argument of a launch: a buffer's name, or TYPE:FORMULA. Error badInput: an unknown type, a bad formula, a value that the type does
/// not hold.
Result<ArgSpec> buildArg(const std::string& text, const Scope& scope);

/// What a variant compiles and launches at a point of its family: text or image, headers, options, launches with their arguments.
/// Error badInput: a bad formula, buildArg's.
Result<CodeSpec> buildCode(const KernelFamily& family, const Variant& variant, const FamilyPoint& point);

} // namespace kl
