// SPDX-License-Identifier: MIT
#include "profiler/live/nvml/nvml.h"
#include "profiler/live/nvml/nvml_functions.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kl {
namespace {

using Words = std::vector<std::string>;

NvmlFunctions answering()
{
    NvmlFunctions f;
    f.init = [] { return 0; };
    f.deviceByUuid = [](const char* uuid, NvmlDevice* device) {
        static int thing = 0;
        *device = reinterpret_cast<NvmlDevice>(&thing);
        return std::strcmp(uuid, "GPU-1") == 0 ? 0 : 6;
    };
    f.driverVersion = [](char* text, unsigned size) {
        std::strncpy(text, "580.159.04", size);
        return 0;
    };
    f.clock = [](NvmlDevice, unsigned type, unsigned* mhz) {
        *mhz = type == kNvmlClockSm ? 345 : 3201;
        return 0;
    };
    f.maxClock = [](NvmlDevice, unsigned type, unsigned* mhz) {
        *mhz = type == kNvmlClockSm ? 1980 : 3201;
        return 0;
    };
    f.throttleReasons = [](NvmlDevice, unsigned long long* bits) {
        *bits = 0x1 | 0x2 | 0x4 | 0x40;
        return 0;
    };
    f.power = [](NvmlDevice, unsigned* milliwatt) {
        *milliwatt = 114500;
        return 0;
    };
    f.totalEnergy = [](NvmlDevice, unsigned long long* millijoule) {
        *millijoule = 12345678;
        return 0;
    };
    f.persistence = [](NvmlDevice, unsigned* enabled) {
        *enabled = 1;
        return 0;
    };
    f.migMode = [](NvmlDevice, unsigned* current, unsigned* pending) {
        *current = 1;
        *pending = 0;
        return 0;
    };
    f.processes = [](NvmlDevice, unsigned* count, NvmlProcess* list) {
        list[0].pid = static_cast<unsigned>(::getpid());
        list[1].pid = 1;
        *count = 2;
        return 0;
    };
    return f;
}

TEST(Nvml, ReadsClocksOfTheRightKind)
{
    const auto gpu = Nvml::open("GPU-1", answering());
    ASSERT_TRUE(gpu.ok());
    EXPECT_EQ((*gpu)->smClockMhz(), 345.0);
    EXPECT_EQ((*gpu)->maxSmClockMhz(), 1980.0);
    EXPECT_EQ((*gpu)->memoryClockMhz(), 3201.0);
}

TEST(Nvml, ConvertsPowerToWatts)
{
    EXPECT_EQ((*Nvml::open("GPU-1", answering()))->powerW(), 114.5);
}

TEST(Nvml, ConvertsEnergyToJoules)
{
    EXPECT_EQ((*Nvml::open("GPU-1", answering()))->totalEnergyJ(), 12345.678);
    NvmlFunctions f = answering();
    f.totalEnergy = nullptr; // before Volta, and in old drivers
    EXPECT_FALSE((*Nvml::open("GPU-1", f))->totalEnergyJ().has_value());
}

TEST(Nvml, TellsModesAndTheDriver)
{
    const auto gpu = Nvml::open("GPU-1", answering());
    ASSERT_TRUE(gpu.ok());
    EXPECT_EQ((*gpu)->persistenceMode(), true);
    EXPECT_EQ((*gpu)->migEnabled(), true);
    EXPECT_EQ((*gpu)->driverVersion(), "580.159.04");
    EXPECT_TRUE((*gpu)->clocksLocked());
}

TEST(Nvml, DoesNotCountOurOwnProcess)
{
    EXPECT_EQ((*Nvml::open("GPU-1", answering()))->otherProcesses(), 1);
}

TEST(Nvml, IdleAndSetClocksAreNotThrottling)
{
    EXPECT_EQ(throttleWords(0x1 | 0x2), Words{});
    EXPECT_EQ((*Nvml::open("GPU-1", answering()))->throttleReasons(), (Words{"power cap", "thermal, hardware"}));
}

TEST(Nvml, WhatTheDriverDoesNotTellIsAbsentNotZero)
{
    NvmlFunctions f = answering();
    f.clock = [](NvmlDevice, unsigned, unsigned*) { return 3; };
    f.migMode = nullptr;
    const auto gpu = Nvml::open("GPU-1", f);
    ASSERT_TRUE(gpu.ok());
    EXPECT_FALSE((*gpu)->smClockMhz().has_value());
    EXPECT_FALSE((*gpu)->migEnabled().has_value());
    EXPECT_FALSE((*gpu)->temperatureC().has_value());
}

TEST(Nvml, EveryReasonHasItsWord)
{
    std::vector<std::string> all = throttleWords(~0ULL);
    std::size_t found = 0;
    for (int bit = 0; bit < 64; ++bit) {
        const std::vector<std::string> words = throttleWords(1ULL << bit);
        ASSERT_LE(words.size(), 1U);
        found += words.size();
    }
    EXPECT_EQ(found, all.size());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(Nvml, EachBitIsItsOwnReason)
{
    const std::vector<std::pair<unsigned long long, const char*>> words{{0x4, "power cap"},          {0x8, "hardware slowdown"},
                                                                        {0x10, "sync boost"},        {0x20, "thermal"},
                                                                        {0x40, "thermal, hardware"}, {0x80, "power brake"}};
    for (const auto& [bit, word] : words)
        EXPECT_EQ(throttleWords(bit), Words{word}) << bit;
    EXPECT_EQ(throttleWords(~0xfcULL), Words{});
}

TEST(Nvml, TheTemperatureIsThatOfTheGpuAndLockedIsOneBit)
{
    NvmlFunctions f = answering();
    f.temperature = [](NvmlDevice, unsigned sensor, unsigned* celsius) {
        *celsius = sensor == 0 ? 47 : 90;
        return 0;
    };
    f.throttleReasons = [](NvmlDevice, unsigned long long* bits) {
        *bits = 0x1 | 0x4;
        return 0;
    };
    const auto gpu = Nvml::open("GPU-1", f);
    ASSERT_TRUE(gpu.ok());
    EXPECT_EQ((*gpu)->temperatureC(), 47);
    EXPECT_FALSE((*gpu)->clocksLocked());
    f.throttleReasons = nullptr;
    f.temperature = [](NvmlDevice, unsigned, unsigned* celsius) {
        *celsius = 47;
        return 3;
    };
    f.driverVersion = [](char*, unsigned) { return 3; };
    f.persistence = f.power = [](NvmlDevice, unsigned* value) {
        *value = 1;
        return 3;
    };
    f.utilization = [](NvmlDevice, NvmlUtilization* value) {
        *value = {37, 4};
        return 3;
    };
    const auto silent = Nvml::open("GPU-1", f);
    ASSERT_TRUE(silent.ok());
    EXPECT_FALSE((*silent)->temperatureC());
    EXPECT_FALSE((*silent)->persistenceMode());
    EXPECT_FALSE((*silent)->powerW());
    EXPECT_FALSE((*silent)->utilizationPercent());
    EXPECT_FALSE((*silent)->clocksLocked());
    EXPECT_TRUE((*silent)->throttleReasons().empty());
    EXPECT_EQ((*silent)->driverVersion(), "");
}

TEST(Nvml, WhatTheDriverLacksCountsNobody)
{
    NvmlFunctions f = answering();
    f.processes = [](NvmlDevice, unsigned*, NvmlProcess*) { return 7; };
    EXPECT_EQ((*Nvml::open("GPU-1", f))->otherProcesses(), 0);
    f.processes = nullptr;
    EXPECT_EQ((*Nvml::open("GPU-1", f))->otherProcesses(), 0);
    f.processes = [](NvmlDevice, unsigned* count, NvmlProcess* list) {
        for (unsigned i = 0; i < *count; ++i)
            list[i].pid = 1;
        *count = 1000; // more than there was room for
        return 0;
    };
    EXPECT_EQ((*Nvml::open("GPU-1", f))->otherProcesses(), 64);
    f.init = nullptr;
    EXPECT_EQ(Nvml::open("GPU-1", f).error().code, ErrorCode::environment);
    f = answering();
    f.deviceByUuid = nullptr;
    EXPECT_EQ(Nvml::open("GPU-1", f).error().code, ErrorCode::environment);
    f = answering();
    f.persistence = [](NvmlDevice, unsigned* enabled) {
        *enabled = 0;
        return 0;
    };
    f.utilization = [](NvmlDevice, NvmlUtilization* use) {
        *use = {37, 4};
        return 0;
    };
    f.migMode = [](NvmlDevice, unsigned* current, unsigned* pending) {
        *current = 0;
        *pending = 1;
        return 0;
    };
    const auto gpu = Nvml::open("GPU-1", f);
    EXPECT_EQ((*gpu)->persistenceMode(), false);
    EXPECT_EQ((*gpu)->utilizationPercent(), 37);
    EXPECT_EQ((*gpu)->migEnabled(), false) << "not before the next reset";
}

TEST(Nvml, AnUnknownDeviceIsAnError)
{
    const auto gpu = Nvml::open("GPU-2", answering());
    ASSERT_FALSE(gpu.ok());
    EXPECT_EQ(gpu.error().where, "GPU-2");
}

TEST(Nvml, ADriverThatDoesNotAnswerIsAnError)
{
    NvmlFunctions f = answering();
    f.init = [] { return 9; };
    EXPECT_EQ(Nvml::open("GPU-1", f).error().code, ErrorCode::environment);
    EXPECT_FALSE(Nvml::open("GPU-1", NvmlFunctions{}).ok());
}

} // namespace
} // namespace kl
