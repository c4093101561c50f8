// SPDX-License-Identifier: MIT
// A refuted measurement is never faster, kept, the best of a search, or evidence.
#include "core/codec/run_codec.h"
#include "core/model/model_words.h"
#include "sessions/measure/compare.h"
#include "sessions/report/report.h"
#include "tests/sessions/engine_support.h"

#include <array>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

const Address kKept{"transpose", "naive", {}};
const Address kCheat{"transpose", "tiled", {}};

constexpr std::array kRefuting{
    CorrectnessResult::incorrectWhenTimed, CorrectnessResult::stateful,     CorrectnessResult::replays,
    CorrectnessResult::nonDeterministic,   CorrectnessResult::belowPhysics, CorrectnessResult::precisionDowngrade};

TEST_F(EngineTest, AnAbOfARefutedSideSaysTheWordTheSideAndTheWitness)
{
    for (const CorrectnessResult result : kRefuting) {
        gpu.kernels["transpose/tiled"].whenTimed = result;
        const Comparison comparison = unwrap(bench.ab(kKept, kCheat, {}));
        EXPECT_EQ(comparison.verdict, Verdict::notComparable);
        EXPECT_EQ(comparison.reason, toWord(result));
        EXPECT_FALSE(comparison.ratio);
        ASSERT_TRUE(comparison.refuted);
        EXPECT_EQ(comparison.refuted->side, "b");
        EXPECT_EQ(comparison.refuted->result, result);
        ASSERT_TRUE(comparison.refuted->witness);
        EXPECT_EQ(comparison.refuted->witness->pass, 3);
        const std::size_t named = comparison.sentence.find("transpose/tiled");
        ASSERT_NE(named, std::string::npos) << comparison.sentence;
        EXPECT_NE(comparison.sentence.find("transpose/tiled", named + 1), std::string::npos) << comparison.sentence;
        EXPECT_EQ(comparison.sentence.find("transpose/naive"), comparison.sentence.rfind("transpose/naive")) << comparison.sentence;
        EXPECT_NE(comparison.sentence.find(toWord(result)), std::string::npos) << comparison.sentence;
        EXPECT_NE(comparison.sentence.find(comparison.refuted->witness->what), std::string::npos) << comparison.sentence;
        EXPECT_EQ(keepDecision(comparison, 1.2), KeepDecision::inconclusive);
        EXPECT_FALSE(wantsSecondLook(comparison, 1.2));
        const Json json = *parseJson(comparisonReport(comparison, {}, {}).json, "report");
        EXPECT_EQ(json["comparison"]["refuted"]["side"], "b");
        EXPECT_EQ(json["comparison"]["refuted"]["result"], toWord(result));
        EXPECT_EQ(unwrap(bench.ab(kCheat, kKept, {})).refuted->side, "a");
    }
}

TEST(JudgeBlocks, AnEditIsToldApartFromWhatItChanged)
{
    const Address kernel{"mine", "only", {}};
    AbAnswer answer;
    answer.status = ResultStatus::ok;
    for (int i = 0; i < 10; ++i)
        answer.blocks.push_back({{8000.0 + i, 8001.0 + i}, {4000.0 + i, 4001.0 + i}});
    const Comparison edited = judgeBlocks(answer, {kernel, kernel, "N=1", true}, {}, 1.2);
    EXPECT_EQ(edited.verdict, Verdict::faster);
    const std::size_t named = edited.sentence.find("mine/only");
    ASSERT_NE(named, std::string::npos) << edited.sentence;
    EXPECT_EQ(edited.sentence.find("mine/only", named + 1), std::string::npos) << edited.sentence;
    EXPECT_EQ(edited.a, "mine/only");
    EXPECT_EQ(edited.b, "mine/only");
    ASSERT_FALSE(edited.nextSteps.empty());
    EXPECT_EQ(edited.nextSteps.front().at(StepArgument::kernel), "mine/only") << "steps name the kernel";
}

TEST_F(EngineTest, ARefutedSideIsStoredWithItsComparison)
{
    gpu.kernels["transpose/tiled"].whenTimed = CorrectnessResult::replays;
    const Comparison comparison = unwrap(bench.ab(kKept, kCheat, {}));
    ASSERT_TRUE(comparison.refuted);
    EXPECT_EQ(unwrap(store->comparison(comparison.id)).refuted, comparison.refuted);
}

TEST_F(EngineTest, APlainlyIncorrectSideKeepsItsReason)
{
    gpu.kernels["transpose/tiled"].right = false;
    const Comparison comparison = unwrap(bench.ab(kKept, kCheat, {}));
    EXPECT_EQ(comparison.reason, "wrong-result");
    ASSERT_TRUE(comparison.refuted);
    EXPECT_EQ(comparison.refuted->result, CorrectnessResult::incorrect);
    EXPECT_FALSE(comparison.refuted->witness);
}

TEST_F(EngineTest, ARefutedStoredRunHasNoValidTime)
{
    const RunRecord kept = unwrap(bench.run(kKept, {}, false));
    gpu.kernels["transpose/tiled"].whenTimed = CorrectnessResult::replays;
    RunRecord cheat = unwrap(bench.run(kCheat, {}, false));
    EXPECT_FALSE(isUsable(cheat));
    EXPECT_FALSE(cheat.timing);
    EXPECT_FALSE(cheat.speedup);
    cheat.timing = kept.timing; // a time that was stored anyway
    const Comparison comparison = compareRuns(kept, cheat);
    EXPECT_EQ(comparison.reason, "no-valid-time");
    EXPECT_NE(comparison.sentence.find("replays"), std::string::npos) << comparison.sentence;
    ASSERT_TRUE(comparison.refuted);
    EXPECT_EQ(comparison.refuted->side, "b");
    EXPECT_FALSE(comparison.ratio);
    EXPECT_EQ(compareRuns(kept, cheat, {}, "I insist").reason, "no-valid-time") << "no reason waives it";
}

TEST_F(EngineTest, NoiseIsNotCalibratedOnARefutedKernel)
{
    gpu.kernels["transpose/tiled"].whenTimed = CorrectnessResult::stateful;
    const Result<NoiseRecord> noise = bench.calibrate(kCheat, {}, 2, {});
    ASSERT_FALSE(noise);
    EXPECT_EQ(noise.error().code, ErrorCode::notComparable);
    EXPECT_EQ(noise.error().detail, "stateful");
    EXPECT_TRUE(unwrap(store->noise()).empty());
}

TEST_F(EngineTest, ASessionNeverKeepsARefutedCandidate)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::evaluate);
    for (auto& [name, kernel] : gpu.kernels)
        if (name != "transpose/naive")
            kernel.whenTimed = CorrectnessResult::replays;
    const SessionView view = step(id);
    ASSERT_TRUE(view.evaluation);
    EXPECT_EQ(view.evaluation->reason, "replays");
    EXPECT_NE(view.next.front().action, SessionAction::keep);
    refusedAct(id, SessionAction::keep);
    EXPECT_NE(unwrap(engine.view(id)).outcome, "kept");
}

} // namespace
} // namespace kl::test
