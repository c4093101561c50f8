// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/chip.h"
#include "kernels/model/descriptor.h"
#include "kernels/model/expression.h"

#include <optional>

namespace kl {

/// One point of a family: complete sizes and tunables, and the values that its formulas see.
struct FamilyPoint {
    Params sizes;
    Params changed;                     ///< tunables that are not at their default
    std::map<std::string, double> defs; ///< every tunable of the variant, for the compiler; words count as their index
    Scope scope;                        ///< sizes, tunables, the variant's constants, the chip's facts
};

/// Sizes left out of `problem` take the family's default, tunables left out theirs. Errors badInput: unknown size or tunable, value outside
/// its list.
Result<FamilyPoint> pointOf(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                            const Chip& chip = {});

/// The type that a buffer has at a point.
Result<DType> typeOf(const KernelFamily::Buffer& buffer, const Scope& scope);

/// The family's reference script, named by its path where the family comes from a file; nothing where the reference is another.
std::optional<ScriptSpec> referenceScript(const KernelFamily& family);

/// Evaluates every formula of a variant at one problem size and reads the data files that it names. Errors as pointOf; besides badInput for
/// a violated constraint, a bad formula, a file that is missing, too large or of another size than its buffer; `where` is then the field.
Result<WorkSpec> buildWork(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                           const Chip& chip = {});

} // namespace kl
