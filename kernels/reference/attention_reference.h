// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"

namespace kl::inline kernels {

/// Scaled dot-product attention in double precision. Inputs q [B][H][S][D], k and v [B][H / GROUP][SK][D]; params B, H, S, SK (S without
/// it), D, CAUSAL (1: query i sees keys 0 .. i), GROUP (1 without it): heads of q in a row that share one of k and v. Large problems give
/// sampled rows, chosen from the seed.
Result<Expected> attentionReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

} // namespace kl::inline kernels
