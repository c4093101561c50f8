// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "kernels/model/work.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// Bytes of an input buffer as generated, or null if its content is unknown (outputs, scratch).
using BufferContent = std::function<const std::vector<std::byte>*(const std::string& name)>;

/// Runs a few warps of one block of the launch, the middle of its grid, instruction by instruction on the host, and counts. Lanes whose
/// program counters differ are run lowest first, which is how compiled code reconverges. Unset when the PTX has no such entry.
/// Bounded: about 400,000 instructions, some tens of milliseconds.
std::optional<WarpModel> modelWarps(std::string_view ptx, const LaunchSpec& launch, const std::vector<BufferSpec>& buffers,
                                    const BufferContent& content);

} // namespace kl::inline live
