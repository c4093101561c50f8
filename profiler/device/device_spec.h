// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/collector.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline devices {

/// Where measurements come from: a GPU of this machine or of another one, the recorded sample, or several GPUs.
enum class DeviceKind { local, sample, remote, several };

/// A GPU of another machine, or GPUs that Slurm grants.
struct RemoteGpu {
    std::string host;                      ///< as ssh takes it, or "slurm:PARTITION"
    std::string gpu;                       ///< of a host of ssh's, as chooseGpu() takes it; empty: the first
    std::vector<std::string> options = {}; ///< of sbatch: "time=00:30:00"
    int workers = 1;                       ///< of a job array
    std::string job = {};                  ///< ID of a running job whose GPUs are used; empty: a job is submitted

    bool operator==(const RemoteGpu&) const = default;
};

/// What --on names.
struct DeviceSpec {
    DeviceKind kind = DeviceKind::local;
    std::string gpu;                      ///< of this machine, as chooseGpu() takes it; empty: the first
    std::vector<RemoteGpu> remote = {};   ///< the first that can be reached measures, the next ones take its place when it is lost
    std::vector<DeviceSpec> several = {}; ///< requests are spread over them

    static DeviceSpec sample() { return {DeviceKind::sample, {}}; }
    static DeviceSpec local(std::string gpu = {}) { return {DeviceKind::local, std::move(gpu)}; }
    static DeviceSpec on(std::vector<RemoteGpu> remote) { return {DeviceKind::remote, {}, std::move(remote)}; }

    bool operator==(const DeviceSpec&) const = default;
};

/// How a device is written, for help texts.
inline constexpr const char* kDeviceForms =
    "local, local:INDEX, local:GPU-UUID, ssh:HOST, ssh:HOST:INDEX, ssh:HOST:GPU-UUID, slurm:PARTITION[,OPTION=VALUE]... or sample";

/// Reads "sample", "local", "local:INDEX", "local:GPU-UUID", the same forms of "ssh:HOST", "slurm:PARTITION" with options of sbatch's
/// ("slurm:gpu,time=00:30:00") and our own, workers=COUNT and job=ID; a list of those of other hosts, "ssh:HOST,ssh:HOST:INDEX"; or devices
/// that share the work, "local:0+local:1". The beginning of the UUID is enough. Error usage for any other text. Whether the GPU is there is
/// known once the device is opened.
Result<DeviceSpec> parseDeviceSpec(std::string_view text);

/// How --on names the GPUs of a host of the list: "ssh:HOST", or "slurm:PARTITION" as it is.
DeviceSpec makeHostDevice(const std::string& host);

/// Whether any of it is in another machine.
bool isElsewhere(const DeviceSpec& device);

/// Whether opening it means waiting for what somebody else grants, perhaps for hours.
bool waitsInQueue(const DeviceSpec& device);

/// The other machines that it names, as RemoteGpu::host.
std::vector<std::string> listDeviceHosts(const DeviceSpec& device);

/// Inverse of parseDeviceSpec().
std::string toText(const DeviceSpec& device);

/// Where a device's answers come from.
Source chooseSource(const DeviceSpec& device) noexcept;

/// The device that a collector measures on, by its UUID: for another worker on the same GPU.
DeviceSpec describeDevice(const Collector& collector);

/// A device for what needs no GPU, e.g. compiling: a recording can do nothing of it, so this machine takes its place.
DeviceSpec chooseCompilingDevice(const DeviceSpec& device);

} // namespace kl::inline devices
