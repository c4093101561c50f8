// SPDX-License-Identifier: MIT
#include "sessions/search/best_point.h"
#include "sessions/search/tuned_record.h"
#include "sessions/search/tuner.h"
#include "sessions/store/search_times.h"
#include "tests/sessions/bench_support.h"
#include "tests/sessions/text_lines.h"
#include "tests/sessions/tuned_gpu.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <unistd.h>

namespace kl {
namespace {

using test::JudgedGpu;
using test::TunedGpu;

class Tuner : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = std::filesystem::temp_directory_path() /
                  ("kl-tune-" + std::to_string(::getpid()) + "-" + testing::UnitTest::GetInstance()->current_test_info()->name());
        if (const char* value = std::getenv("XDG_CACHE_HOME"))
            before_ = value;
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
        Result<Catalog> loaded = Catalog::loadEmbedded();
        ASSERT_TRUE(loaded);
        kernels_.emplace(std::move(*loaded));
    }
    void TearDown() override
    {
        before_ ? ::setenv("XDG_CACHE_HOME", before_->c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
        std::filesystem::remove_all(folder_);
    }

    Result<TuneResult> search(const TunePlan& plan, const std::string& fixed = "UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1", const Job& job = {})
    {
        const KernelFamily& family = **kernels_->family("attention");
        return tune(gpu_, *kernels_, family, **findTunedVariant(family, "fused"), *parseParams(fixed), *parseParams("B=1,H=1,S=64,D=64"),
                    plan, job);
    }
    /// What no candidate of a result is faster than.
    static double findLeast(const TuneResult& result)
    {
        double least = 1e9;
        for (const CompiledPoint* point : result.build.candidates())
            least = std::min(least, TunedGpu::computeNs(result.build.space.points[point->index].tunables));
        return least;
    }

    std::filesystem::path folder_;
    std::optional<std::string> before_;
    std::optional<Catalog> kernels_;
    TunedGpu gpu_;
};

TEST_F(Tuner, FindsThePointThatNeedsTheLeastEnergyAndRemembersIt)
{
    TunePlan plan;
    plan.objective = Objective::energy;
    const Result<TuneResult> result = search(plan);
    ASSERT_TRUE(result) << result.error().message;
    double least = 1e9;
    for (const TunedPoint& point : result->points)
        least = std::min(least, point.joules.value_or(1e9));
    EXPECT_EQ(result->points.front().joules, least);
    EXPECT_EQ(*numberIn(result->points.front().tunables, "WARPS"), 4);
    EXPECT_TRUE(result->points.front().ns) << "its time is known, too";
    const int timed = gpu_.timed;
    plan.refined = 0;
    const Result<TuneResult> again = search(plan);
    ASSERT_TRUE(again);
    EXPECT_EQ(gpu_.timed, timed) << "from the cache";
    EXPECT_EQ(again->points.front().joules, least);
    plan.objective = Objective::time;
    ASSERT_TRUE(search(plan));
    EXPECT_GT(gpu_.timed, timed) << "a search for the time has figures of its own";
}

TEST_F(Tuner, ASearchForEnergyEndsWhereThereIsNoCounter)
{
    gpu_.countsEnergy = false;
    TunePlan plan;
    plan.objective = Objective::energy;
    EXPECT_EQ(search(plan).error().code, ErrorCode::environment);
    EXPECT_EQ(gpu_.timed, 1);
}

TEST_F(Tuner, FindsTheFastestAndTimesEachProgramOnce)
{
    const Result<TuneResult> result = search({});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->points.size(), result->build.candidates().size());
    EXPECT_EQ(result->left, 0U);
    EXPECT_EQ(*result->points.front().ns, findLeast(*result));
    EXPECT_TRUE(result->points.front().refined);
    EXPECT_FALSE(result->points.back().refined);
    EXPECT_TRUE(std::ranges::is_sorted(result->points, {}, [](const TunedPoint& point) { return *point.ns; }));
    EXPECT_EQ(gpu_.timed, static_cast<int>(result->points.size()) + 8 * kRefineRounds);
    std::set<std::string> seen;
    for (const TunedPoint& point : result->points) {
        EXPECT_NE(*numberIn(point.tunables, "BLOCK_M"), 128) << "it spills";
        Params code = point.tunables;
        code.erase("HALF2");
        EXPECT_TRUE(seen.insert(toText(code)).second) << "the same program twice";
    }
}

TEST_F(Tuner, RemembersWhatAnEarlierSearchMeasured)
{
    ASSERT_TRUE(search({}));
    gpu_.timed = 0;
    const Result<TuneResult> again = search({});
    ASSERT_TRUE(again);
    EXPECT_EQ(gpu_.timed, 8 * kRefineRounds) << "the best are measured again";
    EXPECT_TRUE(again->points.front().remembered);
    gpu_.timed = 0;
    TunePlan fresh;
    fresh.fresh = true;
    ASSERT_TRUE(search(fresh));
    EXPECT_GT(gpu_.timed, 8 * kRefineRounds);
    gpu_.timed = 0;
    gpu_.hello().devices.front().driverVersion = "2";
    ASSERT_TRUE(search({}));
    EXPECT_GT(gpu_.timed, 8 * kRefineRounds) << "another driver, other times";
}

TEST_F(Tuner, AFailedPointStandsLastWithItsReason)
{
    const Result<TuneResult> before = search({});
    ASSERT_TRUE(before);
    gpu_.fails = before->points.front().kernel;
    TunePlan fresh;
    fresh.fresh = true;
    const Result<TuneResult> result = search(fresh);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->points.back().kernel, gpu_.fails);
    EXPECT_FALSE(result->points.back().ns);
    EXPECT_EQ(result->points.back().why, "it faults");
    EXPECT_EQ(result->points.size(), before->points.size());
}

TEST_F(Tuner, APointThatIsRefutedAtLengthLosesItsBriefTime)
{
    const Result<TuneResult> before = search({});
    ASSERT_TRUE(before);
    gpu_.cheats = before->points.front().kernel;
    for (const ResultStatus status : {ResultStatus::validationFailed, ResultStatus::ok}) {
        gpu_.cheatStatus = status;
        const Result<TuneResult> result = search({}); // remembers the brief times
        ASSERT_TRUE(result);
        EXPECT_NE(result->points.front().kernel, gpu_.cheats);
        const auto cheat = std::ranges::find(result->points, gpu_.cheats, &TunedPoint::kernel);
        ASSERT_NE(cheat, result->points.end());
        EXPECT_FALSE(cheat->ns);
        EXPECT_EQ(cheat->why, "replays: It was not computed.");
    }
}

TEST_F(Tuner, ARefutedPointIsNeverTheBest)
{
    const KernelFamily& family = **kernels_->family("attention");
    const Variant& fused = **findTunedVariant(family, "fused");
    const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    const std::unique_ptr<Store> store = support::openStore(":memory:");
    JudgedGpu gpu;
    gpu.firstResult = CorrectnessResult::stateful;
    gpu.firstStatus = ResultStatus::ok; // the result alone has to do
    test::TestBench bench(*kernels_, *tree, gpu, *store);
    const Params fixed = *parseParams("UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1");
    const Result<BestPoint> best = findBest(bench, {&family, &fused, fixed, *parseParams("B=1,H=1,S=64,D=64")}, {}, {});
    ASSERT_TRUE(best) << best.error().message;
    ASSERT_EQ(gpu.checked.size(), 2U);
    ASSERT_TRUE(best->run);
    EXPECT_EQ(toText(best->run->kernel), gpu.checked[1]);
    ASSERT_EQ(best->wrong.size(), 1U);
    EXPECT_EQ(best->wrong.front().kernel, gpu.checked[0]);
    EXPECT_TRUE(best->wrong.front().reason.starts_with("stateful")) << best->wrong.front().reason;
    EXPECT_FALSE(loadSearchTimes(*store, "Tuned H200", "attention/fused", toText(best->run->problem))->contains(gpu.checked[0]));
}

TEST_F(Tuner, StopsWhenAskedAndWithoutADevice)
{
    std::stop_source stop;
    Job job;
    job.stop = stop.get_token();
    int steps = 0;
    job.progress = [&](const Progress& progress) {
        if (progress.step.starts_with("timed") && ++steps == 5)
            stop.request_stop();
    };
    const Result<TuneResult> stopped = search({}, "UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1", job);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    gpu_.timed = 0;
    const Result<TuneResult> resumed = search({});
    ASSERT_TRUE(resumed);
    EXPECT_EQ(std::ranges::count_if(resumed->points, &TunedPoint::remembered), 5) << "it goes on where it was";
    gpu_.hello().unavailable = "No GPU.";
    EXPECT_EQ(search({}).error().code, ErrorCode::environment);
}

/// A suite of its own, as its test has a snapshot: a search takes too long to be made twice.
class TunerSnapshot : public Tuner {};

TEST_F(TunerSnapshot, TheBestThatIsRightIsComparedAndWhatWasTimedIsKept)
{
    const KernelFamily& family = **kernels_->family("attention");
    const Variant& fused = **findTunedVariant(family, "fused");
    const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    const std::unique_ptr<Store> store = support::openStore(":memory:");
    JudgedGpu gpu;
    test::TestBench bench(*kernels_, *tree, gpu, *store);
    const Params fixed = *parseParams("UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1");
    const Result<BestPoint> best = findBest(bench, {&family, &fused, fixed, *parseParams("B=1,H=1,S=64,D=64")}, {}, {});
    ASSERT_TRUE(best) << best.error().message;
    ASSERT_EQ(gpu.checked.size(), 2U);
    ASSERT_TRUE(best->run);
    EXPECT_EQ(toText(best->run->kernel), gpu.checked[1]);
    ASSERT_TRUE(best->comparison);
    EXPECT_EQ(best->comparison->verdict, Verdict::faster);
    EXPECT_NE(best->comparison->next.find(gpu.checked[1]), std::string::npos) << best->comparison->next;
    test::expectSnapshot("texts/best-point.txt", test::withName(best->comparison->next, gpu.checked[1], "KERNEL") + '\n');

    const auto times = loadSearchTimes(*store, "Tuned H200", "attention/fused", toText(best->run->problem));
    ASSERT_TRUE(times);
    EXPECT_FALSE(times->contains(gpu.checked[0])) << "it is wrong";
    ASSERT_TRUE(times->contains("attention/fused"));
    EXPECT_EQ(times->at("attention/fused"), TunedGpu::computeNs({}));
    EXPECT_EQ(times->at("attention/fused@HALF2=off"), times->at("attention/fused")) << "the same program";
    EXPECT_GT(times->size(), best->tuned.points.size());

    std::vector<std::string> order;
    LoopPlan again;
    again.tune.strategy = "random_forest"; // which begins at known points
    again.tune.onTime = [&](const TunedPoint& point) { order.push_back(point.kernel); };
    ASSERT_TRUE(findBest(bench, {&family, &fused, fixed, *parseParams("B=1,H=1,S=64,D=64")}, again, {}));
    double fastest = 1e9;
    for (const auto& [kernel, ns] : *times)
        fastest = std::min(fastest, ns);
    ASSERT_GT(order.size(), 4U);
    EXPECT_EQ(order.front(), "attention/fused@HALF2=off") << "the program of the default";
    EXPECT_TRUE(std::any_of(order.begin(), order.begin() + 4, [&](const std::string& kernel) {
        return times->contains(kernel) && times->at(kernel) == fastest;
    })) << "it was the best before";
}

TEST_F(Tuner, TheOrderDependsOnTheStrategySeedAndWidthAlone)
{
    const auto recordOrder = [&](const std::string& strategy, std::uint64_t seed, std::size_t width) {
        std::vector<std::string> order;
        TunePlan plan;
        plan.strategy = strategy;
        plan.seed = seed;
        plan.width = width;
        plan.onTime = [&](const TunedPoint& point) {
            if (!point.refined)
                order.push_back(point.kernel);
        };
        const Result<TuneResult> result = search(plan);
        EXPECT_TRUE(result);
        EXPECT_EQ(order.size(), result->points.size()) << strategy;
        EXPECT_EQ(*result->points.front().ns, findLeast(*result)) << strategy;
        return order;
    };
    EXPECT_EQ(recordOrder("greedy_mls", 1, 1).front(), "attention/fused@HALF2=off") << "the program of the default";
    EXPECT_EQ(recordOrder("portfolio", 3, 8), recordOrder("portfolio", 3, 8)) << "the second from what the first measured";
    EXPECT_NE(recordOrder("random_sample", 1, 1), recordOrder("random_sample", 2, 1));
}

TEST_F(Tuner, AnUnknownStrategyIsRefusedBeforeAnythingIsCompiled)
{
    TunePlan plan;
    plan.strategy = "genetic";
    const Result<TuneResult> result = search(plan);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::notFound);
    EXPECT_EQ(gpu_.timed, 0);
}

TEST_F(Tuner, WhatWasTimedIsARecordedSpace)
{
    gpu_.fails = search({})->points.front().kernel;
    TunePlan fresh;
    fresh.fresh = true;
    const Result<TuneResult> result = search(fresh);
    ASSERT_TRUE(result);
    const Result<RecordedSpace> recorded = makeTunedSpace(*result);
    ASSERT_TRUE(recorded) << recorded.error().message;
    ASSERT_EQ(recorded->space.size(), result->points.size());
    std::map<std::string, const TunedPoint*> points;
    for (const TunedPoint& point : result->points)
        points[toText(point.tunables)] = &point;
    for (PointIndex i = 0; i < recorded->space.size(); ++i) {
        const TunedPoint& point = *points.at(recorded->space.text(i));
        EXPECT_EQ(recorded->values[i].has_value(), point.ns.has_value());
        EXPECT_DOUBLE_EQ(recorded->values[i].value_or(0), point.ns.value_or(0) * 1e-6);
        EXPECT_EQ(recorded->failures[i], point.kernel == gpu_.fails ? "it faults" : "");
        EXPECT_TRUE(i == 0 || recorded->space.place(i - 1, 0) <= recorded->space.place(i, 0)) << "in the tunables' order, not best first";
    }
}

} // namespace
} // namespace kl
