// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/chip.h"
#include "kernels/model/descriptor.h"
#include "kernels/model/expression.h"

#include <map>
#include <string>

namespace kl::inline kernels {

/// One point of a family: complete sizes and tunables, and the values that its formulas see.
struct FamilyPoint {
    Params sizes;
    Params changed;                     ///< tunables that are not at their default
    std::map<std::string, double> defs; ///< every tunable of the variant, for the compiler; words count as their index
    Scope scope;                        ///< sizes, tunables, the variant's constants, the chip's facts
};

/// Sizes left out of `problem` take the family's default, tunables left out theirs. Errors badInput: unknown size or tunable, value outside
/// its list; refused: a program, which is measured in sessions only.
Result<FamilyPoint> makeFamilyPoint(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                                    const Chip& chip = {});

/// An error about a point: `what` is wrong with it, by whose family.
Error badPoint(const KernelFamily& family, const std::string& what, const std::string& hint);

/// The error of what a descriptor's field says, or names.
Error inField(Error error, std::string field);

} // namespace kl::inline kernels
