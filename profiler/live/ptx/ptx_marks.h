// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/timeline.h"
#include "core/timeline/ring_layout.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// The variable that says whether launches record: MarkOptions::buffer at first; 0: not. In global memory, since constants of its own would
/// move a module's kernel parameters, tensor maps among them.
inline constexpr const char* kTimelinePointer = "kl_timeline";

struct MarkOptions {
    RingLayout layout;
    std::int64_t blocks = 1;  ///< the first so many of the grid record
    bool automatic = false;   ///< marks at waits and arrivals, too
    std::uint64_t buffer = 0; ///< address on the device, of layout.bytes() bytes
};

struct MarkedPtx {
    std::string ptx;
    std::vector<MarkSite> sites; ///< of marks that were inserted, and all named ids of KL_MARK
    int userMarks = 0;           ///< places of KL_MARK in the entry
    int leftOut = 0;             ///< waits and marks in functions that were not inlined: they are not recorded
};

/// Rewrites one entry of a PTX text so that lane 0 of each warp of the first blocks records its marks into a buffer as RingLayout says.
/// KL_MARKs are the comments that resources/device/mark.h leaves. Adds a register that lives as long as the kernel, and per mark about ten
/// instructions without branches. Error badInput: there is no such entry, or it cannot be read.
Result<MarkedPtx> insertMarks(std::string_view ptx, const std::string& entry, const MarkOptions& options);

} // namespace kl::inline live
