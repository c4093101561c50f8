// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"

namespace kl::inline kernels {

/// Params trips, iters: the recurrences of kernels/families/branch. trips 0: element i takes number i mod 4 of four, `iters` times; 1: all
/// take the third, element i iters · (i mod 32 + 1) / 32 times. The input is added. 8,192 elements where there are more.
Result<Expected> pathsReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Param degree: the polynomial of kernels/families/polynomial, whose coefficient of x^k is 1 / (1 + k mod 8). 65,536 elements where there
/// are more.
Result<Expected> polynomialReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Param terms: sum over k = 1 … terms of sin(k x) / k. 65,536 elements where there are more.
Result<Expected> seriesReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Morton keys of the inputs' single-precision bit patterns: the bits of the low and the high half in turns. 65,536 elements where there
/// are more.
Result<Expected> mortonReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

} // namespace kl::inline kernels
