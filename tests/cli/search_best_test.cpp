// SPDX-License-Identifier: MIT
// `kloop search best | list | transfer`, and searches that are killed, on a worker of made-up figures.
#include "core/base/format.h"
#include "tests/cli/kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <csignal>
#include <cstdio>
#include <random>
#include <set>
#include <thread>

namespace kl::test {
namespace {

using testing::HasSubstr;

const char* const kTunedSpace = "attention/fused@BLOCK_M=64,HALF2=on,UNROLL=full,SPLIT_KV=off";
const char* const kTunedProblem = "B=2,H=8,S=512,D=64";

class SearchBestCli : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        useTunedWorker("0");
    }
    void useTunedWorker(const std::string& seconds) const
    {
        useWorker("exec /usr/bin/python3 '" KL_SOURCE_DIR "/tests/system/tuned_worker.py' --seconds " + seconds + " \"$@\"\n");
    }
    Answer search(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> words{"search", kTunedSpace, "--problem", kTunedProblem, "--on", "local", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return kloop(words, cache());
    }
    std::string cache() const { return "XDG_CACHE_HOME=" + quoted(file("cache")); }
    static std::set<std::string> listPoints(const Json& answer)
    {
        std::set<std::string> points;
        for (const Json& point : answer["points"])
            points.insert(point["point"].get<std::string>() + ' ' + point["gpu_ns"].dump());
        return points;
    }
};

TEST_F(SearchBestCli, AnObjectiveThatTheWorkerCannotMeasureEndsTheSearch)
{
    const Answer energy = search({"--budget", "2", "--objective", "energy"});
    EXPECT_EQ(energy.code, 5) << energy.err;
    EXPECT_EQ(energy.json()["error"]["code"], "environment");
    EXPECT_EQ(search({"--budget", "2", "--objective", "time"}).code, 0);
    EXPECT_EQ(search({"--objective", "power"}).code, 2);
}

TEST_F(SearchBestCli, TheBestOfHistoryIsShownAndExported)
{
    EXPECT_EQ(kloop({"search", "best", "attention/fused"}).code, 4) << "nothing was searched";
    EXPECT_EQ(kloop({"search", "list", "--json"}).json()["searches"], Json::array());
    EXPECT_EQ(readRows(kloop({"search", "list"}).out).size(), 1U) << "no table";
    const Answer answer = search();
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json found = answer.json();
    EXPECT_EQ(found["confirmation"]["verdict"], "met");
    EXPECT_NEAR(found["confirmation"]["ratio"]["value"].get<double>(), 1.3, 1e-6);
    const Json best = kloop({"search", "best", "attention/fused", "--problem", kTunedProblem, "--json"}).json()["best"][0];
    EXPECT_EQ(best["kernel"], found["best"]["kernel"]);
    EXPECT_EQ(best["search"]["id"], found["search"]);
    EXPECT_TRUE(best["stale"].is_null());
    EXPECT_EQ(best["point"]["BLOCK_M"], 64);
    EXPECT_THAT(kloop({"search", "best"}).out, HasSubstr("NVIDIA H200"));
    EXPECT_EQ(kloop({"search", "best", "attention/fused", "--problem", "S=128"}).code, 4);
    EXPECT_EQ(kloop({"search", "best", "--problem", "S=128"}).code, 4) << "without a kernel, too";
    EXPECT_EQ(kloop({"search", "best", "--problem", "N=512"}).code, 4);
    EXPECT_EQ(kloop({"search", "best", "--problem", "S=512", "--json"}).json()["best"].size(), 1U);
    EXPECT_EQ(kloop({"search", "best", "attention/fused", "--device", "L40S"}).code, 4);
    EXPECT_EQ(kloop({"search", "best", "attention"}).code, 0) << "any variant of the family";
    EXPECT_EQ(kloop({"search", "best", "attention/fused@BLOCK_M=64"}).code, 0) << "the best point has it";
    EXPECT_EQ(kloop({"search", "best", "attention/fused@BLOCK_M=32"}).code, 4) << "and not that";
    EXPECT_EQ(kloop({"search", "list", "attention/fused@BLOCK_M=64"}).code, 2);
    EXPECT_EQ(kloop({"search", "transfer", "attention/fused@BLOCK_M=64"}).code, 2);
    EXPECT_EQ(kloop({"search", "show", ""}).code, 4) << "an id, though there is only one search";
    EXPECT_EQ(kloop({"search", "--simulate", "search:"}).code, 4);
    EXPECT_EQ(kloop({"search", "best", "attention/serial"}).code, 4);
    ASSERT_EQ(kloop({"search", "best", "attention/fused", "--export", file("tuned.h")}).code, 0);
    EXPECT_THAT(read("tuned.h"), HasSubstr("namespace kernelloop::tuned::attention_fused"));
    ASSERT_EQ(kloop({"search", "best", "attention/fused", "--export", file("tuned.json")}).code, 0);
    EXPECT_EQ(parseJson(read("tuned.json"), "tuned.json")->at("kernel"), best["kernel"]);
    EXPECT_EQ(kloop({"search", "best", "attention/fused", "--export", file("tuned.txt")}).code, 2);
    EXPECT_EQ(kloop({"search", "list", "--json"}).json()["searches"].size(), 1U);
    const std::string id = found["search"];
    EXPECT_EQ(kloop({"search", "show", id, "--json"}).json()["trials"].size(), found["measured"].get<std::size_t>());
    EXPECT_THAT(kloop({"search", "show", id.substr(0, 13), "--export", file("search.zst")}).out, HasSubstr(id));
    EXPECT_FALSE(read("search.zst").empty());
    EXPECT_EQ(kloop({"search", "show", "ffff"}).code, 4);
    EXPECT_EQ(kloop({"search", "show", id, "--export", file("search.txt")}).code, 2);
    const Json again = kloop({"search", "--simulate", "search:" + id, "--repeats", "3", "--json"}).json();
    EXPECT_EQ(again["points"], found["measured"]);
    EXPECT_EQ(kloop({"search", "--simulate", "search:ffff"}).code, 4);

    ASSERT_EQ(kloop({"search", kTunedSpace, "--problem", "B=2,H=8,S=128,D=64", "--on", "local", "--trials", "6"}, cache()).code, 0);
    EXPECT_EQ(kloop({"search", "best", "attention/fused", "--export", file("two.h")}).code, 2) << "which of the two?";
    const Json transfer = kloop({"search", "transfer", "attention/fused", "--json"}).json();
    ASSERT_EQ(transfer["places"].size(), 2U);
    EXPECT_EQ(transfer["kernel"], "attention/fused");
    EXPECT_EQ(transfer["stale"], 0);
    EXPECT_EQ(transfer["places"][0]["on"][0]["share"], 1.0);
    EXPECT_EQ(transfer["places"][1]["on"][1]["share"], 1.0);
    EXPECT_EQ(transfer["places"][0]["on"].size(), 2U);
    const Answer words = kloop({"search", "transfer", "attention/fused"});
    EXPECT_EQ(words.code, 0);
    const std::vector<std::string> rows = readRows(words.out);
    EXPECT_THAT(rows[1], testing::EndsWith(" | 1 | 2"));
    EXPECT_EQ(countCells(rows[1]), 4);
    for (std::size_t i = 0; i < 2; ++i) {
        const Json& place = transfer["places"][i];
        EXPECT_THAT(rows[2 + i], testing::StartsWith(std::to_string(i + 1) + " | NVIDIA H200, " + place["problem"].get<std::string>() +
                                                     " | " + place["point"].get<std::string>() + " | "));
    }
    EXPECT_THAT(rows[2], HasSubstr(" | 100 % | ")) << "as fast as itself where it was made";
    EXPECT_THAT(rows[3], testing::EndsWith(" | 100 %"));
}

TEST_F(SearchBestCli, AnAnswerHasItsPointsItsBestAndItsConfirmation)
{
    const Json found = search({"--trials", "3", "--seed", "5", "--confirm", "20", "--target", "1.2"}).json();
    EXPECT_EQ(found["kernel"], "attention/fused");
    EXPECT_EQ(found["device"], "NVIDIA H200");
    EXPECT_EQ(found["problem"], "B=2,CAUSAL=0,D=64,H=8,S=512");
    EXPECT_EQ(found["strategy"], "portfolio");
    EXPECT_EQ(found["objective"], "time");
    EXPECT_EQ(found["protocol"], "loop1");
    EXPECT_EQ(found["seed"], 5);
    EXPECT_EQ(found["measured"], 3);
    ASSERT_EQ(found["points"].size(), 3U);
    EXPECT_EQ(found["left"].get<int>(), found["programs"].get<int>() - 3);
    EXPECT_GE(found["total"], found["gated"]);
    EXPECT_GE(found["gated"], found["programs"]);
    for (std::size_t i = 0; i < 3; ++i) {
        const Json& point = found["points"][i];
        EXPECT_TRUE(point["failed"].is_null());
        EXPECT_EQ(point["remembered"], false);
        EXPECT_FALSE(point.contains("energy_per_launch_j"));
        EXPECT_FALSE(point.contains("gpu")) << "one GPU alone";
        if (i > 0) {
            EXPECT_GE(point["gpu_ns"], found["points"][i - 1]["gpu_ns"]) << "fastest first";
        }
    }
    EXPECT_EQ(found["best"]["kernel"], found["points"][0]["kernel"]);
    EXPECT_EQ(found["best"]["gpu_ns"], found["points"][0]["gpu_ns"]);
    EXPECT_DOUBLE_EQ(found["best"]["speedup"].get<double>(), 1.3);
    EXPECT_EQ(found["confirmation"]["target"], 1.2);
    EXPECT_EQ(found["confirmation"]["samples"], 200) << "the worker takes ten times what is asked for";
    EXPECT_EQ(found["confirmation"]["blocks"], 2) << "of ten passes each";
    EXPECT_NEAR(found["confirmation"]["rival_ns"].get<double>(), 1.3 * found["confirmation"]["winner_ns"].get<double>(), 1);
    EXPECT_LE(found["confirmation"]["bootstrap"]["low"], found["confirmation"]["bootstrap"]["high"]);
    EXPECT_EQ(found["wrong"], Json::array());
    EXPECT_EQ(found["references"], Json::array());
    const Json unconfirmed = search({"--trials", "3", "--confirm", "0"}).json();
    EXPECT_TRUE(unconfirmed["confirmation"].is_null());
    EXPECT_EQ(search({"--trials", "2", "--strategy", "random_sample", "--batch", "2"}).json()["strategy"], "random_sample");
}

TEST_F(SearchBestCli, WordsHaveTheFastestPointsAndTheConfirmation)
{
    const Json found = search({"--trials", "3"}).json();
    const std::vector<std::string> words{"search", kTunedSpace, "--problem", kTunedProblem, "--on", "local", "--trials", "3", "--top", "2"};
    const Answer answer = kloop(words, cache());
    ASSERT_EQ(answer.code, 0) << answer.err;
    const std::vector<std::string> rows = readRows(answer.out);
    EXPECT_EQ(rows[0], "attention/fused at B=2,CAUSAL=0,D=64,H=8,S=512 on NVIDIA H200");
    const auto count = [&found](const char* field) { return formatCount(found[field].get<double>()); };
    EXPECT_THAT(readFigures(rows[1]), testing::StartsWith(count("total") + " | " + count("gated") + " | " + count("programs") + " | "));
    EXPECT_THAT(readFigures(rows[2]), testing::AllOf(testing::StartsWith("3 | "), testing::EndsWith(" s | 3 | " + count("left"))))
        << "timed, how long, by an earlier search, not timed";
    EXPECT_EQ(countCells(rows[3]), 2);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_THAT(rows[4 + i], testing::StartsWith(std::to_string(i + 1) + " | " +
                                                     readRows(formatTime(found["points"][i]["gpu_ns"].get<double>()))[0] + " | " +
                                                     found["points"][i]["point"].get<std::string>()));
    EXPECT_EQ(rows[6], "") << "two rows of the table";
    const Json& confirmation = found["confirmation"];
    const auto shown = [&](const char* field) { return readRows(formatTime(confirmation[field].get<double>()))[0]; };
    EXPECT_THAT(rows, testing::Contains(testing::AllOf(HasSubstr(confirmation["rival"].get<std::string>()),
                                                       withFigures(testing::EndsWith(shown("winner_ns") + " | " + shown("rival_ns"))))));
    const std::string passes = confirmation["samples"].dump() + " | " + confirmation["blocks"].dump() + " | 95 % | ";
    EXPECT_THAT(rows, testing::Contains(withFigures(testing::StartsWith(passes))));
    EXPECT_THAT(rows, testing::Contains(testing::AllOf(HasSubstr(": " + confirmation["verdict"].get<std::string>() + '.'),
                                                       withFigures(testing::StartsWith("1.10×")))));
    const Answer none = kloop({"search", kTunedSpace, "--problem", "S=128", "--on", "local", "--budget", "1e-6"}, cache());
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(readFigures(readRows(none.out).at(2)), testing::StartsWith("0 | ")) << "none was timed";
    EXPECT_THAT(readRows(none.out), testing::Not(testing::Contains(testing::StartsWith("1 | ")))) << "nor is one in the table";
    const Answer unconfirmed =
        kloop({"search", kTunedSpace, "--problem", kTunedProblem, "--on", "local", "--trials", "3", "--confirm", "0"}, cache());
    EXPECT_EQ(unconfirmed.code, 0);
    EXPECT_THAT(readRows(unconfirmed.out), testing::Not(testing::Contains(withFigures(testing::StartsWith(passes)))));
}

TEST_F(SearchBestCli, WhatWasTimedAndConfirmedSnapshot)
{
    std::string text;
    const auto add = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> words{"search", kTunedSpace, "--on", "local"};
        words.insert(words.end(), more.begin(), more.end());
        const std::vector<std::string> rows = readRows(kloop(words, cache()).out);
        ASSERT_GT(rows.size(), 3U) << name;
        text += "== " + name + '\n' + rows[0] + '\n' + rows[1] + '\n' + rows[2] + '\n';
        const auto above = std::ranges::find_if(rows.rbegin(), rows.rend(), [](const std::string& row) { return row.empty(); });
        for (auto row = above.base(); row != rows.end(); ++row) // of the last paragraph
            text += *row + '\n';
    };
    add("timed", {"--problem", kTunedProblem, "--trials", "3"});
    add("timed before", {"--problem", kTunedProblem, "--trials", "3"});
    add("missed", {"--problem", kTunedProblem, "--trials", "3", "--target", "1.4"});
    add("out of time", {"--problem", "S=128", "--budget", "1e-6"});
    const std::regex seconds("[0-9.]+ s\\b");
    expectSnapshot("cli/search-words.txt", std::regex_replace(text, seconds, "TIME"));
}

TEST_F(SearchBestCli, ATargetDecidesTheExitStatusOnlyWhenGiven)
{
    EXPECT_EQ(search({"--trials", "3", "--target", "1.25"}).code, 0);
    EXPECT_EQ(search({"--trials", "3", "--target", "1.4"}).code, 1);
    EXPECT_EQ(search({"--trials", "3", "--confirm", "0", "--target", "1.4"}).code, 3);
    const Answer few = search({"--protocol", "notes", "--no-diagnosis", "--no-counters"});
    EXPECT_EQ(few.code, 0) << few.err;
    EXPECT_EQ(few.json()["protocol"], "notes");
    EXPECT_EQ(few.json()["strategy"], "tpe");
    EXPECT_EQ(search({"--trials", "3", "--strategy", "vndx,"}).json()["strategy"], "vndx");
    const Answer none = search({"--budget", "1e-6"});
    EXPECT_EQ(none.code, 1);
    EXPECT_TRUE(none.json()["best"].is_null());
    EXPECT_EQ(search({"--protocol", "notes", "--strategy", "vndx"}).code, 2);
    EXPECT_EQ(search({"--protocol", "notes", "--trials", "10"}).code, 2) << "it has exactly 120 points";
    EXPECT_EQ(search({"--money", "0"}).code, 2);
    EXPECT_EQ(search({"--trials", "3", "--money", "0.001"}).code, 0);
}

TEST_F(SearchBestCli, AnExportThatCannotBeWrittenIsToldBeforeMeasuring)
{
    const Answer missing = search({"--trials", "3", "--export", file("missing/times.csv")});
    EXPECT_EQ(missing.code, 4);
    EXPECT_EQ(missing.json()["error"]["where"], "--export");
    EXPECT_TRUE(kloop({"search", "list", "--json"}).json()["searches"].empty());
    ASSERT_EQ(search({"--trials", "3", "--export", file("times.csv")}).code, 0);
    const Answer replayed = kloop({"search", "--simulate", file("times.csv"), "--repeats", "2", "--json"});
    ASSERT_EQ(replayed.code, 0) << replayed.err;
    EXPECT_EQ(replayed.json()["space"], "times");
    EXPECT_EQ(replayed.json()["points"], 3);
}

TEST_F(SearchBestCli, BudgetsAreNumbersAndTheirErrorsNameThem)
{
    for (const char* option : {"--budget", "--money", "--joules", "--target", "--count-seconds"})
        for (const char* value : {"nan", "inf", "-1", "1e9999", "x"}) {
            const Answer refused = search({option, value});
            EXPECT_EQ(refused.code, 2) << option << ' ' << value;
            EXPECT_THAT(refused.json()["error"]["message"].get<std::string>(), HasSubstr(option)) << value;
        }
}

/// Starts kloop and kills it after so long, unless it ends by itself first; whether it did.
bool endsBefore(const std::vector<std::string>& words, const std::string& out, std::chrono::microseconds moment,
                const std::vector<std::pair<std::string, std::string>>& environment)
{
    std::vector<char*> argv;
    for (const std::string& word : words)
        argv.push_back(const_cast<char*>(word.c_str())); // NOLINT: execv does not write there
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setpgid(0, 0);
        for (const auto& [name, value] : environment)
            ::setenv(name.c_str(), value.c_str(), 1);
        if (!std::freopen(out.c_str(), "w", stdout) || !std::freopen("/dev/null", "w", stderr))
            ::_exit(99);
        ::execv(argv[0], argv.data());
        ::_exit(98);
    }
    std::this_thread::sleep_for(moment);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status);
}

TEST_F(SearchBestCli, KilledAtTwentyMomentsItLosesNothingAndEndsWithTheSamePoints)
{
    useTunedWorker("0.01");
    const auto begin = std::chrono::steady_clock::now();
    const Answer undisturbed = search({"--seed", "5"});
    ASSERT_EQ(undisturbed.code, 0) << undisturbed.err;
    const Json reference = undisturbed.json();
    // On this machine, now; shorter once most of it is remembered.
    auto latest = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count();
    std::filesystem::remove_all(file("cache"));
    std::mt19937_64 random(20261123);
    int killed = 0;
    std::size_t remembered = 0, runs = 1, records = 1;
    for (int moment = 0; moment < 200 && killed < 20; ++moment) {
        const bool ended = endsBefore(
            {test::buildFolder() + "/bin/kloop", "search", kTunedSpace, "--problem", kTunedProblem, "--on", "local", "--seed", "5"},
            file("killed.out"), std::chrono::microseconds(std::uniform_int_distribution<std::int64_t>(latest / 4, latest)(random)),
            {{"KERNELLOOP_WORKER", file("worker.sh")},
             {"KERNELLOOP_DB", file("test.db")},
             {"XDG_STATE_HOME", file("state")},
             {"XDG_CACHE_HOME", file("cache")}});
        killed += ended ? 0 : 1;
        latest = ended ? latest * 9 / 10 : latest;
        const Json list = kloop({"search", "list", "--json"}).json();
        ASSERT_GE(list["searches"].size(), records) << "moment " << moment;
        records = list["searches"].size();
        const Json stored = kloop({"runs", "list", "--json"}).json();
        ASSERT_GE(stored["runs"].size(), runs) << "a confirmed run is there ever after";
        runs = stored["runs"].size();
        EXPECT_EQ(list["searches"].back()["best"]["run"], reference["best"]["run"]) << "the search that was finished first";
    }
    EXPECT_EQ(killed, 20);
    EXPECT_EQ(kloop({"db", "check"}).code, 0);
    useTunedWorker("0");
    const Json resumed = search({"--seed", "5"}).json();
    for (const Json& point : resumed["points"])
        remembered += point["remembered"].get<bool>() ? 1 : 0;
    EXPECT_GT(remembered, 0U) << "what was measured before a kill is not measured again";
    EXPECT_EQ(listPoints(resumed), listPoints(reference));
    EXPECT_EQ(resumed["best"]["kernel"], reference["best"]["kernel"]);
}

} // namespace
} // namespace kl::test
