// SPDX-License-Identifier: MIT
#include "profiler/device/device_spec.h"

#include "profiler/protocol/gpu_choice.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr std::string_view kLocal = "local";
constexpr std::string_view kSample = "sample";

/// What an index or a UUID is made of: it goes to the worker as an argument.
bool canNameGpu(std::string_view text)
{
    const auto isPart = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '/';
    };
    return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), isPart);
}

} // namespace

Result<DeviceSpec> parseDeviceSpec(std::string_view text)
{
    if (text == kSample)
        return DeviceSpec::sample();
    if (text == kLocal)
        return DeviceSpec::local();
    const bool withGpu = text.starts_with(kLocal) && text.substr(kLocal.size()).starts_with(':');
    if (const std::string_view gpu = withGpu ? text.substr(kLocal.size() + 1) : std::string_view(); canNameGpu(gpu))
        return DeviceSpec::local(std::string(gpu));
    return Error{.code = ErrorCode::usage,
                 .message = fmt::format("\"{}\" is not a device.", text),
                 .hint = fmt::format("Write {}.", kDeviceForms),
                 .where = "--on"};
}

std::string toText(const DeviceSpec& device)
{
    if (device.kind == DeviceKind::sample)
        return std::string(kSample);
    return device.gpu.empty() ? std::string(kLocal) : fmt::format("{}:{}", kLocal, device.gpu);
}

Source sourceOf(const DeviceSpec& device) noexcept
{
    return device.kind == DeviceKind::sample ? Source::sample : Source::live;
}

DeviceSpec deviceOf(const Collector& collector)
{
    if (collector.source() == Source::sample)
        return DeviceSpec::sample();
    const DeviceInfo* device = measuredDevice(collector.hello());
    return DeviceSpec::local(device ? device->uuid : std::string());
}

DeviceSpec compilingDevice(const DeviceSpec& device)
{
    return device.kind == DeviceKind::sample ? DeviceSpec::local() : device;
}

} // namespace kl
