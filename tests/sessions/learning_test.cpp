// SPDX-License-Identifier: MIT
#include "tests/support/store_support.h"

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

} // namespace
} // namespace kl
