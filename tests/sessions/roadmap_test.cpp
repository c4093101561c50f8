// SPDX-License-Identifier: MIT
#include "tests/support/store_support.h"

#include "core/base/format.h"
#include "sessions/learning/roadmap.h"
#include "tests/sessions/text_lines.h"
#include "tests/support/snapshot.h"

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
    EXPECT_EQ(roadmap->weeks[0].week, 1);
    EXPECT_EQ(roadmap->weeks[3].week, 4);
    for (const RoadmapWeek& week : roadmap->weeks) {
        EXPECT_NE(week.title, "") << week.week;
        EXPECT_TRUE(std::any_of(roadmap->steps.begin(), roadmap->steps.end(), [&](const RoadmapStep& s) { return s.week == week.week; }));
    }
}

TEST(Roadmap, AStepIsDoneByWhatItAsksForNotByAName)
{
    RoadmapStep step{"s", 1, "S", {"N+6"}, false, {}};
    step.asks.speedup = 0.5;
    HistoryRow row = session("N+6", SessionStatus::complete);
    row.speedup = {{0.4, FigureKind::measured, {}}};
    EXPECT_EQ(computeState(step, {row}), StepState::open) << "the session is there, the speedup is not";
    row.name = "another";
    row.speedup = {{0.6, FigureKind::measured, {}}};
    EXPECT_EQ(computeState(step, {row}), StepState::done);
    row.replayed = true;
    EXPECT_EQ(computeState(step, {row}), StepState::planned) << "a recording shows nothing";
    row.replayed = false;
    step.asks.devices = {"H100", "A100"};
    row.device = "NVIDIA H100 80GB HBM3";
    EXPECT_EQ(computeState(step, {row}), StepState::open);
    step.asks.devices = {"H100"};
    EXPECT_EQ(computeState(step, {row}), StepState::done);
    step.asks.baselineMinutes = 30;
    row.minutes = {{31, FigureKind::measured, {}}};
    EXPECT_EQ(computeState(step, {row}), StepState::open);
    step.asks = {};
    step.asks.documented = true;
    EXPECT_EQ(computeState(step, {}), StepState::planned) << "no session is not every session";
    step.asks = {};
    step.asks.cycles = 1;
    row.statusText = "reverted";
    EXPECT_EQ(computeState(step, {row}), StepState::done);
}

TEST(Roadmap, TheShippedPlanIsUntouchedInAnOwnDatabaseAndPartlyDoneInTheSample)
{
    const auto store = openStore(":memory:");
    const Roadmap roadmap = *loadRoadmap(*store);
    for (const RoadmapStep& step : roadmap.steps)
        EXPECT_EQ(computeState(step, {}), StepState::planned) << step.id;
    const std::vector<HistoryRow> rows = *sampleHistory();
    const std::vector<StepState> all = computeStates(roadmap.steps, rows);
    ASSERT_EQ(all.size(), roadmap.steps.size());
    std::map<std::string, StepState> states;
    for (std::size_t i = 0; i < all.size(); ++i) {
        states[roadmap.steps[i].id] = all[i];
        EXPECT_EQ(all[i], computeState(roadmap.steps[i], rows)) << roadmap.steps[i].id;
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
    EXPECT_EQ(computeState(step, {}), StepState::planned);
    EXPECT_EQ(computeState(step, {session("N+6", SessionStatus::complete)}), StepState::open);
    EXPECT_EQ(computeState(step, {session("N+6", SessionStatus::complete), session("N+7", SessionStatus::endedEarly)}), StepState::open);
    EXPECT_EQ(computeState(step, {session("N+6", SessionStatus::complete), session("N+7", SessionStatus::complete)}), StepState::open);
    HistoryRow shipped = session("N+6", SessionStatus::complete);
    shipped.sample = true;
    EXPECT_EQ(computeState(step, {shipped}), StepState::planned) << "sessions of the sample are not the user's";
    step.sessions.clear();
    EXPECT_EQ(computeState(step, {}), StepState::planned) << "no session is not all sessions";
    step.done = true;
    EXPECT_EQ(computeState(step, {}), StepState::done);
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
    const RoadmapStep& moved = **findRoadmapStep(roadmap, "write-the-paper");
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

/// Steps a, b of week 1 and c of week 3.
Roadmap threeSteps()
{
    Roadmap roadmap;
    roadmap.weeks = {{1, "One"}, {3, "Three"}};
    roadmap.steps = {{"a", 1, "A", {"N"}, false, {}}, {"b", 1, "B", {}, true, {}}, {"c", 3, "C", {}, false, {}}};
    return roadmap;
}

std::string stepIds(const Roadmap& roadmap)
{
    std::string ids;
    for (const RoadmapStep& step : roadmap.steps)
        ids += step.id + std::to_string(step.week) + ' ';
    return ids;
}

TEST(Roadmap, AStepStandsAtTheEndOfItsWeek)
{
    Roadmap roadmap = threeSteps();
    ASSERT_TRUE(addStep(roadmap, 1, "x"));
    EXPECT_EQ(stepIds(roadmap), "a1 b1 x1 c3 ");
    ASSERT_TRUE(addStep(roadmap, 2, "y"));
    EXPECT_EQ(stepIds(roadmap), "a1 b1 x1 y2 c3 ");
    ASSERT_EQ(roadmap.weeks.size(), 3U);
    EXPECT_EQ(roadmap.weeks[1].week, 2);
    ASSERT_TRUE(editStep(roadmap, "a", {.week = 3}));
    EXPECT_EQ(stepIds(roadmap), "b1 x1 y2 c3 a3 ");
    EXPECT_EQ((*findRoadmapStep(roadmap, "a"))->sessions, std::vector<std::string>{"N"}) << "all else stays";
    ASSERT_TRUE(addStep(roadmap, 520, "last"));
    EXPECT_FALSE(addStep(roadmap, 521, "later"));
    EXPECT_EQ(editStep(roadmap, "a", {.week = 521}).error().code, ErrorCode::badInput);
    EXPECT_EQ(editStep(roadmap, "gone", {.week = 1}).error().code, ErrorCode::notFound);
    EXPECT_NE(findRoadmapStep(roadmap, "gone").error().hint.find("b, x, y, c, a, last"), std::string::npos);
}

TEST(Roadmap, AnEditChangesWhatItNames)
{
    Roadmap roadmap = threeSteps();
    const auto edited = [&](const std::string& id, const StepChange& change) {
        EXPECT_TRUE(editStep(roadmap, id, change));
        return **findRoadmapStep(roadmap, id);
    };
    EXPECT_EQ(edited("a", {}), threeSteps().steps[0]);
    EXPECT_EQ(edited("a", {.title = "new"}).title, "new");
    EXPECT_EQ(edited("a", {.sessions = {"N+1", "N+2"}}).sessions.size(), 2U);
    EXPECT_EQ(edited("a", {}).title, "new");
    EXPECT_TRUE(edited("b", {.title = "still done"}).done);
    EXPECT_FALSE(edited("b", {.done = false}).done);
    EXPECT_EQ(edited("a", {.asks = {.cycles = 2}}).asks.cycles, 2);
    EXPECT_EQ(edited("a", {.week = 1}).asks.cycles, 2);
    EXPECT_EQ(stepIds(roadmap), "a1 b1 c3 ") << "its own week leaves its place";
}

TEST(Roadmap, AGoalSaysEachThingThatItAsksFor)
{
    StepGoal goal;
    EXPECT_EQ(goalText(goal), "");
    EXPECT_TRUE(goal.empty());
    goal = {{"pad", "tile"}, 3, 1, 30, 1.5, {"H100", "A100"}, true};
    const std::string text = goalText(goal);
    std::size_t from = 0;
    for (const std::string& part :
         {std::string("pad, tile"), std::string("3 "), formatMinutes(30), formatRatio(1.5), std::string("H100"), std::string("A100")}) {
        from = text.find(part, from);
        EXPECT_NE(from, std::string::npos) << part << " in " << text;
    }
    for (const StepGoal& one : {StepGoal{.cycles = 1}, StepGoal{.documented = true}}) {
        EXPECT_NE(goalText(one), "");
        EXPECT_NE(text.find(goalText(one)), std::string::npos) << goalText(one) << " in " << text;
    }
    EXPECT_NE(goalText({.cycles = 2}).find("2 "), std::string::npos);
    EXPECT_STREQ(toString(StepState::planned), "planned");
    EXPECT_STREQ(toString(StepState::open), "open");
    EXPECT_STREQ(toString(StepState::done), "done");
}

TEST(Roadmap, SnapshotOfItsGoals)
{
    std::string text;
    for (const StepGoal& goal : {StepGoal{{"pad", "tile"}, 3, 1, 30, 1.5, {"H100", "A100"}, true}, StepGoal{.cycles = 2}})
        text += goalText(goal) + '\n';
    test::expectSnapshot("texts/roadmap-goals.txt", text);
}

/// Of a plan of one week with these steps.
Error readPlanError(const std::string& steps)
{
    const Result<Roadmap> read = parseRoadmap(R"({"weeks": [{"week": 1, "title": "One"}], "steps": [)" + steps + "]}", "plan");
    EXPECT_FALSE(read) << steps;
    return read ? Error() : read.error();
}

constexpr const char* kWithoutId = R"({"id": "", "title": "A", "week": 1})";
constexpr const char* kWithoutTitle = R"({"id": "a", "title": "", "week": 1})";
constexpr const char* kOfNoWeek = R"({"id": "a", "title": "A", "week": 2})";
constexpr const char* kTwice = R"({"id": "a", "title": "A", "week": 1}, {"id": "a", "title": "B", "week": 1})";

TEST(Roadmap, SnapshotOfTheFaultsOfAPlan)
{
    std::string text;
    for (const char* steps : {kWithoutId, kWithoutTitle, kOfNoWeek, kTwice})
        text += test::errorLine(steps, readPlanError(steps));
    test::expectSnapshot("errors/roadmap.txt", text);
}

TEST(Roadmap, FaultsOfAPlanAreNamed)
{
    for (const char* steps : {kWithoutId, kWithoutTitle, kOfNoWeek, kTwice}) {
        EXPECT_EQ(readPlanError(steps).code, ErrorCode::badInput) << steps;
        EXPECT_EQ(readPlanError(steps).where, "plan") << steps;
    }
    EXPECT_EQ(readPlanError(kWithoutId).message, readPlanError(kWithoutTitle).message);
    EXPECT_EQ(readPlanError(kWithoutId).message.find('"'), std::string::npos) << "there is no id to name";
    EXPECT_NE(readPlanError(kOfNoWeek).message.find("\"a\""), std::string::npos);
    EXPECT_NE(readPlanError(kOfNoWeek).message.find(" 2"), std::string::npos);
    EXPECT_NE(readPlanError(kTwice).message.find("\"a\""), std::string::npos);
    EXPECT_NE(readPlanError(kTwice).message, readPlanError(kOfNoWeek).message);
    EXPECT_TRUE(parseRoadmap(R"({"weeks": [{"week": 1}], "steps": [{"id": "a", "title": "A", "week": 1}]})", "plan"));
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->setSetting("roadmap", "{"));
    EXPECT_EQ(loadRoadmap(*store).error().where, "setting roadmap");
}

} // namespace
} // namespace kl
