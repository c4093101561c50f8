// SPDX-License-Identifier: MIT
// A search on several GPUs that are not equally fast.
#include "profiler/expected_request.h"
#include "sessions/search/tuner.h"
#include "tests/sessions/bench_support.h"
#include "tests/sessions/tuned_gpu.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

namespace kl {
namespace {

constexpr double kSlower = 1.5;
constexpr double kHungrier = 3;

/// The second one takes kSlower times as long. What is expected is measured by both, in an order of its own; all else by the first.
class TwoGpus final : public test::TunedGpu {
public:
    TwoGpus() : second_(hello())
    {
        second_.devices.front().uuid = "GPU-second";
        second_.host = "beside";
    }
    int width() const override { return 2; }
    const Hello& getAnsweringHello() const override { return bySecond_ ? second_ : hello(); }
    void expect(const std::vector<ExpectedRequest>& requests) override
    {
        expected_.clear();
        for (const ExpectedRequest& request : requests)
            expected_.push_back(request.body);
        most_ = std::max(most_, requests.size());
    }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        homeIsLost = homeIsLost || (losesHomeAfter > 0 && timed >= losesHomeAfter);
        const bool spread = verb == Verb::run && std::ranges::find(expected_, body) != expected_.end();
        const bool reference = spread && body["max_samples"] == 100;
        references += reference ? 1 : 0;
        const bool second = spread && ++turns_ % 2 == 0 && (!reference || references > secondIsLate);
        bySecond_ = second || homeIsLost;
        fails = homeIsLost && failsReferences && reference ? body["work"]["kernel"].get<std::string>() : std::string();
        Result<Json> answer = TunedGpu::ask(verb, body, job);
        if (answer && bySecond_ && verb == Verb::run && !(*answer)["timing"].is_null())
            (*answer)["timing"]["gpu_ns"]["median"] = kSlower * (*answer)["timing"]["gpu_ns"]["median"].get<double>();
        if (answer && bySecond_ && verb == Verb::run && body.value("energy", Json()) == true)
            (*answer)["timing"]["energy"]["energy_per_launch_j"] =
                kHungrier * (*answer)["timing"]["energy"]["energy_per_launch_j"].get<double>();
        return answer;
    }

    int references = 0;
    int secondIsLate = 0;   ///< references that it misses
    int losesHomeAfter = 0; ///< measurements; then the second answers all; 0: never
    bool homeIsLost = false;
    bool failsReferences = false; ///< once the home is lost
    std::size_t most() const { return most_; }

private:
    Hello second_;
    std::vector<Json> expected_;
    std::size_t most_ = 0;
    int turns_ = 0;
    bool bySecond_ = false;
};

class SearchGpus : public testing::Test {
protected:
    void SetUp() override
    {
        Result<Catalog> loaded = Catalog::loadEmbedded();
        ASSERT_TRUE(loaded);
        kernels_.emplace(std::move(*loaded));
    }

    Result<TuneResult> search(TunePlan plan)
    {
        order_.clear();
        plan.onTime = [this](const TunedPoint& point) {
            if (!point.refined)
                order_.push_back(point.kernel);
        };
        const KernelFamily& family = **kernels_->family("attention");
        return tune(gpus_, *kernels_, family, **findTunedVariant(family, "fused"), *parseParams("UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1"),
                    *parseParams("B=1,H=1,S=64,D=64"), plan, {});
    }

    support::TempDir folder_;
    support::SetVariable cache_{"XDG_CACHE_HOME", folder_.path().c_str()};
    std::optional<Catalog> kernels_;
    TwoGpus gpus_;
    std::vector<std::string> order_;
};

TEST_F(SearchGpus, TimesAreComparedThroughAReferenceOfEach)
{
    const Result<TuneResult> result = search({});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->references.size(), 2U);
    EXPECT_EQ(result->references[0].gpu, "GPU-tuned") << "the home";
    EXPECT_EQ(result->references[1].host, "beside");
    EXPECT_NEAR(result->references[1].ns / result->references[0].ns, kSlower, 1e-12);
    std::set<std::string> gpus;
    for (const TunedPoint& point : result->points) {
        EXPECT_NEAR(*point.ns, test::TunedGpu::computeNs(point.tunables), 1e-6) << point.gpu;
        gpus.insert(point.gpu);
        EXPECT_TRUE(!point.refined || point.gpu == "GPU-tuned") << "the best are measured again on one GPU";
    }
    EXPECT_EQ(gpus.size(), 2U);
    EXPECT_EQ(gpus_.most(), 4U) << "two for each GPU";
}

TEST_F(SearchGpus, WhatHasNoReferenceIsMeasuredAgainAtHome)
{
    gpus_.secondIsLate = 1000;
    const Result<TuneResult> result = search({});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->references.size(), 1U);
    EXPECT_EQ(gpus_.references, 2 + 5 * 2) << "it is tried again a few times";
    for (const TunedPoint& point : result->points)
        EXPECT_EQ(point.gpu, "GPU-tuned");
}

TEST_F(SearchGpus, OneThatJoinsLateMeasuresTheReferenceThen)
{
    gpus_.secondIsLate = 2;
    const Result<TuneResult> result = search({});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->references.size(), 2U);
    EXPECT_EQ(gpus_.references, 4);
    EXPECT_TRUE(std::ranges::any_of(result->points, [](const TunedPoint& point) { return point.gpu == "GPU-second"; }));
    for (const TunedPoint& point : result->points)
        EXPECT_NEAR(*point.ns, test::TunedGpu::computeNs(point.tunables), 1e-6) << point.gpu;
}

TEST_F(SearchGpus, TheOtherOneTakesOverThroughTheReferenceWhenTheHomeIsLost)
{
    gpus_.secondIsLate = 1000;
    gpus_.losesHomeAfter = 20;
    const Result<TuneResult> result = search({});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->references.size(), 2U);
    for (const TunedPoint& point : result->points)
        EXPECT_NEAR(*point.ns, test::TunedGpu::computeNs(point.tunables), 1e-6) << point.gpu;
}

TEST_F(SearchGpus, TimesThatNoReferenceTranslatesAreNotComparedWithOthers)
{
    gpus_.secondIsLate = 1000;
    gpus_.losesHomeAfter = 20;
    gpus_.failsReferences = true;
    TunePlan plan;
    plan.refined = 0;
    const Result<TuneResult> result = search(plan);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->references.size(), 1U);
    std::size_t unknown = 0;
    for (const TunedPoint& point : result->points) {
        EXPECT_EQ(point.ns.has_value(), point.gpu == "GPU-tuned") << point.kernel;
        unknown += point.ns ? 0 : 1;
    }
    EXPECT_GT(unknown, 0U);
}

TEST_F(SearchGpus, SeedAndWidthFixThePointsAndABudgetOfTrialsWhatIsExpected)
{
    TunePlan plan;
    plan.width = 3;
    plan.budgetTrials = 7;
    plan.fresh = true;
    ASSERT_TRUE(search(plan));
    const std::vector<std::string> first = order_;
    ASSERT_EQ(first.size(), 7U);
    EXPECT_EQ(gpus_.most(), 3U);
    gpus_.secondIsLate = 1000; // all at home
    ASSERT_TRUE(search(plan));
    EXPECT_EQ(order_, first);
}

TEST_F(SearchGpus, EnergiesAreComparedThroughTheReferenceToo)
{
    TunePlan plan;
    plan.objective = Objective::energy;
    const Result<TuneResult> result = search(plan);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->references.size(), 2U);
    EXPECT_NEAR(*result->references[1].joules / *result->references[0].joules, kHungrier, 1e-12);
    std::set<std::string> gpus;
    for (const TunedPoint& point : result->points) {
        EXPECT_NEAR(*point.joules, test::TunedGpu::computeJoules(point.tunables), 1e-12) << point.gpu;
        EXPECT_NEAR(*point.ns, test::TunedGpu::computeNs(point.tunables), 1e-6) << point.gpu;
        gpus.insert(point.gpu);
    }
    EXPECT_EQ(gpus.size(), 2U);
}

TEST_F(SearchGpus, WhatIsRememberedIsOfTheHomeAndIsNotExpectedAgain)
{
    TunePlan plan;
    plan.refined = 0;
    plan.countSeconds = 0;
    const Result<TuneResult> first = search(plan);
    ASSERT_TRUE(first);
    const int measured = gpus_.timed;
    const Result<TuneResult> again = search(plan);
    ASSERT_TRUE(again);
    std::size_t remembered = 0;
    for (const TunedPoint& point : again->points) {
        const auto before = std::ranges::find(first->points, point.kernel, &TunedPoint::kernel);
        EXPECT_EQ(point.remembered, before->gpu == "GPU-tuned") << "times of the other are not this GPU's";
        remembered += point.remembered ? 1 : 0;
    }
    EXPECT_GT(remembered, 0U);
    EXPECT_EQ(gpus_.timed - measured, measured - static_cast<int>(remembered));
}

} // namespace
} // namespace kl
