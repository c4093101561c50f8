// SPDX-License-Identifier: MIT
// What runs and blocks allow a verdict, and by which noise; what a run says of its clock and of its failure.
#include "sessions/measure/compare.h"
#include "sessions/measure/differences.h"
#include "sessions/measure/failed_run.h"
#include "sessions/measure/noise_floor.h"
#include "tests/sessions/engine_support.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <string>
#include <utility>
#include <vector>

namespace kl::test {
namespace {

using support::timedRun;
using testing::HasSubstr;
using testing::IsEmpty;

/// Two runs of one kernel that may be compared.
struct PairOfRuns {
    RunRecord a = timedRun("a", "naive", "t1", 2000);
    RunRecord b = timedRun("b", "tiled", "t2", 1000);
    PairOfRuns()
    {
        for (RunRecord* run : {&a, &b}) {
            run->device.driverVersion = "580.1";
            run->timing->clockMhz = 1755;
            run->timing->gpu.n = 20;
        }
    }
    Comparison compared(const std::string& waive = {}) const { return compareRuns(a, b, {0.01, "calibrated"}, waive); }
};

TEST(CompareRuns, TellsWhatPreventsAVerdictAndWhatAReasonMayWaive)
{
    struct Case {
        const char* reason;
        bool waivable;
        std::function<void(PairOfRuns&)> spoil;
    };
    const std::vector<Case> cases{
        {"same-run", false, [](PairOfRuns& p) { p.b.id = p.a.id; }},
        {"other-kernel", false, [](PairOfRuns& p) { p.b.kernel.family = "copy"; }},
        {"other-problem", false,
         [](PairOfRuns& p) {
             p.b.problem = {{"M", std::int64_t{1}}};
         }},
        {"no-valid-time", false, [](PairOfRuns& p) { p.a.timing.reset(); }},
        {"no-valid-time", false, [](PairOfRuns& p) { p.b.timing.reset(); }},
        {"no-valid-time", false, [](PairOfRuns& p) { p.b.status = ResultStatus::computationFailed; }},
        {"no-valid-time", false, [](PairOfRuns& p) { p.a.correctness.result = CorrectnessResult::incorrect; }},
        {"other-source", true, [](PairOfRuns& p) { p.b.source = Source::sample; }},
        {"other-device", true, [](PairOfRuns& p) { p.b.device.uuid = "GPU-2"; }},
        {"other-device", true, [](PairOfRuns& p) { p.b.device.name = "A100"; }},
        {"other-driver", true, [](PairOfRuns& p) { p.b.device.driverVersion = "581"; }},
        {"other-clock", true, [](PairOfRuns& p) { p.b.timing->clockMhz = 1755 * 1.06; }},
        {"other-clock", true, [](PairOfRuns& p) { p.b.timing->clockMhz = 1755 * 0.94; }},
        {"other-clock", true,
         [](PairOfRuns& p) {
             p.b.warnings = {{"clock-unlocked", ""}};
         }},
    };
    for (const Case& one : cases) {
        PairOfRuns pair;
        one.spoil(pair);
        const Comparison plain = pair.compared();
        EXPECT_EQ(plain.verdict, Verdict::notComparable) << one.reason;
        EXPECT_EQ(plain.reason, one.reason);
        EXPECT_FALSE(plain.ratio);
        EXPECT_FALSE(plain.next.empty() && plain.nextSteps.empty()) << one.reason;
        EXPECT_EQ(plain.a, "run:a");
        const Comparison waived = pair.compared("it is the same");
        EXPECT_EQ(waived.verdict, one.waivable ? Verdict::faster : Verdict::notComparable) << one.reason;
        EXPECT_EQ(waived.waived, one.waivable ? std::string(one.reason) + ": it is the same" : "");
        EXPECT_EQ(std::ranges::count(waived.warnings, "waived", &Warning::code), one.waivable ? 1 : 0);
    }
    PairOfRuns fine;
    EXPECT_EQ(fine.compared("a reason without need").waived, "");
    fine.b.timing->clockMhz = 1755 * 1.04;
    EXPECT_EQ(fine.compared().verdict, Verdict::faster);
    fine.b.timing->clockMhz.reset();
    fine.b.device.driverVersion.clear();
    EXPECT_EQ(fine.compared().verdict, Verdict::faster) << "what is not known prevents nothing";
}

TEST(CompareRuns, ARefutedSideIsNamedAndOneLaunchHasNoVerdict)
{
    PairOfRuns pair;
    const Comparison faster = pair.compared();
    EXPECT_DOUBLE_EQ(faster.ratio->value, 2);
    EXPECT_EQ(faster.b, "run:b");
    EXPECT_EQ(faster.noise.from, "calibrated");
    EXPECT_THAT(faster.statistics, HasSubstr("8"));
    EXPECT_EQ(faster.nextSteps.at(0).id, StepId::compareInTurn);
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::kernel), "transpose/naive");
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::other), "transpose/tiled");
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::source), "");
    EXPECT_EQ(faster.id, pair.compared().id) << "comparing again is the same comparison";
    pair.a.source = pair.b.source = Source::sample;
    EXPECT_EQ(pair.compared().nextSteps.at(0).at(StepArgument::source), "sample");
    for (RunRecord* one : {&pair.a, &pair.b}) {
        one->timing->gpu.n = 1;
        const Comparison single = pair.compared();
        EXPECT_EQ(single.verdict, Verdict::inconclusive);
        EXPECT_EQ(single.reason, "one-launch");
        EXPECT_FALSE(single.ratio);
        one->timing->gpu.n = 20;
    }
    pair.b.imported.emplace();
    EXPECT_EQ(pair.compared("x").nextSteps.at(0).id, StepId::profileProgram) << "a kernel of a program";
    pair.b.imported.reset();
    pair.b.correctness.result = CorrectnessResult::replays;
    EXPECT_EQ(pair.compared().refuted->side, "b");
    pair.a.correctness.result = CorrectnessResult::incorrect;
    EXPECT_EQ(pair.compared().refuted->side, "a") << "of two, the first";
    EXPECT_EQ(pair.compared().refuted->result, CorrectnessResult::incorrect);
    EXPECT_EQ(pair.compared().nextSteps.at(0).id, StepId::run);
}

class JudgedBlocks : public testing::Test {
protected:
    JudgedBlocks()
    {
        for (AbAnswer* one : {&answer}) {
            one->correctnessA.result = one->correctnessB.result = CorrectnessResult::correct;
            one->correctnessA.proof.emplace();
            one->correctnessB.proof.emplace();
            for (int i = 0; i < 10; ++i)
                one->blocks.push_back({{2000.0 + i, 2000.0}, {1000.0, 1000.0 + i}});
        }
    }
    Comparison judged(double keepAt = 1) const { return judgeBlocks(answer, subject, {0.01, "calibrated"}, keepAt); }
    AbAnswer answer;
    AbSubject subject{{"transpose", "naive", {}}, {"transpose", "tiled", {}}, "M=64,N=64"};
};

TEST_F(JudgedBlocks, AreJudgedWithTheirEnergiesAndWhatToDoNext)
{
    answer.warnings = {{"samples-discarded", "two"}};
    answer.energy = AbEnergy{{{{2.0, 2.0}, {1.0, 1.0}}, {{2.2, 2.0}, {1.0, 1.2}}}, "partly"};
    const Comparison faster = judged();
    EXPECT_EQ(faster.verdict, Verdict::faster);
    EXPECT_EQ(faster.blocks, 10);
    EXPECT_EQ(faster.data, answer.blocks);
    EXPECT_NEAR(faster.ratio->value, 2, 0.01);
    EXPECT_EQ(faster.warnings.at(0).code, "samples-discarded");
    EXPECT_EQ(faster.warnings.size(), 1U) << "calibrated and checked";
    EXPECT_EQ(faster.energy->blocks, 2);
    EXPECT_EQ(faster.energy->aJ, 2);
    EXPECT_EQ(faster.energy->bJ, 1);
    EXPECT_EQ(faster.energy->reason, "partly");
    EXPECT_TRUE(faster.energy->ratio);
    EXPECT_EQ(faster.nextSteps.at(0).id, StepId::run);
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::kernel), "transpose/tiled");
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::suite), "on");
    EXPECT_THAT(judged(2.5).nextSteps, IsEmpty()) << "faster, but not by enough";
    EXPECT_EQ(judged(2.5).verdict, Verdict::faster);
    EXPECT_FALSE(judged(1.5).nextSteps.empty());
    answer.energy->blocks.pop_back();
    EXPECT_EQ(judged().energy->blocks, 1);
    EXPECT_FALSE(judged().energy->ratio) << "one pair has no spread";
    for (AbBlock& block : answer.blocks)
        std::swap(block.a, block.b);
    EXPECT_EQ(judged().verdict, Verdict::slower);
    EXPECT_EQ(judged(1.5).next, judged().next) << "what is slower does not come near being kept";
    EXPECT_THAT(judged().sentence, HasSubstr("2.0"));
    EXPECT_THAT(judged().nextSteps, IsEmpty());
}

TEST_F(JudgedBlocks, WhatWasNotCheckedWhileTimedIsNoted)
{
    const auto unchecked = [&] { return std::ranges::count(judged().warnings, kPassesUnchecked, &Warning::code); };
    EXPECT_EQ(unchecked(), 0);
    answer.correctnessB.proof.reset();
    EXPECT_EQ(unchecked(), 1);
    answer.correctnessA.proof.reset();
    EXPECT_EQ(unchecked(), 1) << "once for both";
    answer.correctnessA = answer.correctnessB = {};
    EXPECT_EQ(unchecked(), 0) << "what was not checked at all claims nothing";
    const Comparison uncalibrated = judgeBlocks(answer, subject, {{}, "not calibrated"}, 1);
    EXPECT_EQ(uncalibrated.warnings.back().code, "noise-not-calibrated");
    EXPECT_EQ(uncalibrated.warnings.back().next.at(0).at(StepArgument::source), "");
    answer.recordedAt = "2026";
    EXPECT_EQ(judgeBlocks(answer, subject, {}, 1).warnings.back().next.at(0).at(StepArgument::source), "sample");
}

TEST_F(JudgedBlocks, OneBlockOrAFailedRunHasNoVerdict)
{
    answer.blocks.resize(2);
    EXPECT_NE(judged().verdict, Verdict::notComparable);
    answer.blocks.resize(1);
    EXPECT_EQ(judged().reason, "too-few-blocks");
    EXPECT_EQ(judged().verdict, Verdict::notComparable);
    answer.status = ResultStatus::computationFailed;
    answer.reason = "a trap";
    EXPECT_EQ(judged().reason, "run-failed");
    EXPECT_THAT(judged().sentence, HasSubstr("a trap"));
    EXPECT_EQ(judged().nextSteps.at(0).at(StepArgument::problem), "M=64,N=64");
    answer.correctnessA.result = CorrectnessResult::incorrect;
    EXPECT_EQ(judged().reason, "wrong-result");
    EXPECT_EQ(judged().nextSteps.at(0).at(StepArgument::kernel), "transpose/naive") << "the side to correct";
    answer.correctnessA.result = CorrectnessResult::correct;
    answer.correctnessB.result = CorrectnessResult::replays;
    EXPECT_EQ(judged().reason, "replays");
    EXPECT_EQ(judged().refuted->side, "b");
    EXPECT_EQ(judged().nextSteps.at(0).at(StepArgument::kernel), "transpose/tiled");
}

TEST(ClockState, IsWhatTheRunsWarningsSay)
{
    RunRecord run;
    EXPECT_EQ(clockState(run), "locked");
    run.warnings = {{"clock-unlocked", ""}};
    EXPECT_EQ(clockState(run), "free");
    run.warnings = {{"other", ""}, {"clock-base", ""}};
    EXPECT_EQ(clockState(run), "locked");
    run.imported.emplace();
    EXPECT_EQ(clockState(run), "locked") << "the report says so";
    run.warnings.clear();
    EXPECT_EQ(clockState(run), "");
    run.imported.reset();
    run.program.emplace();
    EXPECT_EQ(clockState(run), "");
}

TEST(FailedRuns, AKernelThatEndsItsWorkerIsARun)
{
    Hello hello;
    hello.devices.resize(1);
    hello.devices[0].name = "H200";
    Error error{.code = ErrorCode::kernelFailed, .message = "It ended.", .hint = "Run it alone.", .detail = "signal 11"};
    const Result<RunAnswer> failed = orFailedRun(error, hello);
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->status, ResultStatus::computationFailed);
    EXPECT_EQ(failed->reason, "It ended. Run it alone.");
    EXPECT_EQ(failed->device.name, "H200");
    EXPECT_EQ(failed->warnings.at(0).code, "worker-ended");
    EXPECT_THAT(failed->warnings.at(0).text, HasSubstr("signal 11"));
    error.hint.clear();
    EXPECT_EQ(orFailedRun(error, hello)->reason, "It ended.");
    error.code = ErrorCode::environment;
    EXPECT_FALSE(orFailedRun(error, hello));
}

TEST_F(EngineTest, NoiseIsTheUsersOwnElseTheKernelsElseTheDevicesWorst)
{
    const DeviceInfo device = gpu.hello().devices[0];
    const auto floor = [&](const std::string& kernel = "transpose/naive") { return noiseFloor(*store, device, Source::sample, {kernel}); };
    EXPECT_FALSE(floor().value);
    int number = 0;
    const auto add = [&](const std::string& kernel, const std::string& problem, double noise) {
        const std::string id = std::to_string(++number);
        ASSERT_TRUE(store->saveNoise(
            {id, device.uuid, device.name, device.driverVersion, Source::sample, kernel, problem, noise, {1, 1}, 2, 0, "2026-0" + id}));
    };
    add("transpose/naive", "M=1", 0.9);
    add("transpose/naive", "M=1", 0.02);
    add("transpose/naive", "M=2", 0.03);
    add("copy/coalesced", "M=1", 0.05);
    add("copy/coalesced", "M=2", 0.01);
    EXPECT_EQ(floor().value, 0.03) << "the newest of each problem, of these the worst";
    EXPECT_EQ(floor("softmax/x").value, 0.05);
    ASSERT_TRUE(store->setSetting("accepted-noise", "0.2"));
    EXPECT_EQ(floor().value, 0.2);
    ASSERT_TRUE(store->setSetting("accepted-noise:" + device.name, "0.1"));
    EXPECT_EQ(floor().value, 0.1);
    for (const char* none : {"0", "-1", "x"}) {
        ASSERT_TRUE(store->setSetting("accepted-noise:" + device.name, none));
        EXPECT_EQ(floor().value, 0.2) << none;
    }
}

} // namespace
} // namespace kl::test
