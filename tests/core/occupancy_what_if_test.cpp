// SPDX-License-Identifier: MIT
// What a launch would gain by more resident blocks, and where that is not known.
#include "core/diagnosis/occupancy_what_if.h"

#include "tests/core/support/profiles.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace kl {
namespace {

RunRecord makeManyRegisterRun()
{
    RunRecord run = test::h200Run("user/k", 100, 1e6);
    run.launches.resize(1);
    run.launches[0].entry = "k";
    run.launches[0].gridBlocks = 1000;
    run.launches[0].blockThreads = 256;
    run.launches[0].registers = 128;
    run.metrics.emplace();
    run.metrics->values = {{"sm__warps_active.avg.pct_of_peak_sustained_active", 22.5}};
    return run;
}

TEST(OccupancyWhatIf, IsThatOfTheLaunchOnItsDevice)
{
    RunRecord run = makeManyRegisterRun();
    const auto whatIf = occupancyWhatIf(run);
    ASSERT_TRUE(whatIf);
    EXPECT_EQ(whatIf->launch, "k");
    EXPECT_EQ(whatIf->needs.threads, 256);
    EXPECT_EQ(whatIf->needs.registersPerThread, 128);
    EXPECT_EQ(whatIf->now.blocksPerSm, 2);
    EXPECT_EQ(whatIf->now.percent, 25);
    EXPECT_EQ(whatIf->terms.byRegisters, 2);
    EXPECT_EQ(whatIf->terms.byWarps, 8);
    EXPECT_EQ(whatIf->achieved, 22.5);
    EXPECT_FALSE(whatIf->halvedTakes);
    run.device.regsPerSm = 131072;
    EXPECT_EQ(occupancyWhatIf(run)->now.blocksPerSm, 4) << "the device's own limits";
    EXPECT_EQ(occupancyWhatIf(run)->limits.registers, 131072);
}

TEST(OccupancyWhatIf, NeedsALaunchAndAKnownDevice)
{
    const std::vector<std::function<void(RunRecord&)>> changes{
        [](RunRecord& run) { run.launches.clear(); }, [](RunRecord& run) { run.launches[0].blockThreads = 0; },
        [](RunRecord& run) { run.launches[0].registers = 0; }, [](RunRecord& run) { run.device.ccMajor = 99; }};
    for (const auto& change : changes) {
        RunRecord run = makeManyRegisterRun();
        change(run);
        EXPECT_FALSE(occupancyWhatIf(run));
    }
    RunRecord run = makeManyRegisterRun();
    run.metrics.reset();
    ASSERT_TRUE(occupancyWhatIf(run));
    EXPECT_FALSE(occupancyWhatIf(run)->achieved) << "no counter tells";
}

} // namespace
} // namespace kl
