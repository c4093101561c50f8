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
    const std::string whole = witnessPlace({"", 3, "out", 35, 3.0, 4.5, "0x7f00", ""});
    EXPECT_EQ(test::valueText(whole), "\"3 35 4.5 3 0 7 00\"") << whole;
    EXPECT_NE(whole.find(", out[35]: 4.5 "), std::string::npos) << whole;
    EXPECT_TRUE(whole.ends_with(" 0x7f00")) << whole;
    const std::string unwritten = witnessPlace({"", 3, "out", 35, 3.0, {}, "", ""});
    EXPECT_NE(unwritten.find("out[35]: "), std::string::npos) << unwritten;
    EXPECT_TRUE(unwritten.ends_with(" 3")) << unwritten;
    const std::string global = witnessPlace({"", {}, "", {}, {}, {}, "0x7f00", "counter"});
    EXPECT_NE(global.find(" counter, "), std::string::npos) << global;
    EXPECT_TRUE(global.ends_with(" 0x7f00")) << global;
}

std::string describeProof(CorrectnessResult result, std::optional<PassProof> proof)
{
    Correctness correctness;
    correctness.result = result;
    correctness.proof = std::move(proof);
    return proofText(correctness);
}

TEST(CorrectnessText, SaysHowManyPassesWereChecked)
{
    using enum CorrectnessResult;
    EXPECT_EQ(test::valueText(describeProof(notChecked, {})), "\"\"");
    EXPECT_TRUE(describeProof(correct, {}).starts_with(describeProof(notChecked, {}) + ": "));
    EXPECT_EQ(test::valueText(describeProof(correct, PassProof{3, 335, 335, true, ""})), "\"335 335 3\"");
    EXPECT_EQ(test::valueText(describeProof(correct, PassProof{2, 335, 20, true, ""})), "\"20 335 2\"");
    EXPECT_EQ(test::valueText(describeProof(correct, PassProof{1, 12, 12, true, "N"})), "\"12 12 1\"");
    EXPECT_TRUE(describeProof(correct, PassProof{1, 12, 12, true, "N"}).ends_with("; N"));
    EXPECT_NE(describeProof(correct, PassProof{2, 12, 12, false, ""}), describeProof(correct, PassProof{2, 12, 12, true, ""}));
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
    for (const std::string& proof :
         {describeProof(notChecked, {}), describeProof(correct, {}), describeProof(correct, PassProof{3, 335, 335, true, ""}),
          describeProof(correct, PassProof{1, 12, 12, true, "N"}), describeProof(correct, PassProof{2, 12, 12, false, ""})})
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
