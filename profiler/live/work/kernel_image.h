// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "kernels/model/work.h"
#include "profiler/live/nvrtc/nvrtc.h"

#include <optional>
#include <string_view>

namespace kl::inline live {

/// Architecture of a cubin as its ELF header says, 90 for sm_90; unset for a file that is not a cubin. CUDA 13 and newer (ELF ABI version
/// 8) keep it in the second byte of e_flags, older ones in the first: as written by ptxas 12.9 and 13.0.
std::optional<int> cubinArchitecture(std::string_view image);

/// The user's compiled code as the result of a compilation. PTX is assembled by the driver. Code that this device cannot run, or the
/// driver does not accept, has ok false and the reason in its log. Error badInput: the bytes are incomplete.
/// Precondition for PTX: a current context.
Result<CompiledSource> loadImage(const ImageSpec& image, const DeviceInfo& device);

} // namespace kl::inline live
