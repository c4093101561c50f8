// SPDX-License-Identifier: MIT
#include "sessions/session/session_parts.h"

#include <fmt/format.h>

namespace kl::inline session {

Ratio computeProduct(const std::vector<ParkedStep>& steps, const std::optional<Ratio>& last)
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

std::optional<SourceChange> wholeEdit(const std::vector<ParkedStep>& parked, const std::optional<SourceChange>& last)
{
    std::optional<SourceChange> whole;
    const auto take = [&](const std::optional<SourceChange>& change) {
        if (!change)
            return;
        if (!whole)
            whole = change;
        whole->after = change->after;
        whole->copyAfter = change->copyAfter;
        whole->git = whole->git && change->git;
    };
    for (const ParkedStep& step : parked)
        take(step.source);
    take(last);
    return whole;
}

std::string formatParked(std::size_t count)
{
    return count == 1 ? "1 step set aside" : fmt::format("{} steps set aside", count);
}

} // namespace kl::inline session
