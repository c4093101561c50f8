// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/metric_name.h"
#include "core/model/run.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kl::inline diagnosis {

/// The inputs of the quantities: one run, its hardware metrics by name, and the launch that they belong to. Borrows the run.
class RunFacts {
public:
    enum class Missing { stay, predict };

    /// `missing`: where a run has no hardware metrics at all, those that follow from its code are used instead (predicted_metrics.h).
    explicit RunFacts(const RunRecord& run, Missing missing = Missing::stay);

    const RunRecord& run() const noexcept { return run_; }

    /// Value of a CUPTI metric; unset when it was not collected, is missing, or is not finite, and is not predicted.
    std::optional<double> metric(MetricName name) const;
    /// The rate per elapsed cycle that reports of Nsight Compute hold in place of a sum; nothing where they do not.
    std::optional<double> perCycle(MetricName sum) const;
    /// Whether a metric was looked up in vain since the last call: tells a figure that was not counted from one that has no meaning here.
    bool takeMissed() const noexcept { return std::exchange(missed_, false); }
    /// Whether any hardware metric has a value: without, only the inferred alternatives of the tree are tested.
    bool hasCounters() const noexcept { return hasCounters_; }

    /// The launch that the metrics describe; without metrics the longest, or the first. Null when none is known.
    const LaunchFacts* launch() const noexcept { return launch_; }

    /// GPU time of the measured launch in the profiler, ns; without it that of the launch by activity records.
    std::optional<double> launchNs() const;
    /// GPU time of the whole sequence, ns, L2 cold.
    std::optional<double> sequenceNs() const;

private:
    std::optional<double> value(const std::string& name) const;

    const RunRecord& run_;
    const LaunchFacts* launch_ = nullptr;
    bool hasCounters_ = false;
    std::map<std::string, double> predicted_;
    mutable bool missed_ = false;
};

using Value = std::optional<double>;

/// a / b; unset when either is missing or b is not positive.
Value quotient(Value a, Value b);
/// Sum of those that have a value; unset when none has.
Value sumValues(std::initializer_list<Value> values);
/// Largest of those that have a value; unset when none has.
Value findLargest(std::initializer_list<Value> values);
Value times(Value a, double factor);

} // namespace kl::inline diagnosis
