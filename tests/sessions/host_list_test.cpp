// SPDX-License-Identifier: MIT
// The list of hosts: what is noted of each, by several programs at the same time.
#include "core/base/scratch_folder.h"
#include "sessions/hosts/host_list.h"

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
    {
        std::vector<std::jthread> programs;
        for (const char* name : {"gpu7", "gpu8", "gpu7", "gpu9"})
            programs.emplace_back([this, name] {
                for (int i = 0; i < kEach; ++i)
                    EXPECT_TRUE(list().noteHeld(name, 1));
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
    ASSERT_TRUE(list().noteFailure("gpu7", {.code = ErrorCode::environment, .message = "It is gone."}));
    EXPECT_EQ(host("gpu7").state, HostState::unreachable);
    EXPECT_EQ(host("gpu7").reason, "It is gone.");
    EXPECT_FALSE(host("gpu7").usedAt.empty());
    EXPECT_EQ(list().noteFailure("typo", {}).error().code, ErrorCode::notFound);
}

TEST_F(HostLists, TimeHasThePriceOfItsMoment)
{
    ASSERT_TRUE(list().noteHeld("gpu7", 3600));
    ASSERT_TRUE(list().change("gpu7", [](KnownHost& host) { host.dollarsPerHour = 2; }));
    ASSERT_TRUE(list().noteHeld("gpu7", 1800));
    EXPECT_EQ(host("gpu7").heldSeconds, 5400);
    EXPECT_DOUBLE_EQ(host("gpu7").dollars, 1);
}

} // namespace
} // namespace kl
