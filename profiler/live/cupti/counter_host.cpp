// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/counter_host.h"

#include "core/base/try.h"

namespace kl::inline live {
namespace {

constexpr std::size_t kKept = 8;

} // namespace

Result<MetricSelection> CounterHost::select(const MetricRequest& request)
{
    for (const auto& [requested, selection] : selections_)
        if (requested == request)
            return selection;
    KL_ASSIGN(MetricSelection selection, selectMetrics(request, *metrics_));
    if (selections_.size() >= kKept)
        selections_.erase(selections_.begin());
    selections_.emplace_back(request, selection);
    return selection;
}

} // namespace kl::inline live
