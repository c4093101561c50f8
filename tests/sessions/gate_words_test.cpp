// SPDX-License-Identifier: MIT
// Edges of what a session's gates and claims say: levels, parking, and what counts as passed.
#include "sessions/session/claims.h"
#include "sessions/session/gate.h"
#include "sessions/session/session_names.h"
#include "tests/sessions/store_support.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

SessionView evaluatedStep(Verdict verdict, double low, bool cumulative = true)
{
    SessionView view;
    view.cumulative = cumulative;
    view.evaluation.emplace();
    view.evaluation->verdict = verdict;
    view.evaluation->ratio = Ratio{low + 0.1, low, low + 0.2};
    return view;
}

TEST(CanPark, TakesASmallStepThatIsCertainlyFaster)
{
    EXPECT_TRUE(canPark(evaluatedStep(Verdict::faster, 1.01)));
    EXPECT_FALSE(canPark(evaluatedStep(Verdict::faster, 1))) << "the interval touches 1";
    EXPECT_FALSE(canPark(evaluatedStep(Verdict::equivalent, 1.01)));
    EXPECT_FALSE(canPark(evaluatedStep(Verdict::faster, 1.01, false)));
    SessionView unknown = evaluatedStep(Verdict::faster, 1.01);
    unknown.evaluation->ratio.reset();
    EXPECT_FALSE(canPark(unknown));
    unknown.evaluation.reset();
    EXPECT_FALSE(canPark(unknown));
}

TEST(Satisfied, IsAWaivedOrKnownGateThatBlocksNothing)
{
    const auto gate = [](GateResult result, GateProgress progress, bool blocks) {
        GateView view;
        view.result = result;
        view.progress = progress;
        view.blocks = blocks;
        return view;
    };
    EXPECT_TRUE(satisfied(gate(GateResult::pass, GateProgress::done, false)));
    EXPECT_TRUE(satisfied(gate(GateResult::fail, GateProgress::done, false))) << "a low speedup is known and leads on";
    EXPECT_FALSE(satisfied(gate(GateResult::fail, GateProgress::running, true)));
    EXPECT_FALSE(satisfied(gate(GateResult::pass, GateProgress::stale, false)));
    EXPECT_FALSE(satisfied(gate(GateResult::unknown, GateProgress::running, false)));
    EXPECT_TRUE(satisfied(gate(GateResult::unknown, GateProgress::waived, true)));
    EXPECT_STREQ(outcomeWord(gate(GateResult::fail, GateProgress::waived, true)), "waived");
    EXPECT_STREQ(outcomeWord(gate(GateResult::pass, GateProgress::stale, false)), "stale");
    EXPECT_STREQ(outcomeWord(gate(GateResult::pass, GateProgress::done, false)), "pass");
    EXPECT_STREQ(outcomeWord(gate(GateResult::fail, GateProgress::running, true)), "fail");
    EXPECT_STREQ(outcomeWord(gate(GateResult::unknown, GateProgress::running, true)), "unknown");
}

/// The figure of a claim in words, held against a run of 2 µs that moves 4 kB with 6,000 operations at 1.5 times the baseline.
ClaimView claimed(const std::string& figure, const std::string& about = "kernel")
{
    RunRecord run = support::timedRun("run", "naive", "2026-01-01T00:00:00.000Z", 2000);
    run.idealBytes = 4000;
    run.flops = 6000;
    run.speedup = 1.5;
    run.baseline = Baseline{"copy", Summary{3000, 3000, 3000, 5}, {}, {}, {}};
    return viewOf(Claim{"a blog", figure, about}, run);
}

TEST(ClaimFigures, HaveTheirUnits)
{
    for (const char* met : {"1.5x", "1.5×", "150 %", "2 us", "2 µs", "2000 ns", "0.002 ms", "0.000002 s", "2 GB/s", "0.002 TB/s",
                            "3 GFLOP/s", "0.003 TFLOP/s", "3 GFLOPS", "0.003 TFLOPS", "2 us of a copy"}) {
        const ClaimView view = claimed(met);
        ASSERT_TRUE(view.reached) << met << ": " << view.verdict;
        EXPECT_NEAR(*view.reached, 1, 1e-9) << met;
        EXPECT_EQ(view.evidence, "run:run");
    }
    EXPECT_EQ(claimed("1.4x").verdict, "reached");
    EXPECT_EQ(claimed("1.6x").verdict, "missed");
    EXPECT_EQ(claimed("2.1 us").verdict, "reached") << "a time is reached from above";
    EXPECT_EQ(claimed("1.9 us").verdict, "missed");
    EXPECT_NEAR(*claimed("3 us", "baseline").reached, 1, 1e-9);
    EXPECT_FALSE(claimed("1.5x", "baseline").reached);
    for (const char* none : {"fast", "0 us", "-1 us", "2 parsec", "2"})
        EXPECT_FALSE(claimed(none).reached) << none;
}

class SessionNames : public ::testing::Test {
protected:
    void add(const std::string& id, const std::string& name)
    {
        SessionHeader header;
        header.id.text = id;
        header.name = name;
        header.kind = "optimize";
        header.createdAt = "2026-01-0" + std::to_string(++count_) + "T00:00:00.000Z";
        header.templateJson = "{}";
        ASSERT_TRUE(store->createSession(header, {1, header.createdAt, "opened", "{}"}));
    }

    support::TempDir folder;
    std::unique_ptr<Store> store = support::openStore((folder / "kl.db").string());

private:
    int count_ = 0;
};

TEST_F(SessionNames, TheNextOneFollowsTheHighestNumber)
{
    EXPECT_EQ(*nextSessionName(*store), "N");
    add("aa1", "other");
    EXPECT_EQ(*nextSessionName(*store), "N");
    add("aa2", "N");
    EXPECT_EQ(*nextSessionName(*store), "N+1");
    add("aa3", "N+12");
    add("aa4", "N+3");
    add("aa5", "N+40x");
    add("aa6", "N+");
    EXPECT_EQ(*nextSessionName(*store), "N+13");
}

TEST_F(SessionNames, AreFoundByNameIdOrTheirStart)
{
    add("aa1", "N");
    add("ab2", "N+1");
    add("bb3", "ab");
    EXPECT_EQ(findSession(*store, "N")->text, "aa1") << "the whole name comes before the start of another";
    EXPECT_EQ(findSession(*store, "N+")->text, "ab2");
    EXPECT_EQ(findSession(*store, "bb")->text, "bb3");
    EXPECT_EQ(findSession(*store, "ab2")->text, "ab2");
    EXPECT_EQ(findSession(*store, "ab")->text, "bb3");
    EXPECT_EQ(findSession(*store, "a").error().code, ErrorCode::badInput) << "three start so";
    EXPECT_EQ(findSession(*store, "").error().code, ErrorCode::notFound);
    EXPECT_EQ(findSession(*store, "zebra").error().code, ErrorCode::notFound);
    EXPECT_EQ(latestOpenSession(*store)->text, "bb3");
}

} // namespace
} // namespace kl
