// SPDX-License-Identifier: MIT
#include "sessions/session/claims.h"

#include "sessions/session/session_json.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/snapshot.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kl::test {
namespace {

RunRecord measured()
{
    RunRecord run;
    run.id.text = "r1";
    run.timing.emplace();
    run.timing->gpu.median = 20'000; // 20 µs
    run.baseline.emplace();
    run.baseline->gpu = Summary{30'000, 29'000, 31'000, 50};
    run.speedup = 1.5;
    run.idealBytes = 20e6; // 1 TB/s
    run.flops = 4e9;       // 200 TFLOP/s
    return run;
}

TEST(Claims, ParsesSourceAndFigure)
{
    const Result<Claim> claim = parseClaim("source=README of flash-x, page 2,figure=1.5x");
    ASSERT_TRUE(claim);
    EXPECT_EQ(claim->source, "README of flash-x, page 2");
    EXPECT_EQ(claim->figure, "1.5x");
    EXPECT_EQ(claim->about, "kernel");
    EXPECT_EQ(parseClaim("figure=1.5x").error().code, ErrorCode::usage);
    EXPECT_EQ(parseClaim("source=x").error().code, ErrorCode::usage);
    EXPECT_EQ(parseClaim("source=x,figure=2x,about=weather").error().code, ErrorCode::usage);
    EXPECT_EQ(parseClaim("").error().code, ErrorCode::usage);
}

TEST(Claims, EachQuantityIsHeldAgainstItsOwnMeasurement)
{
    const RunRecord run = measured();
    const auto reached = [&](const char* figure, const char* about = "kernel") {
        return makeClaimView({"s", figure, about}, run).reached.value_or(-1);
    };
    EXPECT_NEAR(reached("1.5x"), 1.0, 1e-9);
    EXPECT_NEAR(reached("2×"), 0.75, 1e-9);
    EXPECT_NEAR(reached("90 % of the baseline"), 1.5 / 0.9, 1e-9);
    EXPECT_NEAR(reached("10 us"), 0.5, 1e-9);
    EXPECT_NEAR(reached("0.06 ms", "baseline"), 2.0, 1e-9);
    EXPECT_NEAR(reached("2 TB/s"), 0.5, 1e-9);
    EXPECT_NEAR(reached("100 TFLOP/s"), 2.0, 1e-9);
    EXPECT_GT(reached("1.2x"), 1);
    const auto verdict = [&](const char* figure) { return makeClaimView({"s", figure, "kernel"}, run).verdict; };
    for (const char* more : {"10 us", "2 TB/s"})
        EXPECT_EQ(verdict(more), verdict("2x")) << more;
    for (const char* met : {"1.5x", "100 TFLOP/s"})
        EXPECT_EQ(verdict(met), verdict("1.2x")) << met;
    EXPECT_NE(verdict("1.2x"), verdict("2x"));
    EXPECT_EQ(makeClaimView({"s", "1.2x", "kernel"}, run).evidence, "run:r1");
}

TEST(Claims, ARefutedRunReachesNothing)
{
    RunRecord run = measured();
    run.correctness.result = CorrectnessResult::belowPhysics;
    for (const char* figure : {"1.2x", "30 us", "1 TB/s", "1 TFLOP/s"})
        EXPECT_FALSE(makeClaimView({"s", figure, "kernel"}, run).reached) << figure;
    EXPECT_TRUE(makeClaimView({"s", "0.06 ms", "baseline"}, run).reached) << "the baseline was timed all the same";
}

/// One claim of each verdict, by what makes it so.
std::vector<std::pair<std::string, ClaimView>> makeClaimsByVerdict()
{
    RunRecord bare = measured();
    bare.flops = 0;
    return {{"reached", makeClaimView({"s", "1.2x", "kernel"}, measured())},
            {"missed", makeClaimView({"s", "2x", "kernel"}, measured())},
            {"no run", makeClaimView({"s", "1.5x", "kernel"}, std::nullopt)},
            {"no figure", makeClaimView({"s", "blazing fast", "kernel"}, measured())},
            {"of the baseline", makeClaimView({"s", "2x", "baseline"}, measured())},
            {"without its measurement", makeClaimView({"s", "1 TFLOP/s", "kernel"}, bare)}};
}

TEST(Claims, WhatCannotBeComparedIsReported)
{
    std::set<std::string> verdicts;
    for (const auto& [why, view] : makeClaimsByVerdict()) {
        EXPECT_TRUE(verdicts.insert(view.verdict).second) << why << ": " << view.verdict;
        EXPECT_EQ(view.reached.has_value(), why == "reached" || why == "missed") << why;
        EXPECT_EQ(view.evidence.empty(), why == "no run" || why == "no figure") << why;
    }
    EXPECT_FALSE(verdicts.contains(""));
    EXPECT_FALSE(makeClaimView({"s", "-3 us", "kernel"}, measured()).reached);
}

TEST(ClaimTexts, SnapshotOfEachVerdict)
{
    std::string text;
    for (const auto& [why, view] : makeClaimsByVerdict())
        text += why + ": " + view.claim.figure + " | " + view.verdict + '\n';
    test::expectSnapshot("texts/claims.txt", text);
}

TEST_F(EngineTest, AClaimIsMeasuredWhenTheBaselineIs)
{
    NewSession request;
    request.kernel = "transpose";
    request.kind = "baseline";
    request.claims.push_back({"the paper", "0.5x"});
    const SessionId id = unwrap(engine.create(request)).header.id;
    SessionView view = unwrap(engine.claim(id, {"a blog", "40 us", "baseline"}));
    ASSERT_EQ(view.claims.size(), 2U);
    EXPECT_FALSE(view.claims.front().reached || view.claims.back().reached);
    const std::string before = view.claims.front().verdict;
    view = stepTo(id, "done");
    EXPECT_NE(view.claims.front().verdict, before);
    EXPECT_EQ(view.claims.front().verdict, view.claims.back().verdict) << "both are missed";
    EXPECT_NEAR(*view.claims.front().reached, 0.25, 1e-9);
    EXPECT_NEAR(*view.claims.back().reached, 0.8, 1e-9);
    const std::size_t source = view.retrospective.find("the paper");
    ASSERT_NE(source, std::string::npos) << view.retrospective;
    EXPECT_NE(view.retrospective.find("0.5x", source), std::string::npos) << view.retrospective;
    EXPECT_EQ(sessionToJson(view)["claims"][0]["source"], "the paper");
}

TEST_F(EngineTest, AClaimIsHeldAgainstTheVariantThatIsKept)
{
    NewSession request;
    request.kernel = "transpose";
    request.claims.push_back({"a blog", "1 s"});
    request.claims.push_back({"a blog", "40 us", "baseline"});
    const SessionId id = unwrap(engine.create(request)).header.id;
    const SessionView view = stepTo(id, "done");
    ASSERT_TRUE(view.kept);
    ASSERT_EQ(view.claims.size(), 2U);
    EXPECT_EQ(view.claims.front().evidence, "run:" + view.candidateRun->id.text);
    EXPECT_NEAR(*view.claims.front().reached, 1e9 / view.candidateRun->timing->gpu.median, 1e-6);
    EXPECT_EQ(view.claims.back().evidence, "run:" + view.baselineRun->id.text);
}

} // namespace
} // namespace kl::test
