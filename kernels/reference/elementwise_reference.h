// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"

namespace kl::inline kernels {

/// out = in.
Result<Expected> copyReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Params rows, cols: in is rows × cols, out its transpose.
Result<Expected> transposeReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// One element: the sum of the input.
Result<Expected> sumReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Param steps: y = max(0.9 y + 0.1, −1) so many times.
Result<Expected> chainReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Params kind (0 FP32, 1 FP64, 2 integer, 3 transcendental) and iters: the chains of kernels/families/fma. Above 4,096 elements, 4,096
/// of them spread over the output, since a chain costs `iters` operations per element.
Result<Expected> fmaReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

} // namespace kl::inline kernels
