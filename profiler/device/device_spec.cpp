// SPDX-License-Identifier: MIT
#include "profiler/device/device_spec.h"

#include "profiler/protocol/gpu_choice.h"
#include "profiler/remote/slurm_commands.h"
#include "profiler/remote/ssh_command.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace kl::inline devices {
namespace {

constexpr std::string_view kLocal = "local";
constexpr std::string_view kSample = "sample";
constexpr std::string_view kSsh = "ssh:";
constexpr std::string_view kJob = "job=";
constexpr std::string_view kWorkers = "workers=";
constexpr int kMostWorkers = 256;

/// What an index or a UUID is made of: it goes to the worker as an argument.
bool canNameGpu(std::string_view text)
{
    const auto isPart = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '/';
    };
    return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), isPart);
}

/// "HOST" or "HOST:GPU".
std::optional<RemoteGpu> readSsh(std::string_view text)
{
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view host = text.substr(0, colon);
    const std::string_view gpu = text.substr(std::min(colon + 1, text.size()));
    if (!isSshHost(host) || (colon < text.size() && !canNameGpu(gpu)))
        return {};
    return RemoteGpu{std::string(host), std::string(gpu)};
}

/// An option of sbatch's, or one of ours.
bool readSlurmOption(std::string_view text, RemoteGpu& place)
{
    const auto takeOptionValue = [&](std::string_view name) {
        return text.starts_with(name) ? text.substr(name.size()) : std::string_view();
    };
    if (const std::string_view job = takeOptionValue(kJob); !job.empty()) {
        place.job = job;
        return job.size() <= 18 && std::ranges::all_of(job, [](char c) { return c >= '0' && c <= '9'; });
    }
    if (const std::string_view workers = takeOptionValue(kWorkers); !workers.empty()) {
        const auto [end, problem] = std::from_chars(workers.data(), workers.data() + workers.size(), place.workers);
        return problem == std::errc() && end == workers.data() + workers.size() && place.workers >= 1 && place.workers <= kMostWorkers;
    }
    place.options.emplace_back(text);
    return isSbatchOption(text) && !text.starts_with("job=") && !text.starts_with("workers=");
}

/// A list of places on other hosts; empty where one is not of its form. What follows a partition and names no host is an option.
std::vector<RemoteGpu> readRemotes(std::string_view text)
{
    std::vector<RemoteGpu> all;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view part = text.substr(0, comma);
        if (part.starts_with(kSsh)) {
            std::optional<RemoteGpu> one = readSsh(part.substr(kSsh.size()));
            if (!one)
                return {};
            all.push_back(std::move(*one));
        } else if (part.starts_with(kSlurm)) {
            if (!isPartition(part.substr(kSlurm.size())))
                return {};
            all.push_back({std::string(part), {}});
        } else if (all.empty() || !all.back().host.starts_with(kSlurm) || !readSlurmOption(part, all.back())) {
            return {};
        }
        if (comma == text.size())
            break;
        text.remove_prefix(comma + 1);
    }
    // A running job has its options and its one worker already.
    const bool odd =
        std::ranges::any_of(all, [](const RemoteGpu& one) { return !one.job.empty() && (one.workers > 1 || !one.options.empty()); });
    return odd ? std::vector<RemoteGpu>() : all;
}

/// Where the next of several devices begins: behind a "+" that a device follows, since options may have one, too.
std::size_t findNext(std::string_view text)
{
    for (std::size_t at = text.find('+'); at != std::string_view::npos; at = text.find('+', at + 1))
        for (const std::string_view begin : {kLocal, kSsh, kSlurm, kSample})
            if (text.substr(at + 1).starts_with(begin))
                return at;
    return std::string_view::npos;
}

/// One device that shares no work.
std::optional<DeviceSpec> readOne(std::string_view text)
{
    if (text == kSample)
        return DeviceSpec::sample();
    if (text == kLocal)
        return DeviceSpec::local();
    const bool withGpu = text.starts_with(kLocal) && text.substr(kLocal.size()).starts_with(':');
    if (const std::string_view gpu = withGpu ? text.substr(kLocal.size() + 1) : std::string_view(); canNameGpu(gpu))
        return DeviceSpec::local(std::string(gpu));
    if (std::vector<RemoteGpu> remote = readRemotes(text); !remote.empty())
        return DeviceSpec::on(std::move(remote));
    return {};
}

std::optional<DeviceSpec> readAny(std::string_view text)
{
    if (findNext(text) == std::string_view::npos)
        return readOne(text);
    DeviceSpec all{DeviceKind::several, {}};
    for (bool more = true; more;) {
        const std::size_t next = findNext(text);
        more = next != std::string_view::npos;
        std::optional<DeviceSpec> one = readOne(text.substr(0, next));
        if (!one || one->kind == DeviceKind::sample) // a recording has all of its answers already
            return {};
        all.several.push_back(std::move(*one));
        if (more)
            text.remove_prefix(next + 1);
    }
    return all;
}

std::string toText(const RemoteGpu& place)
{
    if (!place.host.starts_with(kSlurm))
        return fmt::format("{}{}{}{}", kSsh, place.host, place.gpu.empty() ? "" : ":", place.gpu);
    std::string text = place.host;
    if (!place.job.empty())
        text += fmt::format(",{}{}", kJob, place.job);
    if (place.workers > 1)
        text += fmt::format(",{}{}", kWorkers, place.workers);
    for (const std::string& option : place.options)
        text += ',' + option;
    return text;
}

} // namespace

Result<DeviceSpec> parseDeviceSpec(std::string_view text)
{
    if (std::optional<DeviceSpec> device = readAny(text))
        return *std::move(device);
    return Error{.code = ErrorCode::usage,
                 .message = fmt::format("\"{}\" is not a device.", text),
                 .hint = fmt::format("Write {}.", kDeviceForms),
                 .where = "--on"};
}

std::string toText(const DeviceSpec& device)
{
    std::string text;
    switch (device.kind) {
    case DeviceKind::sample: return std::string(kSample);
    case DeviceKind::local: return device.gpu.empty() ? std::string(kLocal) : fmt::format("{}:{}", kLocal, device.gpu);
    case DeviceKind::remote:
        for (const RemoteGpu& one : device.remote)
            text += (text.empty() ? "" : ",") + toText(one);
        break;
    case DeviceKind::several:
        for (const DeviceSpec& one : device.several)
            text += (text.empty() ? "" : "+") + toText(one);
        break;
    }
    return text;
}

DeviceSpec makeHostDevice(const std::string& host)
{
    return DeviceSpec::on({{host, {}}});
}

bool isElsewhere(const DeviceSpec& device)
{
    return !listDeviceHosts(device).empty();
}

bool waitsInQueue(const DeviceSpec& device)
{
    return std::ranges::any_of(device.remote, [](const RemoteGpu& one) { return one.host.starts_with(kSlurm) && one.job.empty(); }) ||
           std::ranges::any_of(device.several, waitsInQueue);
}

std::vector<std::string> listDeviceHosts(const DeviceSpec& device)
{
    std::vector<std::string> hosts;
    for (const RemoteGpu& one : device.remote)
        hosts.push_back(one.host);
    for (const DeviceSpec& one : device.several)
        for (std::string& host : listDeviceHosts(one))
            hosts.push_back(std::move(host));
    return hosts;
}

Source chooseSource(const DeviceSpec& device) noexcept
{
    return device.kind == DeviceKind::sample ? Source::sample : Source::live;
}

DeviceSpec describeDevice(const Collector& collector)
{
    if (collector.source() == Source::sample)
        return DeviceSpec::sample();
    if (const Result<DeviceSpec> same = parseDeviceSpec(collector.sameDevice()))
        return *same;
    const DeviceInfo* device = findMeasuredDevice(collector.hello());
    const std::string gpu = device ? device->uuid : std::string();
    if (const std::string host = collector.remoteHost(); !host.empty())
        return DeviceSpec::on({{host, gpu}});
    return DeviceSpec::local(gpu);
}

DeviceSpec chooseCompilingDevice(const DeviceSpec& device)
{
    return device.kind == DeviceKind::sample ? DeviceSpec::local() : device;
}

} // namespace kl::inline devices
