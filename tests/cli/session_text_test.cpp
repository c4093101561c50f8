// SPDX-License-Identifier: MIT
// Sessions by the command line: what each verb answers in JSON and in words, its default session and its exit code.
#include "kloop.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <sstream>

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
using Words = std::vector<std::string>;

class SessionText : public AskedKloop {
protected:
    void SetUp() override
    {
        KL_NEEDS_SAMPLE();
        Kloop::SetUp();
    }
    Answer ask(const Words& words) const override { return ask(words, {}); }
    Answer ask(const Words& words, const std::string& redirections) const
    {
        return kloop(words, "XDG_DATA_HOME=" + quoted(file("data")), redirections);
    }
    Json opened(const std::string& name, const std::string& kernel = "transpose", const std::string& kind = "optimize") const
    {
        return json({"session", "new", name, "Coalesce " + name, "--kernel", kernel, "--kind", kind, "--on", "sample"});
    }
    std::vector<Json> batch(const std::string& lines, int code) const
    {
        write("lines", lines);
        const Answer answer = ask({"session", "batch", "--on", "sample"}, "<" + quoted(file("lines")));
        EXPECT_EQ(answer.code, code) << answer.err;
        std::vector<Json> answers;
        std::istringstream in(answer.out);
        for (std::string text; std::getline(in, text);)
            answers.push_back(*parseJson(text, "an answer"));
        return answers;
    }
};

TEST_F(SessionText, TheListHasARowOfEachOldestFirst)
{
    EXPECT_THAT(rows({"session", "list"}), Not(Contains(HasSubstr(" | "))));
    const Json first = opened("N");
    opened("M", "reduction", "baseline");
    for (int i = 0; i < 3; ++i)
        json({"session", "step", "--session", "N"});
    json({"session", "tag", "N", "paper", "draft"});
    const Json list = json({"session", "list"});
    ASSERT_THAT(list["sessions"], SizeIs(2));
    const Json& n = list["sessions"][0];
    EXPECT_EQ(n["id"], first["session"]);
    EXPECT_EQ(n["name"], "N");
    EXPECT_EQ(n["kind"], "optimize");
    EXPECT_EQ(n["objective"], "Coalesce N");
    EXPECT_EQ(n["kernel"], "transpose");
    EXPECT_EQ(n["source"], "sample");
    EXPECT_EQ(n["phase"], "profile");
    EXPECT_EQ(n["outcome"], "");
    EXPECT_TRUE(n["gain"].is_null());
    EXPECT_NEAR(n["speedup"].get<double>(), 0.12, 0.01);
    EXPECT_EQ(n["tags"], Json({"draft", "paper"}));
    EXPECT_EQ(list["sessions"][1]["kind"], "baseline");
    EXPECT_TRUE(list["sessions"][1]["speedup"].is_null());
    EXPECT_EQ(list["next"][0]["arguments"]["session"], list["sessions"][1]["id"]) << "the latest open one";
    EXPECT_EQ(list["next"][0]["action"], "resume");
    EXPECT_EQ(list["next"][1]["action"], "new");
    const std::vector<std::string> text = rows({"session", "list"});
    EXPECT_THAT(text[1], AllOf(StartsWith("N | transpose | profile | 0.12× | "), EndsWith(" | Coalesce N | draft paper")));
    EXPECT_THAT(text[2], AllOf(StartsWith("M | reduction | environment | "), EndsWith(" | Coalesce M")));
    EXPECT_THAT(rows({"session", "list", "--limit", "1"}), ElementsAre(StartsWith("Session"), StartsWith("M | ")));
    EXPECT_THAT(rows({"session", "list", "--find", "coalesce optimize"}), ElementsAre(StartsWith("Session"), StartsWith("N | ")));
    EXPECT_THAT(rows({"session", "list", "--tag", "paper"}), ElementsAre(StartsWith("Session"), StartsWith("N | ")));
    const std::vector<std::string> shipped = rows({"session", "list", "--db", ":documents:"});
    EXPECT_THAT(shipped, Contains(StartsWith("N | attention | shipped | complete | 0.090× | 3 h | ")));
    const Json documents = json({"session", "list", "--db", ":documents:"});
    const auto n1 = std::ranges::find_if(documents["sessions"], [](const Json& row) { return row["name"] == "N"; });
    ASSERT_NE(n1, documents["sessions"].end());
    EXPECT_EQ((*n1)["phase"], "done");
    EXPECT_EQ((*n1)["minutes"], 180);
    EXPECT_EQ((*n1)["speedup"], 0.09);
}

TEST_F(SessionText, KindsHaveTheirGatesAndTime)
{
    const Json kinds = json({"session", "kinds"})["kinds"];
    const std::vector<std::string> text = rows({"session", "kinds"});
    ASSERT_THAT(kinds, SizeIs(5));
    EXPECT_THAT(text[1], AllOf(StartsWith("baseline | 30 min | G1 G2 | "), EndsWith(" | KernelLoop")));
    EXPECT_THAT(text[5], AllOf(StartsWith("debug | 2 h 10 min | D1 D2 | "), EndsWith(" | KernelLoop")));
    EXPECT_THAT(text.back(), HasSubstr(file("data/kernelloop/templates")));
    std::filesystem::create_directories(file("data/kernelloop/templates"));
    write("data/kernelloop/templates/mine.json", "{");
    EXPECT_THAT(rows({"session", "kinds"}),
                Contains(AllOf(StartsWith("mine | "), EndsWith(" | " + file("data/kernelloop/templates/mine.json")))));
}

TEST_F(SessionText, AVerbTakesTheLatestOpenSessionOrTheOneNamed)
{
    opened("N");
    opened("M");
    EXPECT_EQ(json({"session", "step"})["name"], "M");
    EXPECT_EQ(json({"session", "show"})["name"], "M");
    EXPECT_EQ(json({"session", "show", "N"})["name"], "N");
    EXPECT_EQ(json({"session", "show", "--session", "N"})["phase"], "environment");
    EXPECT_EQ(json({"session", "note", "to M"})["notes"], Json({"to M"}));
    EXPECT_EQ(json({"session", "note", "to N", "--session", "N"})["notes"], Json({"to N"}));
    EXPECT_EQ(json({"session", "resume", "N"})["name"], "N");
    EXPECT_EQ(json({"session", "claim", "source=s,figure=2x", "--session", "N"})["claims"][0]["figure"], "2x");
    EXPECT_EQ(json({"session", "option", "cumulative", "on", "--session", "N"})["options"]["cumulative"], true);
    EXPECT_EQ(json({"session", "show", "M"})["options"]["cumulative"], false);
    EXPECT_EQ(json({"session", "pattern", "baseline-first", "--session", "N"})["patterns_applied"], Json({"baseline-first"}));
    EXPECT_EQ(json({"session", "act", "check-environment", "--session", "N"})["name"], "N");
    EXPECT_EQ(json({"session", "gate", "G1", "--session", "N"})["name"], "N");
    EXPECT_EQ(ask({"session", "step", "--session", "X"}).code, 4);
    EXPECT_EQ(ask({"session", "act", "dance"}).code, 2);
    const Answer elsewhere = ask({"session", "step", "--session", "N", "--on", "local", "--json"});
    EXPECT_EQ(elsewhere.json()["error"]["code"], "not-comparable") << "it was begun on the sample";
}

TEST_F(SessionText, OtherCommandsTakeTheNamedSessionToo)
{
    const std::string n = opened("N")["session"], m = opened("M", "reduction")["session"];
    EXPECT_EQ(json({"patterns", "apply", "profile-before-optimize", "--session", "N", "--note", "by the book"})["session"], n);
    const Json applied = json({"patterns", "apply", "profile-before-optimize", "--phase", "profile", "--minutes", "7"});
    EXPECT_EQ(applied["session"], m);
    EXPECT_EQ(applied["quoted_minutes"], 7) << "instead of the pattern's own";
    const Json uses = json({"patterns", "show", "profile-before-optimize"})["uses"];
    ASSERT_THAT(uses, SizeIs(2));
    EXPECT_EQ(uses[0]["session_name"], "N");
    EXPECT_EQ(uses[0]["note"], "by the book");
    EXPECT_EQ(uses[1]["session_name"], "M");
    EXPECT_EQ(json({"patterns", "suggest", "--session", "N"})["session"], "N");
    EXPECT_EQ(json({"session", "write", "--session", "N", "--next", "Pad it"})["session"], "N");
    EXPECT_EQ(json({"session", "write"})["document"].back()["drafted"], true) << "of the latest one";
    EXPECT_EQ(json({"session", "checklist", "--session", "N"})["session"], "N");
    EXPECT_EQ(json({"review", "export", "N", "-o", file("n.html")})["session"], n);
    EXPECT_EQ(json({"review", "export", "-o", file("m.html")})["session"], m);
    EXPECT_EQ(json({"cost", "add", "--session", "N", "--gpu", "1"})["session"], "N");
    EXPECT_THAT(ask({"prompt", "--session", "N"}).out, HasSubstr("Coalesce N"));
    EXPECT_THAT(ask({"report", "--session", "N"}).out, HasSubstr("Coalesce N"));
    EXPECT_EQ(ask({"session", "diff", "--session", "N", "--json"}).json()["error"]["next_steps"][0]["id"], "act-in-session");
    const Json taught =
        json({"patterns", "add", "--from", "N", "--title", "Pad the tile", "--problem", "p", "--advice", "a", "--slug", "pad"});
    EXPECT_EQ(taught["slug"], "pad");
    EXPECT_EQ(taught["learned_in"], n);
    EXPECT_EQ(taught["advice"], "a");
}

TEST_F(SessionText, AGateIsEvaluatedWithItsChecks)
{
    opened("N");
    const Answer before = ask({"session", "gate", "G1", "--json"});
    EXPECT_EQ(before.code, 3);
    EXPECT_EQ(before.json()["gate"]["id"], "G1");
    json({"session", "step"});
    const std::vector<std::string> text = rows({"session", "gate", "G1"});
    EXPECT_THAT(text[0], AllOf(StartsWith("G1 "), HasSubstr(": pass (")));
    EXPECT_THAT(text, Contains(StartsWith("gpu | pass | NVIDIA H200")));
    EXPECT_THAT(text, Not(Contains(HasSubstr("Coalesce N")))) << "the gate alone";
    const Json gate = json({"session", "gate", "G1"});
    EXPECT_EQ(gate["gate"]["result"], "pass");
    EXPECT_EQ(gate["phase"], "baseline");
    json({"session", "step"});
    json({"session", "step"});
    const Answer failed = ask({"session", "gate", "G2"});
    EXPECT_EQ(failed.code, 1) << "far below the baseline";
    EXPECT_THAT(readRows(failed.out)[0], AllOf(StartsWith("G2 "), HasSubstr(": fail (")));
    opened("M");
    ASSERT_EQ(ask({"session", "waive", "G1", "--reason", "known"}).code, 0);
    EXPECT_EQ(ask({"session", "gate", "G1"}).code, 0) << "waived";
}

TEST_F(SessionText, TheChecklistTicksWhatEvidenceShows)
{
    opened("N");
    for (int i = 0; i < 3; ++i)
        json({"session", "step"});
    opened("M");
    const std::vector<std::string> text = rows({"session", "checklist", "--session", "N"});
    EXPECT_THAT(text[1], StartsWith("[x] clean-build | "));
    EXPECT_THAT(text[2], HasSubstr(" | run:"));
    EXPECT_THAT(text, Contains(StartsWith("[ ] verbose-build | ")));
    EXPECT_EQ(std::ranges::count(text, text[0]), 1) << "each heading once";
    EXPECT_THAT(text, Contains(StartsWith("[!] G2")));
    EXPECT_THAT(rows({"session", "checklist"}), Contains(StartsWith("[ ] clean-build"))) << "the latest one";
    const Json ticked = json({"session", "checklist", "--session", "N", "--tick", "git-history", "--note", "3f2c81a works"});
    EXPECT_EQ(ticked["session"], "N");
    const std::vector<std::string> noted = rows({"session", "checklist", "--session", "N"});
    EXPECT_THAT(noted, Contains(StartsWith("[x] git-history")));
    EXPECT_THAT(noted, Contains(EndsWith(": 3f2c81a works")));
    json({"session", "checklist", "--session", "N", "--tick", "git-history", "--note", ""});
    EXPECT_THAT(rows({"session", "checklist", "--session", "N"}), Contains(StartsWith("[ ] git-history")));
    EXPECT_EQ(ask({"session", "checklist", "--tick", "git-history"}).code, 2) << "without a note";
    EXPECT_EQ(ask({"session", "checklist", "--note", "x"}).code, 2);
}

TEST_F(SessionText, ADocumentIsWrittenInWords)
{
    opened("N");
    const std::vector<std::string> text =
        rows({"session", "write", "--root-cause", "Spread stores", "--next", "Pad it", "--to-patterns", "--to-roadmap"});
    EXPECT_THAT(text[0], EndsWith(": lesson-of-session-n"));
    EXPECT_THAT(text[1], EndsWith(": pad-it"));
    EXPECT_EQ(text[3], "Spread stores");
    EXPECT_THAT(text, Contains("–")) << "nothing to say yet";
    EXPECT_EQ(text.back(), "Pad it");
    const Json document = json({"session", "write"});
    EXPECT_EQ(document["session"], "N");
    EXPECT_EQ(document["document"][0]["drafted"], false);
    EXPECT_EQ(document["document"][1]["drafted"], true);
    EXPECT_EQ(text[2], document["document"][0]["title"].get<std::string>());
    EXPECT_THAT(text[4], StartsWith(document["document"][1]["title"].get<std::string>() + ' ')) << "which says that it is a draft";
    EXPECT_FALSE(document.contains("pattern"));
    EXPECT_FALSE(document.contains("roadmap_step"));
}

TEST_F(SessionText, ListsKindsAndDocumentsSnapshot)
{
    std::string text = ask({"session", "list"}).out;
    opened("N");
    opened("M", "reduction", "baseline");
    text += ask({"session", "list"}).out;
    std::string kinds = ask({"session", "kinds"}).out;
    const std::string folder = file("");
    kinds.replace(kinds.find(folder), folder.size(), "FOLDER/");
    text += kinds + ask({"session", "write", "--session", "N", "--root-cause", "Spread stores", "--next", "Pad it", "--to-roadmap"}).out;
    text += ask({"session", "compare", "N", "M"}).out;
    text += ask({"session", "delete", "N"}).err;
    for (int i = 0; i < 2; ++i)
        text += ask({"patterns", "apply", "profile-before-optimize"}).out;
    expectSnapshot("cli/session-words.txt", text + ask({"session", "rename", "M", "P"}).out);
}

TEST_F(SessionText, APreviewOpensNothing)
{
    const Words words{"session",  "new", "N",         "Make it fast", "--kernel", "transpose/tiled",
                      "--budget", "120", "--preview", "--on",         "sample"};
    const Json preview = json(words);
    const std::vector<std::string> text = rows(words);
    EXPECT_THAT(text[1], AllOf(StartsWith("optimize, transpose/tiled "), HasSubstr(" M=4096,N=4096, 2 h")));
    EXPECT_THAT(text, Contains(StartsWith("G1 ")));
    EXPECT_THAT(text, Contains(StartsWith("G5 ")));
    EXPECT_EQ(preview["budget_minutes"], 120);
    EXPECT_EQ(preview["kind"], "optimize");
    EXPECT_THAT(json({"session", "list"})["sessions"], SizeIs(0));
    const Json sized = json(
        {"session", "new", "N", "Make it fast", "--kernel", "transpose/tiled", "--problem", "M=32,N=32", "--preview", "--on", "sample"});
    EXPECT_EQ(sized["problem"], "M=32,N=32");
    EXPECT_EQ(ask({"session", "new", "N", " ", "--kernel", "transpose", "--on", "sample"}).code, 2);
    EXPECT_EQ(ask({"session", "new", "N", "x", "--kernel", "transpose", "--budget", "0", "--on", "sample"}).code, 2);
}

TEST_F(SessionText, APreviewWithWhatSpeaksAgainstItSnapshot)
{
    std::string text;
    for (const char* kernel : {"matvec/missing-bounds", "softmax"})
        text += ask({"session", "new", "D", "Debug it", "--kind", "debug", "--kernel", kernel, "--preview", "--on", "sample"}).out;
    expectSnapshot("cli/session-preview.txt", text);
}

TEST_F(SessionText, OnesAreRenamedTaggedAndDeleted)
{
    const std::string id = opened("N")["session"];
    const Json renamed = json({"session", "rename", "N", "P"});
    EXPECT_EQ(renamed["id"], id);
    EXPECT_EQ(renamed["before"], "N");
    EXPECT_EQ(renamed["name"], "P");
    EXPECT_THAT(rows({"session", "rename", "P", "Q"})[0], AllOf(StartsWith("P "), HasSubstr(" Q")));
    EXPECT_EQ(json({"session", "tag", "Q", "b", "a"})["tags"], Json({"a", "b"}));
    EXPECT_EQ(json({"session", "untag", "Q", "a"}), Json({{"schema", "kernelloop.tags/1"}, {"subject", "session:" + id}, {"tags", {"b"}}}));
    json({"session", "note", "seen", "--session", "Q"});
    json({"cost", "add", "--session", "Q", "--gpu", "1"});
    const Answer asked = ask({"session", "delete", "Q", "--json"});
    EXPECT_EQ(asked.code, 1);
    const std::string message = asked.json()["error"]["message"];
    EXPECT_THAT(message, HasSubstr(" Q (transpose), "));
    EXPECT_EQ(readFigures(message), "2 | 1") << "events and costs";
    EXPECT_THAT(rows({"session", "delete", "Q", "--yes"})[0], AllOf(HasSubstr(" Q (transpose), "), withFigures("2 | 1")));
    EXPECT_EQ(ask({"session", "delete", "Q", "--yes"}).code, 4);
    const std::string other = opened("R")["session"];
    EXPECT_EQ(json({"session", "delete", "R", "--yes"})["deleted"], other);
}

TEST_F(SessionText, AReviewersCommentsAreListedAndMerged)
{
    const std::string id = opened("N")["session"];
    EXPECT_THAT(rows({"review", "show"}), Not(Contains(HasSubstr(" | "))));
    const Json comment = json({"review", "comment", "N", "Is the clock locked?", "--on", "G1", "--author", "Ada"});
    EXPECT_EQ(comment["session"], id);
    EXPECT_EQ(comment["comment"]["target"], "G1");
    EXPECT_EQ(comment["comment"]["author"], "Ada");
    EXPECT_EQ(comment["comment"]["text"], "Is the clock locked?");
    EXPECT_THAT(rows({"review", "comment", "N", "Good.", "--author", "Bob"})[0],
                AllOf(HasSubstr(" Bob"), HasSubstr(" session "), HasSubstr(" N")));
    const std::vector<std::string> text = rows({"review", "show", "N"});
    EXPECT_THAT(text[1], AllOf(StartsWith("G1 | Ada | 20"), EndsWith("Z | Is the clock locked?")));
    EXPECT_THAT(text[2], AllOf(StartsWith("session | Bob | 20"), EndsWith("Z | Good.")));
    const Json exported = json({"review", "export", "N", "-o", file("review.html")});
    EXPECT_EQ(exported["session"], id);
    EXPECT_EQ(exported["file"], file("review.html"));
    const Words merge{"review", "import", file("review.html")};
    EXPECT_EQ(readFigures(rows(merge)[0]), "0 | 2") << "added, known";
    std::string page = read("review.html");
    for (std::size_t at = page.find("Is the clock"); at != std::string::npos; at = page.find("Is the clock"))
        page.replace(at, 2, "Was");
    write("review.html", page);
    const Json merged = json(merge);
    EXPECT_EQ(merged["session"], id);
    EXPECT_EQ(merged["added"], 1);
    EXPECT_EQ(merged["known"], 1);
    EXPECT_EQ(merged["conflicts"], 1) << "both texts are kept";
    EXPECT_THAT(json({"review", "show", "N"})["comments"], SizeIs(3));
    opened("M");
    const Answer other = ask({"review", "import", file("review.html"), "--session", "M"});
    EXPECT_EQ(other.code, 4) << "comments on another session";
    EXPECT_EQ(json({"review", "show"})["name"], "M") << "the latest one";
    EXPECT_EQ(json({"review", "show", "N"})["kernel"], "transpose");
}

TEST_F(SessionText, AReportGoesToEachFileThatIsNamed)
{
    opened("N");
    const Json files = json({"report", "N", "--html", file("r.html"), "--md", file("r.md"), "-o", file("r.csv")});
    EXPECT_EQ(files["files"], Json({file("r.html"), file("r.md"), file("r.csv")}));
    EXPECT_THAT(files["title"].get<std::string>(), HasSubstr("N"));
    EXPECT_THAT(read("r.html"), StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(read("r.md"), StartsWith("# "));
    EXPECT_THAT(read("r.csv"), StartsWith("group,subject,item"));
    EXPECT_THAT(rows({"report", "N", "-o", file("r.txt"), "--format", "md"})[0], EndsWith(' ' + file("r.txt")));
    EXPECT_EQ(read("r.txt"), read("r.md")) << "the format that is given, whatever the suffix";
    EXPECT_THAT(ask({"report", "N", "--format", "html"}).out, StartsWith("<!DOCTYPE html>"));
    EXPECT_EQ(json({"report", "N"})["schema"], "kernelloop.report/1");
    EXPECT_EQ(json({"report", "N", "--format", "json"})["schema"], "kernelloop.report/1");
    EXPECT_THAT(ask({"session", "plan", "--session", "N"}).out, AllOf(StartsWith("# "), HasSubstr("G1")));
    EXPECT_EQ(json({"session", "plan", "--session", "N", "-o", file("plan.md")})["files"], Json({file("plan.md")}));
    EXPECT_THAT(read("plan.md"), StartsWith("# "));
    opened("M", "reduction");
    EXPECT_THAT(ask({"session", "plan"}).out, HasSubstr("Coalesce M"));
    EXPECT_THAT(ask({"prompt"}).out, AllOf(HasSubstr("Coalesce M"), HasSubstr("kloop session ")));
    EXPECT_THAT(ask({"report", "--history", "--format", "csv"}).out, Not(HasSubstr("| ")));
    for (const Words& both : {Words{"report", "--history", "--patterns"},
                              {"report", "N", "--patterns"},
                              {"report", "--compare", "a/b", "a/c", "--history"},
                              {"report", "--compare", "a/b"}})
        EXPECT_EQ(ask(both).code, 2) << testing::PrintToString(both);
}

TEST_F(SessionText, AComparisonOfRunsIsAReportOfBoth)
{
    json({"run", "transpose/naive", "--on", "sample"});
    json({"run", "transpose/tiled", "--on", "sample"});
    const std::string report = ask({"report", "--compare", "transpose/naive", "transpose/tiled"}).out;
    EXPECT_THAT(report, AllOf(HasSubstr("transpose/naive"), HasSubstr("transpose/tiled"), HasSubstr("faster")));
    EXPECT_THAT(ask({"report", "--compare", "transpose/tiled", "transpose/naive"}).out, HasSubstr("slower"));
    const Json sides = json({"report", "--compare", "transpose/naive", "transpose/tiled"});
    EXPECT_EQ(sides["a"]["variant"], "naive");
    EXPECT_EQ(sides["b"]["variant"], "tiled");
    EXPECT_EQ(ask({"report", "--compare", "transpose/tiled", "transpose/naive", "--problem", "M=1,N=1"}).code, 4);
}

TEST_F(SessionText, TwoSessionsStandSideBySide)
{
    opened("N");
    opened("M", "reduction");
    const std::vector<std::string> text = rows({"session", "compare", "N", "M"});
    EXPECT_EQ(text[0], "N | M");
    EXPECT_THAT(text, Contains(EndsWith(" | Coalesce N | Coalesce M")));
    const Json pair = json({"session", "compare", "M", "N"});
    EXPECT_EQ(pair["a"]["name"], "M");
    EXPECT_EQ(pair["b"]["name"], "N");
    EXPECT_THAT(ask({"session", "compare", "N", "M", "--format", "md"}).out, StartsWith("# "));
    EXPECT_EQ(ask({"session", "compare", "N", "X"}).code, 4);
}

TEST_F(SessionText, ABatchCarriesOutWhatItsVerbsSay)
{
    const std::vector<Json> answers =
        batch(R"({"verb":"new","name":"N","objective":"o","kernel":"transpose","problem":"M=4096,N=4096","cumulative":true,"git":false,)"
              R"("budget":60,"answers":{"tools":"none","target-gpu":5},"claims":[{"source":"s","figure":"2x","about":"baseline"}]}
{"verb":"list"}
{"verb":"option","name":"cumulative","value":false}
{"verb":"claim","source":"README","figure":"3x"}
{"verb":"waive","gate":"G1","reason":"checked by hand"}
{"verb":"gate","gate":"G1"}
{"verb":"resume"}
{"verb":"show","session":"N"}
{"verb":"profile"}
)",
              1);
    ASSERT_THAT(answers, SizeIs(9));
    EXPECT_EQ(answers[0]["options"], Json({{"cumulative", true}, {"git", false}}));
    EXPECT_EQ(answers[0]["budget_minutes"], 60);
    EXPECT_EQ(answers[0]["kind"], "optimize") << "the default";
    EXPECT_EQ(answers[0]["answers"]["tools"], "none");
    EXPECT_EQ(answers[0]["answers"]["target-gpu"], "5");
    EXPECT_EQ(answers[0]["claims"][0]["about"], "baseline");
    EXPECT_EQ(answers[0]["exit_code"], 0);
    ASSERT_THAT(answers[1]["sessions"], SizeIs(1));
    EXPECT_EQ(answers[1]["sessions"][0],
              Json({{"id", answers[0]["session"]}, {"name", "N"}, {"kind", "optimize"}, {"kernel", "transpose"}}));
    EXPECT_EQ(answers[1]["next"][0]["action"], "new");
    EXPECT_EQ(answers[2]["options"]["cumulative"], false);
    EXPECT_EQ(answers[3]["claims"][1]["source"], "README");
    EXPECT_EQ(answers[4]["gates"][0]["progress"], "waived");
    EXPECT_EQ(answers[5]["gate"]["id"], "G1");
    EXPECT_EQ(answers[6]["events"].back()["type"], "resumed");
    EXPECT_EQ(answers[7]["name"], "N");
    EXPECT_EQ(answers[7]["exit_code"], 0);
    EXPECT_EQ(answers[8]["exit_code"], 1) << "an action that has a verb of its own, and that a rule refuses";
    EXPECT_EQ(answers[8]["error"]["code"], "refused");
    EXPECT_EQ(answers[8]["phase"], answers[7]["phase"]) << "with the session's state";
}

TEST_F(SessionText, ABatchsExitCodeIsItsLastAnswers)
{
    EXPECT_THAT(batch("{\"verb\":\"dance\"}\n\n  \n{\"verb\":\"kinds\"}", 0), SizeIs(2)) << "the last line needs no end";
    EXPECT_THAT(batch("{\"verb\":\"kinds\"}\n[]\n", 2), SizeIs(2));
    const std::vector<Json> none = batch("{\"verb\":\"show\"}\n", 4);
    EXPECT_EQ(none[0]["error"]["code"], "not-found");
    EXPECT_THAT(batch("", 0), SizeIs(0));
    const std::vector<Json> claim = batch(R"({"verb":"new","name":"N","objective":"o","kernel":"transpose","claims":["2x"]})", 2);
    EXPECT_EQ(claim[0]["exit_code"], 2);
    const std::vector<Json> about =
        batch(R"({"verb":"new","name":"N","objective":"o","kernel":"transpose","claims":[{"source":"s","figure":"2x"}]})"
              "\n"
              R"({"verb":"act","action":"keep","argument":"x"})",
              1);
    EXPECT_EQ(about[0]["claims"][0]["about"], "kernel") << "the default";
}

TEST_F(SessionText, ASessionsFindingSuggestsPatternsForIt)
{
    opened("N");
    const Json suggested = json({"patterns", "suggest"});
    EXPECT_EQ(suggested["session"], "N");
    EXPECT_EQ(suggested["phase"], "environment");
    ASSERT_FALSE(suggested["suggestions"].empty());
    const Json& first = suggested["suggestions"][0];
    EXPECT_EQ(first["argv"], Json({"kloop", "patterns", "apply", first["slug"], "--session", json({"session", "show"})["session"]}));
    const std::string slug = first["slug"];
    const std::string before = findRow(text({"patterns", "suggest"}), slug + " | ");
    ASSERT_NE(before, "");
    const std::string applied = rows({"patterns", "apply", slug, "--minutes", "20"})[0];
    const std::string again = rows({"patterns", "apply", slug})[0];
    for (const std::string& row : {applied, again})
        EXPECT_THAT(row, AllOf(StartsWith(slug + ' '), HasSubstr(" N")));
    EXPECT_NE(applied, again) << "it was applied already";
    EXPECT_THAT(rows({"patterns", "suggest"}), Contains(AllOf(StartsWith(before), Not(before)))) << "which says so, too";
}

} // namespace
} // namespace kl::test
