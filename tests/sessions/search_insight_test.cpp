// SPDX-License-Identifier: MIT
#include "sessions/search/search_insight.h"

#include "sessions/search/recorded_file.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

/// Times that follow from two tunables: `computeTime`(A, B), each of four values; C has no effect.
SearchRecord makeGrid(double (*computeTime)(int a, int b))
{
    SearchRecord record;
    for (int a = 1; a <= 4; ++a)
        for (int b = 1; b <= 4; ++b)
            for (int c = 1; c <= 3; ++c) {
                SearchTrial& trial = record.trials.emplace_back();
                trial.tunables = "A=" + std::to_string(a) + ",B=" + std::to_string(b) + ",C=" + std::to_string(c);
                trial.ns = computeTime(a, b);
            }
    return record;
}

double findShare(const std::vector<Importance>& all, const std::vector<std::string>& names)
{
    for (const Importance& each : all)
        if (each.tunables == names)
            return each.share;
    ADD_FAILURE() << "no " << names.front();
    return -1;
}

TEST(SearchInsight, ATunableThatDecidesAloneExplainsAll)
{
    const std::vector<Importance> all = computeImportance(makeGrid([](int a, int) { return 100.0 * a; }), 1000);
    EXPECT_EQ(all.front().tunables, std::vector<std::string>{"A"});
    EXPECT_NEAR(all.front().share, 1, 1e-9);
    EXPECT_NEAR(findShare(all, {"B"}), 0, 1e-9);
    EXPECT_NEAR(findShare(all, {"A", "B"}), 0, 1e-9);
    EXPECT_EQ(all.size(), 6U) << "three tunables, three pairs";
}

TEST(SearchInsight, APairThatOnlyMattersTogetherIsFound)
{
    const std::vector<Importance> all = computeImportance(makeGrid([](int a, int b) { return (a + b) % 2 == 0 ? 100.0 : 200.0; }), 1000);
    EXPECT_NEAR(findShare(all, {"A"}), 0, 1e-9);
    EXPECT_NEAR(findShare(all, {"A", "B"}), 1, 1e-9);
}

TEST(SearchInsight, FewOrEqualTimesExplainNothing)
{
    EXPECT_TRUE(computeImportance(makeGrid([](int a, int) { return 1.0 * a; }), 7).empty());
    for (const Importance& each : computeImportance(makeGrid([](int, int) { return 5.0; }), 1000))
        EXPECT_EQ(each.share, 0);
}

TEST(SearchInsight, ATimeOfAPointThatFailedIsNotTheBest)
{
    SearchRecord record;
    record.trials = {{"A=1", 300.0, {}, {}}, {"A=2", 100.0, {}, "incorrect"}, {"A=3", 200.0, {}, {}}};
    EXPECT_EQ(bestSoFar(record), (std::vector<std::optional<double>>{300, 300, 200}));
}

TEST(SearchInsight, AReplayedSpaceIsARecord)
{
    const Result<RecordedSpace> space = readRecordedSpace(KL_SOURCE_DIR "/tests/data/search/convolution_part.json.gz");
    ASSERT_TRUE(space);
    const Result<SearchRecord> record = replayRecord(*space, "portfolio", 1, 50);
    ASSERT_TRUE(record);
    ASSERT_EQ(record->trials.size(), 50U);
    EXPECT_EQ(record->left, 710);
    EXPECT_EQ(*record, *replayRecord(*space, "portfolio", 1, 50)) << "the seed fixes it";
    const std::vector<std::optional<double>> best = bestSoFar(*record);
    EXPECT_LE(*best.back(), *best[20]);
    EXPECT_EQ(replayRecord(*space, "none", 1, 5).error().code, ErrorCode::notFound);
    EXPECT_EQ(replayRecord(*space, "portfolio", 1, 5000)->trials.size(), 760U) << "all of it";
}

} // namespace
} // namespace kl
