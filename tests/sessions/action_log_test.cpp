// SPDX-License-Identifier: MIT
#include "sessions/engine/action_log.h"

#include "core/base/format.h"
#include "tests/sessions/engine_support.h"

#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

class ActionLogTest : public EngineTest {};

TEST_F(ActionLogTest, ALongActionWritesWhileItRuns)
{
    const SessionId id = open();
    SessionModel model = unwrap(loadSession(*store, catalog, id));
    int passed = 0;
    Job outer;
    outer.progress = [&](const Progress&) { ++passed; };
    ActionLog log(outer, *store, model, SessionAction::profile, std::chrono::milliseconds(0));
    log.job().report("pass 3 of 19", 135, 240);
    std::vector<SessionEvent> events = unwrap(store->events(id));
    ASSERT_EQ(events.size(), 2U) << "at once, not at the end";
    EXPECT_EQ(events.back().type, event::kProgress);
    EXPECT_NE(events.back().dataJson.find("pass 3 of 19"), std::string::npos);
    EXPECT_NE(events.back().dataJson.find("4:00"), std::string::npos);
    EXPECT_EQ(passed, 1);
    SessionEvent result{2, isoNow(), event::kNote, "{}"};
    log.end(&result);
    EXPECT_EQ(result.seq, 3) << "after what was written";
    EXPECT_TRUE(store->appendEvent(id, result).ok());
}

TEST_F(ActionLogTest, AShortActionWritesNothing)
{
    const SessionId id = open();
    SessionModel model = unwrap(loadSession(*store, catalog, id));
    ActionLog log({}, *store, model, SessionAction::profile);
    log.job().report("pass 3 of 19");
    EXPECT_EQ(unwrap(store->events(id)).size(), 1U);
}

TEST_F(ActionLogTest, EachEventHasANumberOfItsOwn)
{
    const SessionId id = open();
    SessionModel model = unwrap(loadSession(*store, catalog, id));
    const auto before = model.view.lastSeq;
    ActionLog log({}, *store, model, SessionAction::measureBaseline, std::chrono::milliseconds(0));
    log.job().report("first", 1, {});
    log.job().report("second", 2, 90);
    const std::vector<SessionEvent> events = unwrap(store->events(id));
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[1].seq, before + 1);
    EXPECT_EQ(events[2].seq, before + 2);
    const Json first = Json::parse(events[1].dataJson);
    EXPECT_EQ(first["action"], "measure-baseline");
    EXPECT_EQ(first["text"].get<std::string>().find("expected"), std::string::npos);
    EXPECT_NE(Json::parse(events[2].dataJson)["text"].get<std::string>().find("1:30"), std::string::npos);
    log.end(nullptr);
    EXPECT_EQ(model.view.lastSeq, before + 2);
    log.end(nullptr);
    EXPECT_EQ(model.view.lastSeq, before + 2) << "counted once";
}

TEST_F(ActionLogTest, NoticesAreKeptAfterTheActionInTheirOrder)
{
    const SessionId id = open();
    SessionModel model = unwrap(loadSession(*store, catalog, id));
    std::vector<std::string> passed;
    Job outer;
    outer.notice = [&](const std::string& text) { passed.push_back(text); };
    ActionLog log(outer, *store, model, SessionAction::profile);
    EXPECT_EQ(log.job().silence, std::chrono::milliseconds(60'000)) << "the template's";
    log.job().notice("silent for 1:00");
    log.job().notice("silent for 2:00");
    EXPECT_EQ(passed, (std::vector<std::string>{"silent for 1:00", "silent for 2:00"}));
    EXPECT_EQ(unwrap(store->events(id)).size(), 1U) << "not before its end";
    log.end(nullptr);
    log.keepNotices();
    const std::vector<SessionEvent> events = unwrap(store->events(id));
    ASSERT_EQ(events.size(), 3U);
    for (const std::size_t i : {1U, 2U}) {
        EXPECT_EQ(events[i].seq, events[i - 1].seq + 1);
        EXPECT_EQ(events[i].type, event::kStalled);
        EXPECT_EQ(Json::parse(events[i].dataJson), Json({{"action", "profile"}, {"text", passed[i - 1]}}));
    }
}

} // namespace
} // namespace kl::test
