// SPDX-License-Identifier: MIT
// Edges of what a session's gates and claims say: levels, parking, and what counts as passed.
#include "sessions/session/claims.h"
#include "sessions/session/gate.h"
#include "sessions/session/session_names.h"
#include "tests/sessions/modeled_session.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <gtest/gtest.h>
#include <string>

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

class GateTexts : public test::ModeledSession {};

TEST_F(GateTexts, SnapshotOfTheVerdicts)
{
    std::string text;
    const auto add = [&](const std::string& state, const std::string& id) { text += id + ", " + state + ": " + gate(id).verdict + '\n'; };
    for (const SessionTemplate::Gate& one : model.plan.gates)
        add("in order", one.id);
    SessionView& view = model.view;
    view.memoryCheck->complete = false;
    add("memory not checked", "G4");
    view.evaluation->ratio = Ratio{1.1, 1.05, 1.15};
    add("a small step", "G5");
    view.cumulative = true;
    add("a small step, cumulative", "G5");
    view.parked = {{view.start, view.current, "", {}, Ratio{1.05, 1.04, 1.06}, {}}};
    add("two small steps", "G5");
    view.evaluation->ratio = Ratio{1.3, 1.25, 1.4};
    add("two steps", "G5");
    view.parked.clear();
    view.evaluation->ratio = Ratio{1.2, 0.9, 1.4};
    view.evaluation->verdict = Verdict::inconclusive;
    add("a wide interval", "G5");
    view.evaluation->ratio.reset();
    add("no ratio", "G5");
    view.candidateRun->correctness.suite.front().pass = false;
    add("incorrect", "G4");
    view.environment->checks.front().result = CheckResult::fail;
    add("a check failed", "G1");
    view = {};
    for (const SessionTemplate::Gate& one : model.plan.gates)
        add("nothing known", one.id);
    for (const double speedup : {0.1, 0.7, 1.2, 1.7, 2.5})
        text += chooseLevel(speedup, model.plan) + ": " + composeAdvice(chooseLevel(speedup, model.plan), speedup, model.plan) + '\n';
    test::expectSnapshot("texts/gate-verdicts.txt", text);
}

/// The figure of a claim in words, held against a run of 2 µs that moves 4 kB with 6,000 operations at 1.5 times the baseline.
ClaimView claimed(const std::string& figure, const std::string& about = "kernel")
{
    RunRecord run = support::timedRun("run", "naive", "2026-01-01T00:00:00.000Z", 2000);
    run.idealBytes = 4000;
    run.flops = 6000;
    run.speedup = 1.5;
    run.baseline = Baseline{"copy", Summary{3000, 3000, 3000, 5}, {}, {}, {}};
    return makeClaimView(Claim{"a blog", figure, about}, run);
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
    const std::string met = claimed("1.5x").verdict;
    const std::string missed = claimed("1.6x").verdict;
    EXPECT_NE(missed, met);
    EXPECT_GT(*claimed("1.4x").reached, 1);
    EXPECT_EQ(claimed("1.4x").verdict, met);
    EXPECT_LT(*claimed("1.6x").reached, 1);
    EXPECT_EQ(claimed("2.1 us").verdict, met) << "a time is reached from above";
    EXPECT_EQ(claimed("1.9 us").verdict, missed);
    EXPECT_NEAR(*claimed("3 us", "baseline").reached, 1, 1e-9);
    EXPECT_FALSE(claimed("1.5x", "baseline").reached);
    for (const char* none : {"fast", "0 us", "-1 us", "2 parsec", "2"})
        EXPECT_FALSE(claimed(none).reached) << none;
}

TEST(ClaimFigures, WithoutTheirMeasurementReachNothing)
{
    RunRecord run = support::timedRun("run", "naive", "t", 2000);
    run.idealBytes = 4000;
    run.flops = 6000;
    run.speedup = 1.5;
    const auto reached = [&](const char* figure, const char* about = "kernel") {
        const ClaimView view = makeClaimView(Claim{"a blog", figure, about}, run);
        EXPECT_EQ(view.reached.has_value(), !view.measured.empty()) << figure;
        return view.reached.has_value();
    };
    EXPECT_FALSE(reached("3 us", "baseline")) << "there is none";
    for (const char* figure : {"1.5x", "2 us", "2 GB/s", "3 GFLOP/s"})
        EXPECT_TRUE(reached(figure)) << figure;
    run.idealBytes = run.flops = 0;
    run.speedup.reset();
    for (const char* figure : {"1.5x", "2 GB/s", "3 GFLOP/s"})
        EXPECT_FALSE(reached(figure)) << figure;
    run.idealBytes = run.flops = 1;
    run.timing->gpu.median = 0;
    for (const char* figure : {"2 us", "2 GB/s", "3 GFLOP/s"})
        EXPECT_FALSE(reached(figure)) << figure;
    run.timing.reset();
    for (const char* figure : {"2 us", "2 GB/s", "3 GFLOP/s"})
        EXPECT_FALSE(reached(figure)) << figure;
    run.status = ResultStatus::computationFailed;
    const ClaimView failed = makeClaimView(Claim{"a blog", "2 us", "kernel"}, run);
    EXPECT_FALSE(failed.reached);
    EXPECT_EQ(failed.verdict, makeClaimView(Claim{"a blog", "2 us", "kernel"}, std::nullopt).verdict) << "as without a run";
    EXPECT_EQ(failed.evidence, "");
}

TEST(ClaimFigures, AreParsedByTheirKeysInAnyOrder)
{
    const Result<Claim> claim = parseClaim(" about = baseline , figure = 2 us , source = a, b = c ");
    ASSERT_TRUE(claim);
    EXPECT_EQ(claim->about, "baseline");
    EXPECT_EQ(claim->figure, "2 us");
    EXPECT_TRUE(claim->source.starts_with("a, b = c")) << claim->source;
    for (const char* none : {"source=a", "figure=2 us", "source=a,figure=2x,about=mood", "source=,figure=2x", "x", "a,source=b"}) {
        const Result<Claim> wrong = parseClaim(none);
        ASSERT_FALSE(wrong) << none;
        EXPECT_EQ(wrong.error().code, ErrorCode::usage);
        EXPECT_EQ(wrong.error().where, "--claim");
    }
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

TEST_F(SessionNames, TheLastKeptVariantIsOfTheKernelAndItsSource)
{
    const auto keep = [&](const std::string& id, const std::string& family, Source source, const std::string& variant) {
        SessionHeader header{{id}, "name " + id, "optimize", "", family, source, "2026-01-1" + id, "{}"};
        ASSERT_TRUE(store->createSession(header, {1, "t", "opened", "{}"}));
        if (!variant.empty()) {
            ASSERT_TRUE(store->appendEvent({id}, {2, "t", "kept", "{\"variant\":\"" + variant + "\"}"}));
        }
    };
    const auto last = [&](const char* family, Source source) {
        const auto found = findLastKept(*store, family, source);
        return *found ? toText(**found) : std::string();
    };
    EXPECT_EQ(last("transpose", Source::live), "");
    keep("1", "transpose", Source::live, "transpose/tiled");
    keep("2", "transpose", Source::live, "transpose/padded");
    keep("3", "transpose", Source::sample, "transpose/vector");
    keep("4", "copy", Source::live, "copy/coalesced");
    keep("5", "transpose", Source::live, "");
    EXPECT_EQ(last("transpose", Source::live), "transpose/padded") << "the newest that kept one";
    EXPECT_EQ(last("transpose", Source::sample), "transpose/vector");
    EXPECT_EQ(last("copy", Source::live), "copy/coalesced");
    EXPECT_EQ(last("copy", Source::sample), "");
    EXPECT_FALSE(*holdsSampleSessions(*store));
    SessionHeader shipped{{"6"}, "shipped", "sample", "", "copy", Source::sample, "2026-02-01", ""};
    ASSERT_TRUE(store->createSession(shipped, {1, "t", "opened", "{}"}));
    EXPECT_TRUE(*holdsSampleSessions(*store));
    EXPECT_EQ(latestOpenSession(*store)->text, "5") << "a shipped one is not open";
    const auto none = findSession(*store, "nobody");
    EXPECT_EQ(none.error().where, "nobody");
    EXPECT_EQ(findSession(*store, "name").error().where, "name");
}

} // namespace
} // namespace kl
