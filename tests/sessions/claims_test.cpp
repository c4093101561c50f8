// SPDX-License-Identifier: MIT
#include "sessions/session/claims.h"

#include "sessions/session/session_json.h"
#include "tests/sessions/engine_support.h"

#include <nlohmann/json.hpp>

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
    EXPECT_EQ(makeClaimView({"s", "2x", "kernel"}, run).verdict, "missed");
    EXPECT_EQ(makeClaimView({"s", "1.2x", "kernel"}, run).verdict, "reached");
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

TEST(Claims, WhatCannotBeComparedIsReported)
{
    EXPECT_EQ(makeClaimView({"s", "1.5x", "kernel"}, std::nullopt).verdict, "not measured yet");
    EXPECT_NE(makeClaimView({"s", "blazing fast", "kernel"}, measured()).verdict.find("no figure"), std::string::npos);
    EXPECT_FALSE(makeClaimView({"s", "2x", "baseline"}, measured()).reached);
    EXPECT_FALSE(makeClaimView({"s", "-3 us", "kernel"}, measured()).reached);
}

TEST_F(EngineTest, AClaimIsMeasuredWhenTheBaselineIs)
{
    NewSession request;
    request.kernel = "transpose";
    request.kind = "baseline";
    request.claims.push_back({"the paper", "0.5x"});
    const SessionId id = valueOf(engine.create(request)).header.id;
    SessionView view = valueOf(engine.claim(id, {"a blog", "40 us", "baseline"}));
    ASSERT_EQ(view.claims.size(), 2U);
    EXPECT_EQ(view.claims.front().verdict, "not measured yet");
    view = stepTo(id, "done");
    EXPECT_EQ(view.claims.front().verdict, "missed");
    EXPECT_NEAR(*view.claims.front().reached, 0.25, 1e-9);
    EXPECT_NEAR(*view.claims.back().reached, 0.8, 1e-9);
    EXPECT_NE(view.retrospective.find("Claimed by the paper: 0.5x"), std::string::npos);
    EXPECT_EQ(sessionToJson(view)["claims"][0]["source"], "the paper");
}

TEST_F(EngineTest, AClaimIsHeldAgainstTheVariantThatIsKept)
{
    NewSession request;
    request.kernel = "transpose";
    request.claims.push_back({"a blog", "1 s"});
    request.claims.push_back({"a blog", "40 us", "baseline"});
    const SessionId id = valueOf(engine.create(request)).header.id;
    const SessionView view = stepTo(id, "done");
    ASSERT_TRUE(view.kept);
    ASSERT_EQ(view.claims.size(), 2U);
    EXPECT_EQ(view.claims.front().evidence, "run:" + view.candidateRun->id.text);
    EXPECT_NEAR(*view.claims.front().reached, 1e9 / view.candidateRun->timing->gpu.median, 1e-6);
    EXPECT_EQ(view.claims.back().evidence, "run:" + view.baselineRun->id.text);
}

} // namespace
} // namespace kl::test
