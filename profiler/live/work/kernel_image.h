// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "kernels/model/work.h"
#include "profiler/live/nvrtc/nvrtc.h"

#include <optional>
#include <string_view>

namespace kl {

/// Architecture of a cubin as its ELF header says, 90 for sm_90; nothing for a file that is no cubin. CUDA 13 and newer (ELF ABI version 8)
/// keep it in the second byte of e_flags, older ones in the first: seen in what ptxas 12.9 and 13.0 write.
std::optional<int> cubinArchitecture(std::string_view image);

/// The user's compiled code in the place of a compiler's answer. PTX is assembled by the driver. Code that this device cannot run, or the
/// driver does not accept, is an answer with ok false and the reason in its log. Error badInput: the bytes did not arrive whole.
/// Precondition for PTX: a current context.
Result<CompiledSource> loadImage(const ImageSpec& image, const DeviceInfo& device);

} // namespace kl
