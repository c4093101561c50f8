// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/environment.h"
#include "profiler/protocol/messages.h"

#include <functional>

namespace kl {

/// What the worker knows already and the checks judge. No CUDA headers here: a build without the toolkit runs them too.
struct EnvFacts {
    Hello hello;       ///< devices, or why there are none
    ProbeAnswer probe; ///< NVRTC, CUPTI, counters, python
    /// Compiles, runs and checks a work specification on the GPU; null where nothing can run.
    std::function<RunAnswer(const WorkSpec&)> smoke;
};

/// All lines of `kloop env`, in a fixed order: driver, device, NVRTC, CUPTI, counters, clocks, MIG, python and torch, cuDNN, disk,
/// smoke test. What cannot be asked is `skipped` with the reason; every fail has a fix.
EnvReport runEnvChecks(const EnvRequest& request, const EnvFacts& facts);

} // namespace kl
