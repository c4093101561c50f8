// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/measurement.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

struct CUctx_st;

namespace kl::inline live {

class CounterHost;
class MetricHost;
struct ChipCounters;

/// Which metrics, and how many passes they may take.
struct MetricRequest {
    int tier = 2;                     ///< 0, 1, 2: the lists of core/device; used when `metrics` is empty
    std::vector<std::string> metrics; ///< exactly these: CUPTI names, or "regex:" expressions (expandNames)
    int maxPasses = 0;                ///< 0: no limit; beyond it, metrics are left out with that reason

    bool operator==(const MetricRequest&) const = default;
};

/// What is counted: a sequence of kernel launches. A CUDA graph counts as one launch.
struct CountedWork {
    std::size_t launches = 0;        ///< kernels that one issue() launches
    std::vector<std::size_t> wanted; ///< of them, by index: launches whose counters are returned
    /// Issues the sequence once and waits for it.
    std::function<Status()> issue;
    /// Restores memory to the start of the sequence: called before every pass, which then is one issue(). Without it CUPTI repeats
    /// each launch by itself and restores memory between, and issue() is called once; caches then keep the data of the previous pass.
    std::function<Status()> restore;
};

/// Hardware counters of kernel launches, one range each (AutoRange). Needs a current context; while it collects no ActivityRecorder may
/// live. It stays set up for its last single-pass metrics, since that takes 0.15 s (H200, CUDA 13.0) and counting one launch 1 ms;
/// meanwhile no other program can read counters of the device, and of CUPTI only activity records can be used.
class RangeProfiler {
public:
    /// Initializes CUPTI's host and target side for `context` (the worker's primary context, current on the calling thread). `host`:
    /// from an earlier one for the same context; null queries again, and checks that counters are permitted.
    /// Error environment with the fix: no CUPTI, counters not permitted, device not supported.
    static Result<std::unique_ptr<RangeProfiler>> open(CUctx_st* context, int deviceIndex, std::shared_ptr<CounterHost> host = {});

    virtual ~RangeProfiler() = default;

    /// For the next one.
    virtual std::shared_ptr<CounterHost> host() const = 0;

    /// CUPTI's chip name ("GH100").
    virtual const std::string& chip() const noexcept = 0;

    /// Passes the request will take (ran = 0). Metrics that the chip lacks do not count.
    virtual Result<PassPlan> plan(const MetricRequest& request) = 0;

    /// Counters of the wanted launches, in their order. An unexpected number of launches is an error.
    /// Each set has tier, values, missing, spelled, plan, modes and clockMhz filled; launch (CUPTI does not report the entry) and
    /// cacheControl are the caller's.
    virtual Result<std::vector<MetricSet>> collect(const MetricRequest& request, const CountedWork& work) = 0;
};

/// CUPTI's host side for the device of `context`, with what this context lets it count. Errors as RangeProfiler::open.
Result<std::unique_ptr<MetricHost>> openMetricHost(CUctx_st* context, int deviceIndex);

/// The device query of openMetricHost; the rest, MetricHost::open, needs no device and may run on another thread. Errors as
/// RangeProfiler::open.
Result<ChipCounters> chipCounters(CUctx_st* context, int deviceIndex);

/// CUPTI's name of a device's chip ("GH100"). Error environment.
Result<std::string> cuptiChipName(int deviceIndex);

/// Whether this user may read counters on the device: tries to open the profiler. Error environment with reason and fix.
Status countersPermitted(CUctx_st* context, int deviceIndex);

} // namespace kl::inline live
