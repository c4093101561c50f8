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
    Result<std::vector<TimedPart>> parts = fromJson<std::vector<TimedPart>>(json, "phases");
    return parts ? std::move(*parts) : std::vector<TimedPart>();
}

} // namespace kl::inline protocol
