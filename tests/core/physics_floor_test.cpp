// SPDX-License-Identifier: MIT
#include "core/device/physics_floor.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

DeviceInfo h200At1830MHz()
{
    DeviceInfo device;
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    device.smCount = 132;
    device.clockMhz = 1830;
    device.l2Bytes = 50 << 20;
    return device;
}

TEST(PhysicsFloor, IsTheTimeOfTheBytesThroughDram)
{
    const auto floor = physicsFloor({0, 4.8e9, 0}, h200At1830MHz());
    ASSERT_TRUE(floor);
    EXPECT_NEAR(floor->ns, 1e6, 1) << "4.8 GB at the data sheet's 4.8 TB/s";
    EXPECT_FALSE(floor->why.empty());
}

TEST(PhysicsFloor, OutputsMayStayInL2AtMostAsManyAsFit)
{
    const auto computeNs = [](double bytes, double written) { return physicsFloor({0, bytes, written}, h200At1830MHz())->ns; };
    EXPECT_NEAR(computeNs(64e6, 32e6), 32e6 / 4.8e12 * 1e9, 1e-6);
    EXPECT_NEAR(computeNs(2e9, 1e9), (2e9 - (50 << 20)) / 4.8e12 * 1e9, 1e-3);
    EXPECT_FALSE(physicsFloor({0, 32e6, 32e6}, h200At1830MHz())) << "all of it may stay there";
}

TEST(PhysicsFloor, AFasterMemoryThanTheDataSheetsCounts)
{
    DeviceInfo device = h200At1830MHz();
    device.memoryClockMhz = 6000;
    device.memoryBusBits = 6144; // 9.2 TB/s
    EXPECT_NEAR(physicsFloor({0, 4.8e9, 0}, device)->ns, 4.8e9 / (6000e6 * 6144 / 8 * 2) * 1e9, 1e-3);
}

TEST(PhysicsFloor, TheLargerOfMemoryAndArithmeticHolds)
{
    const auto compute = physicsFloor({989e12, 4.8e9, 0}, h200At1830MHz());
    ASSERT_TRUE(compute);
    EXPECT_NEAR(compute->ns, 1e9, 1) << "one second of the tensor cores' dense FP16 rate";
    const auto memory = physicsFloor({989e3, 4.8e9, 0}, h200At1830MHz());
    EXPECT_NEAR(memory->ns, 1e6, 1);
    EXPECT_NE(memory->why, compute->why);
}

TEST(PhysicsFloor, WithoutWorkOrRoofsThereIsNone)
{
    EXPECT_FALSE(physicsFloor({}, h200At1830MHz()));
    DeviceInfo unknown;
    unknown.name = "Somebody's GPU";
    EXPECT_FALSE(physicsFloor({1e12, 1e9, 0}, unknown));
}

TEST(PhysicsFloor, TheFastestArithmeticThatTheDeviceHasCounts)
{
    DeviceInfo device = h200At1830MHz();
    device.name = "Prototype";
    const double nominal = 4096.0 * 132 * 1830e6; // tensor cores, of the capability
    const auto floor = physicsFloor({nominal, 0, 0}, device);
    ASSERT_TRUE(floor);
    EXPECT_NEAR(floor->ns, 1e9, 1);
    EXPECT_FALSE(physicsFloor({0, 1e9, 0}, device)) << "its memory is not known";
}

} // namespace
} // namespace kl
