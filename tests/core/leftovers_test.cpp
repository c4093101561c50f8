// SPDX-License-Identifier: MIT
#include "core/base/descendants.h"
#include "core/base/last_act.h"
#include "core/base/leftovers.h"
#include "core/base/scratch_folder.h"

#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

pid_t startShell(const char* script)
{
    const pid_t child = ::fork();
    if (child != 0)
        return child;
    ::execl("/bin/sh", "sh", "-c", script, nullptr);
    ::_exit(98);
}

TEST(Leftovers, GoWithAProgramThatIsStopped)
{
    Result<ScratchFolder> stopped = ScratchFolder::make();
    ASSERT_TRUE(stopped.ok());
    const std::filesystem::path kept = stopped->path().string() + ".kept";
    std::ofstream(kept) << "whole";
    {
        const Leftover unfinished(kept);
    }
    std::ofstream(stopped->path() / "part") << "x";
    removeLeftovers();
    EXPECT_FALSE(std::filesystem::exists(stopped->path()));
    EXPECT_TRUE(std::filesystem::exists(kept));
    std::filesystem::remove(kept);
}

TEST(Leftovers, AMovedFolderIsStillOne)
{
    Result<ScratchFolder> first = ScratchFolder::make();
    ASSERT_TRUE(first.ok());
    const ScratchFolder second = std::move(*first);
    removeLeftovers();
    EXPECT_FALSE(std::filesystem::exists(second.path()));
}

TEST(LastAct, IsDoneOfOwnersThatStillLive)
{
    const LastAct quiet([] { return std::string(); });
    const LastAct complains([] { return std::string("a job may still run"); });
    {
        const LastAct gone([] { return std::string("gone"); });
    }
    EXPECT_THAT(doLastActs(), testing::ElementsAre("a job may still run"));
}

TEST(Leftovers, FinishingIsReportedWhileItLasts)
{
    EXPECT_FALSE(Finishing::any());
    {
        const Finishing finishing;
        EXPECT_TRUE(Finishing::any());
    }
    EXPECT_FALSE(Finishing::any());
}

TEST(Descendants, AreFoundThroughTheirParentsAndEnded)
{
    const pid_t child = startShell("trap '' TERM; sleep 1000 & sleep 1000; wait");
    while (descendants().size() < 3)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_THAT(descendants(), testing::Contains(child));
    endDescendants(std::chrono::milliseconds(50));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_THAT(descendants(), testing::IsEmpty());
}

TEST(Leftovers, OneThatEndedIsForgottenAndItsNameMayBeUsedAgain)
{
    Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::filesystem::path file = folder->path() / "file";
    std::optional<Leftover> first(file);
    const Leftover second(file); // two that write one file in turns
    first.reset();
    std::ofstream(file) << "x";
    removeLeftovers();
    EXPECT_FALSE(std::filesystem::exists(file)) << "the second one's";
}

TEST(LastAct, SeveralAreDoneInTheOrderOfTheirOwners)
{
    int done = 0;
    const LastAct first([&] { return ++done == 1 ? std::string("first") : std::string(); });
    const LastAct second([&] { return ++done == 2 ? std::string("second") : std::string(); });
    EXPECT_THAT(doLastActs(), testing::ElementsAre("first", "second"));
    EXPECT_EQ(done, 2) << "each once";
}

TEST(Descendants, HaveTimeToEndByThemselves)
{
    Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::filesystem::path ready = folder->path() / "ready";
    const pid_t child = startShell(("trap 'exit 7' TERM; : > " + ready.string() + "; while :; do sleep 0.01; done").c_str());
    while (!std::filesystem::exists(ready))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    endDescendants(std::chrono::seconds(20));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "it was told to end before it was killed";
    EXPECT_EQ(WEXITSTATUS(status), 7);
}

/// Of a process that is a zombie or gone.
bool hasEnded(const std::string& process)
{
    std::ifstream in("/proc/" + process + "/stat");
    std::string text;
    std::getline(in, text);
    const auto name = text.rfind(')');
    return name == std::string::npos || text.substr(name + 2, 1) == "Z";
}

TEST(Descendants, WhatLostItsParentEndsWithItsGroup)
{
    Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::filesystem::path file = folder->path() / "orphan";
    const std::string script = "(sleep 1000 & echo $! > " + file.string() + ".new); mv " + file.string() + ".new " + file.string() +
                               "; while :; do sleep 0.01; done";
    const pid_t child = ::fork();
    if (child == 0) {
        ::setpgid(0, 0);
        ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
        ::_exit(98);
    }
    while (!std::filesystem::exists(file))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::string orphan;
    std::ifstream(file) >> orphan;
    ASSERT_FALSE(orphan.empty());
    EXPECT_FALSE(hasEnded(orphan));
    endDescendants(std::chrono::seconds(20));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    for (int i = 0; i < 2000 && !hasEnded(orphan); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(hasEnded(orphan));
}

} // namespace
} // namespace kl
