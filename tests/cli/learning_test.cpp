// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "sessions/learning/scripted.h"
#include "text_rows.h"

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class LearningCommands : public Kloop {
protected:
    /// The answer of a command that has to succeed.
    Json json(std::vector<std::string> words) const
    {
        words.push_back("--json");
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 0) << answer.err;
        return answer.code == 0 ? answer.json() : Json::object();
    }
    /// A session on the recording, stepped `steps` times.
    void session(const std::string& name, int steps) const
    {
        ASSERT_EQ(kloop({"session", "new", name, "Coalesce the stores", "--kernel", "transpose", "--on", "sample"}).code, 0);
        for (int i = 0; i < steps; ++i)
            ASSERT_EQ(kloop({"session", "step", "--session", name}).code, 0);
    }
};

TEST_F(LearningCommands, PatternsAreListedShownAndSearched)
{
    const Json list = json({"patterns", "list"});
    EXPECT_EQ(list["schema"], "kernelloop.patterns/1");
    EXPECT_EQ(list["patterns"].size(), json({"patterns"})["patterns"].size()) << "the bare word lists";
    EXPECT_TRUE(list["totals"]["measured"]["minutes"].is_null());
    ASSERT_FALSE(list["quoted_totals"].empty());
    EXPECT_THAT(list["quoted_totals"][0]["text"].get<std::string>(), HasSubstr("8 to 10 h")) << "quoted, and apart from any sum";
    const Json one = json({"patterns", "show", "baseline-first"});
    EXPECT_EQ(one["quoted_minutes"], 60);
    EXPECT_EQ(json({"patterns", "show", "baseline-first", "--db", ":documents:"})["learned_in"], "N");
    EXPECT_TRUE(one["uses"].empty());
    const Json found = json({"patterns", "search", "launch", "overhead"});
    EXPECT_EQ(found["query"], "launch overhead");
    EXPECT_EQ(found["patterns"][0]["slug"], "launch-overhead-apart");
    EXPECT_TRUE(json({"patterns", "search", "zebra"})["patterns"].empty());
    const Answer unknown = kloop({"patterns", "show", "nothing", "--json"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_EQ(unknown.json()["error"]["code"], "not-found");
    EXPECT_EQ(kloop({"patterns", "search"}).code, 2);
}

TEST_F(LearningCommands, AddByHandAndSuggestForAFinding)
{
    const Json added = json({"patterns", "add", "--title", "Swizzle the tile", "--problem", "Bank conflicts", "--advice", "Swizzle",
                             "--when", "finding", "--minutes", "12"});
    EXPECT_EQ(added["slug"], "swizzle-the-tile");
    EXPECT_EQ(added["kind"], "own");
    EXPECT_EQ(kloop({"patterns", "add", "--title", "Swizzle the tile", "--problem", "p", "--advice", "a"}).code, 4) << "taken";
    EXPECT_EQ(json({"patterns", "add", "--title", "Swizzle the tile", "--problem", "p", "--advice", "a", "--replace"})["problem"], "p");
    EXPECT_EQ(kloop({"patterns", "add", "--title", "x"}).code, 4) << "a problem is missing";
    EXPECT_EQ(kloop({"patterns", "add", "--from", "nobody"}).code, 4);
    const Json suggestions = json({"patterns", "suggest", "--finding", "launch-overhead"})["suggestions"];
    ASSERT_EQ(suggestions.size(), 2u);
    EXPECT_EQ(suggestions[1]["slug"], "launch-overhead-apart");
    EXPECT_EQ(json({"patterns", "suggest", "--phase", "profile"})["suggestions"][0]["slug"], "profile-before-optimize");
    EXPECT_THAT(kloop({"patterns", "suggest", "--phase", "lunch"}).err, HasSubstr("environment"));
    EXPECT_EQ(kloop({"patterns", "suggest", "--when", "tuesday"}).code, 4);
    const Answer unknown = kloop({"patterns", "suggest", "--finding", "too-slow"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_THAT(unknown.err, HasSubstr("bank-conflicts"));
    EXPECT_EQ(kloop({"patterns", "suggest"}).code, 4) << "no session is open";
}

TEST_F(LearningCommands, ASessionAppliesIsSuggestedToAndTeaches)
{
    KL_NEEDS_SAMPLE();
    session("N+6", 5);
    const Json suggested = json({"patterns", "suggest"});
    EXPECT_EQ(suggested["session"], "N+6");
    ASSERT_FALSE(suggested["suggestions"].empty());
    EXPECT_EQ(suggested["suggestions"][0]["argv"][2], "apply");
    const Json applied = json({"patterns", "apply", "profile-before-optimize", "--note", "by the book"});
    EXPECT_EQ(applied["quoted_minutes"], 90);
    EXPECT_TRUE(applied["measured_minutes"].is_null());
    EXPECT_EQ(applied["again"], false);
    EXPECT_EQ(json({"patterns", "apply", "profile-before-optimize"})["again"], true);
    EXPECT_EQ(kloop({"patterns", "apply", "profile-before-optimized"}).code, 4);
    EXPECT_EQ(kloop({"patterns", "apply", "baseline-first", "--minutes", "-3"}).code, 4);
    const Json taught = json({"patterns", "add", "--from", "N+6"});
    EXPECT_FALSE(taught["problem"].get<std::string>().empty());
    EXPECT_THAT(taught["origin"].get<std::string>(), HasSubstr("N+6"));
    const Json roi = json({"patterns", "roi"});
    EXPECT_EQ(roi["total"]["applications"], 1);
    EXPECT_TRUE(roi["total"]["quoted"]["minutes"].is_null()) << "a walk on recorded data saves nobody's time";
    EXPECT_TRUE(roi["total"]["measured"]["minutes"].is_null());
    EXPECT_THAT(kloop({"patterns", "roi"}).out, HasSubstr("profile-before-optimize"));
    const Json learned = json({"learn"})["sessions"].back();
    EXPECT_EQ(learned["learned"].size(), 1u);
    EXPECT_EQ(learned["replayed"], true);
    EXPECT_EQ(json({"patterns", "add", "--from", "N+6", "--title", "Tile the stores"})["slug"], "tile-the-stores");
}

TEST_F(LearningCommands, LearnShowsTheShippedHistoryAndItsTotals)
{
    const Json answer = json({"learn", "--db", ":documents:"});
    EXPECT_EQ(answer["schema"], "kernelloop.learning/1");
    EXPECT_EQ(answer["sample"]["blind_optimizations"], 2);
    EXPECT_EQ(answer["planned"].size(), 3u);
    EXPECT_EQ(answer["dashboard"].size(), 6u);
    EXPECT_EQ(answer["goal"]["reduction"], 0.83);
    EXPECT_EQ(answer["economics"]["value_sum"], 1700);
    EXPECT_EQ(answer["economics"]["investment_sum"], 221.5);
    ASSERT_EQ(answer["sessions"].size(), 7u);
    EXPECT_EQ(answer["sessions"][0]["minutes"].size(), 2u) << "two notes disagree";
    EXPECT_EQ(answer["sample"]["saved_minutes"]["quoted"], 190);
    EXPECT_EQ(answer["sample"]["saved_minutes"]["derived"], 64);
    EXPECT_TRUE(answer["sample"]["saved_minutes"]["measured"].is_null());
    EXPECT_NEAR(answer["sample"]["cost"]["low"].get<double>(), 5.00, 1e-9);
    EXPECT_EQ(answer["sample"]["mistakes"]["count"], 7);
    EXPECT_EQ(answer["own"]["sessions"], 0);
    EXPECT_TRUE(answer["convergence"]["sessions"].is_null());
    EXPECT_EQ(answer["convergence"]["quoted"]["low"], 10);
    EXPECT_EQ(answer["expected"].size(), 6u);
    const std::string words = kloop({"learn", "--db", ":documents:"}).out;
    for (const char* part : {"Loop 1", "7.7×", "large-size-first", "10 to 15"})
        EXPECT_THAT(words, HasSubstr(part));
}

TEST_F(LearningCommands, TheSampleShowsTheRecordedSessionsWithoutTheDocuments)
{
    const Json answer = json({"learn", "--db", ":sample:"});
    EXPECT_GE(answer["sessions"].size(), 15u);
    EXPECT_EQ(answer["sample"]["sessions"], 0);
    EXPECT_TRUE(answer["planned"].empty());
    EXPECT_TRUE(answer["expected"].empty());
    EXPECT_TRUE(answer["learning"]["steps"].empty()) << "a script's times say nothing about people";
    EXPECT_TRUE(answer["convergence"]["sessions"].is_null());
    EXPECT_GT(answer["own"]["saved_minutes"]["measured"].get<double>(), 0);
    EXPECT_TRUE(answer["own"]["saved_minutes"]["quoted"].is_null());
    for (const Json& row : answer["sessions"]) {
        EXPECT_EQ(row["sample"], false);
        EXPECT_TRUE(isScriptedKind(row["kind"].get<std::string>())) << row["name"];
    }
}

TEST_F(LearningCommands, AnOwnDatabaseHoldsNothingOfTheDocuments)
{
    const Json learned = json({"learn"});
    EXPECT_TRUE(learned["sessions"].empty());
    EXPECT_TRUE(learned["planned"].empty());
    EXPECT_TRUE(learned["expected"].empty());
    EXPECT_TRUE(learned["notes"].empty());
    EXPECT_EQ(learned["sample"]["sessions"], 0);
    EXPECT_TRUE(learned["economics"].is_null());
    EXPECT_TRUE(json({"cost"})["sessions"].empty());
    const Json roadmap = json({"roadmap"});
    for (const Json& week : roadmap["weeks"])
        for (const Json& step : week["steps"])
            EXPECT_EQ(step["state"], "planned") << step["id"];
    EXPECT_TRUE(json({"session", "list"})["sessions"].empty());
    EXPECT_EQ(json({"regress"})["open"], 0);
    for (const char* command : {"learn", "cost", "roadmap", "patterns"})
        EXPECT_EQ(kloop({command}).code, 0) << command;
    const Answer report = kloop({"report", "--history"});
    EXPECT_EQ(report.code, 0);
    for (const char* column : {"Shipped history", "October 2025 documents"})
        EXPECT_THAT(report.out, Not(HasSubstr(column)));
}

TEST_F(LearningCommands, AFixIsShownInCode)
{
    const Json fix = json({"tree", "--fix", "pad-shared-memory"});
    EXPECT_EQ(fix["schema"], "kernelloop.fix-code/1");
    EXPECT_NE(fix["before"], fix["after"]);
    const Answer unknown = kloop({"tree", "--fix", "nosuch", "--json"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_EQ(unknown.json()["error"]["code"], "not-found");
}

TEST_F(LearningCommands, TheBuildRecipeComesWithTheCheck)
{
    const Json checked = kloop({"env", "--recipe", "--json"}).json(); // its exit status depends on the machine
    ASSERT_GE(checked["recipe"].size(), 8u);
    EXPECT_EQ(checked["recipe"][0].size(), 4u);
}

TEST_F(LearningCommands, AShippedPatternIsNeitherEditedNorRetired)
{
    for (const std::vector<std::string>& words : {std::vector<std::string>{"patterns", "edit", "baseline-first", "--why", "x", "--json"},
                                                  {"patterns", "retire", "baseline-first", "--json"}}) {
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 4);
        EXPECT_EQ(answer.json()["error"]["code"], "bad-input") << "in a fresh database, too";
    }
}

TEST_F(LearningCommands, AbsurdAmountsAreRefused)
{
    KL_NEEDS_SAMPLE();
    session("N", 0);
    for (const char* amount : {"1e300", "nan", "inf"}) {
        EXPECT_NE(kloop({"cost", "add", "--assistant", amount}).code, 0) << amount;
        EXPECT_NE(kloop({"cost", "price", "H200", amount}).code, 0) << amount;
        EXPECT_NE(kloop({"cost", "rate", amount}).code, 0) << amount;
    }
    EXPECT_NE(kloop({"patterns", "apply", "baseline-first", "--minutes", "1e308"}).code, 0);
    EXPECT_NE(kloop({"patterns", "add", "--title", "t", "--problem", "p", "--advice", "a", "--minutes", "1e308"}).code, 0);
    EXPECT_EQ(kloop({"cost", "add", "--value", "1700"}).code, 4) << "the result of a session on recorded data is not counted";
    EXPECT_EQ(json({"cost", "price", "H200", "4.5"})["prices"][0]["gpu"], "NVIDIA H200");
    EXPECT_EQ(json({"cost", "price", "NVIDIA H200"})["prices"][0]["dollars_per_hour"], 4.5);
}

TEST_F(LearningCommands, MistakesOfASessionAreCounted)
{
    KL_NEEDS_SAMPLE();
    session("N+6", 0);
    EXPECT_EQ(kloop({"session", "act", "verify-smallest"}).code, 1);
    EXPECT_EQ(kloop({"session", "act", "verify-smallest"}).code, 1);
    const Json mistakes = json({"learn"})["sessions"].back()["mistakes"];
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_EQ(mistakes[0]["id"], "unvalidated-build");
    EXPECT_EQ(mistakes[0]["count"], 2);
    EXPECT_EQ(mistakes[0]["caught"], 2);
    EXPECT_THAT(readRows(kloop({"learn"}).out), testing::Contains(testing::AllOf(testing::StartsWith("N+6 | "), HasSubstr(" | 2, 1 "))))
        << "one of them repeated";
    EXPECT_EQ(mistakes[0]["before"], 0) << "those of the sample's sessions are not counted here";
}

TEST_F(LearningCommands, PricesRatesAndBudgets)
{
    EXPECT_EQ(json({"cost", "price", "NVIDIA L4"})["prices"][0]["dollars_per_hour"], 0.2);
    EXPECT_EQ(json({"cost", "price", "NVIDIA H200", "3.5"})["prices"][0]["class"], "own");
    EXPECT_EQ(json({"cost", "price", "NVIDIA H200", "--reset"})["prices"][0]["class"], "list price");
    EXPECT_EQ(kloop({"cost", "price", "NVIDIA T4"}).code, 4) << "a missing price is not guessed";
    EXPECT_EQ(kloop({"cost", "price", "NVIDIA H200", "0"}).code, 4);
    EXPECT_EQ(kloop({"cost", "price", "--reset"}).code, 2);
    EXPECT_EQ(json({"cost", "rate"})["dollars"], 30);
    EXPECT_EQ(json({"cost", "rate", "45"})["dollars"], 45);
    EXPECT_EQ(json({"cost", "rate"})["dollars"], 45);
    EXPECT_EQ(json({"cost", "budget"})["dollars"], 5);
    EXPECT_EQ(kloop({"cost", "budget", "-1"}).code, 4);
}

TEST_F(LearningCommands, MoneyOfASession)
{
    KL_NEEDS_SAMPLE();
    session("N+6", 0);
    const Json entered = json({"cost", "add", "--session", "N+6", "--assistant", "0.85", "--gpu", "0", "--note", "help"});
    ASSERT_EQ(entered["entries"].size(), 2u);
    EXPECT_EQ(kloop({"cost", "add", "--session", "N+6"}).code, 2);
    EXPECT_EQ(kloop({"cost", "add", "--session", "N+6", "--gpu", "-2"}).code, 4);
    EXPECT_EQ(kloop({"cost", "add", "--session", "N+6", "--assistant", "3", "--other", "-2"}).code, 4);
    EXPECT_EQ(json({"cost"})["entries"].size(), 2u) << "all amounts of a command are stored, or none";
    EXPECT_EQ(kloop({"cost", "add", "--session", "N+9", "--gpu", "2"}).code, 4);
    Json row = json({"cost"})["sessions"].back();
    EXPECT_EQ(row["session"], "N+6");
    EXPECT_EQ(row["cash"], 0.85);
    EXPECT_EQ(row["assistant"][0]["how"], "entered");
    EXPECT_EQ(row["over_target"], false);
    json({"cost", "add", "--session", "N+6", "--other", "6"});
    EXPECT_EQ(json({"cost"})["sessions"].back()["over_target"], true);
    EXPECT_THAT(kloop({"cost"}).out, HasSubstr("$5.00"));
    EXPECT_EQ(json({"learn"})["sessions"].back()["money"]["cash"], 6.85);
    json({"cost", "remove", entered["entries"][0]["id"]});
    EXPECT_EQ(json({"cost"})["sessions"].back()["cash"], 6);
    EXPECT_EQ(kloop({"cost", "remove", "nothing"}).code, 4);
}

TEST_F(LearningCommands, TheRoadmapIsEdited)
{
    EXPECT_EQ(json({"roadmap"})["weeks"].size(), 4u);
    const Json added = json({"roadmap", "add", "Write the paper", "--week", "5", "--session", "N+9"});
    ASSERT_EQ(added["weeks"].size(), 5u);
    EXPECT_EQ(added["weeks"][4]["steps"][0]["id"], "write-the-paper");
    EXPECT_EQ(added["weeks"][4]["steps"][0]["state"], "planned");
    EXPECT_EQ(added["weeks"][4]["steps"][0]["sessions"], Json::array({"N+9"}));
    const Json edited = json({"roadmap", "edit", "write-the-paper", "--title", "Write it up", "--week", "1", "--done"});
    EXPECT_EQ(edited["weeks"][0]["steps"].back()["title"], "Write it up");
    EXPECT_EQ(edited["weeks"][0]["steps"].back()["state"], "done");
    EXPECT_EQ(kloop({"roadmap", "edit", "write-the-paper"}).code, 2);
    EXPECT_EQ(kloop({"roadmap", "edit", "nothing", "--done"}).code, 4);
    EXPECT_EQ(kloop({"roadmap", "add", "x"}).code, 2) << "a week is missing";
    json({"roadmap", "remove", "write-the-paper"});
    json({"roadmap", "reset"});
    EXPECT_EQ(json({"roadmap"})["weeks"].size(), 4u);
    EXPECT_EQ(json({"roadmap"})["weeks"][1]["week"], 2);
}

TEST_F(LearningCommands, TheSampleShowsAndRefusesToChange)
{
    EXPECT_EQ(json({"learn", "--db", ":documents:"})["sessions"].size(), 7u);
    EXPECT_EQ(json({"patterns", "search", "bisect", "--db", ":sample:"})["patterns"].size(), 1u);
    EXPECT_EQ(kloop({"roadmap", "add", "x", "--week", "1", "--db", ":sample:"}).code, 4);
    EXPECT_EQ(kloop({"cost", "rate", "40", "--db", ":sample:"}).code, 4);
}

} // namespace
} // namespace kl::test
