// SPDX-License-Identifier: MIT
// Patterns by the command line: what each use of one saved, and the lines of a pattern of one's own.
#include "kloop.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <algorithm>

namespace kl::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

class PatternUses : public AskedKloop {
protected:
    void addOwn(const Words& more = {}) const
    {
        Words words{"patterns",       "add",      "--title",    "Swizzle the tile", "--problem",
                    "Bank conflicts", "--advice", "Swizzle it", "--when",           "finding"};
        words.insert(words.end(), more.begin(), more.end());
        json(words);
    }
};

TEST_F(PatternUses, AUseInAnOpenSessionHasNoSavingOfAnother)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(kloop({"db", "backup", file("copy.db"), "--db", ":sample:"}).code, 0);
    const auto uses = [&] { return json({"patterns", "show", "baseline-first", "--db", file("copy.db")})["uses"]; };
    const auto findReason = [](const Json& all, const char* session) {
        const auto found = std::ranges::find_if(all, [&](const Json& use) { return use["session_name"] == session; });
        return found == all.end() ? std::string() : (*found)["why"].get<std::string>();
    };
    const std::string finished = findReason(uses(), "transpose-1");
    ASSERT_NE(finished, "");
    json({"session", "new", "mine", "Coalesce the stores", "--kernel", "transpose", "--on", "sample", "--db", file("copy.db")});
    json({"session", "pattern", "baseline-first", "--session", "mine", "--db", file("copy.db")});
    const Json after = uses();
    EXPECT_EQ(findReason(after, "transpose-1"), finished);
    EXPECT_NE(findReason(after, "mine"), finished) << "nothing is measured while it is open";
    EXPECT_NE(findReason(after, "mine"), "");
}

TEST_F(PatternUses, EachOptionOfAnEditIsItsPart)
{
    addOwn();
    const Json edited =
        json({"patterns", "edit",   "swizzle-the-tile", "--why", "w",         "--evidence", "e",       "--step", "s1",      "--step", "s2",
              "--before", "b1\nb2", "--after",          "a",     "--example", "x",          "--check", "c1",     "--check", "c2"});
    EXPECT_EQ(edited["schema"], "kernelloop.pattern-body/1");
    EXPECT_EQ(edited["slug"], "swizzle-the-tile");
    EXPECT_EQ(edited["why"], "w");
    EXPECT_EQ(edited["evidence"], "e");
    EXPECT_EQ(edited["steps"], Json({"s1", "s2"}));
    EXPECT_EQ(edited["before"], "b1\nb2");
    EXPECT_EQ(edited["after"], "a");
    EXPECT_EQ(edited["example"], "x");
    EXPECT_EQ(edited["checklist"], Json({"c1", "c2"}));
    EXPECT_THAT(rows({"patterns", "edit", "swizzle-the-tile", "--step", "s3"}),
                ElementsAre(HasSubstr(": w"), HasSubstr(": e"), "1. s3", StartsWith("Before"), "b1", "b2", StartsWith("After"), "a",
                            HasSubstr(": x"), "[ ] c1", "[ ] c2"));
    const Json shown = json({"patterns", "show", "swizzle-the-tile"});
    EXPECT_EQ(shown["body"]["steps"], Json({"s3"})) << "which take the place of the others";
    EXPECT_EQ(shown["body"]["checklist"], Json({"c1", "c2"}));
    EXPECT_EQ(kloop({"patterns", "edit", "swizzle-the-tile", "--json"}).json()["error"]["where"], "swizzle-the-tile");
    EXPECT_EQ(kloop({"patterns", "edit", "swizzle-the-tile"}).code, 2);
}

TEST_F(PatternUses, WhatIsQuotedIsMinutesElseMoney)
{
    addOwn({"--minutes", "20"});
    const auto row = [&] { return findRow(text({"patterns"}), "swizzle-the-tile | "); };
    EXPECT_THAT(row(), HasSubstr(" | 20 min | "));
    addOwn({"--slug", "swizzle-the-tile", "--replace", "--dollars", "12"});
    EXPECT_THAT(row(), HasSubstr("$12.00"));
    const std::vector<std::string> found = rows({"patterns", "search", "swizzle"});
    EXPECT_THAT(found, Contains(StartsWith("swizzle-the-tile | own | finding | 0 | ")));
    const Answer none = kloop({"patterns", "show", "nosuch", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "nosuch");
    EXPECT_EQ(json({"patterns", "retire", "swizzle-the-tile"})["retired"], true);
    EXPECT_EQ(json({"patterns", "show", "swizzle-the-tile"})["retired"], true);
    EXPECT_EQ(json({"patterns", "retire", "swizzle-the-tile", "--undo"})["retired"], false);
}

TEST_F(PatternUses, ADecisionHasTheToolOfEachStepApartFromItsCommand)
{
    for (const auto& [speedup, time] : {std::pair{"0.5", "1"}, std::pair{"1", "1"}, std::pair{"3", "1"}}) {
        const Json decision = json({"decide", speedup, time});
        EXPECT_EQ(decision["speedup"], std::stod(speedup));
        EXPECT_EQ(decision["kernel_ms"], 1);
        for (const Json& step : decision["next"]) {
            const std::string command = step["command"], tool = step["tool"];
            EXPECT_TRUE(command.starts_with(tool)) << command << ' ' << tool;
            EXPECT_EQ(std::ranges::count(tool, ' '), tool.starts_with("kloop ") ? 1 : 0) << tool;
            EXPECT_EQ(tool.starts_with("kloop "), step["argv"][0] == "kloop") << tool;
            EXPECT_NE(step["action"], "");
        }
    }
}

} // namespace
} // namespace kl::test
