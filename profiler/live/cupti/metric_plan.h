// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/metric_name.h"

#include <map>
#include <string>
#include <vector>

namespace kl::inline live {

struct MetricRequest;

/// The metrics of a chip, and their number of passes.
class MetricSource {
public:
    virtual ~MetricSource() = default;
    virtual const std::string& chip() const noexcept = 0;
    virtual bool has(const std::string& metric) = 0;
    virtual Result<int> passes(const std::vector<std::string>& metrics) = 0;

    /// Every metric of the chip without its rollup ("dram__bytes_read"), sorted.
    virtual const std::vector<std::string>& baseNames() = 0;
    /// The suffixes of a base name, without the dot: "sum", "avg.per_second". Empty for an unknown one.
    virtual std::vector<std::string> rollups(const std::string& base) = 0;
};

/// The metrics that will be collected, and why the others will not.
struct MetricSelection {
    std::vector<std::string> names;             ///< the catalog's, used for storing
    std::vector<std::string> chipNames;         ///< this chip's names, in the same order
    std::map<std::string, std::string> missing; ///< name to reason
    /// The chip's names of the time and cycles metrics that give the clock, where they were not requested and cost no further pass.
    std::vector<std::string> clockNames;
    int passes = 0;

    /// Everything that is configured: chipNames, then clockNames.
    std::vector<std::string> listConfigured() const;
    /// Requested name to the chip's name, where the two differ.
    std::map<std::string, std::string> mapSpelled() const;

    bool operator==(const MetricSelection&) const = default;
};

/// The two metrics whose quotient is the SM clock: cycles over time.
inline constexpr const char* kTimeMetric = MetricName("gpu__time_duration.sum").text().data();
inline constexpr const char* kCyclesMetric = MetricName("gpc__cycles_elapsed.max").text().data();

/// Translates a request for the chip: "regex:" names are expanded (expandNames), and since one unknown name would fail the whole
/// configuration, each is looked up first. With a limit of passes, metrics are taken in order as long as they fit.
/// Error environment when CUPTI cannot configure; badInput for an expression that is invalid or matches nothing.
Result<MetricSelection> selectMetrics(const MetricRequest& request, MetricSource& source);

} // namespace kl::inline live
