// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "profiler/protocol/kernel_pattern.h"
#include "profiler/protocol/program_trace.h"
#include "sessions/program/graph_totals.h"
#include "sessions/program/range_totals.h"
#include "sessions/program/rank_totals.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline program {

/// One execution of a kernel, with what the GPU did before it.
struct KernelTime {
    double ns = 0;
    std::optional<double> idleBeforeNs; ///< GPU idle since the last activity of the program; unset for the first, or when a profiled
                                        ///< launch, or one that was waited for, lies between
    bool alone = false;                 ///< it started on an idle GPU and was waited for
    bool sampled = false;               ///< so did it, and its program counters were sampled
    bool again = false;                 ///< of the program's second run: in no sum
};

/// Another kernel that ran at the same time.
struct BesideKernel {
    std::string name; ///< demangled
    double ns = 0;    ///< for which both ran
};

/// Launches of one kernel with one geometry on one device.
struct ShapeTotals {
    std::vector<KernelTime> times;    ///< in order of start
    TracedLaunch example;             ///< registers and shared memory
    std::vector<std::string> ranges;  ///< NVTX ranges around the first of them that was in any
    std::int64_t graphLaunches = 0;   ///< of them, launched by CUDA graphs
    std::int64_t chosenLaunches = 0;  ///< of them, inside the NVTX range that was chosen
    double chosenNs = 0;              ///< of these
    double exclusiveNs = 0;           ///< of totalNs(), no other kernel ran on the GPU
    std::vector<BesideKernel> beside; ///< that ran during at least kBesideWorthTelling of totalNs(), most time first
    double totalNs() const;
};

inline constexpr double kBesideWorthTelling = 0.05;

/// One kernel of the program, all processes together.
struct KernelTotals {
    std::string mangled;
    std::string name; ///< demangled
    DeviceInfo device;
    std::map<LaunchShape, ShapeTotals> shapes;
    std::int64_t graphLaunches = 0;       ///< of them, launched by CUDA graphs
    std::vector<ProfiledLaunch> profiled; ///< one per process and shape at most
    std::vector<ProfiledLaunch> executed; ///< launches whose instructions were counted, one per process and shape at most
    double profiledNs = 0;                ///< duration of the profiled launch by the profiler
    std::optional<SourceProfile> source;  ///< of the process with the most samples
    bool countedAgain = false;            ///< `profiled`, `executed` and `source` are of a second run, and in no sum
    std::int64_t launches = 0;            ///< profiled and counted ones too
    double totalNs = 0;                   ///< profiled and counted ones by the profiler's duration
};

/// What a program did on the GPU.
struct ProgramTotals {
    std::vector<KernelTotals> kernels; ///< most time first
    std::vector<RangeTotals> ranges;   ///< by stack: a range comes before those within it
    std::optional<RangeTotals> chosen; ///< the NVTX range that was chosen, as a whole
    std::vector<GraphTotals> graphs;   ///< most kernel time first
    std::vector<RankTotals> ranks;     ///< one per rank, or process, and GPU
    std::int64_t launches = 0;
    double kernelNs = 0;      ///< all kernels together
    double kernelUnionNs = 0; ///< any kernel ran on a GPU: overlaps of kernels counted once
    double copyNs = 0;        ///< copies and memsets
    double busyNs = 0;        ///< time in which a GPU did anything, overlaps counted once
    double spanNs = 0;        ///< first to last activity of each GPU, profiling left out
};

/// `ranges`: which of them tell launches of one shape apart.
ProgramTotals computeTotals(const std::vector<ProcessTrace>& processes, const RangeChoice& ranges = {});

/// Adds what a second run of the program says about kernels of the first: its profiled and executed launches, its samples, and the times
/// of launches that were made alone. Sums, gaps and ranges stay those of the first run, in which nothing was profiled.
void addCounted(ProgramTotals& totals, ProgramTotals counted);

/// The launches whose counters are worth reading after a first look at the times: those that make up kShareWorthCounting of the GPU time of
/// the kernels that match, in these ranges, most time first, at most `count`. Kernels that cannot be repeated one by one are left out.
inline constexpr double kShareWorthCounting = 0.95;
std::vector<WantedLaunch> chooseLaunchesToCount(const ProgramTotals& totals, const KernelPattern& pattern, int count,
                                                const RangeChoice& ranges = {});

} // namespace kl::inline program
