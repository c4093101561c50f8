// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"

namespace kl::inline kernels {

/// Param bins, a power of two: how many inputs lie in each of as many equal parts of [−1, 1); those outside count at the ends.
Result<Expected> histogramReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Inputs: positions in [−1, 1), positions from 0 on, table. Params sorted (which of the two are looked up) and scale (table elements per
/// unit of position). The place is computed in single precision, as the kernel does. Sampled above 65,536 elements.
Result<Expected> gatherReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

/// Input: records of 32 floats. Params walks, steps, decay: lane l of walk w is the sum of decay^s times float l of the walk's record s.
/// 512 of the walks where there are more.
Result<Expected> walkReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

} // namespace kl::inline kernels
