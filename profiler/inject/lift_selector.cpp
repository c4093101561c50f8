// SPDX-License-Identifier: MIT
#include "profiler/inject/lift_selector.h"

#include <fmt/format.h>
#include <utility>

namespace kl::inject {

LiftSelector::LiftSelector(TraceConfig config) : config_(std::move(config))
{
    if (Result<KernelPattern> pattern = KernelPattern::parse(config_.kernel))
        pattern_ = std::move(*pattern);
}

std::optional<int> LiftSelector::next(const std::string& kernel, const std::vector<std::string>& ranges, bool capturing)
{
    const int index = launches_[kernel]++;
    if (found_ || !pattern_ || !pattern_->matches(demangle(kernel)) || !config_.ranges.includes(ranges))
        return {};
    if (capturing) {
        ++captured_;
        return {};
    }
    if (skipped_ < config_.skip) {
        ++skipped_;
        return {};
    }
    found_ = true;
    return index;
}

std::string LiftSelector::describeMissing() const
{
    if (found_)
        return {};
    int launches = 0;
    for (const auto& [kernel, count] : launches_)
        launches += count;
    std::string text = fmt::format("It launched {} kernel{} {} time{}, and {} of the launches matched.", launches_.size(),
                                   launches_.size() == 1 ? "" : "s", launches, launches == 1 ? "" : "s", skipped_ + captured_);
    if (skipped_ > 0)
        text += fmt::format(" {} were skipped.", skipped_);
    if (captured_ > 0)
        text += fmt::format(" {} were recorded into a CUDA graph instead of being executed.", captured_);
    if (graphs_ > 0)
        text += fmt::format(" It launched {} CUDA graph{}, whose kernels cannot be lifted one by one.", graphs_, graphs_ == 1 ? "" : "s");
    return text;
}

} // namespace kl::inject
