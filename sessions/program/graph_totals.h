// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/program/device_work.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace kl::inline program {

/// Executions of one kernel with one grid and block in a graph.
struct GraphKernel {
    std::string mangled;
    std::array<int, 3> grid{};
    std::array<int, 3> block{};
    std::int64_t launches = 0; ///< in all launches of the graph
    double ns = 0;             ///< of these, added up
};

/// A CUDA graph of one process on one GPU, and what its launches did there. Nanoseconds.
struct GraphTotals {
    int pid = 0;
    std::uint32_t id = 0;             ///< as CUPTI numbers the process's graphs
    std::int64_t launches = 0;        ///< of the graph
    std::int64_t kernelLaunches = 0;  ///< in all of them
    double kernelNs = 0;              ///< its kernels added up
    double unionNs = 0;               ///< any of its kernels ran, overlaps counted once
    double spanNs = 0;                ///< from the first start to the last end of each launch, added up
    double medianSpanNs = 0;          ///< of a launch
    std::vector<GraphKernel> kernels; ///< most time first
};

/// Adds up CUDA graphs. Activities come device by device, in order of start. The kernels of one launch of a graph share its correlation.
class GraphAdder {
public:
    GraphAdder();
    ~GraphAdder();

    void add(const Activity& activity);

    /// Most kernel time first.
    std::vector<GraphTotals> graphs() const;

private:
    struct Sum;
    std::map<std::tuple<const ProcessTrace*, std::uint32_t, int>, std::unique_ptr<Sum>> sums_; ///< by process, graph, device
};

} // namespace kl::inline program
