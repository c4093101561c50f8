// SPDX-License-Identifier: MIT
#include "profiler/device/open_device.h"

#include "profiler/device/remote_device.h"
#include "profiler/replay/replay.h"

namespace kl::inline devices {

Result<std::unique_ptr<Collector>> openDevice(const DeviceSpec& device, WorkerOptions options)
{
    if (device.kind == DeviceKind::sample)
        return openSample();
    if (device.kind == DeviceKind::ssh)
        return openRemote(device.remote, std::move(options));
    options.gpu = device.gpu;
    return startWorker(options);
}

} // namespace kl::inline devices
