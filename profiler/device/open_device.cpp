// SPDX-License-Identifier: MIT
#include "profiler/device/open_device.h"

#include "profiler/device/remote_device.h"
#include "profiler/device/spread_device.h"
#include "profiler/replay/replay.h"

namespace kl::inline devices {

Result<std::unique_ptr<Collector>> openDevice(const DeviceSpec& device, WorkerOptions options)
{
    switch (device.kind) {
    case DeviceKind::sample: return openSample();
    case DeviceKind::remote: return openRemote(device.remote, std::move(options));
    case DeviceKind::local: break;
    case DeviceKind::several: {
        std::vector<OpenWorker> workers;
        for (const DeviceSpec& one : device.several)
            workers.push_back([one, options](const Job& opening) {
                WorkerOptions own = options;
                own.opening = opening;
                return openDevice(one, std::move(own));
            });
        return openSpread(std::move(workers), options.opening);
    }
    }
    options.gpu = device.gpu;
    return startWorker(options);
}

} // namespace kl::inline devices
