// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/fields.h"
#include "core/codec/profile_fields.h"
#include "core/model/model_words.h"

/// JSON shapes of the model, as the command line, the store and the worker protocol write them.
namespace kl {

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

template <class V> void fields(V& v, Energy& e)
{
    v("energy_per_launch_j", e.perLaunchJ);
    v("window_s", e.windowSeconds);
    v("launches", e.launches);
    v("updates", e.updates);
    v("reason", e.reason);
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
    v("energy", t.energy);
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
    v("peer_max_abs", s.peerMaxAbs);
    v("mean_abs", s.meanAbs);
}

template <class V> void fields(V& v, Witness& w)
{
    v("what", w.what);
    v("pass", w.pass);
    v("buffer", w.buffer);
    v("index", w.index);
    v("expected", w.expected);
    v("got", w.got);
    v("address", w.address);
    v("global", w.global);
}

template <class V> void fields(V& v, PassProof& p)
{
    v("input_sets", p.inputSets);
    v("passes", p.passes);
    v("checked", p.checked);
    v("new_inputs", p.newInputs);
    v("note", p.note);
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
    v("peer_max_abs", c.peerMaxAbs);
    v("mean_abs", c.meanAbs);
    v("witness", c.witness);
    v("proof", c.proof);
}

template <class V> void fields(V& v, Baseline& b)
{
    v("name", b.name);
    v("gpu_ns", b.gpu);
    v("host_ns", b.host);
    v("version", b.version);
    v("unavailable", b.unavailable);
    v("id", b.id);
    v("kernels_ns", b.kernelsNs);
    v("kernels", b.kernels);
    v("max_abs", b.maxAbs);
    v("rel_l2", b.relL2);
    v("memory_bytes", b.memoryBytes);
}

template <class V> void fields(V& v, Warning& w)
{
    v("code", w.code);
    v("text", w.text);
    v.steps("next_steps", w.next);
}

template <class V> void fields(V& v, PathEntry& p)
{
    v("node", p.node);
    v.renamed("metric", p.metric, {.before = "modelled", .now = "modeled"}); // until 0.2.0
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
    v("kind", f.kind);
    v("cases", f.cases);
    v("gain", f.gain);
    v.steps("next", f.next);
}

template <class V> void fields(V& v, Finding& f)
{
    v("class", f.classId);
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
    v("tree_version", d.treeVersion);
}

template <class V> void fields(V& v, Ratio& r)
{
    v("value", r.value);
    v("low", r.low);
    v("high", r.high);
}

template <class V> void fields(V& v, EnergyComparison& e)
{
    v("ratio", e.ratio);
    v("a_j", e.aJ);
    v("b_j", e.bJ);
    v("blocks", e.blocks);
    v("reason", e.reason);
}

template <class V> void fields(V& v, WallComparison& w)
{
    v("ratio", w.ratio);
    v("a_ns", w.aNs);
    v("b_ns", w.bNs);
}

template <class V> void fields(V& v, NoiseFloor& n)
{
    v("value", n.value);
    v("from", n.from);
}

template <class V> void fields(V& v, RefutedSide& r)
{
    v("side", r.side);
    v("result", r.result);
    v("witness", r.witness);
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
    v.steps("next_steps", c.next);
}

} // namespace kl
