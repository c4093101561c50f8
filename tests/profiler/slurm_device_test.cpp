// SPDX-License-Identifier: MIT
// Workers in jobs of Slurm's, with programs in the place of Slurm's that run them on this machine.
#include "core/base/last_act.h"
#include "fake_slurm.h"
#include "profiler/device/open_device.h"
#include "profiler/device/slurm_partition.h"
#include "profiler/expected_request.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/route.h"
#include "profiler/remote/slurm_commands.h"
#include "tests/support/build_folder.h"
#include "tests/support/snapshot.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace kl {
namespace {

using test::FakeSlurm;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class SlurmDevice : public testing::Test {
protected:
    void SetUp() override
    {
        if (!std::filesystem::exists(test::kBuiltWorker))
            GTEST_SKIP() << "kloop-worker is not built";
        // One that answers from a recording, here and on the node.
        std::ofstream(slurm_.folder() / "worker")
            << "#!/bin/sh\nexec '" << test::kBuiltWorker << "' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"\n";
        std::filesystem::permissions(slurm_.folder() / "worker", std::filesystem::perms::owner_all);
    }

    Result<std::unique_ptr<Collector>> open(const std::string& device, const Job& opening = {})
    {
        WorkerOptions options;
        options.program = slurm_.folder() / "worker";
        options.opening = opening;
        options.held = [this](const HeldTime& held) {
            const std::scoped_lock lock(mutex_);
            held_.push_back(held);
        };
        return openDevice(*parseDeviceSpec(device), options);
    }

    /// What a request of that name is answered: the recording has none of them.
    static std::string answerTo(Collector& collector, const std::string& name, const Job& job = {})
    {
        const Result<Json> answer = collector.ask(Verb::run, Json{{"work", {{"kernel", name}}}}, job);
        return answer                                          ? "an answer"
               : answer.error().code == ErrorCode::notRecorded ? answer.error().message
                                                               : "? " + answer.error().message;
    }

    FakeSlurm slurm_;
    std::mutex mutex_;
    std::vector<HeldTime> held_;
};

TEST_F(SlurmDevice, AJobIsSubmittedUsedAndCanceled)
{
    {
        const auto opened = open("slurm:gpu,time=00:30:00,gres=gpu:h100:2,comment=a $(b) 'c'");
        ASSERT_TRUE(opened.ok()) << opened.error().message << opened.error().detail;
        EXPECT_EQ((*opened)->remoteHost(), "slurm:gpu");
        EXPECT_EQ((*opened)->width(), 1);
        EXPECT_EQ(describeDevice(**opened), *parseDeviceSpec("slurm:gpu,job=1"));
        EXPECT_THAT(answerTo(**opened, "no/kernel"), HasSubstr("no/kernel"));
        slurm_.put("jobs/1/elapsed", "1-02:03:04");
    }
    EXPECT_EQ(slurm_.read("jobs/1/state"), "CANCELLED");
    const std::string words = slurm_.read("sbatch-words");
    for (const char* word : {"--partition=gpu\n", "--time=00:30:00\n", "--gres=gpu:h100:2\n", "--comment=a $(b) 'c'\n", "--requeue\n"})
        EXPECT_THAT(words, HasSubstr(word));
    EXPECT_THAT(words, Not(HasSubstr("--gres=gpu:1")));
    EXPECT_THAT(words, Not(HasSubstr("--array")));
    ASSERT_EQ(held_.size(), 1U);
    EXPECT_EQ(held_[0].host, "slurm:gpu");
    EXPECT_EQ(held_[0].seconds, ((24 + 2) * 60 + 3) * 60 + 4);
}

TEST_F(SlurmDevice, TheQueueIsWaitedFor)
{
    slurm_.put("first", "PENDING");
    std::atomic<bool> reported = false;
    Job opening;
    opening.progress = [&](const Progress& progress) {
        reported = reported || progress.step.find("pending (Resources)") != std::string::npos;
    };
    std::jthread controller([&] {
        while (!slurm_.has("jobs/1/state"))
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        slurm_.put("jobs/1/reason", "Resources");
        while (!reported)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        slurm_.start(1);
    });
    const auto opened = open("slurm:gpu", opening);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_THAT(answerTo(**opened, "no/kernel"), HasSubstr("no/kernel"));
}

TEST_F(SlurmDevice, AStopEndsTheWaitAndTheJob)
{
    slurm_.put("first", "PENDING");
    std::stop_source stop;
    Job opening;
    opening.stop = stop.get_token();
    opening.progress = [&](const Progress&) { stop.request_stop(); };
    for (const char* device : {"slurm:gpu", "slurm:gpu,workers=3"}) {
        const auto opened = open(device, opening);
        ASSERT_FALSE(opened.ok());
        EXPECT_EQ(opened.error().code, ErrorCode::interrupted);
    }
    for (const char* job : {"1", "2", "3", "4"})
        EXPECT_EQ(slurm_.read(std::string("jobs/") + job + "/state"), "CANCELLED");
}

TEST_F(SlurmDevice, AStopEndsTheWaitForAWorkerThatSaysNothing)
{
    std::ofstream(slurm_.folder() / "silent") << "#!/bin/sh\nexec sleep 1000\n";
    std::ofstream(slurm_.folder() / "worker") << "#!/bin/sh\nexport KERNELLOOP_WORKER='" << (slurm_.folder() / "silent").string()
                                              << "'\nexec '" << test::kBuiltWorker << "' \"$@\"\n";
    std::filesystem::permissions(slurm_.folder() / "silent", std::filesystem::perms::owner_all);
    std::stop_source stop;
    std::jthread user([&] {
        while (!slurm_.has("jobs/1/step"))
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        stop.request_stop();
    });
    Job opening;
    opening.stop = stop.get_token();
    const auto opened = open("slurm:gpu", opening);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, ErrorCode::interrupted) << opened.error().message;
    EXPECT_EQ(slurm_.read("jobs/1/state"), "CANCELLED");
}

TEST_F(SlurmDevice, AProgramThatIsStoppedCancelsItsJobsAndCountsTheirTimeOnce)
{
    slurm_.put("first", "PENDING");
    std::jthread controller([&] {
        for (const char* job : {"1", "2"}) {
            while (!slurm_.has(std::string("jobs/") + job + "/state"))
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            slurm_.put(std::string("jobs/") + job + "/elapsed", "1:00:00");
            slurm_.start(std::atoi(job));
        }
    });
    for (const bool stubborn : {true, false}) { // the first cannot be canceled
        held_.clear();
        const auto opened = open("slurm:gpu");
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        if (stubborn)
            slurm_.put("stubborn", "");
        EXPECT_EQ(doLastActs().size(), stubborn ? 1U : 0U);
        ASSERT_EQ(held_.size(), 1U);
        EXPECT_GE(held_[0].seconds, 3600);
        slurm_.remove("stubborn");
    }
    EXPECT_EQ(held_.size(), 1U);
    EXPECT_EQ(slurm_.read("jobs/2/state"), "CANCELLED");
}

TEST_F(SlurmDevice, TheTimeBeforeARequeueCounts)
{
    {
        const auto opened = open("slurm:gpu");
        ASSERT_TRUE(opened.ok());
        std::this_thread::sleep_for(std::chrono::milliseconds(2100)); // squeue is not asked meanwhile
        slurm_.end(1, "PENDING");
        Job job;
        job.progress = [&](const Progress&) {
            if (slurm_.read("jobs/1/state") == "PENDING")
                slurm_.start(1);
        };
        EXPECT_THAT(answerTo(**opened, "no/kernel", job), HasSubstr("no/kernel"));
    }
    ASSERT_EQ(held_.size(), 1U);
    EXPECT_GE(held_[0].seconds, 2);
}

TEST_F(SlurmDevice, AJobThatIsQueuedAgainGetsTheRequestAgain)
{
    const auto opened = open("slurm:gpu");
    ASSERT_TRUE(opened.ok());
    std::vector<std::string> notices;
    Job job;
    job.notice = [&](const std::string& text) { notices.push_back(text); };
    job.progress = [&](const Progress&) {
        if (slurm_.read("jobs/1/state") == "PENDING")
            slurm_.start(1);
    };
    for (int i = 0; i < 2; ++i) {
        slurm_.end(1, "PENDING");
        const std::string name = "no/kernel" + std::to_string(i);
        EXPECT_THAT(answerTo(**opened, name, job), HasSubstr(name));
    }
    EXPECT_EQ(notices.size(), 2U);
    EXPECT_EQ(slurm_.read("last"), "1") << "it is still the same job";
}

TEST_F(SlurmDevice, AJobThatSlurmEndedIsReplaced)
{
    const auto opened = open("slurm:gpu,time=1");
    ASSERT_TRUE(opened.ok());
    int job = 1;
    for (const char* state : {"TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL"}) {
        slurm_.end(job, state);
        EXPECT_THAT(answerTo(**opened, "no/kernel"), HasSubstr("no/kernel")) << state;
        EXPECT_EQ(slurm_.read("last"), std::to_string(++job)) << state;
    }
    EXPECT_EQ(describeDevice(**opened), *parseDeviceSpec("slurm:gpu,job=5"));
}

TEST_F(SlurmDevice, AJobThatSomebodyCanceledIsNotReplaced)
{
    const auto opened = open("slurm:gpu");
    ASSERT_TRUE(opened.ok());
    slurm_.end(1, "CANCELLED");
    const Result<Json> answer = (*opened)->ask(Verb::run, Json{{"work", {{"kernel", "a/b"}}}}, {});
    ASSERT_FALSE(answer.ok());
    EXPECT_TRUE(isHostLost(answer.error())) << answer.error().message;
    EXPECT_EQ(answer.error().where, "slurm:gpu");
    EXPECT_EQ(slurm_.read("last"), "1");
}

TEST_F(SlurmDevice, TheNextInTheListTakesOver)
{
    const auto opened = open("slurm:gpu,time=10,slurm:other");
    ASSERT_TRUE(opened.ok());
    slurm_.end(1, "CANCELLED");
    EXPECT_THAT(answerTo(**opened, "no/kernel"), HasSubstr("no/kernel"));
    EXPECT_EQ((*opened)->remoteHost(), "slurm:other");
    EXPECT_THAT(slurm_.read("sbatch-words"), HasSubstr("--partition=other"));
}

TEST_F(SlurmDevice, AWorkerThatCannotStartSaysWhatItPrinted)
{
    std::ofstream(slurm_.folder() / "worker")
        << "#!/bin/sh\ncase \" $* \" in *' --supervise '*) seq 3000 >&2; echo 'no such library' >&2; exit 127 ;; esac\n"
        << "exec '" << test::kBuiltWorker << "' \"$@\"\n";
    std::jthread controller([&] { // which notices that the job's program has ended
        while (slurm_.read("jobs/1/pid").empty())
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        slurm_.put("jobs/1/state", "FAILED");
    });
    const auto opened = open("slurm:gpu");
    ASSERT_FALSE(opened.ok());
    EXPECT_TRUE(isHostLost(opened.error())) << opened.error().message;
    EXPECT_THAT(opened.error().detail, HasSubstr("no such library")) << "the end of a long log";
}

TEST_F(SlurmDevice, ConnectionsThatAreCutAreMadeAgain)
{
    const auto opened = open("slurm:gpu");
    ASSERT_TRUE(opened.ok());
    std::atomic<bool> done = false;
    std::atomic<int> cuts = 0;
    std::jthread saboteur([&] {
        while (!done) {
            std::this_thread::sleep_for(std::chrono::milliseconds(40));
            slurm_.kill(1, "step");
            ++cuts;
        }
    });
    for (int i = 0; i < 40 || cuts < 20; ++i) {
        const std::string name = "no/kernel" + std::to_string(i);
        ASSERT_THAT(answerTo(**opened, name), HasSubstr(name));
    }
    done = true;
}

TEST_F(SlurmDevice, AnArrayShareTheRequests)
{
    const auto opened = open("slurm:gpu,workers=3");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_EQ((*opened)->width(), 3);
    EXPECT_THAT(slurm_.read("sbatch-words"), HasSubstr("--array=0-2"));
    std::vector<ExpectedRequest> requests;
    for (int i = 0; i < 30; ++i)
        requests.push_back({Verb::run, Json{{"work", {{"kernel", "no/kernel" + std::to_string(i)}}}}});
    (*opened)->expect(requests);
    for (int i = 0; i < 30; ++i) {
        if (i == 10)
            slurm_.end(2, "CANCELLED"); // the others take its share
        EXPECT_THAT(answerTo(**opened, "no/kernel" + std::to_string(i)), HasSubstr("no/kernel" + std::to_string(i)));
    }
}

TEST_F(SlurmDevice, WhatIsExpectedReachesTheWorkersOfAnArray)
{
    std::ofstream(slurm_.folder() / "worker") << "#!/bin/sh\ncase \" $* \" in *' --attach '*|*' --supervise '*) KERNELLOOP_WORKER=$0 exec '"
                                              << test::kBuiltWorker << "' \"$@\" ;; esac\n"
                                              << "tee -a '" << slurm_.folder().string() << "'/asked-$SLURM_JOB_ID | '" << test::kBuiltWorker
                                              << "' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"\n";
    const auto opened = open("slurm:gpu,workers=2");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const auto wereBothAsked = [&] { return !slurm_.read("asked-1").empty() && !slurm_.read("asked-2").empty(); };
    for (int i = 0; i < 500 && !wereBothAsked(); ++i) { // the second one may still be opening
        const Json body{{"work", {{"kernel", "no/kernel" + std::to_string(i)}}}};
        (*opened)->expect({{Verb::run, body}, {Verb::run, body}});
        for (int time = 0; time < 2; ++time)
            EXPECT_EQ((*opened)->ask(Verb::run, body, {}).error().code, ErrorCode::notRecorded);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(wereBothAsked()) << "equal requests go to one worker each";
}

TEST_F(SlurmDevice, OnlyTheEndOfItsOwnTaskEndsARoute)
{
    const auto job = [&](const char* id, const char* task, const char* state) {
        std::filesystem::create_directories(slurm_.folder() / "jobs" / id);
        slurm_.put("jobs/" + std::string(id) + "/state", state);
        slurm_.put("jobs/" + std::string(id) + "/array", "8"); // the last task has the ID of the array
        slurm_.put("jobs/" + std::string(id) + "/task", task);
    };
    job("7", "0", "CANCELLED");
    job("8", "1", "RUNNING");
    const std::unique_ptr<Route> route = routeIntoJob({"slurm:gpu", "8", "one", "kloop-worker"});
    EXPECT_FALSE(route->findEnd()) << "another task of the array ended";
    job("8", "1", "CANCELLED");
    const std::optional<Error> ended = route->findEnd();
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->where, "slurm:gpu");
    slurm_.put("mute", "");
    EXPECT_FALSE(route->findEnd()) << "Slurm does not answer";
}

TEST_F(SlurmDevice, SinfoIsAskedAboutAPartition)
{
    const auto sinfo = [&](const std::string& script) {
        slurm_.put("path/sinfo", "#!/bin/sh\n" + script);
        std::filesystem::permissions(slurm_.folder() / "path/sinfo", std::filesystem::perms::owner_all);
        return askPartition("slurm:gpu");
    };
    const Result<SlurmPartition> ready = sinfo("[ \"$2\" = --partition=gpu ] && echo 'up|2|idle|gpu:h100:4(S:0-1)'");
    ASSERT_TRUE(ready.ok()) << ready.error().message;
    EXPECT_TRUE(ready->ready);
    EXPECT_THAT(ready->gpus, ElementsAre("gpu:h100:4"));
    const Result<SlurmPartition> none = sinfo(":");
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().where, "slurm:gpu");
    EXPECT_TRUE(isHostLost(none.error()));
    EXPECT_THAT(none.error().message, HasSubstr(" \"gpu\""));
    const Result<SlurmPartition> failed = sinfo("echo 'up|2|idle|gpu:1'; echo 'sinfo: error: no controller' >&2; exit 1");
    ASSERT_FALSE(failed.ok());
    EXPECT_TRUE(isHostLost(failed.error()));
    EXPECT_THAT(failed.error().message, HasSubstr("no controller"));
}

TEST_F(SlurmDevice, ARunningJobIsUsedAndStays)
{
    slurm_.put("last", "7");
    std::filesystem::create_directories(slurm_.folder() / "jobs/7");
    slurm_.put("jobs/7/state", "RUNNING");
    slurm_.put("jobs/7/array", "7");
    slurm_.put("jobs/7/task", "N/A");
    {
        const auto opened = open("slurm:gpu,job=7");
        ASSERT_TRUE(opened.ok()) << opened.error().message << opened.error().detail;
        EXPECT_THAT(answerTo(**opened, "no/kernel"), HasSubstr("no/kernel"));
        EXPECT_EQ((*opened)->remoteHost(), "slurm:gpu");
    }
    EXPECT_EQ(slurm_.read("jobs/7/state"), "RUNNING");
    EXPECT_FALSE(slurm_.has("sbatch-words"));
}

TEST_F(SlurmDevice, WhatSbatchRefusesIsReported)
{
    slurm_.put("refuse", "");
    const auto opened = open("slurm:nowhere");
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, ErrorCode::environment);
    EXPECT_THAT(opened.error().message, HasSubstr("invalid partition"));
}

TEST(SlurmCommands, OptionsAreTheUsersButForThoseOfOurs)
{
    for (const char* option : {"time=1-00:00:00", "account=lab", "gres=gpu:1", "exclusive", "constraint=a&b", "mem-per-gpu=4G"})
        EXPECT_TRUE(isSbatchOption(option)) << option;
    for (const char* option : {"", "=x", "-x", "array=0-5", "wrap=rm", "output=/etc/passwd", "Time=1", "time=1\n", "chdir=/", "parsable",
                               "wra=rm", "out=/etc/passwd", "arr=0-5"})
        EXPECT_FALSE(isSbatchOption(option)) << option;
}

TEST(SlurmCommands, DevicesAreWrittenAsTheyAreRead)
{
    for (const char* text : {"slurm:gpu", "slurm:gpu,time=00:30:00,gres=gpu:h100:1,account=lab", "slurm:gpu,workers=4,exclusive",
                             "slurm:gpu-long_2,job=1234", "slurm:spot,qos=low,slurm:gpu", "ssh:a,slurm:gpu,time=1,ssh:b:1",
                             "local:0+local:1", "slurm:a,workers=2,comment=x+y+ssh:b", "ssh:a,ssh:b+local"}) {
        const Result<DeviceSpec> device = parseDeviceSpec(text);
        ASSERT_TRUE(device.ok()) << text;
        EXPECT_EQ(toText(*device), text);
    }
    EXPECT_EQ(parseDeviceSpec("slurm:gpu,workers=4")->remote[0].workers, 4);
    EXPECT_THAT(parseDeviceSpec("slurm:gpu,time=1")->remote[0].options, ElementsAre("time=1"));
    EXPECT_THAT(listDeviceHosts(*parseDeviceSpec("ssh:a+slurm:b,time=3")), ElementsAre("a", "slurm:b"));
    EXPECT_TRUE(isElsewhere(*parseDeviceSpec("local+ssh:a")));
    EXPECT_FALSE(isElsewhere(*parseDeviceSpec("local:0+local:1")));
    EXPECT_EQ(makeHostDevice("slurm:gpu"), *parseDeviceSpec("slurm:gpu"));
    for (const char* text :
         {"slurm:", "slurm:-x", "slurm:a b", "slurm:gpu,workers=0", "slurm:gpu,workers=1000", "slurm:gpu,job=x", "slurm:gpu,job=1,time=2",
          "slurm:gpu,array=1", "ssh:a,time=1", "local+sample", "local+", "+local", "slurm:gpu,"})
        EXPECT_FALSE(parseDeviceSpec(text).ok()) << text;
}

TEST(SlurmCommands, StatesAreReadFromSqueue)
{
    const auto tasks = readTasks("14|0|RUNNING|1-00:00:09|node7|2026-11-23T17:05:44|None\n"
                                 "12|2|PENDING|0:00||N/A|Nodes required for job are DOWN | or so\n"
                                 "slurm_load_jobs error\n15|N/A|NODE_FAIL|3:04|node1|x|NodeDown\n");
    ASSERT_EQ(tasks.size(), 3U);
    EXPECT_EQ(tasks[0], (SlurmTask{"14", 0, "RUNNING", "None", "node7", "2026-11-23T17:05:44", std::chrono::seconds(86409)}));
    EXPECT_EQ(tasks[0].phase(), SlurmPhase::running);
    EXPECT_EQ(tasks[1].phase(), SlurmPhase::waiting);
    EXPECT_EQ(tasks[1].start, "");
    EXPECT_THAT(tasks[1].reason, HasSubstr("DOWN | or so"));
    EXPECT_EQ(tasks[2].phase(), SlurmPhase::ended);
    EXPECT_EQ(tasks[2].ran, std::chrono::seconds(184));
}

TEST(SlurmCommands, EachStateIsAPhase)
{
    const std::map<SlurmPhase, std::vector<const char*>> states{
        {SlurmPhase::running, {"RUNNING"}},
        {SlurmPhase::waiting,
         {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD", "SPECIAL_EXIT", "RESIZING", "SUSPENDED"}},
        {SlurmPhase::ending, {"COMPLETING", "SIGNALING", "STAGE_OUT", "STOPPED"}},
        {SlurmPhase::ended, {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "BOOT_FAIL"}}};
    for (const auto& [phase, words] : states)
        for (const char* word : words)
            EXPECT_EQ((SlurmTask{"1", 0, word, {}, {}, {}, {}}).phase(), phase) << word;
}

TEST(SlurmCommands, ATaskHasItsIndexNodeAndTime)
{
    const auto tasks = readTasks(" 12|2|PENDING|0:00||N/A|Priority \r\n13|3|RUNNING|1:00:00|node1|now|None\n14|4|RUNNING|59||x|\n"
                                 "15|5||0:00|node1|x|None\n|6|RUNNING|0:00|node1|x|None\n16|7|RUNNING|2-00:00:00|n|x|None");
    ASSERT_EQ(tasks.size(), 4U) << "of no state and of no ID are none";
    EXPECT_EQ(tasks[0], (SlurmTask{"12", 2, "PENDING", "Priority", "", "", std::chrono::seconds(0)}));
    EXPECT_EQ(tasks[1], (SlurmTask{"13", 3, "RUNNING", "None", "node1", "now", std::chrono::hours(1)}));
    EXPECT_EQ(tasks[2], (SlurmTask{"14", 4, "RUNNING", "", "", "x", std::chrono::seconds(59)}));
    EXPECT_EQ(tasks[3].ran, std::chrono::hours(48));
}

TEST(SlurmCommands, WhatIsOursIsNoOptionByAnyOfItsBeginnings)
{
    for (const std::string name : {"array",    "batch",    "chdir",   "clusters",  "error",  "get-user-env", "help",      "input",
                                   "job-name", "nodes",    "ntasks",  "open-mode", "output", "parsable",     "partition", "test-only",
                                   "usage",    "user-env", "verbose", "version",   "wait",   "wrap"}) {
        EXPECT_FALSE(isSbatchOption(name + "=x")) << name;
        EXPECT_FALSE(isSbatchOption(name.substr(0, name.size() - 1))) << name;
        EXPECT_TRUE(isSbatchOption(name + "-more=x")) << name << " is the beginning of another one";
    }
    EXPECT_FALSE(isSbatchOption("2x=1"));
    EXPECT_TRUE(isSbatchOption("cores-per-socket=2"));
    EXPECT_TRUE(isSbatchOption("x09-mode=1")) << "digits inside";
    EXPECT_FALSE(isSbatchOption("comment=\x7f"));
    EXPECT_TRUE(isSbatchOption("comment=~ "));
}

TEST(SlurmCommands, APartitionIsReadyWhereANodeCanRunJobs)
{
    const SlurmPartition up = readPartition("up|2|idle|gpu:h100:4(S:0-1)\nup|1|drained*|gpu:h100:4(S:0-1)\nup|3|down|(null)\n");
    EXPECT_TRUE(up.ready);
    EXPECT_THAT(up.gpus, ElementsAre("gpu:h100:4"));
    EXPECT_FALSE(readPartition("up|1|down*|gpu:1\n").ready);
    EXPECT_FALSE(readPartition("down|1|idle|gpu:1\n").ready);
    EXPECT_TRUE(readPartition("").state.empty());
    EXPECT_THAT(readPartition("up|2|idle|gpu:1\nno line\ndown|1|drained*|(null)").state,
                testing::ContainsRegex("^up, 2 [a-z]+ idle; down, 1 [a-z]+ drained\\*$"));
}

TEST(SlurmCommands, SnapshotOfAPartitionsNodes)
{
    test::expectSnapshot("texts/slurm-nodes.txt", readPartition("up|2|idle|gpu:1\ndown|1|drained*|(null)").state + '\n');
}

TEST(SlurmCommands, APlainJobHasOneGpuUnlessItsOptionsSayHowMany)
{
    SlurmOrder order{"gpu", {"time=1:00"}, 1, "/opt/kloop-worker", {"--idle", "300"}};
    EXPECT_THAT(sbatchCommand(order, "/tmp/job.sh", "name", "/logs/%j.log"),
                ElementsAre("sbatch", "--parsable", "--job-name=kernelloop", "--partition=gpu", "--nodes=1", "--ntasks=1", "--requeue",
                            "--open-mode=append", "--output=/logs/%j.log", "--gres=gpu:1", "--time=1:00", "/tmp/job.sh", "name",
                            "/opt/kloop-worker", "--idle", "300"));
    order.workers = 2;
    const auto words = [&] { return sbatchCommand(order, "/tmp/job.sh", "name", "/logs/%j.log"); };
    EXPECT_THAT(words(), testing::Contains("--array=0-1"));
    for (const char* option : {"gres=gpu:h100:2", "gpus=2", "gpus-per-node=1", "gpus-per-task=1", "gpus-per-socket=1"}) {
        order.options = {option};
        EXPECT_THAT(words(), testing::Not(testing::Contains("--gres=gpu:1"))) << option;
        EXPECT_THAT(words(), testing::Contains(std::string("--") + option));
    }
}

TEST(SlurmCommands, AJobsIdIsWhatSbatchPrintsFirst)
{
    EXPECT_EQ(*parseSubmittedJob("1234\n"), "1234");
    EXPECT_EQ(*parseSubmittedJob("1234;cluster\n"), "1234");
    for (const char* printed : {"", "\n", ";cluster", "job 12", "12a"})
        EXPECT_EQ(parseSubmittedJob(printed).error().code, ErrorCode::environment) << printed;
}

TEST(SlurmCommands, AStepRunsOnTheJobsGpusOrOnNone)
{
    EXPECT_THAT(stepCommand("12", true, "/opt/kloop-worker", {"--x"}), testing::Not(testing::Contains("--gres=none")));
    const std::vector<std::string> step = stepCommand("12", false, "/opt/kloop-worker", {"--x", "1"});
    EXPECT_THAT(step, testing::IsSupersetOf({std::string("--gres=none"), std::string("--jobid=12"), std::string("--overlap")}));
    EXPECT_THAT(std::vector<std::string>(step.end() - 4, step.end()), ElementsAre("kloop", "/opt/kloop-worker", "--x", "1"));
}

TEST(SlurmCommands, AllOfAnArrayOrOneTaskIsCanceled)
{
    EXPECT_EQ(scancelCommand("12").back(), "12");
    EXPECT_EQ(scancelCommand("12", 0).back(), "12_0");
    EXPECT_EQ(scancelCommand("12", 3).back(), "12_3");
    EXPECT_THAT(squeueCommand("12"), testing::Contains("--jobs=12"));
}

TEST(SlurmCommands, PartitionsAndOptionsAreOfPlainLetters)
{
    EXPECT_TRUE(isPartition("gpu-long_2.x"));
    EXPECT_TRUE(isPartition(std::string(255, 'a')));
    for (const std::string& text : {std::string(), std::string("-gpu"), std::string("a b"), std::string("a,b"), std::string(256, 'a')})
        EXPECT_FALSE(isPartition(text)) << text;
    EXPECT_TRUE(isSbatchOption("comment=" + std::string(1016, 'x'))) << "1024 characters";
    EXPECT_FALSE(isSbatchOption("comment=" + std::string(1017, 'x')));
}

TEST(SlurmCommands, OnlyAJobThatIsStillToStartWaitsInAQueue)
{
    for (const char* text : {"slurm:gpu", "slurm:gpu,workers=4", "ssh:a,slurm:gpu", "local+slurm:gpu", "ssh:a+slurm:b,time=3"})
        EXPECT_TRUE(waitsInQueue(*parseDeviceSpec(text))) << text;
    for (const char* text : {"local", "sample", "ssh:a", "slurm:gpu,job=12", "local+slurm:gpu,job=12"})
        EXPECT_FALSE(waitsInQueue(*parseDeviceSpec(text))) << text;
}

TEST(SlurmCommands, NumbersOfJobsAndWorkersHaveTheirBounds)
{
    EXPECT_TRUE(parseDeviceSpec("slurm:gpu,workers=256").ok());
    EXPECT_FALSE(parseDeviceSpec("slurm:gpu,workers=257").ok());
    EXPECT_TRUE(parseDeviceSpec("slurm:gpu,job=" + std::string(18, '1')).ok());
    EXPECT_FALSE(parseDeviceSpec("slurm:gpu,job=" + std::string(19, '1')).ok());
    EXPECT_FALSE(parseDeviceSpec("slurm:gpu,job=1,workers=2").ok());
}

TEST(SlurmCommands, APartitionNamesItsGpusOnceAndItsStateByTheBeginningOfTheWord)
{
    const SlurmPartition mixed =
        readPartition("up|1|draining|gpu:h100:4(S:0-1)\nup|1|maint*|gpu:h100:4(S:2-3)\nup|1|mixed-|gpu:l4:2,fs:1\n");
    EXPECT_TRUE(mixed.ready);
    EXPECT_THAT(mixed.gpus, ElementsAre("gpu:h100:4", "gpu:l4:2,fs:1"));
    for (const char* state : {"drain", "drng", "fail", "inval", "unknown", "maint", "down~"})
        EXPECT_FALSE(readPartition(std::string("up|1|") + state + "|gpu:1\n").ready) << state;
    EXPECT_TRUE(isPartitionHost("slurm:gpu"));
    EXPECT_FALSE(isPartitionHost("gpu"));
}

} // namespace
} // namespace kl
