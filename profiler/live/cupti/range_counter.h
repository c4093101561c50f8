// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct CUctx_st;
struct CUpti_RangeProfiler_Object;

namespace kl::inline live {

class MetricHost;

/// The setup of a RangeCounter.
struct RangeSetup {
    std::vector<std::string> metrics; ///< CUPTI's names, all of which the chip has
    std::size_t ranges = 1;           ///< limit of launches per pass; CUPTI drops further ones
    bool kernelReplay = false;        ///< CUPTI repeats each launch for every pass; else start() to stop() is one pass
    std::string whole = {};           ///< a name: everything between start() and stop() is one range; without kernelReplay

    bool operator==(const RangeSetup&) const = default;
};

/// CUPTI's range profiler enabled on a context and configured: each kernel launch between start() and stop() is its own range
/// (AutoRange), a CUDA graph is one. Configured once for its life, since a second configuration makes CUDA 13.0's CUPTI crash in the next
/// launch. While it lives, no other program can read counters of the device. Needs CUPTI's profiler initialized and the context current.
/// One thread.
class RangeCounter {
public:
    /// Errors environment: counters not permitted, another profiler uses them.
    static Result<std::unique_ptr<RangeCounter>> open(CUctx_st* context, MetricHost& host, RangeSetup setup);

    RangeCounter(const RangeCounter&) = delete;
    RangeCounter& operator=(const RangeCounter&) = delete;
    ~RangeCounter();

    const RangeSetup& setup() const noexcept { return setup_; }

    /// Forgets what was counted: the next start() begins the first pass again.
    Status clear();

    Status start();

    /// Returns whether all passes are done.
    Result<bool> stop();

    /// After the last pass: the number of counted launches. Error internal when there were more than setup().ranges.
    Result<std::size_t> decode();

    /// Values of one range, in the order of setup().metrics. After decode().
    Result<std::vector<double>> values(MetricHost& host, std::size_t range) const;

private:
    explicit RangeCounter(RangeSetup setup) : setup_(std::move(setup)) {}
    Status configure(CUctx_st* context, MetricHost& host);

    RangeSetup setup_;
    CUpti_RangeProfiler_Object* object_ = nullptr;
    std::vector<std::uint8_t> config_; ///< CUPTI reads both as long as it is enabled
    std::vector<std::uint8_t> counted_;
};

} // namespace kl::inline live
