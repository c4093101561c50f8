// SPDX-License-Identifier: MIT
// The diagnosis tree from the command line: printed, replaced, explained, without counters, held against labeled kernels.

#include "core/base/format.h"
#include "tests/cli/kloop.h"

#include <filesystem>
#include <set>

namespace kl {
namespace {

using testing::HasSubstr;
using testing::Not;

class DiagnosisCli : public test::Kloop {
protected:
    /// The program's tree with one piece of text replaced, as a file.
    std::string treeWith(const std::string& from, const std::string& to)
    {
        std::string text(*resource("resources/diagnosis-tree.json"));
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        std::ofstream(file("tree.json")) << text;
        return file("tree.json");
    }

    std::string profileFile()
    {
        const test::Answer profile = kloop({"profile", "transpose/naive", "--on", "sample", "--json"});
        EXPECT_EQ(profile.code, 0) << profile.err;
        std::ofstream(file("profile.json")) << profile.out;
        return file("profile.json");
    }
};

TEST_F(DiagnosisCli, TheTreeIsPrintedAndItsFileCanBeTakenAway)
{
    const test::Answer words = kloop({"tree"});
    EXPECT_EQ(words.code, 0) << words.err;
    EXPECT_THAT(words.out, HasSubstr("uncoalesced"));
    const test::Answer data = kloop({"tree", "--json"});
    EXPECT_EQ(data.out, std::string(*resource("resources/diagnosis-tree.json")));
}

TEST_F(DiagnosisCli, WhatATreeMayNameIsListed)
{
    const test::Answer words = kloop({"tree", "--names"});
    EXPECT_EQ(words.code, 0) << words.err;
    for (const char* part : {"excess_sectors_percent", "ceil(waves) - waves", "worst_access", "launch-gaps", "small-grid"})
        EXPECT_THAT(words.out, HasSubstr(part));
    const Json names = kloop({"tree", "--names", "--json"}).json();
    std::set<std::string> quantities;
    for (const Json& quantity : names["quantities"])
        quantities.insert(quantity["id"].get<std::string>());
    const Json tree = Json::parse(*resource("resources/diagnosis-tree.json"));
    for (const Json& node : tree["nodes"]) {
        for (const Json& way : node["any"])
            for (const Json& condition : way["all"])
                EXPECT_EQ(quantities.count(condition[0].get<std::string>()), 1U) << condition;
        if (node.contains("estimate")) {
            EXPECT_THAT(names["estimates"].get<std::vector<std::string>>(), testing::Contains(node["estimate"].get<std::string>()));
        }
    }
    EXPECT_EQ(names["classes"].size(), 26U);
}

TEST_F(DiagnosisCli, ATeamsTreeDecides)
{
    const std::string profile = profileFile();
    const std::string tree = treeWith("\"Uncoalesced {worst_access}.\"", "\"Our words: {worst_access}.\"");
    EXPECT_THAT(kloop({"analyze", profile, "--tree", tree}).out, HasSubstr("Our words: "));
    std::filesystem::create_directories(file("config/kernelloop"));
    std::filesystem::copy(tree, file("config/kernelloop/diagnosis-tree.json"));
    EXPECT_THAT(kloop({"analyze", profile}, "XDG_CONFIG_HOME=" + quoted(file("config"))).out, HasSubstr("Our words: "));
    EXPECT_THAT(kloop({"analyze", profile}, "XDG_CONFIG_HOME=" + quoted(file("elsewhere"))).out, Not(HasSubstr("Our words: ")));
    EXPECT_THAT(kloop({"analyze", profile, "--tree", ":default:"}, "XDG_CONFIG_HOME=" + quoted(file("config"))).out,
                Not(HasSubstr("Our words: ")));
}

TEST_F(DiagnosisCli, TheProgramsTreeCanBeWrittenToTheTeamsPlace)
{
    std::filesystem::create_directories(file("config/kernelloop"));
    const std::string place = file("config/kernelloop/diagnosis-tree.json");
    std::ofstream(place) << ""; // as the shell leaves it before the program starts
    EXPECT_EQ(kloop({"tree"}, "XDG_CONFIG_HOME=" + quoted(file("config"))).code, 4);
    const test::Answer own = kloop({"--tree", ":default:", "tree", "--json"}, "XDG_CONFIG_HOME=" + quoted(file("config")));
    EXPECT_EQ(own.out, std::string(*resource("resources/diagnosis-tree.json"))) << own.err;
    EXPECT_THAT(kloop({"tree", "--help"}).out, HasSubstr("--tree :default: tree --json > "));
}

TEST_F(DiagnosisCli, AStoredRunIsTestedAgainWithTheTreeOfToday)
{
    const test::Answer profile = kloop({"profile", "transpose/naive", "--on", "sample", "--json"});
    ASSERT_EQ(profile.code, 0) << profile.err;
    const std::string run = "run:" + Json::parse(profile.out)["id"].get<std::string>();
    const test::Answer again = kloop({"analyze", run, "--explain"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("uncoalesced"));
    EXPECT_THAT(kloop({"analyze", run, "--tree", treeWith("\"Uncoalesced {worst_access}.\"", "\"Our words: {worst_access}.\"")}).out,
                HasSubstr("Our words: "));
    EXPECT_EQ(kloop({"analyze", "run:00000000"}).code, 4);
}

TEST_F(DiagnosisCli, StallsAloneAreTooLittleForAVerdict)
{
    const test::Answer answer = kloop({"profile", "transpose/naive", "--sections", "WarpState", "--on", "sample", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.json()["finding"]["class"], "not-measured");
}

TEST_F(DiagnosisCli, ADamagedTreeIsNamedWithItsPlace)
{
    const test::Answer answer = kloop({"tree", "--tree", treeWith("\"class\": \"l2-bound\"", "\"class\": \"slow\"")});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.err, testing::ContainsRegex("tree.json:[0-9]+:[0-9]+: node l2: class"));
    EXPECT_THAT(kloop({"tree", "--tree", treeWith("[\"waves\", \"<\", 1]", "[\"wavez\", \"<\", 1]")}).err, HasSubstr("\"waves\""));
    EXPECT_THAT(kloop({"tree", "--tree", treeWith("\"launch-gaps\"", "\"launch-gap\"")}).err, HasSubstr("\"launch-gaps\""));
    EXPECT_THAT(kloop({"tree", "--tree", treeWith("{busiest_unit}", "{busyest_unit}")}).err, HasSubstr("\"busiest_unit\""));
    const test::Answer typo = kloop({"tree", "--tree", treeWith("\"never_secondary\"", "\"never_secondry\"")});
    EXPECT_EQ(typo.code, 4);
    EXPECT_THAT(typo.err, HasSubstr("never_secondry"));
    const test::Answer gone = kloop({"tree", "--tree", file("nowhere.json")});
    EXPECT_EQ(gone.code, 4);
    EXPECT_THAT(gone.err, HasSubstr("nowhere.json"));
}

TEST_F(DiagnosisCli, AnExplanationGoesThroughEveryQuestion)
{
    const test::Answer answer = kloop({"analyze", profileFile(), "--explain"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const Json tree = Json::parse(*resource("resources/diagnosis-tree.json"));
    for (const Json& node : tree["nodes"])
        EXPECT_THAT(answer.out, HasSubstr(". " + node["title"].get<std::string>()));
    EXPECT_THAT(answer.out, HasSubstr(": uncoalesced"));
}

TEST_F(DiagnosisCli, AProfileExplainsItselfAsItsAnalysisDoes)
{
    const Json tree = Json::parse(*resource("resources/diagnosis-tree.json"));
    const auto explained = [&tree](const std::string& text) {
        const auto from = text.find(". " + tree["nodes"][0]["title"].get<std::string>());
        return from == std::string::npos
                   ? std::string()
                   : text.substr(from, text.find('\n', text.rfind(". " + tree["nodes"].back()["title"].get<std::string>())) - from);
    };
    const test::Answer profile = kloop({"profile", "transpose/naive", "--on", "sample", "--explain"});
    EXPECT_EQ(profile.code, 0) << profile.err;
    EXPECT_THAT(explained(profile.out), HasSubstr(": uncoalesced"));
    EXPECT_EQ(explained(profile.out), explained(kloop({"analyze", profileFile(), "--explain"}).out));
    EXPECT_EQ(explained(kloop({"profile", "transpose/naive", "--on", "sample"}).out), "") << "where it is asked for";
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--on", "sample", "--explain", "--counters-only"}).code, 2) << "nothing is diagnosed";
}

TEST_F(DiagnosisCli, AFindingsEstimateIsHeldAgainstWhatItsFixGave)
{
    const Json before = kloop({"profile", "transpose/tiled", "--on", "sample", "--json"}).json();
    EXPECT_EQ(kloop({"learn", "rules", "--json"}).json()["cases"].size(), 0U);
    const Json after = kloop({"run", "transpose/padded", "--on", "sample", "--json"}).json();
    const Json answer = kloop({"learn", "rules", "--json"}).json();
    ASSERT_EQ(answer["cases"].size(), 1U) << answer;
    const Json& one = answer["cases"][0];
    const double promised = before["finding"]["estimate"]["runtime_reduction"].get<double>();
    const double gave = 1 - after["timing"]["gpu_ns"]["median"].get<double>() / before["timing"]["gpu_ns"]["median"].get<double>();
    EXPECT_EQ(one["rule"], "bank-conflicts");
    EXPECT_NEAR(one["estimated"].get<double>(), promised, 1e-9);
    EXPECT_NEAR(one["realised"].get<double>(), gave, 1e-9);
    EXPECT_EQ(one["hit"].get<bool>(), promised <= 2 * gave && promised >= gave / 2);
    EXPECT_THAT(kloop({"learn", "rules"}).out, testing::ContainsRegex("\n  all +1 +[01] "));
}

TEST_F(DiagnosisCli, WhatIsNotEstimatedIsReported)
{
    EXPECT_TRUE(kloop({"profile", "branch/by-warp", "--on", "sample", "--json"}).json()["finding"]["estimate"].is_null());
    EXPECT_FALSE(kloop({"profile", "transpose/naive", "--on", "sample", "--json"}).json()["finding"]["estimate"].is_null());
}

TEST_F(DiagnosisCli, AnExplanationSaysYesWhereThePathEnds)
{
    // A question of the same class that is not asked of this run comes before the one that decides.
    const test::Answer answer = kloop({"analyze", profileFile(), "--explain", "--tree",
                                       treeWith("\"id\": \"launches\",\n      \"title\": \"Does the GPU wait for launches?\",\n      "
                                                "\"class\": \"launch-overhead\",",
                                                "\"id\": \"first\", \"title\": \"Is it inferred?\", \"class\": \"uncoalesced\", "
                                                "\"help\": \"h\", \"finding\": \"f\", \"priority\": 0, \"confidence\": 1, \"any\": "
                                                "[{\"inferred\": true, \"all\": [[\"waves\", \"<\", 0]]}], \"fixes\": []},\n    "
                                                "{\"id\": \"launches\", \"title\": \"Does the GPU wait for launches?\", \"class\": "
                                                "\"launch-overhead\",")});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.out,
                testing::AllOf(HasSubstr("Is it inferred? "), Not(testing::ContainsRegex("Is it inferred[?] [^\n]*: uncoalesced"))));
    EXPECT_THAT(answer.out, testing::ContainsRegex("[?] [^\n]*: uncoalesced"));
}

TEST_F(DiagnosisCli, WithoutCountersTheFindingIsInferred)
{
    const test::Answer answer = kloop({"profile", "transpose/naive", "--no-counters", "--on", "sample", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_TRUE(json["finding"]["inferred"].get<bool>());
    EXPECT_EQ(json["metrics"], Json::object()) << "a profile has them, be there none";
    EXPECT_EQ(json["missing"], Json::object());
    EXPECT_EQ(json["plan"], (Json{{"passes", 0}, {"ran", 0}}));
    EXPECT_LE(json["finding"]["confidence"].get<double>(), 0.5);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--no-counters", "--counters-only", "--on", "sample"}).code, 2);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--no-counters", "--sections", "WarpState", "--on", "sample"}).code, 2);
}

TEST_F(DiagnosisCli, WhatWasCountedCanBeAskedWithoutItsCounters)
{
    const Json inferred = kloop({"profile", "transpose/naive", "--no-counters", "--on", "sample", "--json"}).json();
    const std::string profile = profileFile();
    const std::string run = "run:" + Json::parse(std::ifstream(profile))["id"].get<std::string>();
    for (const std::string& counted : {profile, run}) {
        const test::Answer answer = kloop({"analyze", counted, "--no-counters", "--json"});
        ASSERT_EQ(answer.code, 0) << answer.err;
        const Json result = answer.json()["results"][0];
        EXPECT_EQ(result["finding"], inferred["finding"]) << counted;
        EXPECT_EQ(result["metrics"], Json::object());
    }
    EXPECT_FALSE(kloop({"analyze", run, "--json"}).json()["results"][0]["finding"]["inferred"].get<bool>()) << "the stored run has them";
}

TEST_F(DiagnosisCli, ConfusionCountsWhatIsRight)
{
    const test::Answer answer = kloop({"confusion", profileFile(), "--markdown", file("out.md"), "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["rates"]["counters"]["all"]["right"], 1);
    EXPECT_EQ(json["rates"]["counters"]["all"]["of"], 1);
    EXPECT_EQ(json["kernels"][0]["expected"], "uncoalesced");
    EXPECT_TRUE(json["kernels"][0]["ncu"].is_null());
    EXPECT_THAT(read("out.md"), HasSubstr("| uncoalesced | **1** |"));
    const test::Answer unlabeled = kloop({"confusion", file("out.md")});
    EXPECT_EQ(unlabeled.code, 4);
}

TEST_F(DiagnosisCli, WhatIsKnownBeforeCountersIsSaidAtOnce)
{
    useRecorder("", R"(*'"verb":"profile"'*)
        known='"status":"ok","device":{"uuid":"GPU-1","name":"Test GPU"},"correctness":{"result":"pass"},"timing":{"gpu_ns":{"median":41000,"low":41000,"high":41000,"n":100}}'
        echo "{\"event\":\"partial\",\"id\":$id,\"body\":{$known}}"
        sleep 0.1
        [ -s err ] && touch told
        echo "{\"event\":\"result\",\"id\":$id,\"body\":{$known}}" ;;)");
    const test::Answer answer = kloop({"profile", "transpose/naive", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.json()["timing"]["gpu_ns"]["median"], 41000.0);
    EXPECT_THAT(answer.err, HasSubstr("transpose/naive"));
    EXPECT_THAT(answer.err, HasSubstr(formatTime(41000)));
    EXPECT_TRUE(std::filesystem::exists(file("told"))) << "before the whole answer";
}

} // namespace
} // namespace kl
