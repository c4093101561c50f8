// SPDX-License-Identifier: MIT
#include "core/base/scratch_folder.h"
#include "core/process/cuda_tool.h"
#include "core/process/process.h"

#include "core/process/fd.h"
#include "core/process/run_to_end.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr double kMostSeconds = 300; ///< seconds; a test that needs them hangs

CompletedRun shell(const std::string& script, const OutputWanted& wanted = {})
{
    std::error_code failure;
    CompletedRun run = runToEnd({.arguments = {"sh", "-c", script}}, kMostSeconds, wanted, failure);
    EXPECT_FALSE(failure) << failure.message();
    return run;
}

/// A program whose number is read from a line; 'Z' or gone is ended.
void waitUntilEnded(const std::string& pid)
{
    for (;;) {
        std::ifstream in("/proc/" + pid + "/stat");
        std::string text;
        if (!std::getline(in, text) || text[text.rfind(')') + 2] == 'Z')
            return;
        std::this_thread::sleep_for(milliseconds(5));
    }
}

TEST(Process, OutputStatusAndSignalAreGathered)
{
    const CompletedRun good = shell("echo out; echo err >&2; exit 7");
    EXPECT_EQ(good.output, "out\nerr\n");
    EXPECT_EQ(good.end.status, 7);
    EXPECT_FALSE(good.end.signal);
    EXPECT_TRUE(good.end.text().ends_with(" 7")) << good.end.text();
    const CompletedRun killed = shell("kill -9 $$");
    EXPECT_EQ(killed.end.status, 137);
    EXPECT_EQ(killed.end.signal, SIGKILL);
    EXPECT_EQ(shell("echo out; echo err >&2", {.errors = false}).output, "out\n");
}

TEST(Process, TheEndOfALongOutputIsKeptAndAllOfItHeard)
{
    std::size_t heard = 0;
    const CompletedRun run = shell("i=0; while [ $i -lt 5000 ]; do echo $i; i=$((i+1)); done",
                                   {.kept = 10, .listen = [&](std::string_view piece) { heard += piece.size(); }});
    EXPECT_EQ(run.output, "4998\n4999\n");
    EXPECT_EQ(heard, 10U * 2 + 90U * 3 + 900U * 4 + 4000U * 5);
}

TEST(Process, FolderAndEnvironmentAreItsOwn)
{
    std::error_code failure;
    const ProcessOptions options{.arguments = {"sh", "-c", "pwd; echo $A-$HOME"}, .folder = "/", .environment = {{"A=1"}}};
    EXPECT_EQ(runToEnd(options, kMostSeconds, {}, failure).output, "/\n1-\n");
}

TEST(Process, WhatCannotBeStartedHasTheSystemsReason)
{
    std::error_code failure;
    EXPECT_FALSE(Process::start({.arguments = {"kloop-no-such-program"}}, failure).running());
    EXPECT_EQ(failure, std::errc::no_such_file_or_directory);
    Process::start({.arguments = {"true"}, .folder = "/no/such/folder"}, failure);
    EXPECT_EQ(failure, std::errc::no_such_file_or_directory);
    Process::start({.arguments = {"/dev/null"}}, failure);
    EXPECT_EQ(failure, std::errc::permission_denied);
}

/// A library that opens a file without close-on-exec does not hand it to every program.
TEST(Process, DescriptorsOfOursAreNotInherited)
{
    constexpr int kOpen = 57;
    ASSERT_EQ(::dup2(STDERR_FILENO, kOpen), kOpen);
    const std::string script = "[ -e /proc/self/fd/57 ]";
    EXPECT_EQ(shell(script).end.status, 1);
    std::error_code failure;
    Process foreground = Process::start({.arguments = {"sh", "-c", script}, .group = ProcessGroup::foreground}, failure);
    foreground.wait();
    EXPECT_EQ(foreground.end()->status, 0);
    ::close(kOpen);
}

/// The signals of one row of /proc/self/status, but for those that the C library keeps for itself.
unsigned long signalsIn(const std::string& status, const std::string& row)
{
    const std::size_t at = status.find(row);
    return at == std::string::npos ? ~0UL : std::stoul(status.substr(at + row.size()), nullptr, 16) & 0x7fffffff;
}

TEST(Process, SignalsHaveTheirDefaultsAndNohupIsKeptInTheForeground)
{
    const std::string script = "cat /proc/self/status";
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const auto hangUp = std::signal(SIGHUP, SIG_IGN);
    const auto quit = std::signal(SIGQUIT, SIG_DFL); // a shell without job control has its background jobs ignore it
    const std::string own = shell(script).output;
    EXPECT_EQ(signalsIn(own, "SigBlk:"), 0U);
    EXPECT_EQ(signalsIn(own, "SigIgn:"), 0U);
    std::error_code failure;
    Pipe pipe = makePipe(failure);
    Process foreground = Process::start(
        {.arguments = {"sh", "-c", script + " >&2"}, .group = ProcessGroup::foreground, .errors = StandardStream::to(pipe.input.get())},
        failure);
    foreground.wait();
    char text[8192] = {};
    EXPECT_GT(::read(pipe.output.get(), text, sizeof text - 1), 0);
    EXPECT_EQ(signalsIn(text, "SigBlk:"), 0U);
    EXPECT_EQ(signalsIn(text, "SigIgn:"), 1U << (SIGHUP - 1));
    std::signal(SIGHUP, hangUp);
    std::signal(SIGQUIT, quit);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(Process, PastItsTimeTheWholeGroupIsKilled)
{
    std::error_code failure;
    const CompletedRun run = runToEnd({.arguments = {"sh", "-c", "sleep 300 & echo $!; wait"}}, 0.5, {}, failure);
    EXPECT_TRUE(run.timedOut);
    EXPECT_EQ(run.end.status, 137);
    if (!run.output.empty()) // the host was not too busy for the first line
        waitUntilEnded(run.output.substr(0, run.output.size() - 1));
}

TEST(Process, WhatItLeavesRunningIsKilledAndNotWaitedFor)
{
    const CompletedRun run = shell("sleep 300 & echo $!");
    EXPECT_FALSE(run.timedOut);
    EXPECT_EQ(run.end.status, 0);
    waitUntilEnded(run.output.substr(0, run.output.size() - 1));
}

TEST(Process, ItEndsWithItsOwner)
{
    pid_t id = -1;
    {
        std::error_code failure;
        Process process = Process::start({.arguments = {"sleep", "300"}}, failure);
        EXPECT_TRUE(process.running());
        EXPECT_FALSE(process.wait(milliseconds(1)));
        EXPECT_FALSE(process.end());
        Process other = std::move(process);
        id = other.id();
        EXPECT_EQ(::getpgid(id), id);
        EXPECT_EQ(process.id(), -1); // NOLINT(bugprone-use-after-move): what a move leaves is tested
    }
    EXPECT_EQ(::kill(id, 0), -1);
    EXPECT_EQ(errno, ESRCH);
}

TEST(Process, OurGroupIsSharedWhereAsked)
{
    std::error_code failure;
    Process process = Process::start({.arguments = {"sleep", "300"}, .group = ProcessGroup::ours}, failure);
    EXPECT_EQ(::getpgid(process.id()), ::getpgrp());
    process.kill();
    EXPECT_EQ(process.end()->signal, SIGKILL);
}

/// `cat` ends when its input does: not while a program that another thread starts meanwhile holds that input, too.
TEST(Process, ThreadsDoNotHandTheirPipesToEachOthersPrograms)
{
    std::atomic<bool> done = false;
    std::thread other([&] {
        std::vector<Process> sleepers;
        std::error_code failure;
        while (!done && sleepers.size() < 200)
            sleepers.push_back(Process::start({.arguments = {"sleep", "300"}}, failure));
    });
    for (int i = 0; i < 50; ++i) {
        std::error_code failure;
        Pipe pipe = makePipe(failure);
        Process cat = Process::start({.arguments = {"cat"}, .input = StandardStream::to(pipe.output.get())}, failure);
        pipe.input.close();
        cat.wait();
        EXPECT_EQ(cat.end()->status, 0);
    }
    done = true;
    other.join();
}

/// A service may start kloop with its standard streams closed: pipes then have their numbers.
TEST(Process, StreamsMayHaveTheNumbersOfStandardStreams)
{
    const pid_t child = ::fork();
    if (child == 0) {
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            ::close(stream);
        std::error_code failure;
        ::_exit(runToEnd({.arguments = {"sh", "-c", "echo x; echo y >&2"}}, kMostSeconds, {}, failure).output == "x\ny\n" ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Process, IsStoppedWhereNobodyWaitsForItAnyMore)
{
    double requested = -1;
    const CompletedRun run = shell("echo begun; exec sleep 300", {.waiting = [&](double seconds) {
                                       requested = seconds;
                                       return false;
                                   }});
    EXPECT_TRUE(run.stopped);
    EXPECT_FALSE(run.timedOut);
    EXPECT_EQ(run.end.signal, SIGKILL);
    EXPECT_GE(requested, 0);
    EXPECT_GE(run.seconds, requested);
    const CompletedRun whole = shell("sleep 0.06; echo end", {.waiting = [](double) { return true; }});
    EXPECT_FALSE(whole.stopped);
    EXPECT_EQ(whole.output, "end\n");
    EXPECT_GT(whole.seconds, 0);
}

TEST(Process, TakingAnothersPlaceEndsTheFirst)
{
    std::error_code failure;
    Process process = Process::start({.arguments = {"sleep", "300"}}, failure);
    const pid_t first = process.id();
    process = Process::start({.arguments = {"sleep", "300"}}, failure);
    EXPECT_EQ(::kill(first, 0), -1);
    EXPECT_TRUE(process.running());
    process = Process();
    EXPECT_FALSE(process.running());
    EXPECT_EQ(process.id(), -1);
}

TEST(Process, ASessionIsItsOwnAndMayOutliveUs)
{
    std::error_code failure;
    Process process = Process::start({.arguments = {"sleep", "300"}, .group = ProcessGroup::session}, failure);
    const pid_t id = process.id();
    EXPECT_EQ(::getsid(id), id);
    process.release();
    EXPECT_FALSE(process.running());
    process.kill();
    EXPECT_EQ(::kill(id, 0), 0) << "it was let go";
    ::kill(id, SIGKILL);
    int status = 0;
    EXPECT_EQ(::waitpid(id, &status, 0), id);
}

TEST(Process, WhatCouldNotBeStartedIsNoProcess)
{
    std::error_code failure;
    Process process = Process::start({.arguments = {"kloop-no-such-program"}}, failure);
    EXPECT_EQ(process.id(), -1);
    process = Process::start({.arguments = {"true"}}, failure);
    EXPECT_FALSE(failure) << "a start that succeeds clears it";
    process.wait();
    EXPECT_EQ(process.end()->status, 0);
    EXPECT_TRUE(process.wait(milliseconds(0))) << "it has ended already";
}

TEST(Process, StreamsThatLeadNowhereCanBeReadAndWritten)
{
    std::error_code failure;
    Process process = Process::start({.arguments = {"sh", "-c", "cat && echo x && echo y >&2"}}, failure);
    process.wait();
    EXPECT_EQ(process.end()->status, 0);
}

TEST(Process, ASignalIsNamed)
{
    EXPECT_TRUE((ProcessEnd{139, 11}).text().ends_with(" 11 (Segmentation fault)"));
    EXPECT_TRUE((ProcessEnd{139, {}}).text().ends_with(" 139"));
    EXPECT_TRUE((ProcessEnd{0, {}}).text().ends_with(" 0"));
}

TEST(Process, SnapshotOfTheTexts)
{
    const support::SetVariable nowhere("TMPDIR", "/nowhere/at/all");
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_FALSE(folder);
    test::expectSnapshot("texts/process.txt", (ProcessEnd{139, 11}).text() + '\n' + (ProcessEnd{0, {}}).text() + '\n' +
                                                  folder.error().message + " | " + folder.error().hint + '\n');
}

class CudaTools : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(folder_); }

    /// A program, or a file that is none, in one of the folders.
    std::string make(const char* folder, fs::perms permissions = fs::perms::owner_all) const
    {
        const fs::path file = folder_->path() / folder / "kl-tool";
        fs::create_directories(file.parent_path());
        std::ofstream(file) << "#!/bin/sh\n";
        fs::permissions(file, permissions);
        return file.string();
    }
    std::string at(const std::string& folder) const { return (folder_->path() / folder).string(); }

    Result<ScratchFolder> folder_ = ScratchFolder::make();
    CudaTool tool_{"kl-tool", "KL_TOOL_FOR_A_TEST", "cuda-kl-tool"};
};

TEST_F(CudaTools, AreNamedByTheirVariableElseOnThePathElseInTheToolkit)
{
    const support::SetVariable path("PATH", (at("none") + "::" + at("a") + ":" + at("b")).c_str());
    const support::SetVariable home("CUDA_HOME", at("cuda").c_str());
    const auto missing = findCudaTool(tool_);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::environment);
    EXPECT_EQ(missing.error().where, "kl-tool");
    EXPECT_NE(missing.error().message.find("kl-tool"), std::string::npos);
    EXPECT_NE(missing.error().hint.find("cuda-kl-tool"), std::string::npos);
    EXPECT_NE(missing.error().hint.find("KL_TOOL_FOR_A_TEST"), std::string::npos);
    const std::string toolkit = make("cuda/bin");
    EXPECT_EQ(*findCudaTool(tool_), toolkit);
    const std::string second = make("b");
    EXPECT_EQ(*findCudaTool(tool_), second);
    make("a", fs::perms::owner_read);
    EXPECT_EQ(*findCudaTool(tool_), second) << "the first is not a program";
    const std::string first = make("a");
    EXPECT_EQ(*findCudaTool(tool_), first);
    {
        const support::SetVariable own(tool_.variable.c_str(), "/opt/own");
        EXPECT_EQ(*findCudaTool(tool_), "/opt/own");
    }
    const support::SetVariable empty(tool_.variable.c_str(), "");
    EXPECT_EQ(*findCudaTool(tool_), first);
}

TEST_F(CudaTools, AnEmptyEntryOfThePathIsNotTheFolderThatWeAreIn)
{
    make("here");
    const fs::path before = fs::current_path();
    fs::current_path(at("here"));
    const support::SetVariable path("PATH", (":" + at("none") + "::").c_str());
    const support::SetVariable home("CUDA_HOME", at("cuda").c_str());
    const auto found = findCudaTool(tool_);
    fs::current_path(before);
    EXPECT_FALSE(found);
    const support::SetVariable unset("PATH", nullptr);
    const std::string toolkit = make("cuda/bin");
    EXPECT_EQ(*findCudaTool(tool_), toolkit) << "without a PATH";
}

TEST(Fd, NewOnesAreNotInheritedAndWhatGoesInComesOut)
{
    const auto closes = [](const Fd& fd) { return (::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) != 0; };
    const auto carries = [](const Fd& in, const Fd& out) {
        char one = 0;
        return ::write(in.get(), "x", 1) == 1 && ::read(out.get(), &one, 1) == 1 && one == 'x';
    };
    std::error_code failure = std::make_error_code(std::errc::io_error);
    const Pipe pipe = makePipe(failure);
    ASSERT_FALSE(failure) << "it is cleared";
    EXPECT_TRUE(closes(pipe.input) && closes(pipe.output));
    EXPECT_TRUE(carries(pipe.input, pipe.output));
    failure = std::make_error_code(std::errc::io_error);
    const auto [one, other] = makeSocketPair(failure);
    ASSERT_FALSE(failure);
    EXPECT_TRUE(closes(one) && closes(other));
    EXPECT_TRUE(carries(one, other) && carries(other, one));
    failure = std::make_error_code(std::errc::io_error);
    const Fd file = makeMemoryFile("kl-test", failure);
    ASSERT_FALSE(failure);
    EXPECT_TRUE(closes(file));
    ASSERT_EQ(::write(file.get(), "xy", 2), 2);
    EXPECT_EQ(::lseek(file.get(), 0, SEEK_END), 2);
    EXPECT_FALSE(makeMemoryFile(std::string(1000, 'n').c_str(), failure));
    EXPECT_TRUE(failure) << "the name is too long";
}

} // namespace
} // namespace kl
