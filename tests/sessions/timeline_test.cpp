// SPDX-License-Identifier: MIT
// A timeline is stored with its run, and read back as it was.
#include "core/base/try.h"
#include "tests/sessions/engine_support.h"

namespace kl::test {
namespace {

const Address kTraced{"transpose", "tiled", {}};

class Tracer final : public FakeCollector {
public:
    Tracer() : FakeCollector(Source::live) {}
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (verb != Verb::timeline)
            return FakeCollector::ask(verb, body, job);
        KL_ASSIGN(const TimelineRequest parsed, fromJsonMessage<TimelineRequest>(body));
        request = parsed;
        TimelineAnswer answer;
        answer.device = hello().devices.front();
        answer.launches.push_back({"entry", 1024, 256, 32, 0, 4096});
        answer.timeline.emplace();
        answer.timeline->entry = "entry";
        answer.timeline->sites = {{1024, MarkKind::waitBegin, SyncKind::copies, "cp.async.wait_group", 12, false}};
        answer.timeline->warps.push_back({1, 2, 3, 4, 5, std::nullopt, std::nullopt, 6, {{1024, 7, 0}, {1024, 9, 0xffff'fff0}}});
        return toJsonMessage(answer);
    }
    TimelineRequest request;
};

TEST_F(EngineTest, ATimelineIsStoredWithItsRun)
{
    Tracer live;
    TestBench here(catalog, tree, live, *store);
    TimelineScope scope;
    scope.automatic = true;
    scope.marks = 512;
    scope.overhead = false;
    const RunRecord run = unwrap(here.recordTimeline(kTraced, {}, scope));
    EXPECT_EQ(live.request.automatic, true);
    EXPECT_EQ(live.request.marks, 512);
    EXPECT_EQ(live.request.overhead, false);
    ASSERT_TRUE(run.timeline);
    EXPECT_EQ(run.timeline->warps.front().marks.back().cycle, 9);
    EXPECT_FALSE(run.timing);
    EXPECT_EQ(unwrap(store->run(run.id)), run);
}

} // namespace
} // namespace kl::test
