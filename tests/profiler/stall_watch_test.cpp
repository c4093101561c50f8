// SPDX-License-Identifier: MIT
#include "profiler/stall_watch.h"

#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <nlohmann/json.hpp>
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

TEST(StallWatch, SilenceIsReportedWithTheStepAndTheDevicesState)
{
    SilentCollector collector(Source::sample);
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
    EXPECT_NE(collector.notices.front().find("probe"), std::string::npos);
    EXPECT_NE(collector.notices.front().find("no GPU is involved"), std::string::npos);
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
    EXPECT_EQ(deviceState(Source::live, hello), "no GPU was found");
    hello.unavailable = "There is no driver.";
    EXPECT_EQ(deviceState(Source::live, hello), "There is no driver.");
}

TEST(StallWatch, WithoutAListenerNothingIsWatched)
{
    SilentCollector collector(Source::sample);
    collector.notices = {"", ""};
    EXPECT_TRUE(probe(collector, {}));
}

} // namespace
} // namespace kl::test
