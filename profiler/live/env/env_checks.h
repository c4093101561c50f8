// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/environment.h"
#include "profiler/protocol/messages.h"

#include <functional>

namespace kl {

class EnvHost;

/// What the worker knows already and the checks judge. No CUDA headers here: a build without the toolkit runs them too.
struct EnvFacts {
    Hello hello;       ///< devices, or why there are none
    ProbeAnswer probe; ///< NVRTC, CUPTI, counters; what is empty is looked for on the host
    /// Compiles, runs and checks a work specification on the GPU; null where nothing can run.
    std::function<RunAnswer(const WorkSpec&)> smoke;
};

/// All lines of `kloop env`, in this order: gpu, driver, nvrtc, cupti, toolkit, counters, compute-capability, shared-memory, gpu-idle,
/// throttling, clocks, persistence, disk, loader-path, preemption, python, torch, torch-cuda, extension-build, extension-import,
/// smoke-kernel. The ids are stable. What cannot be asked is `skipped` with the reason; every fail has a fix. Importing torch takes
/// longer than all the rest, so python is asked first, on a thread of its own; `gather` is called meanwhile, and an extension built.
EnvReport runEnvChecks(const EnvRequest& request, const std::function<EnvFacts()>& gather);

/// The same on a given host; for tests.
EnvReport runEnvChecks(const EnvRequest& request, const EnvFacts& facts, const EnvHost& host);

} // namespace kl
