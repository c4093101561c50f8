// SPDX-License-Identifier: MIT
// Reports, plans, prompts, comparisons and reviews: where they go, in which format, and of which session they are.
#include "kloop.h"
#include "text_rows.h"

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class ReportDetails : public AskedKloop {
protected:
    void SetUp() override
    {
        KL_NEEDS_SAMPLE();
        Kloop::SetUp();
        for (const char* name : {"N", "M"})
            json({"session", "new", name, std::string("Goal of ") + name, "--kernel", "transpose", "--on", "sample"});
    }
    static std::string detectFormat(const std::string& text)
    {
        if (text.starts_with("<!DOCTYPE html>"))
            return "html";
        if (text.starts_with("# "))
            return "md";
        return text.starts_with("{") ? "json" : text.find(',') != std::string::npos ? "csv" : "";
    }
};

TEST_F(ReportDetails, AFormatIsGivenOrThatOfTheFilesSuffix)
{
    const std::vector<std::pair<Words, std::string>> reports{
        {{"report", "N"}, "report"},   {{"report", "--history"}, "history"},       {{"report", "--patterns"}, "patterns"},
        {{"session", "plan"}, "plan"}, {{"session", "compare", "N", "M"}, "pair"}, {{"prompt"}, "prompt"},
        {{"quickref"}, "quickref"}};
    for (const auto& [words, name] : reports)
        for (const std::string format : {"html", "md", "json", "csv"}) {
            Words asked = words;
            asked.insert(asked.end(), {"--format", format});
            const std::string printed = text(asked);
            EXPECT_EQ(detectFormat(printed), format) << name;
            const std::string named = file(name + '.' + format);
            asked = words;
            asked.insert(asked.end(), {"-o", named});
            const Json files = json(asked);
            EXPECT_EQ(files["schema"], "kernelloop.report-files/1");
            EXPECT_EQ(files["files"], Json({named})) << name;
            EXPECT_NE(files["title"], "");
            EXPECT_EQ(detectFormat(read(name + '.' + format)), format) << name;
        }
    for (const char* odd : {"report", "report.", "report.doc", "report.htm"})
        EXPECT_EQ(kloop({"report", "N", "-o", file(odd)}).code, 2) << odd;
    EXPECT_EQ(kloop({"report", "N", "--format", "doc"}).code, 2);
    EXPECT_EQ(detectFormat(text({"report", "N"})), "md");
    EXPECT_EQ(detectFormat(text({"quickref"})), "md");
    EXPECT_EQ(json({"quickref"})["schema"], "kernelloop.quick-reference/1");
    EXPECT_EQ(detectFormat(kloop({"report", "N", "--json", "--format", "md"}).out), "md") << "the format that is given";
    EXPECT_EQ(detectFormat(text({"report", "N", "--format", "csv", "-o", file("odd.html")})), "");
    EXPECT_EQ(detectFormat(read("odd.html")), "csv");
}

TEST_F(ReportDetails, EachFileThatIsNamedHasItsOwnFormat)
{
    const Answer all = kloop({"report", "N", "--html", file("a"), "--md", file("b"), "--format", "csv", "-o", file("c")});
    ASSERT_EQ(all.code, 0) << all.err;
    EXPECT_EQ(detectFormat(read("a")), "html");
    EXPECT_EQ(detectFormat(read("b")), "md");
    EXPECT_EQ(detectFormat(read("c")), "csv");
    const std::vector<std::string> wrote = readRows(all.out);
    ASSERT_THAT(wrote, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(wrote[i].ends_with(file(std::string(1, static_cast<char>('a' + i))))) << wrote[i];
    EXPECT_THAT(read("a"), HasSubstr("Goal of N"));
    EXPECT_THAT(read("a"), Not(HasSubstr("Goal of M")));
    EXPECT_EQ(kloop({"report", "N", "--html", file("none/a")}).code, 4);
    EXPECT_EQ(json({"session", "report", "N", "--md", file("d")})["files"], Json({file("d")})) << "the same as kloop report";
    EXPECT_EQ(read("d"), read("b"));
}

TEST_F(ReportDetails, WithoutANameItIsTheLatestSession)
{
    for (const Words& words : {Words{"report"}, {"session", "plan"}, {"prompt"}}) {
        EXPECT_THAT(text(words), AllOf(HasSubstr("Goal of M"), Not(HasSubstr("Goal of N")))) << words[0];
        Words named = words;
        named.insert(named.end(), {"--session", "N"});
        EXPECT_THAT(text(named), AllOf(HasSubstr("Goal of N"), Not(HasSubstr("Goal of M")))) << words[0];
        named.back() = "X";
        EXPECT_EQ(kloop(named).code, 4) << words[0];
    }
    EXPECT_EQ(kloop({"session", "compare", "N"}).code, 2);
    const Json pair = json({"session", "compare", "N", "M"});
    EXPECT_EQ(pair["a"]["name"], "N");
    EXPECT_EQ(pair["b"]["name"], "M");
    EXPECT_EQ(json({"session", "compare", "N", "M", "--format", "json"}), pair);
}

TEST_F(ReportDetails, ACommentIsKeptWithItsTargetAndItsAuthor)
{
    const std::string n = json({"session", "show", "N"})["session"];
    const Json plain = json({"review", "comment", "N", "Good.", "--author", "Ada"})["comment"];
    EXPECT_EQ(plain["target"], "session") << "the default";
    EXPECT_EQ(plain["author"], "Ada");
    for (const char* target : {"G2", "finding", "outcome"}) {
        const Answer on = kloop({"review", "comment", "N", "Why?", "--on", target, "--author", "Bob", "--json"});
        EXPECT_TRUE(on.code == 4 || on.json()["comment"]["target"] == target) << target;
    }
    EXPECT_EQ(kloop({"review", "comment", "N", "Good."}).code, 2) << "of nobody";
    EXPECT_EQ(kloop({"review", "comment", "N", "--author", "Ada"}).code, 2);
    EXPECT_EQ(kloop({"review", "comment", "X", "Good.", "--author", "Ada"}).code, 4);
    EXPECT_EQ(json({"review", "show"})["comments"].size(), 0U) << "of the latest session";
    const Json shown = json({"review", "show", "N"});
    EXPECT_EQ(shown["schema"], "kernelloop.review/1");
    EXPECT_EQ(shown["session"], n);
    EXPECT_EQ(shown["name"], "N");
    EXPECT_EQ(shown["comments"][0], plain);
    ASSERT_EQ(kloop({"review", "export", "N", "-o", file("n.html")}).code, 0);
    EXPECT_EQ(kloop({"review", "export", "N"}).code, 2);
    const Json merged = json({"review", "import", file("n.html"), "--session", "N"});
    EXPECT_EQ(merged["schema"], "kernelloop.review-import/1");
    EXPECT_EQ(merged["session"], n);
    EXPECT_EQ(merged["conflicts"], 0);
    EXPECT_EQ(merged["known"], shown["comments"].size());
}

TEST_F(ReportDetails, AListedSessionIsThatOfItsRow)
{
    json({"session", "tag", "N", "paper"});
    json({"session", "note", "seen", "--session", "N"});
    const Json list = json({"session", "list"})["sessions"];
    ASSERT_THAT(list, SizeIs(2));
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string name = i == 0 ? "N" : "M";
        const Json shown = json({"session", "show", name});
        EXPECT_EQ(list[i]["id"], shown["session"]) << "oldest first";
        EXPECT_EQ(list[i]["objective"], "Goal of " + name);
        EXPECT_EQ(list[i]["phase"], shown["phase"]);
        EXPECT_EQ(list[i]["created_at"], shown["created_at"]);
        EXPECT_GE(list[i]["minutes"], 0);
    }
    EXPECT_EQ(list[0]["tags"], Json({"paper"}));
    EXPECT_EQ(list[1]["tags"], Json::array());
    const Json documents = json({"session", "list", "--db", ":documents:"})["sessions"];
    ASSERT_THAT(documents, SizeIs(7));
    for (const Json& row : documents) {
        EXPECT_EQ(row["kind"], "sample");
        EXPECT_EQ(row["phase"], "done");
        EXPECT_TRUE(row["gain"].is_null());
        EXPECT_NE(row["objective"], "");
        EXPECT_NE(row["outcome"], "");
        EXPECT_NE(row["id"], row["name"]);
    }
    EXPECT_EQ(documents[0]["kernel"], "attention");
    EXPECT_EQ(documents[0]["outcome"], "complete");
    const Json kinds = json({"session", "kinds"});
    EXPECT_EQ(kinds["next"][0]["action"], "new");
    EXPECT_EQ(kloop({"session", "list", "--limit", "0"}).code, 2);
    EXPECT_EQ(kloop({"session", "rename", "N", "M"}).code, 1) << "the name is taken";
    EXPECT_EQ(kloop({"session", "rename", "N", ""}).code, 4);
    const std::vector<std::string> text = rows({"session", "checklist", "--session", "N"});
    EXPECT_THAT(text, Contains(StartsWith("[ ] clean-build")));
    EXPECT_EQ(json({"session", "checklist", "--session", "N"})["schema"], "kernelloop.checklist/1");
    EXPECT_EQ(kloop({"session", "checklist", "--tick", "no-such", "--note", "x"}).code, 4);
    EXPECT_EQ(kloop({"session", "write", "--root-cause", ""}).code, 0);
    EXPECT_EQ(json({"session", "write"})["document"][0]["drafted"], true) << "an empty answer is none";
}

} // namespace
} // namespace kl::test
