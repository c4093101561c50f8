// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/model_fields.h"
#include "core/model/timeline.h"

/// JSON shapes of a recorded timeline.
namespace kl {

template <class V> void fields(V& v, MarkSite& s)
{
    v("id", s.id);
    v("kind", s.kind);
    v("sync", s.sync);
    v("name", s.name);
    v("line", s.line);
    v("copies", s.copies);
}

/// Marks are many: three numbers each in one list, the site, cycles since the mark before, and the object.
inline void marksField(fields_detail::Writer& v, const std::vector<TimelineMark>& marks)
{
    Json list = Json::array();
    std::int64_t before = 0;
    for (const TimelineMark& mark : marks) {
        list.push_back(mark.site);
        list.push_back(mark.cycle - before);
        list.push_back(mark.object);
        before = mark.cycle;
    }
    v.out["marks"] = std::move(list);
}

inline void marksField(fields_detail::Reader& v, std::vector<TimelineMark>& marks)
{
    std::vector<std::int64_t> list;
    v("marks", list);
    if (list.size() % 3 != 0)
        throw fields_detail::BadField("marks is not a list of three numbers for each mark");
    std::int64_t cycle = 0;
    for (std::size_t i = 0; i < list.size(); i += 3) {
        cycle += list[i + 1];
        marks.push_back({static_cast<int>(list[i]), cycle, static_cast<std::uint32_t>(list[i + 2])});
    }
}

template <class V> void fields(V& v, WarpMarks& w)
{
    v("block", w.block);
    v("warp", w.warp);
    v("sm", w.sm);
    v("begin_cycle", w.beginCycle);
    v("begin_ns", w.beginNs);
    v("end_cycle", w.endCycle);
    v("end_ns", w.endNs);
    v("lost", w.lost);
    marksField(v, w.marks);
}

template <class V> void fields(V& v, Timeline& t)
{
    v("entry", t.entry);
    v("grid_blocks", t.gridBlocks);
    v("block_warps", t.blockWarps);
    v("recorded_blocks", t.recordedBlocks);
    v("automatic", t.automatic);
    v("sites", t.sites);
    v("warps", t.warps);
    v("overhead", t.overhead);
    v("no_overhead", t.noOverhead);
    v("notes", t.notes);
}

} // namespace kl
