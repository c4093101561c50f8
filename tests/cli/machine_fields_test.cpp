// SPDX-License-Identifier: MIT
// Commands about the machine: what they pass on of their options, each field of their answers, and several hosts of which one fails.
#include "../profiler/fake_ssh.h"
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/real_reports.h"
#include "text_rows.h"

#include <set>
#include <sstream>

namespace kl::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class MachineFields : public AskedKloop {
protected:
    Answer ask(const Words& words) const override
    {
        return kloop(words, "XDG_CONFIG_HOME=" + quoted(file("config")) + " XDG_DATA_HOME=" + quoted(file("data")));
    }
    /// What the check of this machine is asked for.
    Json checked(const Words& words, const std::string& environment = {}) const
    {
        const std::vector<Json> bodies = requestedBy("env", words, environment);
        EXPECT_FALSE(bodies.empty()) << "nothing was checked";
        return bodies.empty() ? Json::object() : bodies.front();
    }
};

TEST_F(MachineFields, TheDiskThatIsCheckedIsTheDatabases)
{
    useRecorder();
    std::filesystem::create_directories(file("other"));
    const std::string own = std::filesystem::path(file("test.db")).parent_path();
    EXPECT_EQ(checked({"env"})["disk_path"], own) << "of the environment";
    EXPECT_EQ(checked({"env", "--db", file("other/x.db")})["disk_path"], file("other"));
    EXPECT_NE(checked({"env", "--db", ":sample:"})["disk_path"], own);
    EXPECT_EQ(checked({"env"})["required_torch"], "");
}

TEST_F(MachineFields, AProjectIsThatOfTheFolderUnlessOneIsNamed)
{
    useRecorder();
    std::filesystem::create_directories(file("project/inner"));
    write("project/kernelloop.json", R"({"schema": 1, "torch": "2.9"})");
    write("named.json", R"({"schema": 1, "torch": "2.4"})");
    EXPECT_EQ(checked({"env"}, "env -C " + quoted(file("project/inner")))["required_torch"], "2.9");
    EXPECT_EQ(checked({"env", "--project", file("named.json")}, "env -C " + quoted(file("project")))["required_torch"], "2.4");
    EXPECT_EQ(checked({"env", "--torch", "2.2.1"}, "env -C " + quoted(file("project")))["required_torch"], "2.2.1");
}

TEST_F(MachineFields, WithoutAWorkerThereIsStillARecipeAndSettings)
{
    const std::string none = "KERNELLOOP_WORKER=/nonexistent";
    const Answer recipe = kloop({"env", "--recipe", "--json"}, none);
    EXPECT_EQ(recipe.code, 5);
    EXPECT_FALSE(recipe.json()["recipe"].empty());
    const Answer settings = kloop({"env", "--export", "--arch", "8.9", "--json"}, none);
    EXPECT_EQ(settings.code, 0) << settings.err;
    EXPECT_EQ(settings.json()["schema"], "kernelloop.shell/1");
    bool arch = false;
    const Json list = settings.json()["settings"];
    for (const Json& setting : list) {
        arch = arch || (setting["name"] == "TORCH_CUDA_ARCH_LIST" && setting["value"] == "8.9");
        EXPECT_NE(setting["why"], "") << setting["name"];
    }
    EXPECT_TRUE(arch);
}

TEST_F(MachineFields, ACheckNamesItsLog)
{
    useRecorder();
    const Json report = kloop({"env", "--json"}).json();
    ASSERT_TRUE(report["log"].is_string()) << report;
    EXPECT_TRUE(std::filesystem::exists(report["log"].get<std::string>()));
    EXPECT_THAT(readRows(kloop({"env"}).out).back(), testing::MatchesRegex(".* /.*[.]log"));
}

TEST_F(MachineFields, TheSampleIsReadOnlyWhichIsReportedAndNothingElseIs)
{
    EXPECT_NE(kloop({"db", "info", "--db", ":sample:"}).err, "");
    EXPECT_EQ(kloop({"db", "info"}).err, "");
    write("raw.csv", ncuData("three_kernels_raw.csv"));
    const Answer unstored = kloop({"analyze", file("raw.csv"), "--db", ":sample:", "--json"});
    EXPECT_EQ(unstored.code, 0) << "what cannot be stored is still answered";
    EXPECT_THAT(unstored.json()["results"], SizeIs(3));
    const std::string notice = kloop({"db", "info", "--db", ":sample:"}).err;
    EXPECT_GT(std::ranges::count(unstored.err, '\n'), std::ranges::count(notice, '\n')) << "and that it was not is reported";
}

TEST_F(MachineFields, ABundleIsNamedByItsTimeUnlessAFileIsGiven)
{
    const Answer answer = kloop({"support-bundle", "--json"}, "env -C " + quoted(file("")));
    ASSERT_EQ(answer.code, 0) << answer.err;
    const std::string name = answer.json()["file"];
    EXPECT_THAT(name, testing::MatchesRegex("kernelloop-support-.*[.]txt"));
    std::vector<std::string> titles;
    std::istringstream text(read(name));
    for (std::string line; std::getline(text, line);)
        if (line.starts_with("== "))
            titles.push_back(line.substr(3));
    EXPECT_EQ(answer.json()["sections"], Json(titles));
    EXPECT_THAT(titles, Contains("Database"));
    EXPECT_THAT(kloop({"support-bundle", "-o", file("named.txt")}).out, HasSubstr(file("named.txt")));
}

TEST_F(MachineFields, WhatIsAllowedIsTheSameInEachAnswer)
{
    std::filesystem::create_directories(file("project"));
    write("project/kernelloop.json", R"({"schema": 1, "extension": {"module": "fast", "build": "sh build.sh"}})");
    write("project/build.sh", "true\n");
    const Json added = json({"trust", "add", file("project")})["added"][0];
    EXPECT_EQ(added["file"], file("project/kernelloop.json"));
    EXPECT_EQ(added["command"], Json({"sh", "-c", "sh build.sh"}));
    EXPECT_THAT(added["folder"].get<std::string>(), StartsWith(file("project")));
    EXPECT_THAT(added["files"], Contains("build.sh"));
    EXPECT_EQ(added["hash"].get<std::string>().size(), 64U);
    const Json listed = json({"trust", "list"})["trusted"][0];
    EXPECT_THAT(listed["at"].get<std::string>(), StartsWith("20"));
    const Json removed = json({"trust", "remove", added["hash"]})["removed"][0];
    for (const char* field : {"hash", "file", "command", "folder"}) {
        EXPECT_EQ(listed[field], added[field]) << field;
        EXPECT_EQ(removed[field], added[field]) << field;
    }
    EXPECT_EQ(kloop({"trust", "add", file("nothing")}).code, 4);
}

class MachineHosts : public MachineFields {
protected:
    Answer ask(const Words& words) const override
    {
        return kloop(words, "XDG_CONFIG_HOME=" + quoted(file("config")) + " XDG_DATA_HOME=" + quoted(file("data")) +
                                " KERNELLOOP_WORKER=" + quoted(test::kBuiltWorker));
    }
    FakeSsh ssh_;
};

TEST_F(MachineHosts, OneHostThatCannotBeReachedFailsTheCheckOfAll)
{
    ssh_.installWorker("exec '" + test::buildFolder() +
                       "/bin/kloop-worker' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"");
    ssh_.touch("down-gpu6");
    for (const Words& order : {Words{"gpu6", "gpu7"}, {"gpu7", "gpu6"}}) {
        const Answer answer = ask({"hosts", "check", order[0], order[1], "--json"});
        EXPECT_EQ(answer.code, 5) << order[0];
        const Json hosts = answer.json()["hosts"];
        ASSERT_THAT(hosts, SizeIs(2));
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(hosts[i]["host"], order[i]);
            EXPECT_EQ(hosts[i]["state"], order[i] == "gpu6" ? "unreachable" : "ready");
        }
    }
    EXPECT_EQ(ask({"hosts", "check", "gpu7"}).code, 0);
    EXPECT_EQ(ask({"hosts", "check"}).code, 5) << "of all";
    EXPECT_EQ(ask({"hosts", "check", "gpu7", "a b"}).code, 2);
}

TEST_F(MachineHosts, AHostIsOneMachineWithoutAGpu)
{
    for (const char* wrong : {"gpu7:0", "gpu7,ssh:gpu8", "gpu7+ssh:gpu8", "slurm:gpu,workers=2", ""}) {
        const Answer answer = ask({"hosts", "add", wrong, "--json"});
        EXPECT_EQ(answer.code, 2) << wrong;
        EXPECT_EQ(answer.json()["error"]["where"], wrong);
    }
    EXPECT_EQ(ask({"hosts", "add", "me@gpu7", "--price", "100000"}).code, 0) << "the highest price";
    EXPECT_EQ(ask({"hosts", "add", "me@gpu7", "--price", "100001"}).code, 4);
    EXPECT_EQ(ask({"hosts", "add", "me@gpu7", "--price", "0"}).code, 2);
    const Json hosts = json({"hosts"})["hosts"];
    ASSERT_THAT(hosts, SizeIs(1));
    EXPECT_EQ(hosts[0]["dollars_per_hour"], 100000);
}

TEST_F(MachineHosts, OfAFolderOfRecordingsEachAnswersForItsKernels)
{
    std::filesystem::create_directories(file("captures"));
    for (const char* name : {"h200-copy.zst", "h200-transpose.zst"})
        std::filesystem::create_symlink(std::string(KL_SOURCE_DIR "/resources/captures/") + name, file("captures/") + name);
    useWorker("exec '" + test::buildFolder() + "/bin/kloop-worker' --replay '" + file("captures") + "' \"$@\"\n");
    for (const char* kernel : {"copy/vector", "transpose/naive"})
        EXPECT_EQ(kloop({"run", kernel, "--on", "local"}).code, 0) << kernel;
    EXPECT_EQ(kloop({"run", "fma/fp32", "--on", "local", "--json"}).json()["error"]["code"], "not-recorded");
}

/// What bash offers, as in completion_test.cpp, for values of options and places.
class MachineCompletion : public Kloop {
protected:
    std::set<std::string> offered(const std::string& words) const
    {
        write("script", kloop({"completion", "zsh"}).out);
        write("ask", "source '" + file("script") + "'\nCOMP_WORDS=(kloop " + words +
                         ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_kloop\necho \" ${COMPREPLY[*]} \"\n");
        EXPECT_EQ(std::system(("bash '" + file("ask") + "' >'" + file("offer") + "' 2>&1").c_str()), 0) << read("offer");
        std::istringstream in(read("offer"));
        return {std::istream_iterator<std::string>(in), {}};
    }
};

TEST_F(MachineCompletion, ValuesOfOptionsAndPlacesAreThoseThatTheyTake)
{
    EXPECT_THAT(offered("occupancy --sweep ''"), ElementsAre("block-size", "registers", "shared-memory"));
    EXPECT_THAT(offered("sanitize --tool ''"), ElementsAre("initcheck", "memcheck", "racecheck", "synccheck"));
    EXPECT_THAT(offered("lift --type f8"), ElementsAre("f8e4m3", "f8e5m2"));
    EXPECT_THAT(offered("completion ''"), ElementsAre("bash", "zsh"));
    EXPECT_THAT(offered("ab transpose/naive transpose/ti"), ElementsAre("transpose/tiled"));
    EXPECT_THAT(offered("compare transpose/na"), ElementsAre("transpose/naive"));
    EXPECT_THAT(offered("smem -"), testing::AllOf(Contains("-M"), Contains("--rows"), Contains("--json")));
    EXPECT_THAT(offered("analyze --kern"), ElementsAre("--kernel"));
    EXPECT_THAT(offered("run --suite transpose/na"), ElementsAre("transpose/naive")) << "a flag takes nothing";
    EXPECT_THAT(offered("db ''"), ElementsAre("backup", "check", "info"));
    EXPECT_THAT(offered("hosts check --"), Not(Contains("--price")));
    EXPECT_THAT(offered("db backup ''"), SizeIs(0)) << "a file";
}

} // namespace
} // namespace kl::test
