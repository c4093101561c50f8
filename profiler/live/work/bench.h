// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "profiler/live/cuda/handles.h"
#include "profiler/live/cupti/activity.h"
#include "profiler/live/host/passes.h"
#include "profiler/live/nvml/nvml.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kl {

/// Issues work on the bench's stream, asynchronously.
using Sequence = std::function<Status()>;

/// One pass: what is measured, and what must be true before and is looked at behind it.
struct BenchPass {
    Sequence timed;
    Sequence prepare = {}; ///< outputs and what was read and written put back; issued before the caches are flushed; may be empty
    Sequence check = {};   ///< looks at what the pass left; empty: nobody does. Its first launch is named as kProofPrefix says
    /// Has the same code run on other data between prepare() and the emptying of the caches, as the previous pass of an unprepared series
    /// does: else the preparing kernels lie between, and a kernel of 2 µs takes 6 % longer (H200). Empty: nothing is run there.
    Sequence prime = {};
    /// The sequence finds its outputs as prepare() left them, whatever ran between: also behind priming in a hot pass. False: a hot
    /// pass is primed behind prepare(), so that what it finds in the L2 is what its own like left there.
    bool fromPrepared = false;
};

/// What NVML says of the GPU; members that it does not tell are absent.
struct GpuState {
    std::optional<double> temperatureC;
    std::optional<double> powerW;             ///< of the board, NVML's average over the last second
    std::vector<std::string> throttleReasons; ///< seen since the state was last taken
};

/// A measuring place on one device: a stream, a buffer to flush L2 with, and a kernel that holds the stream back until a whole sequence
/// is queued behind it, so that launch costs do not enter GPU times. Needs a current context. One thread.
class Bench {
public:
    static Result<std::unique_ptr<Bench>> make(const DeviceInfo& device, Nvml* nvml);

    CUstream stream() const noexcept { return stream_.get(); }

    /// Issues the sequence until the GPU has left its idle clocks: 3 times at least, 10 ms at least, 100 times at most.
    Status warmUp(const Sequence& sequence);

    /// Temperature and power now, and the throttle reasons that were active while passes ran since the last call.
    GpuState takeState();

    /// Writes a buffer of twice the L2's size: what was cached is gone. Asynchronous.
    Status flushL2();

    /// Measures `count` passes by activity records: each L2 cold (flushed just before) or hot (as the previous pass left it).
    /// `activities`: kernels, copies and memsets in one pass, but for memsets at its end; a pass with another count lost records and is
    /// left out. The first is primed (see enqueue): what ran before, a baseline or cold passes, is not what the others follow.
    Result<std::vector<Sample>> measure(ActivityRecorder& recorder, const Sequence& sequence, std::size_t activities, int count, bool cold);

    /// The same of passes that differ from one to the next. Each hot one is primed, since what was prepared lies in the L2.
    Result<std::vector<Sample>> measurePasses(ActivityRecorder& recorder, const std::function<BenchPass()>& next, std::size_t activities,
                                              int count, bool cold);

    /// One pass into a mixed series (A/B): enqueue() for each, then collect() gives the samples in order; nothing for a pass that
    /// lost records. `primed`: the sequence runs once, unmeasured, before the flush, so that the SMs' instruction caches hold its own code
    /// as they do in a series of its own; else they hold the other side's after half of the passes (ABBA), and what is twins becomes two
    /// humps: attention/fused on S=128 took 3.68 µs after itself and 3.97 µs after an identical kernel at another address (H200).
    Status enqueue(const BenchPass& pass, bool cold, bool primed = false);
    Result<std::vector<std::optional<Sample>>> collect(ActivityRecorder& recorder, const std::vector<std::size_t>& activities);

    /// Names of the activities of one pass, in order of start, a memset at its end left out: what an implementation that is not ours runs.
    Result<std::vector<std::string>> activitiesOf(ActivityRecorder& recorder, const Sequence& sequence);

    /// Launch to completion as the host sees it, ns, `count` times, nothing recorded meanwhile.
    Result<std::vector<double>> hostTimes(const Sequence& sequence, int count);

    /// The same of a pass that is prepared before and checked behind each time, and primed.
    Result<std::vector<double>> hostTimesOf(const BenchPass& pass, int count);

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
    std::set<std::string> reasons_;    ///< throttle reasons seen, once a batch of passes
};

} // namespace kl
