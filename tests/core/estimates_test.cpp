// SPDX-License-Identifier: MIT
#include "core/diagnosis/estimates.h"

#include "core/diagnosis/quantities.h"
#include "tests/core/support/profiles.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

std::optional<Estimate> computeEstimate(const char* id, const RunRecord& run)
{
    const EstimateFormula formula = findEstimate(id);
    EXPECT_NE(formula, nullptr) << id;
    return formula ? formula(RunFacts(run)) : std::nullopt;
}

/// 272 blocks where 264 fit, two per multiprocessor.
RunRecord lastWaveNearlyEmpty(double pipePercent)
{
    RunRecord run;
    run.device.smCount = 132;
    run.launches.resize(1);
    run.launches.front().gridBlocks = 272;
    run.launches.front().waves = 272.0 / 264;
    run.metrics.emplace();
    run.metrics->values = {{"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", pipePercent}};
    return run;
}

TEST(Estimates, BlocksThatShareABusyUnitRunFasterAlone)
{
    const auto busy = computeEstimate("tail", lastWaveNearlyEmpty(97));
    ASSERT_TRUE(busy);
    EXPECT_NEAR(busy->runtimeReduction, 1 - 272.0 / 132 / 3, 1e-12);
    const BusiestUnit unit = busiestUnit(RunFacts(lastWaveNearlyEmpty(97)));
    ASSERT_NE(unit.name, nullptr);
    EXPECT_EQ(unit.percent, 97);
    EXPECT_NE(busy->how.find(unit.name), std::string::npos) << busy->how;
    EXPECT_NE(busy->how.find("97"), std::string::npos) << busy->how;
}

TEST(Estimates, BlocksThatWaitTakeAsLongAlone)
{
    const auto waiting = computeEstimate("tail", lastWaveNearlyEmpty(20));
    ASSERT_TRUE(waiting);
    EXPECT_NEAR(waiting->runtimeReduction, (2 - 272.0 / 264) / 2, 1e-12);
    RunRecord unknown = lastWaveNearlyEmpty(97);
    unknown.device.smCount = 0;
    ASSERT_TRUE(computeEstimate("tail", unknown));
    EXPECT_NEAR(computeEstimate("tail", unknown)->runtimeReduction, (2 - 272.0 / 264) / 2, 1e-12);
}

/// Sixteen launches of 2 us, one of which is shown, with the GPU busy for three tenths of the wall time.
RunRecord shortLaunches(double longestNs)
{
    RunRecord run;
    run.timing.emplace();
    run.timing->gpu = {40e3, 40e3, 40e3, 20};
    run.timing->busyFraction = 0.3;
    run.launches.resize(1);
    run.launches.front().gpuNs = longestNs;
    return run;
}

TEST(Estimates, OfLaunchGapsOneLaunchStays)
{
    const auto many = computeEstimate("launch-gaps", shortLaunches(2e3));
    ASSERT_TRUE(many);
    EXPECT_NEAR(many->runtimeReduction, 0.7 * (1 - 2.0 / 40), 1e-12);
    EXPECT_FALSE(computeEstimate("launch-gaps", shortLaunches(40e3))) << "a single launch has no gap to remove";
    RunRecord unknown = shortLaunches(2e3);
    unknown.launches.clear();
    ASSERT_TRUE(computeEstimate("launch-gaps", unknown));
    EXPECT_NEAR(computeEstimate("launch-gaps", unknown)->runtimeReduction, 0.7, 1e-12);
}

TEST(Estimates, AreHeldAgainstTheTimeThatTheyAreAbout)
{
    Timing before, after;
    before.gpu = {40e3, 40e3, 40e3, 20};
    after.gpu = {30e3, 30e3, 30e3, 20};
    EXPECT_DOUBLE_EQ(computeRealizedReduction("dram-bound", before, after).value(), 0.25);
    EXPECT_FALSE(computeRealizedReduction("launch-overhead", before, after)) << "the host's time was not measured";
    before.host = 80e3;
    after.host = 32e3;
    EXPECT_DOUBLE_EQ(computeRealizedReduction("launch-overhead", before, after).value(), 0.6);
    EXPECT_DOUBLE_EQ(computeRealizedReduction("dram-bound", before, after).value(), 0.25);
    EXPECT_LT(computeRealizedReduction("dram-bound", after, before).value(), 0);
    EXPECT_FALSE(computeRealizedReduction("dram-bound", {}, after));
}

} // namespace
} // namespace kl
