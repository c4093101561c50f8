// SPDX-License-Identifier: MIT
#include "profiler/live/host/passes.h"

#include <algorithm>

namespace kl {

bool isGate(const ActivitySpan& span)
{
    return span.kind == ActivitySpan::Kind::kernel && span.name == kGateName;
}

void dropFlush(std::vector<const ActivitySpan*>& pass)
{
    while (!pass.empty() && pass.back()->kind == ActivitySpan::Kind::memset)
        pass.pop_back();
}

Sample sampleOf(const std::vector<const ActivitySpan*>& spans)
{
    Sample sample;
    std::uint64_t first = spans.front()->startNs;
    std::uint64_t last = spans.front()->endNs;
    for (const ActivitySpan* span : spans) {
        first = std::min(first, span->startNs);
        last = std::max(last, span->endNs);
        sample.partsNs.push_back(static_cast<double>(span->endNs - span->startNs));
    }
    sample.spanNs = static_cast<double>(last - first);
    return sample;
}

std::vector<std::optional<Sample>> samplesOf(std::span<const ActivitySpan> spans, std::span<const EnqueuedPass> enqueued,
                                             std::span<const std::size_t> activities)
{
    std::vector<std::vector<const ActivitySpan*>> passes;
    for (const ActivitySpan& span : spans) {
        if (isGate(span))
            passes.emplace_back();
        else if (!passes.empty())
            passes.back().push_back(&span);
    }
    std::for_each(passes.begin(), passes.end(), dropFlush);
    std::vector<std::optional<Sample>> samples(activities.size());
    if (passes.size() != activities.size() || enqueued.size() != activities.size())
        return samples;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const bool nextPrimes = i + 1 < passes.size() && enqueued[i + 1].primed; // its records stand before its gate
        if (activities[i] == 0 || passes[i].size() != activities[i] + (nextPrimes ? activities[i + 1] : 0))
            continue;
        passes[i].resize(activities[i]);
        samples[i] = sampleOf(passes[i]);
        samples[i]->clockMhz = enqueued[i].clockMhz;
    }
    return samples;
}

} // namespace kl
