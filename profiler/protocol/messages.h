// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"
#include "kernels/model/work.h"

#include <optional>
#include <string>
#include <vector>

/// Requests and answers of the worker protocol, version 1. One JSON object per line.
/// Client to worker: {"id": n, "verb": "run", "body": {...}}. Worker to client: {"event": "hello"|"progress"|"result"|"error", "id": n,
/// ...}.
namespace kl::inline protocol {

inline constexpr int kProtocolVersion = 1;

struct Hello {
    int protocol = kProtocolVersion;
    std::string version;                    ///< of the program
    std::string host;                       ///< name of the machine; empty for a recording
    std::vector<DeviceInfo> devices;        ///< all GPUs of the machine, as the driver orders them
    std::optional<int> device = 0;          ///< index of the one that is measured on; unset: the one that was asked for is not there
    std::optional<std::string> unavailable; ///< sentence with the fix, if it cannot measure
    bool contents = false;                  ///< it takes long texts of requests apart, by hash

    bool operator==(const Hello&) const = default;
};

/// One step of a long request. Times in seconds.
struct Progress {
    int seq = 0;
    std::string step; ///< "pass 7 of 19"
    double elapsed = 0;
    std::optional<double> expected;

    bool operator==(const Progress&) const = default;
};

/// What this machine has; asks for nothing in particular.
struct ProbeRequest {};

struct ProbeAnswer {
    std::vector<DeviceInfo> devices;
    bool countersPermitted = false;
    std::string countersReason; ///< why not; empty when permitted
    std::string nvrtcVersion;   ///< "13.0"; empty when not found
    std::string cuptiVersion;
    std::string python; ///< "python3 3.12.3, torch 2.11.0+cu130"; empty when not found

    bool operator==(const ProbeAnswer&) const = default;
};

/// A python extension of the user's, which the environment check builds and imports.
struct ExtensionSpec {
    std::string module;             ///< what python imports
    std::string folder;             ///< absolute; the build command runs here
    std::vector<std::string> build; ///< program and arguments: {"python3", "setup.py", "build_ext", "--inplace"}
    std::string importFolder;       ///< absolute; where the built module lies, put first on python's path
    int maxJobs = 0;                ///< compilers at once (MAX_JOBS); 0: one per processor, at most one per 2 GiB of memory
    double timeoutSeconds = 150;    ///< of the build
    std::string logFile;            ///< the build's output is appended here; empty: discarded
    std::string file;               ///< project file that requires it
    std::string fileHash;           ///< SHA-256 of that file's text

    bool operator==(const ExtensionSpec&) const = default;
};

struct EnvRequest {
    std::string requiredTorch;              ///< empty: any
    std::string diskPath;                   ///< folder whose free space is checked
    std::optional<WorkSpec> smoke;          ///< compiled, run and checked
    std::optional<ExtensionSpec> extension; ///< built and imported
};

struct CompileRequest {
    WorkSpec work;
};

struct CompileAnswer {
    ResultStatus status = ResultStatus::ok;
    std::string reason;
    std::string log; ///< compiler and ptxas messages
    std::string arch;
    std::vector<LaunchFacts> launches;
    double seconds = 0;

    bool operator==(const CompileAnswer&) const = default;
};

struct RunRequest {
    WorkSpec work;
    std::vector<WorkSpec> suite; ///< correctness only, smallest first; timing requires all of them to be correct
    bool timed = true;
    bool withBaseline = true;
    int maxSamples = 200;
    double minSeconds = 0.1; ///< of measuring
    double maxSeconds = 3;
    std::optional<std::vector<BaselineSpec>> baselines; ///< measured in turn instead of the work's own; unset: only that
    /// One of many points of a search: timed on secret inputs that all points share, with each point's output on them compared with
    /// the reference, without the longer check on the problem's own inputs. Unset = no.
    std::optional<bool> trial;
    /// Energy per launch, too, which takes a second or more of passes back to back. Unset = no.
    std::optional<bool> energy;
};

/// Also the answer of `profile`, with metrics.
struct RunAnswer {
    ResultStatus status = ResultStatus::ok;
    std::string reason;
    DeviceInfo device;
    Correctness correctness;
    std::optional<Timing> timing;
    std::optional<std::int64_t> memoryBytes;
    std::optional<Baseline> baseline;
    std::vector<Baseline> baselines; ///< of RunRequest::baselines
    std::vector<LaunchFacts> launches;
    std::optional<MetricSet> metrics;
    std::vector<Experiment> experiments;        ///< of a profile without counters, or one that requests them
    std::optional<SourceProfile> sourceProfile; ///< of a profile, the longest launch
    std::optional<PmSampling> pmSampling;       ///< of a profile that requests it
    std::optional<double> workerSeconds;        ///< wall time that the worker spent on the request
    std::vector<Warning> warnings;
    std::string recordedAt; ///< empty for a live answer
    std::string sourceHash; ///< of the source that was measured

    bool operator==(const RunAnswer&) const = default;
};

/// Correctness, timing and baseline as in RunRequest, then the metrics of `tier` or, if not empty, exactly `metrics`.
struct ProfileRequest {
    RunRequest run;
    int tier = 2;
    std::vector<std::string> metrics;
    int maxPasses = 0;          ///< 0: no limit
    std::optional<bool> source; ///< sample program counters and count instructions, too; unset = at tier 2 without a list of metrics
    std::optional<std::string> cacheControl; ///< "flush" the caches before every pass, or "none"; unset = flush
    std::optional<bool> counters;            ///< false: none, the class is inferred; unset = yes
    std::optional<bool> experiments;         ///< of the longest launch; unset = if there are no counters. Not part of a key
    std::optional<bool> pmSampling;          ///< metrics over the longest launch's duration, too; unset = no
};

struct AbRequest {
    WorkSpec a;
    WorkSpec b;
    int firstBlock = 0; ///< 0 for the first look, 10 for the second, 20 for the first of a repeat …: part of a recording's key
    int blocks = 10;
    int perBlock = 10;          ///< ABBA groups per block
    std::optional<bool> check;  ///< check both sides against the reference first; unset = yes
    std::optional<bool> energy; ///< energy per launch of both sides, too, in turns; unset = no
};

/// Energy of both sides of an A/B.
struct AbEnergy {
    std::vector<AbBlock> blocks; ///< joules per launch, a window of each side per block
    std::string reason;          ///< why there are none; empty if there are

    bool operator==(const AbEnergy&) const = default;
};

struct AbAnswer {
    ResultStatus status = ResultStatus::ok;
    std::string reason;
    DeviceInfo device;
    std::vector<AbBlock> blocks;
    std::optional<AbEnergy> energy; ///< if it was requested
    Correctness correctnessA;
    Correctness correctnessB;
    std::vector<Warning> warnings;
    std::string recordedAt;
    std::string sourceHashA;
    std::string sourceHashB;

    bool operator==(const AbAnswer&) const = default;
};

} // namespace kl::inline protocol
