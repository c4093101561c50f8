// SPDX-License-Identifier: MIT
#include "core/device/roof_time.h"

#include "core/device/device_table.h"
#include "core/device/peaks.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

DeviceInfo h200At1980MHz()
{
    DeviceInfo device = describeDevice(*findGpu("NVIDIA H200"));
    device.clockMhz = 1980;
    return device;
}

TEST(RoofTime, IsThatOfTheSlowestPart)
{
    const DeviceInfo device = h200At1980MHz();
    const auto memory = roofTime({8000, 1000, 0}, device, 4000);
    ASSERT_TRUE(memory);
    EXPECT_DOUBLE_EQ(memory->ns, 2);
    EXPECT_EQ(test::valueText(memory->name), "\"4000 66.9 32\"") << memory->name;

    const auto compute = roofTime({8000, 66.9e6, 0}, device, 4000);
    ASSERT_TRUE(compute);
    EXPECT_NEAR(compute->ns, 1000, 1);
    EXPECT_EQ(test::valueText(compute->name), "\"4000 66.9 32\"") << compute->name;
    EXPECT_NE(memory->name, compute->name);
}

TEST(RoofTime, OfTensorOperationsIsThatOfTheTensorCores)
{
    const DeviceInfo device = h200At1980MHz();
    const auto tensor = roofTime({8000, 0, 66.9e6}, device, 4000);
    ASSERT_TRUE(tensor);
    EXPECT_NEAR(tensor->ns, 66.9e6 / *computePeaks(device).tensorFp16 * 1e9, 1e-9);
    EXPECT_EQ(test::valueText(tensor->name), "\"4000 1070.1 16\"") << tensor->name;
}

TEST(RoofTime, NamesOnlyTheRatesThatItNeeds)
{
    const auto memory = roofTime({8000, 0, 0}, h200At1980MHz(), 4000);
    ASSERT_TRUE(memory);
    EXPECT_EQ(test::valueText(memory->name), "\"4000\"") << memory->name;
}

TEST(RoofTime, SnapshotOfTheNames)
{
    std::string text;
    for (const RoofWork& work : {RoofWork{8000, 0, 0}, {8000, 1000, 0}, {8000, 66.9e6, 0}, {8000, 0, 66.9e6}, {8000, 66.9e6, 1000}})
        text += roofTime(work, h200At1980MHz(), 4000)->name + '\n';
    test::expectSnapshot("texts/roof-names.txt", text);
}

TEST(RoofTime, IsMissingWhereThePeakIsNotKnown)
{
    DeviceInfo device;
    device.name = "Prototype";
    device.ccMajor = 99;
    const auto compute = roofTime({8000, 1, 0}, device, 4000);
    ASSERT_FALSE(compute);
    EXPECT_EQ(compute.error().code, ErrorCode::environment);
    EXPECT_THAT(compute.error().message, testing::AllOf(testing::HasSubstr(" FP32 "), testing::HasSubstr(" Prototype ")));
    EXPECT_FALSE(roofTime({8000, 0, 1}, device, 4000));
    EXPECT_TRUE(roofTime({8000, 0, 0}, device, 4000)) << "bytes are measured";
}

TEST(RoofTime, OfThreePartsTheSlowestHolds)
{
    const DeviceInfo device = h200At1980MHz();
    const double fp32 = *computePeaks(device).fp32;
    const double tensor = *computePeaks(device).tensorFp16;
    EXPECT_NEAR(roofTime({4000, fp32 * 3e-9, tensor * 2e-9}, device, 4000)->ns, 3, 1e-9);
    EXPECT_NEAR(roofTime({4000, fp32 * 2e-9, tensor * 3e-9}, device, 4000)->ns, 3, 1e-9);
    EXPECT_NEAR(roofTime({16000, fp32 * 2e-9, tensor * 3e-9}, device, 4000)->ns, 4, 1e-9);
    const auto nameWith = [&](double bytes) { return roofTime({bytes, fp32 * 2e-9, tensor * 3e-9}, device, 4000)->name; };
    EXPECT_EQ(nameWith(16000), nameWith(32000)) << "the roof of memory";
    EXPECT_NE(nameWith(16000), nameWith(4000)) << "that of computing";
    DeviceInfo prototype;
    prototype.name = "Prototype";
    prototype.ccMajor = 99;
    EXPECT_EQ(roofTime({1, 1, 0}, prototype, 1).error().code, ErrorCode::environment);
}

} // namespace
} // namespace kl
