// SPDX-License-Identifier: MIT
#include "core/model/source_lines.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

SampledInstruction instruction(std::int64_t offset, int line, std::map<std::string, std::int64_t> stalls,
                               std::optional<std::int64_t> executed = {})
{
    SampledInstruction one{"k", offset, kSourceFile, line, 0, std::move(stalls), executed, {}};
    for (const auto& [reason, samples] : one.stalls)
        one.samples += samples;
    return one;
}

TEST(SourceLines, AreSumsOverTheirInstructionsHottestFirst)
{
    SourceProfile profile;
    profile.instructions = {instruction(0, 3, {{"wait", 10}}, 4), instruction(16, 7, {{"long_scoreboard", 60}, {"selected", 5}}, 4),
                            instruction(32, 7, {{"long_scoreboard", 15}}, 8), instruction(48, 9, {{"barrier", 10}}),
                            instruction(64, 7, {}, 2)};
    summarizeLines(profile);
    EXPECT_EQ(profile.samples, 100);
    ASSERT_EQ(profile.lines.size(), 3u);
    EXPECT_EQ(profile.lines[0].line, 7);
    EXPECT_EQ(profile.lines[0].samples, 80);
    EXPECT_DOUBLE_EQ(profile.lines[0].share, 0.8);
    EXPECT_EQ(profile.lines[0].stalls.at("long_scoreboard"), 75);
    EXPECT_EQ(profile.lines[0].executed, 14); // of the instruction without samples, too
    EXPECT_EQ(profile.lines[2].executed, std::nullopt);
    ASSERT_EQ(profile.instructions.size(), 4u); // the one without samples is not kept
    EXPECT_EQ(profile.instructions.front().offset, 16);
}

TEST(SourceLines, AreWholeThoughInstructionsAreCut)
{
    SourceProfile profile;
    for (int i = 0; i < 10; ++i)
        profile.instructions.push_back(instruction(16 * i, 1 + i % 2, {{"wait", 1 + i}}));
    summarizeLines(profile, 3);
    EXPECT_EQ(profile.instructions.size(), 3u);
    EXPECT_EQ(profile.samples, 55);
    EXPECT_EQ(profile.lines[0].samples + profile.lines[1].samples, 55);
}

TEST(SourceLines, NothingSampledHasNoShares)
{
    SourceProfile profile;
    summarizeLines(profile);
    EXPECT_TRUE(profile.lines.empty());
    profile.instructions = {instruction(0, 3, {}, 4)};
    summarizeLines(profile);
    EXPECT_EQ(profile.lines.at(0).share, 0);
}

TEST(SourceLines, DominantStallIsNoStallOnlyWithoutAny)
{
    EXPECT_EQ(dominantStall({}), "");
    EXPECT_EQ(dominantStall({{"selected", 9}}), "selected");
    EXPECT_EQ(dominantStall({{"selected", 9}, {"wait", 1}, {"barrier", 2}}), "barrier");
}

TEST(SourceLines, TheCauseIsTheLineThatMostOfTheSamplesWaitFor)
{
    SourceLine line;
    line.file = kSourceFile;
    line.line = 9;
    line.samples = 100;
    EXPECT_EQ(findCause(line), (LinePlace{kSourceFile, 9}));
    line.waitsFor = {{"kernel.cu:4", 49}, {"kernel.cu:5", 20}};
    EXPECT_EQ(findCause(line), (LinePlace{kSourceFile, 9}));
    line.waitsFor = {{"kernel.cu:4", 30}, {"kernel.cu:5", 60}};
    EXPECT_EQ(findCause(line), (LinePlace{kSourceFile, 5}));
}

TEST(SourceLines, APlaceWithoutALineIsSaidToHaveNone)
{
    EXPECT_EQ(placeText("kernel.cu", 12), "kernel.cu:12");
    EXPECT_EQ(placeText("kernel.cu", 0), placeText("other.cu", -1));
    EXPECT_FALSE(placeText("kernel.cu", 0).empty());
}

TEST(SourceLines, HalfOfTheSamplesIsEnoughForACause)
{
    SourceLine line{"kernel.cu", 12, 100, 0.5, {}, {}, {}, {{"other.cu:7", 50}}};
    EXPECT_EQ(findCause(line), (LinePlace{"other.cu", 7}));
    line.waitsFor["other.cu:7"] = 49;
    EXPECT_EQ(findCause(line), (LinePlace{"kernel.cu", 12}));
}

TEST(SourceLines, SumThreadsAndAreSharesOfAll)
{
    SourceProfile profile;
    profile.instructions = {instruction(0, 3, {{"wait", 10}}), instruction(16, 3, {{"wait", 5}, {"barrier", 15}}),
                            instruction(32, 4, {{"wait", 70}})};
    profile.instructions[0].threads = 100;
    profile.instructions[1].threads = 50;
    profile.samples = 7; // of an earlier summary
    profile.lines.resize(4);
    summarizeLines(profile);
    EXPECT_EQ(profile.samples, 100);
    ASSERT_EQ(profile.lines.size(), 2u);
    EXPECT_EQ(profile.lines[0].line, 4);
    EXPECT_DOUBLE_EQ(profile.lines[0].share, 0.7);
    EXPECT_EQ(profile.lines[1].threads, 150);
    EXPECT_EQ(profile.lines[1].stalls, (std::map<std::string, std::int64_t>{{"barrier", 15}, {"wait", 15}}));
    EXPECT_EQ(profile.lines[0].threads, std::nullopt);
}

TEST(SourceLines, ACauseWithoutALineIsTheLineItself)
{
    SourceLine line{"kernel.cu", 12, 100, 0.5, {}, {}, {}, {{"elsewhere", 90}}};
    EXPECT_EQ(findCause(line), (LinePlace{"kernel.cu", 12}));
    line.waitsFor = {{"a:b.cu:7", 90}};
    EXPECT_EQ(findCause(line), (LinePlace{"a:b.cu", 7})) << "a colon of the name is none of the place";
    EXPECT_EQ(dominantStall({{"a", 3}, {"b", 3}}), "a") << "the first of equals";
    EXPECT_EQ(dominantStall({{"a", 0}}), "");
}

} // namespace
} // namespace kl
