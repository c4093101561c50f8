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

/// Types that a scalar argument may have, for messages: "i32, u32, …".
extern const char* const kScalarTypes;

/// The type that a scalar is written with in an argument, as the word before its colon.
std::optional<DType> scalarType(const std::string& word);

/// An argument of a launch: a buffer's name, TYPE:FORMULA, or a tensor map. Error badInput: an unknown type or buffer, a bad formula, a
/// value that the type does not hold, tensorMapFault's; `where` is then the field of the map.
Result<ArgSpec> buildArg(const KernelFamily& family, const ArgFormula& formula, const Scope& scope);

/// What of clusters and cooperation no GPU can do: a grid that is no multiple of its cluster, more blocks than a cluster may have.
struct LaunchFault {
    std::string field; ///< "grid", "cluster"
    std::string message;
    std::string hint;
};
std::optional<LaunchFault> launchShapeFault(const LaunchSpec& launch);

/// What a variant compiles and launches at a point of its family: text or image, headers, options, launches with their arguments.
/// Error badInput: a bad formula, buildArg's.
Result<CodeSpec> buildCode(const KernelFamily& family, const Variant& variant, const FamilyPoint& point);

} // namespace kl
