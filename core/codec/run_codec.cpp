// SPDX-License-Identifier: MIT
#include "core/codec/run_codec.h"

#include "core/codec/model_fields.h"
#include "core/codec/timeline_fields.h"
#include "core/stats/robust.h"

namespace kl {
namespace {

Json deviceToJson(const RunRecord& run)
{
    Json device{{"name", run.device.name}, {"cc", computeCapability(run.device)}, {"source", toWord(run.source)}};
    if (!run.host.empty())
        device["host"] = run.host;
    device.update(toJson(run.device));
    return device;
}

template <class T> void readInto(const Json& json, const char* name, T& value)
{
    const auto found = json.find(name);
    if (found != json.end() && !found->is_null())
        fields_detail::readValue(*found, value, name);
}

/// Runs body, turning a field of the wrong type into an Error.
template <class T, class Body> Result<T> decodeFields(const char* what, Body body)
{
    try {
        T value{};
        body(value);
        return value;
    } catch (const std::exception& problem) {
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("This {} cannot be read: {}.", what, problem.what()),
                     .hint = "It may come from another version of KernelLoop, or be damaged.",
                     .where = what};
    }
}

void readSubject(const Json& json, RunRecord& run)
{
    std::string address = json.value("kernel", "");
    if (const std::string variant = json.value("variant", ""); !variant.empty())
        address += '/' + variant;
    Result<Address> parsed = parseAddress(address);
    Result<Params> problem = parseParams(json.value("problem", ""));
    Result<Params> tunables = parseParams(json.value("tunables", ""));
    if (!parsed || !problem || !tunables)
        throw fields_detail::BadField("kernel, tunables or problem is malformed");
    run.kernel = std::move(*parsed);
    run.kernel.tunables = std::move(*tunables);
    run.problem = std::move(*problem);
}

// Members of Timing that are long lists: beside the timing, so that its figures can be read. In Timing's own JSON (the worker's
// answers, and files of older versions) they are among the others, under the second name.
struct Series {
    const char* name;
    const char* inTiming;
};
constexpr std::array<Series, 4> kSeries{
    {{"gpu_ns", "samples"}, {"clock_mhz", "clocks"}, {"gpu_ns_hot", "hot_samples"}, {"host_ns", "host_samples"}}};

/// The figures, and how the samples are distributed: {min, q1, q3, max, noise}, noise being the median interval's width over the median.
Json timingToJson(const std::optional<Timing>& timing)
{
    Json json = toJson(timing);
    if (!timing)
        return json;
    for (const Series& series : kSeries)
        json.erase(series.inTiming);
    if (!timing->energy)
        json.erase("energy"); // was not requested
    const std::vector<double>& samples = timing->samples;
    json["distribution"] = nullptr;
    if (!samples.empty() && timing->gpu.median > 0)
        json["distribution"] = Json{{"min", computeQuantile(samples, 0)},
                                    {"q1", computeQuantile(samples, 0.25)},
                                    {"q3", computeQuantile(samples, 0.75)},
                                    {"max", computeQuantile(samples, 1)},
                                    {"noise", relativeNoise(timing->gpu)}};
    return json;
}

Json samplesToJson(const std::optional<Timing>& timing)
{
    if (!timing)
        return nullptr;
    const Json all = toJson(*timing);
    Json json = Json::object();
    for (const Series& series : kSeries)
        json[series.name] = all[series.inTiming];
    return json;
}

void readSamples(const Json& json, Timing& timing)
{
    readInto(json, "gpu_ns", timing.samples);
    readInto(json, "clock_mhz", timing.clocks);
    readInto(json, "gpu_ns_hot", timing.hotSamples);
    readInto(json, "host_ns", timing.hostSamples);
}

} // namespace

Json runToJson(const RunRecord& run)
{
    Json json = Json::object();
    json.get_ref<Json::object_t&>().reserve(48); // growing copies every member that is there
    json["schema"] = isProfile(run) ? "kernelloop.profile/1" : "kernelloop.run/1";
    json["id"] = run.id.text;
    json["kernel"] = run.kernel.family;
    json["variant"] = run.kernel.variant;
    json["tunables"] = toText(run.kernel.tunables);
    json["problem"] = toText(run.problem);
    json["device"] = deviceToJson(run);
    json["source_hash"] = run.sourceHash;
    json["started_at"] = run.startedAt;
    json["status"] = toWord(run.status);
    json["reason"] = run.reason;
    json["correctness"] = toJson(run.correctness);
    json["timing"] = timingToJson(run.timing);
    json["samples"] = samplesToJson(run.timing);
    json["memory_bytes"] = toJson(run.memoryBytes);
    json["baseline"] = toJson(run.baseline);
    if (!run.baselines.empty())
        json["baselines"] = toJson(run.baselines);
    json["speedup"] = toJson(run.speedup);
    json["launches"] = toJson(run.launches);
    json["flops"] = run.flops;
    json["ideal_bytes"] = run.idealBytes;
    if (run.metrics) {
        Json collection = toJson(*run.metrics);
        for (const char* name : {"metrics", "missing", "plan"}) {
            json[name] = std::move(collection[name]);
            collection.erase(name);
        }
        if (run.imported) // figures are numbers or null; other tools have metrics whose value is a word
            for (const auto& [name, word] : run.imported->texts)
                json["metrics"][name] = word;
        json["collection"] = std::move(collection);
    } else if (isProfile(run)) { // inferred without counters: none was requested
        json["metrics"] = Json::object();
        json["missing"] = Json::object();
        json["plan"] = toJson(MetricSet{}.plan);
    }
    if (run.diagnosis) {
        json["finding"] = toJson(run.diagnosis->finding);
        json["secondary"] = toJson(run.diagnosis->secondary);
        if (!run.diagnosis->treeVersion.empty())
            json["tree_version"] = run.diagnosis->treeVersion;
    }
    if (!run.experiments.empty())
        json["experiments"] = toJson(run.experiments);
    if (run.sourceProfile)
        json["source"] = toJson(*run.sourceProfile);
    if (run.pmSampling)
        json["pm_sampling"] = toJson(*run.pmSampling);
    if (run.timeline)
        json["timeline"] = toJson(*run.timeline);
    if (run.program)
        json["program"] = toJson(*run.program);
    if (run.imported)
        json["imported"] = toJson(*run.imported);
    json["worker_seconds"] = toJson(run.workerSeconds);
    json["warnings"] = toJson(run.warnings);
    return json;
}

Json runToJsonWithoutCode(const RunRecord& run)
{
    Json json = runToJson(run);
    if (const auto source = json.find("source"); source != json.end())
        source->erase("code");
    return json;
}

Result<RunRecord> runFromJson(const Json& json)
{
    return decodeFields<RunRecord>("run", [&](RunRecord& run) {
        readInto(json, "id", run.id.text);
        readSubject(json, run);
        readInto(json, "device", run.device);
        if (json.contains("device")) {
            readInto(json["device"], "source", run.source);
            readInto(json["device"], "host", run.host);
        }
        readInto(json, "source_hash", run.sourceHash);
        readInto(json, "started_at", run.startedAt);
        readInto(json, "status", run.status);
        readInto(json, "reason", run.reason);
        readInto(json, "correctness", run.correctness);
        readInto(json, "timing", run.timing);
        if (run.timing && json.contains("samples"))
            readSamples(json["samples"], *run.timing);
        readInto(json, "worker_seconds", run.workerSeconds);
        readInto(json, "memory_bytes", run.memoryBytes);
        readInto(json, "baseline", run.baseline);
        readInto(json, "baselines", run.baselines);
        readInto(json, "speedup", run.speedup);
        readInto(json, "launches", run.launches);
        readInto(json, "flops", run.flops);
        readInto(json, "ideal_bytes", run.idealBytes);
        readInto(json, "imported", run.imported);
        // A profile without counters has neither metrics nor a collection.
        if (json.contains("metrics") && (json.contains("collection") || !json["metrics"].empty())) {
            Json metrics = json.value("collection", Json::object());
            for (const char* name : {"metrics", "missing", "plan"})
                metrics[name] = json.value(name, Json::object());
            if (run.imported && metrics["metrics"].is_object())
                for (const auto& entry : run.imported->texts)
                    metrics["metrics"].erase(entry.first);
            run.metrics.emplace();
            fields_detail::readValue(metrics, *run.metrics, "metrics");
        }
        if (json.contains("finding")) {
            run.diagnosis.emplace();
            readInto(json, "finding", run.diagnosis->finding);
            readInto(json, "secondary", run.diagnosis->secondary);
            readInto(json, "tree_version", run.diagnosis->treeVersion);
        }
        readInto(json, "experiments", run.experiments);
        readInto(json, "source", run.sourceProfile);
        readInto(json, "pm_sampling", run.pmSampling);
        readInto(json, "timeline", run.timeline);
        readInto(json, "program", run.program);
        readInto(json, "warnings", run.warnings);
    });
}

Json comparisonToJson(const Comparison& c)
{
    Json json{{"schema", "kernelloop.compare/1"},
              {"id", c.id.text},
              {"a", c.a},
              {"b", c.b},
              {"verdict", toWord(c.verdict)},
              {"reason", c.reason},
              {"sentence", c.sentence}};
    json["ratio"] = toJson(c.ratio);
    json["refuted"] = toJson(c.refuted);
    json["blocks"] = c.blocks;
    if (c.energy)
        json["energy"] = toJson(*c.energy);
    if (c.wall)
        json["wall"] = toJson(*c.wall);
    json["differences"] = Json{{"metrics", toJson(c.metrics)}, {"tunables", toJson(c.tunables)}, {"environment", toJson(c.environment)}};
    json["next"] = c.next;
    if (!c.nextSteps.empty())
        json["next_steps"] = stepsToJson(c.nextSteps);
    json["statistics"] = c.statistics;
    json["noise"] = toJson(c.noise);
    json["waived"] = c.waived.empty() ? Json(nullptr) : Json(c.waived);
    json["warnings"] = toJson(c.warnings);
    json["data"] = toJson(c.data);
    return json;
}

Result<Comparison> comparisonFromJson(const Json& json)
{
    return decodeFields<Comparison>("comparison", [&](Comparison& c) {
        readInto(json, "id", c.id.text);
        readInto(json, "a", c.a);
        readInto(json, "b", c.b);
        readInto(json, "verdict", c.verdict);
        readInto(json, "reason", c.reason);
        readInto(json, "sentence", c.sentence);
        readInto(json, "ratio", c.ratio);
        readInto(json, "refuted", c.refuted);
        readInto(json, "blocks", c.blocks);
        readInto(json, "energy", c.energy);
        readInto(json, "wall", c.wall);
        if (json.contains("differences")) {
            readInto(json["differences"], "metrics", c.metrics);
            readInto(json["differences"], "tunables", c.tunables);
            readInto(json["differences"], "environment", c.environment);
        }
        readInto(json, "next", c.next);
        if (const auto steps = json.find("next_steps"); steps != json.end())
            c.nextSteps = stepsFromJson(*steps);
        readInto(json, "statistics", c.statistics);
        readInto(json, "noise", c.noise);
        readInto(json, "waived", c.waived);
        readInto(json, "warnings", c.warnings);
        readInto(json, "data", c.data);
    });
}

Json envToJson(const EnvReport& report)
{
    return Json{{"schema", "kernelloop.env/1"},
                {"verdict", passes(report) ? "pass" : "fail"},
                {"checks", toJson(report.checks)},
                {"log", report.logFile.empty() ? Json(nullptr) : Json(report.logFile)}};
}

Result<EnvReport> envFromJson(const Json& json)
{
    return decodeFields<EnvReport>("environment report", [&](EnvReport& report) {
        readInto(json, "checks", report.checks);
        if (const auto log = json.find("log"); log != json.end() && log->is_string())
            report.logFile = log->get<std::string>();
    });
}

} // namespace kl
