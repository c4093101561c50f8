// SPDX-License-Identifier: MIT
#include "core/stats/ratio_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace kl::inline stats {
namespace {

/// More than this is less than any clock resolves.
constexpr int kMostDecimals = 4;
/// What arithmetic makes of equal figures: neither an end off a round figure nor a width.
constexpr double kExact = 1e-9;

bool isFinite(const Ratio& ratio)
{
    return std::isfinite(ratio.value) && std::isfinite(ratio.low) && std::isfinite(ratio.high);
}

/// formatRatio()'s, and more where the interval is narrower than what they show.
int chooseDecimals(const Ratio& ratio)
{
    const double size = std::abs(ratio.value);
    const int usual = size >= 99.5 ? 0 : size >= 9.95 ? 1 : size >= 0.0995 ? 2 : 3;
    const double width = ratio.high - ratio.low;
    if (!(width > kExact))
        return usual;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(width))), usual, kMostDecimals);
}

constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
    {"interval-above-1", "the whole interval is above 1"},
    {"interval-below-1", "the whole interval is below 1"},
    {"interval-inside-one-percent", "the whole interval is within 1 % of 1"},
    {"interval-contains-1", "the interval contains 1"},
    {"runs-not-interleaved", "the widened interval contains 1"},
    {"effect-below-noise", "the effect is below 1 % or below twice the A/A noise"},
};

} // namespace

std::string intervalText(const Ratio& ratio)
{
    if (!isFinite(ratio))
        return fmt::format("{} to {}", formatRatio(ratio.low), formatRatio(ratio.high));
    const int decimals = chooseDecimals(ratio);
    const double scale = std::pow(10.0, decimals);
    return fmt::format("{:.{}f}× to {:.{}f}×", std::floor(ratio.low * scale + kExact) / scale, decimals,
                       std::ceil(ratio.high * scale - kExact) / scale, decimals);
}

std::string ratioText(const Ratio& ratio)
{
    const std::string value = isFinite(ratio) ? fmt::format("{:.{}f}×", ratio.value, chooseDecimals(ratio)) : formatRatio(ratio.value);
    return fmt::format("{} ({})", value, intervalText(ratio));
}

std::string energyRatioText(const EnergyComparison& energy)
{
    if (!energy.ratio || !energy.aJ || !energy.bJ)
        return "not measured: " + energy.reason;
    return fmt::format("{}; {} against {} per launch", ratioText(*energy.ratio), formatEnergy(*energy.aJ), formatEnergy(*energy.bJ));
}

std::string_view verdictReasonText(std::string_view reason)
{
    const auto* const found = std::ranges::find(kReasons, reason, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(kReasons) ? std::string_view() : found->second;
}

Ratio invertRatio(const Ratio& ratio)
{
    return {1 / ratio.value, 1 / ratio.high, 1 / ratio.low};
}

std::string paceText(double time, double other)
{
    const std::string times = formatRatio(std::max(time, other) / std::min(time, other));
    if (times == formatRatio(1.0))
        return "as fast as";
    return times + (time < other ? " faster than" : " slower than");
}

} // namespace kl::inline stats
