// SPDX-License-Identifier: MIT
#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kl {
namespace {

struct Scale {
    double factor;
    const char* unit;
};

std::string withUnit(const std::string& number, std::string_view unit)
{
    return number + kThinSpace + std::string(unit);
}

std::string groupDigits(std::string digits)
{
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

/// value in the largest unit of `scales` (ascending) that leaves at least 1. 999.6 of a unit is already 1.00 of the next.
template <std::size_t N> std::string formatScaled(double value, const std::array<Scale, N>& scales, double step)
{
    if (!std::isfinite(value))
        return kNoValue;
    const double size = std::abs(value);
    const Scale* best = &scales[0];
    for (const Scale& scale : scales)
        if (size >= scale.factor * (step == 1024 ? 1 : 0.9995))
            best = &scale;
    return withUnit(formatNumber(value / best->factor), best->unit);
}

constexpr std::array<Scale, 4> kTimes{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<Scale, 5> kBytes{{{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}, {1099511627776.0, "TiB"}}};
constexpr std::array<Scale, 5> kBandwidths{{{1, "B/s"}, {1e3, "KB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}}};
constexpr std::array<Scale, 6> kFlops{
    {{1, "FLOP/s"}, {1e3, "KFLOP/s"}, {1e6, "MFLOP/s"}, {1e9, "GFLOP/s"}, {1e12, "TFLOP/s"}, {1e15, "PFLOP/s"}}};

constexpr double kSmallestWritten = 1e-6; ///< ratios below have an exponent
constexpr std::array<Scale, 5> kEnergies{{{1e-9, "nJ"}, {1e-6, "µJ"}, {1e-3, "mJ"}, {1, "J"}, {1e3, "kJ"}}};

} // namespace

std::string formatNumber(double value)
{
    if (!std::isfinite(value))
        return kNoValue;
    const double size = std::abs(value);
    const std::string sign = value < 0 ? "\u2212" : "";
    if (size == 0)
        return "0";
    if (size >= 999.5) // three digits would be 1000 in the next power
        return size < 1e15 ? sign + groupDigits(fmt::format("{:.0f}", size)) : sign + fmt::format("{:.2e}", size);
    if (size < 0.0005)
        return sign + fmt::format("{:.1e}", size);
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    std::string text = fmt::format("{:.{}f}", size, decimals);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return sign + text;
}

std::string formatCount(double value)
{
    if (!std::isfinite(value))
        return kNoValue;
    return (value < -0.5 ? "\u2212" : "") + groupDigits(fmt::format("{:.0f}", std::abs(value)));
}

std::string formatTime(double ns)
{
    return formatScaled(ns, kTimes, 1000);
}

std::string formatTime(std::optional<double> ns)
{
    return ns ? formatTime(*ns) : kNoValue;
}

std::string formatMinutes(double minutes)
{
    if (!std::isfinite(minutes))
        return kNoValue;
    if (minutes < 0.995)
        return withUnit(fmt::format("{:.0f}", std::max(0.0, minutes * 60)), "s");
    const auto whole = static_cast<long long>(std::llround(minutes));
    if (whole < 60)
        return withUnit(fmt::format("{}", whole), "min");
    const std::string hours = withUnit(fmt::format("{}", whole / 60), "h");
    return whole % 60 == 0 ? hours : hours + ' ' + withUnit(fmt::format("{:02}", whole % 60), "min");
}

std::string formatElapsed(double seconds)
{
    if (!std::isfinite(seconds))
        return kNoValue;
    const auto whole = static_cast<long long>(std::max(0.0, seconds));
    if (whole < 3600)
        return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string formatRatio(double ratio)
{
    if (!std::isfinite(ratio))
        return kNoValue;
    const double size = std::abs(ratio);
    if (size >= 0.0995 || size == 0)
        return fmt::format("{:.{}f}×", ratio, size >= 99.5 ? 0 : size >= 9.95 ? 1 : 2);
    if (size < kSmallestWritten)
        return fmt::format("{:.1e}×", ratio);
    // Below 0.1 two decimals would hide a difference that matters (0.034× against 0.03×): two significant digits. What rounds up to a
    // power of ten has a decimal less.
    return fmt::format("{:.{}f}×", ratio, 1 + static_cast<int>(std::ceil(-std::log10(size / 0.995))));
}

std::string formatRatio(std::optional<double> ratio)
{
    return ratio ? formatRatio(*ratio) : kNoValue;
}

std::string formatPercent(double percent)
{
    if (!std::isfinite(percent))
        return kNoValue;
    const double size = std::abs(percent);
    std::string text = fmt::format("{:.{}f}", size, size >= 99.95 || size < 0.05 ? 0 : 1);
    if (text.ends_with(".0"))
        text.resize(text.size() - 2);
    return withUnit((percent < 0 && text != "0" ? "\u2212" : "") + text, "%");
}

std::string formatPercent(std::optional<double> percent)
{
    return percent ? formatPercent(*percent) : kNoValue;
}

std::string formatChange(double fraction)
{
    if (!std::isfinite(fraction))
        return kNoValue;
    const std::string text = formatPercent(fraction * 100);
    return fraction > 0 && !text.starts_with("0\u202f") ? '+' + text : text;
}

std::string formatBytes(double bytes)
{
    return formatScaled(bytes, kBytes, 1024);
}

std::string formatBandwidth(double bytesPerSecond)
{
    return formatScaled(bytesPerSecond, kBandwidths, 1000);
}

std::string formatFlops(double flopPerSecond)
{
    return formatScaled(flopPerSecond, kFlops, 1000);
}

std::string formatEnergy(double joules)
{
    return formatScaled(joules, kEnergies, 1000);
}

std::string formatIntensity(double flopPerByte)
{
    return std::isfinite(flopPerByte) ? withUnit(formatNumber(flopPerByte), "FLOP/B") : kNoValue;
}

std::string formatClock(double mhz)
{
    return std::isfinite(mhz) ? withUnit(fmt::format("{:.0f}", mhz), "MHz") : kNoValue;
}

std::string formatMoney(double dollars)
{
    return std::isfinite(dollars) ? fmt::format("{}${:.2f}", dollars < 0 ? "\u2212" : "", std::abs(dollars)) : kNoValue;
}

std::string formatWithUnit(double value, std::string_view unit)
{
    if (unit == "ns")
        return formatTime(value);
    if (unit == "us" || unit == "µs")
        return formatTime(value * 1e3);
    if (unit == "ms")
        return formatTime(value * 1e6);
    if (unit == "s")
        return formatTime(value * 1e9);
    if (unit == "%")
        return formatPercent(value);
    if (unit == "byte" || unit == "bytes")
        return formatBytes(value);
    if (unit == "byte/s" || unit == "bytes/s")
        return formatBandwidth(value);
    if (unit == "flop/s")
        return formatFlops(value);
    if (unit == "flop/byte")
        return formatIntensity(value);
    if (unit == "MHz")
        return formatClock(value);
    if (unit == "J")
        return formatEnergy(value);
    if (unit == "count")
        return formatCount(value);
    if (unit == "ratio" || unit.empty())
        return formatNumber(value);
    return std::isfinite(value) ? withUnit(formatNumber(value), unit) : kNoValue;
}

} // namespace kl
