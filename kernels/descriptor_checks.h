// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/descriptor.h"
#include "kernels/work_builder.h"

#include <optional>
#include <string>

namespace kl::inline kernels {

/// A fault of a descriptor, with its field.
struct DescriptorFault {
    std::string path;    ///< "variants[0].launches[1].grid[0]"
    std::string message; ///< no full stop
    std::string hint;
};

/// The first fault that the schema cannot see: undefined or ambiguous names, a variant that fixes a later one, a reference
/// of no kind or of several, a tunable whose default is not among its values, a compiler option that is not allowed.
std::optional<DescriptorFault> structureFault(const KernelFamily& family);

/// The first formula that cannot be evaluated on a problem of the descriptor, or has an impossible value for any GPU or baseline, every
/// variant at its default tunables; referenceFormulaFault's.
std::optional<DescriptorFault> formulaFault(const KernelFamily& family);

/// A fault of the reference at a point whose other formulas are valid: indices that do not fill the output, an expression that
/// cannot be evaluated or reads outside an input at its first or last element, a function that lacks parameters or inputs or whose sizes do
/// not fit (tried on zeros on the smallest problem, where that takes no time).
std::optional<DescriptorFault> referenceFormulaFault(const KernelFamily& family, const FamilyPoint& point);

} // namespace kl::inline kernels
