// SPDX-License-Identifier: MIT
// Regressions of several kernels, the roadmap's edits, patterns and their uses, what is recommended and what is imported.
#include "kloop.h"
#include "tests/support/real_reports.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <fmt/format.h>

namespace kl::test {
namespace {

using support::openStore;
using support::profiledRun;
using support::timedRun;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class HistoryDetails : public AskedKloop {
protected:
    /// Fourteen runs of a variant, the last two slower.
    void addSlowDown(const std::string& prefix, const std::string& variant) const
    {
        const auto store = openStore(file("test.db"));
        for (int i = 0; i < 14; ++i)
            ASSERT_TRUE(store
                            ->saveRun(timedRun(fmt::format("{}00{}", prefix, 10 + i), variant,
                                               fmt::format("2026-01-{}T00:00:00.000Z", 10 + i), i < 12 ? 1000 : 1200))
                            .ok());
    }
};

TEST_F(HistoryDetails, OneRegressionThatIsOpenAmongOthersFails)
{
    addSlowDown("aaaa", "naive");
    addSlowDown("bbbb", "tiled");
    const Answer both = kloop({"regress", "--json"});
    EXPECT_EQ(both.code, 1);
    EXPECT_EQ(both.json()["open"], 2);
    ASSERT_THAT(both.json()["regressions"], SizeIs(2));
    const Json first = json({"regress", "acknowledge", "transpose/naive"});
    EXPECT_EQ(first["regressions"][0]["kernel"], "transpose/naive");
    const Answer one = kloop({"regress", "--json"});
    EXPECT_EQ(one.code, 1);
    EXPECT_EQ(one.json()["open"], 1);
    const Json known = json({"regress", "new-normal", "run:bbbb0022", "--note", "the driver"});
    EXPECT_EQ(known["regressions"][0]["kernel"], "transpose/tiled");
    EXPECT_EQ(known["regressions"][0]["state"], "new-normal");
    EXPECT_EQ(known["regressions"][0]["note"], "the driver");
    EXPECT_EQ(json({"regress"})["open"], 0);
    EXPECT_EQ(rows({"regress", "undo", "transpose/tiled"})[1].find("the driver"), std::string::npos);
    EXPECT_EQ(kloop({"regress"}).code, 1);
    EXPECT_EQ(kloop({"regress", "acknowledge", "transpose"}).code, 4) << "which of the two?";
}

TEST_F(HistoryDetails, AnEditOfTheRoadmapKeepsWhatItDoesNotName)
{
    const auto stepIn = [](const Json& roadmap, const std::string& id) {
        for (const Json& week : roadmap["weeks"])
            for (const Json& step : week["steps"])
                if (step["id"] == id) {
                    Json found = step;
                    found["in_week"] = week["week"];
                    return found;
                }
        return Json::object();
    };
    const Json shipped = json({"roadmap"});
    json({"roadmap", "add", "Write it", "--week", "2", "--session", "A", "--cycles", "3"});
    Json step = stepIn(json({"roadmap", "edit", "write-it", "--session", "B", "--session", "C"}), "write-it");
    EXPECT_EQ(step["sessions"], Json({"B", "C"})) << "instead of the earlier ones";
    EXPECT_EQ(step["title"], "Write it");
    EXPECT_EQ(step["in_week"], 2);
    const std::string asked = step["asks"];
    EXPECT_THAT(asked, HasSubstr("3"));
    step = stepIn(json({"roadmap", "edit", "write-it", "--week", "3"}), "write-it");
    EXPECT_EQ(step["in_week"], 3);
    EXPECT_EQ(step["sessions"], Json({"B", "C"}));
    EXPECT_EQ(step["asks"], asked);
    step = stepIn(json({"roadmap", "edit", "write-it", "--title", "Print it", "--device", "A100"}), "write-it");
    EXPECT_EQ(step["title"], "Print it");
    EXPECT_THAT(step["asks"].get<std::string>(), HasSubstr("A100"));
    EXPECT_EQ(step["state"], "planned");
    const std::string first = shipped["weeks"][0]["steps"][0]["id"];
    json({"roadmap", "edit", first, "--title", "Another", "--done"});
    EXPECT_EQ(stepIn(json({"roadmap", "edit", first, "--undone"}), first)["state"], "planned");
    EXPECT_EQ(stepIn(json({"roadmap", "remove", "write-it"}), "write-it"), Json::object());
    EXPECT_EQ(kloop({"roadmap", "remove", "write-it"}).code, 4);
    EXPECT_EQ(json({"roadmap", "reset"}), shipped);
    for (const Words& wrong : {Words{"--speedup", "0"}, {"--minutes", "-1"}, {"--cycles", "0"}, {"--week", "0"}}) {
        Words words{"roadmap", "edit", first};
        words.insert(words.end(), wrong.begin(), wrong.end());
        EXPECT_NE(kloop(words).code, 0) << wrong[0];
    }
    EXPECT_EQ(json({"roadmap"}), shipped);
}

TEST_F(HistoryDetails, UsesOfAPatternAreThoseOfTheDatabase)
{
    const Json used = json({"patterns", "show", "profile-before-optimize", "--db", ":sample:"});
    ASSERT_FALSE(used["uses"].empty());
    EXPECT_EQ(used["applications"], used["uses"].size());
    EXPECT_EQ(used["retired"], false);
    std::set<std::string> names;
    for (const Json& use : used["uses"]) {
        EXPECT_EQ(use["pattern"], "profile-before-optimize");
        EXPECT_NE(use["session_name"], use["session"]);
        EXPECT_NE(use["why"], "");
        names.insert(use["session_name"].get<std::string>());
    }
    const std::vector<std::string> text = rows({"patterns", "show", "profile-before-optimize", "--db", ":sample:"});
    for (const std::string& name : names)
        EXPECT_THAT(text, Contains(StartsWith(name + " | "))) << name;
    const Json list = json({"patterns"});
    for (const Json& total : list["quoted_totals"]) {
        EXPECT_NE(total["what"], "");
        EXPECT_NE(total["text"], "");
        EXPECT_NE(total["what"], total["text"]);
    }
    const Json found = json({"patterns", "search", "launch", "overhead"});
    for (const Json& pattern : found["patterns"])
        EXPECT_THAT(pattern.dump(), AllOf(HasSubstr("aunch"), HasSubstr("verhead")));
    EXPECT_LT(found["patterns"].size(), list["patterns"].size());
    EXPECT_EQ(found["totals"], list["totals"]);
    const Answer none = kloop({"patterns", "search", "zebra"});
    EXPECT_EQ(none.code, 0);
    EXPECT_THAT(readRows(none.out), ElementsAre(AllOf(HasSubstr("\"zebra\""), EndsWith(": kloop patterns")))) << "and no totals";
    const Json nothing = json({"patterns", "search", "zebra"});
    EXPECT_EQ(nothing["patterns"], Json::array());
    EXPECT_EQ(nothing["next_steps"][0]["id"], "list-patterns");
    EXPECT_EQ(nothing["totals"], list["totals"]);
}

TEST_F(HistoryDetails, ABodyIsEditedAPartAtATime)
{
    json({"patterns", "add", "--title", "Swizzle the tile", "--problem", "p", "--advice", "a"});
    json({"patterns", "edit", "swizzle-the-tile", "--why", "W", "--step", "s1", "--step", "s2", "--check", "c1"});
    const Json body = json({"patterns", "edit", "swizzle-the-tile", "--step", "t1", "--evidence", "E"});
    EXPECT_EQ(body["schema"], "kernelloop.pattern-body/1");
    EXPECT_EQ(body["slug"], "swizzle-the-tile");
    EXPECT_EQ(body["why"], "W") << "what is not named stays";
    EXPECT_EQ(body["evidence"], "E");
    EXPECT_EQ(body["steps"], Json({"t1"}));
    EXPECT_EQ(body["checklist"], Json({"c1"}));
    EXPECT_EQ(kloop({"patterns", "edit", "no-such", "--why", "x"}).code, 4);
    EXPECT_EQ(kloop({"patterns", "retire", "no-such"}).code, 4);
    EXPECT_EQ(kloop({"patterns", "edit", "swizzle-the-tile", "--json"}).json()["error"]["where"], "swizzle-the-tile");
    EXPECT_EQ(kloop({"patterns", "add", "--json"}).json()["error"]["where"], "--title");
    const Json added = json({"patterns", "add", "--title", "Swizzle the tile", "--problem", "q", "--advice", "b", "--replace"});
    EXPECT_EQ(added["schema"], "kernelloop.pattern/1");
    EXPECT_EQ(json({"patterns", "show", "swizzle-the-tile"})["problem"], "q");
}

TEST_F(HistoryDetails, AProfileOfTheSizeThatIsNamedIsRecommendedFor)
{
    {
        const auto store = openStore(file("test.db"));
        RunRecord small = profiledRun("aaaa0001-0000-7000-8000-000000000001", "naive", "2026-01-01T00:00:00.000Z", 1000);
        RunRecord large = profiledRun("bbbb0002-0000-7000-8000-000000000002", "naive", "2026-01-02T00:00:00.000Z", 4000);
        large.problem = {{"M", std::int64_t{128}}, {"N", std::int64_t{128}}};
        ASSERT_TRUE(store->saveRun(small).ok());
        ASSERT_TRUE(store->saveRun(large).ok());
        ASSERT_TRUE(store->saveRun(timedRun("cccc0003-0000-7000-8000-000000000003", "naive", "2026-01-03T00:00:00.000Z", 900)).ok());
    }
    const Json newest = json({"recommend", "transpose/naive"});
    EXPECT_EQ(newest["run"], "bbbb0002-0000-7000-8000-000000000002") << "the newest profile, not the newest run";
    EXPECT_EQ(newest["problem"], "M=128,N=128");
    EXPECT_EQ(newest["kernel"], "transpose/naive");
    EXPECT_EQ(newest["class"], "not-measured") << "by its metrics";
    EXPECT_EQ(newest["pays"], 1.2);
    EXPECT_EQ(newest["calibrated"], true);
    EXPECT_GT(newest["cases"], 100);
    EXPECT_EQ(newest["own_cases"], 0);
    EXPECT_EQ(json({"recommend", "transpose/naive", "--problem", "M=64,N=64"})["run"], "aaaa0001-0000-7000-8000-000000000001");
    EXPECT_EQ(json({"recommend", "run:aaaa"})["problem"], "M=64,N=64");
    EXPECT_EQ(kloop({"recommend", "transpose/naive", "--problem", "M=1,N=1"}).code, 4);
    EXPECT_EQ(kloop({"recommend", "run:cccc", "--json"}).json()["error"]["code"], "bad-input");

    EXPECT_THAT(rows({"recommend", "transpose/naive"})[0], StartsWith("transpose/naive M=128,N=128: not-measured"));
}

TEST_F(HistoryDetails, ChangesThatGainAreListedWithWhatTheirChanceIsFrom)
{
    KL_NEEDS_SAMPLE();
    const Json advice = json({"recommend", "transpose/tiled", "--on", "sample"});
    const std::vector<std::string> text = rows({"recommend", "transpose/tiled", "--on", "sample"});
    EXPECT_EQ(text[1], readRows(advice["sentence"].get<std::string>())[0]);
    std::ptrdiff_t gaining = 0;
    std::set<std::string> from;
    for (const Json& change : advice["changes"]) {
        const bool gains = change["expected_reduction"].get<double>() > 0;
        gaining += gains ? 1 : 0;
        from.insert(change["by"].get<std::string>());
        EXPECT_EQ(change["by"] == "cases", change["similar_cases"] >= 3) << change;
        EXPECT_LE(change["similar_kernels"], change["similar_cases"]);
        const auto row =
            std::ranges::find_if(text, [&](const std::string& one) { return one.starts_with(change["title"].get<std::string>() + " | "); });
        ASSERT_EQ(row != text.end(), gains) << change;
        if (gains) {
            EXPECT_THAT(*row, HasSubstr(fmt::format(" | {} | {} | ", change["similar_cases"].get<int>(), change["by"].get<std::string>())));
        }
    }
    EXPECT_THAT(from, ElementsAre("cases", "tree"));
    EXPECT_EQ(std::ranges::count_if(text, [](const std::string& row) { return countCells(row) == 6; }), 1 + gaining);
    EXPECT_EQ(readFigures(text.back()), "1.20× | " + advice["cases"].dump() + " | 0");
    EXPECT_LT(gaining, std::ssize(advice["changes"]));
}

TEST_F(HistoryDetails, FilesOfOtherToolsAreImportedWhole)
{
    write("three.csv", ncuData("three_kernels_raw.csv"));
    const Json imported = json({"import", file("three.csv")});
    EXPECT_EQ(imported["schema"], "kernelloop.import/1");
    ASSERT_THAT(imported["results"], SizeIs(3));
    for (const Json& one : imported["results"]) {
        EXPECT_EQ(one["state"], "new");
        EXPECT_NE(one["class"], "");
        EXPECT_NE(one["run"], "");
    }
    const std::vector<std::string> text = rows({"import", file("three.csv")});
    ASSERT_EQ(text.size(), 4U);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_THAT(text[1 + i],
                    AllOf(StartsWith("run:" + imported["results"][i]["run"].get<std::string>() + " | "), EndsWith(" | known")));
    const Json strided = json({"import", file("three.csv"), "--kernel", "strided"});
    ASSERT_THAT(strided["results"], SizeIs(1));
    EXPECT_EQ(strided["results"][0]["run"], imported["results"][0]["run"]);
    const Answer none = kloop({"import", file("three.csv"), "--kernel", "nothing", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "--kernel");
    EXPECT_THAT(none.json()["error"]["message"].get<std::string>(), HasSubstr("strided"));
    write("broken.json", "{");
    const Answer some = kloop({"import", file("three.csv"), file("broken.json"), "--kernel", "strided", "--json"});
    EXPECT_EQ(some.code, 4);
    EXPECT_THAT(some.json()["results"], SizeIs(1));
    EXPECT_THAT(some.json()["errors"], SizeIs(1));
    EXPECT_THAT(some.err, HasSubstr("broken.json"));
}

TEST_F(HistoryDetails, NotesOnAFileThatIsImportedAreInTheAnswer)
{
    const std::string report = ncuData("basic.ncu-rep");
    write("known.ncu-rep", report);
    EXPECT_EQ(json({"import", file("known.ncu-rep")})["notes"], Json::array());
    std::string later = report;
    later.at(9) = 0x7f; // the version of its format, the first field of its header
    write("later.ncu-rep", later);
    for (const Words& files : {Words{file("later.ncu-rep")}, {file("known.ncu-rep"), file("later.ncu-rep")}}) {
        Words words{"import"};
        words.insert(words.end(), files.begin(), files.end());
        const Json answer = json(words);
        ASSERT_THAT(answer["notes"], SizeIs(1)) << files.size();
        EXPECT_THAT(answer["notes"][0].get<std::string>(), StartsWith(file("later.ncu-rep") + ": "));
    }
}

TEST_F(HistoryDetails, AnEstimateThatWasMeasuredSaysWhen)
{
    {
        const auto store = openStore(file("test.db"));
        RunRecord before = profiledRun("before", "naive", "2026-01-01T00:00:00.000Z", 1000);
        before.diagnosis->finding.fixes = {{.id = "transpose/tiled", .title = "Tile it", .variant = "transpose/tiled"}};
        ASSERT_TRUE(store->saveRun(before).ok());
        ASSERT_TRUE(store->saveRun(timedRun("fixed", "tiled", "2026-01-01T01:00:00.000Z", 500)).ok());
    }
    const Json rules = json({"learn", "rules"});
    EXPECT_EQ(rules["schema"], "kernelloop.rules/1");
    ASSERT_THAT(rules["cases"], SizeIs(1));
    EXPECT_EQ(rules["cases"][0]["at"], "2026-01-01T01:00:00.000Z");
    EXPECT_EQ(rules["cases"][0]["problem"], "M=64,N=64");
    ASSERT_THAT(rules["rules"], SizeIs(1));
    EXPECT_EQ(rules["rules"][0]["realised"], 0.5);
    EXPECT_EQ(rules["rules"][0]["estimated"], 0.5);
    const std::vector<std::string> text = rows({"learn", "rules"});
    EXPECT_THAT(text, Contains(StartsWith("uncoalesced | 1 | 1 (100 %) | 1 | 50 % | 50 % | ")));
    EXPECT_EQ(std::ranges::count_if(text, [](const std::string& row) { return row.starts_with("Finding | "); }), 1)
        << "nothing on recorded data";
}

} // namespace
} // namespace kl::test
