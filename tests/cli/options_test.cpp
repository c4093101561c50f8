// SPDX-License-Identifier: MIT
// Options that no other test looks at: each changes the request to the worker, or the answer.
#include "app/kloop/terminal/timings_table.h"
#include "kloop.h"

#include <set>

namespace kl::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using Words = std::vector<std::string>;

class Options : public Kloop {
protected:
    /// The answer of a command that has to succeed.
    Json json(Words words) const
    {
        words.push_back("--json");
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 0) << testing::PrintToString(words) << answer.err;
        return answer.code == 0 ? answer.json() : Json::object();
    }
    /// What a command sends to a worker with a GPU: the body of its request of this verb.
    Json request(const std::string& verb, const Words& words) const
    {
        const std::vector<Json> bodies = requestedBy(verb, words);
        EXPECT_FALSE(bodies.empty()) << "no " << verb << " by " << testing::PrintToString(words);
        return bodies.empty() ? Json::object() : bodies.front();
    }
    static std::set<std::string> listKeys(const Json& object)
    {
        std::set<std::string> keys;
        for (const auto& [key, value] : object.items())
            keys.insert(key);
        return keys;
    }
};

TEST_F(Options, OfMeasurementsReachTheWorker)
{
    useRecorder();
    const Json run = request("run", {"run", "transpose/naive", "--energy", "--seed", "7"});
    EXPECT_EQ(run["energy"], true);
    EXPECT_EQ(run["work"]["seed"], 7);
    EXPECT_TRUE(request("run", {"run", "transpose/naive"})["energy"].is_null());
    const Json pair = request("ab", {"ab", "transpose/naive", "transpose/tiled", "--energy"});
    EXPECT_EQ(pair["energy"], true);
    EXPECT_EQ(pair["a"]["kernel"], "transpose/naive");
    EXPECT_EQ(pair["b"]["kernel"], "transpose/tiled");
    EXPECT_EQ(request("launch", {"launch", "transpose/naive", "--repeat", "3"})["repeat"], 3);
    EXPECT_EQ(request("env", {"env", "--torch", "2.2.1"})["required_torch"], "2.2.1");
}

TEST_F(Options, OneProblemIsAskedForOnce)
{
    const Words compile{"compile", "transpose/naive", "--problem", "M=64,N=64", "--problem", "M=32,N=32", "--json"};
    const Answer twice = kloop(compile);
    EXPECT_EQ(twice.code, 2);
    EXPECT_EQ(twice.json()["error"]["where"], "--problem");
}

TEST_F(Options, OfProfilesReachTheWorker)
{
    useRecorder();
    const Json plain = request("profile", {"profile", "transpose/naive", "--tier", "1"});
    EXPECT_EQ(plain["tier"], 1);
    for (const char* field : {"cache_control", "experiments", "pm_sampling", "source"})
        EXPECT_TRUE(plain[field].is_null()) << field;
    EXPECT_TRUE(plain["run"]["energy"].is_null());
    const Json all = request(
        "profile", {"profile", "transpose/naive", "--cache-control", "none", "--experiments", "--pm-sampling", "--source", "--energy"});
    EXPECT_EQ(all["cache_control"], "none");
    EXPECT_EQ(all["experiments"], true);
    EXPECT_EQ(all["pm_sampling"], true);
    EXPECT_EQ(all["source"], true);
    EXPECT_EQ(all["run"]["energy"], true);
    const Json none = request("profile", {"profile", "transpose/naive", "--no-source", "--no-counters"});
    EXPECT_EQ(none["source"], false);
    EXPECT_EQ(none["counters"], false);
    EXPECT_EQ(request("profile", {"sweep", "transpose/naive", "--problem", "M=1024,N=1024", "--no-counters"})["counters"], false);
}

TEST_F(Options, OfTimelinesReachTheWorker)
{
    useRecorder();
    const Json usual = request("timeline", {"timeline", "transpose/naive"});
    EXPECT_TRUE(usual["automatic"].is_null());
    EXPECT_TRUE(usual["overhead"].is_null());
    const Json asked = request("timeline", {"timeline", "transpose/naive", "--auto", "--no-overhead", "--blocks", "2", "--marks", "128"});
    EXPECT_EQ(asked["automatic"], true);
    EXPECT_EQ(asked["overhead"], false);
    EXPECT_EQ(asked["blocks"], 2);
    EXPECT_EQ(asked["marks"], 128);
}

TEST_F(Options, OfTilesAndLaunchesEnterTheirSums)
{
    const Json tiles = json(
        {"smem", "--rows", "64", "--columns", "48", "--scores", "32", "--tiles", "2", "--bytes", "4", "--pad", "16", "--score-pad", "8"});
    EXPECT_EQ(tiles["tile_bytes"], 2 * 64 * (48 * 4 + 16));
    EXPECT_EQ(tiles["score_bytes"], 64 * (32 * 4 + 8));
    const Json launch = json({"advise", "launch", "--kernel-us", "5", "--launch-us", "10", "--kernels", "4"});
    EXPECT_EQ(launch["kernels"], 4);
    EXPECT_EQ(launch["fusion"]["speedup_most"], 4.0);
}

TEST_F(Options, OfDataDecideWhereItBelongs)
{
    const Words data = {"advise", "memory", "--gpu", "L4", "--bytes", "4096"};
    const auto tierWith = [&](const Words& more) {
        Words words = data;
        words.insert(words.end(), more.begin(), more.end());
        return json(words)["placement"]["tier"].get<std::string>();
    };
    const std::string usual = tierWith({});
    EXPECT_EQ(tierWith({"--read-only", "--same-address"}), "constant");
    EXPECT_EQ(tierWith({"--read-only"}), usual);
    EXPECT_EQ(tierWith({"--same-address"}), usual);
}

TEST_F(Options, OfAPatternAreItsFields)
{
    const Json added = json({"patterns", "add", "--title", "Swizzle the tile", "--problem", "p", "--advice", "a", "--when", "finding",
                             "--slug", "swizzle", "--dollars", "12", "--minutes", "7"});
    EXPECT_EQ(added["slug"], "swizzle");
    EXPECT_EQ(added["when"], "finding");
    EXPECT_EQ(added["quoted_dollars"], 12.0);
    EXPECT_EQ(added["quoted_minutes"], 7.0);
    const Json body = json({"patterns", "edit", "swizzle", "--why", "W", "--evidence", "E", "--step", "s1", "--step", "s2", "--before", "B",
                            "--after", "A", "--example", "X", "--check", "c1"});
    const Json shown = json({"patterns", "show", "swizzle"})["body"];
    for (const Json& one : {body, shown}) {
        EXPECT_EQ(one["why"], "W");
        EXPECT_EQ(one["evidence"], "E");
        EXPECT_EQ(one["steps"], Json::array({"s1", "s2"}));
        EXPECT_EQ(one["before"], "B");
        EXPECT_EQ(one["after"], "A");
        EXPECT_EQ(one["example"], "X");
        EXPECT_EQ(one["checklist"], Json::array({"c1"}));
    }
    EXPECT_EQ(kloop({"patterns", "edit", "swizzle"}).code, 2) << "no change is given";
}

TEST_F(Options, ARetiredPatternIsNotSuggestedUntilThatIsUndone)
{
    json({"patterns", "add", "--title", "Swizzle the tile", "--problem", "p", "--advice", "a", "--when", "finding"});
    const auto suggested = [&] {
        std::set<std::string> slugs;
        const Json answer = json({"patterns", "suggest", "--finding", "bank-conflicts"});
        for (const Json& row : answer["suggestions"])
            slugs.insert(row["slug"].get<std::string>());
        return slugs.contains("swizzle-the-tile");
    };
    EXPECT_TRUE(suggested());
    EXPECT_EQ(json({"patterns", "retire", "swizzle-the-tile"})["retired"], true);
    EXPECT_FALSE(suggested());
    EXPECT_EQ(json({"patterns", "show", "swizzle-the-tile"})["retired"], true);
    EXPECT_EQ(json({"patterns", "retire", "swizzle-the-tile", "--undo"})["retired"], false);
    EXPECT_TRUE(suggested());
}

TEST_F(Options, OfAStepOfTheRoadmapAreItsGoal)
{
    const auto findStep = [](const Json& roadmap, const std::string& id) {
        for (const Json& week : roadmap["weeks"])
            for (const Json& step : week["steps"])
                if (step["id"] == id)
                    return step;
        ADD_FAILURE() << id;
        return Json::object();
    };
    const auto addGoal = [&](const std::string& title, Words options) {
        Words words = {"roadmap", "add", title, "--week", "2"};
        words.insert(words.end(), options.begin(), options.end());
        return findStep(json(words), title)["asks"].get<std::string>();
    };
    std::set<std::string> goals = {addGoal("none", {})};
    const std::vector<Words> asked = {{"--pattern", "p1", "--pattern", "p2"},
                                      {"--device", "A100"},
                                      {"--speedup", "2.5"},
                                      {"--minutes", "45"},
                                      {"--cycles", "3"},
                                      {"--documented"}};
    for (std::size_t i = 0; i < asked.size(); ++i)
        EXPECT_TRUE(goals.insert(addGoal("step-" + std::to_string(i), asked[i])).second) << asked[i].front();
    EXPECT_EQ(findStep(json({"roadmap", "edit", "none", "--done"}), "none")["state"], "done");
    const Json undone = findStep(json({"roadmap", "edit", "none", "--undone", "--session", "N+9", "--cycles", "3"}), "none");
    EXPECT_EQ(undone["state"], "planned");
    EXPECT_EQ(undone["sessions"], Json::array({"N+9"}));
    EXPECT_TRUE(goals.contains(undone["asks"].get<std::string>())) << "that of step-4";
    EXPECT_EQ(kloop({"roadmap", "edit", "none", "--done", "--undone"}).code, 2);
}

TEST_F(Options, OfTheListOfRunsChooseAmongThem)
{
    KL_NEEDS_SAMPLE();
    json({"run", "transpose/tiled", "--on", "sample"});
    const std::string profile = json({"profile", "transpose/naive", "--on", "sample"})["id"];
    const auto ids = [&](Words options) {
        Words words = {"runs", "list"};
        words.insert(words.end(), options.begin(), options.end());
        std::vector<std::string> found;
        const Json answer = json(words);
        for (const Json& run : answer["runs"])
            found.push_back(run["id"].get<std::string>());
        return found;
    };
    EXPECT_THAT(ids({}), SizeIs(2));
    EXPECT_THAT(ids({"--profiles"}), ElementsAre(profile));
    EXPECT_THAT(ids({"--class", "uncoalesced"}), ElementsAre(profile));
    EXPECT_THAT(ids({"--class", "dram-bound"}), SizeIs(0));
    EXPECT_THAT(ids({"--kernel", "transpose/naive"}), ElementsAre(profile));
    EXPECT_THAT(ids({"--sort", "fastest", "--limit", "1"}), testing::Not(ElementsAre(profile)));
}

TEST_F(Options, OfShowChooseItsParts)
{
    KL_NEEDS_SAMPLE();
    json({"profile", "transpose/naive", "--on", "sample"});
    std::set<std::string> all = listKeys(json({"show", "transpose/naive"})["results"][0]);
    for (const std::string part : {"roofline", "memory", "stalls", "occupancy"}) {
        EXPECT_TRUE(all.contains(part)) << part;
        std::set<std::string> alone = all;
        for (const char* other : {"roofline", "memory", "stalls", "occupancy"})
            if (part != other)
                alone.erase(other);
        EXPECT_EQ(listKeys(json({"show", "transpose/naive", "--" + part})["results"][0]), alone) << part;
    }
}

TEST_F(Options, AStarterIsRegisteredWithAdd)
{
    EXPECT_EQ(json({"new-kernel", "one", "--dir", file("one")})["registered"], false);
    EXPECT_EQ(json({"new-kernel", "two", "--dir", file("two"), "--add"})["registered"], true);
    EXPECT_EQ(kloop({"kernels", "remove", "one"}).code, 4);
    EXPECT_EQ(kloop({"kernels", "remove", "two"}).code, 0);
    EXPECT_EQ(json({"new-target", "three", "--dir", file("three")})["registered"], false);
    const Json target = json({"new-target", "four", "--dir", file("four"), "--add"});
    EXPECT_EQ(target["registered"], true);
    EXPECT_EQ(target["target"], file("four/kernelloop.json"));
    EXPECT_EQ(kloop({"kernels", "remove", "three"}).code, 4);
}

TEST_F(Options, OfANewSessionAreInItsState)
{
    KL_NEEDS_SAMPLE();
    const Json plain = json({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"});
    EXPECT_EQ(plain["options"], Json({{"cumulative", false}, {"git", nullptr}}));
    const Json asked = json({"session", "new", "M", "Coalesce the stores", "--kernel", "transpose", "--on", "sample", "--answer",
                             "target-gpu=H200", "--answer", "tools=a=b", "--git", "--cumulative", "--claim", "source=a blog,figure=2x"});
    EXPECT_EQ(asked["options"], Json({{"cumulative", true}, {"git", true}}));
    EXPECT_EQ(asked["answers"]["target-gpu"], "H200");
    EXPECT_EQ(asked["answers"]["tools"], "a=b");
    EXPECT_THAT(asked["claims"], SizeIs(1));
    EXPECT_EQ(json({"session", "option", "cumulative", "off", "--session", "M"})["options"]["cumulative"], false);
    for (const char* answer : {"H200", "=H200"})
        EXPECT_EQ(kloop({"session", "new", "O", "o", "--kernel", "transpose", "--on", "sample", "--answer", answer}).code, 2) << answer;
}

TEST_F(Options, OfADocumentAreItsAnswers)
{
    KL_NEEDS_SAMPLE();
    json({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"});
    const std::vector<std::pair<std::string, std::string>> answers = {
        {"root-cause", "RC"}, {"worked", "WK"}, {"failed", "FL"}, {"expert", "EX"}, {"next", "NX"}};
    Words words = {"session", "write"};
    for (const auto& [question, text] : answers)
        words.insert(words.end(), {"--" + question, text});
    const Json written = json(words);
    EXPECT_FALSE(written.contains("pattern"));
    EXPECT_FALSE(written.contains("roadmap_step"));
    ASSERT_EQ(written["document"].size(), answers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
        EXPECT_EQ(written["document"][i]["id"], answers[i].first);
        EXPECT_EQ(written["document"][i]["text"], answers[i].second);
        EXPECT_EQ(written["document"][i]["drafted"], false);
    }
    const Json kept = json({"session", "write", "--to-patterns", "--to-roadmap"});
    EXPECT_EQ(json({"patterns", "show", kept["pattern"]})["kind"], "own");
    EXPECT_EQ(kept["roadmap_step"], "nx");
    EXPECT_EQ(kept["document"], written["document"]);
}

TEST_F(Options, TimingsAreInTheAnswerOrBesideIt)
{
    const Words tiles = {"smem", "-M", "64", "-K", "64"};
    EXPECT_FALSE(json(tiles).contains("phases"));
    EXPECT_EQ(kloop(tiles).err, "");
    Words timed = tiles;
    timed.emplace_back("--timings");
    const Json phases = json(timed)["phases"];
    ASSERT_FALSE(phases.empty());
    EXPECT_EQ(phases[0]["begin"], 0.0);
    EXPECT_NE(phases[0]["name"], "");
    EXPECT_GE(phases[0]["seconds"], 0.0);
    EXPECT_NE(kloop(timed).err, "");
    const Json parts = cli::phasesToJson({{"whole", 1'000'000'000, 4'000'000'000}, {"part", 2'000'000'000, 2'500'000'000}});
    EXPECT_EQ(parts[1]["begin"], 1.0) << "since the first began";
    EXPECT_EQ(parts[1]["seconds"], 0.5);
}

TEST_F(Options, ProfilesOfUnseenSizesAreCountedApart)
{
    KL_NEEDS_SAMPLE();
    write("profile.json", kloop({"profile", "transpose/naive", "--on", "sample", "--json"}).out);
    const Json seen = json({"confusion", file("profile.json")});
    EXPECT_EQ(seen["rates"]["counters"]["unseen"]["of"], 0);
    const Json both = json({"confusion", file("profile.json"), "--unseen", file("profile.json")});
    ASSERT_THAT(both["kernels"], SizeIs(2));
    EXPECT_EQ(both["kernels"][0]["unseen"], false);
    EXPECT_EQ(both["kernels"][1]["unseen"], true);
    EXPECT_EQ(both["kernels"][0]["held_out"], seen["kernels"][0]["held_out"]);
    EXPECT_EQ(both["kernels"][1]["held_out"], false) << "nor was it tuned on";
    write("tiled.json", kloop({"profile", "transpose/tiled", "--on", "sample", "--json"}).out);
    const Json steps = json({"confusion", file("profile.json"), "--unseen", file("profile.json"), "--unseen", file("tiled.json")})["steps"];
    ASSERT_THAT(steps, SizeIs(1));
    EXPECT_EQ(steps[0]["unseen"], true);
    EXPECT_EQ(steps[0]["held_out"], false);
    EXPECT_EQ(both["rates"]["counters"]["unseen"]["of"], 1);
    EXPECT_EQ(both["rates"]["counters"]["all"]["of"], 2);
    EXPECT_EQ(both["rates"]["ncu"]["all"]["of"], 0);
    const Json beside = json({"confusion", file("profile.json"), "--ncu", KL_SOURCE_DIR "/tests/data/ncu_rules.json"});
    EXPECT_EQ(beside["rates"]["ncu"]["all"]["of"], 1);
}

TEST_F(Options, OutputFilesNeedANameThatIsNotBlank)
{
    for (const Words& words : {Words{"db", "backup", ""},
                               Words{"show", "transpose/naive", "--svg", ""},
                               Words{"sweep", "copy/vector", "--problem", "N=1024", "--csv", " "},
                               Words{"report", "--session", "N", "--html", ""},
                               Words{"report", "--session", "N", "--md", ""},
                               Words{"report", "--session", "N", "--pdf", ""},
                               Words{"report", "--session", "N", "-o", ""},
                               Words{"session", "report", "N", "--html", ""},
                               Words{"review", "export", "--session", "N", "-o", ""},
                               Words{"export", "run:ffff", "-o", ""},
                               Words{"support-bundle", "-o", ""},
                               Words{"learn", "model", "--markdown", ""},
                               Words{"learn", "model", "--write", ""},
                               Words{"confusion", "--markdown", ""},
                               Words{"timeline", "copy/vector", "--out", ""},
                               Words{"record", ""},
                               Words{"new-kernel", "mine", "--dir", ""},
                               Words{"new-target", "mine", "--dir", ""},
                               Words{"profile", "--out", ""},
                               Words{"lift", "--out", ""}}) {
        Words asked = words;
        asked.emplace_back("--json");
        const Answer answer = kloop(asked);
        EXPECT_EQ(answer.code, 2) << testing::PrintToString(words) << answer.err;
        EXPECT_EQ(answer.json()["error"]["code"], "usage") << testing::PrintToString(words);
    }
    EXPECT_FALSE(std::filesystem::exists(file("test.db"))) << "nothing was done";
}

/// A variable of the shell that is not set must not choose the default.
TEST_F(Options, AnEmptySizeChipFileOrRunIsAMistake)
{
    for (const Words& words :
         {Words{"run", "transpose/naive", "--problem", ""}, Words{"ab", "transpose/naive", "transpose/tiled", "--problem", ""},
          Words{"profile", "--plan", "--chip", ""}, Words{"metrics", "--chip", ""}, Words{"analyze", ""},
          Words{"export", "", "-o", file("x.json")}, Words{"learn", "model", "--kernel", "transpose/naive"}})
        EXPECT_EQ(kloop(words).code, 2) << testing::PrintToString(words);
    EXPECT_FALSE(std::filesystem::exists(file("test.db"))) << "nothing was done";
}

TEST_F(Options, AnEmptyIdIsNoRun)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(kloop({"run", "transpose/naive", "--on", "sample"}).code, 0);
    for (const Words& words : {Words{"export", "run:", "-o", file("x.json")}, Words{"analyze", "run:"}, Words{"show", "run:"},
                               Words{"occupancy", "run:"}, Words{"runs", "delete", "run:"}}) {
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 2) << testing::PrintToString(words) << answer.err;
        EXPECT_EQ(answer.out, "") << testing::PrintToString(words);
    }
}

} // namespace
} // namespace kl::test
