// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/environment.h"
#include "profiler/protocol/messages.h"

#include <functional>

namespace kl::inline live {

class EnvHost;

/// The worker's information for the checks. No CUDA headers here: a build without the toolkit runs them too.
struct EnvFacts {
    Hello hello;       ///< devices, or why there are none
    ProbeAnswer probe; ///< NVRTC, CUPTI, counters; empty ones are looked up on the host
    /// Compiles, runs and checks a work specification on the GPU; null if it cannot run.
    std::function<RunAnswer(const WorkSpec&)> smoke;
};

/// All lines of `kloop env`, in this order: gpu, driver, nvrtc, cupti, toolkit, counters, compute-capability, shared-memory, gpu-idle,
/// throttling, clocks, persistence, disk, loader-path, preemption, python, torch, torch-cuda, extension-build, extension-import,
/// smoke-kernel. The ids are stable. A check that cannot run is `skipped` with the reason; every fail has a fix. Importing torch takes
/// longer than all the rest, so python starts first, on its own thread; meanwhile `gather` is called and an extension built.
EnvReport runEnvChecks(const EnvRequest& request, const std::function<EnvFacts()>& gather);

/// The same on a given host; for tests.
EnvReport runEnvChecks(const EnvRequest& request, const EnvFacts& facts, const EnvHost& host);

} // namespace kl::inline live
