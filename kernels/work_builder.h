// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/family_point.h"

namespace kl::inline kernels {

/// The type that a buffer has at a point.
Result<DType> chooseType(const KernelFamily::Buffer& buffer, const Scope& scope);

/// Evaluates every formula of a variant at one problem size and reads the data files that it names. Errors as makeFamilyPoint; besides
/// badInput for a violated constraint, a bad formula, a file that is missing, too large or of another size than its buffer; `where` is then
/// the field.
Result<WorkSpec> buildWork(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                           const Chip& chip = {});

} // namespace kl::inline kernels
