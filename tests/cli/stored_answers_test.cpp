// SPDX-License-Identifier: MIT
// Commands that answer from the database: files and formats of reports, plans and reviews, and roadmaps.
#include "kloop.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

namespace kl::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class StoredAnswers : public AskedKloop {
protected:
    void SetUp() override
    {
        KL_NEEDS_SAMPLE();
        Kloop::SetUp();
    }
    Json opened(const char* name, const char* kernel = "transpose") const
    {
        return json({"session", "new", name, "Coalesce the stores", "--kernel", kernel, "--on", "sample"});
    }
};

TEST_F(StoredAnswers, APlanIsWrittenAsItsFileSaysUnlessAFormatIsGiven)
{
    opened("N");
    opened("M", "reduction");
    for (const Words& command :
         {Words{"session", "plan", "--session", "N"}, {"prompt", "--session", "N"}, {"session", "compare", "N", "M"}}) {
        const auto written = [&](const char* name, const Words& more) {
            Words words = command;
            words.insert(words.end(), {"-o", file(name)});
            words.insert(words.end(), more.begin(), more.end());
            const Json answer = json(words);
            EXPECT_EQ(answer["schema"], "kernelloop.report-files/1") << command[0];
            EXPECT_EQ(answer["files"], Json({file(name)})) << command[0];
            return read(name);
        };
        const std::string page = written("a.html", {});
        EXPECT_THAT(page, StartsWith("<!DOCTYPE html>")) << command[0];
        const std::string markdown = written("b.md", {});
        EXPECT_THAT(markdown, StartsWith("# ")) << command[0];
        EXPECT_EQ(written("c.html", {"--format", "md"}), markdown) << command[0];
        EXPECT_TRUE(parseJson(written("d.json", {}), "d.json").ok()) << command[0];
        Words bare = command;
        bare.insert(bare.end(), {"--format", "md"});
        EXPECT_EQ(text(bare), markdown) << command[0];
        for (const Words& wrong : {Words{"-o", file("x.doc")}, {"--format", "pdf"}, {"-o", " "}, {"--format", "doc"}}) {
            Words words = command;
            words.insert(words.end(), wrong.begin(), wrong.end());
            EXPECT_EQ(kloop(words).code, 2) << testing::PrintToString(words);
        }
        EXPECT_FALSE(std::filesystem::exists(file("x.doc")));
    }
    EXPECT_THAT(text({"session", "plan", "--session", "N"}), Not(HasSubstr("reduction")));
    EXPECT_THAT(text({"session", "plan"}), HasSubstr("reduction")) << "the latest";
}

TEST_F(StoredAnswers, CommentsAreKeptOutOfOtherSessions)
{
    opened("N");
    opened("M");
    json({"review", "comment", "N", "Why so slow?", "--author", "Ada", "--on", "G1"});
    const Json exported = json({"review", "export", "N", "-o", file("n.html")});
    const Json n = json({"review", "show", "N"});
    EXPECT_EQ(exported["session"], n["session"]);
    EXPECT_EQ(exported["file"], file("n.html"));
    ASSERT_THAT(n["comments"], SizeIs(1));
    EXPECT_EQ(n["comments"][0]["author"], "Ada");
    EXPECT_EQ(n["comments"][0]["target"], "G1");
    EXPECT_EQ(n["comments"][0]["text"], "Why so slow?");
    EXPECT_THAT(json({"review", "show", "M"})["comments"], SizeIs(0));
    EXPECT_THAT(json({"review", "show"})["comments"], SizeIs(0)) << "of the latest";
    const Answer other = kloop({"review", "import", file("n.html"), "--session", "M", "--json"});
    EXPECT_NE(other.code, 0);
    EXPECT_THAT(json({"review", "show", "M"})["comments"], SizeIs(0));
    const Json again = json({"review", "import", file("n.html"), "--session", "N"});
    EXPECT_EQ(again["session"], n["session"]);
    EXPECT_EQ(again["added"], 0);
    EXPECT_EQ(again["conflicts"], 0);
    const Json plain = json({"review", "comment", "M", "Fine", "--author", "Bob"})["comment"];
    EXPECT_EQ(plain["target"], "session") << "the default";
    EXPECT_THAT(rows({"review", "show", "N"}), Contains(testing::AllOf(StartsWith("G1 | Ada | "), testing::EndsWith(" | Why so slow?"))));
    EXPECT_EQ(kloop({"review", "comment", "N", "Why?"}).code, 2) << "of nobody";
    EXPECT_EQ(kloop({"review", "export", "N"}).code, 2) << "into no file";
}

TEST_F(StoredAnswers, AStepOfTheRoadmapIsDoneUntilThatIsTakenBack)
{
    const auto findState = [](const Json& plan, const std::string& id) {
        for (const Json& week : plan.value("weeks", Json::array()))
            for (const Json& step : week["steps"])
                if (step["id"] == id)
                    return step["state"].get<std::string>();
        return std::string();
    };
    json({"roadmap", "add", "Read it", "--week", "2"});
    EXPECT_EQ(findState(json({"roadmap"}), "read-it"), "planned");
    EXPECT_EQ(findState(json({"roadmap", "edit", "read-it", "--done"}), "read-it"), "done");
    EXPECT_EQ(findState(json({"roadmap", "edit", "read-it", "--title", "Read them"}), "read-it"), "done") << "nobody said that it is not";
    EXPECT_EQ(findState(json({"roadmap", "edit", "read-it", "--undone"}), "read-it"), "planned");
    EXPECT_EQ(kloop({"roadmap", "edit", "read-it", "--undone", "--done"}).code, 2);
    EXPECT_EQ(kloop({"roadmap", "edit", "read-it", "--json"}).json()["error"]["where"], "read-it");
    for (const Words& change : {Words{"--week", "3"}, {"--session", "N"}, {"--documented"}, {"--cycles", "2"}, {"--speedup", "2"}}) {
        Words words{"roadmap", "edit", "read-it"};
        words.insert(words.end(), change.begin(), change.end());
        EXPECT_EQ(kloop(words).code, 0) << change[0] << " alone is a change";
    }
    EXPECT_EQ(findState(json({"roadmap", "remove", "read-it"}), "read-it"), "");
    EXPECT_EQ(kloop({"roadmap", "remove", "read-it"}).code, 4);
}

TEST_F(StoredAnswers, WhatIsRefusedSaysWhatIsAllowedInstead)
{
    opened("N");
    const Json shown = json({"session", "show", "N"});
    for (const Words& words : {Words{"session", "act", "keep", "--session", "N"}, {"session", "fix", "nosuch", "--session", "N"}}) {
        Words all = words;
        all.emplace_back("--json");
        const Answer refused = kloop(all);
        EXPECT_NE(refused.code, 0) << words[2];
        Json answer = refused.json();
        EXPECT_FALSE(answer["error"]["code"].is_null()) << words[2];
        ASSERT_TRUE(answer.contains("next")) << words[2];
        for (const char* field : {"session", "kind", "phase", "blocked", "why"})
            EXPECT_EQ(answer[field], shown[field]) << field;
        EXPECT_EQ(answer["next"][0]["action"], shown["next"][0]["action"]) << words[2];
    }
    EXPECT_EQ(json({"session", "show", "N"})["phase"], shown["phase"]) << "nothing was done";
}

TEST_F(StoredAnswers, SessionsAreTaggedRenamedAndDeletedByTheirName)
{
    const Json n = opened("N");
    const Json m = opened("M");
    const Json renamed = json({"session", "rename", "N", "first"});
    EXPECT_EQ(renamed["id"], n["session"]);
    EXPECT_EQ(renamed["name"], "first");
    EXPECT_EQ(renamed["before"], "N");
    EXPECT_EQ(json({"session", "tag", "first", "a"})["subject"], "session:" + n["session"].get<std::string>());
    EXPECT_EQ(json({"session", "untag", "first", "a"})["tags"], Json::array());
    EXPECT_EQ(json({"session", "delete", "first", "--yes"})["deleted"], n["session"]);
    const Json left = json({"session", "list"})["sessions"];
    ASSERT_THAT(left, SizeIs(1));
    EXPECT_EQ(left[0]["id"], m["session"]);
    EXPECT_EQ(kloop({"session", "rename", "first", "x"}).code, 4);
    EXPECT_EQ(kloop({"session", "delete", "M", "--json"}).json()["error"]["code"], "refused");
}

} // namespace
} // namespace kl::test
