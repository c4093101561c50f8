// SPDX-License-Identifier: MIT
#include "profiler/protocol/timing_messages.h"

#include "core/codec/fields.h"

namespace kl::inline protocol {

template <class V> void fields(V& v, TimedPart& p)
{
    v("name", p.name);
    v("begin_ns", p.beginNs);
    v("end_ns", p.endNs);
}

Json timingsToJson(const std::vector<TimedPart>& parts)
{
    return toJson(parts);
}

std::vector<TimedPart> timingsFromJson(const Json& json)
{
    constexpr std::size_t kMostName = 200; // bytes
    Result<std::vector<TimedPart>> parts = fromJson<std::vector<TimedPart>>(json, "phases");
    if (!parts)
        return {};
    std::erase_if(*parts,
                  [](const TimedPart& part) { return part.beginNs < 0 || part.endNs < part.beginNs || part.name.size() > kMostName; });
    return std::move(*parts);
}

} // namespace kl::inline protocol
