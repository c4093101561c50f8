// SPDX-License-Identifier: MIT
#include "profiler/protocol/message_codec.h"
#include "sessions/search/best_point.h"
#include "sessions/search/tuned_record.h"
#include "sessions/search/tuner.h"
#include "sessions/store/search_times.h"
#include "tests/sessions/bench_support.h"
#include "tests/sessions/store_support.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace kl {
namespace {

/// A GPU whose time is a known function of the tunables, with its compiler: BLOCK_M=128 spills, HALF2 changes no instruction.
class TunedGpu : public Collector {
public:
    TunedGpu()
    {
        DeviceInfo device;
        device.uuid = "GPU-tuned";
        device.name = "Tuned H200";
        device.ccMajor = 9;
        device.driverVersion = "1";
        hello_.devices.push_back(device);
    }
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Hello& hello() { return hello_; }

    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "stopped"};
        return verb == Verb::buildMany ? build(body) : time(body);
    }

    static double nsOf(const Params& tunables)
    {
        const auto value = [&](const char* name, std::int64_t otherwise) {
            const std::int64_t* found = numberIn(tunables, name);
            return static_cast<double>(found ? *found : otherwise);
        };
        const bool pad = tunables.contains("SWIZZLE") && tunables.at("SWIZZLE") == ParamValue(std::string("pad"));
        return 1000 + value("BLOCK_N", 64) + 10 * value("WARPS", 4) + 100 * value("STAGES", 2) + (pad ? 50 : 0);
    }

    /// The fastest point is not the one that needs least: WARPS cost more than they gain.
    static double joulesOf(const Params& tunables)
    {
        const std::int64_t* warps = numberIn(tunables, "WARPS");
        return nsOf(tunables) * 1e-6 * (!warps || *warps == 4 ? 1 : 2);
    }

    int timed = 0;
    bool countsEnergy = true; ///< has a counter of its energy
    std::string fails;        ///< address of the one that fails
    std::string cheats;       ///< address of the one that is refuted when it is timed at length
    ResultStatus cheatStatus = ResultStatus::validationFailed;

private:
    Result<Json> build(const Json& body)
    {
        const Result<BuildManyRequest> request = fromJsonMessage<BuildManyRequest>(body);
        EXPECT_TRUE(request.ok());
        BuildManyAnswer answer;
        for (const BuildPoint& point : request->points) {
            const Params tunables = parseAddress(point.kernel)->tunables;
            const std::int64_t* rows = numberIn(tunables, "BLOCK_M");
            BuiltPoint built;
            built.kernel = point.kernel;
            built.ok = true;
            for (const std::string& option : point.options)
                if (!option.starts_with("-DHALF2"))
                    built.code += option;
            for (const BuildPoint::Launch& launch : point.launches)
                built.launches.push_back(
                    {launch.entry, launch.threads, 128, rows && *rows == 128 ? 96 : 0, 0, 0, 0, launch.dynamicSmem, 1, {}});
            answer.points.push_back(std::move(built));
        }
        return toJsonMessage(answer);
    }
    Result<Json> time(const Json& body)
    {
        ++timed;
        const Result<RunRequest> request = fromJsonMessage<RunRequest>(body);
        EXPECT_TRUE(request.ok());
        EXPECT_TRUE(request->trial.value_or(false));
        EXPECT_FALSE(request->withBaseline);
        RunAnswer answer;
        if (request->work.kernel == fails) {
            answer.status = ResultStatus::computationFailed;
            answer.reason = "it faults";
        } else if (request->work.kernel == cheats && request->maxSamples != 12) {
            answer.status = cheatStatus;
            answer.timing.emplace();
            answer.timing->gpu.median = 1;
            answer.correctness.result = CorrectnessResult::replays;
            answer.correctness.witness = Witness{"It was not computed."};
        } else {
            answer.timing.emplace();
            const Params tunables = parseAddress(request->work.kernel)->tunables;
            answer.timing->gpu.median = nsOf(tunables);
            if (request->energy.value_or(false)) {
                answer.timing->energy.emplace().reason = countsEnergy ? "" : "There is no counter.";
                if (countsEnergy)
                    answer.timing->energy->perLaunchJ = joulesOf(tunables);
            }
        }
        return toJsonMessage(answer);
    }

    Hello hello_;
};

/// Which also checks and compares: the first point that is checked is wrong.
class JudgedGpu final : public TunedGpu {
public:
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (verb == Verb::compare)
            return compare(body);
        const Result<RunRequest> request = verb == Verb::run ? fromJsonMessage<RunRequest>(body) : Result<RunRequest>(RunRequest());
        return request && verb == Verb::run && !request->trial.value_or(false) ? check(*request) : TunedGpu::ask(verb, body, job);
    }

    std::vector<std::string> checked;
    CorrectnessResult firstResult = CorrectnessResult::incorrect;
    ResultStatus firstStatus = ResultStatus::validationFailed;

private:
    Result<Json> check(const RunRequest& request)
    {
        checked.push_back(request.work.kernel);
        RunAnswer answer;
        answer.device = hello().devices.front();
        const double ns = nsOf(parseAddress(request.work.kernel)->tunables);
        answer.timing.emplace();
        answer.timing->gpu = {ns, ns, ns, 100};
        answer.correctness.result = CorrectnessResult::correct;
        if (checked.size() == 1) {
            answer.status = firstStatus;
            answer.reason = "one row is wrong";
            answer.correctness.result = firstResult;
        }
        return toJsonMessage(answer);
    }
    Result<Json> compare(const Json& body)
    {
        const Result<AbRequest> request = fromJsonMessage<AbRequest>(body);
        EXPECT_TRUE(request.ok());
        AbAnswer answer;
        answer.device = hello().devices.front();
        const double a = nsOf(parseAddress(request->a.kernel)->tunables);
        const double b = nsOf(parseAddress(request->b.kernel)->tunables);
        for (int i = 0; i < request->blocks; ++i)
            answer.blocks.push_back({std::vector<double>(10, a * (1 + 1e-4 * i)), std::vector<double>(10, b)});
        answer.correctnessA.result = answer.correctnessB.result = CorrectnessResult::correct;
        return toJsonMessage(answer);
    }
};

class Tuner : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = std::filesystem::temp_directory_path() /
                  ("kl-tune-" + std::to_string(::getpid()) + "-" + testing::UnitTest::GetInstance()->current_test_info()->name());
        if (const char* value = std::getenv("XDG_CACHE_HOME"))
            before_ = value;
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
        Result<Catalog> loaded = Catalog::embedded();
        ASSERT_TRUE(loaded);
        kernels_.emplace(std::move(*loaded));
    }
    void TearDown() override
    {
        before_ ? ::setenv("XDG_CACHE_HOME", before_->c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
        std::filesystem::remove_all(folder_);
    }

    Result<TuneResult> search(const TunePlan& plan, const std::string& fixed = "UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1", Job job = {})
    {
        const KernelFamily& family = **kernels_->family("attention");
        return tune(gpu_, *kernels_, family, **tunedVariant(family, "fused"), *parseParams(fixed), *parseParams("B=1,H=1,S=64,D=64"), plan,
                    job);
    }
    /// What no candidate of a result is faster than.
    static double leastOf(const TuneResult& result)
    {
        double least = 1e9;
        for (const CompiledPoint* point : result.build.candidates())
            least = std::min(least, TunedGpu::nsOf(result.build.space.points[point->index].tunables));
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
    EXPECT_EQ(*result->points.front().ns, leastOf(*result));
    EXPECT_TRUE(result->points.front().refined);
    EXPECT_FALSE(result->points.back().refined);
    EXPECT_TRUE(std::ranges::is_sorted(result->points, {}, [](const TunedPoint& point) { return *point.ns; }));
    EXPECT_EQ(gpu_.timed, static_cast<int>(result->points.size()) + 8);
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
    EXPECT_EQ(gpu_.timed, 8) << "the best are timed at length again";
    EXPECT_TRUE(again->points.front().remembered);
    gpu_.timed = 0;
    TunePlan fresh;
    fresh.fresh = true;
    ASSERT_TRUE(search(fresh));
    EXPECT_GT(gpu_.timed, 8);
    gpu_.timed = 0;
    gpu_.hello().devices.front().driverVersion = "2";
    ASSERT_TRUE(search({}));
    EXPECT_GT(gpu_.timed, 8) << "another driver, other times";
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
    const Variant& fused = **tunedVariant(family, "fused");
    const Result<DiagnosisTree> tree = DiagnosisTree::embedded();
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
    EXPECT_FALSE(savedSearchTimes(*store, "Tuned H200", "attention/fused", toText(best->run->problem))->contains(gpu.checked[0]));
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

TEST_F(Tuner, TheBestThatIsRightIsComparedAndWhatWasTimedIsKept)
{
    const KernelFamily& family = **kernels_->family("attention");
    const Variant& fused = **tunedVariant(family, "fused");
    const Result<DiagnosisTree> tree = DiagnosisTree::embedded();
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
    EXPECT_NE(best->comparison->next.find("it is correct on all"), std::string::npos) << best->comparison->next;

    const auto times = savedSearchTimes(*store, "Tuned H200", "attention/fused", toText(best->run->problem));
    ASSERT_TRUE(times);
    EXPECT_FALSE(times->contains(gpu.checked[0])) << "it is wrong";
    ASSERT_TRUE(times->contains("attention/fused"));
    EXPECT_EQ(times->at("attention/fused"), TunedGpu::nsOf({}));
    EXPECT_EQ(times->at("attention/fused@HALF2=off"), times->at("attention/fused")) << "the same program";
    EXPECT_GT(times->size(), best->tuned.points.size());

    std::vector<std::string> order;
    TunePlan again;
    again.strategy = "random_forest"; // which begins at known points
    again.onTime = [&](const TunedPoint& point) { order.push_back(point.kernel); };
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
    const auto orderOf = [&](const std::string& strategy, std::uint64_t seed, std::size_t width) {
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
        EXPECT_EQ(*result->points.front().ns, leastOf(*result)) << strategy;
        return order;
    };
    EXPECT_EQ(orderOf("greedy_mls", 1, 1).front(), "attention/fused@HALF2=off") << "the program of the default";
    EXPECT_EQ(orderOf("portfolio", 3, 8), orderOf("portfolio", 3, 8)) << "the second from what the first measured";
    EXPECT_NE(orderOf("random_sample", 1, 1), orderOf("random_sample", 2, 1));
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
    const Result<RecordedSpace> recorded = recordOf(*result);
    ASSERT_TRUE(recorded) << recorded.error().message;
    ASSERT_EQ(recorded->space.size(), result->points.size());
    EXPECT_DOUBLE_EQ(*recorded->values.front(), *result->points.front().ns * 1e-6);
    EXPECT_FALSE(recorded->values.back());
    EXPECT_EQ(recorded->failures.back(), "it faults");
}

} // namespace
} // namespace kl
