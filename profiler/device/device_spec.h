// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/collector.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline devices {

/// Where measurements come from: a GPU of this machine or of another one, or the recorded sample.
enum class DeviceKind { local, sample, ssh };

/// A GPU of another machine.
struct RemoteGpu {
    std::string host; ///< as ssh takes it
    std::string gpu;  ///< as chooseGpu() takes it; empty: the first

    bool operator==(const RemoteGpu&) const = default;
};

/// What --on names.
struct DeviceSpec {
    DeviceKind kind = DeviceKind::local;
    std::string gpu;                    ///< of this machine, as chooseGpu() takes it; empty: the first
    std::vector<RemoteGpu> remote = {}; ///< the first that can be reached measures, the next ones take its place when it is lost

    static DeviceSpec sample() { return {DeviceKind::sample, {}}; }
    static DeviceSpec local(std::string gpu = {}) { return {DeviceKind::local, std::move(gpu)}; }
    static DeviceSpec ssh(std::vector<RemoteGpu> remote) { return {DeviceKind::ssh, {}, std::move(remote)}; }

    bool operator==(const DeviceSpec&) const = default;
};

/// How a device is written, for help texts.
inline constexpr const char* kDeviceForms = "local, local:INDEX, local:GPU-UUID, ssh:HOST, ssh:HOST:INDEX, ssh:HOST:GPU-UUID or sample";

/// Reads "sample", "local", "local:INDEX", "local:GPU-UUID", the same forms of "ssh:HOST", or a list of those, "ssh:HOST,ssh:HOST:INDEX";
/// the beginning of the UUID is enough. Error usage for any other text. Whether the GPU is there is known once the device is opened.
Result<DeviceSpec> parseDeviceSpec(std::string_view text);

/// Inverse of parseDeviceSpec().
std::string toText(const DeviceSpec& device);

/// Where a device's answers come from.
Source sourceOf(const DeviceSpec& device) noexcept;

/// The device that a collector measures on, by its UUID: for another worker on the same GPU.
DeviceSpec deviceOf(const Collector& collector);

/// A device for what needs no GPU, e.g. compiling: a recording can do nothing of it, so this machine takes its place.
DeviceSpec compilingDevice(const DeviceSpec& device);

} // namespace kl::inline devices
