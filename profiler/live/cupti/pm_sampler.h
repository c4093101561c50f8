// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct CUpti_PmSampling_Object;

namespace kl::inline live {

class MetricHost;

/// The values of the metrics between two times of the GPU's clock.
struct PmSample {
    std::uint64_t beginNs = 0;
    std::uint64_t endNs = 0;
    std::vector<double> values;
};

struct PmSamplerSetup {
    int device = 0; ///< index
    std::vector<std::string> metrics;
    std::uint64_t interval = 1000; ///< nanoseconds, or cycles of the system clock
    bool bySystemClock = false;
};

/// CUPTI's PM sampling of a device, whatever runs on it. While it lives, nothing else can read the device's counters. One thread.
class PmSampler {
public:
    /// `host`: the chip's, of MetricUse::pmSampling; has to outlive this. Errors environment: CUPTI is too old, counters not permitted or
    /// in use.
    static Result<std::unique_ptr<PmSampler>> open(MetricHost& host, PmSamplerSetup setup);

    PmSampler(const PmSampler&) = delete;
    PmSampler& operator=(const PmSampler&) = delete;
    ~PmSampler();

    Status start();

    /// The samples since start(), in order of time. Error environment when the buffer on the device overflowed.
    Result<std::vector<PmSample>> stop();

private:
    PmSampler(MetricHost& host, PmSamplerSetup setup) : host_(host), setup_(std::move(setup)) {}
    Status configure();
    Status decode(std::vector<PmSample>& samples, bool& more);

    MetricHost& host_;
    PmSamplerSetup setup_;
    CUpti_PmSampling_Object* object_ = nullptr;
    std::vector<std::uint8_t> config_; ///< CUPTI reads it as long as it samples
    std::vector<std::uint8_t> counted_;
};

/// What PM sampling can count on the device. Errors environment: as PmSampler::open; a profiler is active in this process.
Result<std::unique_ptr<MetricHost>> openPmHost(int device);

} // namespace kl::inline live
