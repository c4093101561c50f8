// SPDX-License-Identifier: MIT
// Searches by real workers side by side, each of a fake GPU with a speed, a noise and a clock of its own.
#include "profiler/device/spread_device.h"
#include "profiler/expected_request.h"
#include "sessions/search/tuner.h"
#include "tests/sessions/bench_support.h"
#include "tests/sessions/tuned_gpu.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <thread>

namespace kl {
namespace {

struct GpuTraits {
    std::string uuid;
    double slower = 1; ///< its time / that of TunedGpu
    double noise = 0;  ///< times vary by this share up and down
    double clockMhz = 1980;
    unsigned delaySeed = 1;   ///< of how long its answers take, up to 2 ms
    int failuresAtLength = 0; ///< of its first runs of the length of a reference, and the home's of its best points
};

class NoisyGpu final : public test::TunedGpu {
public:
    explicit NoisyGpu(GpuTraits traits) : traits_(std::move(traits)), random_(traits_.delaySeed)
    {
        hello().devices.front().uuid = traits_.uuid;
        hello().host = "host of " + traits_.uuid;
    }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (verb == Verb::run)
            std::this_thread::sleep_for(std::chrono::microseconds(500 + random_() % 1500));
        if (verb == Verb::run && body["max_samples"] == 100 && traits_.failuresAtLength-- > 0)
            fails = body["work"]["kernel"];
        Result<Json> answer = TunedGpu::ask(verb, body, job);
        fails.clear();
        if (answer && verb == Verb::run && !(*answer)["timing"].is_null()) {
            Json& gpu = (*answer)["timing"]["gpu_ns"];
            const double error = traits_.noise * (static_cast<double>(random_() % 2001) / 1000 - 1);
            const double median = gpu["median"].get<double>() * traits_.slower * (1 + error);
            gpu = {{"median", median}, {"low", median * (1 - traits_.noise)}, {"high", median * (1 + traits_.noise)}, {"n", 12}};
            (*answer)["timing"]["clock_mhz"] = traits_.clockMhz;
        }
        return answer;
    }

private:
    GpuTraits traits_;
    std::mt19937 random_;
};

class SearchWorkers : public testing::Test {
protected:
    void SetUp() override
    {
        Result<Catalog> loaded = Catalog::loadEmbedded();
        ASSERT_TRUE(loaded);
        kernels_.emplace(std::move(*loaded));
    }

    struct Found {
        TuneResult result;
        std::vector<std::string> order; ///< of measurement, the best again left out
    };

    /// Until each of `count` workers is open: of equal requests, each that is gets one.
    static void waitForAll(Collector& device, std::size_t count)
    {
        std::set<std::string> answered;
        while (answered.size() < count) {
            device.expect(std::vector(count, ExpectedRequest{Verb::probe, Json::object()}));
            for (std::size_t i = 0; i < count; ++i) {
                (void)device.ask(Verb::probe, Json::object(), {});
                answered.insert(device.getAnsweringHello().host);
            }
        }
    }

    /// The first GPU is the home: the others open after it.
    Found search(const std::vector<GpuTraits>& gpus, TunePlan plan, const std::string& fixed = "UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1")
    {
        std::atomic<bool> first = false;
        std::vector<OpenWorker> workers;
        for (const GpuTraits& traits : gpus)
            workers.push_back([&first, traits, isHome = workers.empty()](const Job&) -> Result<std::unique_ptr<Collector>> {
                if (!isHome)
                    first.wait(false);
                return std::unique_ptr<Collector>(std::make_unique<NoisyGpu>(traits));
            });
        Found found;
        plan.fresh = true;
        plan.onTime = [&](const TunedPoint& point) {
            if (!point.refined)
                found.order.push_back(point.kernel);
        };
        Result<std::unique_ptr<Collector>> device = openSpread(std::move(workers), {});
        EXPECT_TRUE(device);
        first = true;
        first.notify_all();
        waitForAll(**device, gpus.size());
        const KernelFamily& family = **kernels_->family("attention");
        Result<TuneResult> result = tune(**device, *kernels_, family, **findTunedVariant(family, "fused"), *parseParams(fixed),
                                         *parseParams("B=1,H=1,S=64,D=64"), plan, {});
        EXPECT_TRUE(result) << result.error().message;
        if (result)
            found.result = *std::move(result);
        return found;
    }

    support::TempDir folder_;
    support::SetVariable cache_{"XDG_CACHE_HOME", folder_.path().c_str()};
    std::optional<Catalog> kernels_;
};

/// Fixes so few tunables that the portfolio does not measure all in order.
const char* const kMany = "MIN_BLOCKS=1";

const GpuTraits kFirst{"GPU-first", 1, 0.002, 1980};

TEST_F(SearchWorkers, EachGpuKeepsItsOwnNoiseAndClock)
{
    const std::vector<SearchReference> references = search({kFirst, {"GPU-second", 1.2, 0.01, 1500}}, {}).result.references;
    ASSERT_EQ(references.size(), 2U);
    const auto of = [&](const char* gpu) { return *std::ranges::find(references, gpu, &SearchReference::gpu); };
    EXPECT_EQ(of("GPU-first").clockMhz, 1980);
    EXPECT_EQ(of("GPU-second").clockMhz, 1500);
    EXPECT_NEAR(of("GPU-first").noise, 0.004, 1e-9) << "the width of its own interval";
    EXPECT_NEAR(of("GPU-second").noise, 0.02, 1e-9);
    EXPECT_EQ(of("GPU-second").host, "host of GPU-second");
}

/// Points of the slower one would lose if its times were compared as they are: it is 20 % slower, the fastest points differ by less.
TEST_F(SearchWorkers, ASlowerGpuDoesNotChangeWhichPointWins)
{
    const TuneResult alone = search({{"GPU-first"}}, {}).result;
    ASSERT_FALSE(alone.points.empty());
    for (const double slower : {1.2, 0.8}) {
        const TuneResult both = search({{"GPU-first", 1, 0, 1980, 1}, {"GPU-second", slower, 0, 1500, 2}}, {}).result;
        ASSERT_EQ(both.points.size(), alone.points.size());
        EXPECT_NEAR(*both.points[0].ns, *alone.points[0].ns, 1e-6);
        EXPECT_NEAR(test::TunedGpu::computeNs(both.points[0].tunables), test::TunedGpu::computeNs(alone.points[0].tunables), 1e-9);
        EXPECT_TRUE(std::ranges::any_of(both.points, [](const TunedPoint& point) { return point.gpu == "GPU-second"; }));
        for (const TunedPoint& point : both.points)
            EXPECT_NEAR(*point.ns, test::TunedGpu::computeNs(point.tunables), 1e-6) << point.kernel << " on " << point.gpu;
    }
}

/// Factors of two, which lose no digit: the times that a strategy learns are then the same on each.
TEST_F(SearchWorkers, SeedAndBatchFixEveryProposalForAnyNumberOfWorkersInAnyOrder)
{
    const std::vector<GpuTraits> gpus{{"GPU-1", 1, 0, 1980, 1}, {"GPU-2", 2, 0, 990, 2}, {"GPU-3", 4, 0, 495, 3}};
    for (const char* strategy : {"portfolio", "vndx", "greedy_mls"}) {
        TunePlan plan;
        plan.strategy = strategy;
        plan.seed = 5;
        plan.width = 4;
        plan.budgetTrials = 60;
        const auto orderOn = [&](const std::vector<GpuTraits>& some) { return search(some, plan, kMany).order; };
        const std::vector<std::string> order = orderOn({gpus[0]});
        ASSERT_EQ(order.size(), 60U);
        EXPECT_EQ(orderOn({gpus[0], gpus[1]}), order) << strategy;
        EXPECT_EQ(orderOn({gpus[0], gpus[2], gpus[1]}), order) << strategy;
        EXPECT_EQ(orderOn({gpus[0], gpus[1], gpus[2]}), order) << strategy;
    }
}

TEST_F(SearchWorkers, WinnersOfOneAndOfTwoGpusAgreeWithinTheirNoise)
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        TunePlan plan;
        plan.seed = seed;
        plan.width = 4;
        plan.budgetTrials = 60;
        const TuneResult one = search({kFirst}, plan, kMany).result;
        const TuneResult two = search({kFirst, {"GPU-second", 1.2, 0.004, 1500, static_cast<unsigned>(seed)}}, plan, kMany).result;
        EXPECT_GT(one.left, 0U) << "not every point is measured";
        ASSERT_FALSE(one.points.empty());
        ASSERT_FALSE(two.points.empty());
        const double ratio = test::TunedGpu::computeNs(two.points[0].tunables) / test::TunedGpu::computeNs(one.points[0].tunables);
        EXPECT_NEAR(ratio, 1, 2 * kFirst.noise) << "both were measured again by the first";
    }
}

/// Nothing says what its times mean.
TEST_F(SearchWorkers, AGpuThatCannotRunTheReferenceMeasuresNothing)
{
    const TuneResult both = search({{"GPU-first", 1, 0, 1980, 1}, {"GPU-second", 1.2, 0, 1500, 2, 1000}}, {}).result;
    ASSERT_EQ(both.references.size(), 1U);
    for (const TunedPoint& point : both.points)
        EXPECT_EQ(point.gpu, "GPU-first") << point.kernel;
}

TEST_F(SearchWorkers, EveryReferenceIsOfThePointThatTheHomeCouldRun)
{
    const TuneResult both = search({{"GPU-first", 1, 0, 1980, 1, 1}, {"GPU-second", 1.2, 0, 1500, 2}}, {}).result;
    ASSERT_EQ(both.references.size(), 2U);
    EXPECT_NEAR(both.references[1].ns / both.references[0].ns, 1.2, 1e-9);
    for (const TunedPoint& point : both.points)
        EXPECT_NEAR(*point.ns, test::TunedGpu::computeNs(point.tunables), 1e-6) << point.kernel << " on " << point.gpu;
}

} // namespace
} // namespace kl
