// SPDX-License-Identifier: MIT
#include "core/stats/correctness_text.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(CorrectnessText, RefutesByTheWitnessElseByTheReason)
{
    Correctness seen;
    seen.reason = "max abs error 4.72";
    EXPECT_EQ(refutationText(seen), "") << "not checked";
    seen.result = CorrectnessResult::correct;
    EXPECT_EQ(refutedWords(seen), "");
    seen.result = CorrectnessResult::incorrect;
    EXPECT_EQ(refutedWords(seen), "incorrect: max abs error 4.72");
    seen.result = CorrectnessResult::replays;
    seen.witness = Witness{"It was not computed."};
    EXPECT_EQ(refutationText(seen), "It was not computed.");
    seen.witness.reset();
    seen.reason.clear();
    EXPECT_EQ(refutedWords(seen), "replays");
}

TEST(CorrectnessText, SaysWhereTheWitnessWas)
{
    EXPECT_EQ(witnessPlace({"It is too fast."}), "");
    EXPECT_EQ(witnessPlace({"", 3, "out", 35, 3.0, 4.5, "0x7f00", ""}), "checked pass 3, out[35]: 4.5 instead of 3, at 0x7f00");
    EXPECT_EQ(witnessPlace({"", 3, "out", 35, 3.0, {}, "", ""}), "checked pass 3, out[35]: not finite or never written instead of 3");
    EXPECT_EQ(witnessPlace({"", {}, "", {}, {}, {}, "0x7f00", "counter"}), "variable counter, at 0x7f00");
}

TEST(CorrectnessText, SaysHowManyPassesWereChecked)
{
    const auto text = [](CorrectnessResult result, std::optional<PassProof> proof) {
        Correctness correctness;
        correctness.result = result;
        correctness.proof = std::move(proof);
        return proofText(correctness);
    };
    using enum CorrectnessResult;
    EXPECT_EQ(text(notChecked, {}), "timed passes were not checked");
    EXPECT_EQ(text(correct, {}), "timed passes were not checked: recorded by an earlier version");
    EXPECT_EQ(text(correct, PassProof{3, 335, 335, true, ""}), "335 of 335 timed passes checked, on 3 secret input sets");
    EXPECT_EQ(text(correct, PassProof{2, 335, 20, true, ""}), "20 of 335 timed passes checked, on 2 secret input sets");
    EXPECT_EQ(text(correct, PassProof{1, 12, 12, true, "N"}), "12 of 12 timed passes checked, on 1 secret input set; N");
    EXPECT_EQ(text(correct, PassProof{2, 12, 12, false, ""}).find("secret"), std::string::npos);
}

TEST(CorrectnessText, SaysHowFarTheOutputIsFromTheReference)
{
    Correctness seen;
    seen.maxAbs = 0.5;
    seen.relL2 = 0.25;
    EXPECT_EQ(differenceText(seen), "max abs 0.5, mean abs not recorded, relative L2 0.25");
    seen.meanAbs = 0.125;
    EXPECT_EQ(differenceText(seen), "max abs 0.5, mean abs 0.125, relative L2 0.25");
}

TEST(CorrectnessText, AWitnessThatSaysNothingLeavesTheReason)
{
    Correctness seen;
    seen.result = CorrectnessResult::incorrect;
    seen.reason = "max abs error 4.72";
    seen.witness = Witness{};
    EXPECT_EQ(refutationText(seen), "max abs error 4.72");
    EXPECT_EQ(witnessPlace({"", {}, "out", {}, {}, {}, "", ""}), "out");
    EXPECT_EQ(witnessPlace({"", {}, "out", 0, {}, 1.5, "", ""}), "out[0]: 1.5");
}

} // namespace
} // namespace kl
