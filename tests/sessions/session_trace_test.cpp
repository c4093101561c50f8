// SPDX-License-Identifier: MIT
// Where and for how long a session was worked on, by its events.
#include "sessions/learning/session_trace.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

using ::testing::ElementsAre;

TracedEvent tracedEvent(const std::string& type, const std::map<std::string, std::string>& words = {})
{
    TracedEvent event;
    event.type = type;
    event.words = words;
    return event;
}

TEST(SessionTracePlaces, TheDeviceIsThatOfTheOpeningElseOfTheFirstRun)
{
    SessionTrace trace;
    EXPECT_EQ(trace.device(), "");
    trace.events = {tracedEvent("opened"), tracedEvent("note", {{"device", "no device"}}), tracedEvent("profiled"),
                    tracedEvent("profiled")};
    EXPECT_EQ(trace.device(), "");
    trace.events[2].run = RunOutcome{ResultStatus::ok, CorrectnessResult::correct, "", ""};
    trace.events[3].run = RunOutcome{ResultStatus::ok, CorrectnessResult::correct, "NVIDIA H200", ""};
    EXPECT_EQ(trace.device(), "NVIDIA H200") << "the first run that names one";
    trace.events[2].run->device = "NVIDIA L4";
    EXPECT_EQ(trace.device(), "NVIDIA L4");
    trace.events[0].words["device"] = "NVIDIA H100";
    EXPECT_EQ(trace.device(), "NVIDIA H100");
}

TEST(SessionTracePlaces, TheHostIsThatOfTheOpeningAlone)
{
    SessionTrace trace;
    EXPECT_EQ(trace.host(), "");
    trace.events = {tracedEvent("note", {{"host", "other"}}), tracedEvent("opened", {{"host", "late"}})};
    EXPECT_EQ(trace.host(), "");
    trace.events = {tracedEvent("opened", {{"host", "gpu7"}}), tracedEvent("profiled", {{"host", "other"}})};
    EXPECT_EQ(trace.host(), "gpu7");
}

TEST(SessionTracePlaces, TheLastEventOfATypeIsTheNewest)
{
    SessionTrace trace;
    trace.events = {tracedEvent("profiled", {{"run", "1"}}), tracedEvent("note"), tracedEvent("profiled", {{"run", "2"}})};
    ASSERT_NE(trace.last("profiled"), nullptr);
    EXPECT_EQ(trace.last("profiled")->word("run"), "2");
    EXPECT_EQ(trace.last("finished"), nullptr);
    EXPECT_FALSE(trace.finished());
    trace.events.insert(trace.events.begin(), tracedEvent("finished"));
    EXPECT_TRUE(trace.finished());
}

TEST(SessionTraceTimes, APauseCountsUpToTheIdleTimeAndNeverBeforeItIsResumed)
{
    const auto event = [](int seq, const std::string& time, const std::string& type) {
        return SessionEvent{seq, "2026-03-01T" + time + ":00.000Z", type, "{}"};
    };
    EXPECT_THAT(computeWorkingMinutes({event(1, "09:00", "opened"), event(2, "09:30", "note"), event(3, "10:01", "note")}, 30),
                ElementsAre(0, 30, 30))
        << "just as long counts";
    EXPECT_THAT(computeWorkingMinutes({event(1, "09:00", "opened"), event(2, "09:10", "resumed"), event(3, "09:15", "note")}, 30),
                ElementsAre(0, 0, 5))
        << "nobody worked before it was resumed";
    EXPECT_THAT(computeWorkingMinutes({event(1, "09:10", "opened"), event(2, "09:00", "note"), event(3, "09:05", "note")}, 30),
                ElementsAre(0, 0, 5))
        << "a clock that was set back takes nothing away";
}

TEST(SessionTraceTimes, ATemplatesIdleTimeAndBudgetAreTheTraces)
{
    const auto store = support::openStore(":memory:");
    const SessionHeader header{{"s"},
                               "N",
                               "optimize",
                               "",
                               "transpose",
                               Source::live,
                               "2026-03-01T09:00:00.000Z",
                               R"({"budget_minutes": 90, "idle_after_minutes": 5, "gates": [{"id": "G1", "title": "Build"}, 7]})"};
    ASSERT_TRUE(store->createSession(header, {1, header.createdAt, "opened", "{}"}));
    ASSERT_TRUE(store->appendEvent({"s"}, {2, "2026-03-01T09:04:00.000Z", "note", ""}));
    ASSERT_TRUE(store->appendEvent({"s"}, {3, "2026-03-01T09:10:00.000Z", "note", "{}"}));
    const Result<SessionTrace> trace = traceSession(*store, header);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->budgetMinutes, 90);
    EXPECT_EQ(trace->idleMinutes, 5);
    EXPECT_EQ(trace->minutes, 4);
    EXPECT_EQ(trace->gateTitles, (std::map<std::string, std::string>{{"G1", "Build"}}));
    SessionHeader usual = header;
    usual.templateJson = "{}";
    EXPECT_EQ(traceSession(*store, usual)->minutes, 10);
    EXPECT_FALSE(traceSession(*store, usual)->budgetMinutes);
}

TEST(SessionTraceTimes, AnEventThatCannotBeReadIsAnError)
{
    const auto store = support::openStore(":memory:");
    const SessionHeader header{{"s"}, "N", "optimize", "", "transpose", Source::live, "2026-03-01T09:00:00.000Z", "{}"};
    ASSERT_TRUE(store->createSession(header, {1, header.createdAt, "opened", "{}"}));
    ASSERT_TRUE(store->appendEvent({"s"}, {2, header.createdAt, "evaluated", R"({"comparison": "gone"})"}));
    EXPECT_EQ(traceSession(*store, header).error().code, ErrorCode::notFound);
}

} // namespace
} // namespace kl::test
