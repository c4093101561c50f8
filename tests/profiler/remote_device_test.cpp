// SPDX-License-Identifier: MIT
// A worker on another host, with a program `ssh` that runs its command on this one: what is found, copied, refused, cut and lost.
#include "fake_ssh.h"
#include "fake_worker.h"
#include "profiler/client/child_process.h"
#include "profiler/client/consent.h"
#include "profiler/device/lazy_device.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/remote/frame.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/worker_copy.h"
#include "tests/support/build_folder.h"

#include <algorithm>
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <random>
#include <thread>

namespace kl {
namespace {

using test::FakeSsh;
using testing::HasSubstr;

const std::string kReplay = "exec '" + test::kBuiltWorker + "' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"";

/// Says yes or no to everything.
class FixedConsent final : public Consent {
public:
    explicit FixedConsent(bool yes) : yes_(yes) {}
    Status allow(const FileCommand& command, const Job&) override
    {
        requested.push_back(command);
        return yes_ ? Status() : needsConsent(command);
    }
    std::vector<FileCommand> requested;

private:
    bool yes_;
};

class RemoteDevice : public testing::Test {
protected:
    void SetUp() override
    {
        if (!std::filesystem::exists(test::kBuiltWorker))
            GTEST_SKIP() << "kloop-worker is not built";
    }

    static WorkerOptions options(std::shared_ptr<Consent> consent = {})
    {
        WorkerOptions options;
        options.program = test::kBuiltWorker;
        options.consent = std::move(consent);
        return options;
    }

    static Result<std::unique_ptr<Collector>> open(const std::string& device, std::shared_ptr<Consent> consent = {})
    {
        return openDevice(*parseDeviceSpec(device), options(std::move(consent)));
    }

    FakeSsh ssh_;
};

Json timed(const std::string& address)
{
    return Json{{"work", {{"kernel", address}}}};
}

TEST_F(RemoteDevice, TheWorkerOnPathAnswersAndNamesItsHost)
{
    ssh_.installWorker(kReplay);
    const auto opened = open("ssh:me@gpu7:0");
    ASSERT_TRUE(opened.ok()) << opened.error().message << opened.error().detail;
    EXPECT_EQ((*opened)->remoteHost(), "me@gpu7");
    EXPECT_EQ((*opened)->source(), Source::live);
    EXPECT_FALSE((*opened)->hello().host.empty());
    ASSERT_FALSE((*opened)->hello().devices.empty());
    EXPECT_EQ(describeDevice(**opened), DeviceSpec::on({{"me@gpu7", (*opened)->hello().devices.front().uuid}}));
    const Result<Json> answer = (*opened)->ask(Verb::run, timed("no/kernel"), {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::notRecorded) << "it was the recording that answered";
    EXPECT_EQ(ssh_.read("hosts"), "me@gpu7\n") << "one connection";
}

TEST_F(RemoteDevice, WhatAShellPrintsBeforeIsIgnored)
{
    ssh_.installWorker(kReplay);
    ssh_.print("\x1b[31mWelcome\x1b[0m to farm\nkloop-attach/1 x ready\n{\"event\":\"hello\"}\nQuota: 93 %");
    EXPECT_TRUE(open("ssh:gpu7").ok());
}

TEST_F(RemoteDevice, AHostThatPrintsWithoutEndIsGivenUp)
{
    ssh_.installWorker("exec yes");
    const auto opened = open("ssh:gpu7");
    ASSERT_FALSE(opened);
    EXPECT_TRUE(isHostLost(opened.error())) << opened.error().message;
}

TEST_F(RemoteDevice, AHostThatCannotBeReachedSaysWhatSshSaid)
{
    ssh_.touch("down");
    const auto opened = open("ssh:gpu7");
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::environment);
    EXPECT_TRUE(isHostLost(opened.error()));
    EXPECT_THAT(opened.error().message, HasSubstr("Connection refused"));
}

TEST_F(RemoteDevice, TheNextHostTakesOverFromOneThatCannotBeReached)
{
    ssh_.installWorker(kReplay);
    ssh_.touch("down-gpu7");
    const auto opened = open("ssh:gpu7,ssh:gpu8");
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ((*opened)->remoteHost(), "gpu8");
}

TEST_F(RemoteDevice, AWorkerOfAnotherProtocolIsReplacedByACopy)
{
    ssh_.print(encodeFrame(FrameType::resume, "0") +
               encodeFrame(FrameType::output, "{\"event\":\"hello\",\"protocol\":99,\"version\":\"9.9\",\"devices\":[]}\n"));
    ssh_.installWorker("echo; echo \"kloop-attach/1 $2 ready\"; cat \"$HOME/../frames\"; exec sleep 60");
    ssh_.rename("banner", "frames");
    const auto refused = open("ssh:gpu7");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::needsConsent);
    EXPECT_THAT(refused.error().message, testing::AllOf(HasSubstr("99"), HasSubstr("gpu7")));
    const auto opened = open("ssh:gpu7", std::make_shared<FixedConsent>(true));
    ASSERT_TRUE(opened.ok()) << opened.error().message << opened.error().detail;
    EXPECT_NE((*opened)->hello().version, "9.9");
}

TEST_F(RemoteDevice, AWorkerThatCannotMeasureSaysSo)
{
    ssh_.installWorker("exec '" + test::kBuiltWorker + "' --replay /nonexistent \"$@\"");
    const auto opened = open("ssh:gpu7");
    ASSERT_TRUE(opened.ok());
    EXPECT_TRUE((*opened)->hello().unavailable);
}

TEST_F(RemoteDevice, AWorkerThatIsTooOldIsReplacedByACopy)
{
    ssh_.installWorker("echo usage >&2; exit 2");
    const auto consent = std::make_shared<FixedConsent>(false);
    const auto opened = open("ssh:gpu7", consent);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::needsConsent);
    EXPECT_EQ(consent->requested.size(), 1U);
}

TEST_F(RemoteDevice, AWorkerIsCopiedOnlyWithConsent)
{
    const auto no = std::make_shared<FixedConsent>(false);
    const auto refused = open("ssh:gpu7", no);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::needsConsent);
    EXPECT_FALSE(std::filesystem::exists(ssh_.home() / ".cache")) << "nothing was copied";
    EXPECT_FALSE(open("ssh:gpu7")) << "nor without anybody to ask";

    const auto yes = std::make_shared<FixedConsent>(true);
    const auto opened = open("ssh:gpu7", yes);
    ASSERT_TRUE(opened.ok()) << opened.error().message << opened.error().detail;
    ASSERT_EQ(yes->requested.size(), 1U);
    EXPECT_EQ(yes->requested[0].hash, no->requested[0].hash);
    EXPECT_EQ((*opened)->remoteHost(), "gpu7");
    const Result<std::string> key = workerKey(test::kBuiltWorker);
    ASSERT_TRUE(key.ok());
    EXPECT_TRUE(std::filesystem::exists(ssh_.home() / ".cache/kernelloop/workers" / *key / "bin/kloop-worker"));
    EXPECT_NE(copyCommand("gpu8", test::kBuiltWorker, *key, {}).hash, yes->requested[0].hash) << "each host is asked about";

    const auto again = std::make_shared<FixedConsent>(false);
    EXPECT_TRUE(open("ssh:gpu7", again).ok()) << "it is there now";
    EXPECT_TRUE(again->requested.empty());
}

TEST_F(RemoteDevice, ACutConnectionIsMadeAgainAndNothingIsLost)
{
    ssh_.installWorker(kReplay);
    const auto opened = open("ssh:gpu7");
    ASSERT_TRUE(opened.ok());
    std::atomic<bool> done = false;
    std::atomic<int> cuts = 0;
    std::atomic<bool> answered = false;
    std::jthread saboteur([&] {
        std::mt19937 random(7);
        for (int sinceAnswer = 0; !done; ++sinceAnswer) {
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
            if (answered.exchange(false))
                sinceAnswer = 0;
            if (sinceAnswer > 3) // a busy machine needs longer than that for a connection
                continue;
            ssh_.cut();
            ++cuts;
        }
    });
    for (int i = 0; i < 40 || cuts < 20; ++i) {
        const std::string name = "no/kernel" + std::to_string(i);
        const Result<Json> answer = (*opened)->ask(Verb::run, timed(name), {});
        ASSERT_FALSE(answer);
        ASSERT_EQ(answer.error().code, ErrorCode::notRecorded) << answer.error().message;
        ASSERT_THAT(answer.error().message, HasSubstr(name)) << "each request has its own answer";
        answered = true;
    }
    done = true;
}

TEST_F(RemoteDevice, WorkContinuesWhileTheConnectionIsAway)
{
    ssh_.installWorker("exec '" + test::kBuiltWorker + "' \"$@\"");
    const auto opened = open("ssh:gpu7");
    ASSERT_TRUE(opened.ok());
    std::mutex mutex;
    std::vector<std::string> steps;
    Job job;
    job.progress = [&](const Progress& progress) {
        const std::scoped_lock lock(mutex);
        steps.push_back(progress.step);
    };
    ssh_.touch("down");
    ssh_.cut();
    std::atomic<bool> answered = false;
    std::jthread repairer([&] { // once the user has read about it
        for (bool seen = false; !seen && !answered; std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
            const std::scoped_lock lock(mutex);
            seen = std::ranges::any_of(steps, [](const std::string& step) { return step.find("gpu7") != std::string::npos; });
        }
        ssh_.remove("down");
    });
    const Result<Json> answer = (*opened)->ask(Verb::environment, Json::object(), job);
    answered = true;
    EXPECT_TRUE(answer.ok());
    EXPECT_TRUE(std::ranges::any_of(steps, [](const std::string& step) { return step.find("gpu7") != std::string::npos; }));
}

TEST_F(RemoteDevice, AWorkerThatIsGoneIsReportedAndTheNextHostGetsTheRequest)
{
    ssh_.installWorker(kReplay);
    std::vector<std::pair<std::string, bool>> met;
    WorkerOptions watched = options();
    watched.met = [&](const std::string& host, const Result<Hello>& hello) { met.emplace_back(host, hello.ok()); };
    auto opened = openDevice(*parseDeviceSpec("ssh:gpu7,ssh:gpu8"), watched);
    ASSERT_TRUE(opened.ok());
    ssh_.installWorker("n=$2; if [ \"$3\" = --again ]; then echo; echo \"kloop-attach/1 $n gone\"; exit 4; fi\n" + kReplay);
    ssh_.cut();
    std::vector<std::string> notices;
    Job job;
    job.notice = [&](const std::string& text) { notices.push_back(text); };
    const Result<Json> answer = (*opened)->ask(Verb::run, timed("no/kernel"), job);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::notRecorded) << answer.error().message;
    EXPECT_EQ((*opened)->remoteHost(), "gpu8");
    EXPECT_EQ(notices.size(), 1U);
    EXPECT_EQ(met, (std::vector<std::pair<std::string, bool>>{{"gpu7", true}, {"gpu7", false}, {"gpu8", true}}));

    auto alone = open("ssh:gpu7");
    ASSERT_TRUE(alone.ok());
    ssh_.cut();
    const Result<Json> lost = (*alone)->ask(Verb::run, timed("no/kernel"), {});
    ASSERT_FALSE(lost);
    EXPECT_TRUE(isHostLost(lost.error())) << lost.error().message;
    const Result<Json> fresh = (*alone)->ask(Verb::run, timed("no/kernel"), {});
    EXPECT_EQ(fresh.error().code, ErrorCode::notRecorded) << "the next request starts a new worker";
}

TEST_F(RemoteDevice, AWorkerThatTookTheNameOfTheLostOneIsNotTakenForIt)
{
    ssh_.installWorker(kReplay);
    auto opened = open("ssh:gpu7");
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ((*opened)->ask(Verb::run, timed("no/kernel"), {}).error().code, ErrorCode::notRecorded);
    ssh_.print(encodeFrame(FrameType::resume, "0")); // it has received nothing
    ssh_.rename("banner", "frames");
    ssh_.installWorker(
        "if [ \"$3\" = --again ]; then echo; echo \"kloop-attach/1 $2 ready\"; cat \"$HOME/../frames\"; exec sleep 60; fi\n" + kReplay);
    ssh_.cut();
    const Result<Json> answer = (*opened)->ask(Verb::run, timed("no/kernel"), {});
    ASSERT_FALSE(answer);
    EXPECT_TRUE(isHostLost(answer.error())) << answer.error().message;
}

TEST_F(RemoteDevice, AWorkerThereEndsAsOneHereDoes)
{
    const test::FakeWorker fake;
    const std::filesystem::path script = ssh_.home() / "fake";
    std::ofstream(script) << "#!/bin/sh\n" << fake.options().arguments[1] << '\n';
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    ssh_.installWorker("export KERNELLOOP_WORKER='" + script.string() + "'\nexec '" + test::kBuiltWorker + "' \"$@\"");
    const auto here = startWorker(fake.options());
    const auto there = open("ssh:gpu7");
    ASSERT_TRUE(here.ok() && there.ok());
    for (const char* what : {"refuse", "die", "crash", "farewell"}) {
        const Result<Json> expected = (*here)->ask(Verb::run, test::FakeWorker::requestTo(what), {});
        const Result<Json> answer = (*there)->ask(Verb::run, test::FakeWorker::requestTo(what), {});
        ASSERT_EQ(answer.ok(), expected.ok()) << what;
        if (!answer) {
            EXPECT_EQ(answer.error().code, expected.error().code) << what;
            EXPECT_EQ(answer.error().message, expected.error().message);
            EXPECT_EQ(answer.error().detail, expected.error().detail);
        }
    }
    Job job;
    std::vector<Json> parts;
    std::vector<std::string> steps;
    job.partial = [&](const Json& part) { parts.push_back(part); };
    job.progress = [&](const Progress& progress) { steps.push_back(progress.step); };
    EXPECT_EQ((*there)->ask(Verb::run, test::FakeWorker::requestTo("parts"), job)->at("counters"), 7);
    EXPECT_EQ(parts.size(), 1U);
    EXPECT_TRUE((*there)->ask(Verb::run, test::FakeWorker::requestTo("steps"), job).ok());
    EXPECT_THAT(steps, testing::IsSupersetOf({std::string("pass 1 of 2"), std::string("pass 2 of 2")}));
    EXPECT_TRUE((*there)->ask(Verb::run, test::FakeWorker::requestTo("noise"), {}).ok()) << "with much on its standard error";
}

TEST_F(RemoteDevice, WhatAHostSaysInPlaceOfAWorkerIsTheReason)
{
    ssh_.installWorker("echo; echo \"kloop-attach/1 $2 failed No space left (/tmp)\"; exit 5");
    const auto failed = open("ssh:gpu7,ssh:gpu8");
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::environment);
    EXPECT_THAT(failed.error().message, testing::AllOf(HasSubstr("gpu7"), HasSubstr("No space left (/tmp)")));
    EXPECT_FALSE(isHostLost(failed.error())) << "another host would not help";
    EXPECT_EQ(ssh_.read("hosts"), "gpu7\n");
    ssh_.installWorker("echo; echo \"kloop-attach/1 $2 gone\"; exit 4");
    const auto gone = open("ssh:gpu7");
    ASSERT_FALSE(gone);
    EXPECT_TRUE(isHostLost(gone.error())) << gone.error().message;
    EXPECT_EQ(gone.error().where, "ssh:gpu7");
}

TEST_F(RemoteDevice, AConnectionThatBreaksBeforeItReachesAWorkerIsMadeFiveTimesMore)
{
    ssh_.installWorker("echo 'client_loop: send disconnect: Broken pipe' >&2; exit 255");
    const auto opened = open("ssh:gpu7");
    ASSERT_FALSE(opened);
    EXPECT_TRUE(isHostLost(opened.error())) << opened.error().message;
    EXPECT_THAT(opened.error().message, HasSubstr("Broken pipe"));
    EXPECT_EQ(ssh_.read("hosts"), "gpu7\ngpu7\ngpu7\ngpu7\ngpu7\ngpu7\n");
}

TEST_F(RemoteDevice, TheTimeOfAConversationIsCountedOnce)
{
    ssh_.installWorker(kReplay);
    std::vector<HeldTime> held;
    WorkerOptions watched = options();
    watched.held = [&](const HeldTime& time) { held.push_back(time); };
    {
        const auto opened = openDevice(*parseDeviceSpec("ssh:gpu7"), watched);
        ASSERT_TRUE(opened.ok());
        EXPECT_EQ((*opened)->width(), 1);
        EXPECT_TRUE(held.empty());
    }
    ASSERT_EQ(held.size(), 1U);
    EXPECT_EQ(held[0].host, "gpu7");
    EXPECT_GE(held[0].seconds, 0);
    EXPECT_LT(held[0].seconds, 3600) << "from its beginning";
}

/// The relay as the client starts it, which reads events of the worker on gpu7 until `event`; empty at the end.
class RelayProcess {
public:
    explicit RelayProcess(const std::vector<std::string>& more = {})
        : process_([&] {
              std::vector<std::string> words{"--relay", "gpu7", "--key", "none"};
              words.insert(words.end(), more.begin(), more.end());
              return ChildProcess::start(test::kBuiltWorker, words);
          }())
    {
    }

    Json readUntil(const std::string& event)
    {
        while (true) {
            for (auto end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
                Json line = Json::parse(text_.substr(0, end));
                text_.erase(0, end + 1);
                if (line["event"] == event)
                    return line;
            }
            pollfd waiting{process_->output(), POLLIN, 0};
            if (::poll(&waiting, 1, 30'000) <= 0)
                return {};
            if (!ChildProcess::drain(process_->output(), text_) && text_.find('\n') == std::string::npos)
                return {};
        }
    }

    ChildProcess& process() { return *process_; }

private:
    Result<ChildProcess> process_;
    std::string text_;
};

TEST_F(RemoteDevice, ARelayGivesUpAfterTheTimeThatItIsTold)
{
    ssh_.installWorker(kReplay + " --idle 1");
    RelayProcess relay({"--give-up", "1"});
    ASSERT_FALSE(relay.readUntil("hello").is_null());
    ssh_.touch("down");
    ssh_.cut();
    const Json error = relay.readUntil("error");
    ASSERT_FALSE(error.is_null());
    EXPECT_EQ(error["last"], true);
    EXPECT_EQ(error["code"], "environment");
    EXPECT_EQ(error["where"], "ssh:gpu7");
    EXPECT_TRUE(relay.process().wait(std::chrono::seconds(30)));
    EXPECT_EQ(relay.process().exitStatus(), 5);
}

TEST_F(RemoteDevice, ARelayThatIsAskedToEndKillsTheWorker)
{
    const std::filesystem::path script = ssh_.home() / "fake";
    std::ofstream(script) << "#!/bin/sh\necho $$ > '" << (ssh_.home() / "pid").string() << "'\n"
                          << test::FakeWorker::kHello << "exec sleep 100\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    ssh_.installWorker("export KERNELLOOP_WORKER='" + script.string() + "'\nexec '" + test::kBuiltWorker + "' \"$@\"");
    RelayProcess relay;
    ASSERT_FALSE(relay.readUntil("hello").is_null());
    const pid_t worker = std::stoi(ssh_.read("home/pid"));
    EXPECT_EQ(::kill(worker, 0), 0);
    EXPECT_TRUE(relay.process().askToEnd(std::chrono::seconds(30)));
    EXPECT_EQ(relay.process().exitStatus(), 130);
    for (int i = 0; i < 3000 && ::kill(worker, 0) == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_NE(::kill(worker, 0), 0);
}

/// A worker of this text beside an injected library, to be copied to gpu7.
class WorkerCopied : public testing::Test {
protected:
    void SetUp() override
    {
        std::filesystem::create_directories(ssh_.home() / "here/bin");
        std::filesystem::create_directories(ssh_.home() / "here/lib");
        std::ofstream(ssh_.home() / "here/lib/libkloop-inject.so") << "inject";
        write("#!/bin/sh\necho kloop-worker\n");
    }
    void write(const std::string& text) const
    {
        std::ofstream(worker_) << text;
        std::filesystem::permissions(worker_, std::filesystem::perms::owner_all);
    }
    Status copy(const Error& unusable = makeWorkerMissingError("gpu7", "There is none.", {})) const
    {
        return copyWorker("gpu7", worker_, "key7", unusable, consent_.get(), {});
    }
    std::filesystem::path copied() const { return ssh_.home() / ".cache/kernelloop/workers"; }

    FakeSsh ssh_;
    const std::filesystem::path worker_ = ssh_.home() / "here/bin/kloop-worker";
    std::shared_ptr<FixedConsent> consent_ = std::make_shared<FixedConsent>(true);
};

TEST_F(WorkerCopied, IsThereWithItsLibrariesAndRuns)
{
    const Status done = copy();
    ASSERT_TRUE(done) << done.error().message << done.error().detail;
    EXPECT_EQ(ssh_.read("home/.cache/kernelloop/workers/key7/bin/kloop-worker"), "#!/bin/sh\necho kloop-worker\n");
    EXPECT_EQ(::access((copied() / "key7/bin/kloop-worker").c_str(), X_OK), 0);
    EXPECT_EQ(ssh_.read("home/.cache/kernelloop/workers/key7/lib/libkloop-inject.so"), "inject");
    EXPECT_EQ(ssh_.read("hosts"), "gpu7\n");
    for (const auto& entry : std::filesystem::directory_iterator(copied() / "key7/lib"))
        EXPECT_NE(entry.path().filename().string().substr(0, 8), "libc.so.") << "the host has its own";
    write("#!/bin/sh\necho another\n");
    ASSERT_TRUE(copy());
    EXPECT_THAT(ssh_.read("home/.cache/kernelloop/workers/key7/bin/kloop-worker"), HasSubstr("another"))
        << "it takes the place of the first";
}

TEST_F(WorkerCopied, OneThatDoesNotRunThereLeavesNothing)
{
    write("#!/bin/sh\necho 'no such library' >&2; exit 127\n");
    const Status done = copy();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::environment);
    EXPECT_THAT(done.error().detail, HasSubstr("no such library"));
    EXPECT_TRUE(std::filesystem::is_empty(copied()));
    ssh_.touch("down");
    EXPECT_THAT(copy().error().message, HasSubstr("Connection refused"));
}

TEST_F(WorkerCopied, WhatTarFailedAtIsTheReasonAndNotItsClosingWords)
{
    const std::filesystem::path tar = ssh_.home().parent_path() / "bin/tar";
    std::ofstream(tar) << "#!/bin/sh\ncat > /dev/null\necho 'tar: lib: Cannot open: No space left.' >&2\n"
                          "echo 'tar: Exiting with failure status due to previous errors' >&2\nexit 2\n";
    std::filesystem::permissions(tar, std::filesystem::perms::owner_all);
    const Status done = copy();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::environment);
    EXPECT_EQ(done.error().where, worker_.string());
    EXPECT_THAT(done.error().message, HasSubstr("No space left"));
    EXPECT_THAT(done.error().message, testing::Not(HasSubstr("Exiting with failure")));
    EXPECT_THAT(done.error().detail, HasSubstr("Exiting with failure")) << "all of it is in the detail";
    EXPECT_TRUE(std::filesystem::is_empty(copied()));
}

TEST_F(WorkerCopied, AnotherKindOfMachineGetsNone)
{
    const Status done = copy(makeWorkerMissingError("gpu7", "There is none.", "Linux riscv128"));
    ASSERT_FALSE(done);
    EXPECT_TRUE(isWorkerMissing(done.error()));
    EXPECT_EQ(done.error().detail, "Linux riscv128");
    EXPECT_TRUE(consent_->requested.empty()) << "nobody is asked";
    EXPECT_FALSE(std::filesystem::exists(copied()));
}

TEST_F(WorkerCopied, IsAskedAboutPerHostAndVersion)
{
    consent_ = std::make_shared<FixedConsent>(false);
    const Status done = copy();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::needsConsent);
    EXPECT_TRUE(done.error().next.empty());
    ASSERT_EQ(consent_->requested.size(), 1U);
    EXPECT_EQ(consent_->requested[0].hash, copyCommand("gpu7", worker_, "key7", "another reason").hash);
    EXPECT_NE(consent_->requested[0].hash, copyCommand("gpu8", worker_, "key7", {}).hash);
    EXPECT_NE(consent_->requested[0].hash, copyCommand("gpu7", worker_, "key8", {}).hash);
    const std::string before = *workerKey(worker_);
    write("#!/bin/sh\necho another\n");
    EXPECT_NE(*workerKey(worker_), before);
    EXPECT_EQ(workerKey(worker_.parent_path() / "none").error().code, ErrorCode::environment);
}

TEST_F(RemoteDevice, AHostThatBreaksTheProtocolEndsTheRequestAndNothingElse)
{
    ssh_.print(encodeFrame(FrameType::resume, "0") + "O\xFF\xFF\xFF\x7F");
    ssh_.installWorker("echo; echo \"kloop-attach/1 $2 ready\"; cat \"$HOME/../frames\"; exec sleep 60");
    ssh_.rename("banner", "frames");
    const auto opened = open("ssh:gpu7");
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::internal);
}

} // namespace
} // namespace kl
