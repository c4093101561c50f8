// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"

namespace kl::inline kernels {

/// Limit of evaluations of the expression for one check: above it, elements spread over the output (always the first and the last)
/// represent all.
inline constexpr std::int64_t kMaxEvaluations = 4'000'000;

/// Evaluates spec.expression for every element of the output: the product of spec.index counts, summed over spec.sum. It may use the
/// params, the indices, x(i) for element i of the input x, and x alone for the element at the output's own flat index. Indices of inputs
/// are rounded down. Errors badInput: a bad formula, an index outside an input, a value that is not finite, with the place.
Result<Expected> expressionReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// The faults that show without inputs, of which only the numbers of elements are given: a bad formula, and an index outside an input that
/// the first or the last element reads, for any input values. Errors as above.
Status checkExpression(const ReferenceSpec& spec, const std::vector<std::int64_t>& counts);

} // namespace kl::inline kernels
