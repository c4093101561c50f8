// SPDX-License-Identifier: MIT
#include "sessions/engine/action_log.h"

#include "core/base/format.h"
#include "tests/sessions/engine_support.h"

namespace kl::test {
namespace {

class ActionLogTest : public EngineTest {};

TEST_F(ActionLogTest, ALongActionWritesWhileItRuns)
{
    const SessionId id = open();
    SessionModel model = valueOf(loadSession(*store, catalog, id));
    int passed = 0;
    Job outer;
    outer.progress = [&](const Progress&) { ++passed; };
    ActionLog log(outer, *store, model, SessionAction::profile, std::chrono::milliseconds(0));
    log.job().report("pass 3 of 19", 135, 240);
    std::vector<SessionEvent> events = valueOf(store->events(id));
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
    SessionModel model = valueOf(loadSession(*store, catalog, id));
    ActionLog log({}, *store, model, SessionAction::profile);
    log.job().report("pass 3 of 19");
    EXPECT_EQ(valueOf(store->events(id)).size(), 1U);
}

} // namespace
} // namespace kl::test
