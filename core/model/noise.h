// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <string>
#include <vector>

namespace kl {

/// The A/A noise of one kernel on one device: the kernel was compared with itself several times, by the same path as A/B.
struct NoiseRecord {
    std::string id; ///< UUID
    std::string deviceUuid;
    std::string deviceName;
    std::string driver;
    Source source = Source::live;
    std::string kernel;         ///< canonical address
    std::string problem;        ///< canonical text
    double noise = 0;           ///< computeNoise(ratios), a fraction
    std::vector<double> ratios; ///< time(A) / time(B) of each repeat; 1 would be perfect
    int equivalent = 0;         ///< repeats with that verdict
    int different = 0;          ///< repeats with the verdict faster or slower: false alarms
    std::string at;             ///< UTC, ISO 8601

    bool operator==(const NoiseRecord&) const = default;
};

} // namespace kl
