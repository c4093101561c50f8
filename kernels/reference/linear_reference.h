// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"

namespace kl::inline kernels {

/// Params M, N, K, inputs a [M][K] and b [K][N]: their product, [M][N]. 8,192 elements where there are more.
Result<Expected> matmulReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Params rows, cols: each element of the output is the sum over the 5 × 5 elements around it, weighted with
/// 1 / (1 + dx² + dy²); elements outside are 0. 65,536 elements where there are more.
Result<Expected> boxReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Params rows, cols, taps: out[r][c] = sum over j < taps of in[(r + j) mod rows][c] / (j + 1). 65,536 elements where there are more.
Result<Expected> tapsReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Param length L, input [L][n]: y = W x for each of the n vectors, W[k][j] = ((5 k + 3 (j mod 2)) mod 17 − 8) / 16. 65,536 elements
/// where there are more.
Result<Expected> transformReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

} // namespace kl::inline kernels
