// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/timeline.h"
#include "profiler/live/ptx/ptx_scan.h"

#include <optional>
#include <string_view>

namespace kl::inline live {

/// What an instruction does that a timeline marks by itself.
struct SyncInstruction {
    enum class Form {
        wait,   ///< the instruction returns when the wait is over
        poll,   ///< it may return before: `done` says whether it is over. Code polls in a loop
        arrive, ///< it does not wait
    };
    Form form = Form::wait;
    SyncKind kind = SyncKind::threadBarrier;
    std::string_view object; ///< operand that names the barrier: "0", "%r5", "[%r7+8]"; empty where there is none
    std::string_view done;   ///< predicate register of a poll
    bool copies = false;     ///< as MarkSite::copies
};

/// bar.*, barrier.*, mbarrier.*, cp.async waits, wgmma.wait_group and tcgen05 as of PTX ISA 9.0; unset for any other instruction.
/// Synchronization within a warp is not marked.
std::optional<SyncInstruction> findSyncInstruction(const PtxParts& parts);

} // namespace kl::inline live
