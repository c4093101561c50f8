// SPDX-License-Identifier: MIT
// What the commands of patterns print: their list, uses, returns, bodies and suggestions.
#include "tests/cli/history_text.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class PatternText : public HistoryText {
protected:
    void SetUp() override
    {
        HistoryText::SetUp();
        json({"patterns", "add", "--title", "Swizzle the tile", "--problem", "Bank conflicts", "--advice", "Swizzle it", "--when",
              "finding", "--dollars", "12"});
        const auto db = store();
        addSession(*db, "A", 1, 60, 1.5);
        addSession(*db, "B", 2, 60, 1.5);
        PatternApplication use{.id = "u1",
                               .pattern = "swizzle-the-tile",
                               .session = "id-A",
                               .at = "2026-01-01T00:00:00.000Z",
                               .quotedMinutes = 20,
                               .note = "by hand"};
        ASSERT_TRUE(db->saveApplication(use).ok());
        use.id = "u2";
        use.pattern = "baseline-first";
        use.session = "id-B";
        use.note.clear();
        ASSERT_TRUE(db->saveApplication(use).ok());
    }
};

TEST_F(PatternText, TheListCountsTheUsesOfEach)
{
    const std::vector<std::string> rows = readRows(text({"patterns"}));
    EXPECT_THAT(rows, Contains("swizzle-the-tile | own | finding | 1 | $12.00 | Swizzle the tile"));
    EXPECT_THAT(rows, Contains(StartsWith("baseline-first | operational | session-start | 1 | 1 h | ")));
    EXPECT_THAT(rows, Contains(StartsWith("profile-before-optimize | operational | ")));
    const Json list = json({"patterns"});
    for (const Json& pattern : list["patterns"])
        EXPECT_EQ(pattern["applications"], pattern["slug"] == "swizzle-the-tile" || pattern["slug"] == "baseline-first" ? 1 : 0)
            << pattern["slug"];
    EXPECT_EQ(list["totals"]["applications"], 2);
    EXPECT_FALSE(list["totals"].contains("slug"));
}

TEST_F(PatternText, OneIsShownWithItsUses)
{
    const Json shown = json({"patterns", "show", "swizzle-the-tile"});
    EXPECT_EQ(shown["retired"], false);
    ASSERT_THAT(shown["uses"], SizeIs(1));
    EXPECT_EQ(shown["uses"][0]["session_name"], "A");
    EXPECT_EQ(shown["uses"][0]["note"], "by hand");
    const std::vector<std::string> rows = readRows(text({"patterns", "show", "swizzle-the-tile"}));
    EXPECT_EQ(rows[0], "Swizzle the tile");
    EXPECT_EQ(rows[1], "own · swizzle-the-tile");
    EXPECT_THAT(rows, Contains(EndsWith(": Bank conflicts")));
    EXPECT_THAT(rows, Contains(EndsWith(": Swizzle it")));
    EXPECT_THAT(readFigures(rows), Contains("$12.00"));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("A | 20 min | "), EndsWith("; by hand"))));
    EXPECT_THAT(readRows(text({"patterns", "show", "profile-before-optimize"})), Not(Contains(StartsWith("A | "))));
}

TEST_F(PatternText, ReturnsAreListedForThoseThatWereUsed)
{
    const std::vector<std::string> rows = readRows(text({"patterns", "roi"}));
    EXPECT_THAT(rows, Contains(StartsWith("swizzle-the-tile | 1 | ")));
    EXPECT_THAT(rows, Contains(StartsWith("all | 2 | ")));
    EXPECT_THAT(rows, Not(Contains(StartsWith("profile-before-optimize"))));
    const Json answer = json({"patterns", "roi"});
    EXPECT_EQ(answer["engineer_rate"], 30);
    EXPECT_EQ(answer["total"]["applications"], 2);
    EXPECT_GT(answer["patterns"].size(), 2U) << "all of them";
    const std::vector<std::string> shipped = readRows(text({"patterns", "roi", "--db", ":documents:"}));
    EXPECT_THAT(shipped, Contains(AllOf(StartsWith("baseline-first | "), HasSubstr(" | N | ")))) << "the session that taught it";
}

TEST_F(PatternText, ABodyIsPrintedInItsParts)
{
    const std::vector<std::string> rows =
        readRows(text({"patterns", "edit", "swizzle-the-tile", "--why", "W", "--evidence", "E", "--step", "s1", "--step", "s2", "--before",
                       "b1\nb2", "--after", "A", "--example", "X", "--check", "c1"}));
    EXPECT_THAT(rows, ElementsAre(EndsWith(": W"), EndsWith(": E"), "1. s1", "2. s2", StartsWith("Before"), "b1", "b2", StartsWith("After"),
                                  "A", EndsWith(": X"), "[ ] c1"));
    EXPECT_THAT(readRows(text({"patterns", "show", "swizzle-the-tile"})), Contains("2. s2"));
    const std::string retired = readRows(text({"patterns", "retire", "swizzle-the-tile"}))[0];
    const std::string back = readRows(text({"patterns", "retire", "swizzle-the-tile", "--undo"}))[0];
    EXPECT_THAT(retired, StartsWith("swizzle-the-tile "));
    EXPECT_THAT(back, StartsWith("swizzle-the-tile "));
    EXPECT_NE(retired, back);
}

TEST_F(PatternText, OfOneAndItsChangesSnapshot)
{
    std::string all = text({"patterns", "show", "swizzle-the-tile"});
    all += text({"patterns", "edit", "swizzle-the-tile", "--why", "W", "--evidence", "E", "--step", "s1", "--before", "b1", "--after", "A",
                 "--example", "X", "--check", "c1"});
    all += text({"patterns", "retire", "swizzle-the-tile"});
    all += text({"patterns", "retire", "swizzle-the-tile", "--undo"});
    expectSnapshot("cli/patterns-own.txt", all + text({"patterns", "show", "profile-before-optimize"}));
}

TEST_F(PatternText, ASuggestionNamesItsOccasion)
{
    const Json found = json({"patterns", "suggest", "--finding", "bank-conflicts"});
    EXPECT_EQ(found["when"], "finding");
    EXPECT_EQ(found["finding"], "bank-conflicts");
    EXPECT_FALSE(found["suggestions"][0].contains("argv")) << "no session to apply it in";
    ASSERT_EQ(found["suggestions"][0]["next"].size(), 1U);
    EXPECT_EQ(found["suggestions"][0]["next"][0]["id"], "show-pattern");
    EXPECT_EQ(found["suggestions"][0]["next"][0]["argv"][3], found["suggestions"][0]["slug"]) << "kloop patterns show SLUG";
    const Json phase = json({"patterns", "suggest", "--phase", "profile", "--kind", "optimize"});
    EXPECT_EQ(phase["phase"], "profile");
    EXPECT_EQ(phase["kind"], "optimize");
    EXPECT_EQ(json({"patterns", "suggest", "--when", "session-start"})["when"], "session-start");
    EXPECT_THAT(readRows(text({"patterns", "suggest", "--when", "session-start"})), Contains(StartsWith("baseline-first | ")));
    const Answer unknown = kloop({"patterns", "suggest", "--finding", "slow", "--json"});
    EXPECT_EQ(unknown.json()["error"]["where"], "--finding");
    EXPECT_EQ(kloop({"patterns", "suggest", "--when", "x", "--json"}).json()["error"]["where"], "--when");
}

} // namespace
} // namespace kl::test
