// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "core/model/device.h"
#include "core/model/diagnosis.h"
#include "core/model/experiment.h"
#include "core/model/imported.h"
#include "core/model/measurement.h"
#include "core/model/params.h"
#include "core/model/pm_sampling.h"
#include "core/model/source_profile.h"
#include "core/model/timeline.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// Where a measurement came from. Sample: replayed from a recording; left out of learning and regression figures.
enum class Source { live, sample, import };

/// Additional data of a run whose kernel was found inside another program (`kloop profile -- CMD`).
struct ProgramFacts {
    std::vector<std::string> command;
    std::string kernel;                ///< demangled name, templates and all
    std::int64_t launches = 0;         ///< of this kernel in the program
    double totalNs = 0;                ///< GPU time of them together
    double share = 0;                  ///< of the program's GPU time, 0 to 1
    std::vector<std::string> ranges;   ///< NVTX ranges open at the profiled launch, outermost first
    std::optional<int> profiledLaunch; ///< index among this kernel's launches, from 0; unset when none was profiled

    bool operator==(const ProgramFacts&) const = default;
};

/// One measurement of one variant on one problem on one device. Immutable once stored.
/// A profile is a run with metrics and a diagnosis.
struct RunRecord {
    RunId id;
    Address kernel;
    Params problem;
    std::string sourceHash; ///< contentHash of the kernel source that was measured
    DeviceInfo device;
    std::string host; ///< name of the machine that measured; empty for a sample, an import, and where it is not known
    Source source = Source::live;
    std::string startedAt; ///< UTC, ISO 8601 with milliseconds; for a sample, when it was recorded
    ResultStatus status = ResultStatus::ok;
    std::string reason; ///< why status is not ok
    Correctness correctness;
    std::optional<Timing> timing;
    std::optional<std::int64_t> memoryBytes; ///< peak device memory of the variant
    std::optional<Baseline> baseline;
    std::vector<Baseline> baselines; ///< each that was requested by name, in that order; `baseline` is the fastest of them
    std::optional<double> speedup;   ///< baseline GPU time / kernel GPU time, cold L2
    std::vector<LaunchFacts> launches;
    double flops = 0;      ///< by the descriptor's formula
    double idealBytes = 0; ///< minimum DRAM traffic, by the descriptor's formula
    std::optional<MetricSet> metrics;
    std::optional<Diagnosis> diagnosis;
    std::vector<Experiment> experiments;        ///< changed launch shapes, of a profile that requested them
    std::optional<SourceProfile> sourceProfile; ///< which lines it waits at
    std::optional<PmSampling> pmSampling;       ///< metrics over the longest launch's duration, if that was requested
    std::optional<Timeline> timeline;           ///< what its warps did, if that was recorded
    std::optional<ProgramFacts> program;        ///< unset for a kernel of the catalog or of the user
    std::optional<ImportFacts> imported;        ///< unset for KernelLoop's own measurements
    std::optional<double> workerSeconds;        ///< wall time inside the worker that the measurement took; unset when not recorded
    std::vector<Warning> warnings;

    bool operator==(const RunRecord&) const = default;
};

/// Whether the record holds hardware metrics or an inferred finding.
inline bool isProfile(const RunRecord& run)
{
    return run.diagnosis.has_value();
}

/// Whether it ran and nothing refutes it; a run that was not checked is usable.
inline bool isUsable(const RunRecord& run)
{
    return run.status == ResultStatus::ok && !isRefuted(run.correctness.result);
}

} // namespace kl
