// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The one place that turns figures into text for people. A narrow no-break space separates a number and its unit; three
/// significant digits unless noted; a value that is not finite is a dash. Never used for JSON.
namespace kl {

/// U+202F, narrow no-break space: between a number and its unit.
inline constexpr const char* kThinSpace = "\u202f";
/// Shown in place of a missing value.
inline constexpr const char* kNoValue = "\u2013";

/// Three significant digits and no exponent between 0.001 and 999,999: "8.13", "0.042", "1,270". Minus is U+2212.
std::string formatNumber(double value);
/// Grouped integer: "1,048,576".
std::string formatCount(double value);

/// A time in nanoseconds: "8.13 µs", "320 ns", "1.27 ms", "4.2 s".
std::string formatTime(double ns);
std::string formatTime(std::optional<double> ns);
/// Working time in minutes: "45 s", "12 min", "1 h 05 min".
std::string formatMinutes(double minutes);
/// A running clock in seconds: "0:03", "12:40", "1:02:03".
std::string formatElapsed(double seconds);

/// "1.27×"; from 100 on without decimals.
std::string formatRatio(double ratio);
std::string formatRatio(std::optional<double> ratio);
/// A percentage given as a percentage: 42.3 is "42.3 %", 99.96 is "100 %".
std::string formatPercent(double percent);
std::string formatPercent(std::optional<double> percent);
/// A relative change given as a fraction, always signed: 0.12 is "+12 %".
std::string formatChange(double fraction);

/// A size in bytes, in steps of 1024: "227 KiB", "140 GiB".
std::string formatBytes(double bytes);
/// Bytes per second in steps of 1000, as data sheets have them: "4.3 TB/s".
std::string formatBandwidth(double bytesPerSecond);
/// Floating-point operations per second: "479 TFLOP/s".
std::string formatFlops(double flopPerSecond);
/// Joules: "12.3 mJ", "1.27 J".
std::string formatEnergy(double joules);
/// FLOP per byte: "12.5 FLOP/B".
std::string formatIntensity(double flopPerByte);
/// Not grouped, as nvidia-smi writes it: "1755 MHz".
std::string formatClock(double mhz);
/// US dollars: "$0.37".
std::string formatMoney(double dollars);

/// A figure by its unit's word: "ns", "us", "ms", "s", "%", "bytes", "byte/s", "flop/s", "flop/byte", "MHz", "J", "count", "ratio"; any
/// other word follows the number unchanged; an empty one adds nothing.
std::string formatWithUnit(double value, std::string_view unit);

using TimePoint = std::chrono::system_clock::time_point;

/// UTC now, ISO 8601 with milliseconds: "2025-11-21T01:45:04.123Z".
std::string isoNow();
std::string isoTime(TimePoint time);
/// Inverse of isoTime; the fraction and the Z may be missing, a date alone is midnight. Unset when it is not such a text.
std::optional<TimePoint> parseIsoTime(std::string_view text);
/// "just now", "3 min ago", "2 h ago", "yesterday", "5 days ago", then the date; "in the future" is "just now". An unreadable time is
/// given back as it is.
std::string relativeTime(std::string_view iso, TimePoint now = std::chrono::system_clock::now());

} // namespace kl
