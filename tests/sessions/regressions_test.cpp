// SPDX-License-Identifier: MIT
#include "sessions/learning/regressions.h"

#include "core/base/format.h"
#include "core/codec/json.h"
#include "sessions/learning/alerts.h"
#include "tests/support/store_support.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>

namespace kl {
namespace {

using support::openStore;
using support::timedRun;

/// Ten steady points, then those given.
std::vector<double> steadyThen(std::vector<double> last)
{
    std::vector<double> series{100, 101, 99, 100, 100.5, 99.5, 100, 101, 99, 100};
    series.insert(series.end(), last.begin(), last.end());
    return series;
}

TEST(Regression, TakesTwoSlowPointsInARow)
{
    EXPECT_FALSE(findRegression(steadyThen({100, 120})));
    EXPECT_FALSE(findRegression(steadyThen({120, 100})));
    const auto found = findRegression(steadyThen({120, 110}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->at, 10U);
    EXPECT_EQ(found->level, 100);
    EXPECT_NEAR(found->change, 0.15, 1e-12);
}

TEST(Regression, StaysUntilItIsOver)
{
    std::vector<double> series = steadyThen({120, 121});
    series.insert(series.end(), 40, 120);
    ASSERT_TRUE(findRegression(series)) << "what stays slow is not normal by itself";
    EXPECT_EQ(findRegression(series)->at, 10U);
    EXPECT_EQ(findRegression(series)->level, 100);
    series.insert(series.end(), {132, 133});
    EXPECT_EQ(findRegression(series)->level, 100) << "a second step counts from the first level";
    series.insert(series.end(), {100, 120});
    EXPECT_TRUE(findRegression(series)) << "one point back at the level";
    series.insert(series.end(), {100, 101});
    EXPECT_FALSE(findRegression(series)) << "two points back at the level";
}

TEST(Regression, ASpeedUpMakesTheLevel)
{
    std::vector<double> series = steadyThen({});
    series.insert(series.end(), 10, 50);
    EXPECT_FALSE(findRegression(series));
    series.insert(series.end(), {60, 60});
    const auto found = findRegression(series);
    ASSERT_TRUE(found) << "slower than the last segment, though faster than the first";
    EXPECT_EQ(found->level, 50);
}

TEST(Regression, NeedsTenPointsBefore)
{
    std::vector<double> series = steadyThen({120, 120});
    series.erase(series.begin());
    EXPECT_FALSE(findRegression(series));
    EXPECT_FALSE(findRegression({}));
    EXPECT_FALSE(findRegression({1}));
}

TEST(Regression, TheLimitFollowsTheNoise)
{
    EXPECT_FALSE(findRegression({100, 120, 80, 110, 90, 100, 115, 85, 105, 95, 130, 130}));
    EXPECT_FALSE(findRegression({100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100.9, 100.9})) << "below 1 %";
    EXPECT_TRUE(findRegression({100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 101.1, 101.1}));
    std::vector<double> series = steadyThen({110, 110});
    series[3] = 10000;
    EXPECT_TRUE(findRegression(series)) << "one outlier does not move the level";
}

/// Spread between runs of a single kernel on the H200: the largest in tests/bench/results/between_runs.md (fma/fp32). A sequence of
/// plain launches spreads by 2.94 %: a step of 5 % is within its noise, and the limit widens accordingly.
constexpr double kRecordedSpread = 0.0038;

TEST(Regression, RarelyAlarmsWithoutAChange)
{
    std::mt19937 random(7);
    std::normal_distribution<double> noise(1, kRecordedSpread);
    int alarms = 0;
    for (int i = 0; i < 400; ++i) {
        std::vector<double> series;
        bool alarm = false;
        for (int run = 0; run < 100; ++run) {
            series.push_back(1000 * noise(random));
            alarm = alarm || findRegression(series).has_value();
        }
        alarms += alarm;
    }
    EXPECT_LE(alarms, 4) << "of 400 series of 100 runs";
}

TEST(Regression, SeesStepsOfFivePercentWithinFiveRuns)
{
    std::mt19937 random(8);
    std::normal_distribution<double> noise(1, kRecordedSpread);
    int seen = 0;
    for (int i = 0; i < 1000; ++i) {
        const int before = 10 + static_cast<int>(random() % 81);
        std::vector<double> series;
        for (int run = 0; run < before + 5; ++run)
            series.push_back((run < before ? 1000 : 1050) * noise(random));
        seen += findRegression(series).has_value();
    }
    EXPECT_GE(seen, 950) << "of 1,000 steps";
}

class RegressionMarks : public ::testing::Test {
protected:
    RegressionMarks() { add({100, 101, 99, 100, 100.5, 99.5, 100, 101, 99, 100, 120, 121}); }

    void add(const std::vector<double>& times)
    {
        for (const double time : times) {
            ASSERT_TRUE(
                store->saveRun(timedRun(fmt::format("r{:02}", count), "naive", fmt::format("2026-03-01T09:{:02}:00.000Z", count), time)));
            ++count;
        }
    }
    KernelRegression only() const
    {
        const auto rows = regressions(*store);
        EXPECT_TRUE(rows && rows->size() == 1U);
        return rows && !rows->empty() ? rows->front() : KernelRegression{};
    }

    std::unique_ptr<Store> store = openStore(":memory:");
    int count = 0;
};

TEST_F(RegressionMarks, AnAcknowledgedOneRaisesNoAlarmUntilItIsUndone)
{
    EXPECT_EQ(only().firstRun, "r10");
    EXPECT_EQ(only().state, RegressionState::open);
    ASSERT_TRUE(markRegression(*store, "run:r11", RegressionState::acknowledged, "a new driver"));
    EXPECT_EQ(only().state, RegressionState::acknowledged);
    EXPECT_EQ(only().note, "a new driver");
    EXPECT_TRUE(regressionAlerts(*store)->empty());
    ASSERT_TRUE(undoRegressionMark(*store, "transpose/naive"));
    EXPECT_EQ(only().state, RegressionState::open);
    EXPECT_EQ(regressionAlerts(*store)->size(), 1U);
    EXPECT_EQ(undoRegressionMark(*store, "transpose/naive").error().code, ErrorCode::notFound);
}

TEST_F(RegressionMarks, ANewNormalStartsTheSeriesAnew)
{
    ASSERT_TRUE(markRegression(*store, "transpose/naive", RegressionState::newNormal, ""));
    EXPECT_EQ(only().state, RegressionState::newNormal);
    add({120, 120, 120, 120, 120, 120, 120, 120});
    EXPECT_TRUE(regressionAlerts(*store)->empty());
    add({140, 140});
    EXPECT_EQ(only().state, RegressionState::open);
    EXPECT_DOUBLE_EQ(only().levelNs, 120);
}

TEST_F(RegressionMarks, AFixedOneIsComparedWithTheLevelBefore)
{
    ASSERT_TRUE(markRegression(*store, "r10", RegressionState::fixed, "reverted"));
    EXPECT_EQ(only().state, RegressionState::fixed);
    const auto later = [&](const char* id, double time) {
        ASSERT_TRUE(store->saveRun(timedRun(id, "naive", "2999-01-01T00:00:00.000Z", time)));
    };
    later("z1", 100);
    later("z2", 100);
    EXPECT_EQ(only().state, RegressionState::fixed);
    later("z3", 120);
    later("z4", 120);
    EXPECT_EQ(only().state, RegressionState::open) << "it came back";
    EXPECT_DOUBLE_EQ(only().levelNs, 100);
}

TEST_F(RegressionMarks, WhatIsNotSlowerCannotBeMarked)
{
    EXPECT_EQ(markRegression(*store, "matmul/rows", RegressionState::fixed, "").error().code, ErrorCode::notFound);
    EXPECT_EQ(markRegression(*store, "r10", RegressionState::open, "").error().code, ErrorCode::badInput);
}

TEST(Regression, TheLastFiftyPointsAreTheLevel)
{
    std::vector<double> series(60, 100);
    series.insert(series.end(), 50, 100.5); // no step: the level drifts with it
    series.insert(series.end(), {102, 102});
    const auto found = findRegression(series);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->level, 100.5);
    EXPECT_EQ(found->at, 110U);
    EXPECT_NEAR(found->limit, 100.5 * 1.01, 1e-9) << "at least one percent";
    EXPECT_EQ(found->after, 102);
}

TEST(Regression, ItsLimitIsFourSigmasWidenedForFewPoints)
{
    // A median deviation of 0.75 of ten points: sigma 1.4826 × 0.75 × 1.3, four of them 5.782.
    const std::vector<double> points{100, 101, 99, 100, 100.5, 99.5, 100, 101, 99, 100};
    std::vector<double> series = points;
    series.insert(series.end(), {120, 120});
    const auto found = findRegression(series);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->limit, 100 + 4 * 1.4826 * 0.5 * 1.3, 1e-9);
    series = points;
    series.insert(series.end(), {103.8, 103.8});
    EXPECT_FALSE(findRegression(series)) << "below it";
    series.back() = series[10] = 103.9;
    EXPECT_TRUE(findRegression(series));
}

TEST_F(RegressionMarks, HaveTheirFiguresInJson)
{
    const Json json = regressionToJson(only());
    EXPECT_EQ(json["kernel"], "transpose/naive");
    EXPECT_EQ(json["problem"], "M=64,N=64");
    EXPECT_EQ(json["device"], "NVIDIA H200");
    EXPECT_EQ(json["run"], "r10");
    EXPECT_EQ(json["newest"], "r11");
    EXPECT_EQ(json["since"], "2026-03-01T09:10:00.000Z");
    EXPECT_EQ(json["level_ns"], 100);
    EXPECT_GT(json["limit_ns"], 101);
    EXPECT_EQ(json["after_ns"], 120.5);
    EXPECT_NEAR(json["change"].get<double>(), 0.205, 1e-12);
    EXPECT_EQ(json["state"], "open");
    EXPECT_EQ(json["note"], "");
    EXPECT_STREQ(toString(RegressionState::newNormal), "new-normal");
    EXPECT_STREQ(toString(RegressionState::fixed), "fixed");
    EXPECT_STREQ(toString(RegressionState::acknowledged), "acknowledged");
}

TEST_F(RegressionMarks, AlertsSayHowMuchSlowerItIs)
{
    const auto readAlert = [&] { return regressionAlerts(*store)->at(0).text; };
    EXPECT_NE(readAlert().find(formatPercent(20.5) + " slower: " + formatTime(120.5)), std::string::npos) << readAlert();
    EXPECT_NE(readAlert().find(formatTime(100.0)), std::string::npos);
    EXPECT_NE(readAlert().find("2026-03-01;"), std::string::npos);
    add({250, 250, 250});
    EXPECT_NE(readAlert().find(formatRatio(2.5) + " slower"), std::string::npos) << readAlert();
    EXPECT_EQ(regressionAlerts(*store)->at(0).next->at(StepArgument::problem), "M=64,N=64");
    EXPECT_EQ(regressionAlerts(*store)->at(0).next->at(StepArgument::kernel), "transpose/naive");
}

TEST_F(RegressionMarks, AKernelOfTwoSeriesIsNamedByARun)
{
    for (int i = 0; i < 12; ++i) {
        RunRecord run = timedRun(fmt::format("d{:02}", i), "naive", fmt::format("2026-03-01T10:{:02}:00.000Z", i), i < 10 ? 100 : 150);
        run.device.name = "another";
        ASSERT_TRUE(store->saveRun(run));
    }
    const auto both = markRegression(*store, "transpose/naive", RegressionState::acknowledged, "");
    EXPECT_EQ(both.error().code, ErrorCode::badInput);
    const auto marked = markRegression(*store, "d03", RegressionState::acknowledged, "known");
    ASSERT_TRUE(marked) << marked.error().message;
    EXPECT_EQ(marked->device, "another");
    EXPECT_EQ(marked->firstRun, "d10");
    const auto rows = regressions(*store);
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].state, RegressionState::open) << "the open ones first";
    EXPECT_EQ((*rows)[1].note, "known");
    EXPECT_EQ(regressionAlerts(*store)->size(), 1U);
}

TEST_F(RegressionMarks, TheNewestMarkIsTheOneThatIsShownAndTakenBack)
{
    ASSERT_TRUE(markRegression(*store, "r10", RegressionState::acknowledged, "first"));
    ASSERT_TRUE(markRegression(*store, "r10", RegressionState::newNormal, "second"));
    EXPECT_EQ(only().state, RegressionState::newNormal);
    EXPECT_EQ(only().note, "second");
    ASSERT_TRUE(undoRegressionMark(*store, "r10"));
    EXPECT_EQ(only().state, RegressionState::acknowledged);
    EXPECT_EQ(only().note, "first");
}

TEST_F(RegressionMarks, ALaterSlowDownNeedsAMarkOfItsOwn)
{
    ASSERT_TRUE(markRegression(*store, "r10", RegressionState::acknowledged, "known"));
    add({100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 140, 140});
    EXPECT_EQ(only().state, RegressionState::open);
    EXPECT_EQ(only().firstRun, "r22");
    add({100, 100});
    EXPECT_EQ(only().state, RegressionState::acknowledged) << "what its newest mark says";
    EXPECT_EQ(only().firstRun, "r10");
    EXPECT_EQ(only().since, "2026-03-01T09:10:00.000Z");
    EXPECT_EQ(markRegression(*store, "r10", RegressionState::fixed, "").error().code, ErrorCode::notFound) << "it is not slower now";
    const auto undone = undoRegressionMark(*store, "r10");
    ASSERT_TRUE(undone);
    EXPECT_EQ(undone->newest, "r25");
    EXPECT_EQ(undone->kernel, "transpose/naive");
    EXPECT_TRUE(regressions(*store)->empty());
}

} // namespace
} // namespace kl
