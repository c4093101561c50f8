// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/worker_client.h"
#include "profiler/device/device_spec.h"

#include <memory>

namespace kl::inline devices {

/// Workers on GPUs that Slurm grants: a job, or a job array whose workers share the requests; the first one that runs is enough to return.
/// Waits in the queue until then, which is reported through WorkerOptions::opening, whose stop ends it. A job that Slurm queues again, e.g.
/// after a preemption, is waited for and gets the request again; one that reached its time limit or lost its node is replaced by another.
/// The job is canceled with the device. With RemoteGpu::job, a worker in that running job, which stays. Errors: environment, of Slurm's
/// programs or the job; interrupted; startWorker's.
Result<std::unique_ptr<Collector>> openSlurm(const RemoteGpu& place, const WorkerOptions& options);

} // namespace kl::inline devices
