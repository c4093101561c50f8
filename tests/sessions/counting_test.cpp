// SPDX-License-Identifier: MIT
// Counters alone, of many kernels in one request; and chosen metrics of a recording.
#include "core/base/try.h"
#include "sessions/measure/recorded_metrics.h"
#include "tests/sessions/engine_support.h"

namespace kl::test {
namespace {

const Address kNaive{"transpose", "naive", {}};
const Address kTiled{"transpose", "tiled", {}};

/// A live GPU that counts; `answers` more or fewer than requested.
class Counter final : public FakeCollector {
public:
    Counter() : FakeCollector(Source::live) {}
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (verb != Verb::count)
            return FakeCollector::ask(verb, body, job);
        asked.emplace_back(toWord(verb));
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
    const std::vector<RunRecord> runs = valueOf(here.count({{kNaive, {}}, {kTiled, {}}}, scope));
    EXPECT_EQ(live.asked, std::vector<std::string>{"count"});
    EXPECT_EQ(live.request.tier, 1);
    EXPECT_EQ(live.request.cacheControl, "none");
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].kernel, kTiled);
    EXPECT_EQ(toText(runs[1].problem), "M=4096,N=4096");
    for (const RunRecord& run : runs) {
        EXPECT_FALSE(run.timing);
        ASSERT_TRUE(run.diagnosis);
        EXPECT_EQ(valueOf(store->run(run.id)), run);
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
    const RunRecord run = valueOf(bench.profile(kNaive, {}, scope));
    ASSERT_TRUE(run.metrics);
    EXPECT_EQ(run.metrics->values.size(), 1U);
    EXPECT_EQ(run.metrics->missing.at("lts__t_bytes.sum"), "not recorded: the recording has only the catalog's metrics");
    EXPECT_EQ(run.metrics->plan.ran, 9) << "what ran is what was recorded";
    EXPECT_NE(run.id, valueOf(bench.profile(kNaive, {}, 2)).id);
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

} // namespace
} // namespace kl::test
