// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace kl::inline device {

/// A reason why a resident warp could not issue in a cycle.
struct StallReason {
    std::string_view id;    ///< CUPTI's word: "long_scoreboard"
    std::string_view title; ///< "long scoreboard"
    std::string_view help;  ///< what the warp waits for, and what shortens it
};

/// All stall reasons, gmma (Hopper alone) included: the ones that add up to the warp latency per instruction issued.
inline constexpr std::array<StallReason, 19> kStallReasons{{
    {"barrier", "barrier", "Waits at __syncthreads for slower warps of its block. Balance the warps' work, use fewer or smaller barriers."},
    {"branch_resolving", "branch resolving", "Waits for a branch target. Fewer jumps: predicate, unroll, hoist loop-invariant tests."},
    {"dispatch_stall", "dispatch", "Selected, but the dispatcher stalled on a conflict for register or issue ports."},
    {"drain", "drain", "Has exited and waits for its outstanding stores to complete. Typical of kernels that end in a burst of stores."},
    {"imc_miss", "constant cache miss",
     "Waits for the immediate constant cache. Few distinct constants at a time, uniformly indexed, help."},
    {"lg_throttle", "local/global throttle",
     "The queue to local and global memory is full. Fewer, wider accesses; look for register spills."},
    {"long_scoreboard", "long scoreboard",
     "Waits for data from L2, DRAM or local memory. More loads in flight, better reuse, asynchronous copies or more warps hide it."},
    {"math_pipe_throttle", "math pipe throttle",
     "The arithmetic pipe it needs is busy. The kernel is near that pipe's limit, or uses one pipe unevenly."},
    {"membar", "memory barrier", "Waits at a memory fence. Narrow its scope, or use fewer fences."},
    {"mio_throttle", "MIO throttle",
     "The queue for shared memory, special functions and branches is full. Fewer, wider shared-memory accesses."},
    {"misc", "other", "Stalled for a reason that the hardware does not distinguish."},
    {"no_instruction", "no instruction", "Waits for the instruction cache or a jump. Large unrolled bodies and very small grids show it."},
    {"not_selected", "not selected", "Ready, but another warp was issued: there are warps to spare."},
    {"selected", "selected", "Issued an instruction: not a stall."},
    {"short_scoreboard", "short scoreboard",
     "Waits for shared memory or a special function. Look for bank conflicts or expensive functions."},
    {"sleeping", "sleeping", "Called nanosleep or yielded."},
    {"tex_throttle", "texture throttle", "The queue to the texture unit is full."},
    {"wait", "wait",
     "Waits a fixed number of cycles for its own previous instruction. More independent instructions between dependent ones hide it."},
    {"gmma", "wgmma", "Waits for a warpgroup matrix instruction. Overlap it with the next tile's loads and with other arithmetic."},
}};

} // namespace kl::inline device
