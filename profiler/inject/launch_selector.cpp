// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_selector.h"

#include <algorithm>
#include <utility>

namespace kl::inject {

LaunchSelector::LaunchSelector(TraceConfig config) : config_(std::move(config))
{
    if (Result<KernelPattern> pattern = KernelPattern::parse(config_.kernel))
        pattern_ = std::move(*pattern);
}

bool LaunchSelector::wants(const std::string& kernel) const
{
    return (config_.counters || config_.executions) && pattern_ && explainNotReplayed(kernel).empty() &&
           pattern_->matches(demangle(kernel));
}

bool LaunchSelector::wants(const std::string& kernel, const LaunchShape& shape) const
{
    return config_.wanted.empty() || std::ranges::find(config_.wanted, WantedLaunch{kernel, shape}) != config_.wanted.end();
}

std::optional<LaunchSelector::Choice> LaunchSelector::next(const std::string& kernel, const LaunchShape& shape, bool possible)
{
    const auto [found, fresh] = kernels_.try_emplace(kernel);
    Known& known = found->second;
    if (fresh)
        known.wanted = wants(kernel);
    const int index = known.launches++;
    if (!possible || !known.wanted || isOutOfTime())
        return {};
    if (!known.ahead.contains(shape)) {
        if (index < config_.skip || chosen_ >= config_.count || !wants(kernel, shape))
            return {};
        ++chosen_;
        std::vector<Profiling>& plan = known.ahead[shape];
        plan.assign(kLaunchesAlone, Profiling::alone);
        if (config_.source && !known.sampled) {
            known.sampled = shape;
            plan.insert(plan.end(), {Profiling::executions, Profiling::counters, Profiling::samples});
        } else {
            if (config_.executions)
                plan.push_back(Profiling::executions);
            if (config_.counters)
                plan.push_back(Profiling::counters);
        }
    }
    std::vector<Profiling>& plan = known.ahead[shape];
    if (plan.empty())
        return {};
    const Profiling how = plan.back();
    plan.pop_back();
    return Choice{index, how};
}

void LaunchSelector::wantSamples(const std::string& kernel, int launches)
{
    Known& known = kernels_[kernel];
    if (!known.sampled)
        return;
    std::vector<Profiling>& ahead = known.ahead[*known.sampled];
    ahead.insert(std::ranges::find(ahead, Profiling::executions), static_cast<std::size_t>(launches), Profiling::samples);
}

} // namespace kl::inject
