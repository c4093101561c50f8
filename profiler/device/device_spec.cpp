// SPDX-License-Identifier: MIT
#include "profiler/device/device_spec.h"

#include "profiler/protocol/gpu_choice.h"
#include "profiler/remote/ssh_command.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline devices {
namespace {

constexpr std::string_view kLocal = "local";
constexpr std::string_view kSample = "sample";
constexpr std::string_view kSsh = "ssh:";

/// What an index or a UUID is made of: it goes to the worker as an argument.
bool canNameGpu(std::string_view text)
{
    const auto isPart = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '/';
    };
    return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), isPart);
}

/// "ssh:HOST" or "ssh:HOST:GPU"; unset for any other text.
std::optional<RemoteGpu> readRemote(std::string_view text)
{
    if (!text.starts_with(kSsh))
        return {};
    text.remove_prefix(kSsh.size());
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view host = text.substr(0, colon);
    const std::string_view gpu = text.substr(std::min(colon + 1, text.size()));
    if (!isSshHost(host) || (colon < text.size() && !canNameGpu(gpu)))
        return {};
    return RemoteGpu{std::string(host), std::string(gpu)};
}

/// A list of them; empty where one is not of that form.
std::vector<RemoteGpu> readRemotes(std::string_view text)
{
    std::vector<RemoteGpu> all;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::optional<RemoteGpu> one = readRemote(text.substr(0, comma));
        if (!one)
            return {};
        all.push_back(std::move(*one));
        if (comma == text.size())
            return all;
        text.remove_prefix(comma + 1);
    }
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
    if (std::vector<RemoteGpu> remote = readRemotes(text); !remote.empty())
        return DeviceSpec::ssh(std::move(remote));
    return Error{.code = ErrorCode::usage,
                 .message = fmt::format("\"{}\" is not a device.", text),
                 .hint = fmt::format("Write {}.", kDeviceForms),
                 .where = "--on"};
}

std::string toText(const DeviceSpec& device)
{
    if (device.kind == DeviceKind::sample)
        return std::string(kSample);
    std::string list;
    for (const RemoteGpu& one : device.remote)
        list += fmt::format("{}{}{}{}{}", list.empty() ? "" : ",", kSsh, one.host, one.gpu.empty() ? "" : ":", one.gpu);
    if (device.kind == DeviceKind::ssh)
        return list;
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
    const std::string gpu = device ? device->uuid : std::string();
    if (const std::string host = collector.remoteHost(); !host.empty())
        return DeviceSpec::ssh({{host, gpu}});
    return DeviceSpec::local(gpu);
}

DeviceSpec compilingDevice(const DeviceSpec& device)
{
    return device.kind == DeviceKind::sample ? DeviceSpec::local() : device;
}

} // namespace kl::inline devices
