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
#include <string>
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
                    ASSERT_EQ(computeOccupancy(limits, {threads, registers, smem}).blocksPerSm, expected.activeBlocksPerMultiprocessor)
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
    EXPECT_EQ(computeOccupancy(hopper, {256, 32, 0}).limiter, "warps");
    EXPECT_EQ(computeOccupancy(hopper, {256, 32, 0}).percent, 100);
    EXPECT_EQ(computeOccupancy(hopper, {256, 128, 0}).limiter, "registers");
    EXPECT_EQ(computeOccupancy(hopper, {256, 128, 0}).blocksPerSm, 2);
    EXPECT_EQ(computeOccupancy(hopper, {128, 32, 100 * 1024}).limiter, "shared memory");
    EXPECT_EQ(computeOccupancy(hopper, {32, 32, 0}).limiter, "blocks");
    EXPECT_EQ(computeOccupancy(hopper, {768, 32, 0}).limiter, "block size");
}

TEST(Occupancy, SharedMemoryIsGivenInTheUnitsOfTheDevice)
{
    const SmLimits turing = *smLimits(7, 5);
    EXPECT_EQ(computeOccupancy(turing, {64, 16, 4900}).blocksPerSm, 12) << "5,120 bytes each: in units of 128 13 would fit";
    const SmLimits hopper = *smLimits(9, 0);
    EXPECT_EQ(computeOccupancy(hopper, {64, 16, 10624}).blocksPerSm, 20)
        << "11,648 bytes with the system's 1,024: in units of 256 19 would fit";
}

TEST(Occupancy, ABlockThatDoesNotFitHasNone)
{
    const SmLimits ada = *smLimits(8, 9);
    EXPECT_EQ(computeOccupancy(ada, {1024, 128, 0}).blocksPerSm, 0);
    EXPECT_EQ(computeOccupancy(ada, {128, 32, 100 * 1024}).blocksPerSm, 0);
    EXPECT_EQ(computeOccupancy(ada, {2048, 32, 0}).limiter, "block size");
    EXPECT_EQ(computeOccupancy(ada, {0, 32, 0}).blocksPerSm, 0);
}

TEST(Occupancy, WavesOfAGrid)
{
    EXPECT_DOUBLE_EQ(computeWaves(264, 2, 132), 1);
    EXPECT_EQ(computeWaves(264, 0, 132), 0);
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
    const DeviceInfo device = describeDevice(*findGpu("NVIDIA H200"));
    EXPECT_EQ(device.smemPerBlockOptin, 227 * 1024);
    EXPECT_EQ(device.maxThreadsPerSm, 2048);
}

TEST(Peaks, OfTheH200)
{
    DeviceInfo device = describeDevice(*findGpu("NVIDIA H200"));
    device.clockMhz = 1980;
    const Peaks peaks = computePeaks(device);
    EXPECT_NEAR(*peaks.fp32, 66.9e12, 0.1e12);
    EXPECT_NEAR(*peaks.fp64, 33.5e12, 0.1e12);
    EXPECT_EQ(*peaks.dram, 4.8e12);
    EXPECT_NEAR(*computePeaks(device, 1830).tensorFp16, 989e12, 1e12);
    EXPECT_NEAR(*computePeaks(device, 990).fp32, *peaks.fp32 / 2, 1);
}

TEST(Peaks, OfAnUnknownDeviceComeFromItsMemoryOrAreAbsent)
{
    DeviceInfo device;
    device.name = "Prototype";
    device.ccMajor = 99;
    EXPECT_FALSE(computePeaks(device).fp32);
    EXPECT_FALSE(computePeaks(device).dram);
    device.memoryClockMhz = 3201;
    device.memoryBusBits = 6144;
    EXPECT_NEAR(*computePeaks(device).dram, 4.917e12, 0.001e12);
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

TEST(DeviceTable, EveryFigureOfARowIsReadInItsUnit)
{
    const auto table = parseDeviceTable(R"({
        "capabilities": [{"cc": [9, 1], "smem_sm_kb": 228, "smem_optin_kb": 227, "smem_reserved": 1024, "smem_granularity": 128, "warps": 64,
                          "blocks": 32, "fp32_lanes": 128, "fp64_lanes": 64, "tensor_fp16_flops_per_clock": 4096, "l1_bytes_per_clock": 96}],
        "gpus": [{"name": "NVIDIA X", "match": "X", "cc": [9, 1], "sms": 7, "clock_mhz": 1830, "dram_tb_s": 4.5, "l2_tb_s": 10.25,
                  "tensor_fp16_tflops": 989, "l2_mb": 50, "memory_gb": 3,
                  "measured": {"clock_mhz": 1965, "dram_tb_s": 4.25, "l2_tb_s": 9.5, "l1_tb_s": 29.5, "fp32_tflops": 63.5,
                               "fp64_tflops": 33.25, "tensor_fp16_tflops": 871}},
                 {"name": "NVIDIA Y", "match": "Y", "cc": [9, 1], "sms": 7, "clock_mhz": 1, "dram_tb_s": 1, "l2_mb": 1, "memory_gb": 1}]})",
                                        "test");
    ASSERT_TRUE(table) << table.error().message;
    const CapabilityRow& capability = table->capabilities.at(0);
    EXPECT_EQ(capability.limits.ccMajor, 9);
    EXPECT_EQ(capability.limits.ccMinor, 1);
    EXPECT_EQ(capability.limits.smemPerSm, 228 * 1024);
    EXPECT_EQ(capability.limits.smemOptin, 227 * 1024);
    EXPECT_EQ(capability.limits.smemReserved, 1024);
    EXPECT_EQ(capability.limits.smemGranularity, 128);
    EXPECT_EQ(capability.limits.maxWarps, 64);
    EXPECT_EQ(capability.limits.maxBlocks, 32);
    EXPECT_EQ(capability.fp32Lanes, 128);
    EXPECT_EQ(capability.fp64Lanes, 64);
    EXPECT_EQ(capability.tensorFp16FlopsPerClock, 4096);
    EXPECT_EQ(capability.l1BytesPerClock, 96);
    const GpuRow& gpu = table->gpus.at(0);
    EXPECT_EQ(gpu.name, "NVIDIA X");
    EXPECT_EQ(gpu.match, "X");
    EXPECT_EQ(gpu.ccMajor, 9);
    EXPECT_EQ(gpu.ccMinor, 1);
    EXPECT_EQ(gpu.smCount, 7);
    EXPECT_EQ(gpu.clockMhz, 1830);
    EXPECT_EQ(gpu.dramBytesPerSecond, 4.5e12);
    EXPECT_EQ(gpu.l2, 10.25e12);
    EXPECT_EQ(gpu.tensorFp16, 989e12);
    EXPECT_EQ(gpu.l2Bytes, 50 << 20);
    EXPECT_EQ(gpu.memoryBytes, std::int64_t{3} << 30);
    ASSERT_TRUE(gpu.measured);
    EXPECT_EQ(gpu.measured->clockMhz, 1965);
    EXPECT_EQ(gpu.measured->rates, (RoofRates{4.25e12, 9.5e12, 29.5e12, 63.5e12, 33.25e12, 871e12}));
    EXPECT_FALSE(table->gpus.at(1).l2);
    EXPECT_FALSE(table->gpus.at(1).tensorFp16);
    EXPECT_FALSE(table->gpus.at(1).measured);
    const DeviceInfo device = describeDevice(gpu);
    EXPECT_EQ(device.name, "NVIDIA X");
    EXPECT_EQ(device.ccMajor, 9);
    EXPECT_EQ(device.ccMinor, 1);
    EXPECT_EQ(device.smCount, 7);
    EXPECT_EQ(device.clockMhz, 1830);
    EXPECT_EQ(device.l2Bytes, 50 << 20);
    EXPECT_EQ(device.memoryBytes, std::int64_t{3} << 30);
    EXPECT_EQ(device.smemPerSm, 0) << "the program's table has no capability 9.1";
}

TEST(DeviceTable, TheRowThatIsMalformedIsCounted)
{
    const std::string good = R"({"cc": [9, 0], "smem_sm_kb": 1, "smem_optin_kb": 1, "smem_reserved": 1, "smem_granularity": 1, "warps": 1,
                                 "blocks": 1, "fp32_lanes": 1, "fp64_lanes": 1, "tensor_fp16_flops_per_clock": 1, "l1_bytes_per_clock": 1})";
    EXPECT_EQ(parseDeviceTable("{\"capabilities\": [" + good + ", {}], \"gpus\": []}", "test").error().where, "capabilities[1]");
    EXPECT_EQ(parseDeviceTable("{\"capabilities\": [" + good + "]}", "test").error().where, "gpus[0]");
}

TEST(DeviceTable, EveryProductHasACapabilityOfTheTable)
{
    ASSERT_GE(deviceTable().gpus.size(), 11U);
    for (const GpuRow& gpu : deviceTable().gpus) {
        EXPECT_TRUE(smLimits(gpu.ccMajor, gpu.ccMinor)) << gpu.name;
        EXPECT_EQ(findGpu(gpu.name), &gpu) << gpu.name;
    }
    EXPECT_FALSE(smLimits(9, 9)) << "both numbers count";
    EXPECT_FALSE(smLimits(0, 0));
}

TEST(Peaks, OfAProductThatTheTableLacksFollowFromItsCapability)
{
    DeviceInfo device;
    device.name = "Prototype";
    device.ccMajor = 9;
    device.smCount = 100;
    device.clockMhz = 1000;
    const Peaks peaks = computePeaks(device);
    EXPECT_EQ(peaks.clockMhz, 1000);
    EXPECT_EQ(peaks.fp32, 2 * 128 * 1e11);
    EXPECT_EQ(peaks.fp64, 2 * 64 * 1e11);
    EXPECT_EQ(peaks.tensorFp16, 4096 * 1e11);
    EXPECT_EQ(peaks.l1, 128 * 1e11);
    EXPECT_FALSE(peaks.l2);
    EXPECT_FALSE(peaks.dram);
    EXPECT_EQ(peaks.measured, RoofRates{});
    EXPECT_EQ(computePeaks(device, 500).fp32, 2 * 128 * 0.5e11);
    EXPECT_EQ(computePeaks(device, 0).clockMhz, 1000) << "no clock was measured";
    device.memoryBusBits = 512;
    EXPECT_FALSE(computePeaks(device).dram) << "its memory's clock is not known";
    device.memoryClockMhz = 1000;
    EXPECT_EQ(computePeaks(device).dram, 2 * 1e9 * 64);
    device.memoryBusBits = 0;
    EXPECT_FALSE(computePeaks(device).dram);
    device.clockMhz = 0;
    EXPECT_FALSE(computePeaks(device).fp32) << "without a clock there is no peak";
    EXPECT_FALSE(computePeaks(device).l1);
}

TEST(Peaks, WhatFollowsTheClockIsBroughtToItAndTheRestStays)
{
    DeviceInfo device = describeDevice(*findGpu("NVIDIA H200"));
    const RoofRates sheet = findGpu("NVIDIA H200")->measured->rates;
    const RoofRates half = computePeaks(device, 1965.0 / 2).measured;
    EXPECT_DOUBLE_EQ(*half.fp32, *sheet.fp32 / 2);
    EXPECT_DOUBLE_EQ(*half.fp64, *sheet.fp64 / 2);
    EXPECT_DOUBLE_EQ(*half.l1, *sheet.l1 / 2);
    EXPECT_EQ(half.dram, sheet.dram);
    EXPECT_EQ(half.l2, sheet.l2);
    EXPECT_EQ(half.tensorFp16, sheet.tensorFp16) << "power holds the tensor cores, not a clock";
    EXPECT_EQ(computePeaks(device).l2, 10.28e12);
    device.clockMhz = 0;
    EXPECT_EQ(computePeaks(device).clockMhz, 1830) << "the data sheet's";
    EXPECT_NEAR(*computePeaks(device, 915).tensorFp16, 989e12 / 2, 1e6);
}

TEST(Occupancy, WhatAsManyLimitAsThereCanBeBlocksIsTheirNumber)
{
    const SmLimits hopper = *smLimits(9, 0);
    const Occupancy both = computeOccupancy(hopper, {32, 64, 0}); // registers for 32 warps, and 32 blocks at most
    EXPECT_EQ(both.blocksPerSm, 32);
    EXPECT_EQ(both.percent, 50);
    EXPECT_EQ(both.limiter, "blocks");
    EXPECT_EQ(computeOccupancy(hopper, {32, 72, 0}).limiter, "registers");
    const OccupancyTerms terms = occupancyTerms(hopper, {32, 72, 20 * 1024});
    EXPECT_EQ(terms.byBlocks, 32);
    EXPECT_EQ(terms.byWarps, 64);
    EXPECT_EQ(terms.byRegisters, 28);
    EXPECT_EQ(terms.bySharedMemory, 10);
}

TEST(Occupancy, ALaunchTakesItsStaticAndItsDynamicSharedMemory)
{
    DeviceInfo device;
    device.ccMajor = 9;
    device.smCount = 10;
    LaunchFacts facts;
    facts.gridBlocks = 40;
    facts.blockThreads = 128;
    facts.registers = 32;
    facts.staticSmem = 40 * 1024;
    facts.dynamicSmem = 60 * 1024;
    ASSERT_TRUE(addOccupancy(facts, device));
    EXPECT_EQ(facts.blocksPerSm, 2);
    EXPECT_EQ(facts.occupancyLimiter, "shared memory");
    EXPECT_EQ(facts.theoreticalOccupancy, 12.5);
    EXPECT_EQ(facts.waves, 2);
    for (const int threads : {0, 1025}) {
        facts.blockThreads = threads;
        EXPECT_FALSE(addOccupancy(facts, device)) << threads;
    }
    facts.blockThreads = 1;
    facts.registers = 1;
    EXPECT_TRUE(addOccupancy(facts, device)) << "the least of both";
    facts.blockThreads = 1024;
    facts.registers = 255;
    EXPECT_TRUE(addOccupancy(facts, device)) << "it is known that none fits";
    EXPECT_EQ(facts.blocksPerSm, 0);
    EXPECT_EQ(facts.waves, 0);
}

TEST(Occupancy, ABlockMayTakeAllThatItCanOptInTo)
{
    const SmLimits hopper = *smLimits(9, 0);
    EXPECT_EQ(occupancyTerms(hopper, {128, 32, hopper.smemOptin}).bySharedMemory, 1);
    EXPECT_EQ(occupancyTerms(hopper, {128, 32, hopper.smemOptin + 1}).bySharedMemory, 0);
    EXPECT_EQ(computeOccupancy(hopper, {128, 32, hopper.smemOptin}).blocksPerSm, 1);
    EXPECT_EQ(computeOccupancy(hopper, {128, 32, hopper.smemOptin}).limiter, "shared memory");
    EXPECT_EQ(occupancyTerms(hopper, {128, 255, 0}).byRegisters, 2);
    EXPECT_EQ(occupancyTerms(hopper, {128, 256, 0}).byRegisters, 0) << "a thread has 255";
    EXPECT_EQ(occupancyTerms(hopper, {128, 0, 0}).byRegisters, hopper.maxBlocks) << "not known";
    EXPECT_EQ(occupancyTerms(hopper, {33, 32, 0}).byWarps, 32) << "a part of a warp is one";
    EXPECT_EQ(occupancyTerms(hopper, {1024, 32, 0}).byWarps, 2);
    for (const int threads : {0, 1025}) {
        const OccupancyTerms none = occupancyTerms(hopper, {threads, 32, 0});
        EXPECT_EQ(none.byRegisters + none.bySharedMemory + none.byWarps + none.byBlocks, 0) << threads;
    }
    EXPECT_EQ(computeWaves(264, 2, 0), 0);
    EXPECT_DOUBLE_EQ(computeWaves(99, 1, 132), 0.75);
}

} // namespace
} // namespace kl
