// SPDX-License-Identifier: MIT
#include "profiler/live/host/passes.h"

#include <algorithm>

namespace kl::inline live {

bool isGate(const ActivitySpan& span)
{
    return span.kind == ActivitySpan::Kind::kernel && span.name == kGateName;
}

/// What the records of one gate to the next hold: the pass itself, and whether it was cut where its check begins.
struct Between {
    std::vector<const ActivitySpan*> pass;
    bool checked = false;
};

bool checks(const ActivitySpan& span)
{
    return span.kind == ActivitySpan::Kind::kernel && span.name.starts_with(kProofPrefix);
}

void dropFlush(std::vector<const ActivitySpan*>& pass)
{
    while (!pass.empty() && pass.back()->kind == ActivitySpan::Kind::memset)
        pass.pop_back();
}

Sample makeSample(const std::vector<const ActivitySpan*>& spans)
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

std::vector<std::optional<Sample>> collectSamples(std::span<const ActivitySpan> spans, std::span<const EnqueuedPass> enqueued,
                                                  std::span<const std::size_t> activities)
{
    std::vector<Between> passes;
    for (const ActivitySpan& span : spans) {
        if (isGate(span))
            passes.emplace_back();
        else if (passes.empty() || passes.back().checked)
            continue;
        else if (checks(span))
            passes.back().checked = true;
        else
            passes.back().pass.push_back(&span);
    }
    for (Between& between : passes)
        dropFlush(between.pass);
    std::vector<std::optional<Sample>> samples(activities.size());
    if (passes.size() != activities.size() || enqueued.size() != activities.size())
        return samples;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        // Its records precede its gate.
        const bool nextPrimes = !passes[i].checked && i + 1 < passes.size() && enqueued[i + 1].primed;
        std::vector<const ActivitySpan*>& pass = passes[i].pass;
        if (activities[i] == 0 || pass.size() != activities[i] + (nextPrimes ? activities[i + 1] : 0))
            continue;
        pass.resize(activities[i]);
        samples[i] = makeSample(pass);
        samples[i]->clockMhz = enqueued[i].clockMhz;
    }
    return samples;
}

} // namespace kl::inline live
