// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/worker_client.h"
#include "profiler/device/device_spec.h"

#include <memory>

namespace kl::inline devices {

/// Starts a worker on the first of these hosts that can be reached, over the user's own ssh or by Slurm (slurm_device.h); where a host of
/// ssh's has none, this one's is copied there with consent. A host that is lost during a request, or before it, is replaced by the next in
/// the list, which gets the request again; Job::notice says so. After the last one the request fails; the next request starts with the
/// first host again. Errors: startWorker's and copyWorker's, of the last host.
Result<std::unique_ptr<Collector>> openRemote(const std::vector<RemoteGpu>& hosts, WorkerOptions options);

} // namespace kl::inline devices
