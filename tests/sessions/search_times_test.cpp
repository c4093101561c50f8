// SPDX-License-Identifier: MIT
#include "sessions/store/search_times.h"

#include "sessions/learning/own_cases.h"
#include "tests/support/store_support.h"

#include <cmath>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr const char* kProblem = "B=1,D=64,H=1,S=64";

/// A profile of a point of the attention kernel, far from any roof.
RunRecord makePointProfile(const std::string& id, const std::string& kernel)
{
    RunRecord run = support::timedRun(id, "fused", "2026-03-01T09:00:00.000Z", 9e3);
    run.kernel = *parseAddress(kernel);
    run.problem = *parseParams(kProblem);
    run.launches.emplace_back();
    run.metrics.emplace();
    run.metrics->values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 30.0},
                           {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 20.0}};
    run.diagnosis.emplace();
    return run;
}

class SearchedTimes : public testing::Test {
protected:
    std::vector<FixState> own()
    {
        const auto states = ownStates(*store, *catalog, *tree);
        EXPECT_TRUE(states) << (states ? "" : states.error().message);
        return states ? *states : std::vector<FixState>{};
    }
    void save(const RunRecord& run) { ASSERT_TRUE(store->saveRun(run)); }
    void searched(std::map<std::string, double> ns)
    {
        const std::string device = makePointProfile("x", "attention/fused").device.name;
        ASSERT_TRUE(saveSearchTimes(*store, {device, "attention/fused", kProblem, std::move(ns)}));
    }

    Result<Catalog> catalog = Catalog::loadEmbedded();
    Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    std::unique_ptr<Store> store = support::openStore(":memory:");
};

TEST_F(SearchedTimes, APairOneTunableApartIsACase)
{
    searched({{"attention/fused", 1000}, {"attention/fused@SWIZZLE=pad", 800}, {"attention/fused@BLOCK_M=32,WARPS=2", 500}});
    EXPECT_TRUE(own().empty()) << "nothing is known of the kernel before";
    save(makePointProfile("1", "attention/fused@BLOCK_M=64"));
    const std::vector<FixState> states = own();
    ASSERT_EQ(states.size(), 1U);
    EXPECT_TRUE(states[0].own);
    ASSERT_EQ(states[0].outcomes.size(), 1U) << "two changes are not a case";
    EXPECT_EQ(states[0].outcomes[0].to, "attention/fused@SWIZZLE=pad");
    EXPECT_EQ(states[0].outcomes[0].kind, "pad-shared-memory");
    EXPECT_NEAR(states[0].outcomes[0].gain, std::log(1000.0 / 800.0), 1e-12) << "both times are the search's, not the profile's";
}

TEST_F(SearchedTimes, ARunOfThePointCountsBeforeTheSearch)
{
    save(makePointProfile("1", "attention/fused"));
    RunRecord padded = makePointProfile("2", "attention/fused@SWIZZLE=pad");
    padded.timing->gpu.median = 3e3;
    padded.diagnosis.reset();
    padded.metrics.reset();
    save(padded);
    searched({{"attention/fused", 1000}, {"attention/fused@SWIZZLE=pad", 800}});
    const std::vector<FixState> states = own();
    ASSERT_EQ(states.size(), 1U);
    ASSERT_EQ(states[0].outcomes.size(), 1U);
    EXPECT_NEAR(states[0].outcomes[0].gain, std::log(3.0), 1e-12);
}

TEST_F(SearchedTimes, TheNewestSearchReplacesTheEarlierOne)
{
    save(makePointProfile("1", "attention/fused"));
    searched({{"attention/fused", 1000}, {"attention/fused@SWIZZLE=pad", 800}});
    searched({{"attention/fused@SWIZZLE=pad", 700}});
    EXPECT_TRUE(own().empty()) << "it did not time what was profiled";
}

TEST_F(SearchedTimes, AnotherDeviceOrProblemIsIgnored)
{
    RunRecord elsewhere = makePointProfile("1", "attention/fused");
    elsewhere.device.name = "NVIDIA A100";
    save(elsewhere);
    RunRecord larger = makePointProfile("2", "attention/fused");
    larger.problem = *parseParams("B=1,D=64,H=1,S=128");
    save(larger);
    searched({{"attention/fused", 1000}, {"attention/fused@SWIZZLE=pad", 800}});
    EXPECT_TRUE(own().empty());
}

TEST_F(SearchedTimes, ADamagedRowIsReported)
{
    save(makePointProfile("1", "attention/fused"));
    const std::string device = makePointProfile("1", "attention/fused").device.name;
    const std::string name = "search-times/" + device + "/attention/fused/" + kProblem;
    for (const char* text : {"{", "[]", "{}", R"({"schema":"kernelloop.search-times/1","ns":{"attention/fused":-1}})",
                             R"({"schema":"kernelloop.search-times/2","ns":{}})", R"({"schema":1,"ns":{}})"}) {
        ASSERT_TRUE(store->saveArtifact(name, text));
        const auto times = loadSearchTimes(*store, device, "attention/fused", kProblem);
        ASSERT_FALSE(times) << text;
        EXPECT_EQ(times.error().code, ErrorCode::badInput) << text;
        EXPECT_FALSE(ownStates(*store, *catalog, *tree)) << text;
    }
    EXPECT_TRUE(loadSearchTimes(*store, device, "attention/fused", "B=2")->empty());
}

} // namespace
} // namespace kl
