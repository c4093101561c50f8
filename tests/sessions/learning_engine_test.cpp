// SPDX-License-Identifier: MIT
// Mistakes, milestones and patterns of sessions that the engine itself has walked: the detectors read what it really writes.
#include "sessions/learning/history_parts.h"
#include "sessions/patterns/add_pattern.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/patterns/suggest.h"
#include "tests/sessions/engine_support.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

class LearningFromTheEngine : public EngineTest {
protected:
    LearningFromTheEngine() { EXPECT_TRUE(seedPatterns(*store, library)); }

    SessionTrace trace(const SessionId& id) { return unwrap(traceSession(*store, unwrap(store->session(id)))); }
    std::vector<std::string> mistakes(const SessionId& id)
    {
        std::vector<std::string> ids;
        for (const Mistake& item : findMistakes(trace(id)))
            ids.push_back(item.id);
        return ids;
    }
    HistoryRow row(const SessionId& id)
    {
        const History history = unwrap(loadHistory(*store));
        return *std::find_if(history.rows.begin(), history.rows.end(), [&](const HistoryRow& r) { return r.id == id.text; });
    }
    std::vector<std::string> suggested(const SessionId& id)
    {
        std::vector<std::string> slugs;
        for (const Suggestion& item : suggestionsFor(library, unwrap(store->patterns()), unwrap(engine.view(id))))
            slugs.push_back(item.slug);
        return slugs;
    }

    PatternLibrary library = unwrap(PatternLibrary::loadEmbedded());
};

TEST_F(LearningFromTheEngine, ASessionByTheBookMakesNoMistake)
{
    const SessionId id = open();
    stepTo(id, "done");
    EXPECT_TRUE(mistakes(id).empty());
    const HistoryRow done = row(id);
    EXPECT_EQ(done.blind, 0);
    EXPECT_TRUE(done.minutesToBuild);
    EXPECT_TRUE(done.minutesToBottleneck);
    EXPECT_EQ(done.grade.letter, "A") << done.grade.reason;
    ASSERT_TRUE(done.replayed);
    HistoryRow live = done;
    live.replayed = false;
    const Grade measured = gradeRow(live, kSessionCostTarget);
    EXPECT_EQ(measured.letter, "A") << measured.reason;
    EXPECT_NE(done.grade.reason, measured.reason) << "it says that it was replayed";
}

TEST_F(LearningFromTheEngine, RefusalsBecomeMistakes)
{
    const SessionId id = open();
    refusedAct(id, SessionAction::verifySmallest); // before the environment
    step(id);
    refusedAct(id, SessionAction::measureBaseline); // before the smallest size
    refusedAct(id, SessionAction::profile);         // before the baseline
    stepTo(id, "profile");
    refusedAct(id, SessionAction::chooseFix); // before the profile
    stepTo(id, "fix");
    refusedAct(id, SessionAction::chooseFix, "transpose/padded"); // two steps at once
    EXPECT_THAT(mistakes(id), ElementsAre("unvalidated-build", "tiles-shrunk-without-profile", "claims-taken-as-real", "large-size-first",
                                          "two-variables"));
    for (const Mistake& item : findMistakes(trace(id)))
        EXPECT_EQ(item.caught, item.count) << item.id;
    EXPECT_EQ(blindOptimizations(trace(id)), 1);
    EXPECT_EQ(row(id).mistakes.at(0).before, 0) << "the sample's sessions are not this database's";
}

TEST_F(LearningFromTheEngine, ARevertedChangeIsAWrongPath)
{
    gpu.kernels["transpose/tiled"].gpuNs = 395'000;
    const SessionId id = open();
    stepUntil(id, SessionAction::revert);
    step(id);
    const HistoryRow now = row(id);
    ASSERT_EQ(now.wrongPaths.size(), 1U);
    EXPECT_NE(now.wrongPaths[0].what.find("transpose/tiled"), std::string::npos);
    EXPECT_GE(now.wrongPaths[0].minutes, 0);
}

TEST_F(LearningFromTheEngine, PatternsSuitThePhaseAndTheFinding)
{
    const SessionId id = open();
    const std::vector<std::string> start = suggested(id);
    ASSERT_GE(start.size(), 2U);
    EXPECT_EQ(start[0], "environment-validation");
    EXPECT_EQ(start[1], "baseline-first");
    stepTo(id, "profile");
    EXPECT_EQ(suggested(id).front(), "profile-before-optimize") << "the speedup is below 1";
    EXPECT_THAT(suggested(id), Contains("profiling-decision-tree"));
    ASSERT_TRUE(addPattern(*store, {"", "", "Stage through shared memory", "", "Strided stores.", "Use a tile.", "finding"}));
    stepTo(id, "fix");
    EXPECT_THAT(suggested(id), Contains("stage-through-shared-memory")) << "one's own, for a finding";
    ASSERT_TRUE(engine.applyPattern(id, "stage-through-shared-memory"));
    for (const Suggestion& item : suggestionsFor(library, unwrap(store->patterns()), unwrap(engine.view(id))))
        EXPECT_EQ(item.applied, item.slug == "stage-through-shared-memory") << item.slug;
}

TEST_F(LearningFromTheEngine, AUseMaySayItsPhaseAndFigures)
{
    const SessionId id = open();
    EXPECT_EQ(engine.applyPattern(id, "baseline-first", {"no-such-phase", {}, {}, ""}).error().code, ErrorCode::notFound);
    EXPECT_EQ(engine.applyPattern(id, "baseline-first", {"", -1.0, {}, ""}).error().code, ErrorCode::badInput);
    ASSERT_TRUE(engine.applyPattern(id, "baseline-first", {"baseline", 25.0, {}, "with the new script"}));
    const PatternApplication use = unwrap(store->applications()).at(0);
    EXPECT_EQ(use.quotedMinutes, 25);
    EXPECT_EQ(use.note, "with the new script");
    EXPECT_FALSE(use.measuredMinutes);
    EXPECT_EQ(trace(id).last("pattern-applied")->word("phase"), "baseline");
}

TEST_F(LearningFromTheEngine, ADraftComesFromTheSessionsRecordInOneStep)
{
    const SessionId id = open();
    stepTo(id, "done");
    const Pattern draft = draftPattern(unwrap(engine.view(id)));
    EXPECT_EQ(draft.problem, "Uncoalesced access.");
    EXPECT_EQ(draft.when, "finding");
    const Result<Pattern> added = addPattern(*store, draft);
    ASSERT_TRUE(added) << added.error().message;
    EXPECT_THAT(row(id).learned, ElementsAre(added->slug));
}

TEST_F(LearningFromTheEngine, AUseHasTheFiguresOfItsPatternWhereItGivesNone)
{
    Pattern pattern{"mine", "", "Mine", "own", "p", "do"};
    pattern.quotedMinutes = 60;
    pattern.quotedDollars = 0.5;
    ASSERT_TRUE(store->savePattern(pattern));
    const SessionId plain = open(), named = open();
    stepTo(plain, "profile");
    ASSERT_TRUE(engine.applyPattern(plain, "mine"));
    EXPECT_EQ(trace(plain).last("pattern-applied")->word("phase"), "profile") << "the current one";
    ASSERT_TRUE(engine.applyPattern(named, "mine", {"", {}, 7.5, ""}));
    const std::vector<PatternApplication> uses = unwrap(store->applications());
    ASSERT_EQ(uses.size(), 2U);
    for (const PatternApplication& use : uses) {
        EXPECT_EQ(use.pattern, "mine");
        EXPECT_EQ(use.quotedMinutes, 60) << use.session;
        EXPECT_EQ(use.quotedDollars, use.session == named.text ? 7.5 : 0.5);
        EXPECT_FALSE(use.derived);
    }
}

} // namespace
} // namespace kl::test
