// SPDX-License-Identifier: MIT
#include "sessions/learning/build_alerts.h"

#include "sessions/learning/history.h"
#include "sessions/session/log_cadence.h"
#include "tests/sessions/engine_support.h"

#include <chrono>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

using std::chrono::minutes;

const TimePoint kBegin = *parseIsoTime("2026-03-01T10:00:00.000Z");

/// A session whose builds fail, one event after another at given minutes.
class BuildAlerts : public EngineTest {
protected:
    BuildAlerts()
    {
        NewSession request;
        request.kernel = "transpose";
        request.kind = "expert";
        SessionHeader header = unwrap(engine.create(request)).header;
        header.id.text = newUuid();
        header.name = "broken";
        id = header.id;
        EXPECT_TRUE(store->createSession(header, {1, isoTime(kBegin), event::kOpened, "{}"}).ok());
    }
    void at(int minute, const char* type, const std::string& data)
    {
        EXPECT_TRUE(store->appendEvent(id, {++seq, isoTime(kBegin + minutes(minute)), type, data}).ok());
    }
    void fails(int minute) { at(minute, event::kBuildValidated, R"({"status": "compilation-failed", "reason": "no such symbol"})"); }
    std::vector<std::string> codes(int now)
    {
        const SessionTrace trace = unwrap(traceSession(*store, unwrap(store->session(id))));
        std::vector<std::string> found;
        for (const Alert& alert : unwrap(buildAlerts(*store, trace, kBegin + minutes(now))))
            found.push_back(alert.code);
        return found;
    }

    SessionId id;
    int seq = 1;
};

TEST_F(BuildAlerts, OfferToBisectAfterHalfAnHourOfFailingBuilds)
{
    fails(5);
    fails(20);
    EXPECT_THAT(codes(34), testing::IsEmpty());
    EXPECT_THAT(codes(35), testing::ElementsAre("build-history"));
    const SessionTrace trace = unwrap(traceSession(*store, unwrap(store->session(id))));
    const Alert alert = unwrap(buildAlerts(*store, trace, kBegin + minutes(40))).front();
    ASSERT_TRUE(alert.next);
    EXPECT_EQ(alert.next->id, StepId::actInSession);
    EXPECT_EQ(alert.next->at(StepArgument::action), "bisect");
    EXPECT_EQ(alert.next->at(StepArgument::session), id.text);
}

TEST_F(BuildAlerts, ALookAtTheHistoryEndsThat)
{
    fails(5);
    unwrap(engine.tick(id, std::string(kHistoryItem), "last good: 3f2c81a"));
    seq = 3;
    fails(50);
    EXPECT_THAT(codes(51), testing::IsEmpty());
}

TEST_F(BuildAlerts, AnHourIsTheTimeOut)
{
    fails(5);
    fails(66);
    EXPECT_THAT(codes(66), testing::ElementsAre("build-time-out", "build-history"));
}

TEST_F(BuildAlerts, ASuccessEndsTheAttempts)
{
    fails(5);
    at(40, event::kBuildValidated, R"({"status": "ok"})");
    EXPECT_THAT(codes(60), testing::IsEmpty());
}

TEST_F(BuildAlerts, APauseIsNotCounted)
{
    fails(5);
    fails(10);
    EXPECT_THAT(codes(10 + 121), testing::IsEmpty()) << "nobody was there";
}

TEST_F(BuildAlerts, AFailingVariantOfTheCatalogHasNoHistory)
{
    gpu.kernels["transpose/tiled"].right = false;
    const SessionId other = open("transpose/naive");
    stepUntil(other, SessionAction::revert);
    const SessionTrace trace = unwrap(traceSession(*store, unwrap(store->session(other))));
    EXPECT_FALSE(findFailingAttempts(trace, kBegin, kBegin, 120));
}

TEST_F(BuildAlerts, TheLogAsksForAnEntryWhileWorkGoesOn)
{
    SessionView view = unwrap(engine.view(id));
    EXPECT_FALSE(logDueSince(view, kBegin + minutes(2)));
    EXPECT_EQ(logDueSince(view, kBegin + minutes(4)), 4);
    EXPECT_FALSE(logDueSince(view, kBegin + minutes(121))) << "a pause";
    view.finished = true;
    EXPECT_FALSE(logDueSince(view, kBegin + minutes(4)));
}

TEST_F(BuildAlerts, TheTimeOutComesAtTheHourAndEndsWithTheSession)
{
    fails(5);
    EXPECT_THAT(codes(64), testing::ElementsAre("build-history"));
    EXPECT_THAT(codes(65), testing::ElementsAre("build-time-out", "build-history"));
    at(65, event::kHistoryLooked, "{}");
    EXPECT_THAT(codes(66), testing::ElementsAre("build-time-out"));
    const SessionTrace trace = unwrap(traceSession(*store, unwrap(store->session(id))));
    const Alert alert = unwrap(buildAlerts(*store, trace, kBegin + minutes(66))).front();
    EXPECT_EQ(alert.subject, "session:" + id.text);
    EXPECT_EQ(alert.next->at(StepArgument::action), "document");
    at(66, event::kFinished, R"({"outcome": "abandoned"})");
    EXPECT_THAT(codes(67), testing::IsEmpty());
}

} // namespace
} // namespace kl::test
