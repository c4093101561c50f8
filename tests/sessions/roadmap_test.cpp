// SPDX-License-Identifier: MIT
#include "tests/sessions/store_support.h"

#include "sessions/learning/roadmap.h"

#include <map>

namespace kl {
namespace {

using support::openStore;

HistoryRow session(const std::string& name, SessionStatus status)
{
    HistoryRow row;
    row.name = name;
    row.status = status;
    return row;
}

TEST(Roadmap, ShipsTheFourWeeksOfTheNotes)
{
    const auto store = openStore(":memory:");
    const Result<Roadmap> roadmap = loadRoadmap(*store);
    ASSERT_TRUE(roadmap) << roadmap.error().message;
    ASSERT_EQ(roadmap->weeks.size(), 4U);
    EXPECT_EQ(roadmap->weeks[0].title, "Establish a baseline");
    EXPECT_EQ(roadmap->weeks[3].title, "Scale and deploy");
    for (const RoadmapWeek& week : roadmap->weeks)
        EXPECT_TRUE(std::any_of(roadmap->steps.begin(), roadmap->steps.end(), [&](const RoadmapStep& s) { return s.week == week.week; }));
}

TEST(Roadmap, AStepIsDoneByWhatItAsksForNotByAName)
{
    RoadmapStep step{"s", 1, "S", {"N+6"}, false, {}};
    step.asks.speedup = 0.5;
    HistoryRow row = session("N+6", SessionStatus::complete);
    row.speedup = {{0.4, FigureKind::measured, {}}};
    EXPECT_EQ(stateOf(step, {row}), StepState::open) << "the session is there, the speedup is not";
    row.name = "another";
    row.speedup = {{0.6, FigureKind::measured, {}}};
    EXPECT_EQ(stateOf(step, {row}), StepState::done);
    row.replayed = true;
    EXPECT_EQ(stateOf(step, {row}), StepState::planned) << "a recording shows nothing";
    row.replayed = false;
    step.asks.devices = {"H100", "A100"};
    row.device = "NVIDIA H100 80GB HBM3";
    EXPECT_EQ(stateOf(step, {row}), StepState::open);
    step.asks.devices = {"H100"};
    EXPECT_EQ(stateOf(step, {row}), StepState::done);
    step.asks.baselineMinutes = 30;
    row.minutes = {{31, FigureKind::measured, {}}};
    EXPECT_EQ(stateOf(step, {row}), StepState::open);
    step.asks = {};
    step.asks.documented = true;
    EXPECT_EQ(stateOf(step, {}), StepState::planned) << "no session is not every session";
    step.asks = {};
    step.asks.cycles = 1;
    row.statusText = "reverted";
    EXPECT_EQ(stateOf(step, {row}), StepState::done);
}

TEST(Roadmap, TheShippedPlanIsUntouchedInAnOwnDatabaseAndPartlyDoneInTheSample)
{
    const auto store = openStore(":memory:");
    const Roadmap roadmap = *loadRoadmap(*store);
    for (const RoadmapStep& step : roadmap.steps)
        EXPECT_EQ(stateOf(step, {}), StepState::planned) << step.id;
    const std::vector<HistoryRow> rows = *sampleHistory();
    const std::vector<StepState> all = statesOf(roadmap.steps, rows);
    ASSERT_EQ(all.size(), roadmap.steps.size());
    std::map<std::string, StepState> states;
    for (std::size_t i = 0; i < all.size(); ++i) {
        states[roadmap.steps[i].id] = all[i];
        EXPECT_EQ(all[i], stateOf(roadmap.steps[i], rows)) << roadmap.steps[i].id;
    }
    EXPECT_EQ(states["first-patterns"], StepState::done);
    EXPECT_EQ(states["apply-pattern-10"], StepState::done);
    EXPECT_EQ(states["quick-baseline"], StepState::done) << "N+4, in 30 minutes";
    EXPECT_EQ(states["half-speed"], StepState::planned) << "0.10× is the best that was measured";
    EXPECT_EQ(states["first-cycle"], StepState::planned) << "N+5 corrected a result instead";
    EXPECT_EQ(states["other-gpus"], StepState::planned);
}

TEST(Roadmap, StepsFollowTheirSessions)
{
    RoadmapStep step{"s", 1, "S", {"N+6", "N+7"}, false};
    EXPECT_EQ(stateOf(step, {}), StepState::planned);
    EXPECT_EQ(stateOf(step, {session("N+6", SessionStatus::complete)}), StepState::open);
    EXPECT_EQ(stateOf(step, {session("N+6", SessionStatus::complete), session("N+7", SessionStatus::endedEarly)}), StepState::open);
    EXPECT_EQ(stateOf(step, {session("N+6", SessionStatus::complete), session("N+7", SessionStatus::complete)}), StepState::open);
    HistoryRow shipped = session("N+6", SessionStatus::complete);
    shipped.sample = true;
    EXPECT_EQ(stateOf(step, {shipped}), StepState::planned) << "sessions of the sample are not the user's";
    step.sessions.clear();
    EXPECT_EQ(stateOf(step, {}), StepState::planned) << "no session is not all sessions";
    step.done = true;
    EXPECT_EQ(stateOf(step, {}), StepState::done);
}

TEST(Roadmap, IsEditedKeptAndReset)
{
    const auto store = openStore(":memory:");
    Roadmap roadmap = *loadRoadmap(*store);
    const Roadmap shipped = roadmap;
    const auto added = addStep(roadmap, 6, "Write the paper");
    ASSERT_TRUE(added);
    EXPECT_EQ(added->id, "write-the-paper");
    EXPECT_EQ(addStep(roadmap, 6, "Write the paper")->id, "write-the-paper-2");
    EXPECT_EQ(roadmap.weeks.back().week, 6) << "the week comes with its first step";
    EXPECT_EQ(roadmap.steps.back().id, "write-the-paper-2") << "at the end of its week";
    ASSERT_TRUE(editStep(roadmap, "write-the-paper", {"Write it up", 1, {"N+9"}, true}));
    ASSERT_TRUE(removeStep(roadmap, "write-the-paper-2"));
    EXPECT_EQ(removeStep(roadmap, "nothing").error().code, ErrorCode::notFound);
    EXPECT_FALSE(editStep(roadmap, "write-the-paper", {"", 0, {}, {}}));
    ASSERT_TRUE(saveRoadmap(*store, roadmap));
    const Roadmap again = *loadRoadmap(*store);
    EXPECT_EQ(again, roadmap);
    const RoadmapStep& moved = **stepOf(roadmap, "write-the-paper");
    EXPECT_EQ(moved.week, 1);
    EXPECT_TRUE(moved.done);
    EXPECT_EQ(moved.sessions, std::vector<std::string>{"N+9"});
    ASSERT_TRUE(resetRoadmap(*store));
    EXPECT_EQ(*loadRoadmap(*store), shipped);
}

TEST(Roadmap, RefusesABlankTitleAndADamagedPlan)
{
    Roadmap roadmap;
    EXPECT_EQ(addStep(roadmap, 1, "  ").error().code, ErrorCode::badInput);
    EXPECT_EQ(addStep(roadmap, 0, "x").error().code, ErrorCode::badInput);
    EXPECT_FALSE(parseRoadmap(R"({"weeks": [], "steps": [{"id": "a", "title": "A", "week": 1}]})", "r"));
    EXPECT_FALSE(parseRoadmap(R"({"weeks": [{"week": 1}], "steps": [{"id": "a", "title": "A"}, {"id": "a", "title": "B"}]})", "r"));
}

} // namespace
} // namespace kl
