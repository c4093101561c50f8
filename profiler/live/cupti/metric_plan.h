// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <vector>

namespace kl {

struct MetricRequest;

/// What a chip can count, and in how many passes.
class MetricSource {
public:
    virtual ~MetricSource() = default;
    virtual const std::string& chip() const noexcept = 0;
    virtual bool has(const std::string& metric) = 0;
    virtual Result<int> passes(const std::vector<std::string>& metrics) = 0;
};

/// The metrics that will be collected, and why the others will not.
struct MetricSelection {
    std::vector<std::string> names;             ///< as values are stored: the catalogue's
    std::vector<std::string> chipNames;         ///< as this chip spells them, in the same order
    std::map<std::string, std::string> missing; ///< name to reason
    int passes = 0;

    bool operator==(const MetricSelection&) const = default;
};

/// Translates a request for the chip: one unknown name would fail the whole configuration, so each is looked up first. With a
/// limit of passes, metrics are taken in order as long as they fit. Error environment when CUPTI cannot configure.
Result<MetricSelection> selectMetrics(const MetricRequest& request, MetricSource& source);

} // namespace kl
