// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/family_point.h"

#include <optional>

namespace kl::inline kernels {

/// The family's reference script, named by its path where the family comes from a file; nothing where the reference is another.
std::optional<ScriptSpec> referenceScript(const KernelFamily& family);

/// Fills the work's reference at a point, whose buffers it has already. Errors badInput: a bad formula, indices that do not cover the
/// output, a reference kernel or file that is not there; `where` is then the field.
Status buildReference(const KernelFamily& family, const FamilyPoint& point, const Chip& chip, WorkSpec& work);

} // namespace kl::inline kernels
