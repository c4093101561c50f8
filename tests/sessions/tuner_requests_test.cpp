// SPDX-License-Identifier: MIT
// What a search asks of a GPU, when it ends, what it remembers, and what its record keeps.
#include "kernels/code_builder.h"
#include "kernels/space/search_space.h"
#include "sessions/search/best_point.h"
#include "sessions/search/tuner.h"
#include "sessions/store/search_records.h"
#include "sessions/store/search_times.h"
#include "tests/sessions/bench_support.h"
#include "tests/sessions/tuned_gpu.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace kl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kFewFixed = "UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1";
constexpr const char* kTinyProblem = "B=1,H=1,S=64,D=64";

/// Keeps the requests for times, and lets a test change their answers.
template <class Gpu> class Watched final : public Collector {
public:
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return inner.hello(); }
    Hello& hello() { return inner.hello(); }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (verb == Verb::count && noCounters)
            return *noCounters;
        if (verb == Verb::profile && profile)
            return toJsonMessage(*profile);
        Result<Json> answer = inner.ask(verb, body, job);
        if (verb == Verb::count && answer && onCount)
            onCount(*answer);
        if (verb == Verb::run && answer) {
            runs.push_back(*fromJsonMessage<RunRequest>(body));
            if (onRun)
                onRun(runs.back(), *answer);
        }
        return answer;
    }
    /// Those of the best, measured again.
    std::vector<RunRequest> atLength() const
    {
        std::vector<RunRequest> list;
        std::ranges::copy_if(runs, std::back_inserter(list), [](const RunRequest& one) { return one.trial && one.maxSamples == 100; });
        return list;
    }
    Gpu inner;
    std::vector<RunRequest> runs;
    std::function<void(const RunRequest&, Json&)> onRun;
    std::function<void(Json&)> onCount;
    std::optional<Error> noCounters;
    std::optional<RunAnswer> profile;
};

class TunerRequests : public testing::Test {
protected:
    Result<TuneResult> search(const TunePlan& plan, const Job& job = {}, const std::string& problem = kTinyProblem)
    {
        gpu.runs.clear();
        return tune(gpu, catalog, family, variant, *parseParams(kFewFixed), *parseParams(problem), plan, job);
    }
    support::TempDir folder_;
    support::SetVariable cache_{"XDG_CACHE_HOME", folder_.path().c_str()};
    Catalog catalog = *Catalog::loadEmbedded();
    const KernelFamily& family = **catalog.family("attention");
    const Variant& variant = **findTunedVariant(family, "fused");
    Watched<test::TunedGpu> gpu;
};

TEST_F(TunerRequests, TrialsAreBriefAndTheBestAreTimedAtLengthWithoutABaseline)
{
    TunePlan plan;
    plan.refined = 2;
    ASSERT_TRUE(search(plan));
    std::size_t brief = 0;
    for (const RunRequest& request : gpu.runs) {
        EXPECT_EQ(request.trial, true);
        EXPECT_FALSE(request.withBaseline);
        EXPECT_EQ(request.work.baseline.kind, "");
        EXPECT_THAT(request.suite, IsEmpty());
        EXPECT_FALSE(request.energy);
        if (request.maxSamples == 100) {
            EXPECT_EQ(request.minSeconds, 0.04);
            EXPECT_EQ(request.maxSeconds, 1);
        } else {
            ++brief;
            EXPECT_EQ(request.maxSamples, 12);
            EXPECT_EQ(request.minSeconds, 0);
            EXPECT_EQ(request.maxSeconds, 0.2);
        }
    }
    EXPECT_THAT(gpu.atLength(), SizeIs(2 * kRefineRounds));
    EXPECT_GT(brief, 2U);
}

TEST_F(TunerRequests, TheBestTakeTurnsInAlternatingOrderAndTheirMedianCounts)
{
    TunePlan plan;
    plan.refined = 3;
    int atLength = 0;
    gpu.onRun = [&](const RunRequest& request, Json& answer) {
        if (request.maxSamples != 100)
            return;
        const double factor = std::vector<double>{1, 5, 2}.at(static_cast<std::size_t>(atLength++ / 3));
        answer["timing"]["gpu_ns"]["median"] = factor * answer["timing"]["gpu_ns"]["median"].get<double>();
    };
    const Result<TuneResult> result = search(plan);
    ASSERT_TRUE(result) << result.error().message;
    std::vector<std::string> order;
    for (const RunRequest& request : gpu.atLength())
        order.push_back(request.work.kernel);
    ASSERT_THAT(order, SizeIs(9));
    EXPECT_TRUE(std::equal(order.begin(), order.begin() + 3, order.rbegin() + 3)) << "the second round is the first in reverse";
    EXPECT_TRUE(std::equal(order.begin(), order.begin() + 3, order.begin() + 6));
    for (std::size_t i = 0; i < 3; ++i) {
        const TunedPoint& point = *std::ranges::find(result->points, order[i], &TunedPoint::kernel);
        EXPECT_TRUE(point.refined);
        EXPECT_DOUBLE_EQ(*point.ns, 2 * test::TunedGpu::computeNs(point.tunables));
    }
    EXPECT_EQ(std::ranges::count_if(result->points, &TunedPoint::refined), 3);
    EXPECT_EQ(result->points.at(3).refined, false) << "the best stay before the rest";
}

TEST_F(TunerRequests, WhatFailedIsNotMeasuredAgainThoughThereIsRoom)
{
    TunePlan plan;
    plan.refined = 0;
    plan.budgetTrials = 3;
    gpu.inner.fails = search(plan)->points.front().kernel;
    plan.fresh = true;
    plan.refined = 8;
    const Result<TuneResult> result = search(plan);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->device, "Tuned H200");
    EXPECT_THAT(gpu.atLength(), SizeIs(2 * kRefineRounds));
    EXPECT_FALSE(result->points.back().refined);
    EXPECT_EQ(result->points.back().kernel, gpu.inner.fails);
}

TEST_F(TunerRequests, EnergiesAreMeasuredAgainOnce)
{
    TunePlan plan;
    plan.objective = Objective::energy;
    plan.refined = 3;
    ASSERT_TRUE(search(plan));
    EXPECT_THAT(gpu.atLength(), SizeIs(3));
    for (const RunRequest& request : gpu.runs)
        EXPECT_EQ(request.energy, true);
}

TEST_F(TunerRequests, ATrialThatWasEndedEarlyIsMarked)
{
    gpu.onRun = [&](const RunRequest& request, Json& answer) {
        const bool slow = request.work.kernel.find("WARPS=2") != std::string::npos;
        answer["timing"]["stopped_by"] = slow ? "hopeless" : "noise-stable";
    };
    TunePlan plan;
    plan.refined = 0;
    const Result<TuneResult> result = search(plan);
    ASSERT_TRUE(result);
    std::size_t cut = 0;
    for (const TunedPoint& point : result->points) {
        EXPECT_EQ(point.cut, *numberIn(point.tunables, "WARPS") == 2) << point.kernel;
        cut += point.cut ? 1 : 0;
        EXPECT_GE(point.at, 0);
    }
    EXPECT_GT(cut, 0U);
}

TEST_F(TunerRequests, AnEnergyBudgetCountsTheSecondsOfTheWorker)
{
    gpu.inner.powerW = 10;
    gpu.onRun = [](const RunRequest&, Json& answer) { answer["worker_seconds"] = 2.0; };
    TunePlan plan;
    plan.refined = 0;
    plan.budgetJoules = 50;
    const Result<TuneResult> result = search(plan);
    ASSERT_TRUE(result);
    EXPECT_THAT(result->points, SizeIs(3)) << "20 J each";
    plan.budgetJoules = 60;
    plan.fresh = true;
    EXPECT_THAT(search(plan)->points, SizeIs(3)) << "it is used up";
    plan.budgetJoules = 60.1;
    EXPECT_THAT(search(plan)->points, SizeIs(4));
}

TEST_F(TunerRequests, ATimeThatIsOverEndsItBeforeTheNextPoint)
{
    TunePlan plan;
    plan.budgetSeconds = 1e-9;
    const Result<TuneResult> none = search(plan);
    ASSERT_TRUE(none);
    EXPECT_THAT(none->points, IsEmpty());
    EXPECT_EQ(none->left, none->build.candidates().size());
    plan.budgetSeconds = 1e6;
    EXPECT_EQ(search(plan)->left, 0U);
}

TEST_F(TunerRequests, FiguresAreRememberedOfTheSameGpuAndProblemAlone)
{
    TunePlan plan;
    plan.refined = 0;
    plan.budgetTrials = 5;
    ASSERT_TRUE(search(plan));
    EXPECT_THAT(gpu.runs, SizeIs(5));
    ASSERT_TRUE(search(plan));
    EXPECT_THAT(gpu.runs, IsEmpty());
    ASSERT_TRUE(search(plan, {}, "B=2,H=1,S=64,D=64"));
    EXPECT_THAT(gpu.runs, SizeIs(5)) << "another problem";
    gpu.hello().devices.front().uuid = "GPU-another";
    ASSERT_TRUE(search(plan));
    EXPECT_THAT(gpu.runs, SizeIs(5)) << "another GPU";
    gpu.hello().devices.front().uuid = "GPU-tuned";
    gpu.inner.fails = search(plan)->points.front().kernel;
    plan.fresh = true;
    ASSERT_TRUE(search(plan));
    plan.fresh = false;
    const Result<TuneResult> again = search(plan);
    EXPECT_TRUE(std::ranges::find(again->points, gpu.inner.fails, &TunedPoint::kernel)->ns) << "a failure does not replace a time";
}

TEST_F(TunerRequests, OccupancyMayBeAskedFor)
{
    TunePlan plan;
    plan.refined = 0;
    plan.minOccupancy = 0;
    const std::size_t all = search(plan)->build.candidates().size();
    EXPECT_GT(all, 0U);
    plan.minOccupancy = 100; // with 128 registers per thread
    const Result<TuneResult> none = search(plan);
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_THAT(none->build.candidates(), IsEmpty());
    EXPECT_THAT(gpu.runs, IsEmpty());
}

TEST_F(TunerRequests, ASearchGoesOnWithoutCounters)
{
    gpu.noCounters = Error{.code = ErrorCode::environment, .message = "No permission."};
    std::vector<std::string> notices;
    Job job;
    job.notice = [&](const std::string& text) { notices.push_back(text); };
    TunePlan plan;
    plan.refined = 0;
    const Result<TuneResult> result = search(plan, job);
    ASSERT_TRUE(result);
    EXPECT_THAT(notices, SizeIs(1));
    EXPECT_THAT(result->points.front().metrics, IsEmpty());
    gpu.noCounters->code = ErrorCode::interrupted;
    EXPECT_EQ(search(plan, job).error().code, ErrorCode::interrupted);
    gpu.noCounters.reset();
    gpu.onCount = [](Json& answer) {
        for (Json& one : answer["answers"])
            one["metrics"]["metrics"]["sm__cycles_active.avg"] = nullptr;
        answer["answers"][0]["metrics"]["metrics"]["sm__cycles_active.avg"] = 7.0;
    };
    const Result<TuneResult> counted = search(plan, job);
    EXPECT_EQ(counted->points.front().metrics, (std::map<std::string, double>{{"sm__cycles_active.avg", 7}})) << "the best first";
    EXPECT_THAT(counted->points.at(1).metrics, IsEmpty()) << "what has no value is left out";
}

TEST_F(TunerRequests, SixtyFourPointsAreCountedTogether)
{
    std::vector<std::size_t> together;
    gpu.onCount = [&](const Json& answer) { together.push_back(answer["answers"].size()); };
    TunePlan plan;
    plan.refined = 0;
    plan.budgetTrials = 70;
    plan.countSeconds = 1e6;
    const Result<TuneResult> result =
        tune(gpu, catalog, family, variant, *parseParams("MIN_BLOCKS=1"), *parseParams(kTinyProblem), plan, {});
    ASSERT_TRUE(result);
    ASSERT_THAT(result->points, SizeIs(70));
    EXPECT_THAT(together, ElementsAre(64, 6));
    for (const TunedPoint& point : result->points)
        EXPECT_THAT(point.metrics, SizeIs(1)) << point.kernel;
}

TEST_F(TunerRequests, AGpuThatIsNotKnownIsNotSearchedFor)
{
    gpu.hello().devices.front().ccMajor = 99;
    const Result<TuneResult> unknown = search({});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::environment);
    EXPECT_EQ(unknown.error().where, "Tuned H200");
    gpu.hello().devices.clear();
    EXPECT_EQ(search({}).error().where, "device");
}

TEST_F(TunerRequests, OnePointIsOpenAtATimeUnlessThePlanSaysMore)
{
    EXPECT_EQ(widthOn(gpu, {}), 1U);
    TunePlan plan;
    plan.width = 5;
    EXPECT_EQ(widthOn(gpu, plan), 5U);
}

/// A whole search with its record.
class RecordedLoop : public testing::Test {
protected:
    RecordedLoop()
    {
        gpu.inner.firstResult = CorrectnessResult::correct;
        gpu.inner.firstStatus = ResultStatus::ok;
        gpu.hello().host = "farm-7";
    }
    SearchSubject subject() const { return {&family, &variant, *parseParams(kFewFixed), *parseParams(kTinyProblem)}; }
    Result<BestPoint> search(const LoopPlan& plan, const Job& job = {}) { return findBest(bench, subject(), plan, job); }
    SearchRecord readRecord(const Result<BestPoint>& best)
    {
        EXPECT_TRUE(best) << best.error().message;
        return *searchRecord(*store, best->record);
    }
    support::TempDir folder_;
    support::SetVariable cache_{"XDG_CACHE_HOME", folder_.path().c_str()};
    Catalog catalog = *Catalog::loadEmbedded();
    DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    const KernelFamily& family = **catalog.family("attention");
    const Variant& variant = **findTunedVariant(family, "fused");
    std::unique_ptr<Store> store = support::openStore(":memory:");
    Watched<test::JudgedGpu> gpu;
    test::TestBench bench{catalog, tree, gpu, *store};
};

TEST_F(RecordedLoop, TheRecordNamesWhereAndHowItWasSearched)
{
    LoopPlan plan;
    plan.protocol = "mine";
    plan.confirmations = 0;
    plan.tune.strategy = "random_sample";
    plan.tune.seed = 7;
    plan.tune.width = 3;
    plan.tune.budgetTrials = 6;
    plan.tune.refined = 2;
    const Result<BestPoint> best = search(plan);
    const SearchRecord record = readRecord(best);
    EXPECT_EQ(record.deviceUuid, "GPU-tuned");
    EXPECT_EQ(record.driver, "1");
    EXPECT_EQ(record.arch, "sm_90");
    EXPECT_EQ(record.host, "farm-7");
    EXPECT_EQ(record.kernel, "attention/fused");
    EXPECT_EQ(record.fixed, "MIN_BLOCKS=1,SPLIT_KV=off,UNROLL=full");
    EXPECT_EQ(record.problem, best->tuned.build.space.problem);
    EXPECT_EQ(record.sourceHash, chooseCodeText(family, variant).hash());
    EXPECT_EQ(record.objective, "time");
    EXPECT_EQ(record.strategy, "random_sample");
    EXPECT_EQ(record.protocol, "mine");
    EXPECT_EQ(record.seed, 7U);
    EXPECT_EQ(record.width, 3);
    EXPECT_EQ(record.left, static_cast<std::int64_t>(best->tuned.left));
    EXPECT_GT(record.left, 0);
    EXPECT_EQ(record.seconds, best->tuned.seconds);
    EXPECT_EQ(record.compileSeconds, best->tuned.build.seconds);
    EXPECT_FALSE(record.startedAt.empty());
    ASSERT_EQ(record.gates.size(), kSpaceGates.size());
    for (std::size_t i = 0; i < kSpaceGates.size(); ++i) {
        EXPECT_EQ(record.gates[i].gate, toWord(kSpaceGates[i]));
        EXPECT_EQ(record.gates[i].rejected, static_cast<std::int64_t>(best->tuned.build.space.rejected[i]));
    }
    for (const SearchTrial& trial : record.trials)
        EXPECT_EQ(trial.ns, test::TunedGpu::computeNs(*parseParams(trial.tunables)));
    EXPECT_FALSE(record.best->confirmed);
    EXPECT_EQ(record.best->overDefault, best->comparison ? best->comparison->ratio : std::nullopt);
    EXPECT_EQ(record.best->ns, best->run->timing->gpu.median);
    EXPECT_EQ(record.best->tunables, toText(best->tunables));
}

TEST_F(RecordedLoop, TheWinnerIsProfiledUnlessThePlanSaysNot)
{
    gpu.profile.emplace();
    gpu.profile->device = gpu.hello().devices.front();
    gpu.profile->correctness.result = CorrectnessResult::correct;
    gpu.profile->timing.emplace();
    gpu.profile->timing->gpu = {1000, 990, 1010, 50};
    gpu.profile->launches = {{"entry", 1024, 128, 32, 0, 0, 0}};
    LoopPlan plan;
    plan.confirmations = 0;
    const Result<BestPoint> best = search(plan);
    const SearchRecord record = readRecord(best);
    ASSERT_TRUE(best->profile);
    EXPECT_EQ(best->profile->kernel, best->run->kernel);
    EXPECT_EQ(record.best->profile, best->profile->id.text);
    EXPECT_EQ(record.best->finding, best->profile->diagnosis->finding.title);
    EXPECT_TRUE(store->run(best->profile->id));
    plan.diagnosed = false;
    const Result<BestPoint> without = search(plan);
    EXPECT_FALSE(without->profile);
    EXPECT_EQ(readRecord(without).best->profile, "");
}

TEST_F(RecordedLoop, WhatTheWinnerCannotBeComparedWithIsNoticedAndTheSearchFinishes)
{
    std::vector<std::string> notices;
    Job job;
    job.notice = [&](const std::string& text) { notices.push_back(text); };
    gpu.onRun = [](const RunRequest& request, Json& answer) {
        if (request.trial && request.withBaseline)
            answer["status"] = "computation_failed";
    };
    const Result<BestPoint> best = search({}, job); // neither a rival nor a profile
    EXPECT_EQ(readRecord(best).state, SearchStage::finished);
    EXPECT_FALSE(best->confirmation);
    EXPECT_FALSE(best->profile);
    EXPECT_THAT(notices, SizeIs(2));
}

TEST_F(RecordedLoop, AnInterruptedConfirmationLeavesAStoppedRecordWithItsBest)
{
    std::stop_source stop;
    Job job;
    job.stop = stop.get_token();
    gpu.onRun = [&](const RunRequest& request, Json&) {
        if (request.trial && request.withBaseline)
            stop.request_stop();
    };
    LoopPlan plan;
    plan.confirmations = 30;
    EXPECT_EQ(search(plan, job).error().code, ErrorCode::interrupted);
    const auto records = searchRecords(*store, {});
    ASSERT_THAT(*records, SizeIs(1));
    EXPECT_EQ(records->front().state, SearchStage::stopped);
    EXPECT_TRUE(records->front().best);
}

TEST_F(RecordedLoop, WithoutARightPointThereIsNoWinnerAndEachWrongOneIsNamed)
{
    gpu.onRun = [](const RunRequest& request, Json& answer) {
        if (request.trial)
            return;
        answer["status"] = "validation_failed";
        answer["reason"] = "one row is wrong";
    };
    LoopPlan plan;
    plan.tune.refined = 2;
    const Result<BestPoint> best = search(plan);
    const SearchRecord record = readRecord(best);
    EXPECT_FALSE(best->run);
    EXPECT_FALSE(best->comparison);
    EXPECT_THAT(best->wrong, SizeIs(2)) << "those that were measured again";
    EXPECT_EQ(best->wrong.front().reason, "one row is wrong");
    EXPECT_FALSE(record.best);
    EXPECT_THAT(record.wrong, SizeIs(2));
    EXPECT_NE(record.wrong.front().find(best->wrong.front().kernel), std::string::npos);
    EXPECT_EQ(record.state, SearchStage::finished);
}

TEST_F(RecordedLoop, TheBestOfTheLastSearchAreMeasuredRightAfterTheDefault)
{
    LoopPlan plan;
    plan.confirmations = 0;
    plan.diagnosed = false;
    const Result<BestPoint> before = search(plan);
    ASSERT_TRUE(before);
    const std::vector<TunedPoint>& points = before->tuned.points;
    ASSERT_GT(points.size(), 20U);
    SearchTimes times{"Tuned H200", "attention/fused", before->tuned.build.space.problem, {}};
    for (const auto& [place, ns] : {std::pair{19, 4.0}, std::pair{15, 2.0}, std::pair{11, 3.0}, std::pair{9, 1.0}})
        times.ns[points[static_cast<std::size_t>(place)].kernel] = ns;
    const auto recordOrder = [&](bool startsKnown) {
        EXPECT_TRUE(saveSearchTimes(*store, times));
        std::vector<std::string> order;
        plan.tune.strategy = "random_forest";
        plan.tune.startsKnown = startsKnown;
        plan.tune.onTime = [&](const TunedPoint& point) { order.push_back(point.kernel); };
        EXPECT_TRUE(search(plan));
        return std::vector(order.begin(), order.begin() + 4);
    };
    EXPECT_THAT(recordOrder(true), ElementsAre("attention/fused@HALF2=off", points[9].kernel, points[15].kernel, points[11].kernel));
    EXPECT_NE(recordOrder(false).front(), "attention/fused@HALF2=off");
}

TEST_F(RecordedLoop, ASearchForEnergyChecksAndComparesEnergies)
{
    gpu.onRun = [](const RunRequest& request, Json& answer) {
        if (!request.trial)
            answer["timing"]["energy"] = {{"energy_per_launch_j", 0.125}, {"reason", ""}};
    };
    LoopPlan plan;
    plan.confirmations = 0;
    plan.diagnosed = false;
    plan.tune.objective = Objective::energy;
    const Result<BestPoint> best = search(plan);
    const SearchRecord record = readRecord(best);
    EXPECT_EQ(record.objective, "energy");
    EXPECT_EQ(record.best->joules, 0.125) << "of the run that checked it";
    for (const RunRequest& request : gpu.runs)
        EXPECT_EQ(request.energy, true) << request.work.kernel;
    ASSERT_TRUE(best->comparison);
    EXPECT_TRUE(best->comparison->energy) << "it was asked for, too";
    std::size_t again = 0;
    for (const SearchTrial& trial : record.trials) {
        EXPECT_TRUE(trial.joules);
        if (trial.again) {
            ++again;
            EXPECT_EQ(trial.again, test::TunedGpu::computeJoules(*parseParams(trial.tunables))) << "of the objective";
        }
    }
    EXPECT_EQ(again, 8U);
}

} // namespace
} // namespace kl
