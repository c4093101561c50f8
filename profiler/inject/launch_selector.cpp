// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_selector.h"

namespace kl {

LaunchSelector::LaunchSelector(TraceConfig config) : config_(std::move(config))
{
    if (Result<KernelPattern> pattern = KernelPattern::parse(config_.kernel))
        pattern_ = std::move(*pattern);
}

std::optional<int> LaunchSelector::next(const std::string& kernel, bool possible)
{
    const auto [found, fresh] = kernels_.try_emplace(kernel);
    Known& known = found->second;
    if (fresh)
        known.wanted = pattern_ && whyNotReplayed(kernel).empty() && pattern_->matches(demangled(kernel));
    const int index = known.launches++;
    if (!possible || !known.wanted || known.profiled || index < config_.skip || profiled_ >= config_.count || outOfTime())
        return {};
    known.profiled = true;
    ++profiled_;
    return index;
}

} // namespace kl
