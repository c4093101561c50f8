// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/run.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline diagnosis {

/// The method's limits for the five figures of a profile: those of a session's template, or these defaults.
struct MetricLimits {
    double memoryBandwidthMin = 70;  ///< percent of the DRAM peak
    double occupancyMin = 50;        ///< percent of the warps that an SM can hold
    double kernelDurationMinUs = 10; ///< microseconds
    double warpEfficiencyMin = 75;   ///< percent of a warp's 32 threads: 24 threads
    double bankConflictsMax = 10;    ///< percent of the shared-memory wavefronts
};

/// A figure that was not measured neither meets a target nor misses it.
enum class TargetResult { meets, misses, notMeasured };
const char* toString(TargetResult result) noexcept; ///< "meets", "misses", "not-measured"

/// What a figure is held against, and why this number.
struct Target {
    double limit = 0;
    TargetResult result = TargetResult::notMeasured;
    std::string source;
};

/// One of the five figures with two targets: the learning-loop document's of October 2025 (its list "Key Metrics to Check"), and the
/// method's, which differs where a measurement or the hardware gives a better-founded number.
struct TargetRow {
    std::string id;        ///< "memory-bandwidth", "occupancy", "kernel-duration", "warp-efficiency", "bank-conflicts"
    std::string title;     ///< "Memory bandwidth"
    std::string quantity;  ///< in the registry, see quantities.h
    std::string unit;      ///< as formatWithUnit understands
    bool isMinimum = true; ///< the target is a lower limit; else an upper one
    std::optional<double> value;
    Target document;
    Target method;
    std::string action; ///< what to do where it misses

    bool misses() const { return document.result == TargetResult::misses || method.result == TargetResult::misses; }
};

/// The five rows, in the document's order.
std::vector<TargetRow> compareWithTargets(const RunRecord& run, const MetricLimits& limits = {});

/// "at least 70 %"
std::string limitText(const TargetRow& row, const Target& target);
/// "42 %", or "not measured"
std::string valueText(const TargetRow& row);

/// [{id, title, metric, value, unit, sense, target, result, source, document: {target, result, source}, action}]; target, result and
/// source are the method's.
Json targetsToJson(const std::vector<TargetRow>& rows);

} // namespace kl::inline diagnosis
