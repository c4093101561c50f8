// SPDX-License-Identifier: MIT
// Where a worker on another host is found, what it is started with, and how one is copied there.
#include "core/base/scratch_folder.h"
#include "core/process/fd.h"
#include "core/process/run_to_end.h"
#include "fake_ssh.h"
#include "fake_worker.h"
#include "profiler/client/consent.h"
#include "profiler/device/open_device.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/slurm_commands.h"
#include "profiler/remote/worker_copy.h"
#include "tests/support/build_folder.h"
#include "tests/support/process_end.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;
using test::FakeSsh;
using testing::HasSubstr;

const std::string kReplayingWorker =
    "exec '" + test::kBuiltWorker + "' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"";

class AgreeingConsent final : public Consent {
public:
    Status allow(const FileCommand&, const Job&) override { return {}; }
};

class WorkerThere : public testing::Test {
protected:
    void SetUp() override
    {
        if (!fs::exists(test::kBuiltWorker))
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
        options.program = test::kBuiltWorker;
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

TEST_F(WorkerThere, TheNextHostIsMetWhereTheFirstCannotBeReached)
{
    ssh_.installWorker(kReplayingWorker);
    ssh_.touch("down-gpu7");
    std::vector<std::pair<std::string, bool>> met;
    std::vector<std::string> notices;
    WorkerOptions watched = options();
    watched.met = [&](const std::string& host, const Result<Hello>& hello) { met.emplace_back(host, hello.ok()); };
    watched.opening.notice = [&](const std::string& text) { notices.push_back(text); };
    const auto opened = openDevice(*parseDeviceSpec("ssh:gpu7,ssh:gpu8"), watched);
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(met, (std::vector<std::pair<std::string, bool>>{{"gpu7", false}, {"gpu8", true}}));
    ASSERT_EQ(notices.size(), 1U);
    EXPECT_THAT(notices[0], testing::EndsWith("gpu8."));
    ssh_.touch("down-gpu8");
    EXPECT_EQ(openDevice(*parseDeviceSpec("ssh:gpu7,ssh:gpu8"), watched).error().where, "ssh:gpu8") << "the last one's reason";
    EXPECT_EQ(notices.size(), 2U) << "behind the last one there is no other";
}

TEST_F(WorkerThere, AHostThatIsLostIsMetAsOneAndTheNextAsItsWorker)
{
    ssh_.installWorker(kReplayingWorker);
    std::vector<std::pair<std::string, bool>> met;
    WorkerOptions watched = options();
    watched.met = [&](const std::string& host, const Result<Hello>& hello) { met.emplace_back(host, hello.ok()); };
    const auto opened = openDevice(*parseDeviceSpec("ssh:gpu7,ssh:gpu8"), watched);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    ssh_.installWorker("if [ \"$3\" = --again ]; then echo; echo \"kloop-attach/1 $2 gone\"; exit 4; fi\n" + kReplayingWorker);
    ssh_.cut();
    std::vector<std::string> notices;
    Job job;
    job.notice = [&](const std::string& text) { notices.push_back(text); };
    EXPECT_EQ((*opened)->ask(Verb::run, {{"work", {{"kernel", "no/kernel"}}}}, job).error().code, ErrorCode::notRecorded);
    EXPECT_EQ(met, (std::vector<std::pair<std::string, bool>>{{"gpu7", true}, {"gpu7", false}, {"gpu8", true}}));
    ASSERT_EQ(notices.size(), 1U);
    EXPECT_THAT(notices[0], HasSubstr("gpu7"));
    EXPECT_THAT(notices[0], testing::EndsWith(" gpu8."));
    EXPECT_EQ((*opened)->remoteHost(), "gpu8");
}

TEST_F(WorkerThere, LongRequestsAndAnswersPassWhole)
{
    const fs::path script = ssh_.home() / "long";
    writeProgram(script, R"sh(#!/bin/sh
echo '{"event":"hello","protocol":1,"version":"fake","devices":[]}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in *'"verb":"shutdown"'*) exit 0 ;; esac
    printf '{"event":"result","id":%s,"body":{"length":%s,"text":"' "$id" ${#line}; head -c 300000 /dev/zero | tr '\0' x; echo '"}}'
done
)sh");
    ssh_.installWorker("export KERNELLOOP_WORKER='" + script.string() + "'\nexec '" + test::kBuiltWorker + "' \"$@\"");
    const auto opened = open("ssh:gpu7");
    ASSERT_TRUE(opened.ok()) << opened.error().message << opened.error().detail;
    for (int i = 0; i < 3; ++i) {
        const Result<Json> answer = (*opened)->ask(Verb::run, {{"source", std::string(200'000, 'y')}}, {});
        ASSERT_TRUE(answer.ok()) << answer.error().message;
        EXPECT_EQ((*answer)["text"], std::string(300'000, 'x'));
        EXPECT_GT((*answer)["length"].get<int>(), 200'000);
    }
}

TEST_F(WorkerThere, IsDescribedAsTheOneThatAnswered)
{
    const test::FakeWorker fake("echo '{\"event\":\"hello\",\"protocol\":1,\"version\":\"'$starts'\",\"devices\":[]}'\n");
    const fs::path script = ssh_.home() / "fake";
    writeProgram(script, "#!/bin/sh\n" + fake.options().arguments[1] + '\n');
    ssh_.installWorker("export KERNELLOOP_WORKER='" + script.string() + "'\nexec '" + test::kBuiltWorker + "' \"$@\"");
    const auto opened = open("ssh:gpu7");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_EQ((*opened)->getAnsweringHello().version, "0");
    EXPECT_EQ((*opened)->ask(Verb::run, test::FakeWorker::requestTo("die"), {}).error().code, ErrorCode::kernelFailed);
    EXPECT_TRUE((*opened)->ask(Verb::run, test::FakeWorker::requestTo("echo"), {}).ok());
    EXPECT_EQ((*opened)->getAnsweringHello().version, "1");
}

TEST_F(WorkerThere, TheNextHostDescribesItself)
{
    const fs::path script = ssh_.home() / "named";
    writeProgram(script, R"sh(#!/bin/sh
host=$(tail -n 1 "$HOME/../hosts")
echo '{"event":"hello","protocol":1,"version":"'$host'","devices":[]}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in *'"verb":"shutdown"'*) exit 0 ;; esac
    echo '{"event":"result","id":'$id',"body":{"by":"'$host'"}}'
done
)sh");
    const std::string start = "export KERNELLOOP_WORKER='" + script.string() + "'\nexec '" + test::kBuiltWorker + "' \"$@\"";
    ssh_.installWorker(start);
    const auto opened = open("ssh:gpu7,ssh:gpu8,ssh:gpu9");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const Hello& first = (*opened)->hello();
    EXPECT_EQ(first.version, "gpu7");
    std::vector<std::string> notices;
    Job job;
    job.notice = [&](const std::string& text) { notices.push_back(text); };
    for (const char* host : {"gpu8", "gpu9"}) {
        ssh_.installWorker("if [ \"$3\" = --again ]; then echo; echo \"kloop-attach/1 $2 gone\"; exit 4; fi\n" + start);
        ssh_.cut();
        const Result<Json> answer = (*opened)->ask(Verb::run, Json::object(), job);
        ASSERT_TRUE(answer.ok()) << answer.error().message;
        EXPECT_EQ((*answer)["by"], host);
        EXPECT_EQ((*opened)->hello().version, host);
        EXPECT_EQ((*opened)->getAnsweringHello().version, host);
        EXPECT_EQ((*opened)->remoteHost(), host);
        EXPECT_THAT(notices.back(), HasSubstr(host)) << "it says who goes on";
    }
    EXPECT_EQ(first.version, "gpu7") << "the earlier one stays as it was";
    ssh_.cut();
    EXPECT_TRUE(isHostLost((*opened)->ask(Verb::run, Json::object(), job).error())) << "there is no other";
    EXPECT_EQ((*opened)->width(), 1);
    EXPECT_EQ((*(*opened)->ask(Verb::run, Json::object(), job))["by"], "gpu7") << "the next request begins with the first again";
}

TEST_F(WorkerThere, ItsLibrariesComeWithACopyAndThoseOfTheSystemDoNot)
{
    AgreeingConsent consent;
    const Status copied =
        copyWorker("gpu7", test::kBuiltWorker, "key7", makeWorkerMissingError("gpu7", "There is none.", {}), &consent, {});
    ASSERT_TRUE(copied.ok()) << copied.error().message << copied.error().detail;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(ssh_.home() / ".cache/kernelloop/workers/key7/lib"))
        names.push_back(entry.path().filename().string());
    EXPECT_THAT(names, testing::Contains(testing::StartsWith("libfmt.so")));
    EXPECT_THAT(names, testing::Contains(testing::StartsWith("libstdc++.so")));
    for (const char* system : {"libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "ld-linux", "libresolv.so"})
        EXPECT_THAT(names, testing::Not(testing::Contains(testing::StartsWith(system))));
}

TEST_F(WorkerThere, ARelayEndsAsItsWorkerDoesThatHasNoMoreInput)
{
    const fs::path script = ssh_.home() / "ending";
    writeProgram(script, "#!/bin/sh\necho first; cat; echo last; echo words >&2; exit 7\n");
    ssh_.installWorker("export KERNELLOOP_WORKER='" + script.string() + "'\nexec '" + test::kBuiltWorker + "' \"$@\"");
    std::error_code failure;
    const CompletedRun run =
        runToEnd({.arguments = {test::kBuiltWorker, "--relay", "gpu7", "--key", "none"}}, 60, {.errors = false}, failure);
    EXPECT_FALSE(run.timedOut);
    EXPECT_EQ(run.end.status, 7);
    EXPECT_EQ(run.output, "first\nlast\n");
    const CompletedRun both = runToEnd({.arguments = {test::kBuiltWorker, "--relay", "gpu7", "--key", "none"}}, 60, {}, failure);
    EXPECT_THAT(both.output, HasSubstr("words\n"));
}

/// The next line of a pipe, with its end.
std::string lineFrom(const Fd& pipe)
{
    std::string line;
    for (char c = 0; !line.ends_with('\n') && ::read(pipe.get(), &c, 1) == 1;)
        line += c;
    return line;
}

TEST_F(WorkerThere, NothingComesBeforeTheHelloOfAWorkerThatIsCutOffMeanwhile)
{
    const fs::path script = ssh_.home() / "slow", go = ssh_.home() / "go";
    writeProgram(script, "#!/bin/sh\necho up >&2\nuntil [ -e '" + go.string() + "' ]; do sleep 0.01; done\necho first\ncat\n");
    ssh_.installWorker("export KERNELLOOP_WORKER='" + script.string() + "'\nexec '" + test::kBuiltWorker + "' \"$@\"");
    std::error_code failure;
    Pipe input = makePipe(failure), output = makePipe(failure), errors = makePipe(failure);
    ProcessOptions options{.arguments = {test::kBuiltWorker, "--relay", "gpu7", "--key", "none"}};
    options.input = StandardStream::to(input.output.get());
    options.output = StandardStream::to(output.input.get());
    options.errors = StandardStream::to(errors.input.get());
    Process relay = Process::start(options, failure);
    ASSERT_FALSE(failure);
    output.input.close();
    EXPECT_EQ(lineFrom(errors.output), "up\n");
    ssh_.touch("down");
    ssh_.cut();
    const auto attempts = [&] {
        const std::string hosts = ssh_.read("hosts");
        return std::ranges::count(hosts, '\n');
    };
    for (int i = 0; i < 6000 && attempts() < 4; ++i) // the last of them more than a second later
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ssh_.remove("down");
    std::ofstream(go) << '\n';
    EXPECT_EQ(lineFrom(output.output), "first\n");
    input.input.close();
    EXPECT_TRUE(relay.wait(std::chrono::seconds(60)));
    EXPECT_EQ(relay.end()->status, 0);
}

TEST_F(WorkerThere, ARelayWhoseClientReadsNoMoreKillsTheWorker)
{
    const fs::path script = ssh_.home() / "waiting";
    writeProgram(script, "#!/bin/sh\necho $$ > '" + (ssh_.home() / "pid").string() + "'\necho first\nexec sleep 1000\n");
    ssh_.installWorker("export KERNELLOOP_WORKER='" + script.string() + "'\nexec '" + test::kBuiltWorker + "' \"$@\"");
    std::error_code failure;
    Pipe input = makePipe(failure), output = makePipe(failure);
    ProcessOptions options{.arguments = {test::kBuiltWorker, "--relay", "gpu7", "--key", "none"}};
    options.input = StandardStream::to(input.output.get());
    options.output = StandardStream::to(output.input.get());
    Process relay = Process::start(options, failure);
    ASSERT_FALSE(failure);
    output.input.close();
    EXPECT_EQ(lineFrom(output.output), "first\n");
    output.output.close();
    EXPECT_TRUE(relay.wait(std::chrono::seconds(60)));
    EXPECT_EQ(relay.end()->status, 130);
    EXPECT_TRUE(endsSoon(std::stoi(ssh_.read("home/pid"))));
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

/// What a program printed that has another `kloop-worker` on its PATH, which prints its arguments.
std::string printedWithWorkerOnPath(const std::vector<std::string>& command, const fs::path& folder)
{
    std::ofstream(folder / "kloop-worker") << "#!/bin/sh\necho \"path: $*\"\n";
    fs::permissions(folder / "kloop-worker", fs::perms::owner_all);
    ProcessOptions options{.arguments = command};
    options.environment = std::vector<std::string>{"PATH=" + folder.string() + ":/usr/bin:/bin", "SLURM_JOB_ID=12"};
    std::error_code failure;
    return runToEnd(options, 60, {}, failure).output;
}

TEST(SlurmScripts, AWorkerThatTheNodeDoesNotHaveIsTheOneOnItsPath)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder.ok());
    const fs::path own = folder->path() / "own", script = folder->path() / "job.sh";
    std::ofstream(own) << "#!/bin/sh\necho \"own: $*\"\n";
    fs::permissions(own, fs::perms::owner_all);
    std::ofstream(script) << kJobScript;
    for (const bool there : {true, false}) {
        const std::string worker = there ? own.string() : "/nonexistent/kloop-worker", who = there ? "own: " : "path: ";
        EXPECT_EQ(printedWithWorkerOnPath({"/bin/sh", script.string(), "name", worker, "--idle", "300"}, folder->path()),
                  who + "--supervise name-12 --listen --idle 300\n");
        const std::vector<std::string> step = stepCommand("12", true, worker, {"--attach", "a b"});
        EXPECT_EQ(printedWithWorkerOnPath({std::ranges::find(step, "sh"), step.end()}, folder->path()), who + "--attach a b\n");
    }
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
        return copyWorker("gpu7", worker_, "key7", makeWorkerMissingError("gpu7", "There is none.", system), &consent_, job);
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
    for (const bool there : {true, false}) { // an empty file, and none
        there ? fs::resize_file(worker_, 0) : static_cast<void>(fs::remove(worker_));
        EXPECT_EQ(copy({}).error().where, worker_.string());
        EXPECT_EQ(workerKey(worker_).error().code, ErrorCode::environment);
    }
}

} // namespace
} // namespace kl
