// SPDX-License-Identifier: MIT
#include "core/stats/correctness_text.h"

#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(CorrectnessText, RefutesByTheWitnessElseByTheReason)
{
    Correctness seen;
    seen.reason = "max abs error 4.72";
    EXPECT_EQ(refutationText(seen), "") << "not checked";
    seen.result = CorrectnessResult::correct;
    EXPECT_EQ(describeRefuted(seen), "");
    seen.result = CorrectnessResult::incorrect;
    EXPECT_EQ(describeRefuted(seen), "incorrect: max abs error 4.72");
    seen.result = CorrectnessResult::replays;
    seen.witness = Witness{"It was not computed."};
    EXPECT_EQ(refutationText(seen), "It was not computed.");
    seen.witness.reset();
    seen.reason.clear();
    EXPECT_EQ(describeRefuted(seen), "replays");
}

TEST(CorrectnessText, SaysWhereTheWitnessWas)
{
    EXPECT_EQ(witnessPlace({"It is too fast."}), "");
    EXPECT_EQ(witnessPlace({"", 3, "out", 35, 3.0, 4.5, "0x7f00", ""}), "checked pass 3, out[35]: 4.5 instead of 3, at 0x7f00");
    const std::string unwritten = witnessPlace({"", 3, "out", 35, 3.0, {}, "", ""});
    EXPECT_NE(unwritten.find("out[35]: "), std::string::npos) << unwritten;
    EXPECT_TRUE(unwritten.ends_with(" 3")) << unwritten;
    EXPECT_EQ(witnessPlace({"", {}, "", {}, {}, {}, "0x7f00", "counter"}), "variable counter, at 0x7f00");
}

std::string proofOf(CorrectnessResult result, std::optional<PassProof> proof)
{
    Correctness correctness;
    correctness.result = result;
    correctness.proof = std::move(proof);
    return proofText(correctness);
}

TEST(CorrectnessText, SaysHowManyPassesWereChecked)
{
    using enum CorrectnessResult;
    EXPECT_EQ(test::valueText(proofOf(notChecked, {})), "\"\"");
    EXPECT_TRUE(proofOf(correct, {}).starts_with(proofOf(notChecked, {}) + ": "));
    EXPECT_EQ(test::valueText(proofOf(correct, PassProof{3, 335, 335, true, ""})), "\"335 335 3\"");
    EXPECT_EQ(test::valueText(proofOf(correct, PassProof{2, 335, 20, true, ""})), "\"20 335 2\"");
    EXPECT_EQ(test::valueText(proofOf(correct, PassProof{1, 12, 12, true, "N"})), "\"12 12 1\"");
    EXPECT_TRUE(proofOf(correct, PassProof{1, 12, 12, true, "N"}).ends_with("; N"));
    EXPECT_EQ(proofOf(correct, PassProof{2, 12, 12, false, ""}).find("hidden"), std::string::npos);
}

TEST(CorrectnessText, SnapshotOfTheSentences)
{
    using enum CorrectnessResult;
    Correctness seen;
    seen.maxAbs = 0.5;
    seen.relL2 = 0.25;
    std::string text = differenceText(seen) + '\n';
    seen.meanAbs = 0.125;
    text += differenceText(seen) + '\n';
    for (const Witness& witness : {Witness{"", 3, "out", 35, 3.0, 4.5, "0x7f00", ""}, Witness{"", 3, "out", 35, 3.0, {}, "", ""},
                                   Witness{"", {}, "", {}, {}, {}, "0x7f00", "counter"}, Witness{"", {}, "out", {}, {}, {}, "", ""}})
        text += witnessPlace(witness) + '\n';
    for (const std::string& proof : {proofOf(notChecked, {}), proofOf(correct, {}), proofOf(correct, PassProof{3, 335, 335, true, ""}),
                                     proofOf(correct, PassProof{1, 12, 12, true, "N"}), proofOf(correct, PassProof{2, 12, 12, false, ""})})
        text += proof + '\n';
    test::expectSnapshot("texts/correctness.txt", text);
}

TEST(CorrectnessText, SaysHowFarTheOutputIsFromTheReference)
{
    Correctness seen;
    seen.maxAbs = 0.5;
    seen.relL2 = 0.25;
    EXPECT_EQ(test::valueText(differenceText(seen)), "\"0.5 2 0.25\"") << "the 2 is that of L2";
    seen.meanAbs = 0.125;
    EXPECT_EQ(test::valueText(differenceText(seen)), "\"0.5 0.125 2 0.25\"");
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
