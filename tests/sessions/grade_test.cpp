// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/learning/history_parts.h"
#include "tests/support/snapshot.h"

#include <gtest/gtest.h>
#include <string>

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
    EXPECT_NE(grade.reason.find(formatMinutes(40)), std::string::npos) << grade.reason;
    row.mistakes = {{"tiles-shrunk-without-profile", 3, 3, 0, ""}};
    row.blind = 2;
    grade = gradeRow(row, 5);
    EXPECT_EQ(grade.letter, "B") << "one action is not two faults";
    for (const std::string& part : {formatMinutes(40), std::string("3"), std::string("2")})
        EXPECT_NE(grade.reason.find(part), std::string::npos) << part << ": " << grade.reason;
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
    const std::string one = gradeRow(own, 5).reason;
    EXPECT_NE(one.find('1'), std::string::npos) << one;
    own.mistakes.push_back({"b", 2, 0, 0, ""});
    const std::string three = gradeRow(own, 5).reason;
    EXPECT_NE(three.find('3'), std::string::npos) << three;
    EXPECT_EQ(three.find('0'), std::string::npos) << "none is said to be blind: " << three;
    own.blind = 2;
    for (const char figure : {'3', '2'})
        EXPECT_NE(gradeRow(own, 5).reason.find(figure), std::string::npos) << gradeRow(own, 5).reason;
}

TEST(GradeTexts, SnapshotOfTheReasons)
{
    std::string text;
    const auto add = [&](const std::string& which, const HistoryRow& row) {
        const Grade grade = gradeRow(row, 5);
        text += which + ": " + grade.letter + " | " + grade.reason + '\n';
    };
    HistoryRow row = good();
    add("nothing missing", row);
    row.mistakes = {{"a", 1, 0, 0, ""}};
    add("one mistake", row);
    row.mistakes.push_back({"b", 2, 0, 0, ""});
    row.blind = 2;
    row.gates.front().result = "waived";
    row.minutes = {{300, FigureKind::measured, {}}};
    row.minutesToBuild = 80;
    row.minutesToBottleneck = 40;
    row.money.gpu = {{6, FigureKind::measured, {}}};
    add("all missing", row);
    row.replayed = true;
    add("the same, replayed", row);
    row = good();
    row.gates[1].result = "waived";
    add("not proven", row);
    row.status = SessionStatus::endedEarly;
    add("ended early", row);
    row.status = SessionStatus::open;
    add("open", row);
    row.sample = true;
    add("shipped without a grade", row);
    test::expectSnapshot("texts/grades.txt", text);
}

} // namespace
} // namespace kl
