// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/backend/backend.h"

namespace kl::inline live {

/// The GPU side of the worker, on the device that `gpu` names (chooseGpu; CUDA_VISIBLE_DEVICES limits the choice). If it cannot measure
/// (no driver, no such device, no or too new a compiler) its hello says why in one sentence, and probe and env still answer.
std::unique_ptr<Backend> makeLiveBackend(const std::string& version, const std::string& gpu);

} // namespace kl::inline live
