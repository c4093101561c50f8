// SPDX-License-Identifier: MIT
#include "core/stats/timing_text.h"

#include "core/base/format.h"
#include "core/stats/robust.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

namespace kl::inline stats {
namespace {

/// Why a series ended. A single profiled launch has no words: it was not a series.
constexpr std::pair<std::string_view, std::string_view> kStops[] = {
    {"noise-stable", "when the CI was narrow enough"},
    {"sample-limit", "at the sample limit"},
    {"time-limit", "at the time limit"},
    {"hopeless", "early, far behind the best"},
    {"end of the program", "at the end of the program"},
};

} // namespace

std::string timeInterval(const Summary& ns)
{
    return ns.n < 2 ? std::string("no interval") : fmt::format("{} to {}", formatTime(ns.low), formatTime(ns.high));
}

std::string samplesText(const Timing& t)
{
    std::string text = fmt::format("{}", t.gpu.n);
    if (t.samples.size() > 1)
        text += fmt::format(": min {}, quartiles {} and {}, 95 % CI width {:.2f} %", formatTime(computeQuantile(t.samples, 0)),
                            formatTime(computeQuantile(t.samples, 0.25)), formatTime(computeQuantile(t.samples, 0.75)),
                            100 * relativeNoise(t.gpu));
    text += fmt::format(", {} discarded", t.discarded);
    for (const auto& [code, words] : kStops)
        if (t.stoppedBy == code)
            text += fmt::format("; stopped {}", words);
    return text;
}

std::string gpuStateText(const Timing& t)
{
    std::vector<std::string> parts;
    if (t.clockMhz)
        parts.push_back(fmt::format("SM clock {}", formatClock(*t.clockMhz)));
    std::vector<double> clocks;
    for (const std::optional<double>& clock : t.clocks)
        if (clock)
            clocks.push_back(*clock);
    if (!clocks.empty() && !parts.empty()) {
        const std::string low = formatClock(computeQuantile(clocks, 0)), high = formatClock(computeQuantile(clocks, 1));
        if (low != high)
            parts.back() += fmt::format(" ({} to {})", low, high);
    }
    if (t.temperatureC)
        parts.push_back(fmt::format("{:.0f}\u202f°C", *t.temperatureC));
    if (t.powerW)
        parts.push_back(fmt::format("{:.0f}\u202fW", *t.powerW));
    if (!t.throttleReasons.empty())
        parts.push_back(fmt::format("held back by {}", fmt::join(t.throttleReasons, ", ")));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string memoryText(std::int64_t bytes, const std::optional<Baseline>& baseline)
{
    std::string text = formatBytes(static_cast<double>(bytes));
    if (baseline && baseline->memoryBytes)
        text += fmt::format("; {} {}", baseline->name, formatBytes(static_cast<double>(*baseline->memoryBytes)));
    else if (baseline && !baseline->version.empty()) // a copy has no library, and no memory of its own
        text += fmt::format("; {}: not recorded", baseline->name);
    return text;
}

std::string energyText(const Energy& energy)
{
    if (!energy.perLaunchJ)
        return "not measured: " + energy.reason;
    const double joules = *energy.perLaunchJ * static_cast<double>(energy.launches);
    return fmt::format("{} per launch ({} {} in {}, {:.0f}\u202fW)", formatEnergy(*energy.perLaunchJ),
                       formatCount(static_cast<double>(energy.launches)), energy.launches == 1 ? "launch" : "launches",
                       formatTime(energy.windowSeconds * 1e9), energy.windowSeconds > 0 ? joules / energy.windowSeconds : 0);
}

} // namespace kl::inline stats
