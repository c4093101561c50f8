// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/descriptor.h"

#include <optional>
#include <string>

namespace kl {

/// What is wrong with a descriptor, and at which field.
struct DescriptorFault {
    std::string path;    ///< "variants[0].launches[1].grid[0]"
    std::string message; ///< no full stop
    std::string hint;
};

/// The first fault that the schema cannot see: names that nothing bears or two things bear, a variant that mends a later one, a reference
/// of no kind or of several, a tunable whose default is not among its values.
std::optional<DescriptorFault> structureFault(const KernelFamily& family);

/// The first formula that cannot be evaluated on a problem of the descriptor, every variant at its default tunables.
std::optional<DescriptorFault> formulaFault(const KernelFamily& family);

} // namespace kl
