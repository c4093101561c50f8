// SPDX-License-Identifier: MIT
#include "core/base/host_name.h"
#include "profiler/gpu_lock.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

class GpuLockOf : public ::testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(folder); }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::string file() const { return folder + "/kernelloop-GPU-1.lock"; }

    const std::string folder = (std::filesystem::temp_directory_path() / ("kl-lock-" + std::to_string(::getpid()))).string();
};

TEST_F(GpuLockOf, OneDeviceIsTakenOnceAndAnotherBesideIt)
{
    const Result<GpuLock> first = GpuLock::take("GPU-1", {}, folder);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_TRUE(GpuLock::take("GPU-2", {}, folder));
    std::stop_source stop;
    Job job{[&](const Progress&) { stop.request_stop(); }, stop.get_token()};
    const Result<GpuLock> second = GpuLock::take("GPU-1", job, folder);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::interrupted);
}

TEST_F(GpuLockOf, TheWaitIsShownWithTheHolderAndEndsWhenItLetsGo)
{
    std::optional<Result<GpuLock>> first(GpuLock::take("GPU-1", {}, folder));
    ASSERT_TRUE(*first);
    std::string step;
    const Job job{[&](const Progress& progress) {
                      step = progress.step;
                      first.reset();
                  },
                  {}};
    int blocked = 0;
    const Result<GpuLock> second = GpuLock::take("GPU-1", job, folder, [&] {
        ++blocked;
        EXPECT_TRUE(step.empty()) << "what keeps the other one waiting is let go before the wait";
    });
    EXPECT_TRUE(second);
    EXPECT_EQ(blocked, 1);
    EXPECT_NE(step.find(' ' + hostName() + ' '), std::string::npos) << step;
    EXPECT_TRUE(step.ends_with(' ' + std::to_string(::getpid()) + ')')) << step;
}

TEST_F(GpuLockOf, AHolderThatIsKilledLetsGo)
{
    const pid_t holder = ::fork();
    if (holder == 0) {
        const Result<GpuLock> lock = GpuLock::take("GPU-1", {}, folder);
        std::ofstream(folder + "/held") << lock.ok();
        ::pause();
        ::_exit(0);
    }
    while (!std::filesystem::exists(folder + "/held"))
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const Job job{[&](const Progress&) { ::kill(holder, SIGKILL); }, {}};
    EXPECT_TRUE(GpuLock::take("GPU-1", job, folder));
    ::waitpid(holder, nullptr, 0);
}

TEST_F(GpuLockOf, AFileThatMayOnlyBeReadIsLockedAllTheSame)
{
    std::ofstream(file()) << "";
    ::chmod(file().c_str(), 0444); // as another user's
    EXPECT_TRUE(GpuLock::take("GPU-1", {}, folder));
}

TEST_F(GpuLockOf, ALinkOrAPipeInItsPlaceIsRefused)
{
    std::filesystem::create_symlink("/etc/passwd", file());
    const Result<GpuLock> link = GpuLock::take("GPU-1", {}, folder);
    ASSERT_FALSE(link);
    EXPECT_EQ(link.error().code, ErrorCode::environment);
    EXPECT_EQ(link.error().where, file());
    std::filesystem::remove(file());
    ASSERT_EQ(::mkfifo(file().c_str(), 0666), 0);
    const Result<GpuLock> pipe = GpuLock::take("GPU-1", {}, folder);
    ASSERT_FALSE(pipe);
    EXPECT_FALSE(pipe.error().hint.empty());
}

TEST_F(GpuLockOf, TextsSnapshot)
{
    const auto reported = [](const Error& error) { return error.message + " | " + error.hint + '\n'; };
    const Result<GpuLock> first = GpuLock::take("GPU-1", {}, folder);
    ASSERT_TRUE(first);
    std::string step;
    std::stop_source stop;
    const Job job{[&](const Progress& progress) {
                      step = progress.step;
                      stop.request_stop();
                  },
                  stop.get_token()};
    std::string text = "stopped: " + GpuLock::take("GPU-1", job, folder).error().message + '\n';
    const std::string holder = hostName() + " (process " + std::to_string(::getpid()) + ')';
    ASSERT_TRUE(step.ends_with(holder)) << step;
    text += "wait: " + step.substr(0, step.size() - holder.size()) + "HOST (process N)\n";
    ASSERT_EQ(::mkfifo((folder + "/kernelloop-GPU-2.lock").c_str(), 0666), 0);
    text += "pipe: " + reported(GpuLock::take("GPU-2", {}, folder).error());
    text += "no folder: " + reported(GpuLock::take("GPU-1", {}, folder + "/none").error());
    test::expectSnapshot("texts/gpu-lock.txt", text);
}

TEST_F(GpuLockOf, AProgramInsideDoesNotWaitForTheLockOfItsOwnProfile)
{
    EXPECT_EQ(GpuLock::lockedVariable(), "");
    std::optional<Result<GpuLock>> lock(GpuLock::take("GPU-1", {}, folder));
    ASSERT_TRUE(*lock);
    EXPECT_EQ(GpuLock::lockedVariable(), "KLOOP_LOCKED_GPUS=GPU-1");
    ::setenv(kLockedGpus, "GPU-0,GPU-1", 1); // as in the program
    EXPECT_TRUE(GpuLock::take("GPU-1", {}, folder)) << "held around it";
    ::unsetenv(kLockedGpus);
    lock.reset();
    EXPECT_EQ(GpuLock::lockedVariable(), "");
}

TEST_F(GpuLockOf, WhatAnOuterKernelLoopHoldsIsHandedOnBesideOnesOwn)
{
    const support::SetVariable outer(kLockedGpus, "GPU-0");
    EXPECT_EQ(GpuLock::lockedVariable(), "KLOOP_LOCKED_GPUS=GPU-0");
    const Result<GpuLock> own = GpuLock::take("GPU-1", {}, folder);
    ASSERT_TRUE(own);
    EXPECT_EQ(GpuLock::lockedVariable(), "KLOOP_LOCKED_GPUS=GPU-0,GPU-1");
}

TEST_F(GpuLockOf, AnOuterKernelLoopHoldsOnlyTheGpusThatItNames)
{
    const Result<GpuLock> first = GpuLock::take("GPU-1", {}, folder);
    ASSERT_TRUE(first);
    std::stop_source stop;
    stop.request_stop();
    const Job stopped{{}, stop.get_token()};
    for (const char* around : {"GPU-10,GPU-2", "GPU", "xGPU-1", ""}) {
        const support::SetVariable outer(kLockedGpus, around);
        EXPECT_FALSE(GpuLock::take("GPU-1", stopped, folder)) << around;
    }
    const support::SetVariable outer(kLockedGpus, "GPU-1,GPU-2");
    EXPECT_TRUE(GpuLock::take("GPU-1", stopped, folder)) << "its first one, too";
}

TEST_F(GpuLockOf, ItsFileCanBeReadByOtherUsersWhateverTheUmask)
{
    const mode_t before = ::umask(0077);
    const Result<GpuLock> lock = GpuLock::take("GPU-1", {}, folder);
    ::umask(before);
    ASSERT_TRUE(lock);
    struct stat status = {};
    ASSERT_EQ(::stat(file().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0644U);
}

TEST_F(GpuLockOf, AFolderThatIsNotThereIsAnError)
{
    const Result<GpuLock> lock = GpuLock::take("GPU-1", {}, folder + "/none");
    ASSERT_FALSE(lock);
    EXPECT_EQ(lock.error().code, ErrorCode::environment);
    EXPECT_EQ(lock.error().where, folder + "/none/kernelloop-GPU-1.lock");
    EXPECT_EQ(GpuLock::lockedVariable(), "") << "nothing is held";
}

TEST(LockHolder, IsReadFromTheSystemsList)
{
    const std::string locks = "1: POSIX  ADVISORY  WRITE 11 08:01:77 0 EOF\n"
                              "2: FLOCK  ADVISORY  WRITE 4711 08:01:77 0 EOF\n"
                              "2: -> FLOCK  ADVISORY  WRITE 4712 08:01:77 0 EOF\n";
    EXPECT_EQ(lockHolder(locks, makedev(8, 1), 77), 4711);
    EXPECT_EQ(lockHolder(locks, makedev(8, 1), 78), 0);
    EXPECT_EQ(lockHolder("nonsense\n", makedev(8, 1), 77), 0);
    EXPECT_EQ(lockHolder("3: FLOCK  ADVISORY  WRITE 12 00:2b:1234 0 EOF\n", makedev(0, 43), 1234), 12) << "a device is in hexadecimal";
    EXPECT_EQ(lockHolder("3: FLOCK  ADVISORY  WRITE 12 01:08:77 0 EOF\n", makedev(8, 1), 77), 0);
}

} // namespace
} // namespace kl
