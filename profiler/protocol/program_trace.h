// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/device.h"
#include "core/model/measurement.h"
#include "core/model/source_profile.h"
#include "profiler/protocol/process_rank.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The data exchanged by the library injected into a program and `kloop profile -- CMD`. They share one folder: kloop writes
/// config.json there, and each process that initializes CUDA writes a file of its own, NAME.trace, one JSON value per line, so that a
/// killed process leaves all lines but its last.
namespace kl::inline protocol {

/// Environment variable that names the folder.
inline constexpr const char* kTraceFolderVariable = "KLOOP_INJECT_SPOOL";
inline constexpr const char* kTraceConfigFile = "config.json";
inline constexpr const char* kTraceSuffix = ".trace";
inline constexpr int kTraceVersion = 1;

/// Launches that do the same work as far as their geometry, and where it is told apart their NVTX range, show.
struct LaunchShape {
    std::array<int, 3> grid{};
    std::array<int, 3> block{};
    int dynamicSmem = 0;
    std::string range = {}; ///< RangeChoice::makeKey; empty where ranges are not told apart

    auto operator<=>(const LaunchShape&) const = default;
};

/// Which NVTX ranges matter. Stacks are outermost first.
struct RangeChoice {
    std::string within; ///< only launches inside a range of this name are profiled; empty: all
    bool each = false;  ///< launches of one shape in different ranges are told apart

    bool includes(const std::vector<std::string>& stack) const;
    /// The range that tells a launch apart: the one directly inside `within`, or that one itself; without it the outermost. Empty outside
    /// of them, and where ranges are not told apart.
    std::string makeKey(const std::vector<std::string>& stack) const;

    bool operator==(const RangeChoice&) const = default;
};

/// A kernel, as the module spells it, launched with one geometry.
struct WantedLaunch {
    std::string kernel;
    LaunchShape shape;

    bool operator==(const WantedLaunch&) const = default;
};

/// A launch to write into a folder, with the memory that it reads, in place of profiling.
struct LiftRequest {
    std::string folder;        ///< made by the process that has the launch; absolute
    std::int64_t maxBytes = 0; ///< of the memory: with more it is only described
    bool allMemory = false;    ///< every allocation of the process, not only those that its arguments lead to

    bool operator==(const LiftRequest&) const = default;
};

/// What to collect.
struct TraceConfig {
    std::string kernel;                   ///< POSIX extended regular expression searched in demangled names; empty: every kernel
    int skip = 0;                         ///< launches of each kernel to skip before one is profiled
    int count = 20;                       ///< limit of profiled shapes, one launch of each
    bool source = false;                  ///< samples of the program counters, too
    int tier = 2;                         ///< of the metrics
    std::vector<std::string> metrics;     ///< exactly these; empty: the tier's
    int maxPasses = 0;                    ///< 0: no limit
    std::int64_t maxLaunches = 1'000'000; ///< activities recorded; afterwards the process continues without recording
    double maxProfileSeconds = 60;        ///< spent inside the process on profiling launches; afterwards no further kernel is chosen
    bool counters = true;                 ///< hardware counters; false: unless executions are counted, no launch is profiled
    bool executions = false;              ///< count what the instructions of a profiled launch do, by patching its code
    std::vector<WantedLaunch> wanted;     ///< only these are profiled; empty: the first ones by order of launch
    RangeChoice ranges;                   ///< in which of them launches are profiled
    std::optional<LiftRequest> lift = {}; ///< the first launch of `kernel` after `skip` others is lifted; nothing else is collected
    int rangeEntries = 0;                 ///< how often `ranges.within` will be entered: it is counted as a whole; 0: it is not

    bool operator==(const TraceConfig&) const = default;
};

/// A kernel execution. Nanoseconds of CUPTI's clock.
struct TracedLaunch {
    int kernel = 0; ///< index into ProcessTrace::kernels
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    int device = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::array<int, 3> grid{};
    std::array<int, 3> block{};
    int registers = 0;
    int staticSmem = 0;
    int dynamicSmem = 0;
    int localBytes = 0;        ///< per thread
    bool graph = false;        ///< launched by a CUDA graph
    std::uint32_t graphId = 0; ///< of that graph in the process; its launches share a correlation

    bool operator==(const TracedLaunch&) const = default;
};

/// A copy or a memset on the device.
struct TracedCopy {
    bool set = false;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    int device = 0;
    std::uint64_t bytes = 0;

    bool operator==(const TracedCopy&) const = default;
};

/// Time in which the process recorded no activity, because a launch was being profiled.
struct TracedPause {
    std::uint64_t start = 0;
    std::uint64_t end = 0;

    bool operator==(const TracedPause&) const = default;
};

/// A launch whose hardware counters were read. It has no TracedLaunch.
struct ProfiledLaunch {
    std::string kernel; ///< as the module spells it
    int launch = 0;     ///< index among this kernel's launches in the process
    int device = 0;
    std::array<int, 3> grid{};
    std::array<int, 3> block{};
    LaunchFacts facts; ///< as far as the driver reports it
    std::vector<std::string> ranges;
    MetricSet metrics;
    std::string failure;                          ///< why there are no values; empty when there are
    double seconds = 0;                           ///< that the program was held up
    std::optional<std::int64_t> memoryBytes = {}; ///< of the allocations that its arguments point to, from there on

    bool operator==(const ProfiledLaunch&) const = default;
};

/// Samples of the program counters of a kernel's launches, and executions of its instructions.
struct SampledKernel {
    std::string kernel; ///< as the module spells it
    int device = 0;
    int launches = 0; ///< whose instructions were counted: these have no TracedLaunch either
    SourceProfile source;

    bool operator==(const SampledKernel&) const = default;
};

/// Counters of an NVTX range as a whole, one pass per entry.
struct CountedRange {
    std::string name;
    int entries = 0; ///< that were counted
    MetricSet metrics;
    std::string failure; ///< why there are no values; empty when there are

    bool operator==(const CountedRange&) const = default;
};

/// Host time spent in an NVTX range, all its entries together.
struct RangeTime {
    std::int64_t count = 0;
    double hostNs = 0;

    bool operator==(const RangeTime&) const = default;
};

/// The trace of one process.
struct ProcessTrace {
    int pid = 0; ///< 0: the file's first line could not be read
    std::vector<std::string> command;
    std::string cupti; ///< library file in use; empty when none could be
    std::optional<ProcessRank> rank;
    std::map<int, DeviceInfo> devices;
    std::vector<std::string> kernels; ///< names as the modules spell them
    std::vector<TracedLaunch> launches;
    std::vector<TracedCopy> copies;
    std::vector<TracedPause> pauses;
    std::vector<ProfiledLaunch> profiled;
    std::vector<ProfiledLaunch> executed;         ///< whose instructions were counted: facts.warp and facts.opcodes, no metrics. Neither
                                                  ///< has a TracedLaunch
    std::vector<SampledKernel> sampled;           ///< the last one of a kernel holds all of its samples
    std::set<std::uint32_t> sampledAt;            ///< correlations of launches whose program counters were sampled
    std::set<std::uint32_t> alone;                ///< correlations of launches that began on an idle GPU and were waited for
    std::vector<std::vector<std::string>> stacks; ///< NVTX ranges, outermost first
    std::map<std::uint32_t, int> stackOf;         ///< correlation to index into stacks, of launches inside ranges
    std::map<std::uint32_t, std::vector<std::uint32_t>> entriesOf; ///< correlation to the number of the entry of each of these ranges
    std::map<int, RangeTime> ranges;                               ///< by index into stacks
    std::vector<CountedRange> countedRanges;
    std::vector<Warning> notes;
    bool ended = false; ///< the process reported its end
    bool cut = false;   ///< the last line is not whole
    std::string damage; ///< where and why the file is unreadable: the rest is missing; empty if all was read
};

/// One line each, with its line end.
std::string traceLine(int pid, const std::vector<std::string>& command, const std::string& cupti);
std::string traceLine(int index, const DeviceInfo& device);
std::string traceLine(int id, const std::string& kernel);
std::string traceLine(const TracedLaunch& launch);
std::string traceLine(const TracedCopy& copy);
std::string traceLine(const TracedPause& pause);
std::string traceLine(const ProfiledLaunch& launch);
std::string traceExecuted(const ProfiledLaunch& launch);
std::string traceLine(const SampledKernel& kernel);
std::string traceLine(const CountedRange& range);
std::string traceLine(int id, const std::vector<std::string>& stack);
std::string traceLine(const Warning& note);
std::string traceLine(const ProcessRank& rank);
/// `entries`: which entry of each range of the stack it is, numbered over the whole process.
std::string traceLaunchRanges(std::uint32_t correlation, int stack, const std::vector<std::uint32_t>& entries = {});
std::string traceLaunchAlone(std::uint32_t correlation);
std::string traceLaunchSampled(std::uint32_t correlation);
std::string traceRangeTime(int stack, const RangeTime& time); ///< in addition to earlier lines
std::string traceEnd();

/// The file of one process, up to a line that is damaged. A last line that is not whole is left out and marked.
ProcessTrace parseTrace(std::string_view text);

std::string encodeTraceConfig(const TraceConfig& config);
Result<TraceConfig> parseTraceConfig(std::string_view text, const std::string& where);

/// Why the launches of a kernel are never profiled, though it matches: kernels that wait for other GPUs. Empty for any other.
std::string explainNotReplayed(const std::string& kernel);

/// The demangled name; unchanged if it is not mangled.
std::string demangle(const std::string& name);

} // namespace kl::inline protocol
