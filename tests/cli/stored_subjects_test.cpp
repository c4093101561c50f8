// SPDX-License-Identifier: MIT
// Commands about what the database holds: which stored run a name and a size mean, and what a database that only reads still answers.
#include "app/kloop/common/labels.h"
#include "kloop.h"
#include "sessions/store/sqlite.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

namespace kl::test {
namespace {

using testing::SizeIs;
using testing::UnorderedElementsAre;
using Words = std::vector<std::string>;

class StoredSubjects : public AskedKloop {
protected:
    struct Measured {
        const char* id;
        const char* variant;
        std::int64_t size;
        int day;
    };
    /// Timed runs of January 2026, in a database of their own.
    std::string makeDatabase(const std::string& name, const std::vector<Measured>& runs) const
    {
        const auto store = support::openStore(file(name));
        for (const Measured& one : runs) {
            RunRecord run = support::timedRun(one.id, one.variant, "2026-01-0" + std::to_string(one.day) + "T00:00:00.000Z", 1000);
            run.problem = {{"M", one.size}, {"N", one.size}};
            EXPECT_TRUE(store->saveRun(run).ok());
        }
        return file(name);
    }
    /// A database that a later version has written, so that this one only reads it.
    std::string newerDatabase() const
    {
        support::openStore(file("newer.db"));
        EXPECT_TRUE(sqlite::Connection::open(file("newer.db"), true, false)->exec("PRAGMA user_version = 99"));
        return file("newer.db");
    }
    /// What a comparison by name compares.
    std::string pair(const std::string& database, const char* a, const char* b, const Words& more = {}) const
    {
        Words words{"compare", a, b, "--db", database, "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Json answer = kloop(words).json();
        return answer.value("a", "") + ' ' + answer.value("b", "");
    }
};

TEST_F(StoredSubjects, OfSeveralSharedSizesTheOneMeasuredLastIsCompared)
{
    const std::string database = makeDatabase(
        "a.db", {{"aaaa0001", "naive", 64, 1}, {"bbbb0001", "tiled", 128, 2}, {"aaaa0002", "naive", 128, 4}, {"bbbb0002", "tiled", 64, 5}});
    EXPECT_EQ(pair(database, "transpose/naive", "transpose/tiled"), "run:aaaa0001 run:bbbb0002") << "M=64, which B ran on last";
    EXPECT_EQ(pair(database, "transpose/tiled", "transpose/naive"), "run:bbbb0002 run:aaaa0001") << "whichever side it is";
    EXPECT_EQ(pair(database, "transpose/naive", "transpose/tiled", {"--problem", "M=128,N=128"}), "run:aaaa0002 run:bbbb0001");
    const std::string other = makeDatabase("b.db", {{"aaaa0001", "naive", 64, 1},
                                                    {"bbbb0001", "tiled", 64, 2},
                                                    {"bbbb0002", "tiled", 128, 3},
                                                    {"aaaa0002", "naive", 128, 4},
                                                    {"aaaa0003", "naive", 32, 5}});
    EXPECT_EQ(pair(other, "transpose/naive", "transpose/tiled"), "run:aaaa0002 run:bbbb0002") << "A's newest has no other side";
}

TEST_F(StoredSubjects, ARunThatIsNamedGivesItsSizeToTheOtherSide)
{
    const std::string database =
        makeDatabase("a.db", {{"aaaa0001", "naive", 64, 1}, {"bbbb0001", "tiled", 64, 2}, {"bbbb0002", "tiled", 128, 3}});
    EXPECT_EQ(pair(database, "run:aaaa0001", "transpose/tiled"), "run:aaaa0001 run:bbbb0001");
    EXPECT_EQ(pair(database, "transpose/tiled", "run:aaaa0001"), "run:bbbb0001 run:aaaa0001");
    EXPECT_EQ(pair(database, "run:bbbb0002", "transpose/naive"), "run:bbbb0002 run:aaaa0001") << "which has only another size";
    EXPECT_EQ(pair(database, "run:bbbb0002", "run:aaaa0001"), "run:bbbb0002 run:aaaa0001");
}

TEST_F(StoredSubjects, CodeIsThatOfTheProfileOnTheSizeThatIsNamed)
{
    KL_NEEDS_SAMPLE();
    std::string before;
    for (const char* problem : {"M=4096,N=4096", "M=2048,N=2048"}) {
        const Words of{"transpose/naive", "--problem", problem, "--db", ":sample:"};
        const auto with = [&](Words words) {
            words.insert(words.end(), of.begin(), of.end());
            return json(words);
        };
        const Json shown = with({"show", "--stalls"})["results"][0];
        EXPECT_EQ(shown["problem"], problem);
        const Json code = with({"sass"});
        EXPECT_EQ(code["run"], shown["id"]) << problem;
        EXPECT_NE(code["run"], before);
        before = code["run"];
        const Json diff = with({"sass", "--diff", "transpose/tiled"});
        EXPECT_EQ(diff["a"]["run"], shown["id"]) << problem;
        EXPECT_EQ(diff["b"]["run"], json({"show", "transpose/tiled", "--problem", problem, "--db", ":sample:"})["results"][0]["id"])
            << problem;
    }
    const Answer none = kloop({"sass", "transpose/naive", "--problem", "M=5,N=5", "--db", ":sample:", "--json"});
    EXPECT_EQ(none.json()["error"]["code"], "not-found");
    EXPECT_EQ(kloop({"sass", "transpose/naive", "--problem", "M=5,N=5", "--problem", "M=6,N=6", "--db", ":sample:"}).code, 2);
}

TEST_F(StoredSubjects, ADiagnosisByAnotherTreeIsStoredThoughItsClassStays)
{
    KL_NEEDS_SAMPLE();
    for (const char* kernel : {"transpose/naive", "transpose/padded"})
        json({"profile", kernel, "--on", "sample"});
    Json tree = json({"tree"});
    for (Json& node : tree["nodes"])
        if (node["class"] == "uncoalesced")
            for (Json& way : node["any"])
                way["secondary_only"] = true;
    write("tree.json", tree.dump());
    const std::string text = rows({"rediagnose", "--all", "--dry-run", "--tree", file("tree.json")}).front();
    EXPECT_EQ(readFigures(text.substr(text.find(": "))), "1 | 2");
    write("copy.db", read("test.db"));
    const std::vector<std::string> reported = rows({"rediagnose", "--all", "--tree", file("tree.json"), "--db", file("copy.db")});
    EXPECT_THAT(reported, testing::Contains(testing::StartsWith("2 "))) << "new findings";
    const Json all = json({"rediagnose", "--all", "--tree", file("tree.json")});
    EXPECT_EQ(all["changed"], 1);
    EXPECT_EQ(all["stored"], 2) << "each has another tree's version";
    for (const Json& one : all["runs"])
        EXPECT_EQ(one["stored"], true);
}

TEST_F(StoredSubjects, ADatabaseOfALaterVersionHasThePatternsThatItHolds)
{
    const std::string newer = newerDatabase();
    const Json none = json({"patterns", "list", "--db", newer});
    EXPECT_THAT(none["patterns"], SizeIs(0)) << "and none is stored into it";
    EXPECT_THAT(json({"patterns", "list"})["patterns"], testing::Not(SizeIs(0))) << "one that can be written has the shipped ones";
    const Json edit = kloop({"patterns", "retire", "baseline-first", "--db", newer, "--json"}).json();
    EXPECT_NE(edit["error"]["code"], Json());
    EXPECT_EQ(json({"patterns", "roi", "--db", newer})["patterns"], Json::array());
}

TEST_F(StoredSubjects, WhatCannotBeDeletedIsSaidBeforeItIsConfirmed)
{
    KL_NEEDS_SAMPLE();
    const Json list = json({"session", "list", "--db", ":sample:"})["sessions"];
    const std::string session = list.back()["id"];
    const std::string run = json({"runs", "list", "--db", ":sample:"})["runs"][0]["id"];
    for (const Words& words : {Words{"session", "delete", session}, {"runs", "delete", "run:" + run}}) {
        for (const bool confirmed : {false, true}) {
            Words all = words;
            all.insert(all.end(), {"--db", ":sample:", "--json"});
            if (confirmed)
                all.emplace_back("--yes");
            const Answer answer = kloop(all);
            EXPECT_EQ(answer.code, 4) << testing::PrintToString(all);
            EXPECT_EQ(answer.json()["error"]["code"], "bad-input") << testing::PrintToString(all);
        }
    }
    json({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"});
    EXPECT_EQ(kloop({"session", "delete", "N", "--json"}).json()["error"]["code"], "refused") << "of one's own, --yes is missing";
    EXPECT_THAT(json({"session", "list"})["sessions"], SizeIs(1));
}

TEST_F(StoredSubjects, APlanAndAPromptAreOfTheLatestSessionThoughItIsFinished)
{
    KL_NEEDS_SAMPLE();
    const Json latest = json({"session", "list", "--db", ":sample:"})["sessions"].back();
    const auto written = [&](const char* words, const std::string& session) {
        Words all = cli::splitWords(words);
        if (!session.empty())
            all.insert(all.end(), {"--session", session});
        all.insert(all.end(), {"--db", ":sample:"});
        return text(all);
    };
    for (const char* command : {"session plan", "prompt", "session checklist"}) {
        const std::string unnamed = written(command, {});
        EXPECT_EQ(unnamed, written(command, latest["name"])) << command;
        EXPECT_NE(unnamed, "") << command;
    }
    EXPECT_EQ(kloop({"session", "plan", "--session", "nosuch", "--db", ":sample:"}).code, 4);
}

TEST_F(StoredSubjects, TagsAreAnsweredWithThoseThatWereThereBefore)
{
    KL_NEEDS_SAMPLE();
    const std::string run = "run:" + json({"run", "transpose/naive", "--on", "sample"})["id"].get<std::string>();
    json({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"});
    for (const Words& subject : {Words{"runs", run}, {"session", "N"}}) {
        const auto tagged = [&](const char* verb, const Words& tags) {
            Words words{subject[0], verb, subject[1]};
            words.insert(words.end(), tags.begin(), tags.end());
            return json(words)["tags"].get<Words>();
        };
        EXPECT_THAT(tagged("tag", {"paper", "draft"}), UnorderedElementsAre("paper", "draft"));
        EXPECT_THAT(tagged("tag", {"late"}), UnorderedElementsAre("paper", "draft", "late")) << subject[0];
        EXPECT_THAT(tagged("untag", {"paper", "late"}), UnorderedElementsAre("draft")) << subject[0];
    }
}

} // namespace
} // namespace kl::test
