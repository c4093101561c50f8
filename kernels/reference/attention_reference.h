// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"

namespace kl {

/// Scaled dot-product attention in double precision. Inputs q, k, v, each [B][H][S][D]; params B, H, S, D, CAUSAL (0 or 1). Large
/// problems give sampled rows, chosen from the seed.
Result<Expected> attentionReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

} // namespace kl
