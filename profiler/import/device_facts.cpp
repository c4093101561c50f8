// SPDX-License-Identifier: MIT
#include "profiler/import/device_facts.h"

#include <cmath>
#include <limits>

namespace kl::inline nsight {
namespace {

using Metrics = std::map<std::string, std::optional<double>>;

std::optional<std::int64_t> attribute(const Metrics& metrics, const char* name)
{
    const auto found = metrics.find(std::string("device__attribute_") + name);
    return found != metrics.end() && found->second ? wholeNumber(*found->second) : std::nullopt;
}

void set(const Metrics& metrics, const char* name, int& member)
{
    if (const auto value = attribute(metrics, name); value && *value >= 0 && *value <= std::numeric_limits<int>::max())
        member = static_cast<int>(*value);
}

void set(const Metrics& metrics, const char* name, std::int64_t& member)
{
    if (const auto value = attribute(metrics, name); value && *value >= 0)
        member = *value;
}

void setMegahertz(const Metrics& metrics, const char* name, double& member)
{
    if (const auto kilohertz = attribute(metrics, name); kilohertz && *kilohertz > 0)
        member = static_cast<double>(*kilohertz) / 1000;
}

} // namespace

std::optional<std::int64_t> wholeNumber(double value)
{
    constexpr double kExact = 9007199254740992.0; // 2^53
    return std::abs(value) <= kExact ? std::optional(static_cast<std::int64_t>(std::llround(value))) : std::nullopt;
}

void readDeviceFacts(const Metrics& metrics, const std::map<std::string, std::string>& texts, DeviceInfo& device)
{
    if (const auto name = texts.find("device__attribute_display_name"); name != texts.end() && !name->second.empty())
        device.name = name->second;
    set(metrics, "compute_capability_major", device.ccMajor);
    set(metrics, "compute_capability_minor", device.ccMinor);
    set(metrics, "multiprocessor_count", device.smCount);
    set(metrics, "total_memory", device.memoryBytes);
    set(metrics, "l2_cache_size", device.l2Bytes);
    set(metrics, "max_shared_memory_per_block_optin", device.smemPerBlockOptin);
    set(metrics, "max_shared_memory_per_multiprocessor", device.smemPerSm);
    set(metrics, "reserved_shared_memory_per_block", device.smemReservedPerBlock);
    set(metrics, "max_threads_per_multiprocessor", device.maxThreadsPerSm);
    set(metrics, "max_blocks_per_multiprocessor", device.maxBlocksPerSm);
    set(metrics, "max_registers_per_multiprocessor", device.regsPerSm);
    set(metrics, "global_memory_bus_width", device.memoryBusBits);
    setMegahertz(metrics, "clock_rate", device.clockMhz);
    setMegahertz(metrics, "max_gpu_frequency_khz", device.clockMhz);
    setMegahertz(metrics, "memory_clock_rate", device.memoryClockMhz);
}

} // namespace kl::inline nsight
