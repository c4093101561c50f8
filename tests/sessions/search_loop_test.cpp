// SPDX-License-Identifier: MIT
// Loop 1 after the measuring of a space: budgets, the documents' protocol, confirmation, what is recorded.
#include "sessions/search/best_point.h"
#include "sessions/search/search_history.h"
#include "sessions/store/search_records.h"
#include "tests/sessions/bench_support.h"
#include "tests/sessions/tuned_gpu.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace kl {
namespace {

constexpr const char* kLoopProblem = "B=1,H=1,S=64,D=64";

class SearchLoop : public testing::Test {
protected:
    void SetUp() override
    {
        if (const char* value = std::getenv("XDG_CACHE_HOME"))
            before_ = value;
        ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
        Result<Catalog> kernels = Catalog::loadEmbedded();
        Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
        ASSERT_TRUE(kernels && tree);
        kernels_.emplace(std::move(*kernels));
        tree_.emplace(std::move(*tree));
        store_ = support::openStore(":memory:");
        gpu_.firstResult = CorrectnessResult::correct;
        gpu_.firstStatus = ResultStatus::ok;
        bench_.emplace(*kernels_, *tree_, gpu_, *store_);
    }
    void TearDown() override { before_ ? ::setenv("XDG_CACHE_HOME", before_->c_str(), 1) : ::unsetenv("XDG_CACHE_HOME"); }

    SearchSubject subject(const std::string& fixed) const
    {
        const KernelFamily& family = **kernels_->family("attention");
        return {&family, *findTunedVariant(family, "fused"), *parseParams(fixed), *parseParams(kLoopProblem)};
    }
    Result<BestPoint> search(const LoopPlan& plan, const std::string& fixed = "UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1", const Job& job = {})
    {
        return findBest(*bench_, subject(fixed), plan, job);
    }
    /// The only stored search.
    SearchRecord record() const
    {
        const auto records = searchRecords(*store_, "attention/fused");
        EXPECT_TRUE(records);
        EXPECT_EQ(records->size(), 1U);
        return records && !records->empty() ? records->front() : SearchRecord{};
    }

    support::TempDir folder_;
    std::optional<std::string> before_;
    std::optional<Catalog> kernels_;
    std::optional<DiagnosisTree> tree_;
    std::unique_ptr<Store> store_;
    test::JudgedGpu gpu_;
    std::optional<test::TestBench> bench_;
};

TEST_F(SearchLoop, TheDocumentsProtocolIsTwentyOfACubeThenAHundredOfTpe)
{
    const auto recordOrder = [&](LoopPlan plan) {
        std::vector<std::string> order;
        plan.tune.fresh = true;
        plan.tune.onTime = [&](const TunedPoint& point) {
            if (!point.refined)
                order.push_back(point.kernel);
        };
        EXPECT_TRUE(search(plan, "MIN_BLOCKS=1"));
        return order;
    };
    const std::vector<std::string> notes = recordOrder(LoopPlan::notes());
    ASSERT_EQ(notes.size(), 120U);
    LoopPlan cube = LoopPlan::notes();
    cube.tune.strategy = "latin_hypercube";
    cube.tune.budgetTrials = 20;
    const std::vector<std::string> first = recordOrder(cube);
    ASSERT_EQ(first.size(), 20U);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), notes.begin()));
    EXPECT_EQ(LoopPlan::notes().confirmations, 100);
    EXPECT_DOUBLE_EQ(LoopPlan::notes().target, 1.10);
}

TEST_F(SearchLoop, IsRecordedWithItsFunnelTrialsAndWinner)
{
    gpu_.rival = 1.3;
    const Result<BestPoint> best = search({});
    ASSERT_TRUE(best) << best.error().message;
    const SearchRecord kept = record();
    EXPECT_EQ(kept.id, best->record);
    EXPECT_EQ(kept.state, SearchStage::finished);
    EXPECT_EQ(kept.device, "Tuned H200");
    EXPECT_EQ(kept.trials.size(), best->tuned.points.size());
    EXPECT_EQ(kept.total, static_cast<std::int64_t>(best->tuned.build.space.total));
    std::int64_t rejected = 0;
    for (const SearchGateCount& gate : kept.gates)
        rejected += gate.rejected;
    EXPECT_EQ(kept.total - rejected, static_cast<std::int64_t>(kept.trials.size() + kept.rejected.size() + kept.twins.size()));
    EXPECT_FALSE(kept.rejected.empty());
    EXPECT_FALSE(kept.rejected.front().why.empty()) << "128 rows spill";
    EXPECT_EQ(std::ranges::count_if(kept.trials, [](const SearchTrial& trial) { return trial.again.has_value(); }), 8);
    for (const SearchTrial& trial : kept.trials) {
        EXPECT_EQ(trial.facts.at("registers"), 128);
        EXPECT_EQ(trial.facts.at("sector_efficiency"), 100) << "as the gate predicts";
        EXPECT_EQ(trial.metrics.at("sm__cycles_active.avg"), 1000);
    }
    EXPECT_TRUE(std::ranges::is_sorted(kept.trials, {}, &SearchTrial::at));
    ASSERT_TRUE(kept.best);
    EXPECT_EQ(kept.best->kernel, toText(best->run->kernel));
    EXPECT_EQ(kept.best->run, best->run->id.text);
    EXPECT_EQ(kept.best->comparison, best->comparison->id.text);
    ASSERT_TRUE(kept.best->confirmed);
    EXPECT_EQ(kept.best->confirmed->rival, "Test SDPA");
    EXPECT_EQ(kept.best->confirmed->samples, 100);
    EXPECT_EQ(kept.best->confirmed->blocks, 10);
    EXPECT_EQ(kept.best->confirmed->verdict, TargetVerdict::met);
    EXPECT_NEAR(kept.best->confirmed->student.value, 1.3, 0.01);
}

TEST_F(SearchLoop, AMissedTargetAndAMissingRivalAreSaid)
{
    gpu_.rival = 1.05;
    EXPECT_EQ(search({})->confirmation->verdict, TargetVerdict::missed);
    gpu_.rival = 0;
    const Result<BestPoint> alone = search({});
    EXPECT_EQ(alone->confirmation->verdict, TargetVerdict::noRival);
    EXPECT_EQ(alone->confirmation->reason, "There is no python.");
    LoopPlan plan;
    plan.confirmations = 0;
    EXPECT_FALSE(search(plan)->confirmation);
}

TEST_F(SearchLoop, EndsWhereABudgetDoes)
{
    LoopPlan plan;
    plan.tune.budgetTrials = 7;
    const Result<BestPoint> few = search(plan);
    ASSERT_TRUE(few);
    EXPECT_EQ(few->tuned.points.size(), 7U);
    EXPECT_EQ(few->tuned.left, few->tuned.build.candidates().size() - 7);
    gpu_.powerW = 1e12; // any point takes all of it
    plan = {};
    plan.tune.fresh = true;
    plan.tune.budgetJoules = 1;
    EXPECT_EQ(search(plan)->tuned.points.size(), 1U);
    gpu_.powerW = 0; // not known: it would never end
    const auto endless = search(plan);
    ASSERT_FALSE(endless);
    EXPECT_EQ(endless.error().code, ErrorCode::environment);
    EXPECT_EQ(endless.error().where, "--joules");
}

TEST_F(SearchLoop, IsPausedBetweenPoints)
{
    LoopPlan plan;
    plan.tune.budgetTrials = 3;
    int requested = 0;
    plan.tune.beforePoint = [&] {
        EXPECT_EQ(gpu_.timed, requested);
        ++requested;
    };
    ASSERT_TRUE(search(plan));
    EXPECT_EQ(requested, 4) << "the fourth time, the budget is over";
}

TEST_F(SearchLoop, WithoutCountersNothingIsCounted)
{
    LoopPlan plan;
    plan.tune.countSeconds = 0;
    ASSERT_TRUE(search(plan));
    EXPECT_EQ(gpu_.counted, 0);
    EXPECT_TRUE(record().trials.front().metrics.empty());
}

TEST_F(SearchLoop, AStoppedSearchKeepsItsPoints)
{
    std::stop_source stop;
    Job job;
    job.stop = stop.get_token();
    LoopPlan plan;
    int points = 0;
    plan.tune.onTime = [&](const TunedPoint&) {
        if (++points == 5)
            stop.request_stop();
    };
    EXPECT_EQ(search(plan, "UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1", job).error().code, ErrorCode::interrupted);
    EXPECT_EQ(record().state, SearchStage::stopped);
    EXPECT_EQ(record().trials.size(), 5U);
    EXPECT_FALSE(record().best);
}

TEST_F(SearchLoop, ARecordIsReadAsItWasWritten)
{
    ASSERT_TRUE(search({}));
    const SearchRecord kept = record();
    EXPECT_EQ(*searchRecordFromJson(searchRecordToJson(kept), "here"), kept);
    EXPECT_EQ(*searchRecord(*store_, kept.id.substr(0, 20)), kept);
    EXPECT_EQ(searchRecord(*store_, "ffff").error().code, ErrorCode::notFound);
    EXPECT_TRUE(searchRecords(*store_, "copy/coalesced")->empty());
    ASSERT_TRUE(store_->saveArtifact("search-record/0", "{"));
    ASSERT_TRUE(store_->saveArtifact("search-record/1", R"({"schema":"kernelloop.search-record/1","trials":3})"));
    std::vector<std::string> damaged;
    EXPECT_EQ(searchRecords(*store_, {}, &damaged)->size(), 1U);
    EXPECT_EQ(damaged.size(), 2U);
}

} // namespace
} // namespace kl
