// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/measurement.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

struct CUctx_st;

namespace kl {

class MetricHost;

/// Which metrics, and how dear they may be.
struct MetricRequest {
    int tier = 2;                     ///< 0, 1, 2: the lists of core/device; used when `metrics` is empty
    std::vector<std::string> metrics; ///< exactly these: CUPTI names, or "regex:" expressions (expandNames)
    int maxPasses = 0;                ///< 0: no limit; beyond it, metrics are left out with that reason
};

/// Hardware counters of each kernel launch: AutoRange + KernelReplay. Needs a current context and no living ActivityRecorder.
class RangeProfiler {
public:
    /// Initialises CUPTI's host and target side for `context` (the worker's primary context, current on the calling thread).
    /// Error environment with the fix: no CUPTI, counters not permitted, device not supported.
    static Result<std::unique_ptr<RangeProfiler>> open(CUctx_st* context, int deviceIndex);

    virtual ~RangeProfiler() = default;

    /// CUPTI's chip name ("GH100").
    virtual const std::string& chip() const noexcept = 0;

    /// Passes the request will take (ran = 0). Metrics that the chip lacks do not count.
    virtual Result<PassPlan> plan(const MetricRequest& request) = 0;

    /// Counters of every kernel launch that `issue` makes, in launch order: `issue` issues the sequence once and waits for it
    /// (kernel replay repeats each launch and restores memory in between). `launches`: how many launches it makes.
    /// Issue them one by one: a CUDA graph counts as one launch. A number of launches other than announced is an error.
    /// Each set has tier, values, missing, plan, modes and clockMhz filled; launch (CUPTI does not tell the entry) and
    /// cacheControl are the caller's.
    virtual Result<std::vector<MetricSet>> collect(const MetricRequest& request, int launches, const std::function<Status()>& issue) = 0;
};

/// CUPTI's host side for the device of `context`, with what this context lets it count. Errors as RangeProfiler::open.
Result<std::unique_ptr<MetricHost>> openMetricHost(CUctx_st* context, int deviceIndex);

/// CUPTI's name of a device's chip ("GH100"). Error environment.
Result<std::string> cuptiChipName(int deviceIndex);

/// Whether this user may read counters on the device: tries to open the profiler. Error environment with reason and fix.
Status countersPermitted(CUctx_st* context, int deviceIndex);

} // namespace kl
