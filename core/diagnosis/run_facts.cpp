// SPDX-License-Identifier: MIT
#include "core/diagnosis/run_facts.h"

#include "core/diagnosis/predicted_metrics.h"

#include <algorithm>
#include <cmath>

namespace kl::inline diagnosis {

RunFacts::RunFacts(const RunRecord& run, Missing missing) : run_(run)
{
    hasCounters_ = run.metrics && std::ranges::any_of(run.metrics->values, [](const auto& metric) { return metric.second.has_value(); });
    for (const LaunchFacts& launch : run.launches) {
        if (run.metrics && !run.metrics->launch.empty() && launch.entry == run.metrics->launch) {
            launch_ = &launch;
            break;
        }
        if (!launch_ || launch.gpuNs.value_or(0) > launch_->gpuNs.value_or(0))
            launch_ = &launch;
    }
    if (!hasCounters_ && launch_ && missing == Missing::predict)
        predicted_ = predictMetrics(run, *launch_);
}

std::optional<double> RunFacts::metric(MetricName name) const
{
    return value(std::string(name));
}

std::optional<double> RunFacts::perCycle(MetricName sum) const
{
    return value(std::string(sum) + ".per_cycle_elapsed");
}

std::optional<double> RunFacts::value(const std::string& name) const
{
    if (const auto predicted = predicted_.find(name); predicted != predicted_.end())
        return predicted->second;
    if (run_.metrics) {
        const auto found = run_.metrics->values.find(name);
        if (found != run_.metrics->values.end() && found->second && std::isfinite(*found->second))
            return found->second;
    }
    missed_ = true;
    return {};
}

std::optional<double> RunFacts::launchNs() const
{
    if (const auto ns = metric("gpu__time_duration.sum"); ns && *ns > 0)
        return ns;
    if (launch_ && launch_->gpuNs && *launch_->gpuNs > 0)
        return launch_->gpuNs;
    return run_.launches.size() == 1 ? sequenceNs() : std::nullopt;
}

std::optional<double> RunFacts::sequenceNs() const
{
    if (run_.timing && run_.timing->gpu.n > 0 && run_.timing->gpu.median > 0)
        return run_.timing->gpu.median;
    return run_.launches.size() <= 1 ? metric("gpu__time_duration.sum") : std::nullopt;
}

Value quotient(Value a, Value b)
{
    return a && b && *b > 0 ? Value(*a / *b) : std::nullopt;
}

Value sumValues(std::initializer_list<Value> values)
{
    Value sum;
    for (const Value& value : values)
        if (value)
            sum = sum.value_or(0) + *value;
    return sum;
}

Value findLargest(std::initializer_list<Value> values)
{
    Value best;
    for (const Value& value : values)
        if (value && (!best || *value > *best))
            best = value;
    return best;
}

Value times(Value a, double factor)
{
    return a ? Value(*a * factor) : std::nullopt;
}

} // namespace kl::inline diagnosis
