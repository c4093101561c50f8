// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/collector.h"

#include <string>
#include <string_view>

namespace kl {

/// Where measurements come from: a GPU of this machine, or the recorded sample.
enum class DeviceKind { local, sample };

/// What --on names.
struct DeviceSpec {
    DeviceKind kind = DeviceKind::local;
    std::string gpu; ///< of this machine, as chooseGpu() takes it; empty: the first

    static DeviceSpec sample() { return {DeviceKind::sample, {}}; }
    static DeviceSpec local(std::string gpu = {}) { return {DeviceKind::local, std::move(gpu)}; }

    bool operator==(const DeviceSpec&) const = default;
};

/// How a device is written, for help texts.
inline constexpr const char* kDeviceForms = "local, local:INDEX, local:GPU-UUID or sample";

/// Reads "sample", "local", "local:INDEX" or "local:GPU-UUID"; the beginning of the UUID is enough. Error usage for any other text. Whether
/// the GPU is there is known once the device is opened.
Result<DeviceSpec> parseDeviceSpec(std::string_view text);

/// Inverse of parseDeviceSpec().
std::string toText(const DeviceSpec& device);

/// Where a device's answers come from.
Source sourceOf(const DeviceSpec& device) noexcept;

/// The device that a collector measures on, by its UUID: for another worker on the same GPU.
DeviceSpec deviceOf(const Collector& collector);

/// A device for what needs no GPU, e.g. compiling: a recording can do nothing of it, so this machine takes its place.
DeviceSpec compilingDevice(const DeviceSpec& device);

} // namespace kl
