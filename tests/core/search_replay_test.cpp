// SPDX-License-Identifier: MIT
#include "core/search/replay.h"
#include "core/search/strategy.h"
#include "tests/core/search_space_support.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// 19 points with times 1 to 19 ms, worst first, and one that fails; each takes two seconds.
RecordedSpace countdown()
{
    std::vector<std::vector<std::string>> rows;
    std::vector<std::optional<double>> values;
    for (int i = 0; i < 20; ++i) {
        rows.push_back({std::to_string(i)});
        values.push_back(i == 0 ? std::nullopt : std::optional(20.0 - i));
    }
    return {"countdown", *TuningSpace::fromTexts({"A"}, rows), values, std::vector<std::string>(20), std::vector<double>(20, 2.0)};
}

/// Expected values by hand from the formulas of the methodology.
TEST(RandomBaseline, FollowsTheMethodology)
{
    const RandomBaseline baseline(countdown());
    EXPECT_EQ(baseline.optimum(), 1);
    EXPECT_EQ(baseline.median(), 10);
    EXPECT_EQ(baseline.rankAfter(1), 8U) << "19 values: round(1 · 20 / 2) = 10 from the worst";
    EXPECT_EQ(baseline.rankAfter(9), 0U) << "round(9 · 20 / 10) = 18";
    EXPECT_EQ(baseline.evaluationsTo(0.95), 9U) << "only the best is below 1.45: ceil(18 / (20 - 18))";
    EXPECT_EQ(baseline.secondsTo(0.95), 18);
    EXPECT_EQ(baseline.findRank(19), 0U);
    EXPECT_EQ(baseline.valueAt(0.1), 9) << "at least one evaluation";
}

TEST(SearchReplay, AFailedPointCostsItsTimeAndALateOneDoesNotCount)
{
    const RecordedSpace recorded = countdown();
    const SearchSetting setting(recorded.space);
    Strategy strategy(setting, 1, (*findStrategy("brute_force"))->make(setting));
    const ReplayTrace trace = replaySearch(recorded, strategy, 9);
    EXPECT_EQ(trace.evaluations, 4U);
    EXPECT_EQ(trace.failed, 1U);
    ASSERT_EQ(trace.improvements.size(), 3U);
    EXPECT_EQ(trace.improvements.front().seconds, 4);
    EXPECT_EQ(trace.improvements.back().evaluations, 4U);
    EXPECT_EQ(trace.improvements.back().point, 3U);
}

TEST(SearchScore, KnowingTheOptimumIsOneAndRandomSearchIsAboutNone)
{
    const RecordedSpace recorded = test::tiledSpace();
    const RandomBaseline baseline(recorded);
    SearchSetting setting(recorded.space);
    std::vector<ReplayTrace> random;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Strategy strategy(setting, seed, (*findStrategy("random_sample"))->make(setting));
        random.push_back(replaySearch(recorded, strategy, baseline.secondsTo(kScoreShare)));
    }
    const SearchScore sampled = scoreSearch(recorded, baseline, random);
    EXPECT_NEAR(sampled.score.value, 0, 0.15);
    EXPECT_LT(sampled.score.low, sampled.score.value);
    EXPECT_GT(sampled.score.high, sampled.score.value);
    EXPECT_EQ(scoreSearch(recorded, baseline, random).score, sampled.score);

    PointIndex best = 0;
    while (!recorded.values[best] || baseline.findRank(best) != 0)
        ++best;
    const SearchScore known = scoreSearch(recorded, baseline, {ReplayTrace{{{1.0, 1, best}}, 1, 0}});
    EXPECT_GT(known.score.value, 0.99);
    EXPECT_EQ(known.evaluationsTo[2], 1);
    EXPECT_EQ(known.meanFound, 1);
    EXPECT_FALSE(scoreSearch(recorded, baseline, {ReplayTrace{}, ReplayTrace{}, ReplayTrace{{{1.0, 1, best}}, 1, 0}}).evaluationsTo[0]);
    EXPECT_NEAR(meanScore({&known, &sampled}).value, (known.score.value + sampled.score.value) / 2, 1e-12);
}

TEST(SearchScore, RepeatsThatNeverGetThereAreTheUpperPartOfTheMedian)
{
    const RecordedSpace recorded = countdown();
    std::vector<ReplayTrace> traces(5);
    for (std::size_t i = 0; i < 3; ++i)
        traces[i].improvements = {{1.0, 2 + i, 19}};
    EXPECT_EQ(scoreSearch(recorded, RandomBaseline(recorded), traces).evaluationsTo[0], 4) << "of 2, 3, 4, never, never";
    for (std::size_t i = 0; i < 3; ++i)
        traces[i].improvements = {{1.0, 4 - i, 19}};
    EXPECT_EQ(scoreSearch(recorded, RandomBaseline(recorded), traces).evaluationsTo[0], 4) << "in whatever order";
}

TEST(RecordedSpace, CostsThatAreNotKnownAreTheMedianOfTheOthers)
{
    std::vector<double> costs{0, 4, 1, 0, 2, 3};
    chargeUnknownCosts(costs);
    EXPECT_EQ(costs, (std::vector<double>{2.5, 4, 1, 2.5, 2, 3}));
    std::vector<double> unknown{0, 0};
    chargeUnknownCosts(unknown);
    EXPECT_EQ(unknown, (std::vector<double>{1, 1}));
}

TEST(SearchReplay, AnEvaluationThatEndsInTimeCountsAndTheLimitIsExact)
{
    const RecordedSpace recorded = countdown();
    const SearchSetting setting(recorded.space);
    Strategy inTime(setting, 1, (*findStrategy("brute_force"))->make(setting));
    EXPECT_EQ(replaySearch(recorded, inTime, 8).evaluations, 4U) << "two seconds each";
    Strategy limited(setting, 1, (*findStrategy("brute_force"))->make(setting));
    EXPECT_EQ(replaySearch(recorded, limited, 1e9, 1, 5).evaluations, 5U);
    Strategy all(setting, 1, (*findStrategy("brute_force"))->make(setting));
    EXPECT_EQ(replaySearch(recorded, all, 1e9).evaluations, 20U);
}

TEST(SearchScore, APointOfExactlyTheShareReachesIt)
{
    RecordedSpace recorded = countdown();
    for (std::optional<double>& value : recorded.values)
        if (value)
            *value += 8; // 9 to 27
    ReplayTrace trace;
    trace.improvements = {{2.0, 3, 18}}; // 10
    const SearchScore score = scoreSearch(recorded, RandomBaseline(recorded), {trace});
    EXPECT_EQ(score.optimum, 9);
    EXPECT_EQ(score.evaluationsTo[0], 3) << "of 0.90";
    EXPECT_FALSE(score.evaluationsTo[1]);
    EXPECT_DOUBLE_EQ(score.meanFound, 0.9);
}

TEST(RandomBaseline, TheMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle)
{
    RecordedSpace recorded = countdown();
    recorded.values[1].reset(); // 18 are left: 1 to 18
    EXPECT_EQ(RandomBaseline(recorded).median(), 9.5);
}

TEST(SearchScore, WhatWasFoundIsTheMeanOverTheRepeats)
{
    const RecordedSpace recorded = countdown();
    std::vector<ReplayTrace> traces(4);
    traces[0].improvements = {{2.0, 1, 10}, {4.0, 2, 18}}; // 10 and then 2 ms
    traces[1].improvements = {{2.0, 1, 16}};               // 4 ms
    traces[2].improvements = {{2.0, 1, 19}};               // 1 ms
    EXPECT_DOUBLE_EQ(scoreSearch(recorded, RandomBaseline(recorded), traces).meanFound, (0.5 + 0.25 + 1 + 0) / 4);
}

TEST(SearchScore, TheCurveGoesFromOnePercentToTheBudgetAndTakesTheBestSoFar)
{
    const RecordedSpace recorded = countdown();
    const RandomBaseline baseline(recorded);
    ReplayTrace trace;
    trace.improvements = {{4.0, 2, 15}, {10.0, 5, 19}}; // 5 and then 1 ms
    const SearchScore score = scoreSearch(recorded, baseline, {trace});
    EXPECT_EQ(score.budgetSeconds, 18);
    EXPECT_EQ(score.budgetEvaluations, 9U);
    ASSERT_EQ(score.curve.size(), 400U);
    EXPECT_EQ(score.curve.front().seconds, baseline.secondsTo(0.01));
    EXPECT_EQ(score.curve.back().seconds, 18);
    EXPECT_EQ(score.curve.front().best, 10) << "nothing is found yet: the median";
    EXPECT_EQ(score.curve.back().best, 1);
    EXPECT_EQ(score.curve.back().random, baseline.valueAt(18));
    for (const ScorePoint& point : score.curve)
        EXPECT_EQ(point.best, point.seconds < 4 ? 10 : point.seconds < 10 ? 5 : 1) << point.seconds;
    EXPECT_EQ(score.resampled.size(), 1000U);
    EXPECT_EQ(score.score.low, score.score.value) << "of one repeat all samples are the same";
    EXPECT_EQ(score.score.high, score.score.value);
}

TEST(RandomBaseline, AValidEvaluationPaysForTheFailedOnes)
{
    const RecordedSpace recorded = countdown(); // 20 points of two seconds, of which one fails
    const RandomBaseline baseline(recorded);
    EXPECT_EQ(baseline.valueAt(40.0 / 19 * 9), 1) << "nine valid evaluations";
    EXPECT_EQ(baseline.rankAfter(0), 18U);
    EXPECT_EQ(baseline.rankAfter(1000), 0U);
    EXPECT_EQ(baseline.evaluationsTo(0), 1U);
    EXPECT_EQ(baseline.values().size(), 19U);
    EXPECT_TRUE(std::ranges::is_sorted(baseline.values()));
}

TEST(RandomBaseline, EqualValuesHaveTheFirstsRank)
{
    RecordedSpace recorded = countdown();
    recorded.values[18] = recorded.values[19];
    const RandomBaseline baseline(recorded);
    EXPECT_EQ(baseline.findRank(18), 0U);
    EXPECT_EQ(baseline.findRank(19), 0U);
    EXPECT_EQ(baseline.findRank(17), 2U);
}

TEST(RecordedSpace, ItsSettingHasTheStartsAndTheKnownColumns)
{
    RecordedSpace recorded = countdown();
    recorded.start = {3, 5};
    recorded.known = {{"registers", std::vector<double>(20, 1.0)}};
    const SearchSetting setting = recorded.setting();
    EXPECT_EQ(setting.start, recorded.start);
    EXPECT_EQ(setting.features.count(), 2U);
    EXPECT_EQ(setting.space.size(), 20U);
}

} // namespace
} // namespace kl
