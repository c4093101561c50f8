// SPDX-License-Identifier: MIT
// What the record of a search keeps of each point while it runs.
#include "sessions/search/best_point.h"
#include "sessions/search/search_log.h"
#include "sessions/store/search_records.h"
#include "tests/support/fake_collector.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TunedPoint tunedAt(std::int64_t tile, std::optional<double> ns, const std::string& why = {})
{
    TunedPoint point;
    point.tunables = {{"TILE", tile}};
    point.ns = ns;
    point.why = why;
    return point;
}

class RecordedSearchLogs : public testing::Test {
protected:
    SearchLog log(Objective objective = Objective::time)
    {
        plan.tune.objective = objective;
        return {*store, gpu, subject, plan, job};
    }
    SearchRecord stored(const SearchLog& of) const { return *searchRecord(*store, of.record().id); }

    Catalog catalog = *Catalog::loadEmbedded();
    std::unique_ptr<Store> store = support::openStore(":memory:");
    FakeCollector gpu{Source::live};
    SearchSubject subject{*catalog.family("transpose"), *catalog.variant({"transpose", "tiled", {}}), {}, {}};
    LoopPlan plan;
    Job job;
};

TEST_F(RecordedSearchLogs, EachFieldOfAPointIsInItsTrial)
{
    TunedPoint point = tunedAt(32, 900, "left over");
    point.joules = 0.25;
    point.gpu = "GPU-2";
    point.at = 3;
    point.seconds = 1.5;
    point.remembered = true;
    const SearchTrial trial = makeTrial(point);
    EXPECT_EQ(trial.tunables, "TILE=32");
    EXPECT_EQ(trial.ns, 900);
    EXPECT_EQ(trial.joules, 0.25);
    EXPECT_EQ(trial.why, "") << "it has a time";
    EXPECT_EQ(trial.gpu, "GPU-2");
    EXPECT_EQ(trial.at, 3);
    EXPECT_EQ(trial.seconds, 1.5);
    EXPECT_TRUE(trial.remembered);
    EXPECT_FALSE(trial.cut);
    EXPECT_FALSE(trial.again);
    point.ns.reset();
    point.remembered = false;
    point.cut = true;
    EXPECT_EQ(makeTrial(point).why, "left over");
    EXPECT_TRUE(makeTrial(point).cut);
    EXPECT_FALSE(makeTrial(point).remembered);
}

TEST_F(RecordedSearchLogs, APointThatIsMeasuredAgainKeepsItsFirstTimeAndItsSecond)
{
    SearchLog record = log();
    record.add(tunedAt(32, 900));
    record.add(tunedAt(64, 800));
    TunedPoint longer = tunedAt(32, 910);
    longer.at = 99;
    record.add(longer);
    ASSERT_THAT(record.record().trials, SizeIs(2));
    EXPECT_EQ(record.record().trials[0].ns, 900);
    EXPECT_EQ(record.record().trials[0].again, 910);
    EXPECT_EQ(record.record().trials[0].why, "");
    EXPECT_FALSE(record.record().trials[1].again);
    EXPECT_EQ(record.record().seconds, 0) << "measured again it is the same trial";
}

TEST_F(RecordedSearchLogs, APointThatFailsWhenItIsMeasuredAgainHasItsReason)
{
    SearchLog record = log();
    record.add(tunedAt(32, 900));
    record.add(tunedAt(32, {}, "it faulted"));
    ASSERT_THAT(record.record().trials, SizeIs(1));
    EXPECT_FALSE(record.record().trials[0].again);
    EXPECT_EQ(record.record().trials[0].why, "it faulted");
    EXPECT_EQ(record.record().trials[0].ns, 900);
    record.end(SearchStage::stopped);
    EXPECT_EQ(stored(record).trials.at(0).why, "it faulted");
    EXPECT_EQ(stored(record).state, SearchStage::stopped);
}

TEST_F(RecordedSearchLogs, WhereEnergyIsTheObjectiveItIsWhatIsMeasuredAgain)
{
    SearchLog record = log(Objective::energy);
    TunedPoint point = tunedAt(32, 900);
    point.joules = 0.5;
    record.add(point);
    point.joules = 0.75;
    record.add(point);
    EXPECT_EQ(record.record().objective, "energy");
    EXPECT_EQ(record.record().trials[0].joules, 0.5);
    EXPECT_EQ(record.record().trials[0].again, 0.75);
    SearchLog ofTime = log();
    EXPECT_EQ(ofTime.record().objective, "time");
}

TEST_F(RecordedSearchLogs, ASearchWithoutAPointIsNotStored)
{
    SearchLog record = log();
    record.end(SearchStage::stopped);
    record.addBest({});
    EXPECT_THAT(*searchRecords(*store, "", nullptr), IsEmpty());
    record.add(tunedAt(32, 900));
    EXPECT_THAT(*searchRecords(*store, "transpose/tiled", nullptr), SizeIs(1)) << "from its first point on";
    EXPECT_NE(log().record().id, record.record().id);
}

TEST_F(RecordedSearchLogs, TheBestPointHasWhatWasFoundOfIt)
{
    SearchLog record = log();
    record.add(tunedAt(32, 900));
    BestPoint best;
    best.wrong = {{"transpose/tiled@TILE=8", "element 3"}};
    record.addBest(best);
    EXPECT_FALSE(stored(record).best) << "none is correct yet";
    EXPECT_THAT(stored(record).wrong, ElementsAre("transpose/tiled@TILE=8: element 3"));
    best.wrong[0].reason = "element 4";
    best.run = support::timedRun("r1", "tiled", "2026-01-01T00:00:00.000Z", 850);
    best.tunables = {{"TILE", std::int64_t{32}}};
    best.comparison.emplace();
    best.comparison->id = {"c1"};
    best.comparison->ratio = Ratio{1.2, 1.1, 1.3};
    best.profile = support::profiledRun("p1", "tiled", "2026-01-01T00:00:01.000Z", 850);
    record.addBest(best);
    const SearchRecord kept = stored(record);
    EXPECT_THAT(kept.wrong, ElementsAre("transpose/tiled@TILE=8: element 4")) << "the newest list alone";
    ASSERT_TRUE(kept.best);
    EXPECT_EQ(kept.best->kernel, "transpose/tiled");
    EXPECT_EQ(kept.best->tunables, "TILE=32");
    EXPECT_EQ(kept.best->run, "r1");
    EXPECT_EQ(kept.best->ns, 850);
    EXPECT_FALSE(kept.best->joules);
    EXPECT_EQ(kept.best->comparison, "c1");
    EXPECT_EQ(kept.best->overDefault, (Ratio{1.2, 1.1, 1.3}));
    EXPECT_EQ(kept.best->profile, "p1");
    EXPECT_EQ(kept.best->finding, best.profile->diagnosis->finding.title);
    EXPECT_FALSE(kept.best->confirmed);
    best.profile->diagnosis.reset();
    record.addBest(best);
    EXPECT_EQ(stored(record).best->profile, "") << "a profile that found nothing";
}

} // namespace
} // namespace kl::test
