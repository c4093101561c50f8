// SPDX-License-Identifier: MIT
// Quantities that are known without counters, at their bounds.
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"
#include "tests/core/support/profiles.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

RunRecord plainRun()
{
    return test::h200Run("transpose/naive", 100, 1e8, 1e9);
}

Value quantityOf(const char* quantity, const RunRecord& record)
{
    return findQuantity(quantity)->compute(RunFacts(record));
}

TEST(RunQuantities, IncorrectIsOneForWhatIsRefutedOrFailed)
{
    RunRecord record = plainRun();
    EXPECT_EQ(quantityOf("incorrect", record), 0);
    record.correctness.result = CorrectnessResult::replays;
    EXPECT_EQ(quantityOf("incorrect", record), 1);
    record.correctness.result = CorrectnessResult::notChecked;
    EXPECT_FALSE(quantityOf("incorrect", record));
    record.status = ResultStatus::computationFailed;
    EXPECT_EQ(quantityOf("incorrect", record), 1);
}

TEST(RunQuantities, NoiseNeedsSixSamplesAndIsTheIntervalsWidth)
{
    RunRecord record = plainRun();
    record.timing->gpu = {200, 198, 206, 6};
    EXPECT_DOUBLE_EQ(quantityOf("noise_percent", record).value_or(0), 4);
    record.timing->gpu.n = 5;
    EXPECT_FALSE(quantityOf("noise_percent", record));
    record.timing->gpu.n = 6;
    record.program.emplace();
    EXPECT_FALSE(quantityOf("noise_percent", record)) << "launches of a program may differ in their work";
}

TEST(RunQuantities, ThrottledIsAWarning)
{
    RunRecord record = plainRun();
    EXPECT_EQ(quantityOf("throttled", record), 0);
    record.warnings.push_back({"unlocked-clock", ""});
    EXPECT_EQ(quantityOf("throttled", record), 0);
    record.warnings.push_back({"throttled", ""});
    EXPECT_EQ(quantityOf("throttled", record), 1);
    record.warnings.clear();
    record.timing.reset();
    EXPECT_FALSE(quantityOf("throttled", record));
}

TEST(RunQuantities, TheTailIsTheEmptyShareOfTheLastWave)
{
    RunRecord record = plainRun();
    const auto tail = [&](double waves) {
        record.launches.front().waves = waves;
        return quantityOf("tail_cost_percent", record);
    };
    EXPECT_DOUBLE_EQ(tail(1.5).value_or(-1), 25);
    EXPECT_DOUBLE_EQ(tail(2).value_or(-1), 0);
    EXPECT_DOUBLE_EQ(tail(0.5).value_or(-1), 0) << "a single wave has no tail";
    EXPECT_FALSE(tail(0));
}

TEST(RunQuantities, AnUnpaddedTileIsAMultipleOf4096Bytes)
{
    RunRecord record = plainRun();
    const auto unpadded = [&](std::int64_t fixed, std::int64_t dynamic) {
        record.launches.front().staticSmem = fixed;
        record.launches.front().dynamicSmem = dynamic;
        return quantityOf("unpadded_tile", record);
    };
    EXPECT_EQ(unpadded(0, 0), 0);
    EXPECT_EQ(unpadded(4096, 0), 1);
    EXPECT_EQ(unpadded(2048, 2048), 1);
    EXPECT_EQ(unpadded(4096, 128), 0);
}

TEST(RunQuantities, RatesByFormulaAreOverTheDevicesPeaks)
{
    RunRecord record = plainRun();
    const Peaks peaks = peaksOf(record.device);
    EXPECT_NEAR(quantityOf("analytic_dram_percent", record).value_or(0), 100 * 1e8 / 100e-6 / *peaks.dram, 1e-9);
    EXPECT_NEAR(quantityOf("analytic_flops_percent", record).value_or(0), 100 * 1e9 / 100e-6 / *peaks.fp32, 1e-9);
    EXPECT_EQ(quantityOf("analytic_roof_percent", record),
              std::max(quantityOf("analytic_dram_percent", record), quantityOf("analytic_flops_percent", record)));
    record.launches.front().opcodes["mma"] = 2;
    EXPECT_NEAR(quantityOf("analytic_flops_percent", record).value_or(0), 100 * 1e9 / 100e-6 / *peaks.tensorFp16, 1e-9);
    record.launches.front().opcodes.clear();
    record.flops = 2 * *peaks.fp32 * 100e-6;
    EXPECT_NEAR(quantityOf("analytic_flops_percent", record).value_or(0), 100 * 2 * *peaks.fp32 / *peaks.tensorFp16, 1e-6)
        << "faster than FP32 can be: matrix instructions";
}

TEST(RunQuantities, IntensityIsComparedWithTheRidge)
{
    RunRecord record = plainRun();
    const Peaks peaks = peaksOf(record.device);
    EXPECT_DOUBLE_EQ(quantityOf("intensity", record).value_or(0), 10);
    EXPECT_NEAR(quantityOf("intensity_of_ridge", record).value_or(0), 10 / (*peaks.fp32 / *peaks.dram), 1e-9);
    record.flops = 0;
    EXPECT_FALSE(quantityOf("intensity", record));
    EXPECT_EQ(quantityOf("intensity_of_ridge", record), 0);
    record.idealBytes = 0;
    EXPECT_FALSE(quantityOf("intensity_of_ridge", record));
}

TEST(RunQuantities, WhatOneLaunchNeedsIsUnknownForSeveral)
{
    RunRecord record = plainRun();
    EXPECT_TRUE(quantityOf("needed_dram_percent", record));
    EXPECT_EQ(quantityOf("launch_count", record), 1);
    EXPECT_EQ(quantityOf("fusable_launches", record), 1);
    record.launches.push_back(record.launches.front());
    EXPECT_FALSE(quantityOf("needed_dram_percent", record));
    EXPECT_EQ(quantityOf("launch_count", record), 2);
    EXPECT_EQ(quantityOf("fusable_launches", record), 2);
    record.program.emplace();
    EXPECT_FALSE(quantityOf("fusable_launches", record));
    EXPECT_FALSE(quantityOf("busy_percent", record));
}

TEST(RunQuantities, BusyIsAPercentageAndTheDurationMicroseconds)
{
    RunRecord record = plainRun();
    record.timing->busyFraction = 0.25;
    EXPECT_DOUBLE_EQ(quantityOf("busy_percent", record).value_or(0), 25);
    EXPECT_DOUBLE_EQ(quantityOf("duration_us", record).value_or(0), 100);
    EXPECT_EQ(quantityOf("counters", record), 0);
}

} // namespace
} // namespace kl
