// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/worker_client.h"
#include "profiler/device/device_spec.h"

#include <memory>

namespace kl::inline devices {

/// The one way to open a device: starts a worker for a GPU, opens the embedded recording for the sample. `options` are the worker's; its
/// GPU is the device's. A machine that cannot measure gives a collector whose hello says why, since some requests need no GPU. Errors:
/// startWorker's, openSample's.
Result<std::unique_ptr<Collector>> openDevice(const DeviceSpec& device, WorkerOptions options = {});

} // namespace kl::inline devices
