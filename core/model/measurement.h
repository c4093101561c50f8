// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// How a run ended (names after KTT's).
enum class ResultStatus { ok, computationFailed, validationFailed, compilationFailed, deviceLimitsExceeded };

/// A median with its 95 % order-statistic interval over n launches. Nanoseconds.
struct Summary {
    double median = 0;
    double low = 0;
    double high = 0;
    int n = 0;

    bool operator==(const Summary&) const = default;
};

/// Energy of one pass of the launch sequence, from NVML's total energy counter over a window of passes issued back to back, inputs in L2 as
/// the previous pass left them: (counter at the window's last update - counter at its first) / passes between the two. It is the whole
/// board's energy, idle power included.
struct Energy {
    std::optional<double> perLaunchJ; ///< joules; unset where it cannot be measured, see `reason`
    double windowSeconds = 0;         ///< between the two counter updates
    std::int64_t launches = 0;        ///< passes between them
    int updates = 0;                  ///< of the counter, in the window
    std::string reason;               ///< why there is no figure; empty when there is one

    bool operator==(const Energy&) const = default;
};

/// Times of one variant on one problem. Nanoseconds; a launch sequence counts from its first kernel's start to its last one's end.
struct Timing {
    Summary gpu;                               ///< L2 cold, from activity records
    std::optional<double> gpuHot;              ///< median, L2 hot
    std::optional<double> host;                ///< median, launch to completion as the host sees it
    std::optional<double> clockMhz;            ///< median SM clock during the samples
    std::optional<double> busyFraction;        ///< kernel time over stream wall time of the sequence issued as a program would; 0 to 1
    std::vector<double> samples;               ///< every cold GPU sample kept, ns
    std::vector<std::optional<double>> clocks; ///< SM clock just before each of `samples`, MHz; unset where it could not be read
    std::vector<double> hotSamples;            ///< every hot GPU sample, ns
    std::vector<double> hostSamples;           ///< every host sample, ns
    int discarded = 0;                         ///< samples discarded because the GPU was throttled
    std::string stoppedBy;                     ///< "noise-stable", "sample-limit", "time-limit"; empty when not recorded
    std::optional<double> temperatureC;        ///< GPU temperature after the series
    std::optional<double> powerW;              ///< board power after the series
    std::vector<std::string> throttleReasons;  ///< NVML's reasons seen during the series ("power cap"); idle is not one
    std::optional<Energy> energy;              ///< unset: was not requested

    bool operator==(const Timing&) const = default;
};

/// The first incorrect element of an output, and its location.
struct Mismatch {
    std::string buffer;
    std::int64_t index = 0;         ///< flat, in elements
    std::optional<double> expected; ///< unset where the buffer has no reference
    std::optional<double> got;      ///< unset where it was never written, NaN or infinite
    std::string fault;              ///< "wrong", "NaN", "infinite", "never written"
    std::string element;            ///< index tuple by the reference's indices: "m=3, n=17"; empty where they are not known
    std::string thread;             ///< "block (0, 1), thread (17, 3)"; empty where the launch's shape does not say
    std::string threadBy;           ///< basis of `thread`: the usual mapping, not taken from the kernel

    bool operator==(const Mismatch&) const = default;
};

/// Correctness of one problem size of the suite.
struct SuiteRow {
    std::string problem; ///< "N=64,M=65"
    bool pass = false;
    double maxAbs = 0;
    double relL2 = 0;
    std::int64_t nonfinite = 0;
    std::int64_t unwritten = 0;
    std::string reason; ///< why it failed, empty when it passed
    std::optional<Mismatch> firstWrong = std::nullopt;
    std::optional<double> peerMaxAbs = std::nullopt; ///< largest error of the library's own 16-bit kernel on these inputs
    std::optional<double> meanAbs = std::nullopt;    ///< mean of all compared elements' errors; unset where it was not recorded

    bool operator==(const SuiteRow&) const = default;
};

/// The result of checking a kernel. Everything from `incorrect` on refutes a measurement: its times do not count.
enum class CorrectnessResult {
    notChecked,
    correct,
    incorrect,          ///< the output of a first, untimed launch is incorrect
    incorrectWhenTimed, ///< correct at first, incorrect after a timed pass
    stateful,           ///< keeps state between launches that its descriptor does not declare
    replays,            ///< returns an earlier answer instead of computing the requested one
    nonDeterministic,   ///< the bits of the output vary, and the descriptor does not allow it
    belowPhysics,       ///< faster than physically possible on this device
    precisionDowngrade, ///< computes in lower precision than its buffers
};

/// Whether the check refutes it: no such run is ever faster, kept, the best of a search, or evidence.
constexpr bool isRefuted(CorrectnessResult result)
{
    return result != CorrectnessResult::notChecked && result != CorrectnessResult::correct;
}

/// The witness of an incorrect result.
struct Witness {
    std::string what;                  ///< one sentence
    std::optional<int> pass;           ///< checked pass of the measurement, from 1; unset where it is not about one
    std::string buffer;                ///< empty where it is not about an element
    std::optional<std::int64_t> index; ///< of the element, flat
    std::optional<double> expected;    ///< unset where the element was not computed a first time
    std::optional<double> got;         ///< unset where it is not finite or was never written
    std::string address;               ///< of the element or the variable on the device, "0x7f…"
    std::string global;                ///< variable of the module

    bool operator==(const Witness&) const = default;
};

/// How the timed passes were compared with the reference.
struct PassProof {
    int inputSets = 0;     ///< of secret random inputs, each at its own addresses, drawn at random for each pass
    int passes = 0;        ///< that were timed on the GPU
    int checked = 0;       ///< of them, whose whole output was compared with the reference kept on the device
    bool newInputs = true; ///< false: the descriptor fixes all inputs (files, ramps, zeros), so that only addresses change
    std::string note;      ///< what could not be proven, and why; empty if complete

    bool operator==(const PassProof&) const = default;
};

/// Output against the reference. The figures are those of the measured problem; suite has one row per size.
struct Correctness {
    CorrectnessResult result = CorrectnessResult::notChecked;
    double maxAbs = 0;
    double relL2 = 0;           ///< relative L2 norm of the error
    std::int64_t nonfinite = 0; ///< NaN or Inf in the output
    std::int64_t unwritten = 0; ///< elements that still hold the poison
    std::string reason;
    std::vector<SuiteRow> suite;
    std::optional<Mismatch> firstWrong; ///< of the measured problem
    std::optional<std::uint64_t> seed;  ///< of the random inputs, the suite's too; unset where it was not kept
    std::optional<double> peerMaxAbs;   ///< as in SuiteRow
    std::optional<double> meanAbs;      ///< as in SuiteRow
    std::optional<Witness> witness;     ///< of what refutes the measurement, beyond a plainly incorrect first launch
    std::optional<PassProof> proof;     ///< of the timed passes; unset where none was timed, or by a version that checked none

    bool operator==(const Correctness&) const = default;
};

/// The reference implementation that the kernel must beat, measured in the same run.
struct Baseline {
    std::string name;                               ///< "device copy of the same bytes", "PyTorch SDPA (cuDNN)"
    std::optional<Summary> gpu;                     ///< unset when unavailable
    std::optional<double> host;                     ///< median, ns
    std::string version;                            ///< "torch 2.11.0+cu130, cuDNN 9.19"; empty when it has none
    std::string unavailable;                        ///< why there is no figure; empty when there is one
    std::string id = {};                            ///< its name for --baseline: "sdpa-flash"; empty where it was not kept
    std::optional<double> kernelsNs = std::nullopt; ///< median of its kernels' times added up: `gpu` without copies, fills and gaps
    std::vector<std::string> kernels = {};          ///< what ran, in order of start, each name once
    std::optional<double> maxAbs = std::nullopt;    ///< of its own output against the reference, on the kernel's inputs
    std::optional<double> relL2 = std::nullopt;
    /// Its inputs and what one call allocates at its peak; unset where it does not say.
    std::optional<std::int64_t> memoryBytes = std::nullopt;

    bool operator==(const Baseline&) const = default;
};

/// A warp's accesses to global memory, per warp.
struct WarpAccesses {
    double requests = 0; ///< warp-wide instructions
    double sectors = 0;  ///< 32-byte sectors that they touch
    double ideal = 0;    ///< sectors that the requested bytes would fill, at least one per request
    double unknown = 0;  ///< requests whose addresses depend on unknown data: not counted above

    bool operator==(const WarpAccesses&) const = default;
};

/// What a warp of a launch executes and touches, found by running a few of its warps' PTX on the host: no counters needed. Figures are
/// averages over the warps that were run. Values that come from memory are not known: a branch on one is taken as the code's shape
/// suggests, which `unknownBranches` counts.
struct WarpModel {
    int warps = 0;                          ///< that were run
    bool complete = true;                   ///< false: cut after too many instructions
    double instructions = 0;                ///< a warp executes
    double activeThreads = 0;               ///< of 32, in an average instruction
    double unknownBranches = 0;             ///< executed branches whose condition came from data
    std::map<std::string, double> executed; ///< warp instructions by class, as LaunchFacts::opcodes
    WarpAccesses loads;                     ///< global
    WarpAccesses stores;
    double blockSectors = 0;     ///< distinct sectors that the warps of one block load, per warp
    double sharedRequests = 0;   ///< loads and stores
    double sharedWavefronts = 0; ///< passes that they take, conflicts included
    double sharedIdeal = 0;      ///< minimum number of passes for the requested bytes
    double atomicRequests = 0;   ///< on global memory
    double atomicThreads = 0;    ///< active in these requests
    double atomicAddresses = 0;  ///< different addresses in these requests, as far as known

    bool operator==(const WarpModel&) const = default;
};

/// One kernel launch of the variant: from the compiler and the launch geometry, no counters needed.
struct LaunchFacts {
    std::string entry;
    std::int64_t gridBlocks = 0;
    int blockThreads = 0;
    int registers = 0;
    std::int64_t localBytes = 0; ///< per thread; spills and local arrays
    std::int64_t staticSmem = 0; ///< bytes per block
    std::int64_t dynamicSmem = 0;
    int blocksPerSm = 0;                         ///< theoretical, from the driver's occupancy calculator
    double theoreticalOccupancy = 0;             ///< percent
    std::string occupancyLimiter;                ///< "registers", "shared memory", "block size", "blocks", "warps"
    double waves = 0;                            ///< grid blocks / those that run at once
    std::optional<double> gpuNs;                 ///< median time of this launch alone
    std::map<std::string, std::int64_t> opcodes; ///< instruction mix of the PTX by class: "ld.global", "mma", "bar"
    std::optional<WarpModel> warp;               ///< of a profile; unset where the code came without PTX
    std::int64_t clusterBlocks = 1;              ///< blocks of a thread block cluster; 1: no clusters

    bool operator==(const LaunchFacts&) const = default;
};

/// A warning of a run: what was lost, unlocked, discarded.
struct Warning {
    std::string code; ///< "clock-unlocked", "throttled", "samples-discarded", "recorded-from-older-source"
    std::string text;
    std::vector<NextStep> next = {}; ///< what to do about it

    bool operator==(const Warning&) const = default;
};

/// Passes planned before collection and passes that ran.
struct PassPlan {
    int passes = 0;
    int ran = 0;

    bool operator==(const PassPlan&) const = default;
};

/// Hardware metrics of the longest launch. A value that could not be measured is in `missing` with the reason, never 0.
struct MetricSet {
    int tier = 2;
    std::map<std::string, std::optional<double>> values; ///< CUPTI's names and base units
    std::map<std::string, std::string> missing;          ///< name to reason
    std::map<std::string, std::string> spelled;          ///< name to this chip's name, where the two differ
    PassPlan plan;
    std::string launch;    ///< entry of the launch that the values belong to
    std::string rangeMode; ///< "AutoRange": the counters run from the launch's first cycle to its last
    std::string
        replayMode; ///< what repeats the launch for each pass and restores memory: CUPTI ("KernelReplay") or the worker ("UserReplay")
    std::string cacheControl;       ///< "flushed before every pass", "none"
    std::optional<double> clockMhz; ///< gpc__cycles_elapsed.max / gpu__time_duration.sum

    bool operator==(const MetricSet&) const = default;
};

} // namespace kl
