// SPDX-License-Identifier: MIT
// The list of hosts: what is noted of each, by several programs at the same time.
#include "core/base/scratch_folder.h"
#include "sessions/hosts/host_list.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace kl {
namespace {

class HostLists : public testing::Test {
protected:
    KnownHost host(const std::string& name) const
    {
        const Result<KnownHost> found = list().find(name);
        return found ? *found : KnownHost{};
    }
    HostList list() const { return HostList(folder_->path() / "config/hosts.json"); }

    static Hello twoGpus()
    {
        Hello hello;
        hello.version = "1";
        hello.devices = {DeviceInfo{.name = "NVIDIA H200"}, DeviceInfo{.name = "NVIDIA H200"}, DeviceInfo{.name = "NVIDIA T4"}};
        return hello;
    }

    Result<ScratchFolder> folder_ = ScratchFolder::make();
};

TEST_F(HostLists, NothingNotedAtTheSameTimeIsLost)
{
    constexpr int kEach = 25;
    std::atomic<int> next = 0;
    {
        std::vector<std::jthread> programs;
        for (const char* name : {"gpu7", "gpu8", "gpu7", "gpu9"})
            programs.emplace_back([this, name, &next] {
                for (int i = 0; i < kEach; ++i) {
                    const double begin = next++;
                    EXPECT_TRUE(list().noteHeld(name, {begin, begin + 1}));
                }
            });
    }
    EXPECT_EQ(host("gpu7").heldSeconds, 2 * kEach);
    EXPECT_EQ(host("gpu8").heldSeconds, kEach);
    EXPECT_EQ(list().list()->size(), 3U);
}

TEST_F(HostLists, AUseIsNotedWithGpusAndALossWithItsReason)
{
    ASSERT_TRUE(list().noteUse("gpu7", twoGpus()));
    EXPECT_EQ(host("gpu7").state, HostState::ready);
    EXPECT_EQ(gpusText(host("gpu7")), "2 × NVIDIA H200, NVIDIA T4");
    EXPECT_EQ(lastUse(host("gpu7")), host("gpu7").usedAt.substr(0, 10) + ' ' + host("gpu7").usedAt.substr(11, 5));
    ASSERT_TRUE(list().noteFailure("gpu7", {.code = ErrorCode::environment, .message = "It is gone.", .where = "ssh:gpu7"}));
    EXPECT_EQ(host("gpu7").state, HostState::unreachable);
    EXPECT_EQ(host("gpu7").reason, "It is gone.");
    EXPECT_FALSE(host("gpu7").usedAt.empty());
    ASSERT_TRUE(list().noteFailure("gpu7", {.code = ErrorCode::environment, .message = "Its disk is full."}));
    EXPECT_EQ(host("gpu7").state, HostState::unusable) << "it answered";
    EXPECT_EQ(list().noteFailure("typo", {}).error().code, ErrorCode::notFound);
}

TEST_F(HostLists, TimeHasThePriceOfItsMoment)
{
    ASSERT_TRUE(list().noteHeld("gpu7", {0, 3600}));
    ASSERT_TRUE(list().change("gpu7", [](KnownHost& host) { host.dollarsPerHour = 2; }));
    ASSERT_TRUE(list().noteHeld("gpu7", {3600, 5400}));
    EXPECT_EQ(host("gpu7").heldSeconds, 5400);
    EXPECT_DOUBLE_EQ(host("gpu7").dollars, 1);
}

TEST_F(HostLists, WorkersAtTheSameTimeHoldAHostOnce)
{
    ASSERT_TRUE(list().change("gpu7", [](KnownHost& host) { host.dollarsPerHour = 3.6; }));
    ASSERT_TRUE(list().noteHeld("gpu7", {1000, 2000}));
    ASSERT_TRUE(list().noteHeld("gpu7", {1200, 1800}));
    EXPECT_EQ(host("gpu7").heldSeconds, 1000) << "within the other";
    ASSERT_TRUE(list().noteHeld("gpu7", {1500, 2500}));
    EXPECT_EQ(host("gpu7").heldSeconds, 1500) << "longer than the other";
    ASSERT_TRUE(list().noteHeld("gpu7", {3000, 3100}));
    ASSERT_TRUE(list().noteHeld("gpu7", {500, 4000}));
    EXPECT_EQ(host("gpu7").heldSeconds, 3500) << "around all others, with what lies between them";
    EXPECT_NEAR(host("gpu7").dollars, 3.5, 1e-9);
    ASSERT_TRUE(list().noteHeld("gpu8", {500, 4000}));
    EXPECT_EQ(host("gpu8").heldSeconds, 3500) << "another host";
}

TEST_F(HostLists, EachJobOfAPartitionCounts)
{
    ASSERT_TRUE(list().change("slurm:gpu", [](KnownHost& host) { host.dollarsPerHour = 3.6; }));
    for (int worker = 0; worker < 2; ++worker)
        ASSERT_TRUE(list().noteHeld("slurm:gpu", {1000, 2000}));
    EXPECT_EQ(host("slurm:gpu").heldSeconds, 2000);
    EXPECT_NEAR(host("slurm:gpu").dollars, 2, 1e-9);
}

TEST_F(HostLists, AListDoesNotGrowWithEachUse)
{
    for (double begin = 0; begin < 300; ++begin)
        ASSERT_TRUE(list().noteHeld("gpu7", {begin * 10, begin * 10 + 5}));
    EXPECT_EQ(host("gpu7").heldSeconds, 1500);
    EXPECT_LE(host("gpu7").counted.size(), 100U);
}

TEST_F(HostLists, AFolderInItsPlaceIsAnError)
{
    std::filesystem::create_directories(list().file());
    EXPECT_EQ(list().list().error().code, ErrorCode::badInput);
    EXPECT_EQ(list().noteUse("gpu7", twoGpus()).error().code, ErrorCode::badInput);
}

TEST_F(HostLists, WhatAHostSaysOfItselfTakesLittleRoom)
{
    Hello hello;
    hello.version = std::string(100'000, 'x');
    hello.unavailable = hello.version;
    hello.devices.assign(1000, DeviceInfo{.name = "\x1b[31m" + std::string(10'000, 'x')});
    ASSERT_TRUE(list().noteUse("gpu7", hello));
    EXPECT_LT(std::filesystem::file_size(list().file()), 50'000U);
    EXPECT_EQ(host("gpu7").gpus.front().find('\x1b'), std::string::npos);
    ASSERT_TRUE(list().noteFailure("gpu7", {.code = ErrorCode::environment, .message = std::string(100'000, 'x')}));
    EXPECT_LT(std::filesystem::file_size(list().file()), 50'000U);
}

} // namespace
} // namespace kl
