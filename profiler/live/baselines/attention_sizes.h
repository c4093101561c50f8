// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>

namespace kl::inline live {

/// Attention forward over dense 16-bit tensors: Q and O of batch × heads × queries × dim, K and V of batch × heads × keys × dim, row-major.
/// Causal: query i sees the keys 0 … i.
struct AttentionSizes {
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t queries = 1;
    std::int64_t keys = 1;
    std::int64_t dim = 64;
    bool causal = false;
    bool bf16 = false; ///< else FP16

    std::size_t queryBytes() const noexcept { return static_cast<std::size_t>(2 * batch * heads * queries * dim); }
    std::size_t keyBytes() const noexcept { return static_cast<std::size_t>(2 * batch * heads * keys * dim); }
    /// Factor of the scores before the softmax, 1 / sqrt(dim).
    float scale() const noexcept;
};

/// From a baseline's params B, H, S, D and, optional, SK (S), CAUSAL, BF16 (0). Error badInput names one that is missing or not a size;
/// environment: heads of K and V are shared (GROUP above 1), which these libraries are not used for.
Result<AttentionSizes> attentionSizes(const std::map<std::string, double>& params);

} // namespace kl::inline live
