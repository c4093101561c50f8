// SPDX-License-Identifier: MIT
#include "profiler/live/work/input_cache.h"

#include "core/base/timings.h"
#include "kernels/data/numbers.h"

#include <algorithm>

namespace kl::inline live {

InputCache::Content InputCache::content(const BufferSpec& spec, std::uint64_t seed, std::size_t position)
{
    std::erase_if(entries_, [](const Entry& entry) { return entry.content.expired(); });
    for (const Entry& entry : entries_)
        if (entry.seed == seed && entry.position == position && entry.spec == spec)
            if (Content known = entry.content.lock()) {
                keep(known);
                return known;
            }
    const Timed time("inputs: generate");
    const Content made = std::make_shared<const std::vector<std::byte>>(fillBuffer(spec, seed, position));
    entries_.push_back({spec, seed, position, made});
    keep(made);
    return made;
}

void InputCache::keep(const Content& content)
{
    std::erase(latest_, content);
    latest_.push_back(content);
    std::size_t bytes = 0;
    for (const Content& one : latest_)
        bytes += one->size();
    for (; bytes > keptBytes_ && !latest_.empty(); latest_.pop_front())
        bytes -= latest_.front()->size();
}

} // namespace kl::inline live
