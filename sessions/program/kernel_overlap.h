// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace kl::inline program {

/// One execution of a kernel on a device: of which row, and when, ns.
struct KernelInterval {
    int row = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};

/// How the executions of a row lie beside others.
struct RowOverlap {
    double exclusiveNs = 0;       ///< nothing else ran: the GPU would have idled without it
    double besideNs = 0;          ///< another execution ran, too, of this row or another
    std::map<int, double> beside; ///< the same by row; of this row itself where two of its own ran at once
};

/// By row, from 0 to `rows` - 1, for the executions of one device in order of start. Kernels that wait for each other never overlap;
/// those of different streams, of parallel branches of a graph, of programmatic dependent launches and of several processes may.
std::vector<RowOverlap> computeOverlaps(const std::vector<KernelInterval>& intervals, int rows);

} // namespace kl::inline program
