// SPDX-License-Identifier: MIT
#include "sessions/engine/session_parts.h"

#include <fmt/format.h>

namespace kl {

Ratio productOf(const std::vector<ParkedStep>& steps, const std::optional<Ratio>& last)
{
    Ratio product;
    const auto multiply = [&](const Ratio& ratio) {
        product.value *= ratio.value;
        product.low *= ratio.low;
        product.high *= ratio.high;
    };
    for (const ParkedStep& step : steps)
        multiply(step.ratio);
    if (last)
        multiply(*last);
    return product;
}

std::string parkedWords(std::size_t count)
{
    return count == 1 ? "1 parked step" : fmt::format("{} parked steps", count);
}

} // namespace kl
