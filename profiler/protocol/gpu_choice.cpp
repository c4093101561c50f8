// SPDX-License-Identifier: MIT
#include "profiler/protocol/gpu_choice.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline protocol {
namespace {

char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins(std::string_view text, std::string_view start)
{
    return text.size() >= start.size() &&
           std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

/// Whether the UUID "GPU-5e1f…" begins so, with or without the word before its first hyphen.
bool isNamed(std::string_view uuid, std::string_view wanted)
{
    return begins(uuid, wanted) || begins(uuid.substr(uuid.find('-') + 1), wanted);
}

Error noSuchGpu(const std::vector<DeviceInfo>& devices, std::string_view wanted, std::string_view why)
{
    return {.code = ErrorCode::environment,
            .message = fmt::format("{} \"{}\"; this machine has {}.", why, wanted, devices.empty() ? "no GPU" : gpuList(devices)),
            .hint = "Choose a GPU by its index, or by the beginning of its UUID.",
            .where = std::string(wanted)};
}

} // namespace

const DeviceInfo* findMeasuredDevice(const Hello& hello) noexcept
{
    const bool there = hello.device && *hello.device >= 0 && static_cast<std::size_t>(*hello.device) < hello.devices.size();
    return there ? &hello.devices[static_cast<std::size_t>(*hello.device)] : nullptr;
}

std::string gpuList(const std::vector<DeviceInfo>& devices)
{
    std::vector<std::string> all;
    for (const DeviceInfo& device : devices)
        all.push_back(fmt::format("{}: {} ({})", all.size(), device.name, device.uuid));
    return fmt::format("{}", fmt::join(all, ", "));
}

Result<int> chooseGpu(const std::vector<DeviceInfo>& devices, std::string_view wanted)
{
    if (wanted.empty())
        return 0;
    std::size_t index = 0;
    const auto [end, problem] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
    if (problem == std::errc() && end == wanted.data() + wanted.size() && index < devices.size())
        return static_cast<int>(index);
    std::vector<int> named;
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (isNamed(devices[i].uuid, wanted))
            named.push_back(static_cast<int>(i));
    if (named.size() == 1)
        return named.front();
    return noSuchGpu(devices, wanted, named.empty() ? "There is no GPU" : "Several GPUs have UUIDs that begin with");
}

} // namespace kl::inline protocol
