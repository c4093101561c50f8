// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/program/device_work.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace kl::inline program {

/// What one rank of a program did on one GPU; without ranks, one process. Nanoseconds.
struct RankTotals {
    std::optional<ProcessRank> rank;
    std::vector<int> pids; ///< processes of this rank that used the GPU, in order of start
    int deviceIndex = 0;   ///< as the first of them numbers it
    DeviceInfo device;
    std::int64_t launches = 0;
    double kernelNs = 0;  ///< its kernels added up
    double waitingNs = 0; ///< of that, kernels that wait for other GPUs (NCCL, NVSHMEM)
    double copyNs = 0;    ///< copies and memsets
    double busyNs = 0;    ///< the GPU did anything for it, overlaps counted once
    double spanNs = 0;    ///< from its first activity to its last
};

/// Adds up activities by rank and GPU. They come device by device, in order of start.
class RankAdder {
public:
    void add(const DeviceKey& device, const Activity& activity);

    /// Ranks in order, then processes without one, in the order of `processes`; GPUs in order within each.
    std::vector<RankTotals> ranks(const std::vector<ProcessTrace>& processes) const;

private:
    using Who = std::tuple<bool, int, DeviceKey>; ///< without a rank, its number or the process's id, the GPU
    struct Sum {
        RankTotals totals;
        UnionTime busy;
        std::uint64_t first = 0;
        std::set<const ProcessTrace*> processes;
    };
    std::map<Who, Sum> sums_;
    std::map<std::string, bool> waits_; ///< by kernel
};

} // namespace kl::inline program
