// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/attention_sizes.h"

#include <cmath>
#include <fmt/format.h>

namespace kl::inline live {

float AttentionSizes::scale() const noexcept
{
    return 1.0F / std::sqrt(static_cast<float>(dim));
}

Result<AttentionSizes> attentionSizes(const std::map<std::string, double>& params)
{
    std::string missing;
    const auto size = [&](const char* name, double otherwise) {
        const auto found = params.find(name);
        const double value = found == params.end() ? otherwise : found->second;
        if (missing.empty() && !(value >= 1 && value <= 1e9 && value == std::floor(value)))
            missing = name;
        return static_cast<std::int64_t>(missing.empty() ? value : 1);
    };
    const auto isSet = [&](const char* name) {
        const auto found = params.find(name);
        return found != params.end() && found->second != 0;
    };
    AttentionSizes sizes;
    sizes.batch = size("B", 0);
    sizes.heads = size("H", 0);
    sizes.queries = size("S", 0);
    sizes.dim = size("D", 0);
    sizes.keys = size("SK", static_cast<double>(sizes.queries));
    sizes.causal = isSet("CAUSAL");
    sizes.bf16 = isSet("BF16");
    if (!missing.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("An attention baseline needs its size {}.", missing),
                     .hint = "Give B, H, S and D as positive integers in the \"params\" of the kernel's baseline.",
                     .where = "baseline"};
    if (const auto group = params.find("GROUP"); group != params.end() && group->second > 1)
        return Error{.code = ErrorCode::environment,
                     .message = "cuDNN and cuBLAS are called with one head of K and V per head of Q, not with shared heads.",
                     .hint = "Compare with PyTorch: choose the baseline sdpa.",
                     .where = "baseline"};
    return sizes;
}

} // namespace kl::inline live
