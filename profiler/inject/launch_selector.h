// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/kernel_pattern.h"
#include "profiler/protocol/program_trace.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inject {

/// How a launch is profiled. `executions`: those of each instruction are counted. `alone`: it starts on an idle GPU and is waited for, as
/// in Nsight Compute, and is timed like any other.
enum class Profiling { counters, samples, executions, alone };

/// Launches of a profiled kernel that are timed alone.
inline constexpr int kLaunchesAlone = 8;

/// Which launches are profiled: of each kernel whose demangled name matches and each shape of its launches (if some are wanted, of these
/// alone), the first one after those of the kernel that are skipped for its counters and some more to be timed alone, until enough shapes
/// or seconds are spent. With source lines the first shape of a kernel is sampled before the counters: CUPTI 13.0 gives no samples of a
/// kernel whose counters it read first; the executions of its instructions and further samples come after them. Kernels that wait for
/// other GPUs are left out: repeating them alone would never end.
class LaunchSelector {
public:
    /// An invalid expression (kloop refuses it) matches nothing.
    explicit LaunchSelector(TraceConfig config);

    struct Choice {
        int launch = 0; ///< index among the kernel's launches
        Profiling how = Profiling::counters;

        bool operator==(const Choice&) const = default;
    };

    /// Counts a launch and says whether to profile it. `possible`: it can be profiled right now (nothing is being captured into a graph);
    /// otherwise a later launch is used.
    std::optional<Choice> next(const std::string& kernel, const LaunchShape& shape, bool possible);

    /// Requests this many further launches of a sampled kernel for samples.
    void wantSamples(const std::string& kernel, int launches);

    /// Seconds that a profiled launch took.
    void addSpent(double seconds) { spent_ += seconds; }

    /// No further kernel will be chosen because the seconds are spent.
    bool isOutOfTime() const { return spent_ >= config_.maxProfileSeconds; }

private:
    struct Known {
        bool wanted = false;
        int launches = 0;
        std::map<LaunchShape, std::vector<Profiling>> ahead; ///< of chosen shapes: purposes of the next launches, the next one last
        std::optional<LaunchShape> sampled;                  ///< the shape whose program counters are sampled
    };

    bool wants(const std::string& kernel) const;
    bool wants(const std::string& kernel, const LaunchShape& shape) const;

    TraceConfig config_;
    std::optional<KernelPattern> pattern_;
    std::map<std::string, Known> kernels_;
    int chosen_ = 0;
    double spent_ = 0;
};

} // namespace kl::inject
