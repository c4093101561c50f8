// SPDX-License-Identifier: MIT
#include "sessions/learning/own_cases.h"
#include "sessions/learning/rediagnose.h"
#include "sessions/measure/compare.h"
#include "sessions/store/sqlite_store.h"
#include "tests/sessions/engine_support.h"

#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

using testing::SizeIs;

const Address kOldNaive{"transpose", "naive", {}};
const Address kOldTiled{"transpose", "tiled", {}};

class RediagnoseTest : public EngineTest {
protected:
    /// With its threshold for uncoalesced accesses below what the naive kernel has: that becomes bank-conflicts.
    DiagnosisTree later = unwrap(DiagnosisTree::parse(
        [] {
            std::string text = kTinyTree;
            text.replace(text.find("\"<\", 30"), 7, "\"<\", 5");
            return text;
        }(),
        "later tree"));
    TrainedRecommender recommender{*store, catalog, later};

    std::vector<Rediagnosis> again(const std::vector<RunId>& runs, bool keep = true)
    {
        return unwrap(rediagnoseRuns(*store, catalog, later, recommender, runs, keep, {}));
    }
};

TEST_F(RediagnoseTest, ALaterTreesFindingIsStoredAndTheEarlierOneStays)
{
    const RunRecord run = unwrap(bench.profile(kOldNaive, {}, kSessionTier));
    EXPECT_EQ(run.diagnosis->treeVersion, tree.version());
    EXPECT_NE(later.version(), tree.version());
    EXPECT_TRUE(isOfAnotherTree(*run.diagnosis, later));
    const std::vector<Rediagnosis> made = again({run.id});
    ASSERT_THAT(made, SizeIs(1));
    EXPECT_TRUE(made[0].hasNewClass());
    EXPECT_TRUE(made[0].stored);

    const RunRecord now = unwrap(store->run(run.id));
    EXPECT_EQ(now.diagnosis->finding.classId, "bank-conflicts");
    EXPECT_EQ(now.diagnosis->treeVersion, later.version());
    RunRecord measured = now;
    measured.diagnosis = run.diagnosis;
    EXPECT_EQ(measured, run) << "nothing else changes";
    EXPECT_EQ(unwrap(store->summary(run.id)).classId, "bank-conflicts");
    const std::vector<StoredDiagnosis> all = unwrap(store->diagnoses(run.id));
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[0], (StoredDiagnosis{run.startedAt, *run.diagnosis}));
    EXPECT_EQ(all[1].diagnosis, *now.diagnosis);
}

TEST_F(RediagnoseTest, TheSameVerdictByTheSameTreeIsNotStoredAgain)
{
    const RunId id = unwrap(bench.profile(kOldNaive, {}, kSessionTier)).id;
    EXPECT_TRUE(again({id})[0].stored);
    EXPECT_FALSE(again({id})[0].stored);
    EXPECT_THAT(unwrap(store->diagnoses(id)), SizeIs(2));
}

TEST_F(RediagnoseTest, ADryRunStoresNothing)
{
    const RunRecord run = unwrap(bench.profile(kOldNaive, {}, kSessionTier));
    const std::vector<Rediagnosis> made = again({run.id}, false);
    EXPECT_TRUE(made[0].hasNewClass());
    EXPECT_FALSE(made[0].stored);
    EXPECT_EQ(unwrap(store->run(run.id)), run);
}

TEST_F(RediagnoseTest, EveryProfileIsListedAndRunsWithoutAFindingAreRefused)
{
    const RunId timed = unwrap(bench.run(kOldNaive, {}, false)).id;
    const RunId naive = unwrap(bench.profile(kOldNaive, {}, kSessionTier)).id;
    const RunId tiled = unwrap(bench.profile(kOldTiled, {}, kSessionTier)).id;
    EXPECT_THAT(unwrap(listStoredProfiles(*store)), testing::UnorderedElementsAre(naive, tiled));
    EXPECT_EQ(rediagnoseRuns(*store, catalog, later, recommender, {timed}, false, {}).error().code, ErrorCode::badInput);
    EXPECT_EQ(rediagnoseRuns(*store, catalog, later, recommender, {{"none"}}, false, {}).error().code, ErrorCode::notFound);
    EXPECT_EQ(store->saveDiagnosis({"none"}, {}).error().code, ErrorCode::notFound);
}

TEST_F(RediagnoseTest, FixCasesAreOfTheTreeThatAsksForThem)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    TestBench here(catalog, tree, live, *store);
    ASSERT_TRUE(here.profile(kOldNaive, {}, kSessionTier));
    ASSERT_TRUE(here.profile(kOldTiled, {}, kSessionTier));
    const auto findNaiveClass = [&](const DiagnosisTree& by) {
        for (const FixState& state : unwrap(ownStates(*store, catalog, by)))
            if (state.kernel == toText(kOldNaive))
                return state.classId;
        return std::string();
    };
    EXPECT_EQ(findNaiveClass(tree), "uncoalesced");
    EXPECT_EQ(findNaiveClass(later), "bank-conflicts");
}

TEST_F(RediagnoseTest, AReadOnlyDatabaseIsDiagnosedButNotWritten)
{
    const RunRecord run = unwrap(bench.profile(kOldNaive, {}, kSessionTier));
    const auto frozen = unwrap(SqliteStore::inMemory(":sample:"));
    ASSERT_TRUE(frozen->saveRun(run));
    ASSERT_TRUE(frozen->freeze("read-only"));
    TrainedRecommender other(*frozen, catalog, later);
    EXPECT_EQ(rediagnoseRuns(*frozen, catalog, later, other, {run.id}, true, {}).error().code, ErrorCode::badInput);
    EXPECT_TRUE(unwrap(rediagnoseRuns(*frozen, catalog, later, other, {run.id}, false, {}))[0].hasNewClass());
}

TEST_F(RediagnoseTest, StopsWhereTheUserDidAndReportsEachRun)
{
    const RunId naive = unwrap(bench.profile(kOldNaive, {}, kSessionTier)).id;
    const RunId tiled = unwrap(bench.profile(kOldTiled, {}, kSessionTier)).id;
    std::stop_source source;
    Job job;
    job.stop = source.get_token();
    std::vector<std::string> steps;
    job.progress = [&](const Progress& progress) { steps.push_back(progress.step); };
    const auto both = unwrap(rediagnoseRuns(*store, catalog, later, recommender, {tiled, naive}, false, job));
    ASSERT_THAT(both, SizeIs(2));
    EXPECT_EQ(both[0].id, tiled) << "in the order asked for";
    EXPECT_EQ(both[0].kernel, "transpose/tiled");
    EXPECT_EQ(both[1].problem, toText(unwrap(store->run(naive)).problem));
    EXPECT_EQ(both[1].device, unwrap(store->run(naive)).device.name);
    EXPECT_EQ(both[1].before.finding.classId, "uncoalesced");
    EXPECT_FALSE(both[0].hasNewClass());
    EXPECT_THAT(steps, testing::ElementsAre("diagnosed 1 of 2", "diagnosed 2 of 2"));
    source.request_stop();
    EXPECT_EQ(rediagnoseRuns(*store, catalog, later, recommender, {naive}, false, job).error().code, ErrorCode::interrupted);
    EXPECT_TRUE(again({tiled})[0].stored) << "the same class by another tree";
}

TEST_F(RediagnoseTest, ProfilesAreListedNewestFirstBeyondAPage)
{
    RunRecord run = unwrap(bench.profile(kOldNaive, {}, kSessionTier));
    std::vector<RunId> all{run.id};
    for (int i = 0; i < 1003; ++i) {
        run.id.text = fmt::format("profile-{:04}", i);
        run.startedAt = fmt::format("2026-01-01T00:00:00.{:03}Z", i / 2 % 1000); // two at a time
        all.push_back(run.id);
        ASSERT_TRUE(store->saveRun(run));
    }
    const std::vector<RunId> listed = unwrap(listStoredProfiles(*store));
    EXPECT_THAT(listed, testing::UnorderedElementsAreArray(all)) << "each once";
    EXPECT_EQ(listed.front(), all.front());
}

TEST_F(RediagnoseTest, ChancesOfFixesAreNoOtherVerdictButFindingsAre)
{
    std::string text = kTinyTree;
    text.replace(text.find("\"fixes\": []"), 11, R"("fixes": [{"id": "pad", "title": "Pad", "why": "w", "confidence": 0.6}])");
    const DiagnosisTree both = unwrap(DiagnosisTree::parse(text, "both"));
    TrainedRecommender untaught(*store, catalog, both);
    RunRecord run = unwrap(bench.profile(kOldNaive, {}, kSessionTier));
    const auto isStoredAgain = [&](const std::string& id, const std::function<void(Diagnosis&)>& change) {
        run.id.text = id;
        run.diagnosis = both.diagnose(run, catalogFixesFor(catalog, run));
        EXPECT_FALSE(run.diagnosis->finding.fixes.empty());
        EXPECT_FALSE(run.diagnosis->secondary.empty() || run.diagnosis->secondary[0].fixes.empty());
        change(*run.diagnosis);
        EXPECT_TRUE(store->saveRun(run));
        return unwrap(rediagnoseRuns(*store, catalog, both, untaught, {run.id}, true, {}))[0].stored;
    };
    EXPECT_FALSE(isStoredAgain("first", [](Diagnosis& diagnosis) { diagnosis.finding.fixes[0].confidence = 0.01; }));
    EXPECT_FALSE(isStoredAgain("second", [](Diagnosis& diagnosis) { diagnosis.secondary[0].fixes[0].confidence = 0.01; }));
    EXPECT_TRUE(isStoredAgain("lost", [](Diagnosis& diagnosis) { diagnosis.secondary.clear(); }));
    EXPECT_TRUE(isStoredAgain("other", [](Diagnosis& diagnosis) { diagnosis.finding.classId = "latency"; }));
}

} // namespace
} // namespace kl::test
