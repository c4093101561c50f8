// SPDX-License-Identifier: MIT
#include "sessions/learning/history_parts.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

HistoryRow good()
{
    HistoryRow row;
    row.name = "N+6";
    row.status = SessionStatus::complete;
    row.statusText = "kept";
    row.minutes = {{100, FigureKind::measured, {}}};
    row.budgetMinutes = 240;
    row.blind = 0;
    row.minutesToBuild = 8;
    row.minutesToBottleneck = 14;
    row.gates = {
        {"G1", "pass", FigureKind::measured, {}}, {"G4", "pass", FigureKind::measured, {}}, {"G5", "pass", FigureKind::measured, {}}};
    return row;
}

TEST(Grade, AWhenNothingIsMissing)
{
    EXPECT_EQ(gradeRow(good(), 5).letter, "A");
    HistoryRow reverted = good();
    reverted.statusText = "reverted";
    reverted.gates.back().result = "fail";
    EXPECT_EQ(gradeRow(reverted, 5).letter, "A") << "a change that was measured and taken back is a good session";
}

TEST(Grade, EachThingMissingIsNamed)
{
    HistoryRow row = good();
    row.minutesToBottleneck = 40;
    Grade grade = gradeRow(row, 5);
    EXPECT_EQ(grade.letter, "B");
    EXPECT_NE(grade.reason.find("bottleneck"), std::string::npos);
    row.mistakes = {{"tiles-shrunk-without-profile", 1, 1, 0, ""}};
    row.blind = 1;
    EXPECT_EQ(gradeRow(row, 5).letter, "B") << "one action is not two faults";
    EXPECT_NE(gradeRow(row, 5).reason.find("1 of them unprofiled"), std::string::npos);
    row.money.gpu = {{6, FigureKind::measured, {}}};
    grade = gradeRow(row, 5);
    EXPECT_EQ(grade.letter, "C");
    EXPECT_NE(grade.reason.find("$6.00"), std::string::npos);
    EXPECT_EQ(gradeRow(row, 10).letter, "B") << "the target is a setting";
}

TEST(Grade, DForWhatWasNotDecidedOrNotProven)
{
    HistoryRow early = good();
    early.status = SessionStatus::endedEarly;
    EXPECT_EQ(gradeRow(early, 5).letter, "D");
    HistoryRow unproven = good();
    unproven.gates[1].result = "waived";
    EXPECT_EQ(gradeRow(unproven, 5).letter, "D");
    EXPECT_NE(gradeRow(unproven, 5).reason.find("G4"), std::string::npos);
}

TEST(Grade, NoneWhereThereIsNothingToGrade)
{
    HistoryRow row = good();
    row.status = SessionStatus::open;
    EXPECT_TRUE(gradeRow(row, 5).letter.empty());
    EXPECT_FALSE(gradeRow(row, 5).reason.empty());
    row = good();
    row.sample = true;
    EXPECT_TRUE(gradeRow(row, 5).letter.empty());
    row = good();
    row.replayed = true;
    row.minutes = {{900, FigureKind::measured, {}}};
    EXPECT_EQ(gradeRow(row, 5).letter, "A") << "times on recorded data say nothing";
}

TEST(Grade, OfAShippedSessionIsItsDocuments)
{
    HistoryRow row = good();
    row.sample = true;
    row.grade = {"B+", "because", FigureKind::measured};
    EXPECT_EQ(gradeRow(row, 5), (Grade{"B+", "because", FigureKind::quoted}));
    row.status = SessionStatus::open;
    EXPECT_EQ(gradeRow(row, 5).letter, "B+");
    HistoryRow own = good();
    own.grade = {"C", "earlier", FigureKind::measured};
    EXPECT_EQ(gradeRow(own, 5).letter, "A") << "it is given again";
    own.mistakes = {{"a", 1, 0, 0, ""}};
    EXPECT_NE(gradeRow(own, 5).reason.find("1 known mistake"), std::string::npos);
    EXPECT_EQ(gradeRow(own, 5).reason.find("unprofiled"), std::string::npos);
    own.mistakes.push_back({"b", 2, 0, 0, ""});
    EXPECT_NE(gradeRow(own, 5).reason.find("3 known mistakes"), std::string::npos);
}

} // namespace
} // namespace kl
