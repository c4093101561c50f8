// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/work_builder.h"

namespace kl::inline kernels {

/// The code of a variant: its own file, or the family's. Borrows from both.
struct CodeText {
    const std::string& source; ///< CUDA text; empty with an image
    const std::map<std::string, std::string>& headers;
    const std::optional<ImageSpec>& image;

    /// As WorkSpec::sourceHash.
    std::string hash() const { return codeHash(source, headers, image); }
};
CodeText chooseCodeText(const KernelFamily& family, const Variant& variant);

/// Limit of launches of one entry in a call.
inline constexpr std::int64_t kMaxRepeat = 1'000'000;

/// Types of scalar arguments, for messages: "i32, u32, …".
extern const char* const kScalarTypes;

/// The name of a scalar type in an argument, before the colon.
std::optional<DType> scalarType(const std::string& word);

/// An argument of a launch: a buffer's name, TYPE:FORMULA, or a tensor map. Error badInput: an unknown type or buffer, a bad formula, a
/// value that the type cannot represent, tensorMapFault's; `where` is then the field of the map.
Result<ArgSpec> buildArg(const KernelFamily& family, const ArgFormula& formula, const Scope& scope);

/// Errors of clusters and cooperative launches on any GPU: a grid that is not a multiple of its cluster, more blocks than a cluster may
/// have.
struct LaunchFault {
    std::string field; ///< "grid", "cluster"
    std::string message;
    std::string hint;
};
std::optional<LaunchFault> launchShapeFault(const LaunchSpec& launch);

/// The code and launches of a variant at a point of its family: text or image, headers, options, launches with their arguments.
/// Error badInput: a bad formula, buildArg's.
Result<CodeSpec> buildCode(const KernelFamily& family, const Variant& variant, const FamilyPoint& point);

} // namespace kl::inline kernels
