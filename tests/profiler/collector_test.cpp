// SPDX-License-Identifier: MIT
// Typed requests: which verb each is, and that what it is given reaches the collector as it is.
#include "profiler/collector.h"
#include "profiler/protocol/message_codec.h"
#include "tests/support/fake_collector.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// Keeps what it is asked last and answers an empty object of each verb's kind.
class Listener final : public Collector {
public:
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        requested = verb;
        request = body;
        stopped = job.stop.stop_requested();
        if (job.partial)
            job.partial({{"part", 1}});
        if (job.output)
            job.output("bytes", true);
        return Json::object();
    }

    Verb requested = Verb::probe;
    Json request;
    bool stopped = false;

private:
    Hello hello_;
};

TEST(TypedRequests, EachHasItsVerbAndItsBody)
{
    Listener listener;
    const auto expectAsked = [&](Verb verb, const Json& body) {
        EXPECT_EQ(listener.requested, verb) << toWord(listener.requested);
        EXPECT_EQ(listener.request, body) << toWord(verb);
    };
    WorkSpec work;
    work.kernel = "a/b";
    (void)probe(listener);
    expectAsked(Verb::probe, Json::object());
    const EnvRequest environment{"2.1", "/d", {}, {}};
    (void)checkEnvironment(listener, environment);
    expectAsked(Verb::environment, toJsonMessage(environment));
    MetricsRequest metrics;
    metrics.chip = "GH100";
    (void)describeMetrics(listener, metrics);
    expectAsked(Verb::metrics, toJsonMessage(metrics));
    (void)compile(listener, {work});
    expectAsked(Verb::compile, toJsonMessage(CompileRequest{work}));
    RunRequest timed;
    timed.work = work;
    timed.maxSamples = 7;
    (void)run(listener, timed);
    expectAsked(Verb::run, toJsonMessage(timed));
    ProfileRequest profiled;
    profiled.run = timed;
    profiled.tier = 1;
    (void)profile(listener, profiled);
    expectAsked(Verb::profile, toJsonMessage(profiled));
    CountRequest counted;
    counted.works = {work};
    (void)count(listener, counted);
    expectAsked(Verb::count, toJsonMessage(counted));
    LaunchRequest launched;
    launched.work = work;
    launched.repeat = 5;
    (void)launch(listener, launched);
    expectAsked(Verb::launch, toJsonMessage(launched));
    const SanitizeRequest checked{work, "racecheck"};
    (void)sanitizeLaunch(listener, checked);
    expectAsked(Verb::sanitize, toJsonMessage(checked));
    TimelineRequest timeline;
    timeline.work = work;
    timeline.marks = 16;
    (void)recordTimeline(listener, timeline);
    expectAsked(Verb::timeline, toJsonMessage(timeline));
    TraceProgramRequest traced;
    traced.command = {"./app"};
    (void)traceProgram(listener, traced);
    expectAsked(Verb::trace, toJsonMessage(traced));
    AbRequest compared;
    compared.a = work;
    compared.blocks = 3;
    (void)interleave(listener, compared);
    expectAsked(Verb::compare, toJsonMessage(compared));
}

TEST(TypedRequests, TheJobsStopAndSinksReachTheCollector)
{
    Listener listener;
    std::stop_source stop;
    stop.request_stop();
    Json part;
    std::string written;
    Job job;
    job.stop = stop.get_token();
    job.notice = [](const std::string&) {};
    job.partial = [&](const Json& body) { part = body; };
    job.output = [&](std::string_view bytes, bool errors) { written = std::string(bytes) + (errors ? "!" : ""); };
    (void)probe(listener, job);
    EXPECT_TRUE(listener.stopped);
    EXPECT_EQ(part, (Json{{"part", 1}}));
    EXPECT_EQ(written, "bytes!");
}

TEST(Collector, ItsChipIsThatOfTheDeviceThatItMeasuresOn)
{
    test::FakeCollector collector;
    collector.hello().devices.push_back(collector.hello().devices.front());
    collector.hello().devices[1].ccMajor = 8;
    collector.hello().devices[1].ccMinor = 9;
    collector.hello().devices[1].smCount = 142;
    EXPECT_EQ(toChip(collector).ccMajor, 9);
    collector.hello().device = 1;
    EXPECT_EQ(toChip(collector).ccMajor, 8);
    EXPECT_EQ(toChip(collector).ccMinor, 9);
    EXPECT_EQ(toChip(collector).sms, 142);
    collector.hello().device.reset();
    EXPECT_EQ(toChip(collector), Chip{});
}

TEST(Collector, OneThatSaysNothingElseIsOneWorkerOfThisHost)
{
    Listener listener;
    EXPECT_EQ(listener.width(), 1);
    EXPECT_EQ(listener.remoteHost(), "");
    EXPECT_EQ(listener.sameDevice(), "");
    EXPECT_EQ(&listener.getAnsweringHello(), &listener.hello());
    EXPECT_TRUE(listener.holds(Verb::run, Json::object()));
}

} // namespace
} // namespace kl
