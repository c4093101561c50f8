// SPDX-License-Identifier: MIT
#include "tests/support/store_support.h"

#include "sessions/learning/history.h"
#include "sessions/patterns/add_pattern.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/patterns/savings.h"
#include "sessions/patterns/slug.h"

#include <gmock/gmock.h>

namespace kl {
namespace {

using support::openStore;
using ::testing::ElementsAre;

PhaseTimes times(const std::string& id, double baseline, std::vector<std::pair<std::string, std::string>> applied = {},
                 const std::string& kind = "optimize")
{
    return {id, kind, {{"baseline", baseline}}, std::move(applied)};
}

TEST(MeasuredSavings, AreTheMedianWithoutThePatternMinusTheTimeWithIt)
{
    const auto savings = computeMeasuredSavings({times("a", 30), times("b", 50), times("c", 34), times("d", 10, {{"p", "baseline"}})});
    ASSERT_EQ(savings.size(), 1U);
    EXPECT_EQ(savings[0].session, "d");
    EXPECT_EQ(savings[0].reference, 34);
    EXPECT_EQ(savings[0].references, 3);
    EXPECT_EQ(savings[0].minutes, 24);
}

TEST(MeasuredSavings, MayBeBelowZero)
{
    const auto savings = computeMeasuredSavings({times("a", 10), times("b", 10), times("c", 10), times("d", 25, {{"p", "baseline"}})});
    EXPECT_EQ(savings[0].minutes, -15) << "a pattern that cost time says so";
}

TEST(MeasuredSavings, PatternsOfOnePhaseShareIt)
{
    const auto savings =
        computeMeasuredSavings({times("a", 30), times("b", 30), times("c", 30), times("d", 10, {{"p", "baseline"}, {"q", "baseline"}})});
    ASSERT_EQ(savings.size(), 2U);
    EXPECT_EQ(*savings[0].minutes + *savings[1].minutes, 20) << "no minute is counted twice";
}

TEST(MeasuredSavings, NeedThreeSessionsOfTheKindWithoutIt)
{
    const auto savings = computeMeasuredSavings({times("a", 30), times("b", 30), times("x", 30, {}, "baseline"),
                                                 times("e", 30, {{"p", "baseline"}}), times("d", 10, {{"p", "baseline"}})});
    ASSERT_EQ(savings.size(), 2U);
    for (const MeasuredSaving& saving : savings) {
        EXPECT_FALSE(saving.minutes);
        EXPECT_EQ(saving.references, 2);
        EXPECT_FALSE(saving.why.empty());
    }
    EXPECT_FALSE(computeMeasuredSavings({times("d", 10, {{"p", "profile"}})})[0].minutes) << "a phase that was not timed";
}

/// Four finished sessions, the last with the pattern: measured through the database.
TEST(MeasuredSavings, ReachTheHistoryAndItsReturns)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->savePattern({"baseline-first", "1", "B", "operational", "p", "a", "session-start", 60.0}));
    for (int i = 1; i <= 5; ++i) {
        const std::string id = std::to_string(i);
        const bool replayed = i == 5;
        const SessionHeader header{
            {id}, "N+" + id, "optimize", "o", "transpose", replayed ? Source::sample : Source::live, "2026-03-0" + id, "{}"};
        ASSERT_TRUE(store->createSession(header, {1, "2026-03-0" + id, "opened", "{}"}));
        int seq = 2;
        if (i >= 4) {
            ASSERT_TRUE(store->appendEvent({id}, {seq++, "t", "pattern-applied", R"({"slug": "baseline-first", "phase": "baseline"})"}));
            ASSERT_TRUE(store->saveApplication({"use" + id, "baseline-first", id, "t", {}, 60.0, {}, false, ""}));
        }
        ASSERT_TRUE(store->appendEvent({id}, {seq, "t", "finished",
                                              R"({"outcome": "kept", "minutes": 100, "measured_minutes": {"baseline": )" +
                                                  std::to_string(i == 4 ? 12 : 20 + i) + "}}"}));
    }
    const Result<History> history = loadHistory(*store);
    ASSERT_TRUE(history) << history.error().message;
    EXPECT_EQ(history->own.savedMeasured, 10) << "22 in the median of three, 12 here; the replayed session counts for nothing";
    EXPECT_EQ(history->own.savedQuoted, 60);
    const PatternReturn& row = history->patterns.at(0);
    EXPECT_EQ(row.applications, 2);
    EXPECT_EQ(row.measuredMinutes, 10);
    EXPECT_EQ(row.quotedMinutes, 60);
    // Learned in a session of the sample: what it cost there is not this database's.
    EXPECT_TRUE(row.learnedIn.empty());
    EXPECT_FALSE(row.investedLow);
    EXPECT_FALSE(row.measuredReturn);
    EXPECT_FALSE(row.quotedReturn);
}

TEST(Slug, IsMadeOfTheTitle)
{
    EXPECT_EQ(makeSlug("Pad the shared tile!"), "pad-the-shared-tile");
    EXPECT_EQ(makeSlug("  16-byte loads (×4)  "), "16-byte-loads-4");
    EXPECT_EQ(makeSlug("…"), "untitled");
    EXPECT_LE(makeSlug(std::string(200, 'x')).size(), 48U);
}

TEST(PatternSearch, RanksByTitleAndTakesBeginningsAndEndings)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(seedPatterns(*store, *PatternLibrary::loadEmbedded()));
    const auto first = [&](const std::string& words) {
        const auto found = store->searchPatterns(words);
        EXPECT_TRUE(found);
        return found && !found->empty() ? found->front() : std::string();
    };
    EXPECT_EQ(first("bisect"), "bisect-over-archaeology");
    EXPECT_EQ(first("templates explic"), "explicit-instantiation");
    EXPECT_EQ(first("validating environments"), "environment-validation") << "endings do not count";
    EXPECT_EQ(first("launch OVERHEAD"), "launch-overhead-apart");
    EXPECT_TRUE(store->searchPatterns("zebra")->empty());
    EXPECT_TRUE(store->searchPatterns("bisect zebra")->empty()) << "all words must occur";
    EXPECT_EQ(store->searchPatterns("")->size(), store->patterns()->size());
    EXPECT_EQ(store->searchPatterns("\"'*()-:")->size(), store->patterns()->size()) << "no words";
    EXPECT_TRUE(store->searchPatterns("title:x OR NEAR(a b)")) << "never the engine's own query language";
}

TEST(PatternSearch, FollowsWhatIsSaved)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(addPattern(*store, {"", "", "Swizzle the tile", "", "Bank conflicts.", "Swizzle.", "finding"}));
    EXPECT_THAT(*store->searchPatterns("swizzl"), ElementsAre("swizzle-the-tile"));
    ASSERT_TRUE(addPattern(*store, {"swizzle-the-tile", "", "Pad the tile", "", "Bank conflicts.", "Pad.", "finding"}, true));
    EXPECT_TRUE(store->searchPatterns("swizzling advice")->empty());
    EXPECT_THAT(*store->searchPatterns("pad"), ElementsAre("swizzle-the-tile"));
}

TEST(AddPattern, RefusesWhatIsBlankUnknownOrTaken)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(seedPatterns(*store, *PatternLibrary::loadEmbedded()));
    const Pattern good{"", "", "Pad it", "", "Conflicts.", "Pad.", "finding"};
    ASSERT_TRUE(addPattern(*store, good));
    EXPECT_EQ(addPattern(*store, good).error().where, "pad-it") << "twice";
    EXPECT_TRUE(addPattern(*store, good, true));
    for (auto Pattern::*field : {&Pattern::title, &Pattern::problem, &Pattern::advice}) {
        Pattern blank = good;
        blank.*field = " ";
        EXPECT_EQ(addPattern(*store, blank, true).error().code, ErrorCode::badInput);
    }
    Pattern odd = good;
    odd.when = "on-tuesdays";
    EXPECT_NE(addPattern(*store, odd, true).error().hint.find("session-start"), std::string::npos);
    Pattern shipped = good;
    shipped.slug = "baseline-first";
    EXPECT_EQ(addPattern(*store, shipped, true).error().code, ErrorCode::badInput) << "a shipped one is never replaced";
}

TEST(DraftPattern, TakesFindingFixAndOutcomeFromTheSession)
{
    SessionView view;
    view.header.id = {"s6"};
    view.header.name = "N+6";
    view.header.kernel = "transpose";
    view.profileRun = support::profiledRun("r", "naive", "2026-03-01", 1000);
    view.fixTitle = "Stage the tile through shared memory";
    view.outcome = "kept";
    view.evaluation.emplace();
    view.evaluation->ratio = Ratio{2.2, 2.1, 2.3};
    const Pattern draft = draftPattern(view);
    EXPECT_EQ(draft.slug, "stage-the-tile-through-shared-memory");
    EXPECT_EQ(draft.problem, view.profileRun->diagnosis->finding.title);
    EXPECT_EQ(draft.when, "finding");
    EXPECT_EQ(draft.learnedIn, "s6");
    EXPECT_NE(draft.advice.find("2.20×"), std::string::npos) << draft.advice;
    EXPECT_FALSE(draft.quotedMinutes) << "nothing is claimed";
    const auto store = openStore(":memory:");
    EXPECT_TRUE(addPattern(*store, draft));
    EXPECT_TRUE(draft.advice.starts_with(view.fixTitle)) << draft.advice;
    view.outcome = "reverted";
    const std::string warning = draftPattern(view).advice;
    EXPECT_NE(warning.find(view.fixTitle), std::string::npos) << warning;
    EXPECT_FALSE(warning.starts_with(view.fixTitle)) << "it begins with what came of it: " << warning;
}

} // namespace
} // namespace kl
