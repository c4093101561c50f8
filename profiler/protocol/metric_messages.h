// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline protocol {

/// The request `metrics`: the metrics of a chip and the number of passes. Measures nothing, and needs no GPU if a chip is given.
struct MetricsRequest {
    std::string chip;                  ///< CUPTI's name ("GH100"); empty: the chip of the worker's first device
    int tier = 2;                      ///< planned when `metrics` is empty
    std::vector<std::string> metrics;  ///< names, or "regex:EXPRESSION" for all of the chip's that match
    int maxPasses = 0;                 ///< 0: no limit
    std::optional<std::string> search; ///< list the chip's metrics that hold each of these words in name or description
    int limit = 50;                    ///< of that list
};

/// A metric as CUPTI describes it.
struct ChipMetric {
    std::string name; ///< with its most useful rollup: "dram__bytes_read.sum"
    std::string description;
    std::string hardwareUnit;         ///< "dram"
    std::string unit;                 ///< dimension of the value: "bytes"; empty for a count or ratio
    std::vector<std::string> rollups; ///< all suffixes of the base name
    int passes = 0;                   ///< to collect it alone

    bool operator==(const ChipMetric&) const = default;
};

struct MetricsAnswer {
    std::string chip;
    std::vector<std::string> chips;                          ///< all that this CUPTI supports
    std::vector<std::string> names;                          ///< that will be collected
    std::map<std::string, std::string> spelled;              ///< name to the chip's own, where the two differ
    std::map<std::string, std::string> missing;              ///< name to reason
    std::map<std::string, std::vector<std::string>> unknown; ///< names that no chip has, each with the nearest ones of this chip
    int passes = 0;
    std::vector<ChipMetric> found; ///< answer to `search`
    int matches = 0;               ///< total number, without the limit

    bool operator==(const MetricsAnswer&) const = default;
};

// As in message_codec.h.
Json toJsonMessage(const MetricsRequest& request);
Json toJsonMessage(const MetricsAnswer& answer);

} // namespace kl::inline protocol
