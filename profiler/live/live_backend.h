// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/backend/backend.h"

namespace kl {

/// The GPU side of the worker: device 0 as the driver orders them (CUDA_VISIBLE_DEVICES chooses). Where nothing can run (no driver,
/// no device, no or too new a compiler) its hello says why in one sentence, and probe and env still answer.
std::unique_ptr<Backend> makeLiveBackend(const std::string& version);

} // namespace kl
