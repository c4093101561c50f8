// SPDX-License-Identifier: MIT
#include "tests/sessions/store_support.h"

#include "sessions/learning/alerts.h"

#include <fmt/format.h>

namespace kl {
namespace {

using support::openStore;
using support::timedRun;

/// Ten steady points, then those given.
std::vector<double> seriesWith(std::vector<double> last)
{
    std::vector<double> series{100, 101, 99, 100, 100.5, 99.5, 100, 101, 99, 100};
    series.insert(series.end(), last.begin(), last.end());
    return series;
}

TEST(Regression, BothOfTheLastTwoMustBeSlow)
{
    EXPECT_FALSE(findRegression(seriesWith({100, 120})));
    EXPECT_FALSE(findRegression(seriesWith({120, 100})));
    const auto found = findRegression(seriesWith({120, 110}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->level, 100);
    EXPECT_NEAR(found->change, 0.10, 1e-12);
}

TEST(Regression, NeedsTenPointsBefore)
{
    std::vector<double> series = seriesWith({120, 120});
    series.erase(series.begin());
    EXPECT_FALSE(findRegression(series));
    EXPECT_FALSE(findRegression({}));
}

TEST(Regression, TheLimitFollowsTheNoise)
{
    const std::vector<double> noisy{100, 120, 80, 110, 90, 100, 115, 85, 105, 95, 130, 130};
    EXPECT_FALSE(findRegression(noisy)) << "3 sigma of this series is above 30 %";
    EXPECT_FALSE(findRegression({100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100.9, 100.9})) << "below 1 %";
    EXPECT_TRUE(findRegression({100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 101.1, 101.1}));
}

TEST(Regression, OneOutlierBeforeDoesNotMoveTheLevel)
{
    std::vector<double> series = seriesWith({110, 110});
    series[3] = 10000;
    EXPECT_TRUE(findRegression(series));
}

void addRuns(Store& store, Source source, const std::vector<double>& times, const std::string& prefix)
{
    for (std::size_t i = 0; i < times.size(); ++i) {
        RunRecord run = timedRun(fmt::format("{}{:02}", prefix, i), "naive", fmt::format("2026-03-01T09:{:02}:00.000Z", i), times[i]);
        run.source = source;
        ASSERT_TRUE(store.saveRun(run));
    }
}

TEST(RegressionAlerts, NameTheKernelAndTheNewestRun)
{
    const auto store = openStore(":memory:");
    addRuns(*store, Source::live, seriesWith({120, 121}), "r");
    const auto alerts = regressionAlerts(*store);
    ASSERT_TRUE(alerts);
    ASSERT_EQ(alerts->size(), 1U);
    EXPECT_EQ(alerts->front().code, "regression");
    EXPECT_EQ(alerts->front().subject, "run:r11");
    EXPECT_NE(alerts->front().text.find("transpose/naive"), std::string::npos);
    EXPECT_NE(alerts->front().text.find("became 20\u202f% slower"), std::string::npos);
}

TEST(RegressionAlerts, LeaveReplayedAndWrongRunsOut)
{
    const auto store = openStore(":memory:");
    addRuns(*store, Source::sample, seriesWith({120, 121}), "s");
    RunRecord wrong = timedRun("w", "naive", "2026-03-02", 900);
    wrong.correctness.result = CorrectnessResult::incorrect;
    ASSERT_TRUE(store->saveRun(wrong));
    wrong.id = {"w2"};
    wrong.correctness.result = CorrectnessResult::nonDeterministic;
    ASSERT_TRUE(store->saveRun(wrong));
    EXPECT_TRUE(regressionAlerts(*store)->empty());
}

TEST(RegressionAlerts, ANewNormalStartsTheSeriesAnew)
{
    const auto store = openStore(":memory:");
    addRuns(*store, Source::live, seriesWith({120, 121}), "r");
    ASSERT_TRUE(store->setSetting("new-normal:transpose/naive|M=64,N=64|NVIDIA H200", "2026-03-01T09:10:00.000Z"));
    EXPECT_TRUE(regressionAlerts(*store)->empty());
}

} // namespace
} // namespace kl
