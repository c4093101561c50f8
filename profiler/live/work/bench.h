// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "profiler/live/cuda/handles.h"
#include "profiler/live/cupti/activity.h"
#include "profiler/live/host/passes.h"
#include "profiler/live/nvml/nvml.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kl::inline live {

/// Issues work on the bench's stream, asynchronously.
using Sequence = std::function<Status()>;

/// One pass: the measured part, its preparation, and the check after it.
struct BenchPass {
    Sequence timed;
    Sequence prepare = {}; ///< restores outputs and buffers that are read and written; issued before the caches are flushed; may be empty
    Sequence check = {};   ///< checks the results of the pass; empty: no check. Its first launch is named as kProofPrefix says
    /// Runs the same code on other data between prepare() and the cache flush, like the previous pass of an unprepared series:
    /// otherwise the preparing kernels run just before, and a kernel of 2 µs takes 6 % longer (H200). May be empty.
    Sequence prime = {};
    /// The sequence finds its outputs as prepare() left them, also after priming in a hot pass. False: a hot
    /// pass is primed after prepare(), so that it finds in the L2 what a pass of its own leaves there.
    bool fromPrepared = false;
};

/// The GPU's state from NVML; unavailable members are unset.
struct GpuState {
    std::optional<double> temperatureC;
    std::optional<double> powerW;             ///< of the board, NVML's average over the last second
    std::vector<std::string> throttleReasons; ///< seen since the last query
};

/// A measuring setup on one device: a stream, a buffer to flush L2 with, and a kernel that holds the stream back until a whole sequence
/// is queued behind it, so that launch costs do not enter GPU times. Needs a current context. One thread.
class Bench {
public:
    static Result<std::unique_ptr<Bench>> make(const DeviceInfo& device, Nvml* nvml);

    CUstream stream() const noexcept { return stream_.get(); }

    /// Issues the sequence until the GPU has left its idle clocks: at least 3 times and `least`, at most 100 times.
    Status warmUp(const Sequence& sequence, std::chrono::milliseconds least);

    /// Temperature and power now, and the throttle reasons that were active while passes ran since the last call.
    GpuState takeState();

    /// Writes a buffer of twice the L2's size, which evicts the cache. Asynchronous.
    Status flushL2();

    /// Measures `count` passes by activity records: each L2 cold (flushed just before) or hot (as the previous pass left it).
    /// `activities`: kernels, copies and memsets in one pass, except memsets at its end; a pass with another count lost records and is
    /// left out. The first is primed (see enqueue), because it follows something else: a baseline or cold passes.
    Result<std::vector<Sample>> measure(ActivityRecorder& recorder, const Sequence& sequence, std::size_t activities, int count, bool cold);

    /// The same of passes that differ from one to the next. Each hot one is primed, since the prepared data is in the L2.
    Result<std::vector<Sample>> measurePasses(ActivityRecorder& recorder, const std::function<BenchPass()>& next, std::size_t activities,
                                              int count, bool cold);

    /// One pass into a mixed series (A/B): enqueue() for each, then collect() gives the samples in order; unset for a pass that
    /// lost records. `primed`: the sequence runs once, unmeasured, before the flush, so that the SMs' instruction caches hold its own code
    /// as in a series of its own; otherwise half of the passes (ABBA) follow the other side's code, and identical kernels show two
    /// humps: attention/fused on S=128 took 3.68 µs after itself and 3.97 µs after an identical kernel at another address (H200).
    Status enqueue(const BenchPass& pass, bool cold, bool primed = false);
    Result<std::vector<std::optional<Sample>>> collect(ActivityRecorder& recorder, const std::vector<std::size_t>& activities);

    /// Names of the activities of one pass, in order of start, a memset at its end left out: the kernels of a foreign implementation.
    Result<std::vector<std::string>> recordActivities(ActivityRecorder& recorder, const Sequence& sequence);

    /// Launch to completion as the host sees it, ns, `count` times, nothing recorded meanwhile.
    Result<std::vector<double>> hostTimes(const Sequence& sequence, int count);

    /// The same for passes that are prepared, primed and checked each time.
    Result<std::vector<double>> measureHostTimes(const BenchPass& pass, int count);

    /// Kernel time over stream time of the sequence issued back to back as a program would.
    Result<double> busyFraction(ActivityRecorder& recorder, const Sequence& sequence, std::size_t activities);

private:
    Bench(const DeviceInfo& device, Nvml* nvml) : device_(device), nvml_(nvml) {}
    Status prepare();
    std::optional<double> readClock();
    Result<std::vector<Sample>> measureSome(ActivityRecorder& recorder, const std::function<BenchPass()>& next, std::size_t activities,
                                            int count, bool cold, const std::function<bool()>& primed);

    DeviceInfo device_;
    Nvml* nvml_;
    Stream stream_;
    DeviceMemory flush_;
    std::size_t flushBytes_ = 0;
    unsigned char flushValue_ = 0;
    Module gateModule_;
    CUfunction gate_ = nullptr;
    std::optional<MappedWord> flag_;
    std::uint32_t epoch_ = 0;
    std::uint64_t dither_ = 1;
    std::vector<EnqueuedPass> passes_; ///< enqueued since the last collect
    std::set<std::string> reasons_;    ///< throttle reasons seen, once per batch of passes
};

} // namespace kl::inline live
