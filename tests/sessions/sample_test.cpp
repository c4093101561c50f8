// SPDX-License-Identifier: MIT
#include "tests/support/store_support.h"

#include <nlohmann/json.hpp> // before replay.h, which holds a Json by value

#include "core/base/format.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/replay/replay.h"
#include "sessions/learning/history.h"
#include "sessions/learning/mistake_count.h"
#include "sessions/learning/rule_outcomes.h"
#include "sessions/learning/sample_builder.h"
#include "sessions/learning/scripted.h"
#include "sessions/patterns/pattern_flow.h"
#include "sessions/session/session_model.h"
#include "sessions/shipped/sample_store.h"
#include "tests/sessions/bench_support.h"

#include <algorithm>
#include <optional>
#include <set>

namespace kl {
namespace {

using support::openStore;
using support::readBytes;
using support::TempDir;

/// A device that answers every run alike: 2 µs against a baseline of 1 µs, and profiles by their tier.
class SteadyDevice final : public Collector {
public:
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb verb, const Json& body, const Job&) override
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
            answer.metrics.emplace().values = {{"sm__cycles_elapsed.max", 3000.0 + body.value("tier", 2)}};
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
        Result<Catalog> catalog = Catalog::loadEmbedded();
        ASSERT_TRUE(catalog) << catalog.error().message;
        catalog_ = std::make_unique<Catalog>(std::move(*catalog));
        Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
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
        auto requests = unpackRequests(bytes, "capture");
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
    EXPECT_EQ(tiled->metrics->values.at("sm__cycles_elapsed.max"), 3002) << "the higher tier";
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
    const auto store = openSampleStore(kDocumentsLocation);
    ASSERT_TRUE(store) << store.error().message;
    const Result<History> history = loadHistory(**store);
    ASSERT_TRUE(history);
    EXPECT_EQ(history->rows.size(), 7U);
    EXPECT_EQ(history->own.sessions, 0);
    EXPECT_EQ(mistakeTotals(*history), (MistakeTotals{7, 0, 2, 0})) << "as many as the session N has in its row";
    EXPECT_EQ(history->patterns.size(), 23U);
    EXPECT_TRUE(history->alerts.empty());
    EXPECT_FALSE((*store)->setSetting("x", "1"));
}

/// The sessions that were recorded on a GPU, which the sample opens on.
class RecordedSessions : public ::testing::Test {
protected:
    void SetUp() override
    {
        auto opened = openSampleStore();
        ASSERT_TRUE(opened) << opened.error().message;
        store_ = std::move(*opened);
        auto loaded = loadHistory(*store_);
        ASSERT_TRUE(loaded) << loaded.error().message;
        history_ = std::move(*loaded);
        auto catalog = Catalog::loadEmbedded();
        ASSERT_TRUE(catalog) << catalog.error().message;
        catalog_ = std::move(*catalog);
    }
    int count(const std::string& status) const
    {
        return static_cast<int>(std::ranges::count(history_.rows, status, &HistoryRow::statusText));
    }
    std::unique_ptr<Store> store_;
    History history_;
    std::optional<Catalog> catalog_;
};

TEST_F(RecordedSessions, AreManyOverManyKernelsKeptAndReverted)
{
    EXPECT_GE(history_.rows.size(), 15U);
    std::set<std::string> kernels;
    for (const HistoryRow& row : history_.rows) {
        EXPECT_FALSE(row.sample) << row.name;
        EXPECT_EQ(row.status, SessionStatus::complete) << row.name;
        EXPECT_TRUE(row.documented) << row.name;
        EXPECT_FALSE(row.minutes.empty()) << row.name;
        EXPECT_FALSE(row.money.gpu.empty()) << row.name;
        kernels.insert(row.kernel);
    }
    EXPECT_GE(kernels.size(), 10U);
    EXPECT_GE(count("kept"), 10);
    EXPECT_GE(count("reverted"), 3);
    EXPECT_TRUE(history_.alerts.empty());
}

TEST_F(RecordedSessions, TheTrajectoryBeginsBelowTheBaselineAndCrossesIt)
{
    EXPECT_LT(findShownFigure(history_.rows.front().speedup)->value, 1);
    EXPECT_GT(*history_.own.bestSpeedup, 1.2);
    double first = 0, last = 0; // of attention
    for (const HistoryRow& row : history_.rows)
        if (row.kernel == "attention" && row.statusText == "kept") {
            last = findShownFigure(row.speedup)->value;
            first = first > 0 ? first : last;
        }
    EXPECT_LT(first, 0.5);
    EXPECT_GT(last, 1);
}

TEST_F(RecordedSessions, AreLabeledAndLeftOutOfLearning)
{
    const auto scripted = listScriptedSessions(*store_);
    ASSERT_TRUE(scripted);
    EXPECT_EQ(scripted->size(), history_.rows.size());
    for (const HistoryRow& row : history_.rows) {
        EXPECT_TRUE(isScriptedKind(row.kind)) << row.name;
        EXPECT_FALSE(row.money.engineer) << row.name;
    }
    EXPECT_TRUE(history_.learning.empty());
    EXPECT_FALSE(history_.learningRate || history_.gap || history_.convergence.sessions);
    EXPECT_FALSE(history_.own.savedQuoted || history_.own.valueMeasured);
}

TEST_F(RecordedSessions, HoldSearchesADebuggingSessionEditsAndMeasuredSavings)
{
    int searches = 0, debugging = 0, edits = 0;
    const auto sessions = store_->sessions();
    ASSERT_TRUE(sessions);
    for (const SessionHeader& session : *sessions) {
        debugging += session.kind == "debug";
        const auto events = store_->events(session.id);
        ASSERT_TRUE(events);
        for (const SessionEvent& event : *events) {
            searches += event.type == "fix-chosen" && event.dataJson.find("\"fix\":\"search\"") != std::string::npos;
            edits += event.type == "edit-begun";
        }
    }
    EXPECT_GE(searches, 2);
    EXPECT_GE(debugging, 1);
    EXPECT_GE(edits, 2);
    EXPECT_GT(*history_.own.savedMeasured, 0);
    EXPECT_TRUE(std::ranges::any_of(history_.patterns, [](const PatternReturn& row) { return row.measuredMinutes && row.investedHigh; }));
    const auto cases = ruleCases(*store_);
    ASSERT_TRUE(cases);
    EXPECT_GE(std::ranges::count_if(*cases, [](const RuleCase& one) { return !one.replayed; }), 10);
}

TEST_F(RecordedSessions, HaveOneWorkingTimeEverywhere)
{
    for (const HistoryRow& row : history_.rows) {
        const Result<SessionModel> model = loadSession(*store_, *catalog_, SessionId{row.id});
        ASSERT_TRUE(model) << model.error().message;
        EXPECT_NEAR(model->view.minutes, findShownFigure(row.minutes)->value, 1e-9) << row.name;
        double stages = 0;
        for (const PhaseView& phase : model->view.phases)
            stages += phase.elapsedMinutes;
        EXPECT_NEAR(stages, model->view.minutes, 1e-9) << row.name;
    }
}

TEST_F(RecordedSessions, ShowTheirGainAndTheirFixInTheFlowOfPatterns)
{
    int fixes = 0;
    for (const HistoryRow& row : history_.rows) {
        const Result<SessionModel> model = loadSession(*store_, *catalog_, SessionId{row.id});
        ASSERT_TRUE(model) << model.error().message;
        const FlowFacts facts = flowFacts(model->view);
        const PatternFlow flow = patternFlow(facts);
        const auto box = [&](const std::string& id) { return *std::ranges::find(flow.nodes, id, &FlowNode::id); };
        if (row.gain) {
            EXPECT_EQ(box("again").fact, formatRatio(row.gain)) << row.name;
        }
        if (facts.changed && !model->view.sourceChange && box("fix").state == FlowState::done) {
            EXPECT_EQ(box("fix").fact, model->view.candidate->variant) << row.name;
            ++fixes;
        }
    }
    EXPECT_GE(fixes, 15);
}

TEST_F(RecordedSessions, NeverEnterADatabaseOfOnesOwn)
{
    const TempDir dir;
    const auto own = Store::open((dir / "own.db").string());
    ASSERT_TRUE(own);
    EXPECT_TRUE((*own)->sessions()->empty());
    EXPECT_TRUE((*own)->applications()->empty());
    EXPECT_TRUE((*own)->runs({})->empty());
    EXPECT_FALSE(isSampleLocation((*own)->location()));
}

} // namespace
} // namespace kl
