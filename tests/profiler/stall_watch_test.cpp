// SPDX-License-Identifier: MIT
#include "profiler/stall_watch.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <regex>
#include <unistd.h>
#include <vector>

namespace kl::test {
namespace {

using namespace std::chrono_literals;

/// Answers only once it was complained about so many times since it named its step.
class SilentCollector : public Collector {
public:
    explicit SilentCollector(Source source) : source_(source) {}
    Source source() const override { return source_; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb, const Json&, const Job& job) override
    {
        job.report("pass 3 of 19");
        std::unique_lock lock(mutex);
        while (notices.size() < 2 && all < 1000) {
            lock.unlock();
            job.report("pass 3 of 19"); // a heartbeat is not news
            lock.lock();
            heard.wait_for(lock, 5ms);
        }
        return Json{{"devices", Json::array()}};
    }

    std::mutex mutex;
    std::condition_variable heard;
    std::vector<std::string> notices;
    int all = 0; ///< those too that came while the host let us wait before the first step

private:
    Source source_;
    Hello hello_;
};

/// Asks and returns once silence was complained about twice.
void askInSilence(SilentCollector& collector)
{
    Job job;
    job.silence = 20ms;
    job.notice = [&](const std::string& text) {
        const std::scoped_lock lock(collector.mutex);
        ++collector.all;
        if (text.find("pass 3 of 19") != std::string::npos)
            collector.notices.push_back(text);
        collector.heard.notify_all();
    };
    ASSERT_TRUE(probe(collector, job));
    ASSERT_GE(collector.notices.size(), 2U) << "told again while it lasts";
}

TEST(StallWatch, SilenceIsReportedWithTheStepAndTheDevicesState)
{
    SilentCollector collector(Source::sample);
    askInSilence(collector);
    ASSERT_FALSE(collector.notices.empty());
    EXPECT_NE(collector.notices.front().find("probe"), std::string::npos);
    const std::string state = deviceState(Source::sample, collector.hello());
    EXPECT_FALSE(state.empty());
    EXPECT_NE(collector.notices.front().find(state), std::string::npos) << state;
}

/// Silent for several times the limit in a step that is expected to take an hour, then until a step of unknown length is noticed.
class PatientCollector : public SilentCollector {
public:
    PatientCollector() : SilentCollector(Source::sample) {}
    Result<Json> ask(Verb, const Json&, const Job& job) override
    {
        job.report("counting", 0, 3600);
        std::unique_lock lock(mutex);
        heard.wait_for(lock, 200ms, [&] { return !notices.empty(); });
        lock.unlock();
        job.report("timing");
        lock.lock();
        heard.wait_for(lock, 60s, [&] { return !notices.empty(); });
        return Json{{"devices", Json::array()}};
    }
};

TEST(StallWatch, AStepIsGivenTheTimeThatItIsExpectedToTake)
{
    PatientCollector collector;
    Job job;
    job.silence = 20ms;
    job.notice = [&](const std::string& text) {
        const std::scoped_lock lock(collector.mutex);
        if (text.find("counting") != std::string::npos || text.find("timing") != std::string::npos)
            collector.notices.push_back(text);
        collector.heard.notify_all();
    };
    ASSERT_TRUE(probe(collector, job));
    ASSERT_FALSE(collector.notices.empty());
    EXPECT_NE(collector.notices.front().find("timing"), std::string::npos) << collector.notices.front();
}

TEST(StallWatch, TheStateOfAMissingGpuIsAReason)
{
    Hello hello;
    EXPECT_FALSE(deviceState(Source::live, hello).empty());
    hello.unavailable = "There is no driver.";
    EXPECT_EQ(deviceState(Source::live, hello), "There is no driver.");
}

/// A program nvidia-smi of the test's own.
class OwnSmi {
public:
    explicit OwnSmi(const std::string& script) { runs(script); }
    ~OwnSmi() { std::filesystem::remove_all(folder_); }
    OwnSmi(const OwnSmi&) = delete;
    OwnSmi& operator=(const OwnSmi&) = delete;
    void runs(const std::string& script) const
    {
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "nvidia-smi") << "#!/bin/sh\n" << script << '\n';
        std::filesystem::permissions(folder_ / "nvidia-smi", std::filesystem::perms::owner_all);
    }

private:
    std::filesystem::path folder_ = testing::TempDir() + "kl-smi-" + std::to_string(::getpid());
    support::SetVariable path_{"PATH", (folder_.string() + ":/usr/bin:/bin").c_str()};
};

Hello makeH200Hello()
{
    Hello hello;
    hello.devices.resize(1);
    hello.devices[0].name = "H200";
    hello.devices[0].uuid = "GPU-7";
    return hello;
}

TEST(StallWatch, TheStateIsThatOfTheDeviceThatIsMeasured)
{
    const OwnSmi smi("for word; do case $word in --id=*) echo \"7 %, ${word#--id=}\"; echo second ;; esac; done");
    const Hello hello = makeH200Hello();
    EXPECT_EQ(deviceState(Source::live, hello, "gpu7"), "H200 on gpu7");
    EXPECT_TRUE(deviceState(Source::live, hello).ends_with(" 7 %, GPU-7")) << deviceState(Source::live, hello);
    EXPECT_EQ(deviceState(Source::live, hello).find("H200: "), 0U);
    smi.runs("echo trouble >&2; exit 1");
    EXPECT_EQ(deviceState(Source::live, hello).find("H200; "), 0U) << deviceState(Source::live, hello);
    EXPECT_EQ(deviceState(Source::live, hello).find("trouble"), std::string::npos);
}

TEST(StallWatch, TextsSnapshot)
{
    SilentCollector collector(Source::sample);
    askInSilence(collector);
    ASSERT_FALSE(collector.notices.empty());
    std::string text = std::regex_replace(collector.notices.front(), std::regex("for [0-9]+ s"), "for N s") + '\n';
    text += "no GPU: " + deviceState(Source::live, {}) + '\n';
    const OwnSmi smi("echo 7 %");
    text += "here: " + deviceState(Source::live, makeH200Hello()) + '\n';
    text += "elsewhere: " + deviceState(Source::live, makeH200Hello(), "gpu7") + '\n';
    smi.runs("exit 1");
    text += "unreadable: " + deviceState(Source::live, makeH200Hello()) + '\n';
    expectSnapshot("texts/stalled.txt", text);
}

TEST(StallWatch, ProgressIsPassedOnAsItIs)
{
    std::vector<Progress> all;
    const Job job{[&](const Progress& progress) { all.push_back(progress); }, {}};
    job.report("counting", 1.5, 3600);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].step, "counting");
    EXPECT_EQ(all[0].elapsed, 1.5);
    EXPECT_EQ(all[0].expected, 3600);
    SilentCollector collector(Source::sample);
    collector.notices = {"", ""};
    Job watched = job;
    watched.silence = 60s;
    watched.notice = [](const std::string&) {};
    ASSERT_TRUE(probe(collector, watched));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].step, "pass 3 of 19");
}

TEST(StallWatch, WithoutAListenerNothingIsWatched)
{
    SilentCollector collector(Source::sample);
    collector.notices = {"", ""};
    EXPECT_TRUE(probe(collector, {}));
}

} // namespace
} // namespace kl::test
