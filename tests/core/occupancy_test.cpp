// SPDX-License-Identifier: MIT
#include "core/device/device_table.h"
#include "core/device/launch_occupancy.h"
#include "core/device/occupancy.h"
#include "core/device/peaks.h"

#include <gtest/gtest.h>

#if __has_include(<cuda_occupancy.h>)
#define KL_HAVE_OCCUPANCY_ORACLE
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop
#endif

namespace kl {
namespace {

#ifdef KL_HAVE_OCCUPANCY_ORACLE
TEST(Occupancy, EqualsTheDriversCalculatorEverywhere)
{
    int points = 0;
    for (const CapabilityRow& row : deviceTable().capabilities) {
        const SmLimits& limits = row.limits;
        cudaOccDeviceProp properties{};
        properties.computeMajor = limits.ccMajor;
        properties.computeMinor = limits.ccMinor;
        properties.maxThreadsPerBlock = 1024;
        properties.maxThreadsPerMultiprocessor = limits.maxWarps * 32;
        properties.regsPerBlock = 65536;
        properties.regsPerMultiprocessor = limits.registers;
        properties.warpSize = 32;
        properties.sharedMemPerBlock = 49152;
        properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(limits.smemPerSm);
        properties.numSms = 100;
        properties.sharedMemPerBlockOptin = static_cast<std::size_t>(limits.smemOptin);
        properties.reservedSharedMemPerBlock = static_cast<std::size_t>(limits.smemReserved);
        cudaOccDeviceState state{};
        for (int threads = 1; threads <= 1024; threads += threads < 64 ? 7 : 31)
            for (int registers = 1; registers <= 255; ++registers)
                for (std::int64_t smem = 0; smem <= limits.smemOptin; smem += 2000) {
                    cudaOccFuncAttributes attributes{};
                    attributes.maxThreadsPerBlock = 1024;
                    attributes.numRegs = registers;
                    attributes.maxDynamicSharedSizeBytes = static_cast<std::size_t>(limits.smemOptin);
                    attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
                    attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
                    attributes.numBlockBarriers = 1;
                    cudaOccResult expected{};
                    ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&expected, &properties, &attributes, &state, threads,
                                                                      static_cast<std::size_t>(smem)),
                              CUDA_OCC_SUCCESS);
                    ASSERT_EQ(occupancyOf(limits, {threads, registers, smem}).blocksPerSm, expected.activeBlocksPerMultiprocessor)
                        << limits.ccMajor << '.' << limits.ccMinor << " threads " << threads << " registers " << registers << " smem "
                        << smem;
                    ++points;
                }
    }
    EXPECT_GT(points, 5'000'000);
}
#else
TEST(Occupancy, EqualsTheDriversCalculatorEverywhere)
{
    GTEST_SKIP() << "no CUDA toolkit: cuda_occupancy.h is the oracle of this test";
}
#endif

TEST(Occupancy, LimitersAreNamed)
{
    const SmLimits hopper = *smLimits(9, 0);
    EXPECT_EQ(occupancyOf(hopper, {256, 32, 0}).limiter, "warps");
    EXPECT_EQ(occupancyOf(hopper, {256, 32, 0}).percent, 100);
    EXPECT_EQ(occupancyOf(hopper, {256, 128, 0}).limiter, "registers");
    EXPECT_EQ(occupancyOf(hopper, {256, 128, 0}).blocksPerSm, 2);
    EXPECT_EQ(occupancyOf(hopper, {128, 32, 100 * 1024}).limiter, "shared memory");
    EXPECT_EQ(occupancyOf(hopper, {32, 32, 0}).limiter, "blocks");
    EXPECT_EQ(occupancyOf(hopper, {768, 32, 0}).limiter, "block size");
}

TEST(Occupancy, SharedMemoryIsGivenInTheUnitsOfTheDevice)
{
    const SmLimits turing = *smLimits(7, 5);
    EXPECT_EQ(occupancyOf(turing, {64, 16, 4900}).blocksPerSm, 12) << "5,120 bytes each: in units of 128 13 would fit";
    const SmLimits hopper = *smLimits(9, 0);
    EXPECT_EQ(occupancyOf(hopper, {64, 16, 10624}).blocksPerSm, 20) << "11,648 bytes with the system's 1,024: in units of 256 19 would fit";
}

TEST(Occupancy, ABlockThatDoesNotFitHasNone)
{
    const SmLimits ada = *smLimits(8, 9);
    EXPECT_EQ(occupancyOf(ada, {1024, 128, 0}).blocksPerSm, 0);
    EXPECT_EQ(occupancyOf(ada, {128, 32, 100 * 1024}).blocksPerSm, 0);
    EXPECT_EQ(occupancyOf(ada, {2048, 32, 0}).limiter, "block size");
    EXPECT_EQ(occupancyOf(ada, {0, 32, 0}).blocksPerSm, 0);
}

TEST(Occupancy, WavesOfAGrid)
{
    EXPECT_DOUBLE_EQ(wavesOf(264, 2, 132), 1);
    EXPECT_EQ(wavesOf(264, 0, 132), 0);
}

TEST(DeviceTable, KnowsTheProductsAndTakesTheLongestMatch)
{
    ASSERT_TRUE(findGpu("NVIDIA L4"));
    EXPECT_EQ(findGpu("NVIDIA L40S")->smCount, 142);
    EXPECT_EQ(findGpu("NVIDIA L4")->smCount, 58);
    EXPECT_EQ(findGpu("NVIDIA A100-SXM4-80GB")->dramBytesPerSecond, 2.04e12);
    EXPECT_EQ(findGpu("NVIDIA H200")->ccMajor, 9);
    EXPECT_EQ(findGpu("Some other card"), nullptr);
}

TEST(DeviceTable, AMalformedRowIsNamed)
{
    const auto table = parseDeviceTable(R"({"capabilities": [], "gpus": [{"name": "X"}]})", "test");
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().where, "gpus[0]");
    EXPECT_FALSE(parseDeviceTable("{", "test"));
}

TEST(DeviceTable, DevicesForCalculatorsCarryTheLimits)
{
    const DeviceInfo device = deviceOf(*findGpu("NVIDIA H200"));
    EXPECT_EQ(device.smemPerBlockOptin, 227 * 1024);
    EXPECT_EQ(device.maxThreadsPerSm, 2048);
}

TEST(Peaks, OfTheH200)
{
    DeviceInfo device = deviceOf(*findGpu("NVIDIA H200"));
    device.clockMhz = 1980;
    const Peaks peaks = peaksOf(device);
    EXPECT_NEAR(*peaks.fp32, 66.9e12, 0.1e12);
    EXPECT_NEAR(*peaks.fp64, 33.5e12, 0.1e12);
    EXPECT_EQ(*peaks.dram, 4.8e12);
    EXPECT_NEAR(*peaksOf(device, 1830).tensorFp16, 989e12, 1e12);
    EXPECT_NEAR(*peaksOf(device, 990).fp32, *peaks.fp32 / 2, 1);
}

TEST(Peaks, OfAnUnknownDeviceComeFromItsMemoryOrAreAbsent)
{
    DeviceInfo device;
    device.name = "Prototype";
    device.ccMajor = 99;
    EXPECT_FALSE(peaksOf(device).fp32);
    EXPECT_FALSE(peaksOf(device).dram);
    device.memoryClockMhz = 3201;
    device.memoryBusBits = 6144;
    EXPECT_NEAR(*peaksOf(device).dram, 4.917e12, 0.001e12);
}

TEST(Occupancy, ALaunchGetsWhatFollowsFromIt)
{
    DeviceInfo device;
    device.ccMajor = 9;
    device.smCount = 132;
    LaunchFacts facts;
    facts.gridBlocks = 132 * 8;
    facts.blockThreads = 256;
    facts.registers = 64;
    ASSERT_TRUE(addOccupancy(facts, device));
    EXPECT_EQ(facts.blocksPerSm, 4); // 65,536 registers / (256 threads × 64)
    EXPECT_EQ(facts.theoreticalOccupancy, 50);
    EXPECT_EQ(facts.occupancyLimiter, "registers");
    EXPECT_EQ(facts.waves, 2);
    const LaunchFacts before = facts;
    for (const int registers : {0, 256}) {
        facts.registers = registers;
        EXPECT_FALSE(addOccupancy(facts, device)) << registers;
    }
    facts.registers = before.registers;
    facts.blockThreads = 1025;
    EXPECT_FALSE(addOccupancy(facts, device));
    facts.blockThreads = before.blockThreads;
    device.ccMajor = 99;
    EXPECT_FALSE(addOccupancy(facts, device));
    EXPECT_EQ(facts, before);
}

} // namespace
} // namespace kl
