// SPDX-License-Identifier: MIT
#include "tests/sessions/store_support.h"

#include <nlohmann/json.hpp> // before replay.h, which holds a Json by value

#include "profiler/protocol/message_codec.h"
#include "profiler/replay/replay.h"
#include "sessions/learning/history.h"
#include "sessions/learning/sample_builder.h"
#include "sessions/shipped/sample_store.h"
#include "tests/sessions/bench_support.h"

namespace kl {
namespace {

using support::openStore;
using support::readBytes;
using support::TempDir;

/// A device that answers every run alike: 2 µs against a baseline of 1 µs.
class SteadyDevice final : public Collector {
public:
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb verb, const Json&, const Job&) override
    {
        RunAnswer answer;
        answer.device.uuid = "GPU-1";
        answer.device.name = "Steady";
        answer.device.smCount = 10;
        answer.correctness.result = CorrectnessResult::correct;
        answer.timing.emplace();
        answer.timing->gpu = {2000, 1990, 2010, 3};
        answer.timing->samples = {1990, 2000, 2010};
        answer.baseline = Baseline{"copy", Summary{1000, 1000, 1000, 3}, {}, {}, {}};
        answer.sourceHash = "as recorded";
        if (verb == Verb::profile)
            answer.metrics.emplace().values = {{"sm__cycles_elapsed.max", 3000.0}};
        return toJsonMessage(answer);
    }

private:
    Hello hello_;
};

RecordedRequest requestFor(Verb verb, const std::string& kernel, const std::string& problem)
{
    RecordedRequest request;
    request.verb = verb;
    request.kernel = kernel;
    request.problem = problem;
    request.body = Json::object();
    return request;
}

class SampleBuilding : public ::testing::Test {
protected:
    void SetUp() override
    {
        Result<Catalog> catalog = Catalog::embedded();
        ASSERT_TRUE(catalog) << catalog.error().message;
        catalog_ = std::make_unique<Catalog>(std::move(*catalog));
        Result<DiagnosisTree> tree = DiagnosisTree::embedded();
        ASSERT_TRUE(tree) << tree.error().message;
        tree_ = std::make_unique<DiagnosisTree>(std::move(*tree));
    }

    /// Records a run of transpose/naive, a run and two profiles of transpose/tiled, and opens the recording.
    void record(const TempDir& dir)
    {
        SteadyDevice device;
        const std::unique_ptr<Recorder> recorder = recordFrom(device);
        const auto scratch = openStore(":memory:");
        test::TestBench bench(*catalog_, *tree_, *recorder, *scratch);
        const Params problem{{"M", std::int64_t{64}}, {"N", std::int64_t{65}}};
        ASSERT_TRUE(bench.run({"transpose", "naive", {}}, problem, true));
        ASSERT_TRUE(bench.run({"transpose", "tiled", {}}, problem, false));
        ASSERT_TRUE(bench.profile({"transpose", "tiled", {}}, problem, 0));
        ASSERT_TRUE(bench.profile({"transpose", "tiled", {}}, problem, 2));
        ASSERT_TRUE(recorder->save(dir / "capture.zst"));
        const std::string bytes = readBytes(dir / "capture.zst");
        auto requests = requestsOf(bytes, "capture");
        ASSERT_TRUE(requests) << requests.error().message;
        requests_ = std::move(*requests);
        auto replay = openCapture(bytes, "capture");
        ASSERT_TRUE(replay) << replay.error().message;
        replay_ = std::move(*replay);
    }

    Result<SampleFill> fill(Store& store) { return storeRecorded(store, *catalog_, *tree_, *replay_, requests_); }

    std::unique_ptr<Catalog> catalog_;
    std::unique_ptr<DiagnosisTree> tree_;
    std::vector<RecordedRequest> requests_;
    std::unique_ptr<Collector> replay_;
};

TEST_F(SampleBuilding, StoresOneRunAKernelAndProblemPreferringTheFullestProfile)
{
    const TempDir dir;
    record(dir);
    const auto store = openStore(":memory:");
    const Result<SampleFill> filled = fill(*store);
    ASSERT_TRUE(filled) << filled.error().message;
    EXPECT_EQ(filled->stored, 2);
    EXPECT_EQ(filled->skipped, 0);
    const auto runs = store->runs({});
    ASSERT_EQ(runs->size(), 2U);
    for (const RunSummary& run : *runs) {
        EXPECT_EQ(run.source, Source::sample);
        EXPECT_EQ(run.speedup, 0.5);
        EXPECT_EQ(run.classId.empty(), run.kernel == "transpose/naive");
    }
    RunQuery profiles;
    profiles.profilesOnly = true;
    const Result<RunRecord> tiled = store->run(store->runs(profiles)->front().id);
    EXPECT_EQ(tiled->kernel.variant, "tiled");
    EXPECT_EQ(tiled->metrics->values.at("sm__cycles_elapsed.max"), 3000);
}

TEST_F(SampleBuilding, TwiceGivesTheSameIds)
{
    const TempDir dir;
    record(dir);
    const auto first = openStore(":memory:");
    const auto second = openStore(":memory:");
    ASSERT_TRUE(fill(*first));
    ASSERT_TRUE(fill(*second));
    ASSERT_TRUE(fill(*second));
    EXPECT_EQ(*first->runs({}), *second->runs({}));
}

TEST_F(SampleBuilding, SkipsWhatTheCatalogNoLongerHas)
{
    const TempDir dir;
    record(dir);
    requests_.push_back(requestFor(Verb::run, "transpose/gone", "M=64,N=65"));
    requests_.push_back(requestFor(Verb::run, "transpose/naive", "M=1,N=2"));
    requests_.push_back(requestFor(Verb::probe, "", ""));
    const auto store = openStore(":memory:");
    const Result<SampleFill> filled = fill(*store);
    ASSERT_TRUE(filled) << filled.error().message;
    EXPECT_EQ(filled->stored, 2);
    EXPECT_EQ(filled->skipped, 2);
}

TEST_F(SampleBuilding, TheSampleStoreHasPatternsAndHistoryAndIsReadOnly)
{
    const auto store = buildSampleStore(*catalog_, *tree_);
    ASSERT_TRUE(store) << store.error().message << store.error().detail;
    EXPECT_TRUE((*store)->readOnly());
    EXPECT_EQ((*store)->location(), ":sample:");
    EXPECT_EQ((*store)->patterns()->size(), 23U);
    EXPECT_FALSE((*store)->setSetting("x", "1"));
    const auto sessions = (*store)->sessions();
    ASSERT_EQ(sessions->size(), 7U);
    for (const SessionHeader& session : *sessions)
        EXPECT_EQ(session.kind, "sample");
    EXPECT_EQ((*store)->events(sessions->front().id)->back().type, "finished");
}

TEST_F(SampleBuilding, TheSampleStoresHistoryListsEachShippedSessionOnce)
{
    const auto store = openSampleStore();
    ASSERT_TRUE(store) << store.error().message;
    const Result<History> history = loadHistory(**store);
    ASSERT_TRUE(history);
    EXPECT_EQ(history->rows.size(), 7U);
    EXPECT_EQ(history->own.sessions, 0);
    EXPECT_EQ(history->patterns.size(), 23U);
    EXPECT_TRUE(history->alerts.empty());
}

} // namespace
} // namespace kl
