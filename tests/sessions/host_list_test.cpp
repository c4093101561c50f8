// SPDX-License-Identifier: MIT
// The list of hosts: what is noted of each, by several programs at the same time.
#include "core/base/scratch_folder.h"
#include "sessions/hosts/host_list.h"
#include "tests/support/set_variable.h"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
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

TEST_F(HostLists, EachFieldOfAHostComesBack)
{
    KnownHost all{.host = "gpu7", .dollarsPerHour = 3.5, .heldSeconds = 100, .dollars = 2, .note = "mine", .state = HostState::unusable};
    all.reason = "no driver";
    all.gpus = {"A", "B"};
    all.worker = "0.3";
    all.checkedAt = "2026-01-02T03:04:05.000Z";
    all.usedAt = "2026-01-01T03:04:05.000Z";
    all.counted = {{1, 2}, {5, 7}};
    ASSERT_TRUE(list().change("gpu7", [&](KnownHost& host) { host = all; }));
    EXPECT_EQ(host("gpu7"), all);
    const Json json = toJson(all);
    EXPECT_EQ(json["state"], "unusable");
    EXPECT_EQ(json["dollars_per_hour"], 3.5);
    EXPECT_FALSE(json.contains("counted"));
    EXPECT_EQ(lastUse(all), "2026-01-01 03:04");
    EXPECT_EQ(lastUse({.usedAt = "2026-01-01"}), "2026-01-01");
    EXPECT_EQ(lastUse({}), "");
    EXPECT_EQ(gpusText(all), "A, B");
    EXPECT_EQ(gpusText({}), "");
}

TEST_F(HostLists, AreSortedAndLoseWhoIsRemoved)
{
    for (const char* name : {"gpu8", "gpu7", "gpu9"})
        ASSERT_TRUE(list().change(name, [](KnownHost&) {}));
    const auto names = [&] {
        std::string all;
        const auto known = list().list();
        for (const KnownHost& one : *known)
            all += one.host + ' ';
        return all;
    };
    EXPECT_EQ(names(), "gpu7 gpu8 gpu9 ");
    ASSERT_TRUE(list().remove("gpu8"));
    EXPECT_EQ(names(), "gpu7 gpu9 ");
    EXPECT_EQ(list().remove("gpu8").error().code, ErrorCode::notFound);
    EXPECT_EQ(list().find("gpu8").error().code, ErrorCode::notFound);
}

TEST_F(HostLists, ADamagedListIsAnErrorAndOddRowsAreLeftOut)
{
    std::filesystem::create_directories(list().file().parent_path());
    for (const char* text : {"", "[]", "{}", R"({"hosts": 3})", "{"}) {
        std::ofstream(list().file()) << text;
        EXPECT_EQ(list().list().error().code, ErrorCode::badInput) << text;
        EXPECT_EQ(list().list().error().where, list().file().string());
    }
    std::ofstream(list().file())
        << R"({"hosts": [3, {"host": ""}, {"host": "gpu7", "gpus": ["A", 3], "counted": [[1, 2], [3], "x", [4, "5"]]}]})";
    const auto read = list().list();
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 1U);
    EXPECT_EQ((*read)[0].gpus, std::vector<std::string>{"A"});
    EXPECT_EQ((*read)[0].counted, (std::vector<HeldSpan>{{1, 2}}));
}

TEST_F(HostLists, AWorkersHelloReplacesWhatWasKnown)
{
    Hello broken = twoGpus();
    broken.unavailable = "no driver";
    ASSERT_TRUE(list().noteUse("gpu7", broken));
    EXPECT_EQ(host("gpu7").state, HostState::unusable);
    EXPECT_EQ(host("gpu7").reason, "no driver");
    EXPECT_EQ(host("gpu7").worker, "1");
    ASSERT_TRUE(list().noteUse("gpu7", twoGpus()));
    EXPECT_EQ(host("gpu7").reason, "");
    EXPECT_EQ(host("gpu7").gpus.size(), 3U) << "not added to the earlier ones";
    EXPECT_EQ(host("gpu7").usedAt, host("gpu7").checkedAt);
    const std::string used = host("gpu7").usedAt;
    ASSERT_TRUE(list().noteFailure("gpu7", {.code = ErrorCode::environment, .message = "x"}));
    EXPECT_EQ(host("gpu7").usedAt, used);
    ASSERT_TRUE(list().noteHeld("gpu7", {0, 10}));
    ASSERT_TRUE(list().noteHeld("gpu7", {10, 20}));
    EXPECT_EQ(host("gpu7").counted, (std::vector<HeldSpan>{{0, 20}})) << "joined where they touch";
}

TEST_F(HostLists, WhatIsMetAndHeldGoesIntoTheUsersOwnList)
{
    const support::SetVariable config("XDG_CONFIG_HOME", folder_->path().c_str());
    const HostList own;
    EXPECT_EQ(own.file(), folder_->path() / "kernelloop/hosts.json");
    noteMeeting("gpu7", twoGpus());
    EXPECT_EQ(own.find("gpu7")->state, HostState::ready);
    EXPECT_EQ(own.find("gpu7")->gpus.size(), 3U);
    noteMeeting("gpu7", Error{.code = ErrorCode::environment, .message = "It is gone.", .where = "ssh:gpu7"});
    EXPECT_EQ(own.find("gpu7")->state, HostState::unreachable);
    EXPECT_EQ(own.find("gpu7")->reason, "It is gone.");
    noteHeldTime("gpu7", 90);
    ASSERT_EQ(own.find("gpu7")->counted.size(), 1U);
    const HeldSpan span = own.find("gpu7")->counted.front();
    EXPECT_NEAR(span.end - span.begin, 90, 1e-3);
    EXPECT_GT(span.begin, 1.7e9) << "seconds of the clock";
    EXPECT_NEAR(own.find("gpu7")->heldSeconds, 90, 1e-3);
}

TEST_F(HostLists, OfManyGpusTheFirstAreKept)
{
    Hello hello;
    for (int i = 0; i < 70; ++i)
        hello.devices.push_back(DeviceInfo{.name = i < 2 ? "A" : "B"});
    ASSERT_TRUE(list().noteUse("gpu7", hello));
    EXPECT_EQ(host("gpu7").gpus.size(), 64U);
    EXPECT_EQ(gpusText(host("gpu7")), "2 × A, 62 × B");
    EXPECT_EQ(gpusText({.gpus = {"A", "B", "A"}}), "A, B, A") << "in the driver's order";
}

} // namespace
} // namespace kl
