// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/fields.h"
#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"

/// JSON shapes of the model, as the command line, the store and the worker protocol write them.
namespace kl {

constexpr auto enumWords(ResultStatus)
{
    using S = ResultStatus;
    return std::array<std::pair<S, const char*>, 5>{{{S::ok, "ok"},
                                                     {S::computationFailed, "computation_failed"},
                                                     {S::validationFailed, "validation_failed"},
                                                     {S::compilationFailed, "compilation_failed"},
                                                     {S::deviceLimitsExceeded, "device_limits_exceeded"}}};
}
constexpr auto enumWords(CorrectnessResult)
{
    using C = CorrectnessResult;
    return std::array<std::pair<C, const char*>, 3>{{{C::notChecked, "not-checked"}, {C::pass, "pass"}, {C::fail, "fail"}}};
}
constexpr auto enumWords(Source)
{
    return std::array<std::pair<Source, const char*>, 3>{{{Source::live, "live"}, {Source::sample, "sample"}, {Source::import, "import"}}};
}
constexpr auto enumWords(Verdict)
{
    using V = Verdict;
    return std::array<std::pair<V, const char*>, 5>{{{V::faster, "faster"},
                                                     {V::slower, "slower"},
                                                     {V::equivalent, "equivalent"},
                                                     {V::inconclusive, "inconclusive"},
                                                     {V::notComparable, "not-comparable"}}};
}
constexpr auto enumWords(Requirement)
{
    return std::array<std::pair<Requirement, const char*>, 2>{{{Requirement::required, "required"}, {Requirement::optional, "optional"}}};
}
constexpr auto enumWords(CheckResult)
{
    using C = CheckResult;
    return std::array<std::pair<C, const char*>, 3>{{{C::pass, "pass"}, {C::fail, "fail"}, {C::skipped, "skipped"}}};
}

/// The word of an enum value as it stands in JSON.
template <class E> const char* wordOf(E value)
{
    for (const auto& [item, word] : enumWords(E{}))
        if (item == value)
            return word;
    return "";
}

/// Inverse of wordOf; the enum's first value for any other word.
template <class E> E enumFrom(const std::string& word)
{
    for (const auto& [item, text] : enumWords(E{}))
        if (word == text)
            return item;
    return E{};
}

template <class V, class Tag> void fields(V& v, Id<Tag>& id)
{
    v("id", id.text);
}

template <class V> void fields(V& v, DeviceInfo& d)
{
    v("uuid", d.uuid);
    v("name", d.name);
    v("cc_major", d.ccMajor);
    v("cc_minor", d.ccMinor);
    v("sm_count", d.smCount);
    v("memory_bytes", d.memoryBytes);
    v("l2_bytes", d.l2Bytes);
    v("smem_per_block_optin", d.smemPerBlockOptin);
    v("smem_per_sm", d.smemPerSm);
    v("smem_reserved_per_block", d.smemReservedPerBlock);
    v("max_threads_per_sm", d.maxThreadsPerSm);
    v("max_blocks_per_sm", d.maxBlocksPerSm);
    v("regs_per_sm", d.regsPerSm);
    v("clock_mhz", d.clockMhz);
    v("memory_clock_mhz", d.memoryClockMhz);
    v("memory_bus_bits", d.memoryBusBits);
    v("chip", d.chip);
    v("driver_version", d.driverVersion);
    v("cuda_driver_version", d.cudaDriverVersion);
}

template <class V> void fields(V& v, Summary& s)
{
    v("median", s.median);
    v("low", s.low);
    v("high", s.high);
    v("n", s.n);
}

template <class V> void fields(V& v, Timing& t)
{
    v("gpu_ns", t.gpu);
    v("gpu_ns_hot", t.gpuHot);
    v("host_ns", t.host);
    v("clock_mhz", t.clockMhz);
    v("busy_fraction", t.busyFraction);
    v("samples", t.samples);
    v("clocks", t.clocks);
    v("hot_samples", t.hotSamples);
    v("host_samples", t.hostSamples);
    v("discarded", t.discarded);
    v("stopped_by", t.stoppedBy);
    v("temperature_c", t.temperatureC);
    v("power_w", t.powerW);
    v("throttle_reasons", t.throttleReasons);
}

template <class V> void fields(V& v, Mismatch& m)
{
    v("buffer", m.buffer);
    v("index", m.index);
    v("expected", m.expected);
    v("got", m.got);
    v("fault", m.fault);
    v("element", m.element);
    v("thread", m.thread);
    v("thread_by", m.threadBy);
}

template <class V> void fields(V& v, SuiteRow& s)
{
    v("problem", s.problem);
    v("pass", s.pass);
    v("max_abs", s.maxAbs);
    v("rel_l2", s.relL2);
    v("nonfinite", s.nonfinite);
    v("unwritten", s.unwritten);
    v("reason", s.reason);
    v("first_wrong", s.firstWrong);
}

template <class V> void fields(V& v, Correctness& c)
{
    v("result", c.result);
    v("max_abs", c.maxAbs);
    v("rel_l2", c.relL2);
    v("nonfinite", c.nonfinite);
    v("unwritten", c.unwritten);
    v("reason", c.reason);
    v("suite", c.suite);
    v("first_wrong", c.firstWrong);
    v("seed", c.seed);
}

template <class V> void fields(V& v, Baseline& b)
{
    v("name", b.name);
    v("gpu_ns", b.gpu);
    v("host_ns", b.host);
    v("version", b.version);
    v("unavailable", b.unavailable);
}

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
    v("gpu_ns", f.gpuNs);
    v("opcodes", f.opcodes);
    v("warp", f.warp);
}

template <class V> void fields(V& v, Warning& w)
{
    v("code", w.code);
    v("text", w.text);
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

template <class V> void fields(V& v, SourceProfile& s)
{
    v("launch", s.launch);
    v("samples", s.samples);
    v("dropped", s.dropped);
    v("period_cycles", s.periodCycles);
    v("lines", s.lines);
    v("instructions", s.instructions);
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
    v("kind", r.kind);
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

template <class V> void fields(V& v, PathEntry& p)
{
    v("node", p.node);
    v("metric", p.metric);
    v("value", p.value);
    v("threshold", p.threshold);
    v("sense", p.sense);
    v("taken", p.taken);
}

template <class V> void fields(V& v, Estimate& e)
{
    v("runtime_reduction", e.runtimeReduction);
    v("how", e.how);
}

template <class V> void fields(V& v, Fix& f)
{
    v("id", f.id);
    v("title", f.title);
    v("pattern", f.pattern);
    v("confidence", f.confidence);
    v("variant", f.variant);
    v("why", f.why);
}

template <class V> void fields(V& v, Finding& f)
{
    v("class", f.klass);
    v("title", f.title);
    v("priority", f.priority);
    v("confidence", f.confidence);
    v("inferred", f.inferred);
    v("path", f.path);
    v("estimate", f.estimate);
    v("fixes", f.fixes);
}

template <class V> void fields(V& v, Diagnosis& d)
{
    v("finding", d.finding);
    v("secondary", d.secondary);
}

template <class V> void fields(V& v, Ratio& r)
{
    v("value", r.value);
    v("low", r.low);
    v("high", r.high);
}

template <class V> void fields(V& v, NoiseFloor& n)
{
    v("value", n.value);
    v("from", n.from);
}

template <class V> void fields(V& v, AbBlock& b)
{
    v("a", b.a);
    v("b", b.b);
}

template <class V> void fields(V& v, Difference& d)
{
    v("name", d.name);
    v("a", d.a);
    v("b", d.b);
    v("change", d.change);
}

template <class V> void fields(V& v, EnvCheck& c)
{
    v("id", c.id);
    v("requirement", c.requirement);
    v("result", c.result);
    v("found", c.found);
    v("why", c.why);
    v("fix", c.fix);
}

} // namespace kl
