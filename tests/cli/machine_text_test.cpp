// SPDX-License-Identifier: MIT
// The commands about the machine, the database and what may run: what they answer and print.
#include "app/kloop/terminal/table.h"
#include "app/kloop/terminal/timings_table.h"
#include "kloop.h"
#include "sessions/hosts/host_list.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

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

class MachineText : public AskedKloop {
protected:
    Answer ask(const Words& words) const override
    {
        return kloop(words, "XDG_CONFIG_HOME=" + quoted(file("config")) + " XDG_DATA_HOME=" + quoted(file("data")) +
                                " XDG_CACHE_HOME=" + quoted(file("cache")) + " PATH=" + quoted(file("bin")) + ":\"$PATH\"");
    }
    void program(const std::string& name, const std::string& script) const
    {
        std::filesystem::create_directories(file("bin"));
        write("bin/" + name, "#!/bin/sh\n" + script);
        std::filesystem::permissions(file("bin/" + name), std::filesystem::perms::owner_all);
    }
    /// A worker whose checks are these, as JSON.
    void useChecks(std::string checks) const
    {
        for (std::size_t at = checks.find('"'); at != std::string::npos; at = checks.find('"', at + 2))
            checks.insert(at, "\\");
        useRecorder(R"(,"cc_major":9,"cc_minor":0)",
                    R"(*'"verb":"env"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"checks\":[)" + checks + R"(]}}" ;;)");
    }
};

TEST_F(MachineText, RepairsAreShownAndDoneOnlyWithConsent)
{
    program("ninja", "exit 0\n");
    program("python3", "echo \"$@\" >> '" + file("asked") + "'\ncase \"$*\" in *broken*) exit 1 ;; esac\nexit 0\n");
    useChecks(R"({"id":"gpu","requirement":"required","result":"pass","found":"one","why":"w","fix":""},)"
              R"({"id":"numpy","requirement":"optional","result":"fail","found":"none","why":"w","fix":"python3 -m pip install numpy"},)"
              R"({"id":"torch","requirement":"optional","result":"fail","found":"none","why":"w","fix":"python3 -m pip install broken"},)"
              R"({"id":"driver","requirement":"required","result":"fail","found":"old","why":"w","fix":"Install a newer one."})");
    const auto findRepair = [](const Answer& answer, const std::string& check) {
        const Json all = answer.json();
        for (const Json& repair : all["repairs"])
            if (repair["check"] == check)
                return repair;
        return Json::object();
    };
    const Answer shown = ask({"env", "--fix", "--json"});
    EXPECT_EQ(shown.code, 5);
    EXPECT_EQ(findRepair(shown, "numpy"), Json({{"check", "numpy"},
                                                {"command", "python3 -m pip install numpy"},
                                                {"text", "python3 -m pip install numpy"},
                                                {"result", "not-run"}}));
    EXPECT_EQ(findRepair(shown, "driver")["result"], "by-hand");
    EXPECT_TRUE(findRepair(shown, "driver")["command"].is_null());
    EXPECT_EQ(findRepair(shown, "gpu"), Json::object()) << "it did not fail";
    EXPECT_THAT(read("asked"), Not(HasSubstr("install"))) << "nothing was changed";
    const Answer text = ask({"env", "--fix"});
    EXPECT_THAT(readRows(text.out), Contains(AllOf(StartsWith("driver | "), EndsWith(": Install a newer one."))));
    EXPECT_THAT(readRows(text.out), Contains("numpy | python3 -m pip install numpy"));
    const Answer done = ask({"env", "--fix", "--yes", "--json"});
    EXPECT_EQ(findRepair(done, "numpy")["result"], "done");
    EXPECT_EQ(findRepair(done, "torch")["result"], "failed");
    EXPECT_EQ(findRepair(done, "driver")["result"], "by-hand");
    EXPECT_THAT(read("asked"), HasSubstr("-m pip install numpy\n"));
    const Answer words = ask({"env", "--fix", "--yes"});
    const std::string good = findRow(words.out, "numpy | "), bad = findRow(words.out, "torch | ");
    EXPECT_THAT(good, EndsWith(": python3 -m pip install numpy"));
    EXPECT_THAT(bad, EndsWith(": python3 -m pip install broken"));
    EXPECT_NE(good.substr(8, good.find(": ") - 8), bad.substr(8, bad.find(": ") - 8)) << "done, and failed";
    EXPECT_EQ(ask({"env", "--yes"}).code, 2) << "with --fix alone";
    EXPECT_FALSE(ask({"env", "--json"}).json().contains("repairs"));
    EXPECT_FALSE(ask({"env", "--json"}).json().contains("recipe"));
}

TEST_F(MachineText, RepairsInWordsSnapshot)
{
    program("ninja", "exit 0\n");
    program("python3", "case \"$*\" in *broken*) exit 1 ;; esac\nexit 0\n");
    useChecks(R"({"id":"numpy","requirement":"optional","result":"fail","found":"none","why":"w","fix":"python3 -m pip install numpy"},)"
              R"({"id":"torch","requirement":"optional","result":"fail","found":"none","why":"w","fix":"python3 -m pip install broken"},)"
              R"({"id":"driver","requirement":"required","result":"fail","found":"old","why":"w","fix":"Install a newer one."})");
    std::string text;
    for (const Words& words : {Words{"env", "--fix"}, {"env", "--fix", "--yes"}})
        for (const char* check : {"numpy | ", "torch | ", "driver | "})
            text += findRow(ask(words).out, check) + '\n';
    expectSnapshot("cli/repairs.txt", text);
}

TEST_F(MachineText, AMachineWithoutFailuresHasNothingToRepair)
{
    program("ninja", "exit 0\n");
    useChecks(R"({"id":"gpu","requirement":"required","result":"pass","found":"one","why":"w","fix":""})");
    const Answer answer = ask({"env", "--fix"});
    EXPECT_EQ(answer.code, 0) << answer.out;
    EXPECT_NE(answer.out, ask({"env"}).out) << "which is reported";
    EXPECT_EQ(ask({"env", "--fix", "--json"}).json()["repairs"], Json::array());
}

TEST_F(MachineText, SettingsForAShellAreForThisGpuOrTheOneNamed)
{
    useChecks("");
    const auto archIn = [](const Json& answer) {
        for (const Json& setting : answer["settings"])
            if (setting["name"] == "TORCH_CUDA_ARCH_LIST")
                return setting["value"];
        return Json("none");
    };
    EXPECT_EQ(archIn(json({"env", "--export"})), "9.0");
    EXPECT_EQ(archIn(json({"env", "--export", "--arch", "8.9"})), "8.9");
    EXPECT_THAT(ask({"env", "--export", "--arch", "8.9"}).out, HasSubstr("export TORCH_CUDA_ARCH_LIST=8.9"));
    useWorker(kNoGpu);
    EXPECT_TRUE(archIn(json({"env", "--export"})).is_null()) << "there is no GPU to build for";
    EXPECT_EQ(ask({"env", "--arch", "9.0"}).code, 2) << "with --export alone";
    EXPECT_EQ(ask({"env", "--export", "--fix"}).code, 2);
    EXPECT_EQ(ask({"env", "--recipe", "--fix"}).code, 2);
}

TEST_F(MachineText, AHostIsARowWithItsPriceTimeAndNote)
{
    EXPECT_THAT(rows({"hosts"}), Not(Contains(HasSubstr(" | "))));
    const HostList list(file("config/kernelloop/hosts.json"));
    ASSERT_TRUE(list.change("gpu7",
                            [](KnownHost& host) {
                                host.dollarsPerHour = 2.5;
                                host.heldSeconds = 5400;
                                host.dollars = 3.75;
                                host.note = "spot";
                                host.state = HostState::ready;
                                host.gpus = {"NVIDIA H200"};
                            })
                    .ok());
    ASSERT_TRUE(list.change("gpu8",
                            [](KnownHost& host) {
                                host.state = HostState::unusable;
                                host.reason = "no GPU";
                            })
                    .ok());
    EXPECT_THAT(rows({"hosts"}), ElementsAre(StartsWith("Host | "), "gpu7 | ready | NVIDIA H200 | $2.50 | 1 h 30 min | $3.75 | spot",
                                             "gpu8 | unusable | no GPU"));
    const Json hosts = json({"hosts", "list"});
    EXPECT_EQ(hosts["kept_in"], file("config/kernelloop/hosts.json"));
    EXPECT_EQ(hosts["hosts"][0]["host"], "gpu7");
    EXPECT_EQ(hosts["hosts"][0]["dollars_per_hour"], 2.5);
    EXPECT_EQ(hosts["hosts"][0]["held_seconds"], 5400);
    EXPECT_EQ(hosts["hosts"][1]["state"], "unusable");
    const Json added = json({"hosts", "add", "gpu8", "--note", "slow"})["hosts"];
    ASSERT_THAT(added, SizeIs(1)) << "the one that was added";
    EXPECT_EQ(added[0]["note"], "slow");
    EXPECT_TRUE(added[0]["dollars_per_hour"].is_null());
    EXPECT_EQ(json({"hosts", "add", "gpu8", "--price", "3"})["hosts"][0]["note"], "slow") << "what is not given stays";
    EXPECT_EQ(json({"hosts", "add", "gpu8", "--note", ""})["hosts"][0]["dollars_per_hour"], 3);
    EXPECT_EQ(json({"hosts", "list"})["hosts"][1]["note"], "");
    const Json left = json({"hosts", "remove", "gpu7"})["hosts"];
    ASSERT_THAT(left, SizeIs(1));
    EXPECT_EQ(left[0]["host"], "gpu8");
    const Answer expensive = ask({"hosts", "add", "gpu8", "--price", "1e9", "--json"});
    EXPECT_EQ(expensive.code, 4);
    EXPECT_EQ(expensive.json()["error"]["where"], "--price");
    EXPECT_EQ(json({"hosts", "list"})["hosts"][0]["dollars_per_hour"], 3);
}

TEST_F(MachineText, APartitionIsLookedAtWithoutAJob)
{
    program("sinfo", "echo \"$@\" >> '" + file("asked") + "'\ncat '" + file("partition") + "'\n");
    write("partition", "up|2|idle|gpu:h100:4\n");
    json({"hosts", "add", "slurm:gpu", "--price", "3"});
    const Json looked = json({"hosts", "check", "slurm:gpu"})["hosts"];
    ASSERT_THAT(looked, SizeIs(1));
    EXPECT_EQ(looked[0]["state"], "ready");
    EXPECT_EQ(looked[0]["reason"], "");
    EXPECT_NE(looked[0]["checked_at"], "");
    EXPECT_EQ(looked[0]["used_at"], "");
    EXPECT_EQ(looked[0]["dollars_per_hour"], 3);
    EXPECT_FALSE(looked[0]["gpus"].empty());
    EXPECT_THAT(read("asked"), HasSubstr("--partition=gpu "));
    write("partition", "down|2|down|gpu:h100:4\n");
    const Answer down = ask({"hosts", "check", "--json"});
    EXPECT_EQ(down.code, 5);
    EXPECT_EQ(down.json()["hosts"][0]["host"], "slurm:gpu") << "all of the list";
    EXPECT_EQ(down.json()["hosts"][0]["state"], "unusable");
    EXPECT_NE(down.json()["hosts"][0]["reason"], "");
    write("partition", "");
    const Answer gone = ask({"hosts", "check", "slurm:gpu"});
    EXPECT_EQ(gone.code, 5);
    EXPECT_THAT(gone.err, HasSubstr("\"gpu\""));
    EXPECT_THAT(readRows(gone.out)[1], StartsWith("slurm:gpu | unreachable | "));
}

TEST_F(MachineText, ARecipeIsFilledInFromTheCheck)
{
    useChecks(R"({"id":"gpu","requirement":"required","result":"pass","found":"NVIDIA H200","why":"w","fix":""})");
    const Json recipe = ask({"env", "--recipe", "--json"}).json()["recipe"];
    ASSERT_GE(recipe.size(), 8U);
    EXPECT_EQ(recipe[0]["command"], "nvidia-smi");
    const std::string title = recipe[0]["title"];
    ASSERT_NE(title, "");
    EXPECT_THAT(ask({"env", "--recipe"}).out, AllOf(StartsWith("# "), HasSubstr("**" + title + "**")));
}

TEST_F(MachineText, ATargetsCommandsAreAllowedEachByItself)
{
    ASSERT_EQ(ask({"new-target", "solver", "--dir", file("solver")}).code, 0);
    const std::vector<std::string> text = rows({"trust", "add", file("solver")});
    EXPECT_EQ(std::ranges::count_if(text, [&](const std::string& row) { return row.ends_with(file("solver/kernelloop.json")); }), 2);
    EXPECT_THAT(text, Contains(EndsWith(" '{python}' run.py '{S}'; '{python}' reference.py '{S}'"))) << "what runs after the build";
    EXPECT_THAT(text, Contains(EndsWith(' ' + file("solver/"))));
    EXPECT_THAT(json({"trust", "list"})["trusted"], SizeIs(2));
}

TEST_F(MachineText, AllowedCommandsAreListedInShortSnapshot)
{
    const auto project = [&](const std::string& build) {
        write("kernelloop.json", R"({"schema": 1, "extension": {"module": "fast", "build": ")" + build + "\"}}");
        return file("kernelloop.json");
    };
    const std::string whole = "echo " + std::string(67, 'x');                           // 80 with sh -c and its quotes
    const std::string cut = "echo " + std::string(67, 'x') + "é" + std::string(9, 'y'); // whose 80th byte is the first of two
    const Json added = json({"trust", "add", project(whole)})["added"];
    ASSERT_THAT(added, SizeIs(1));
    EXPECT_EQ(added[0]["command"], Json({"sh", "-c", whole}));
    EXPECT_EQ(added[0]["file"], file("kernelloop.json"));
    const std::string hash = added[0]["hash"];
    const std::vector<std::string> allowed = rows({"trust", "add", project(cut)});
    const std::string shown = allowed[0].substr(allowed[0].rfind(' ') + 1);
    EXPECT_EQ(shown.size(), 12U);
    EXPECT_EQ(allowed[1], "sh -c '" + cut + "'");
    EXPECT_THAT(allowed.back(), EndsWith(' ' + file("kernelloop.json")));
    const std::vector<std::string> table = rows({"trust", "list"});
    ASSERT_THAT(table, SizeIs(3));
    EXPECT_THAT(table[1], AllOf(StartsWith(shown + " | 20"), HasSubstr(" | " + file("kernelloop.json") + " | "),
                                EndsWith("sh -c 'echo " + std::string(67, 'x') + "…")))
        << "no character is cut in two";
    EXPECT_THAT(table[2], AllOf(StartsWith(hash.substr(0, 12) + " | "), EndsWith(" | sh -c '" + whole + "'")));
    const auto version = [&](const std::string& row) {
        const std::string before = row.substr(0, row.find(" | " + file("kernelloop.json")));
        return before.substr(before.rfind(" | "));
    };
    expectSnapshot("cli/trusted.txt", version(table[1]).substr(3) + '\n' + version(table[2]).substr(3) + '\n');
    const Json list = json({"trust", "list"});
    EXPECT_EQ(list["kept_in"], file("data/kernelloop/trusted.json"));
    ASSERT_THAT(list["trusted"], SizeIs(2));
    EXPECT_EQ(list["trusted"][1]["hash"], hash);
    EXPECT_EQ(list["trusted"][0]["current"], true);
    EXPECT_EQ(list["trusted"][1]["current"], false);
    EXPECT_NE(list["trusted"][1]["at"], "");
    const Json removed = json({"trust", "remove", hash.substr(0, 12)})["removed"];
    ASSERT_THAT(removed, SizeIs(1));
    EXPECT_EQ(removed[0]["hash"], hash);
    EXPECT_THAT(rows({"trust", "remove", shown})[0], EndsWith(": sh -c '" + cut + "'"));
    EXPECT_EQ(json({"trust", "list"})["trusted"], Json::array());
}

TEST_F(MachineText, ADatabaseIsDescribedCheckedAndCopied)
{
    ASSERT_TRUE(
        support::openStore(file("test.db"))->saveRun(support::timedRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000)).ok());
    const Json info = json({"db", "info"});
    EXPECT_EQ(info["location"], file("test.db"));
    EXPECT_EQ(info["read_only"], false);
    EXPECT_EQ(info["info"]["runs"], "1");
    EXPECT_THAT(rows({"db", "info"}), AllOf(Contains("location | " + file("test.db")), Contains("runs | 1"), Contains("sessions | 0")));
    const Json checked = json({"db", "check"});
    EXPECT_EQ(checked["sound"], true);
    EXPECT_EQ(checked["problems"], Json::array());
    EXPECT_THAT(rows({"db", "check"})[0], StartsWith(file("test.db") + ' '));
    EXPECT_EQ(json({"db", "backup", file("copy.db")})["backup"], file("copy.db"));
    EXPECT_EQ(support::infoValue(*support::openStore(file("copy.db")), "runs"), "1");
    EXPECT_THAT(rows({"db", "backup", file("copy2.db")})[0], HasSubstr(file("copy2.db")));
    EXPECT_EQ(ask({"db", "backup", file("copy.db")}).code, 4) << "it is there already";
    EXPECT_EQ(json({"db", "info", "--db", ":sample:"})["read_only"], true);
}

TEST_F(MachineText, TheCacheIsDescribedInWords)
{
    EXPECT_THAT(readFigures(rows({"cache", "info"})[1]), StartsWith("0 | 0 B | "));
    std::filesystem::create_directories(file("cache/kernelloop/compile/ab"));
    write("cache/kernelloop/compile/ab/cd.entry", std::string(2048, 'x'));
    const std::vector<std::string> info = rows({"cache", "info"});
    EXPECT_THAT(info[0], StartsWith(file("cache")));
    EXPECT_THAT(readFigures(info[1]), StartsWith("1 | 2 KiB | "));
    EXPECT_EQ(readFigures(rows({"cache", "clear"})[0]), "1 | 2 KiB");
    const std::string off = kloop({"cache", "info"}, "XDG_CACHE_HOME=" + quoted(file("cache")) + " KERNELLOOP_CACHE_MB=0").out;
    EXPECT_THAT(off, AllOf(HasSubstr("KERNELLOOP_CACHE_MB"), Not(HasSubstr(file("cache")))));
    EXPECT_EQ(json({"cache", "info"})["most_bytes"].get<std::int64_t>() % (1 << 20), 0);
}

TEST_F(MachineText, AFixAndTheNamesOfATreeAreTheSameInWords)
{
    const Json fix = json({"tree", "--fix", "pad-shared-memory"});
    const std::string text = ask({"tree", "--fix", "pad-shared-memory"}).out;
    EXPECT_THAT(text, StartsWith(fix["title"].get<std::string>() + "\n"));
    const std::size_t before = text.find(":\n" + fix["before"].get<std::string>());
    const std::size_t after = text.find(":\n" + fix["after"].get<std::string>());
    ASSERT_NE(after, std::string::npos);
    EXPECT_LT(before, after);
    EXPECT_EQ(fix["id"], "pad-shared-memory");
    const Json names = json({"tree", "--names"});
    const std::vector<std::string> rows = readRows(ask({"tree", "--names"}).out);
    const Json& first = names["quantities"][0];
    EXPECT_THAT(rows, Contains(StartsWith(first["id"].get<std::string>() + " | ")));
    EXPECT_THAT(rows.back(), HasSubstr(names["classes"][0].get<std::string>()));
    EXPECT_FALSE(names["words"].empty() || names["estimates"].empty());
}

TEST_F(MachineText, ARecommendationIsARowOfEachChange)
{
    KL_NEEDS_SAMPLE();
    const Json advice = json({"recommend", "transpose/tiled", "--on", "sample"});
    const std::vector<std::string> text = rows({"recommend", "transpose/tiled", "--on", "sample"});
    EXPECT_EQ(text[0],
              advice["kernel"].get<std::string>() + ' ' + advice["problem"].get<std::string>() + ": " + advice["class"].get<std::string>());
    EXPECT_EQ(text[1], readRows(advice["sentence"].get<std::string>())[0]);
    EXPECT_EQ(advice["pays"], 1.2);
    EXPECT_EQ(advice["own_cases"], 0);
    std::size_t shown = 0;
    for (const Json& change : advice["changes"]) {
        const double reduction = change["expected_reduction"];
        if (reduction <= 0)
            break;
        ASSERT_LT(4 + shown, text.size());
        const std::string row = change["title"].get<std::string>() + " | " +
                                readRows(formatPercent(std::round(100 * change["confidence"].get<double>())))[0] + " | " +
                                formatRatio(1 / (1 - reduction)) + " | " + change["similar_cases"].dump() + " | " +
                                change["by"].get<std::string>() + " | ";
        if (change["ready"].empty())
            EXPECT_THAT(text[4 + shown++], StartsWith(row + '(')) << "which is to be edited";
        else
            EXPECT_EQ(text[4 + shown++], row + change["ready"][0].get<std::string>());
    }
    EXPECT_GT(shown, 1U);
    EXPECT_THAT(readFigures(text.back()), HasSubstr(advice["cases"].dump() + " | 0"));
}

TEST_F(MachineText, ADecisionIsStepsWithTheirCommands)
{
    const Json slow = json({"decide", "0.25", "1"});
    EXPECT_EQ(slow["level"], "critical");
    EXPECT_EQ(slow["speedup"], 0.25);
    EXPECT_EQ(slow["kernel_ms"], 1);
    EXPECT_EQ(slow["next"][0]["tool"], "kloop profile");
    EXPECT_THAT(rows({"decide", "0.25", "1"}),
                AllOf(Contains("1. " + slow["next"][0]["action"].get<std::string>()), Contains(StartsWith("kloop profile KERNEL"))));
    EXPECT_NE(json({"decide", "0.25", "0.005"})["next"][0]["action"], slow["next"][0]["action"])
        << "a short kernel may wait for its launch";
    for (const Words& wrong : {Words{"decide", "0", "1"}, {"decide", "1", "-1"}, {"decide", "inf", "1"}, {"decide", "1"}})
        EXPECT_EQ(ask(wrong).code, 2) << testing::PrintToString(wrong);
}

TEST(TimingsTable, WhatIsInsideAnotherPartIsIndented)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::string table = cli::timingsTable({{"whole", kSecond, 9 * kSecond},
                                                 {"first", 2 * kSecond, 5 * kSecond},
                                                 {"inner", 3 * kSecond, 4 * kSecond},
                                                 {"second", 5 * kSecond, 8 * kSecond},
                                                 {"after", 10 * kSecond, 11 * kSecond}});
    EXPECT_EQ(table.substr(table.find('\n') + 1), "    0.000    8.000  whole\n"
                                                  "    1.000    3.000    first\n"
                                                  "    2.000    1.000      inner\n"
                                                  "    4.000    3.000    second\n"
                                                  "    9.000    1.000  after\n");
}

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell)
{
    cli::Table table({"Name", "Size>", ""});
    EXPECT_TRUE(table.empty());
    table.add({"a", "1", "x"});
    table.add({"größer", "22", ""});
    table.add({"short"});
    EXPECT_FALSE(table.empty());
    EXPECT_EQ(table.text(" "), " Name    Size\n a          1  x\n größer    22\n short\n") << "a character counts as one";
    cli::Table bare({"", ">"});
    bare.add({"a", "1"});
    bare.add({"bb\nc", "10"});
    EXPECT_EQ(readRows(bare.text()).size(), 2U) << "no row of empty headings; a cell is one line";
    EXPECT_EQ(cli::displayWidth("größer"), 6U);
    EXPECT_EQ(cli::displayWidth(std::string{cli::kToneMark, 's'} + "ab" + cli::kToneMark + '0'), 2U);
    EXPECT_EQ(cli::minutesCell(std::nullopt), "");
    EXPECT_EQ(readRows(cli::minutesCell(90))[0], "1 h 30 min");
}

} // namespace
} // namespace kl::test
