// SPDX-License-Identifier: MIT
#include "profiler/protocol/metric_messages.h"

#include "core/codec/fields.h"
#include "profiler/protocol/message_codec.h"

namespace kl::inline protocol {

template <class V> void fields(V& v, MetricsRequest& m)
{
    v("chip", m.chip);
    v("tier", m.tier);
    v("metrics", m.metrics);
    v("max_passes", m.maxPasses);
    v("search", m.search);
    v("limit", m.limit);
}
template <class V> void fields(V& v, ChipMetric& m)
{
    v("name", m.name);
    v("description", m.description);
    v("hardware_unit", m.hardwareUnit);
    v("unit", m.unit);
    v("rollups", m.rollups);
    v("passes", m.passes);
}
template <class V> void fields(V& v, MetricsAnswer& m)
{
    v("chip", m.chip);
    v("chips", m.chips);
    v("names", m.names);
    v("spelled", m.spelled);
    v("missing", m.missing);
    v("unknown", m.unknown);
    v("passes", m.passes);
    v("found", m.found);
    v("matches", m.matches);
}

Json toJsonMessage(const MetricsRequest& request)
{
    return toJson(request);
}
Json toJsonMessage(const MetricsAnswer& answer)
{
    return toJson(answer);
}
template <> Result<MetricsRequest> fromJsonMessage<MetricsRequest>(const Json& json)
{
    return fromJson<MetricsRequest>(json, "metrics request");
}
template <> Result<MetricsAnswer> fromJsonMessage<MetricsAnswer>(const Json& json)
{
    return fromJson<MetricsAnswer>(json, "metrics answer");
}

} // namespace kl::inline protocol
