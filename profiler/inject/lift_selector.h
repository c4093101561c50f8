// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/kernel_pattern.h"
#include "profiler/protocol/program_trace.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inject {

/// Which launch is lifted: the first of a kernel whose demangled name matches, inside the wanted NVTX range, after as many of its launches
/// as are skipped. One for the process.
class LiftSelector {
public:
    /// An invalid expression (kloop refuses it) matches nothing.
    explicit LiftSelector(TraceConfig config);

    /// Counts a launch; its index among the kernel's launches if it is the one. `capturing`: it is not executed but recorded into a graph.
    std::optional<int> next(const std::string& kernel, const std::vector<std::string>& ranges, bool capturing);

    /// Counts the launch of a graph, whose kernels are not seen.
    void sawGraph() { ++graphs_; }

    /// What was seen in place of the launch, for people; empty if it was found.
    std::string describeMissing() const;

private:
    TraceConfig config_;
    std::optional<KernelPattern> pattern_;
    std::map<std::string, int> launches_; ///< by kernel
    int skipped_ = 0;
    int captured_ = 0;
    int graphs_ = 0;
    bool found_ = false;
};

} // namespace kl::inject
