// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_selector.h"

#include <algorithm>
#include <utility>

namespace kl {

LaunchSelector::LaunchSelector(TraceConfig config) : config_(std::move(config))
{
    if (Result<KernelPattern> pattern = KernelPattern::parse(config_.kernel))
        pattern_ = std::move(*pattern);
}

std::optional<LaunchSelector::Choice> LaunchSelector::next(const std::string& kernel, bool possible)
{
    const auto [found, fresh] = kernels_.try_emplace(kernel);
    Known& known = found->second;
    if (fresh)
        known.wanted = pattern_ && whyNotReplayed(kernel).empty() && pattern_->matches(demangled(kernel));
    const int index = known.launches++;
    if (!possible || !known.wanted || outOfTime())
        return {};
    if (!known.chosen && index >= config_.skip && chosen_ < config_.count) {
        known.chosen = true;
        ++chosen_;
        known.ahead.assign(kLaunchesAlone, Profiling::alone);
        if (config_.source)
            known.ahead.insert(known.ahead.end(), {Profiling::executions, Profiling::counters, Profiling::samples});
        else
            known.ahead.push_back(Profiling::counters);
    }
    if (known.ahead.empty())
        return {};
    const Profiling how = known.ahead.back();
    known.ahead.pop_back();
    return Choice{index, how};
}

void LaunchSelector::wantSamples(const std::string& kernel, int launches)
{
    std::vector<Profiling>& ahead = kernels_[kernel].ahead;
    ahead.insert(std::ranges::find(ahead, Profiling::executions), static_cast<std::size_t>(launches), Profiling::samples);
}

} // namespace kl
