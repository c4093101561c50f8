// SPDX-License-Identifier: MIT
#include "sessions/session/rules.h"
#include "tests/sessions/engine_support.h"

#include <algorithm>

namespace kl::test {
namespace {

/// Whether an error has a rule's name and what breaking it cost.
bool names(const Error& error, const char* id)
{
    const auto rule = std::ranges::find(rules(), std::string(id), &Rule::id);
    return rule != rules().end() && error.message.find(rule->name) != std::string::npos &&
           error.message.find(rule->cost) != std::string::npos;
}

TEST_F(EngineTest, KeepBeforeTheProfileIsRefusedByName)
{
    const SessionId id = open();
    const Error error = refusedAct(id, SessionAction::keep);
    EXPECT_EQ(error.code, ErrorCode::refused);
    EXPECT_EQ(error.where, "profile-before-optimizing");
    EXPECT_EQ(exitCode(error.code), 1);
    EXPECT_TRUE(names(error, rule::kProfileFirst)) << error.message;
    const SessionView view = unwrap(engine.view(id));
    EXPECT_EQ(view.refusals, 1);
    EXPECT_EQ(view.events.back().type, "refused-attempt");
    EXPECT_EQ(view.phase, "environment");
}

TEST_F(EngineTest, ALargerSizeWaitsForTheSmallest)
{
    const SessionId id = open();
    step(id);
    EXPECT_EQ(refusedAct(id, SessionAction::measureBaseline).where, "smallest-first");
}

TEST_F(EngineTest, BelowHalfOnlyAProfileIsAllowed)
{
    const SessionId id = open();
    stepTo(id, "profile");
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix).where, "stop-below-half");
}

TEST_F(EngineTest, AboveHalfAFixStillWaitsForTheProfile)
{
    gpu.kernels["transpose/naive"].gpuNs = 60'000;
    const SessionId id = open();
    stepTo(id, "profile");
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix).where, "profile-before-optimizing");
}

TEST_F(EngineTest, AProfileWaitsForTheBaseline)
{
    const SessionId id = open();
    step(id);
    EXPECT_EQ(refusedAct(id, SessionAction::profile).where, "baseline-first");
}

TEST_F(EngineTest, NothingIsMeasuredBeforeTheEnvironment)
{
    const SessionId id = open();
    EXPECT_EQ(refusedAct(id, SessionAction::verifySmallest).where, "G1");
    EXPECT_TRUE(gpu.requested.empty());
}

TEST_F(EngineTest, TwoStepsAtOnceAreMoreThanOneVariable)
{
    const SessionId id = open();
    stepTo(id, "fix");
    const Error error = refusedAct(id, SessionAction::chooseFix, "transpose/padded");
    EXPECT_EQ(error.where, "one-variable");
    EXPECT_NE(error.message.find("naive → tiled"), std::string::npos);
    EXPECT_NE(error.message.find("tiled → padded"), std::string::npos);
}

TEST_F(EngineTest, ASecondFixWaitsForTheFirst)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::verifySuite);
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix, "transpose/tiled").where, "one-variable");
    EXPECT_EQ(refusedAct(id, SessionAction::finish).where, "one-variable");
}

TEST_F(EngineTest, NoTimeCountsBeforeTheSuite)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::verifySuite);
    EXPECT_EQ(refusedAct(id, SessionAction::evaluate).where, "correctness-first");
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "correctness-first");
}

TEST_F(EngineTest, KeepWaitsForTheEvaluation)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::evaluate);
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "G5");
}

TEST_F(EngineTest, SharedMemoryIsComputedBeforeAnythingCompiles)
{
    gpu.hello().devices.front().smemPerBlockOptin = 99 * 1024;
    NewSession request;
    request.kernel = "attention/fused@BLOCK_N=128";
    request.problem["D"] = std::int64_t{128};
    const Result<SessionView> refused = engine.create(request);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, "shared-memory-first") << refused.error().message;
    EXPECT_TRUE(names(refused.error(), rule::kSharedMemoryFirst)) << refused.error().message;
    // One tunable away from a start that fits.
    gpu.kernels["attention/fused"] = {100'000, 50'000, true, "", 10};
    request.kernel = "attention/fused";
    const SessionId id = unwrap(engine.create(request)).header.id;
    for (int i = 0; i < 4; ++i)
        step(id);
    const std::size_t requested = gpu.requested.size();
    const Error error = refusedAct(id, SessionAction::chooseFix, "attention/fused@BLOCK_N=128");
    EXPECT_EQ(error.where, "shared-memory-first") << error.message;
    EXPECT_EQ(gpu.requested.size(), requested);
}

TEST_F(EngineTest, AFinishedSessionStaysAsItIs)
{
    const SessionId id = open();
    stepTo(id, "done");
    EXPECT_EQ(engine.step(id).error().code, ErrorCode::refused);
    EXPECT_EQ(engine.waive(id, "G5", "because").error().code, ErrorCode::refused);
}

TEST_F(EngineTest, AnotherKindOfDeviceIsRefused)
{
    const SessionId id = open();
    FakeCollector live(Source::live);
    TestBench other(catalog, tree, live, *store);
    const Result<SessionView> result = TestEngine(other).step(id);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::refused);
    EXPECT_EQ(result.error().where, "baseline-first");
    ASSERT_EQ(result.error().next.size(), 1U);
    EXPECT_EQ(result.error().next.front().id, StepId::stepSession);
    EXPECT_TRUE(live.requested.empty());
}

TEST_F(EngineTest, AnotherLiveGpuIsRefusedUntilTheSessionMovesThere)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    TestBench first(catalog, tree, live, *store);
    TestEngine here(first);
    NewSession request;
    request.kernel = "transpose";
    const SessionId id = unwrap(here.create(request)).header.id;
    for (int i = 0; i < 3; ++i)
        unwrap(here.step(id));
    live.hello().devices.front().uuid = "GPU-another";
    const Error error = here.act(id, SessionAction::profile).error();
    EXPECT_EQ(error.where, "baseline-first");
    ASSERT_EQ(error.next.size(), 1U);
    EXPECT_EQ(error.next.front(), makeActionStep(SessionAction::checkEnvironment));
    const SessionView moved = unwrap(here.act(id, SessionAction::checkEnvironment));
    EXPECT_EQ(moved.phase, "baseline"); // what was measured on the other GPU has to be measured again
    EXPECT_EQ(findGate(moved, "G2").progress, GateProgress::stale);
    EXPECT_NE(findGate(moved, "G2").staleReason.find("GPU-another"), std::string::npos);
    EXPECT_EQ(moved.next.front().action, SessionAction::verifySmallest);
}

TEST_F(EngineTest, AnUnknownActionIsAUsageError)
{
    EXPECT_EQ(engine.action(open(), "dance").error().code, ErrorCode::usage);
    EXPECT_EQ(refusedAct(open(), SessionAction::waive).code, ErrorCode::usage) << "a waiver has a function of its own";
}

TEST(Rules, OneTunableIsOneVariable)
{
    KernelFamily family;
    family.id = "k";
    family.tunables.push_back({"BLOCK", {std::int64_t{64}, std::int64_t{128}}, std::int64_t{64}, ""});
    family.tunables.push_back({"WARPS", {std::int64_t{4}, std::int64_t{8}}, std::int64_t{4}, ""});
    const Address base{"k", "v", {}};
    EXPECT_EQ(listChangedVariables(family, base, {"k", "v", {{"BLOCK", std::int64_t{128}}}}), std::vector<std::string>{"BLOCK 64 → 128"});
    EXPECT_TRUE(listChangedVariables(family, base, {"k", "v", {{"BLOCK", std::int64_t{64}}}}).empty()); // the default, spelled out
    EXPECT_EQ(listChangedVariables(family, base, {"k", "v", {{"BLOCK", std::int64_t{128}}, {"WARPS", std::int64_t{8}}}}).size(), 2U);
}

TEST(Rules, AStepBackIsNoFix)
{
    KernelFamily family;
    family.id = "k";
    family.variants.resize(2);
    family.variants[0].id = "first";
    family.variants[1].id = "top";
    family.variants[1].fixes = "first";
    EXPECT_EQ(listChangedVariables(family, {"k", "first", {}}, {"k", "top", {}}).size(), 1U);
    EXPECT_EQ(listChangedVariables(family, {"k", "top", {}}, {"k", "first", {}}).size(), 2U);
}

TEST(Rules, SharedMemoryIsCheckedBeforeCompiling)
{
    WorkSpec work;
    work.launches.resize(2);
    work.launches[1].dynamicSmem = 100'000;
    EXPECT_EQ(sharedMemoryOverflow(work, 99 * 1024), std::nullopt);
    EXPECT_EQ(sharedMemoryOverflow(work, 48 * 1024), std::optional<std::int64_t>(100'000));
    EXPECT_EQ(sharedMemoryOverflow(work, 0), std::nullopt); // limit not known
}

TEST(Rules, EachRefusalNamesItsRuleAndCost)
{
    EXPECT_EQ(rules().size(), 8U);
    for (const Rule& rule : rules()) {
        const Error error = refusal(rule.id, "No.", "hint");
        EXPECT_EQ(error.where, rule.id);
        EXPECT_NE(error.message.find(rule.cost), std::string::npos);
    }
}

} // namespace
} // namespace kl::test
