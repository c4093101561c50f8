// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_selector.h"

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
    if (known.samples > 0) {
        --known.samples;
        return Choice{index, Profiling::samples};
    }
    if (std::exchange(known.executions, false))
        return Choice{index, Profiling::executions};
    if (known.alone > 0) {
        --known.alone;
        return Choice{index, Profiling::alone};
    }
    if (known.profiled || index < config_.skip || profiled_ >= config_.count)
        return {};
    known.profiled = true;
    known.alone = kLaunchesAlone;
    ++profiled_;
    return Choice{index, Profiling::counters};
}

void LaunchSelector::wantSamples(const std::string& kernel, int launches)
{
    kernels_[kernel].samples = launches;
    kernels_[kernel].executions = true;
}

} // namespace kl
