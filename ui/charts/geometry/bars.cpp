// SPDX-License-Identifier: MIT
#include "ui/charts/geometry/bars.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kl::ui {

EvidenceSpan evidenceSpan(std::optional<double> value, std::optional<double> threshold, bool percent)
{
    EvidenceSpan span;
    double most = percent ? 100 : 0;
    for (const auto& figure : {value, threshold})
        if (figure && std::isfinite(*figure))
            most = std::max(most, *figure * (percent ? 1.0 : 1.15));
    if (!(most > 0))
        most = 1;
    span.scaleMax = most;
    if (value && std::isfinite(*value))
        span.bar = BarSpan{0, std::clamp(*value / most, 0.0, 1.0)};
    if (threshold && std::isfinite(*threshold))
        span.tick = std::clamp(*threshold / most, 0.0, 1.0);
    return span;
}

std::vector<BarSpan> stackSpans(const std::vector<double>& parts)
{
    const auto sound = [](double part) { return std::isfinite(part) && part > 0 ? part : 0.0; };
    double total = 0;
    for (const double part : parts)
        total += sound(part);
    std::vector<BarSpan> spans(parts.size());
    double at = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double width = total > 0 ? sound(parts[i]) / total : 0;
        spans[i] = {at, at + width};
        at += width;
    }
    return spans;
}

Waterfall waterfall(const std::vector<SavingStep>& steps)
{
    Waterfall result;
    const auto extend = [](double& total, std::optional<double> saving) -> std::optional<BarSpan> {
        if (!saving || !std::isfinite(*saving))
            return {};
        const BarSpan span{total, total + *saving};
        total = span.to;
        return span;
    };
    for (const SavingStep& step : steps)
        result.steps.push_back({extend(result.measuredTotal, step.measured), extend(result.quotedTotal, step.quoted)});
    return result;
}

} // namespace kl::ui
