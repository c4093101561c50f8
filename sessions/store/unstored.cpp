// SPDX-License-Identifier: MIT
#include "sessions/store/unstored.h"

#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "core/codec/run_codec.h"

#include <algorithm>

namespace kl::inline store {
namespace {

struct KeptArtifact {
    std::string name;
    std::string content;
};

struct KeptEvent {
    std::string session;
    SessionEvent event;
};

template <class V> void fields(V& v, KeptArtifact& a)
{
    v("name", a.name);
    v("content", a.content);
}

template <class V> void fields(V& v, KeptEvent& e)
{
    v("session", e.session);
    v("seq", e.event.seq);
    v("at", e.event.at);
    v("type", e.event.type);
    v("data", e.event.dataJson);
}

/// Of a Comparison, which has a codec of its own.
struct Rest {
    std::vector<NoiseRecord> noise;
    std::vector<KeptArtifact> artifacts;
    std::vector<KeptEvent> events;
};

} // namespace

template <class V> void fields(V& v, NoiseRecord& n)
{
    v("id", n.id);
    v("device_uuid", n.deviceUuid);
    v("device_name", n.deviceName);
    v("driver", n.driver);
    v("source", n.source);
    v("kernel", n.kernel);
    v("problem", n.problem);
    v("noise", n.noise);
    v("ratios", n.ratios);
    v("equivalent", n.equivalent);
    v("different", n.different);
    v("at", n.at);
}

namespace {

template <class V> void fields(V& v, Rest& r)
{
    v("noise", r.noise);
    v("artifacts", r.artifacts);
    v("events", r.events);
}

/// Another program, or this one before it was interrupted, may have appended it already.
Status storeEvent(Store& store, const SessionId& session, const SessionEvent& event)
{
    Status appended = store.appendEvent(session, event);
    if (appended || appended.error().code != ErrorCode::changedElsewhere)
        return appended;
    KL_ASSIGN(const std::vector<SessionEvent> there, store.events(session));
    return std::ranges::find(there, event) != there.end() ? Status{} : appended;
}

} // namespace

Status storeAll(Store& store, const Unstored& what)
{
    std::vector<const RunRecord*> runs;
    for (const RunRecord& run : what.runs)
        runs.push_back(&run);
    Status saved = store.saveRuns(runs);
    for (const Comparison& comparison : what.comparisons)
        saved = saved ? store.saveComparison(comparison) : saved;
    for (const NoiseRecord& noise : what.noise)
        saved = saved ? store.saveNoise(noise) : saved;
    for (const auto& [name, content] : what.artifacts)
        saved = saved ? store.saveArtifact(name, content) : saved;
    for (const auto& [session, event] : what.events)
        saved = saved ? storeEvent(store, session, event) : saved;
    return saved;
}

Json unstoredToJson(const Unstored& what)
{
    Rest rest;
    rest.noise = what.noise;
    for (const auto& [name, content] : what.artifacts)
        rest.artifacts.push_back({name, content});
    for (const auto& [session, event] : what.events)
        rest.events.push_back({session.text, event});
    Json json = toJson(rest);
    json["comparisons"] = Json::array();
    for (const Comparison& comparison : what.comparisons)
        json["comparisons"].push_back(comparisonToJson(comparison));
    return json;
}

Result<Unstored> unstoredFromJson(const Json& json, const std::string& where)
{
    KL_ASSIGN(Rest rest, fromJson<Rest>(json, where));
    Unstored what;
    what.noise = std::move(rest.noise);
    for (KeptArtifact& artifact : rest.artifacts)
        what.artifacts.emplace_back(std::move(artifact.name), std::move(artifact.content));
    for (KeptEvent& kept : rest.events)
        what.events.emplace_back(SessionId{kept.session}, std::move(kept.event));
    for (const Json& item : json.value("comparisons", Json::array())) {
        KL_ASSIGN(Comparison comparison, comparisonFromJson(item));
        what.comparisons.push_back(std::move(comparison));
    }
    return what;
}

} // namespace kl::inline store
