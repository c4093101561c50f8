// SPDX-License-Identifier: MIT
// What foreign files tell of a GPU and of a metric: attributes, labels, the first value of a name.
#include "profiler/import/device_facts.h"
#include "profiler/import/imported_file.h"
#include "profiler/import/ncu_labels.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace kl {
namespace {

TEST(DeviceFacts, EachAttributeHasItsMemberAndItsUnit)
{
    DeviceInfo device;
    device.name = "before";
    readDeviceFacts({{"device__attribute_compute_capability_major", 9},
                     {"device__attribute_compute_capability_minor", 1},
                     {"device__attribute_multiprocessor_count", 132},
                     {"device__attribute_total_memory", 150e9},
                     {"device__attribute_l2_cache_size", 62914560},
                     {"device__attribute_max_shared_memory_per_block_optin", 232448},
                     {"device__attribute_max_shared_memory_per_multiprocessor", 233472},
                     {"device__attribute_reserved_shared_memory_per_block", 1024},
                     {"device__attribute_max_threads_per_multiprocessor", 2048},
                     {"device__attribute_max_blocks_per_multiprocessor", 32},
                     {"device__attribute_max_registers_per_multiprocessor", 65536},
                     {"device__attribute_global_memory_bus_width", 6144},
                     {"device__attribute_clock_rate", 1'755'000},
                     {"device__attribute_memory_clock_rate", 3'201'000}},
                    {{"device__attribute_display_name", "NVIDIA H200"}}, device);
    DeviceInfo wanted;
    wanted.name = "NVIDIA H200";
    wanted.ccMajor = 9;
    wanted.ccMinor = 1;
    wanted.smCount = 132;
    wanted.memoryBytes = 150'000'000'000;
    wanted.l2Bytes = 62914560;
    wanted.smemPerBlockOptin = 232448;
    wanted.smemPerSm = 233472;
    wanted.smemReservedPerBlock = 1024;
    wanted.maxThreadsPerSm = 2048;
    wanted.maxBlocksPerSm = 32;
    wanted.regsPerSm = 65536;
    wanted.memoryBusBits = 6144;
    wanted.clockMhz = 1755;
    wanted.memoryClockMhz = 3201;
    EXPECT_EQ(device, wanted);
    readDeviceFacts({{"device__attribute_max_gpu_frequency_khz", 1'980'000}}, {}, device);
    EXPECT_EQ(device.clockMhz, 1980) << "of newer versions";
}

TEST(DeviceFacts, WhatCannotBeIsLeftAsItWas)
{
    DeviceInfo device;
    device.smCount = 132;
    device.memoryBytes = 7;
    device.clockMhz = 1755;
    readDeviceFacts({{"device__attribute_multiprocessor_count", 3e9},
                     {"device__attribute_total_memory", -1},
                     {"device__attribute_clock_rate", 0},
                     {"device__attribute_l2_cache_size", std::nullopt},
                     {"multiprocessor_count", 5}},
                    {{"device__attribute_display_name", ""}}, device);
    EXPECT_EQ(device.smCount, 132);
    EXPECT_EQ(device.memoryBytes, 7);
    EXPECT_EQ(device.clockMhz, 1755);
    EXPECT_EQ(device.name, "");
}

TEST(DeviceFacts, LimitsAreReached)
{
    DeviceInfo device;
    device.smCount = device.regsPerSm = 5;
    device.l2Bytes = 5;
    readDeviceFacts({{"device__attribute_multiprocessor_count", 2147483647},
                     {"device__attribute_max_registers_per_multiprocessor", 0},
                     {"device__attribute_l2_cache_size", 0},
                     {"device__attribute_clock_rate", 1}},
                    {}, device);
    EXPECT_EQ(device.smCount, 2147483647);
    EXPECT_EQ(device.regsPerSm, 0);
    EXPECT_EQ(device.l2Bytes, 0);
    EXPECT_EQ(device.clockMhz, 0.001);
    readDeviceFacts({{"device__attribute_multiprocessor_count", -1}, {"device__attribute_max_registers_per_multiprocessor", 2147483648.0}},
                    {}, device);
    EXPECT_EQ(device.smCount, 2147483647);
    EXPECT_EQ(device.regsPerSm, 0);
}

TEST(DeviceFacts, AWholeNumberIsTheNearestUpTo2To53)
{
    EXPECT_EQ(wholeNumber(2.6), 3);
    EXPECT_EQ(wholeNumber(-2.6), -3);
    EXPECT_EQ(wholeNumber(0x1p53), std::int64_t{1} << 53U);
    EXPECT_FALSE(wholeNumber(0x1.0000000000001p53));
    EXPECT_FALSE(wholeNumber(std::numeric_limits<double>::quiet_NaN()));
}

TEST(NcuLabels, ALabelIsItsSectionsMetric)
{
    EXPECT_EQ(findLabelMetric("Occupancy", "Achieved Occupancy"), "sm__warps_active.avg.pct_of_peak_sustained_active");
    EXPECT_EQ(findLabelMetric("Memory Workload Analysis", "L2 Hit Rate"), "lts__t_sector_hit_rate.pct");
    EXPECT_EQ(findLabelMetric("Occupancy", "L2 Hit Rate"), "Occupancy: L2 Hit Rate");
    EXPECT_EQ(findLabelMetric("Any", "gpu__time_duration.sum"), "gpu__time_duration.sum");
    EXPECT_EQ(findLabelMetric("Any", "Duration (gpu__time_duration.sum)"), "gpu__time_duration.sum");
}

TEST(ImportedResult, TheFirstValueOfANameCountsAndAReasonGoesWhereOneFollows)
{
    ImportedResult result;
    result.take("b", {}, {}, "none here");
    result.take("a", 1.0, {}, {});
    result.take("a", 2.0, {}, {});
    result.take("word", {}, "all", {});
    result.take("word", 3.0, {}, {});
    result.take("c", std::numeric_limits<double>::infinity(), {}, "unused");
    EXPECT_EQ(result.values.at("a"), 1.0);
    EXPECT_EQ(result.facts.texts.at("word"), "all");
    EXPECT_FALSE(result.values.contains("word"));
    EXPECT_FALSE(result.values.at("b"));
    EXPECT_EQ(result.missing.at("b"), "none here");
    EXPECT_FALSE(result.values.at("c"));
    EXPECT_NE(result.missing.at("c"), "unused");
    result.take("b", 4.0, {}, {});
    EXPECT_EQ(result.values.at("b"), 4.0);
    EXPECT_FALSE(result.missing.contains("b"));
    result.take("z", {}, {}, "the last of all names");
    result.take("z", 5.0, {}, {});
    EXPECT_EQ(result.values.at("z"), 5.0);
    EXPECT_FALSE(result.missing.contains("z"));
}

TEST(ImportedResult, ATextTakesNoMetricsPlaceAndNamesMayComeInAnyOrder)
{
    ImportedResult result;
    result.take("m", {}, {}, "no value");
    result.take("m", {}, "a text", {});
    EXPECT_TRUE(result.facts.texts.empty()) << "it is a metric without a value already";
    EXPECT_EQ(result.missing.at("m"), "no value");
    result.take("z", 1.0, {}, {});
    result.take("a", 2.0, "2 bytes", {});
    result.take("k", std::numeric_limits<double>::quiet_NaN(), "nan", "unused");
    EXPECT_TRUE(result.facts.texts.empty()) << "a figure goes before its text";
    EXPECT_EQ(result.values, (std::map<std::string, std::optional<double>>{{"a", 2.0}, {"k", {}}, {"m", {}}, {"z", 1.0}}));
    result.take("k", std::numeric_limits<double>::infinity(), {}, {});
    EXPECT_TRUE(result.missing.contains("k"));
    result.take("m", {}, {}, "another reason");
    EXPECT_EQ(result.missing.at("m"), "no value") << "the first reason counts";
    result.take("k", 3.0, {}, {});
    EXPECT_EQ(result.values.at("k"), 3.0);
    EXPECT_EQ(result.missing, (std::map<std::string, std::string>{{"m", "no value"}}));
}

} // namespace
} // namespace kl
