// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/descriptor.h"

namespace kl {

/// Evaluates every formula of a variant at one problem size. Sizes left out of `problem` take the family's default, tunables
/// left out theirs. Errors badInput: unknown size or tunable, value outside its list, violated constraint, bad formula.
Result<WorkSpec> buildWork(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem);

} // namespace kl
