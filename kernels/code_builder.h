// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/work_builder.h"

namespace kl {

/// What a variant compiles and launches at a point of its family: text or image, headers, options, launches with their arguments.
/// Error badInput: a bad formula, an argument of an unknown type.
Result<CodeSpec> buildCode(const KernelFamily& family, const Variant& variant, const FamilyPoint& point);

} // namespace kl
