// SPDX-License-Identifier: MIT
#include "sessions/store/search_records.h"

#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "sessions/store/artifact_names.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline store {

constexpr std::array<std::pair<TargetVerdict, const char*>, 4> enumWords(TargetVerdict)
{
    return {{{TargetVerdict::met, "met"},
             {TargetVerdict::missed, "missed"},
             {TargetVerdict::inconclusive, "inconclusive"},
             {TargetVerdict::noRival, "no-rival"}}};
}

constexpr std::array<std::pair<SearchStage, const char*>, 4> enumWords(SearchStage)
{
    return {{{SearchStage::measuring, "measuring"},
             {SearchStage::stopped, "stopped"},
             {SearchStage::timed, "timed"},
             {SearchStage::finished, "finished"}}};
}

template <class V> void fields(V& v, Confirmation& c)
{
    v("rival", c.rival);
    v("version", c.version);
    v("samples", c.samples);
    v("blocks", c.blocks);
    v("winner_ns", c.winnerNs);
    v("rival_ns", c.rivalNs);
    v("ratio", c.student);
    v("bootstrap", c.bootstrap);
    v("target", c.target);
    v("verdict", c.verdict);
    v("reason", c.reason);
}

template <class V> void fields(V& v, SearchTrial& t)
{
    v("point", t.tunables);
    v("gpu_ns", t.ns);
    v("energy_per_launch_j", t.joules);
    v("failed", t.why);
    v("gpu", t.gpu);
    v("at_s", t.at);
    v("seconds", t.seconds);
    v("remembered", t.remembered);
    v("cut", t.cut);
    v("again", t.again);
    v("facts", t.facts);
    v("metrics", t.metrics);
}

template <class V> void fields(V& v, SearchReference& r)
{
    v("gpu", r.gpu);
    v("host", r.host);
    v("gpu_ns", r.ns);
    v("noise", r.noise);
    v("clock_mhz", r.clockMhz);
    v("energy_per_launch_j", r.joules);
}

template <class V> void fields(V& v, SearchRejection& r)
{
    v("point", r.tunables);
    v("gate", r.gate);
    v("why", r.why);
}

template <class V> void fields(V& v, SearchGateCount& g)
{
    v("gate", g.gate);
    v("rejected", g.rejected);
}

template <class V> void fields(V& v, SearchBest& b)
{
    v("kernel", b.kernel);
    v("point", b.tunables);
    v("run", b.run);
    v("gpu_ns", b.ns);
    v("energy_per_launch_j", b.joules);
    v("comparison", b.comparison);
    v("over_default", b.overDefault);
    v("confirmation", b.confirmed);
    v("profile", b.profile);
    v("finding", b.finding);
}

template <class V> void fields(V& v, SearchRecord& r)
{
    v("id", r.id);
    v("started_at", r.startedAt);
    v("state", r.state);
    v("device", r.device);
    v("device_uuid", r.deviceUuid);
    v("driver", r.driver);
    v("arch", r.arch);
    v("host", r.host);
    v("kernel", r.kernel);
    v("fixed", r.fixed);
    v("problem", r.problem);
    v("source_hash", r.sourceHash);
    v("objective", r.objective);
    v("strategy", r.strategy);
    v("protocol", r.protocol);
    v("seed", r.seed);
    v("batch", r.width);
    v("references", r.references);
    v("total", r.total);
    v("gates", r.gates);
    v("rejected", r.rejected);
    v("same_program", r.twins);
    v("compile_seconds", r.compileSeconds);
    v("measure_seconds", r.seconds);
    v("left", r.left);
    v("trials", r.trials);
    v("best", r.best);
    v("wrong", r.wrong);
}

namespace {

constexpr const char* kSchema = "kernelloop.search-record/1";
constexpr const char* kPrefix = "search-record/";

Result<SearchRecord> readRecord(const Store& store, const std::string& name)
{
    KL_ASSIGN(const std::string text, store.artifact(name));
    KL_ASSIGN(const Json json, parseJson(text, name));
    return searchRecordFromJson(json, name);
}

} // namespace

Json searchRecordToJson(const SearchRecord& record)
{
    Json json{{"schema", kSchema}};
    json.update(toJson(record));
    return json;
}

Result<SearchRecord> searchRecordFromJson(const Json& json, const std::string& where)
{
    if (!json.is_object() || json.value("schema", Json()) != kSchema)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is not a record of a search.", where),
                     .hint = "The data may come from another version of KernelLoop, or be damaged.",
                     .where = where};
    return fromJson<SearchRecord>(json, where);
}

std::pair<std::string, std::string> makeArtifact(const SearchRecord& record)
{
    return {kPrefix + record.id, encode(searchRecordToJson(record))};
}

bool isOf(const std::string& kernel, const std::string& name)
{
    return name.empty() || kernel == name || kernel.starts_with(name + '/');
}

Result<std::vector<SearchRecord>> searchRecords(const Store& store, const std::string& kernel, std::vector<std::string>* damaged)
{
    KL_ASSIGN(const std::vector<std::string> names, artifactNames(store, kPrefix));
    std::vector<SearchRecord> records;
    for (const std::string& name : names) {
        Result<SearchRecord> record = readRecord(store, name);
        if (!record && damaged)
            damaged->push_back(name);
        if (record && isOf(record->kernel, kernel))
            records.push_back(std::move(*record));
    }
    std::ranges::stable_sort(records, std::ranges::greater(), &SearchRecord::startedAt);
    return records;
}

Result<SearchRecord> searchRecord(const Store& store, const std::string& idPrefix)
{
    KL_ASSIGN(const std::vector<std::string> names, artifactNames(store, kPrefix + idPrefix));
    if (idPrefix.empty())
        return Error{.code = ErrorCode::badInput, .message = "The search has no id.", .hint = "List the searches of this database."};
    if (names.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("There is no search {}.", idPrefix),
                     .hint = "List the searches of this database.",
                     .where = idPrefix};
    if (names.size() > 1)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} searches start with {}.", names.size(), idPrefix),
                     .hint = "Give more of the id.",
                     .where = idPrefix};
    return readRecord(store, names.front());
}

} // namespace kl::inline store
