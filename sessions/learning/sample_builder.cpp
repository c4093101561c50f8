// SPDX-License-Identifier: MIT
#include "sessions/learning/sample_builder.h"

#include "core/base/try.h"

#include <nlohmann/json.hpp> // before replay.h, which holds a Json by value

#include "core/base/resource.h"
#include "profiler/device/open_device.h"
#include "profiler/replay/replay.h"
#include "sessions/learning/history.h"
#include "sessions/learning/rediagnose.h"
#include "sessions/learning/trained_recommender.h"
#include "sessions/measure/workbench.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/session/events.h"
#include "sessions/store/blob.h"
#include "sessions/store/search_records.h"
#include "sessions/store/sqlite_store.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kl::inline learning {
namespace {

/// What is recorded of one kernel on one problem.
struct Recorded {
    int tier = -1;      ///< highest tier of a profile; −1: none
    bool suite = false; ///< its run went over the suite
    bool plain = false; ///< its run did not
};

Json figureOrNull(const std::optional<Figure>& figure)
{
    return figure ? Json(figure->value) : Json(nullptr);
}

/// All requests of the embedded captures.
Result<std::vector<RecordedRequest>> readEmbeddedRequests()
{
    std::vector<RecordedRequest> all;
    for (const std::string& path : resourcesUnder("resources/captures/")) {
        KL_ASSIGN(const std::string_view bytes, resource(path));
        KL_ASSIGN(std::vector<RecordedRequest> requests, unpackRequests(bytes, path));
        all.insert(all.end(), std::make_move_iterator(requests.begin()), std::make_move_iterator(requests.end()));
    }
    return all;
}

std::map<std::pair<std::string, std::string>, Recorded> groupRecorded(const std::vector<RecordedRequest>& requests)
{
    std::map<std::pair<std::string, std::string>, Recorded> subjects;
    for (const RecordedRequest& request : requests) {
        if (request.verb != Verb::run && request.verb != Verb::profile)
            continue;
        Recorded& recorded = subjects[{request.kernel, request.problem}];
        const auto holds = [&](const char* key) { return request.body.is_object() && request.body.contains(key); };
        if (request.verb == Verb::profile)
            recorded.tier =
                std::max(recorded.tier, holds("tier") && request.body["tier"].is_number_integer() ? request.body["tier"].get<int>() : 2);
        else if (holds("suite") && request.body["suite"].is_array() && !request.body["suite"].empty())
            recorded.suite = true;
        else
            recorded.plain = true;
    }
    return subjects;
}

/// Recorded for debugging sessions only: an incorrect variant, or what fixes one on the smallest size that failed. No part of a history.
bool isForDebugging(const Catalog& catalog, const Address& address, const Params& problem)
{
    const Result<const KernelFamily*> family = catalog.family(address.family);
    const Result<const Variant*> variant = catalog.variant(address);
    if (!family || !variant || !(*variant)->fault.empty())
        return true;
    const bool own = problem == (*family)->smallest || std::ranges::find((*family)->problems, problem) != (*family)->problems.end();
    return !own && std::ranges::any_of((*family)->variants, [](const Variant& other) { return !other.fault.empty(); });
}

} // namespace

Result<SampleFill> storeRecorded(Store& store, const Catalog& catalog, const DiagnosisTree& tree, Collector& recorded,
                                 const std::vector<RecordedRequest>& requests)
{
    TrainedRecommender recommender(store, catalog, tree);
    Workbench bench(catalog, tree, recorded, store, recommender);
    SampleFill fill;
    for (const auto& [subject, what] : groupRecorded(requests)) {
        const Result<Address> address = parseAddress(subject.first);
        const Result<Params> problem = parseParams(subject.second);
        if (!address || !problem)
            return address ? problem.error() : address.error();
        if (!catalog.work(*address, *problem)) {
            ++fill.skipped;
            continue;
        }
        if (isForDebugging(catalog, *address, *problem))
            continue;
        const Result<RunRecord> run =
            what.tier >= 0 ? bench.profile(*address, *problem, what.tier) : bench.run(*address, *problem, what.suite && !what.plain);
        if (run) {
            ++fill.stored;
            continue;
        }
        if (run.error().code != ErrorCode::notRecorded) // which a request built another way since then gives
            return run.error();
        ++fill.skipped;
    }
    return fill;
}

Status storeSampleSessions(Store& store)
{
    KL_ASSIGN(const std::vector<HistoryRow> rows, sampleHistory());
    for (const HistoryRow& row : rows) {
        SessionHeader header;
        header.id.text = makeUuidFromName("sample-history:" + row.name);
        header.name = row.name;
        header.kind = kShippedKind;
        header.objective = row.objective;
        header.kernel = row.kernel;
        header.source = Source::sample;
        header.createdAt = row.date + "T00:00:00.000Z";
        const Json opened{{"origin", row.origin}, {"status", row.statusText}};
        KL_TRY(store.createSession(header, {1, header.createdAt, event::kOpened, encode(opened)}));
        Json gates = Json::object();
        for (const GateOutcome& gate : row.gates)
            gates[gate.gate] = gate.result;
        const Json finished{{"speedup", figureOrNull(findShownFigure(row.speedup))},
                            {"minutes", figureOrNull(findShownFigure(row.minutes))},
                            {"outcome", row.status == SessionStatus::complete ? "complete" : "ended-early"},
                            {"gates", std::move(gates)}};
        const std::string end = (row.until.empty() ? row.date : row.until) + "T00:00:00.000Z";
        KL_TRY(store.appendEvent(header.id, {2, end, event::kFinished, encode(finished)}));
    }
    return {};
}

Status storeSampleSearches(Store& store)
{
    for (const std::string& path : resourcesUnder("resources/searches/")) {
        KL_ASSIGN(const std::string_view bytes, resource(path));
        KL_ASSIGN(const std::string text, unpackBytes(bytes));
        KL_ASSIGN(const Json json, parseJson(text, path));
        KL_ASSIGN(const SearchRecord record, searchRecordFromJson(json, path));
        const auto [name, content] = makeArtifact(record);
        KL_TRY(store.saveArtifact(name, content));
    }
    return {};
}

Result<std::unique_ptr<Store>> buildSampleStore()
{
    KL_ASSIGN(const Catalog catalog, Catalog::loadEmbedded());
    KL_ASSIGN(const DiagnosisTree tree, DiagnosisTree::loadEmbedded());
    return buildSampleStore(catalog, tree);
}

Result<std::string> fillSampleStore(Store& store, const Catalog& catalog, const DiagnosisTree& tree)
{
    KL_ASSIGN(const std::vector<RunId> profiles, listStoredProfiles(store)); // of the recorded sessions: by the tree of that day
    TrainedRecommender recommender(store, catalog, tree);
    KL_ASSIGN([[maybe_unused]] const auto again, rediagnoseRuns(store, catalog, tree, recommender, profiles, true, {}));
    KL_ASSIGN(const PatternLibrary library, PatternLibrary::loadEmbedded());
    KL_TRY(seedPatterns(store, library));
    KL_TRY(storeSampleSessions(store));
    KL_TRY(storeSampleSearches(store));

    std::string notice = "This is the recorded sample: it is read-only. Use your own database to keep results.";
    KL_ASSIGN(const std::vector<RecordedRequest> requests, readEmbeddedRequests());
    if (requests.empty()) {
        notice += " This build contains no recorded measurements.";
    } else {
        KL_ASSIGN(const std::unique_ptr<Collector> recorded, openDevice(DeviceSpec::sample()));
        KL_ASSIGN(const SampleFill fill, storeRecorded(store, catalog, tree, *recorded, requests));
        if (fill.skipped > 0)
            notice += fmt::format(" {} recordings are of kernels or sizes that have changed since and are left out.", fill.skipped);
    }
    return notice;
}

Result<std::unique_ptr<Store>> buildSampleStore(const Catalog& catalog, const DiagnosisTree& tree)
{
    KL_ASSIGN(std::unique_ptr<SqliteStore> store, SqliteStore::inMemory(":sample:"));
    KL_ASSIGN(std::string notice, fillSampleStore(*store, catalog, tree));
    KL_TRY(store->freeze(std::move(notice)));
    return std::unique_ptr<Store>(std::move(store));
}

} // namespace kl::inline learning
