// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/chip.h"
#include "kernels/model/descriptor.h"

#include <string>
#include <vector>

namespace kl::inline kernels {

/// Names for choosing a family's baselines: those of its list, else its own one's operation or kind; empty where it has none.
std::vector<std::string> baselineNames(const KernelFamily& family);

/// The baselines of these names, or of every name for "all", with their formulas evaluated on a problem, in the requested order, each
/// once. Errors: usage with the list for an unknown name, or where the family has none; those of makeFamilyPoint.
Result<std::vector<BaselineSpec>> findNamedBaselines(const KernelFamily& family, const Variant& variant, const Params& tunables,
                                                     const Params& problem, const std::vector<std::string>& names, const Chip& chip = {});

} // namespace kl::inline kernels
