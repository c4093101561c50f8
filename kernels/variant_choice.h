// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/chip.h"
#include "kernels/model/descriptor.h"

namespace kl::inline kernels {

/// The first variant that is meant to be correct; null if none is.
const Variant* firstSound(const KernelFamily& family) noexcept;

/// Whether variants of the family have a condition for being its choice ("when").
bool choosesByItself(const KernelFamily& family) noexcept;

/// Whether the variant's "when" holds on a problem: sizes left out take the family's default. Without a "when" it always does. Errors:
/// makeFamilyPoint's.
Result<bool> suits(const KernelFamily& family, const Variant& variant, const Params& problem, const Chip& chip);

/// The family's choice for a problem on a chip: the last variant whose "when" is not 0 and that the chip can run. Sizes left out of
/// `problem` take the family's default. Errors: makeFamilyPoint's; targetOn's where the chip keeps a variant from it and nothing else does;
/// badInput without such a variant.
Result<const Variant*> chooseVariant(const KernelFamily& family, const Params& problem, const Chip& chip);

/// That, else the last variant that the chip can run, else the last. Precondition: the family has one.
const Variant& topVariant(const KernelFamily& family, const Params& problem, const Chip& chip);

} // namespace kl::inline kernels
