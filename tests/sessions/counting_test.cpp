// SPDX-License-Identifier: MIT
// Counters alone, of many kernels in one request; and chosen metrics of a recording.
#include "core/base/try.h"
#include "sessions/measure/recorded_metrics.h"
#include "tests/sessions/engine_support.h"
#include "tests/sessions/text_lines.h"
#include "tests/support/snapshot.h"

namespace kl::test {
namespace {

/// A live GPU that counts; `answers` more or fewer than requested.
class Counter final : public FakeCollector {
public:
    Counter() : FakeCollector(Source::live) {}
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (verb != Verb::count)
            return FakeCollector::ask(verb, body, job);
        requested.emplace_back(toWord(verb));
        KL_ASSIGN(const CountRequest parsed, fromJsonMessage<CountRequest>(body));
        request = parsed;
        CountAnswer answer;
        for (std::size_t i = 0; i < request.works.size() - lost; ++i) {
            RunAnswer one;
            one.device = hello().devices.front();
            one.metrics.emplace();
            one.metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 95;
            one.metrics->plan = {2, 2};
            one.launches.push_back({"entry", 1024, 256, 32, 0, 4096});
            answer.answers.push_back(std::move(one));
        }
        return toJsonMessage(answer);
    }
    CountRequest request;
    std::size_t lost = 0;
};

TEST_F(EngineTest, CountsManyKernelsInOneRequestAndStoresEach)
{
    Counter live;
    TestBench here(catalog, tree, live, *store);
    ProfileScope scope = 1;
    scope.cacheControl = "none";
    const std::vector<RunRecord> runs = unwrap(here.count({{kNaive, {}}, {kTiled, {}}}, scope));
    EXPECT_EQ(live.requested, std::vector<std::string>{"count"});
    EXPECT_EQ(live.request.tier, 1);
    EXPECT_EQ(live.request.cacheControl, "none");
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].kernel, kTiled);
    EXPECT_EQ(toText(runs[1].problem), "M=4096,N=4096");
    for (const RunRecord& run : runs) {
        EXPECT_FALSE(run.timing);
        ASSERT_TRUE(run.diagnosis);
        EXPECT_EQ(unwrap(store->run(run.id)), run);
    }
}

TEST_F(EngineTest, AWorkerThatCountsAnotherNumberOfKernelsIsADefect)
{
    Counter live;
    live.lost = 1;
    TestBench here(catalog, tree, live, *store);
    const auto runs = here.count({{kNaive, {}}, {kTiled, {}}}, {});
    ASSERT_FALSE(runs);
    EXPECT_EQ(runs.error().code, ErrorCode::internal);
}

TEST_F(EngineTest, ARecordingIsNarrowedToTheMetricsRequested)
{
    ProfileScope scope;
    scope.metrics = {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "lts__t_bytes.sum"};
    const RunRecord run = unwrap(bench.profile(kNaive, {}, scope));
    ASSERT_TRUE(run.metrics);
    EXPECT_EQ(run.metrics->values.size(), 1U);
    ASSERT_TRUE(run.metrics->missing.contains("lts__t_bytes.sum"));
    const std::string why = run.metrics->missing.at("lts__t_bytes.sum");
    EXPECT_FALSE(why.empty());
    EXPECT_EQ(why.find_first_of("0123456789"), std::string::npos) << "no limit of passes left it out: " << why;
    EXPECT_EQ(run.metrics->plan.ran, 9) << "what ran is what was recorded";
    EXPECT_NE(run.id, unwrap(bench.profile(kNaive, {}, 2)).id);
}

TEST_F(EngineTest, AStrangeMetricOfARecordingIsBadInputWithTheNearest)
{
    ProfileScope scope;
    scope.metrics = {"gpu__dram_throughputt.avg.pct_of_peak_sustained_elapsed"};
    const auto run = bench.profile(kNaive, {}, scope);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::badInput);
    EXPECT_NE(run.error().hint.find("gpu__dram_throughput.avg"), std::string::npos);
}

TEST_F(EngineTest, ARecordingWithFlushedCachesDoesNotAnswerForWarmOnes)
{
    ProfileScope scope;
    scope.cacheControl = "none";
    const auto run = bench.profile(kNaive, {}, scope);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::notRecorded);
}

/// A recording whose tiers take 1, 4 and 9 passes and hold as many metrics more.
class TieredSample final : public FakeCollector {
public:
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        Result<Json> answer = FakeCollector::ask(verb, body, job);
        if (verb != Verb::profile || !answer)
            return answer;
        const int tier = body["tier"];
        tiers.push_back(tier);
        Json& metrics = (*answer)["metrics"];
        metrics["plan"]["passes"] = std::vector<int>{1, 4, 9}.at(static_cast<std::size_t>(tier));
        metrics["metrics"] = Json{{"gpu__time_duration.sum", 1000.0 + tier}};
        if (tier > 0)
            metrics["metrics"]["dram__bytes.sum"] = 5.0;
        if (tier > 1)
            metrics["metrics"]["lts__t_bytes.sum"] = 7.0;
        (*answer)["source"] = toJsonMessage(profile)["source"];
        return answer;
    }
    std::vector<int> tiers;
    RunAnswer profile;
};

class NarrowedSample : public EngineTest {
protected:
    NarrowedSample()
    {
        sample.kernels = gpu.kernels;
        sample.profile.sourceProfile.emplace().samples = 3;
    }
    RunRecord profile(const ProfileScope& scope) { return unwrap(here.profile(kNaive, {}, scope)); }
    TieredSample sample;
    TestBench here{catalog, tree, sample, *store};
};

TEST_F(NarrowedSample, ALimitOfPassesTakesTheLargestTierThatFits)
{
    const auto profileTier = [&](int most, int from = 2) {
        ProfileScope scope(from);
        scope.maxPasses = most;
        const RunRecord run = profile(scope);
        return run.metrics->tier;
    };
    EXPECT_EQ(profileTier(9), 2);
    EXPECT_EQ(profileTier(8), 1);
    EXPECT_EQ(profileTier(4), 1);
    EXPECT_EQ(profileTier(3), 0);
    EXPECT_EQ(profileTier(1), 0);
    EXPECT_EQ(profileTier(0), 2) << "no limit";
    EXPECT_EQ(profileTier(9, 1), 1) << "no more than was asked for";
    ProfileScope scope(2);
    scope.maxPasses = 4;
    const RunRecord run = profile(scope);
    EXPECT_EQ(run.metrics->values.at("gpu__time_duration.sum"), 1001);
    EXPECT_EQ(run.metrics->values.size(), 2U);
    ASSERT_TRUE(run.metrics->missing.contains("lts__t_bytes.sum")) << "what the limit leaves out is named";
    EXPECT_EQ(run.metrics->missing.size(), 1U);
}

TEST_F(NarrowedSample, MetricsByNameComeFromTheLargestTierOrSayWhatKeepsThemOut)
{
    ProfileScope scope(0);
    scope.metrics = {"lts__t_bytes.sum"};
    EXPECT_EQ(profile(scope).metrics->values.at("lts__t_bytes.sum"), 7);
    scope.maxPasses = 4;
    const RunRecord limited = profile(scope);
    EXPECT_TRUE(limited.metrics->values.empty());
    ASSERT_TRUE(limited.metrics->missing.contains("lts__t_bytes.sum"));
    EXPECT_NE(limited.metrics->missing.at("lts__t_bytes.sum").find(" 4 "), std::string::npos) << "the limit";
    scope.metrics = {"regex:bytes"};
    const RunRecord matched = profile(scope);
    EXPECT_EQ(matched.metrics->values.size(), 1U);
    EXPECT_EQ(matched.metrics->missing.size(), 1U);
}

TEST_F(NarrowedSample, EachPartIsLeftOutByItself)
{
    EXPECT_TRUE(profile(2).sourceProfile);
    ProfileScope scope(2);
    scope.source = false;
    EXPECT_FALSE(profile(scope).sourceProfile);
    EXPECT_TRUE(profile(scope).metrics);
    scope.source = true;
    EXPECT_TRUE(profile(scope).sourceProfile);
    scope = ProfileScope(2);
    scope.counters = false;
    EXPECT_FALSE(profile(scope).sourceProfile || profile(scope).metrics);
    scope.counters = true;
    EXPECT_TRUE(profile(scope).metrics);
    scope = ProfileScope(2);
    scope.maxPasses = 9;
    EXPECT_TRUE(profile(scope).sourceProfile);
    EXPECT_TRUE(profile(scope).timing);
}

class MissingMetricTexts : public NarrowedSample {};

TEST_F(MissingMetricTexts, SnapshotOfEachReason)
{
    std::string text;
    const auto add = [&](const std::string& which, const RunRecord& run) {
        for (const auto& [name, why] : run.metrics->missing)
            text += which + ": " + name + ": " + why + '\n';
    };
    ProfileScope scope;
    scope.metrics = {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "lts__t_bytes.sum"};
    add("beyond the recording", unwrap(bench.profile(kNaive, {}, scope)));
    scope = ProfileScope(0);
    scope.metrics = {"lts__t_bytes.sum"};
    for (const int most : {4, 1}) {
        scope.maxPasses = most;
        add("at most " + std::to_string(most), profile(scope));
    }
    scope = ProfileScope();
    scope.metrics = {"gpu__dram_throughputt.avg.pct_of_peak_sustained_elapsed"};
    const auto refused = bench.profile(kNaive, {}, scope);
    ASSERT_FALSE(refused);
    text += errorLine("strange", refused.error());
    expectSnapshot("texts/missing-metrics.txt", text);
}

} // namespace
} // namespace kl::test
