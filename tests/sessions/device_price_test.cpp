// SPDX-License-Identifier: MIT
// What an hour on a device costs, whatever shares its work.
#include "sessions/hosts/host_list.h"
#include "sessions/learning/device_price.h"
#include "sessions/learning/money.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

/// In dollars, on H200s for 4 an hour; gpu7 has a price of 10, gpu9 none. 0: not known.
double priceHour(const std::string& device, const std::string& host = {}, const std::string& gpu = "NVIDIA H200")
{
    const std::vector<KnownHost> hosts{
        {.host = "gpu7", .dollarsPerHour = 10}, {.host = "gpu9"}, {.host = "slurm:lab", .dollarsPerHour = 3}};
    return hourOn(*parseDeviceSpec(device), host, gpu, hosts, {{.gpu = "NVIDIA H200", .dollarsPerHour = 4}}).value_or(0);
}

TEST(DevicePrice, AHostCostsOnceWhateverRunsOnIt)
{
    EXPECT_EQ(priceHour("ssh:gpu7", "gpu7"), 10);
    EXPECT_EQ(priceHour("ssh:gpu7:0+ssh:gpu7:1", "gpu7"), 10);
    EXPECT_EQ(priceHour("ssh:gpu7:0+ssh:gpu7:1+local", "gpu7"), 14);
}

TEST(DevicePrice, AGpuOfAHostWithoutAPriceCostsByItself)
{
    EXPECT_EQ(priceHour("local"), 4);
    EXPECT_EQ(priceHour("local:0+local:1"), 8);
    EXPECT_EQ(priceHour("ssh:gpu9:0+ssh:gpu9:1", "gpu9"), 8);
    EXPECT_EQ(priceHour("ssh:gpu7+ssh:gpu9", "gpu7"), 14);
    EXPECT_EQ(priceHour("local", {}, "NVIDIA T4"), 0);
    EXPECT_EQ(priceHour("ssh:gpu7+local", "gpu7", "NVIDIA T4"), 0) << "one of them is not known";
}

TEST(DevicePrice, EachJobOfAPartitionCosts)
{
    EXPECT_EQ(priceHour("slurm:lab,workers=4", "slurm:lab"), 12);
    EXPECT_EQ(priceHour("slurm:lab+slurm:lab,workers=2", "slurm:lab"), 9);
}

TEST(DevicePrice, OfAListTheHostInUseCounts)
{
    EXPECT_EQ(priceHour("ssh:gpu7,ssh:gpu9", "gpu7"), 10);
    EXPECT_EQ(priceHour("ssh:gpu7,ssh:gpu9", "gpu9"), 4);
}

TEST(DevicePrice, OnePlaceWithoutAPriceLeavesTheWholeUnknown)
{
    const std::vector<GpuPrice> prices{{.gpu = "NVIDIA H200", .dollarsPerHour = 4}};
    const DeviceSpec local = *parseDeviceSpec("local");
    EXPECT_EQ(hourOn(local, "", "NVIDIA H200", {}, prices), 4);
    EXPECT_EQ(hourOn(local, "", "NVIDIA L4", {}, prices), std::nullopt);
    EXPECT_EQ(hourOn(local, "", "NVIDIA H200", {}, {}), std::nullopt) << "no cost is not a cost of 0";
}

} // namespace
} // namespace kl
