// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/chip.h"
#include "kernels/model/descriptor.h"

namespace kl {

/// Whether variants of the family say where they are the family's choice ("when").
bool choosesByItself(const KernelFamily& family) noexcept;

/// The family's choice for a problem on a chip: the last variant whose "when" is not 0 and that the chip can run. Sizes left out of
/// `problem` take the family's default. Errors: pointOf's; targetOn's where the chip keeps a variant from it and nothing else does;
/// badInput where no variant says so.
Result<const Variant*> chosenVariant(const KernelFamily& family, const Params& problem, const Chip& chip);

/// That, else the last variant that the chip can run, else the last. Precondition: the family has one.
const Variant& topVariant(const KernelFamily& family, const Params& problem, const Chip& chip);

} // namespace kl
