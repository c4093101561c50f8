// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"

namespace kl::inline kernels {

/// Param cols: each row of so many elements becomes exp(x − max) / sum. Some 1,000 rows where there are more.
Result<Expected> softmaxReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Inputs x, gamma, beta, params cols and epsilon: each row becomes (x − mean) / sqrt(variance + epsilon) * gamma + beta, with the
/// variance over cols elements. Some 1,000 rows where there are more.
Result<Expected> layerNormReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Param segment: prefix sums that restart every `segment` elements. Some 1,000 segments where there are more.
Result<Expected> scanReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Params width W, steps; inputs M [W][W] and b [rows][W]: x after as many steps x <- b + x M, from x = b. 128 whole rows where there are
/// more.
Result<Expected> jacobiReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

} // namespace kl::inline kernels
