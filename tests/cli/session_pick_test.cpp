// SPDX-License-Identifier: MIT
// Which session a command means, what a finished one offers, and the answers that several commands share.
#include "kloop.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <algorithm>
#include <sstream>
#include <thread>

namespace kl::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class SessionPick : public AskedKloop {};

TEST_F(SessionPick, WithoutANameTheLatestIsShownWhereNoneIsOpen)
{
    KL_NEEDS_SAMPLE();
    const Json list = json({"session", "list", "--db", ":sample:"})["sessions"];
    for (const Json& row : list)
        EXPECT_EQ(row["phase"], "done") << row["name"];
    EXPECT_EQ(json({"session", "show", "--db", ":sample:"})["session"], list.back()["id"]);
    EXPECT_EQ(kloop({"session", "show", "--db", ":documents:", "--json"}).json()["error"]["code"], "not-found")
        << "which are not of this program";
    EXPECT_EQ(kloop({"session", "step", "--db", ":sample:", "--json"}).json()["error"]["code"], "not-found") << "none is open";
    for (const char* name : {"A", "B"})
        json({"session", "new", name, "Coalesce the stores", "--kernel", "transpose", "--on", "sample"});
    const Json own = json({"session", "list"})["sessions"];
    EXPECT_EQ(json({"session", "show"})["session"], own[1]["id"]);
    EXPECT_EQ(json({"session", "show", "A"})["session"], own[0]["id"]);
}

TEST_F(SessionPick, ASessionOnTheSampleNeedsNoDevice)
{
    KL_NEEDS_SAMPLE();
    json({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"});
    EXPECT_EQ(json({"session", "step"})["phase"], "baseline") << "and goes on there";
    EXPECT_EQ(kloop({"session", "step", "--on", "sample"}).code, 0);
    const Answer other = kloop({"session", "step", "--on", "local", "--json"});
    EXPECT_EQ(other.code, 3);
    EXPECT_EQ(other.json()["error"]["where"], "--on");
    EXPECT_EQ(kloop({"session", "step", "--on", "ssh:gpu7"}).code, 3);
}

TEST_F(SessionPick, AFinishedSessionOffersItsReportAndAnotherOfItsKernel)
{
    KL_NEEDS_SAMPLE();
    const Json shown = json({"session", "show", "--db", ":sample:"});
    const Json& report = shown["afterwards"][0];
    EXPECT_EQ(report["action"], "report");
    EXPECT_EQ(report["id"], "write-report");
    EXPECT_EQ(report["arguments"]["session"], shown["session"]);
    EXPECT_EQ(report["inputs"][0]["argument"], "file");
    EXPECT_EQ(report["enabled"], true);
    EXPECT_EQ(report["reason"], "");
    EXPECT_EQ(report["argument"], "");
    const Json& next = shown["afterwards"][1];
    EXPECT_EQ(next["arguments"], Json({{"name", "N"}, {"kernel", shown["kernel"]}, {"database", ":sample:"}})) << "on a GPU as before";
    EXPECT_FALSE(json({"session", "list", "--db", ":sample:"}).contains("afterwards"));
}

TEST_F(SessionPick, ANewSessionAsksForWhatIsNotKnown)
{
    KL_NEEDS_SAMPLE();
    const auto offer = [&](const Words& words) { return json(words)["next"].back(); };
    const Json first = offer({"session", "list", "--on", "sample", "--db", file("other.db")});
    EXPECT_EQ(first["action"], "new");
    EXPECT_EQ(first["arguments"], Json({{"name", "N"}, {"source", "sample"}, {"database", file("other.db")}}));
    ASSERT_THAT(first["inputs"], SizeIs(3));
    EXPECT_EQ(first["inputs"][0]["argument"], "objective");
    EXPECT_EQ(first["inputs"][1]["argument"], "kind");
    EXPECT_THAT(first["inputs"][1]["choices"], ElementsAre("baseline", "profile", "optimize", "expert", "debug"));
    EXPECT_EQ(first["inputs"][2]["argument"], "kernel");
    EXPECT_THAT(first["inputs"][2]["choices"], Contains("transpose"));
    EXPECT_EQ(offer({"session", "list"})["arguments"], Json({{"name", "N"}})) << "in the database that is used anyway";
    json({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"});
    EXPECT_EQ(offer({"session", "list", "--on", "sample"})["arguments"]["name"], "N+1") << "the next that is free";
}

TEST_F(SessionPick, AnAlertHasItsStep)
{
    KL_NEEDS_SAMPLE();
    json({"session", "new", "N", "money", "--kernel", "transpose", "--on", "sample"});
    json({"cost", "add", "--assistant", "6"});
    const Json warning = json({"session", "show"})["warnings"][0];
    EXPECT_EQ(warning["step"]["id"], "list-costs");
    EXPECT_EQ(warning["step"]["command"], warning["command"]);
}

TEST_F(SessionPick, ABatchReadsEachLineAndTheLastWithoutItsEnd)
{
    write("lines",
          "{\"verb\": \"kinds\"}\n\n{\"verb\": \"nothing\", \"more\": \"" + std::string(100'000, 'x') + "\"}\n{\"verb\": \"kinds\"}");
    const Answer answer = kloop({"session", "batch"}, {}, "<" + quoted(file("lines")));
    EXPECT_EQ(answer.code, 0) << answer.err;
    std::istringstream lines(answer.out);
    std::vector<Json> reported;
    for (std::string line; std::getline(lines, line);)
        reported.push_back(*parseJson(line, "line"));
    ASSERT_EQ(reported.size(), 3U) << answer.out.substr(0, 1000);
    EXPECT_TRUE(reported[0].contains("kinds"));
    EXPECT_EQ(reported[1]["exit_code"], 2);
    EXPECT_EQ(reported[2]["kinds"], reported[0]["kinds"]);
}

TEST_F(SessionPick, RunsOfTwoDevicesAreComparedWithAReason)
{
    {
        const auto store = support::openStore(file("test.db"));
        for (const auto& [id, variant, gpu, ns] :
             {std::tuple{"aaaa0001", "naive", "GPU-1", 20000.0}, {"aaaa0002", "tiled", "GPU-2", 10000.0}}) {
            RunRecord run = support::timedRun(id, variant, "2026-01-01T00:00:00.000Z", ns);
            run.device.uuid = gpu;
            run.device.name = gpu;
            run.timing->gpu = {ns, ns * 0.999, ns * 1.001, 50};
            run.timing->samples.clear();
            for (int i = 0; i < 50; ++i)
                run.timing->samples.push_back(ns + i % 3);
            ASSERT_TRUE(store->saveRun(run).ok());
        }
    }
    const Answer apart = kloop({"compare", "run:aaaa0001", "run:aaaa0002", "--json"});
    EXPECT_EQ(apart.code, 3);
    EXPECT_EQ(apart.json()["verdict"], "not-comparable");
    const Answer waived = kloop({"compare", "run:aaaa0001", "run:aaaa0002", "--waive", "two of one model", "--json"});
    EXPECT_EQ(waived.code, 0) << waived.err;
    EXPECT_EQ(waived.json()["verdict"], "faster");
    EXPECT_THAT(waived.json()["waived"].get<std::string>(), testing::EndsWith(" two of one model"));
}

TEST_F(SessionPick, WhatToDoAboutMissingSizesIsSaidOnce)
{
    KL_NEEDS_SAMPLE();
    const Words sweep{"sweep", "transpose/naive", "--problem", "M=4096,N=[8,16,4096]", "--on", "sample"};
    const Json rows = json(sweep)["rows"];
    const std::string hint = rows[0]["hint"], shown = text(sweep);
    EXPECT_EQ(rows[1]["hint"], hint);
    EXPECT_TRUE(rows[2]["hint"].is_null() || rows[2]["hint"] == "");
    ASSERT_NE(hint, "");
    const std::string first = readRows(hint)[0];
    const std::vector<std::string> lines = readRows(shown);
    EXPECT_EQ(std::ranges::count_if(lines, [&](const std::string& line) { return line.find(first) != std::string::npos; }), 1);
}

TEST_F(SessionPick, ResultsAreApartByAnEmptyLine)
{
    KL_NEEDS_SAMPLE();
    const auto apart = [&](const Words& words) {
        const std::string out = text(words);
        EXPECT_FALSE(out.starts_with('\n')) << words[0];
        int count = 0;
        for (const char* heading : {"transpose/naive ", "transpose/tiled "})
            count += out.starts_with(heading) || out.find(std::string("\n\n") + heading) != std::string::npos ? 1 : 0;
        return count;
    };
    EXPECT_EQ(apart({"profile", "transpose/naive", "transpose/tiled", "--on", "sample"}), 2);
    EXPECT_EQ(apart({"show", "transpose/naive", "transpose/tiled"}), 2);
    const Json list = json({"runs", "list"})["runs"];
    EXPECT_EQ(apart({"analyze", "run:" + list[0]["id"].get<std::string>(), "run:" + list[1]["id"].get<std::string>()}), 2);
}

TEST_F(SessionPick, TroubleWithTheMachineEndsAWatch)
{
    useRecorder({}, R"(*'"verb":"run"'*)
        n=$(cat count 2>/dev/null || echo 0); n=$((n + 1)); echo $n > count
        if [ $n = 1 ]; then echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"status\":\"ok\",\"correctness\":{\"result\":\"correct\"}}}"
        else echo "{\"event\":\"error\",\"id\":$id,\"code\":\"environment\",\"message\":\"The GPU fell off the bus.\"}"; fi ;;)");
    ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine")}).code, 0);
    write("out", "");
    std::thread editor([&] {
        for (int i = 0; i < 2500 && read("out").empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        write("saved", read("mine/kernel.cu") + "// saved\n");
        std::filesystem::rename(file("saved"), file("mine/kernel.cu"));
    });
    const Answer answer = kloop({"watch", file("mine"), "--saves", "9", "--json"}, "timeout 110");
    editor.join();
    EXPECT_EQ(answer.code, 5) << answer.out << answer.err;
    const Json first = *parseJson(answer.out.substr(0, answer.out.find('\n')), "line");
    EXPECT_EQ(first["schema"], "kernelloop.watch/1");
    EXPECT_EQ(first["at"], first["run"]["started_at"]);
    EXPECT_TRUE(first["error"].is_null());
    EXPECT_THAT(answer.out.substr(answer.out.find('\n')), HasSubstr("\"environment\""));
}

TEST_F(SessionPick, OfTwoUnknownVariantsTheFirstIsNamed)
{
    EXPECT_EQ(kloop({"ab", "transpose/nope", "copy/none", "--json"}).json()["error"]["where"], "transpose/nope");
    EXPECT_EQ(kloop({"ab", "transpose/nope", "copy/vector", "--json"}).json()["error"]["where"], "transpose/nope");
    EXPECT_EQ(kloop({"ab", "transpose/naive", "copy/none", "--json"}).json()["error"]["where"], "copy/none");
    EXPECT_EQ(kloop({"calibrate", "copy/none", "--json"}).json()["error"]["where"], "copy/none");
}

} // namespace
} // namespace kl::test
