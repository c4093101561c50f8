// SPDX-License-Identifier: MIT
// Several workers as one device: who answers what, in which order, and what happens when some of them are lost.
#include "profiler/device/spread_device.h"
#include "profiler/expected_request.h"
#include "profiler/remote/host_trouble.h"

#include <atomic>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

namespace kl {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// What the workers of a test share.
struct Shop {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::string> answered; ///< "A:7", in the order of answering
    std::map<std::string, int> left;   ///< requests that a worker answers before it is lost
    std::map<int, int> held;           ///< request: how many others are answered before it

    int countAnswers(char worker)
    {
        const std::scoped_lock lock(mutex);
        return static_cast<int>(std::ranges::count_if(answered, [worker](const std::string& one) { return one.front() == worker; }));
    }
};

/// Answers with its own name and the request's number.
class Clerk final : public Collector {
public:
    Clerk(std::string name, Shop& shop, const std::string& gpu = "H200") : name_(std::move(name)), shop_(shop)
    {
        hello_.host = "host-" + name_;
        hello_.devices.resize(1);
        hello_.devices[0].name = gpu;
        hello_.devices[0].uuid = "GPU-" + name_;
    }
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    std::string remoteHost() const override { return name_; }
    std::string sameDevice() const override { return "same-" + name_; }
    void refuse(const std::string& why) { hello_.unavailable = why; }
    Result<Json> ask(Verb, const Json& body, const Job& job) override
    {
        const int number = body["number"];
        job.report("request " + std::to_string(number));
        std::unique_lock lock(shop_.mutex);
        if (shop_.left.contains(name_) && shop_.left[name_]-- == 0)
            return makeHostLostError(name_, "It is gone.", {});
        while (shop_.held.contains(number) && static_cast<int>(shop_.answered.size()) < shop_.held[number] && !job.stop.stop_requested())
            shop_.changed.wait_for(lock, std::chrono::milliseconds(10));
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "stopped"};
        shop_.answered.push_back(name_ + ':' + std::to_string(number));
        shop_.changed.notify_all();
        return Json{{"by", name_}, {"number", number}};
    }

private:
    std::string name_;
    Shop& shop_;
    Hello hello_;
};

Json numbered(int number)
{
    return {{"number", number}};
}

std::vector<ExpectedRequest> requests(int count)
{
    std::vector<ExpectedRequest> all;
    for (int i = 0; i < count; ++i)
        all.push_back({Verb::run, numbered(i)});
    return all;
}

class SpreadDevice : public testing::Test {
protected:
    OpenWorker clerk(const std::string& name, const std::string& gpu = "H200")
    {
        return [this, name, gpu](const Job&) -> Result<std::unique_ptr<Collector>> {
            return std::unique_ptr<Collector>(std::make_unique<Clerk>(name, shop_, gpu));
        };
    }
    OpenWorker refusal(const std::string& why)
    {
        return [why](const Job&) -> Result<std::unique_ptr<Collector>> { return Error{.code = ErrorCode::environment, .message = why}; };
    }
    /// One that opens once a number of requests is answered.
    OpenWorker later(const std::string& name, int answers)
    {
        return [this, name, answers](const Job& opening) -> Result<std::unique_ptr<Collector>> {
            std::unique_lock lock(shop_.mutex);
            while (static_cast<int>(shop_.answered.size()) < answers && !opening.stop.stop_requested())
                shop_.changed.wait_for(lock, std::chrono::milliseconds(10));
            return std::unique_ptr<Collector>(std::make_unique<Clerk>(name, shop_));
        };
    }

    Shop shop_;
};

TEST_F(SpreadDevice, ExpectedRequestsAreSpreadAndAnsweredInOrder)
{
    const auto device = openSpread({clerk("A"), clerk("B"), clerk("C")}, {});
    ASSERT_TRUE(device.ok());
    EXPECT_EQ((*device)->width(), 3);
    shop_.held[0] = 2; // others overtake the first one
    (*device)->expect(requests(30));
    for (int i = 0; i < 30; ++i) {
        const Result<Json> answer = (*device)->ask(Verb::run, numbered(i), {});
        ASSERT_TRUE(answer.ok());
        EXPECT_EQ((*answer)["number"], i);
        EXPECT_EQ("host-" + (*answer)["by"].get<std::string>(), (*device)->getAnsweringHello().host) << "the answer's own host is named";
    }
    EXPECT_EQ(shop_.answered.size(), 30U) << "each once";
    EXPECT_NE(shop_.answered.front(), "A:0") << "they were worked on at the same time";
}

TEST_F(SpreadDevice, WhatIsExpectedAgainGoesOn)
{
    const auto device = openSpread({clerk("A"), clerk("B")}, {});
    ASSERT_TRUE(device.ok());
    shop_.held[1] = 1; // it is under way while the first one is asked for
    for (int i = 0; i < 12; ++i) {
        std::vector<ExpectedRequest> open;
        for (int next = i; next < i + 3; ++next)
            open.push_back({Verb::run, numbered(next)});
        (*device)->expect(open);
        ASSERT_EQ((*(*device)->ask(Verb::run, numbered(i), {}))["number"], i);
    }
    (*device)->expect({});
    const std::scoped_lock lock(shop_.mutex);
    EXPECT_EQ(std::set<std::string>(shop_.answered.begin(), shop_.answered.end()).size(), shop_.answered.size());
    std::set<std::string> numbers;
    for (const std::string& one : shop_.answered)
        numbers.insert(one.substr(2));
    EXPECT_EQ(numbers.size(), shop_.answered.size()) << "each once, by either worker";
}

/// A worker that is quick to ask again does not take another's share.
TEST_F(SpreadDevice, EqualRequestsGoToOneWorkerEach)
{
    const auto device = openSpread({clerk("A"), clerk("B")}, {});
    ASSERT_TRUE(device.ok());
    shop_.held[0] = 1; // it takes both to get past this: then both are open
    (*device)->expect(requests(2));
    for (int i = 0; i < 2; ++i)
        ASSERT_TRUE((*device)->ask(Verb::run, numbered(i), {}).ok());
    for (int round = 0; round < 20; ++round) {
        (*device)->expect(std::vector(2, ExpectedRequest{Verb::run, numbered(100 + round)}));
        std::set<std::string> hosts;
        for (int i = 0; i < 2; ++i) {
            ASSERT_TRUE((*device)->ask(Verb::run, numbered(100 + round), {}).ok());
            hosts.insert((*device)->getAnsweringHello().host);
        }
        EXPECT_THAT(hosts, ElementsAre("host-A", "host-B"));
    }
}

TEST_F(SpreadDevice, EqualRequestsGoToTheSameWorkerWhereThereIsNoOther)
{
    shop_.left["B"] = 0;
    const auto device = openSpread({clerk("A"), clerk("B"), refusal("It is busy.")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect(std::vector(3, ExpectedRequest{Verb::run, numbered(1)}));
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE((*device)->ask(Verb::run, numbered(1), {}).ok());
        EXPECT_EQ((*device)->getAnsweringHello().host, "host-A");
    }
}

TEST_F(SpreadDevice, WhatWasNotExpectedGoesToOneWorker)
{
    const auto device = openSpread({clerk("A"), later("B", 3)}, {});
    ASSERT_TRUE(device.ok());
    for (int i = 0; i < 12; ++i)
        EXPECT_EQ((*(*device)->ask(Verb::run, numbered(i), {}))["by"], "A");
    EXPECT_EQ((*device)->hello().host, "host-A");
    EXPECT_EQ((*device)->remoteHost(), "A");
}

TEST_F(SpreadDevice, ARequestWhoseWorkerIsLostGoesToAnotherOne)
{
    shop_.left = {{"A", 4}, {"B", 2}};
    std::vector<std::string> notices;
    Job opening;
    std::mutex mutex;
    opening.notice = [&](const std::string& text) {
        const std::scoped_lock lock(mutex);
        notices.push_back(text);
    };
    const auto device = openSpread({clerk("A"), clerk("B"), later("C", 6)}, opening);
    ASSERT_TRUE(device.ok());
    (*device)->expect(requests(20));
    for (int i = 0; i < 20; ++i) {
        const Result<Json> answer = (*device)->ask(Verb::run, numbered(i), {});
        ASSERT_TRUE(answer.ok()) << answer.error().message;
        EXPECT_EQ((*answer)["number"], i);
    }
    EXPECT_EQ(shop_.answered.size(), 20U) << "no confirmed answer was asked for again";
    EXPECT_EQ((*(*device)->ask(Verb::run, numbered(99), {}))["by"], "C");
    EXPECT_EQ((*device)->hello().host, "host-C") << "the home moved";
    EXPECT_EQ(notices.size(), 2U);
}

TEST_F(SpreadDevice, WithoutAnyWorkerLeftARequestFailsWithTheReason)
{
    shop_.left = {{"A", 1}, {"B", 1}};
    const auto device = openSpread({clerk("A"), clerk("B")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect(requests(4));
    int answers = 0;
    std::optional<Error> failure;
    for (int i = 0; i < 4; ++i)
        if (const Result<Json> answer = (*device)->ask(Verb::run, numbered(i), {}))
            ++answers;
        else
            failure = answer.error();
    EXPECT_EQ(answers, 2) << "what was answered is not lost with its worker";
    ASSERT_TRUE(failure);
    EXPECT_TRUE(isHostLost(*failure));
}

TEST_F(SpreadDevice, OtherErrorsAreAnswers)
{
    const auto device = openSpread({clerk("A"), clerk("B")}, {});
    ASSERT_TRUE(device.ok());
    Job stopped;
    std::stop_source stop;
    stop.request_stop();
    stopped.stop = stop.get_token();
    const Result<Json> answer = (*device)->ask(Verb::run, numbered(1), stopped);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
    for (int i = 2; i < 12; ++i)
        EXPECT_TRUE((*device)->ask(Verb::run, numbered(i), {}).ok()) << "the device goes on";
    const std::scoped_lock lock(shop_.mutex);
    EXPECT_EQ(shop_.answered.size(), 10U) << "what was canceled is not begun later";
}

TEST_F(SpreadDevice, AStopReachesTheWorkerThatIsAtIt)
{
    shop_.held[0] = 1000; // never
    const auto device = openSpread({clerk("A"), clerk("B")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect(requests(1));
    std::stop_source stop;
    Job job;
    job.stop = stop.get_token();
    job.progress = [&](const Progress&) { stop.request_stop(); };
    const Result<Json> answer = (*device)->ask(Verb::run, numbered(0), job);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
}

TEST_F(SpreadDevice, LittleIsWastedOnWhatNobodyAsksFor)
{
    {
        const auto device = openSpread({clerk("A"), clerk("B")}, {});
        ASSERT_TRUE(device.ok());
        (*device)->expect(requests(100));
        ASSERT_TRUE((*device)->ask(Verb::run, numbered(0), {}).ok());
    }
    EXPECT_LE(shop_.answered.size(), 5U);
}

TEST_F(SpreadDevice, AnotherModelOfGpuIsLeftOut)
{
    shop_.held[0] = 1;
    std::promise<std::string> noticed;
    Job watched;
    watched.notice = [&](const std::string& text) { noticed.set_value(text); };
    const auto device = openSpread(
        {clerk("A"),
         [&](const Job& opening) { return later("B", 1)(opening).ok() ? clerk("B", "L4")(opening) : refusal("never")(opening); }},
        watched);
    ASSERT_TRUE(device.ok());
    ASSERT_TRUE((*device)->ask(Verb::run, numbered(1), {}).ok());
    EXPECT_NE(noticed.get_future().get().find("host-B"), std::string::npos);
    (*device)->expect(requests(6));
    for (int i = 0; i < 6; ++i)
        EXPECT_EQ((*(*device)->ask(Verb::run, numbered(i), {}))["by"], "A");
}

TEST_F(SpreadDevice, ItIsDescribedByItsHome)
{
    const auto device = openSpread({clerk("A"), refusal("no node"), refusal("no GPU")}, {});
    ASSERT_TRUE(device.ok());
    EXPECT_EQ((*device)->source(), Source::live);
    EXPECT_EQ((*device)->remoteHost(), "A");
    EXPECT_EQ((*device)->sameDevice(), "same-A");
    EXPECT_EQ((*device)->hello().host, "host-A");
    EXPECT_EQ((*device)->getAnsweringHello().host, "host-A") << "before any answer";
    EXPECT_EQ((*device)->width(), 3) << "those that are gone among them";
    shop_.left["A"] = 0;
    EXPECT_FALSE((*device)->ask(Verb::run, numbered(1), {}).ok());
    EXPECT_EQ((*device)->remoteHost(), "");
    EXPECT_EQ((*device)->sameDevice(), "");
    EXPECT_EQ((*device)->hello().host, "") << "nobody is left";
}

TEST_F(SpreadDevice, AWorkerThatCannotMeasureIsLeftOut)
{
    const OpenWorker blind = [this](const Job&) -> Result<std::unique_ptr<Collector>> {
        auto clerk = std::make_unique<Clerk>("B", shop_);
        clerk->refuse("There is no driver.");
        return std::unique_ptr<Collector>(std::move(clerk));
    };
    const auto alone = openSpread({blind}, {});
    ASSERT_FALSE(alone.ok());
    EXPECT_EQ(alone.error().code, ErrorCode::environment);
    EXPECT_EQ(alone.error().message, "There is no driver.");
    EXPECT_EQ(alone.error().where, "host-B");
    const auto device = openSpread({blind, clerk("A")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect(requests(6));
    for (int i = 0; i < 6; ++i)
        EXPECT_EQ((*(*device)->ask(Verb::run, numbered(i), {}))["by"], "A");
}

/// Reports in all ways while it works.
class Talker final : public Collector {
public:
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb, const Json& body, const Job& job) override
    {
        job.notice("a notice");
        job.output("good", false);
        job.output("bad", true);
        job.partial({{"time", 5}});
        for (int i = 0; i < body.value("steps", 0); ++i)
            job.report(std::to_string(i), i, 7);
        return Json{{"done", true}};
    }

private:
    Hello hello_;
};

OpenWorker talker()
{
    return [](const Job&) -> Result<std::unique_ptr<Collector>> { return std::unique_ptr<Collector>(std::make_unique<Talker>()); };
}

/// Moves to another host with each answer, as a device of several hosts does that loses them.
class Mover final : public Collector {
public:
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    std::string remoteHost() const override { return hello_.host; }
    std::string sameDevice() const override { return "same-" + hello_.host; }
    Result<Json> ask(Verb, const Json&, const Job&) override
    {
        hello_.host += '+';
        return Json{{"done", true}};
    }

private:
    Hello hello_{.host = "host"};
};

TEST_F(SpreadDevice, AWorkerThatMovedIsDescribedAnew)
{
    const auto device = openSpread(
        {[](const Job&) -> Result<std::unique_ptr<Collector>> { return std::unique_ptr<Collector>(std::make_unique<Mover>()); }}, {});
    ASSERT_TRUE(device.ok());
    const Hello& before = (*device)->hello();
    EXPECT_EQ((*device)->remoteHost(), "host");
    for (const char* host : {"host+", "host++"}) {
        ASSERT_TRUE((*device)->ask(Verb::run, numbered(1), {}).ok());
        EXPECT_EQ((*device)->hello().host, host);
        EXPECT_EQ((*device)->getAnsweringHello().host, host);
        EXPECT_EQ((*device)->remoteHost(), host);
        EXPECT_EQ((*device)->sameDevice(), std::string("same-") + host);
    }
    EXPECT_EQ(before.host, "host") << "the earlier one stays as it was";
}

TEST_F(SpreadDevice, TwoRequestsPerWorkerAreDoneAhead)
{
    const auto device = openSpread({clerk("A"), clerk("B"), clerk("C")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect(requests(20));
    std::unique_lock lock(shop_.mutex);
    EXPECT_TRUE(shop_.changed.wait_for(lock, std::chrono::seconds(60), [&] { return shop_.answered.size() == 6; }));
    lock.unlock();
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ((*(*device)->ask(Verb::run, numbered(i), {}))["number"], i);
}

TEST_F(SpreadDevice, EveryKindOfReportArrivesInOrder)
{
    const auto device = openSpread({talker(), refusal("no node")}, {});
    ASSERT_TRUE(device.ok());
    std::vector<std::string> heard;
    Job job;
    job.notice = [&](const std::string& text) { heard.push_back(text); };
    job.output = [&](std::string_view bytes, bool errors) { heard.push_back((errors ? "errors:" : "output:") + std::string(bytes)); };
    job.partial = [&](const Json& body) { heard.push_back("part:" + std::to_string(body["time"].get<int>())); };
    job.progress = [&](const Progress& progress) {
        heard.push_back("step:" + progress.step);
        EXPECT_EQ(progress.expected, 7);
    };
    ASSERT_TRUE((*device)->ask(Verb::run, {{"steps", 1}}, job).ok());
    EXPECT_THAT(heard, ElementsAre("a notice", "output:good", "errors:bad", "part:5", "step:0"));
    EXPECT_TRUE((*device)->ask(Verb::run, {{"steps", 1}}, {}).ok()) << "without anybody to hear them";
}

TEST_F(SpreadDevice, OfProgressThatNobodyReadTheNewestIsKept)
{
    const auto device = openSpread({talker(), refusal("no node")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect({{Verb::run, {{"steps", 200}}}, {Verb::run, {{"steps", 0}}}});
    ASSERT_TRUE((*device)->ask(Verb::run, {{"steps", 0}}, {}).ok()); // the first one is done by then
    std::vector<std::string> steps;
    int others = 0;
    Job job;
    job.progress = [&](const Progress& progress) { steps.push_back(progress.step); };
    job.output = [&](std::string_view, bool) { ++others; };
    ASSERT_TRUE((*device)->ask(Verb::run, {{"steps", 200}}, job).ok());
    EXPECT_EQ(others, 2) << "what a program wrote is never left out";
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps.back(), "199");
}

TEST_F(SpreadDevice, ARequestIsTheSameOnlyWithItsVerb)
{
    const auto device = openSpread({clerk("A"), refusal("no node")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect({{Verb::profile, numbered(1)}});
    ASSERT_TRUE((*device)->ask(Verb::run, numbered(1), {}).ok());
    ASSERT_TRUE((*device)->ask(Verb::profile, numbered(1), {}).ok());
    EXPECT_THAT(shop_.answered, ElementsAre("A:1", "A:1"));
}

TEST_F(SpreadDevice, WhatIsNoLongerExpectedIsNotBegun)
{
    shop_.held[0] = 1000; // until it is stopped
    const auto device = openSpread({clerk("A"), refusal("no node")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect(requests(3));
    (*device)->expect({});
    ASSERT_TRUE((*device)->ask(Verb::run, numbered(7), {}).ok()) << "the one that runs is stopped";
    EXPECT_THAT(shop_.answered, ElementsAre("A:7"));
}

TEST_F(SpreadDevice, ARequestWaitsForAWorkerThatIsStillToOpen)
{
    std::atomic<int> notices = 0;
    Job opening;
    opening.notice = [&](const std::string&) { ++notices; };
    const OpenWorker afterTheLoss = [&](const Job& job) -> Result<std::unique_ptr<Collector>> {
        while (notices == 0 && !job.stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return clerk("B")(job);
    };
    shop_.left["A"] = 0;
    const auto device = openSpread({clerk("A"), afterTheLoss}, opening);
    ASSERT_TRUE(device.ok());
    const Result<Json> answer = (*device)->ask(Verb::run, numbered(1), {});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ((*answer)["by"], "B");
    EXPECT_EQ((*device)->sameDevice(), "same-B") << "it is the home now";
    EXPECT_EQ(notices, 1);
}

TEST_F(SpreadDevice, ALossIsNoticedWhileAnotherWorks)
{
    std::atomic<int> notices = 0;
    Job opening;
    opening.notice = [&](const std::string&) { ++notices; };
    const auto device = openSpread({clerk("A"), clerk("B")}, opening);
    ASSERT_TRUE(device.ok());
    shop_.held[0] = 1; // it takes both to get past this: then both are open
    (*device)->expect(requests(2));
    for (int i = 0; i < 2; ++i)
        ASSERT_TRUE((*device)->ask(Verb::run, numbered(i), {}).ok());
    {
        const std::scoped_lock lock(shop_.mutex);
        shop_.left[(*device)->remoteHost()] = 0;
    }
    EXPECT_TRUE((*device)->ask(Verb::run, numbered(7), {}).ok());
    EXPECT_EQ(notices, 1);
}

TEST_F(SpreadDevice, ALossIsNoticedOnlyWhileAnotherMayGoOn)
{
    std::atomic<int> notices = 0;
    Job opening;
    opening.notice = [&](const std::string&) { ++notices; };
    const auto device = openSpread({clerk("A")}, opening);
    ASSERT_TRUE(device.ok());
    shop_.left["A"] = 0;
    EXPECT_FALSE((*device)->ask(Verb::run, numbered(1), {}).ok());
    EXPECT_EQ(notices, 0) << "the error says it";
}

TEST_F(SpreadDevice, OneThatOpensIsEnough)
{
    const auto device = openSpread({refusal("no node"), clerk("B")}, {});
    ASSERT_TRUE(device.ok());
    EXPECT_EQ((*(*device)->ask(Verb::run, numbered(1), {}))["by"], "B");
    const auto none = openSpread({refusal("no node"), refusal("no GPU")}, {});
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().message, "no node");
}

TEST_F(SpreadDevice, ReportsReachTheOneWhoWaits)
{
    const auto device = openSpread({clerk("A"), clerk("B")}, {});
    ASSERT_TRUE(device.ok());
    (*device)->expect(requests(2));
    std::vector<std::string> steps;
    Job job;
    const std::thread::id ours = std::this_thread::get_id();
    job.progress = [&](const Progress& progress) {
        EXPECT_EQ(std::this_thread::get_id(), ours);
        steps.push_back(progress.step);
    };
    ASSERT_TRUE((*device)->ask(Verb::run, numbered(0), job).ok());
    ASSERT_TRUE((*device)->ask(Verb::run, numbered(1), job).ok());
    EXPECT_THAT(steps, ElementsAre("request 0", "request 1"));
}

} // namespace
} // namespace kl
