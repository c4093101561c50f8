// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kl {

/// What a mark in a kernel says about its warp.
enum class MarkKind {
    user,      ///< KL_MARK: a segment of that name begins
    waitBegin, ///< it is about to wait
    waitEnd,   ///< it waited
    arrive,    ///< it is about to arrive at a barrier, which others may wait for
};

/// What a wait is for, and what an arrival is at.
enum class SyncKind {
    none,           ///< of user marks
    threadBarrier,  ///< bar.sync, barrier.sync: `object` is the barrier's number
    memoryBarrier,  ///< an mbarrier: `object` is its address in shared memory
    clusterBarrier, ///< barrier.cluster
    copies,         ///< the thread's own asynchronous copies: cp.async.wait_group, cp.async.bulk.wait_group
    products,       ///< the warp group's own tensor core products: wgmma.wait_group
};

constexpr auto enumWords(MarkKind)
{
    using K = MarkKind;
    return std::array<std::pair<K, const char*>, 4>{
        {{K::user, "mark"}, {K::waitBegin, "wait-begin"}, {K::waitEnd, "wait-end"}, {K::arrive, "arrive"}}};
}
constexpr auto enumWords(SyncKind)
{
    using K = SyncKind;
    return std::array<std::pair<K, const char*>, 6>{{{K::none, "none"},
                                                     {K::threadBarrier, "barrier"},
                                                     {K::memoryBarrier, "mbarrier"},
                                                     {K::clusterBarrier, "cluster"},
                                                     {K::copies, "copies"},
                                                     {K::products, "products"}}};
}

/// A place in the code that records marks.
struct MarkSite {
    int id = 0;
    MarkKind kind = MarkKind::user;
    SyncKind sync = SyncKind::none;
    std::string name;    ///< of KL_MARK_NAME, or the instruction: "wgmma.wait_group"
    int line = 0;        ///< of the source, 1-based; 0: unknown
    bool copies = false; ///< of an arrival: the barrier completes with the bytes of a copy that the warp starts

    bool operator==(const MarkSite&) const = default;
};

struct TimelineMark {
    int site = 0;             ///< MarkSite::id
    std::int64_t cycle = 0;   ///< SM clock cycles since WarpMarks::beginCycle
    std::uint32_t object = 0; ///< by the site's SyncKind

    bool operator==(const TimelineMark&) const = default;
};

/// What one warp recorded, in order.
struct WarpMarks {
    std::int64_t block = 0; ///< linear index in the grid
    int warp = 0;           ///< index in the block
    int sm = 0;
    std::int64_t beginCycle = 0;          ///< of the SM's clock: the same for all warps of a block
    std::int64_t beginNs = 0;             ///< of the GPU's clock, at the same time: %globaltimer
    std::optional<std::int64_t> endCycle; ///< since beginCycle; unset: the warp did not reach its end
    std::optional<std::int64_t> endNs;    ///< since beginNs
    std::int64_t lost = 0;                ///< first marks that later ones overwrote
    std::vector<TimelineMark> marks;

    bool operator==(const WarpMarks&) const = default;
};

/// A recording of what the warps of some blocks did, and what recording cost.
struct Timeline {
    std::string entry;           ///< the kernel of the launch
    std::int64_t gridBlocks = 0; ///< of the launch; the first of them are recorded
    int blockWarps = 0;
    std::int64_t recordedBlocks = 0;
    bool automatic = false; ///< with marks at waits and arrivals
    std::vector<MarkSite> sites;
    std::vector<WarpMarks> warps;
    std::vector<AbBlock> overhead; ///< GPU times of the plain (a) and the marked kernel (b) in turns, ns
    std::string noOverhead;        ///< why `overhead` is empty
    std::vector<std::string> notes;

    bool operator==(const Timeline&) const = default;
};

} // namespace kl
