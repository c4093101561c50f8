// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/messages.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline protocol {

/// The GPU that is measured on; null where there is none, or not the one asked for.
const DeviceInfo* findMeasuredDevice(const Hello& hello) noexcept;

/// "0: NVIDIA H200 (GPU-5e1f…), 1: …", for messages.
std::string gpuList(const std::vector<DeviceInfo>& devices);

/// Index of the GPU that `wanted` names: its index, as the driver orders them; or the beginning of its UUID, with or without "GPU-"; the
/// first where it is empty. Error environment, with gpuList(), where no GPU is of that name, or several are.
Result<int> chooseGpu(const std::vector<DeviceInfo>& devices, std::string_view wanted);

} // namespace kl::inline protocol
