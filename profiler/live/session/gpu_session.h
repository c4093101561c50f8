// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cupti/activity.h"
#include "profiler/live/cupti/sass_counts.h"
#include "profiler/live/nvml/nvml.h"
#include "profiler/live/python/python_baseline.h"
#include "profiler/live/work/bench.h"
#include "profiler/live/work/built_work.h"
#include "profiler/live/work/cache_flush.h"

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace kl::inline live {

class CounterHost;
class InputSets;
class ProofKernels;
struct MetricRequest;
class RangeProfiler;

/// The state of a worker between requests on one device: context, bench, clocks, compiled sources, the python helper.
class GpuSession {
public:
    /// Takes the device's primary context on the calling thread and prepares the bench.
    static Result<std::unique_ptr<GpuSession>> open(const DeviceInfo& device, int index);
    ~GpuSession();

    const DeviceInfo& device() const noexcept { return device_; }
    int index() const noexcept { return index_; }
    CUcontext context() const noexcept { return context_.get(); }
    Bench& bench() noexcept { return *bench_; }
    Nvml* nvml() noexcept { return nvml_.get(); }

    /// Compiles, or returns the earlier result for the same source, options and architecture. Error: NVRTC itself fails.
    Result<std::shared_ptr<const CompiledSource>> compile(const WorkSpec& spec);

    /// Compiles new tasks, all at once on the host's cores. compile() reports those that fail.
    void compileAhead(std::span<const WorkSpec> works);

    /// compile() and BuiltWork::build(); a source that does not compile is an Error with kCompileFailure and the log in its message.
    Result<std::unique_ptr<BuiltWork>> build(const WorkSpec& spec, const BuildPlace& place = {});

    /// The python helper, started on first use; a failed start is remembered for the worker's life.
    Result<PythonBaseline*> python();

    /// Stops the python helper, if there is one.
    void endPython() { python_.reset(); }

    /// The counter of executed instructions, set up on first use; a failure is remembered for the worker's life.
    Result<SassCounter*> instructionCounter();

    /// The device's metrics, kept between profiles; null before the first.
    std::shared_ptr<CounterHost>& counterHost();

    /// Starts querying, on another thread, the device's metrics and the configuration of `wanted`: a quarter of a second of host
    /// time that the first profile needs. Does nothing where that is known. counters() repeats and reports failures.
    void planCounters(const MetricRequest& wanted);

    /// The profiler of counters, opened on first use and after each releaseCounters(). Errors as RangeProfiler::open.
    Result<RangeProfiler*> counters();

    /// Releases the device's counters, for program-counter samples, for other programs.
    void releaseCounters();

    /// What prepares and checks timed passes; made on first use. Errors as ProofKernels::make.
    Result<ProofKernels*> proofKernels();

    /// Input sets that a search's trials share; null before the first.
    std::shared_ptr<InputSets>& sharedInputs() noexcept { return sharedInputs_; }

    /// Records the activities of all of a search's trials: starting and ending it takes longer than a short trial. Until endTrials(),
    /// nothing else can record or count. Errors as ActivityRecorder::start.
    Result<ActivityRecorder*> trialRecorder();

    /// Lets go of what trials share.
    void endTrials();

    /// Empties the caches before a counted launch; made on first use. Errors as CacheFlush::make.
    Result<CacheFlush*> cacheFlush();

    /// A kernel that allocates on the device's heap was loaded: memory that it did not free stays allocated until the context ends.
    bool usedDeviceHeap() const noexcept { return usedDeviceHeap_; }

    /// Keeps a module until the session ends.
    void keepLoaded(std::shared_ptr<const Module> module) { kept_.push_back(std::move(module)); }

    /// Warnings for every measurement on this device ("clock-unlocked").
    std::vector<Warning> warnings();
    /// Other programs that compute on the GPU; 0 where that is not known: NVML is missing, or the helper that runs the baselines is among
    /// them.
    int strangers();

private:
    GpuSession(const DeviceInfo& device, int index, PrimaryContext context);

    DeviceInfo device_;
    int index_;
    PrimaryContext context_;
    std::unique_ptr<Nvml> nvml_;
    std::unique_ptr<Bench> bench_;
    std::map<std::string, std::shared_ptr<const CompiledSource>> compiled_;
    std::optional<Result<std::unique_ptr<PythonBaseline>>> python_;
    std::optional<Result<std::unique_ptr<SassCounter>>> counter_;
    std::vector<std::shared_ptr<const Module>> kept_;
    std::shared_ptr<CounterHost> counters_;
    std::future<std::shared_ptr<CounterHost>> planning_; ///< of counters_
    std::unique_ptr<RangeProfiler> profiler_;
    std::unique_ptr<CacheFlush> flush_;
    std::unique_ptr<ProofKernels> proof_;
    std::shared_ptr<InputSets> sharedInputs_;
    std::unique_ptr<ActivityRecorder> trialRecorder_;
    bool usedDeviceHeap_ = false;
};

} // namespace kl::inline live
