// SPDX-License-Identifier: MIT
// Searches of a database that are searched again.
#include "sessions/search/recorded_search.h"

#include "sessions/learning/sample_builder.h"
#include "sessions/search/search_insight.h"
#include "sessions/search/simulation.h"
#include "sessions/store/search_records.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

/// Every point of a small part of the attention kernel's space.
SearchRecord makeRecord(const std::string& kernel)
{
    SearchRecord record;
    record.id = "01890000-0000-7000-8000-000000000001";
    record.kernel = kernel;
    record.device = "NVIDIA H200";
    record.problem = "S=512";
    for (const char* swizzle : {"none", "pad", "xor"})
        for (const int warps : {8, 4})
            for (const int rows : {64, 32}) {
                SearchTrial& trial = record.trials.emplace_back();
                trial.tunables = "BLOCK_M=" + std::to_string(rows) + ",SWIZZLE=" + swizzle + ",WARPS=" + std::to_string(warps);
                trial.ns = 1000 * warps + rows;
                trial.seconds = 0.5;
                trial.facts = {{"registers", 10.0 * warps}};
            }
    record.trials.back().ns.reset();
    record.trials.back().why = "it faults";
    return record;
}

const Catalog& kernels()
{
    static const Catalog catalog = *Catalog::loadEmbedded();
    return catalog;
}

TEST(RecordedSearch, IsASpaceWithItsTimesFactsAndDefault)
{
    SearchRecord record = makeRecord("attention/fused");
    const Result<RecordedSpace> space = makeRecordedSpace(record, kernels());
    ASSERT_TRUE(space) << space.error().message;
    for (const char* part : {"attention/fused", "S=512", "NVIDIA H200"})
        EXPECT_NE(space->name.find(part), std::string::npos) << space->name;
    ASSERT_EQ(space->space.size(), 12U);
    ASSERT_EQ(space->space.axes().size(), 3U);
    EXPECT_EQ(space->space.axes()[0].values, (std::vector<std::string>{"32", "64"})) << "the descriptor's order";
    EXPECT_EQ(space->space.axes()[2].values, (std::vector<std::string>{"none", "pad", "xor"}));
    EXPECT_EQ(space->values[0], 8064e-6);
    EXPECT_FALSE(space->values[11]);
    EXPECT_EQ(space->failures[11], "it faults");
    EXPECT_EQ(space->costs[3], 0.5);
    ASSERT_EQ(space->known.size(), 1U);
    EXPECT_EQ(space->known[0].values[2], 40);
    ASSERT_EQ(space->start.size(), 1U);
    EXPECT_EQ(space->space.text(space->start[0]), "BLOCK_M=64,WARPS=4,SWIZZLE=xor");
    EXPECT_EQ(space->setting().start, space->start);

    record.twins["BLOCK_M=64,SWIZZLE=xor,WARPS=4"] = "BLOCK_M=64,SWIZZLE=pad,WARPS=4";
    EXPECT_EQ(makeRecordedSpace(record, kernels())->start[0], 6U) << "the default's program was measured there";
}

TEST(RecordedSearch, OfAKernelThatChangedHasItsTunablesAsTheyOccur)
{
    const Result<RecordedSpace> gone = makeRecordedSpace(makeRecord("mine/gone"), kernels());
    ASSERT_TRUE(gone);
    EXPECT_EQ(gone->space.axes()[0].values, (std::vector<std::string>{"32", "64"}));
    EXPECT_EQ(gone->space.axes()[1].name, "SWIZZLE");
    SearchRecord record = makeRecord("attention/fused");
    record.trials[0].tunables = "BLOCK_M=48,SWIZZLE=none,WARPS=8";
    EXPECT_EQ(makeRecordedSpace(record, kernels())->space.axes()[0].values, (std::vector<std::string>{"32", "48", "64"}));
}

TEST(RecordedSearch, WithoutTimesOrWithOddPointsIsRefused)
{
    SearchRecord record = makeRecord("attention/fused");
    record.trials[1].tunables = "BLOCK_M=32";
    EXPECT_EQ(makeRecordedSpace(record, kernels()).error().code, ErrorCode::badInput);
    record.trials = {record.trials.back()};
    EXPECT_EQ(makeRecordedSpace(record, kernels()).error().where, "search:" + record.id);
}

TEST(RecordedSearch, IsFoundByItsIdAndReplayed)
{
    const auto store = support::openStore(":memory:");
    const auto [name, content] = makeArtifact(makeRecord("attention/fused"));
    ASSERT_TRUE(store->saveArtifact(name, content));
    const Result<RecordedSpace> space = loadRecordedSearch(*store, kernels(), "0189");
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(loadRecordedSearch(*store, kernels(), "ff").error().code, ErrorCode::notFound);
    const Result<SearchRecord> again = replayRecord(*space, kDefaultStrategy, 1, 300);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->trials.size(), 12U);
    SimulationPlan plan{{"brute_force"}, 3, 1, 1, 2};
    const auto searches = simulateSearches({*space}, plan, {});
    ASSERT_TRUE(searches) << searches.error().message;
    EXPECT_EQ(searches->front().near, 0) << "the first two points have eight warps";
    plan.trials = 4;
    EXPECT_EQ(simulateSearches({*space}, plan, {})->front().near, 3);
}

/// What the sample ships: every point of the attention kernel on an H200.
TEST(RecordedSearch, ThePortfolioFindsAttentionsBestWithin120Trials)
{
    const auto store = support::openStore(":memory:");
    ASSERT_TRUE(storeSampleSearches(*store));
    const auto records = searchRecords(*store, "attention/fused");
    ASSERT_TRUE(records);
    std::set<std::string> problems;
    for (const SearchRecord& record : *records) {
        problems.insert(record.problem);
        std::int64_t survivors = record.total;
        for (const SearchGateCount& gate : record.gates)
            survivors -= gate.rejected;
        EXPECT_EQ(survivors, 824);
        EXPECT_EQ(static_cast<std::size_t>(survivors), record.trials.size() + record.rejected.size() + record.twins.size());
        EXPECT_EQ(record.left, 0);
        EXPECT_TRUE(record.best);
        for (const SearchTrial& trial : record.trials) {
            EXPECT_TRUE(trial.ns) << trial.tunables << ": " << trial.why;
            EXPECT_TRUE(trial.facts.contains("registers")) << trial.tunables;
            EXPECT_FALSE(trial.metrics.empty()) << trial.tunables;
        }
        const Result<RecordedSpace> space = makeRecordedSpace(record, kernels());
        ASSERT_TRUE(space) << space.error().message;
        const auto searches = simulateSearches({*space}, {{kDefaultStrategy}, 20, 1, 1, 120}, {});
        ASSERT_TRUE(searches) << searches.error().message;
        EXPECT_GE(searches->front().near, 19) << record.problem << ": replays of 20 that come within 2 % of the best of all points";
    }
    EXPECT_EQ(problems, (std::set<std::string>{"B=2,CAUSAL=0,D=64,H=8,S=4096", "B=2,CAUSAL=0,D=64,H=8,S=512"}));
}

} // namespace
} // namespace kl
