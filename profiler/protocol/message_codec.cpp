// SPDX-License-Identifier: MIT
#include "profiler/protocol/message_codec.h"

#include "core/base/ids.h"
#include "core/codec/json_read.h"
#include "core/codec/model_fields.h"
#include "core/codec/timeline_fields.h"
#include "kernels/model/work_fields.h"

namespace kl::inline protocol {

template <class V> void fields(V& v, BufferSpec& b)
{
    v("name", b.name);
    v("type", b.type);
    v("count", b.count);
    v("role", b.role);
    v("fill", b.fill);
    v("scale", b.scale);
    v("content", b.content);
    v("packed", b.packed);
    v("address", b.address);
    v("after", b.after);
}
template <class V> void fields(V& v, TensorMapSpec& m)
{
    v("dims", m.dims);
    v("strides", m.strides);
    v("box", m.box);
    v("element_strides", m.elementStrides);
    v("swizzle", m.swizzle);
    v("interleave", m.interleave);
    v("l2_promotion", m.promotion);
    v("oob_fill", m.outside);
}
template <class V> void fields(V& v, ArgSpec& a)
{
    v("buffer", a.buffer);
    v("scalar", a.scalarType);
    v("value", a.value);
    v("tensor_map", a.map);
}
template <class V> void fields(V& v, LaunchSpec& l)
{
    v("entry", l.entry);
    v("grid", l.grid);
    v("block", l.block);
    v("dynamic_smem", l.dynamicSmem);
    v("args", l.args);
    v("repeat", l.repeat);
    v("cluster", l.cluster);
    v("cooperative", l.cooperative);
    v("programmatic", l.programmatic);
    v("parameters", l.parameters);
    v("carveout", l.carveout);
}
template <class V> void fields(V& v, ImageSpec& i)
{
    v("ptx", i.ptx);
    v("name", i.name);
    v("base64", i.base64);
}
template <class V> void fields(V& v, CodeSpec& c)
{
    v("kernel", c.kernel);
    v("source", c.source);
    v("headers", c.headers);
    v("image", c.image);
    v("options", c.options);
    v("targets", c.targets);
    v("launches", c.launches);
}
template <class V> void fields(V& v, IndexSpec& i)
{
    v("name", i.name);
    v("count", i.count);
}
template <class V> void fields(V& v, DataSpec& d)
{
    v("type", d.type);
    v("base64", d.base64);
}
template <class V> void fields(V& v, ScriptSpec& s)
{
    v("name", s.name);
    v("text", s.text);
    v("timeout_s", s.timeoutSeconds);
}
template <class V> void fields(V& v, ReferenceSpec& r)
{
    v("function", r.function);
    v("params", r.params);
    v("inputs", r.inputs);
    v("output", r.output);
    v("expression", r.expression);
    v("index", r.index);
    v("sum", r.sum);
    v("kernel", r.kernel);
    v("data", r.data);
    v("script", r.script);
}
template <class V> void fields(V& v, BaselineSpec& b)
{
    v("kind", b.kind);
    v("name", b.name);
    v("op", b.op);
    v("params", b.params);
    v("fallback", b.fallback);
    v("id", b.id);
}
template <class V> void fields(V& v, WorkSpec& w)
{
    v("kernel", w.kernel);
    v("problem", w.problem);
    v("source", w.source);
    v("source_hash", w.sourceHash);
    v("headers", w.headers);
    v("image", w.image);
    v("options", w.options);
    v("targets", w.targets);
    v("launches", w.launches);
    v("graph", w.graph);
    v("deterministic", w.deterministic);
    v("state", w.state);
    v("variables", w.variables);
    v("arithmetic", w.arithmetic);
    v("buffers", w.buffers);
    v("reference", w.reference);
    v("tolerance", w.tolerance);
    v("baseline", w.baseline);
    v("flops", w.flops);
    v("ideal_bytes", w.idealBytes);
    v("seed", w.seed);
}
template <class V> void fields(V& v, Hello& h)
{
    v("protocol", h.protocol);
    v("version", h.version);
    v("host", h.host);
    v("devices", h.devices);
    v("device", h.device);
    v("unavailable", h.unavailable);
    v("contents", h.contents);
}
template <class V> void fields(V& v, Progress& p)
{
    v("seq", p.seq);
    v("step", p.step);
    v("elapsed_s", p.elapsed);
    v("expected_s", p.expected);
}
template <class V> void fields(V&, ProbeRequest&) {}
template <class V> void fields(V& v, ProbeAnswer& p)
{
    v("devices", p.devices);
    v("counters_permitted", p.countersPermitted);
    v("counters_reason", p.countersReason);
    v("nvrtc", p.nvrtcVersion);
    v("cupti", p.cuptiVersion);
    v("python", p.python);
}
template <class V> void fields(V& v, ExtensionSpec& e)
{
    v("module", e.module);
    v("folder", e.folder);
    v("build", e.build);
    v("import_folder", e.importFolder);
    v("max_jobs", e.maxJobs);
    v("timeout_s", e.timeoutSeconds);
    v("log_file", e.logFile);
    v("file", e.file);
    v("file_hash", e.fileHash);
}
template <class V> void fields(V& v, EnvRequest& e)
{
    v("required_torch", e.requiredTorch);
    v("disk_path", e.diskPath);
    v("smoke", e.smoke);
    v("extension", e.extension);
}
template <class V> void fields(V& v, EnvReport& e)
{
    v("checks", e.checks);
}
template <class V> void fields(V& v, CompileRequest& c)
{
    v("work", c.work);
}
template <class V> void fields(V& v, CompileAnswer& c)
{
    v("status", c.status);
    v("reason", c.reason);
    v("log", c.log);
    v("arch", c.arch);
    v("launches", c.launches);
    v("seconds", c.seconds);
}
template <class V> void fields(V& v, RunRequest& r)
{
    v("work", r.work);
    v("suite", r.suite);
    v("timed", r.timed);
    v("with_baseline", r.withBaseline);
    v("max_samples", r.maxSamples);
    v("min_seconds", r.minSeconds);
    v("max_seconds", r.maxSeconds);
    v("baselines", r.baselines);
    v("trial", r.trial);
    v("energy", r.energy);
}
template <class V> void fields(V& v, RunAnswer& r)
{
    v("status", r.status);
    v("reason", r.reason);
    v("device", r.device);
    v("correctness", r.correctness);
    v("timing", r.timing);
    v("memory_bytes", r.memoryBytes);
    v("baseline", r.baseline);
    v("baselines", r.baselines);
    v("launches", r.launches);
    v("metrics", r.metrics);
    v("experiments", r.experiments);
    v("source", r.sourceProfile);
    v("pm_sampling", r.pmSampling);
    v("worker_seconds", r.workerSeconds);
    v("warnings", r.warnings);
    v("recorded_at", r.recordedAt);
    v("source_hash", r.sourceHash);
}
template <class V> void fields(V& v, ProfileRequest& p)
{
    v("run", p.run);
    v("tier", p.tier);
    v("metrics", p.metrics);
    v("max_passes", p.maxPasses);
    v("source", p.source);
    v("cache_control", p.cacheControl);
    v("counters", p.counters);
    v("experiments", p.experiments);
    v("pm_sampling", p.pmSampling);
}
template <class V> void fields(V& v, CountRequest& c)
{
    v("works", c.works);
    v("tier", c.tier);
    v("metrics", c.metrics);
    v("max_passes", c.maxPasses);
    v("cache_control", c.cacheControl);
}
template <class V> void fields(V& v, CountAnswer& c)
{
    v("answers", c.answers);
}
template <class V> void fields(V& v, BuildRequest& b)
{
    v("work", b.work);
    v("arch", b.arch);
}

template <class V> void fields(V& v, LaunchRequest& l)
{
    v("work", l.work);
    v("repeat", l.repeat);
}
template <class V> void fields(V& v, SanitizeRequest& s)
{
    v("work", s.work);
    v("tool", s.tool);
}
template <class V> void fields(V& v, SanitizeAnswer& s)
{
    v("log", s.log);
    v("trouble", s.trouble);
}
template <class V> void fields(V& v, TimelineRequest& t)
{
    v("work", t.work);
    v("automatic", t.automatic);
    v("blocks", t.blocks);
    v("marks", t.marks);
    v("overhead", t.overhead);
}
template <class V> void fields(V& v, TimelineAnswer& t)
{
    v("status", t.status);
    v("reason", t.reason);
    v("device", t.device);
    v("correctness", t.correctness);
    v("launches", t.launches);
    v("timeline", t.timeline);
    v("warnings", t.warnings);
    v("recorded_at", t.recordedAt);
    v("source_hash", t.sourceHash);
}
template <class V> void fields(V& v, TraceProgramRequest& t)
{
    v("command", t.command);
    v("variables", t.variables);
    v("config", t.config);
    v("again", t.again);
}
template <class V> void fields(V& v, TraceProgramAnswer& t)
{
    v("exit_code", t.exitCode);
    v("signal", t.signal);
    v("wall_s", t.wallSeconds);
    v("traces", t.traces);
}
template <class V> void fields(V& v, ProgramOutput& o)
{
    v("base64", o.base64);
    v("errors", o.errors);
}
template <class V> void fields(V& v, AbRequest& a)
{
    v("a", a.a);
    v("b", a.b);
    v("first_block", a.firstBlock);
    v("blocks", a.blocks);
    v("per_block", a.perBlock);
    v("check", a.check);
    v("energy", a.energy);
}
template <class V> void fields(V& v, AbEnergy& e)
{
    v("blocks", e.blocks);
    v("reason", e.reason);
}
template <class V> void fields(V& v, AbAnswer& a)
{
    v("status", a.status);
    v("reason", a.reason);
    v("device", a.device);
    v("blocks", a.blocks);
    v("energy", a.energy);
    v("correctness_a", a.correctnessA);
    v("correctness_b", a.correctnessB);
    v("warnings", a.warnings);
    v("recorded_at", a.recordedAt);
    v("source_hash_a", a.sourceHashA);
    v("source_hash_b", a.sourceHashB);
}

#define KL_MESSAGE(M)                                                                                                                      \
    Json toJsonMessage(const M& m)                                                                                                         \
    {                                                                                                                                      \
        return toJson(m);                                                                                                                  \
    }                                                                                                                                      \
    template <> Result<M> fromJsonMessage<M>(const Json& json)                                                                             \
    {                                                                                                                                      \
        return fromJson<M>(json, #M " message");                                                                                           \
    }
KL_MESSAGE(Hello)
KL_MESSAGE(Progress)
KL_MESSAGE(ProbeRequest)
KL_MESSAGE(ProbeAnswer)
KL_MESSAGE(EnvRequest)
KL_MESSAGE(EnvReport)
KL_MESSAGE(CompileRequest)
KL_MESSAGE(CompileAnswer)
KL_MESSAGE(RunRequest)
KL_MESSAGE(RunAnswer)
KL_MESSAGE(ProfileRequest)
KL_MESSAGE(CountRequest)
KL_MESSAGE(CountAnswer)
KL_MESSAGE(LaunchRequest)
KL_MESSAGE(SanitizeRequest)
KL_MESSAGE(SanitizeAnswer)
KL_MESSAGE(TimelineRequest)
KL_MESSAGE(TimelineAnswer)
KL_MESSAGE(TraceProgramRequest)
KL_MESSAGE(TraceProgramAnswer)
KL_MESSAGE(ProgramOutput)
KL_MESSAGE(BuildRequest)
KL_MESSAGE(AbRequest)
KL_MESSAGE(AbAnswer)
#undef KL_MESSAGE

namespace {

/// A work specification's part of the key: which variant on which problem.
Json makeKey(const Json& value)
{
    if (value.is_object()) {
        if (value.contains("kernel") && value.contains("source"))
            return Json(textAt(value, "kernel") + '|' + textAt(value, "problem"));
        std::map<std::string, Json> sorted;
        for (const auto& [name, item] : value.items())
            if (!item.is_null()) // a setting left at its default is not part of the key
                sorted[name] = makeKey(item);
        Json out = Json::object();
        for (auto& [name, item] : sorted)
            out[name] = std::move(item);
        return out;
    }
    if (value.is_array()) {
        Json out = Json::array();
        for (const Json& item : value)
            out.push_back(makeKey(item));
        return out;
    }
    return value;
}

} // namespace

std::string requestKey(Verb verb, const Json& body)
{
    Json key = makeKey(body);
    for (const char* addition : {"experiments", "pm_sampling"}) // they add to an answer and change nothing else in it
        if (key.is_object())
            key.erase(addition);
    if (verb == Verb::environment)
        key = Json::object(); // about a machine, not about a kernel
    return contentHash(std::string(toWord(verb)) + ' ' + encode(key));
}

} // namespace kl::inline protocol
