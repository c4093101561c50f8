// SPDX-License-Identifier: MIT
#include "core/timeline/report_codec.h"

#include "core/codec/model_fields.h"

namespace kl::inline timelines {

template <class V> void fields(V& v, Segment& s)
{
    v("begin", s.begin);
    v("end", s.end);
    v("kind", s.kind);
    v("label", s.label);
    v("line", s.line);
}

template <class V> void fields(V& v, RoleWait& w)
{
    v("label", w.label);
    v("line", w.line);
    v("sync", w.sync);
    v("count", w.count);
    v("cycles", w.cycles);
    v("share", w.share);
    v("waits_for", w.waitsFor);
    v("waits_for_share", w.waitsForShare);
}

template <class V> void fields(V& v, RoleRow& r)
{
    v("name", r.name);
    v("warps", r.warps);
    v("work", r.work);
    v("wait", r.wait);
    v("async", r.async);
    v("wait_for_others", r.waitForOthers);
    v("path", r.path);
    v("waits", r.waits);
    v("segments", r.segments);
}

template <class V> void fields(V& v, RoleOverlap& o)
{
    v("a", o.a);
    v("b", o.b);
    v("share", o.share);
}

Json reportToJson(const TimelineReport& report)
{
    Json json = Json::object();
    json["finding"] = {{"sentence", report.sentence},
                       {"waiting", report.waiting},
                       {"waited_for", report.waitedFor.empty() ? Json(nullptr) : Json(report.waitedFor)}};
    json["roles"] = toJson(report.roles);
    json["overlap"] = toJson(report.overlaps);
    json["critical_path"] = {{"copies", report.pathCopies}, {"handover", report.pathHandover}};
    json["block"] = {{"index", report.shownBlock}, {"cycles", report.spanCycles}};
    json["cycles_per_ns"] = report.cyclesPerNs > 0 ? Json(report.cyclesPerNs) : Json(nullptr);
    json["overhead"] = toJson(report.overhead);
    json["notes"] = report.notes;
    return json;
}

} // namespace kl::inline timelines
