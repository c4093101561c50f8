// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cupti/metric_plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct CUctx_st;

namespace kl::inline live {

/// The counters available to a context: the chip and CUPTI's availability image.
struct ChipCounters {
    std::string chip;
    std::vector<std::uint8_t> availability;
};

/// How metrics are collected: over ranges of launches, or sampled over time. The two have different metrics.
enum class MetricUse { ranges, pmSampling };

/// CUPTI's host side for one chip: which metrics it has, how many passes they take, their values from counter data. Needs no GPU.
class MetricHost final : public MetricSource {
public:
    /// `chip`: CUPTI's name ("GH100"). `availability`: the context's counter-availability image, empty where there is no GPU.
    /// Error environment: no CUPTI, or an unknown chip.
    static Result<std::unique_ptr<MetricHost>> open(const std::string& chip, std::vector<std::uint8_t> availability = {},
                                                    MetricUse use = MetricUse::ranges);

    /// What openFor reads from the device. CUPTI must be initialized. Errors as openFor.
    static Result<ChipCounters> queryCounters(CUctx_st* context, int deviceIndex);

    /// The same for the device of `context`, with the counters available to this context. CUPTI's profiler must be initialized. Errors
    /// also: the device or its set-up (virtual GPU, confidential computing …) does not let counters be read.
    static Result<std::unique_ptr<MetricHost>> openFor(CUctx_st* context, int deviceIndex);

    ~MetricHost() override;

    const std::string& chip() const noexcept override { return chip_; }
    bool has(const std::string& metric) override;
    Result<int> passes(const std::vector<std::string>& metrics) override;
    const std::vector<std::string>& baseNames() override;
    std::vector<std::string> rollups(const std::string& base) override;

    /// CUPTI's description of a metric, base or with its rollup; unset for an unknown name.
    struct Description {
        std::string text;
        std::string hardwareUnit; ///< "dram"
        std::string unit;         ///< dimension: "byte"; empty for a count or ratio
    };
    std::optional<Description> describe(const std::string& metric);

    /// The binary configuration, for the target API. The metrics must all exist.
    Result<std::vector<std::uint8_t>> configImage(const std::vector<std::string>& metrics);

    /// Values of one range of decoded counter data, in the order of `metrics`.
    Result<std::vector<double>> evaluate(std::span<const std::uint8_t> counterData, std::size_t range,
                                         const std::vector<std::string>& metrics);

private:
    MetricHost(std::string chip, std::vector<std::uint8_t> availability, MetricUse use);
    struct Object;
    Result<std::unique_ptr<Object>> newObject() const;

    std::string chip_;
    std::vector<std::uint8_t> availability_;
    MetricUse use_;
    std::unique_ptr<Object> object_;
    std::map<std::vector<std::string>, std::vector<std::uint8_t>> images_; ///< by metrics: a configuration is requested again to run it
    std::vector<std::string> baseNames_;                                   ///< filled on first use
};

/// Chips that the installed CUPTI supports ("GV100" … "GB20B"). Needs no GPU.
Result<std::vector<std::string>> listSupportedChips();

/// `const char*` views of names, for CUPTI; valid while `names` is.
std::vector<const char*> pointersTo(const std::vector<std::string>& names);

} // namespace kl::inline live
