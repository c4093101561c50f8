// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/code_codec.h"
#include "core/codec/fields.h"
#include "core/model/run.h"

/// JSON shapes of what a profile gathers: launches, metrics, source lines, other people's programs and other tools' reports.
namespace kl {

template <class V> void fields(V& v, WarpAccesses& a)
{
    v("requests", a.requests);
    v("sectors", a.sectors);
    v("ideal", a.ideal);
    v("unknown", a.unknown);
}

template <class V> void fields(V& v, WarpModel& w)
{
    v("warps", w.warps);
    v("complete", w.complete);
    v("instructions", w.instructions);
    v("active_threads", w.activeThreads);
    v("unknown_branches", w.unknownBranches);
    v("executed", w.executed);
    v("loads", w.loads);
    v("stores", w.stores);
    v("block_sectors", w.blockSectors);
    v("shared_requests", w.sharedRequests);
    v("shared_wavefronts", w.sharedWavefronts);
    v("shared_ideal", w.sharedIdeal);
    v("atomic_requests", w.atomicRequests);
    v("atomic_threads", w.atomicThreads);
    v("atomic_addresses", w.atomicAddresses);
}

template <class V> void fields(V& v, LaunchFacts& f)
{
    v("entry", f.entry);
    v("grid_blocks", f.gridBlocks);
    v("block_threads", f.blockThreads);
    v("registers", f.registers);
    v("local_bytes", f.localBytes);
    v("static_smem", f.staticSmem);
    v("dynamic_smem", f.dynamicSmem);
    v("blocks_per_sm", f.blocksPerSm);
    v("theoretical_occupancy", f.theoreticalOccupancy);
    v("occupancy_limiter", f.occupancyLimiter);
    v("waves", f.waves);
    v("cluster_blocks", f.clusterBlocks);
    v("gpu_ns", f.gpuNs);
    v("opcodes", f.opcodes);
    v("warp", f.warp);
}

template <class V> void fields(V& v, PassPlan& p)
{
    v("passes", p.passes);
    v("ran", p.ran);
}

template <class V> void fields(V& v, MetricSet& m)
{
    v("tier", m.tier);
    v("metrics", m.values);
    v("missing", m.missing);
    v("spelled", m.spelled);
    v("plan", m.plan);
    v("launch", m.launch);
    v("range_mode", m.rangeMode);
    v("replay_mode", m.replayMode);
    v("cache_control", m.cacheControl);
    v("clock_mhz", m.clockMhz);
}

template <class V> void fields(V& v, PmSeries& s)
{
    v("metric", s.metric);
    v("values", s.values);
}

template <class V> void fields(V& v, PmPass& p)
{
    v("end_ns", p.endNs);
    v("series", p.series);
}

template <class V> void fields(V& v, PmSampling& s)
{
    v("launch", s.launch);
    v("interval_ns", s.intervalNs);
    v("passes", s.passes);
    v("unavailable", s.unavailable);
}

template <class V> void fields(V& v, Experiment& e)
{
    v("id", e.id);
    v("change", e.change);
    v("ratio", e.ratio);
    v("n", e.n);
    v("unavailable", e.unavailable);
}

template <class V> void fields(V& v, SampledInstruction& i)
{
    v("function", i.function);
    v("offset", i.offset);
    v("file", i.file);
    v("line", i.line);
    v("samples", i.samples);
    v("stalls", i.stalls);
    v("executed", i.executed);
    v("threads", i.threads);
}

template <class V> void fields(V& v, SourceLine& l)
{
    v("file", l.file);
    v("line", l.line);
    v("samples", l.samples);
    v("share", l.share);
    v("stalls", l.stalls);
    v("executed", l.executed);
    v("threads", l.threads);
    v("waits_for", l.waitsFor);
}

/// Machine code has a form of its own; no key without it.
inline void codeField(fields_detail::Writer& v, const SharedCode& code)
{
    if (code)
        v.out["code"] = codeToJson(code);
}

inline void codeField(fields_detail::Reader& v, SharedCode& code)
{
    const auto found = v.in.find("code");
    if (found == v.in.end())
        return;
    Result<SharedCode> read = codeFromJson(*found);
    if (!read)
        throw fields_detail::BadField(read.error().message);
    code = std::move(*read);
}

template <class V> void fields(V& v, SourceProfile& s)
{
    v("launch", s.launch);
    v("samples", s.samples);
    v("dropped", s.dropped);
    v("period_cycles", s.periodCycles);
    v("lines", s.lines);
    v("instructions", s.instructions);
    v("texts", s.texts);
    codeField(v, s.code);
    v("unavailable", s.unavailable);
    v("counts_unavailable", s.countsUnavailable);
}

template <class V> void fields(V& v, ProgramFacts& p)
{
    v("command", p.command);
    v("kernel", p.kernel);
    v("launches", p.launches);
    v("total_ns", p.totalNs);
    v("share", p.share);
    v("ranges", p.ranges);
    v("profiled_launch", p.profiledLaunch);
}

template <class V> void fields(V& v, RuleFocus& f)
{
    v("metric", f.metric);
    v("value", f.value);
    v("info", f.info);
}

template <class V> void fields(V& v, RulePlace& p)
{
    v("file", p.file);
    v("line", p.line);
    v("text", p.text);
}

template <class V> void fields(V& v, RuleResult& r)
{
    v("section", r.section);
    v("rule", r.rule);
    v("title", r.title);
    v.renamed("kind", r.kind, {.before = "optimisation", .now = "optimization"}); // until 0.2.0
    v("text", r.text);
    v("speedup_percent", r.speedupPercent);
    v("speedup_scope", r.speedupScope);
    v("focus", r.focus);
    v("places", r.places);
}

template <class V> void fields(V& v, ImportFacts& i)
{
    v("file", i.file);
    v("file_hash", i.fileHash);
    v("index", i.index);
    v("format", i.format);
    v("tool", i.tool);
    v("kind", i.kind);
    v("kernel", i.kernel);
    v("mangled", i.mangled);
    v("process", i.process);
    v("pid", i.pid);
    v("host", i.host);
    v("command", i.command);
    v("grid", i.grid);
    v("block", i.block);
    v("context", i.context);
    v("stream", i.stream);
    v("ranges", i.ranges);
    v("texts", i.texts);
    v("rules", i.rules);
}

} // namespace kl
