// SPDX-License-Identifier: MIT
// Where a worker on another host is found, what it is started with, and how one is copied there.
#include "fake_ssh.h"
#include "profiler/client/consent.h"
#include "profiler/device/open_device.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/worker_copy.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

namespace kl {
namespace {

namespace fs = std::filesystem;
using test::FakeSsh;
using testing::HasSubstr;

const std::string kBuiltWorker = std::string(KL_BINARY_DIR) + "/bin/kloop-worker";
const std::string kReplayingWorker =
    "exec '" + kBuiltWorker + "' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"";

class AgreeingConsent final : public Consent {
public:
    Status allow(const FileCommand&, const Job&) override { return {}; }
};

class WorkerThere : public testing::Test {
protected:
    void SetUp() override
    {
        if (!fs::exists(kBuiltWorker))
            GTEST_SKIP() << "kloop-worker is not built";
    }
    static void writeProgram(const fs::path& file, const std::string& text)
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
        fs::permissions(file, fs::perms::owner_all);
    }
    static WorkerOptions options()
    {
        WorkerOptions options;
        options.program = kBuiltWorker;
        return options;
    }
    static Result<std::unique_ptr<Collector>> open(const std::string& device) { return openDevice(*parseDeviceSpec(device), options()); }

    FakeSsh ssh_;
};

TEST_F(WorkerThere, IsFoundInTheUsersOwnPrograms)
{
    writeProgram(ssh_.home() / ".local/bin/kloop-worker", "#!/bin/sh\n" + kReplayingWorker + '\n');
    EXPECT_TRUE(open("ssh:gpu7").ok());
    ssh_.installWorker("exit 9");
    EXPECT_FALSE(open("ssh:gpu7").ok()) << "the one on PATH comes first";
}

TEST_F(WorkerThere, GetsTheGpuThatIsNamed)
{
    ssh_.installWorker("echo \"$*\" >> \"$HOME/arguments\"\n" + kReplayingWorker);
    const auto opened = open("ssh:gpu7:GPU-77");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_THAT(ssh_.read("home/arguments"), HasSubstr(" --new --device GPU-77\n"));
}

TEST_F(WorkerThere, WhatSshPrintedIsTheDetailOfALostHost)
{
    ssh_.touch("down");
    const auto opened = open("ssh:gpu7");
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().detail, HasSubstr("port 22: Connection refused"));
    EXPECT_EQ(opened.error().where, "ssh:gpu7");
    EXPECT_FALSE(opened.error().hint.empty());
}

TEST_F(WorkerThere, TheTimeOfEachHostIsCounted)
{
    ssh_.installWorker(kReplayingWorker);
    std::vector<std::string> held;
    WorkerOptions watched = options();
    watched.held = [&](const HeldTime& time) { held.push_back(time.host); };
    {
        const auto opened = openDevice(*parseDeviceSpec("ssh:gpu7,ssh:gpu8"), watched);
        ASSERT_TRUE(opened.ok());
        ssh_.installWorker("n=$2; if [ \"$3\" = --again ]; then echo; echo \"kloop-attach/1 $n gone\"; exit 4; fi\n" + kReplayingWorker);
        ssh_.cut();
        EXPECT_EQ((*opened)->ask(Verb::run, {{"work", {{"kernel", "no/kernel"}}}}, {}).error().code, ErrorCode::notRecorded);
        EXPECT_EQ(held, std::vector<std::string>{"gpu7"});
    }
    EXPECT_EQ(held, (std::vector<std::string>{"gpu7", "gpu8"}));
}

class CopiedWorker : public testing::Test {
protected:
    void SetUp() override
    {
        fs::create_directories(worker_.parent_path());
        std::ofstream(worker_) << "#!/bin/sh\necho kloop-worker\n";
        fs::permissions(worker_, fs::perms::owner_all);
    }
    Status copy(const std::string& system, const Job& job = {})
    {
        return copyWorker("gpu7", worker_, "key7", workerMissing("gpu7", "There is none.", system), &consent_, job);
    }

    FakeSsh ssh_;
    AgreeingConsent consent_;
    const fs::path worker_ = ssh_.home() / "flat/kloop-worker";
};

TEST_F(CopiedWorker, GoesToAHostOfThisKindWithTheLibraryBesideIt)
{
    utsname names{};
    ASSERT_EQ(::uname(&names), 0);
    std::ofstream(worker_.parent_path() / "libkloop-inject.so") << "inject";
    std::vector<std::string> steps;
    const Job job{[&](const Progress& progress) { steps.push_back(progress.step); }, {}};
    const Status done = copy(std::string(names.sysname) + ' ' + names.machine, job);
    ASSERT_TRUE(done.ok()) << done.error().message << done.error().detail;
    EXPECT_EQ(ssh_.read("home/.cache/kernelloop/workers/key7/lib/libkloop-inject.so"), "inject");
    EXPECT_EQ(ssh_.read("home/.cache/kernelloop/workers/key7/complete"), "yes\n");
    EXPECT_EQ(steps.size(), 1U);
}

TEST_F(CopiedWorker, AStopEndsTheCopy)
{
    std::stop_source stop;
    stop.request_stop();
    const Status stopped = copy({}, Job{{}, stop.get_token()});
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    EXPECT_EQ(stopped.error().where, "gpu7");
}

TEST_F(CopiedWorker, IsAskedAboutWithItsFileAndItsPlace)
{
    const FileCommand command = copyCommand("gpu7", worker_, "key7", "There is none.");
    EXPECT_EQ(command.file, worker_);
    EXPECT_EQ(command.command[1], "gpu7");
    EXPECT_EQ(command.question.find("There is none."), 0U);
    EXPECT_EQ(command.hash.size(), 64U);
    fs::remove(worker_);
    EXPECT_EQ(copy({}).error().where, worker_.string()) << "there is nothing to copy";
}

} // namespace
} // namespace kl
