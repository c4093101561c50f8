// SPDX-License-Identifier: MIT
// Commands that files name run only with consent: a project's build, a reference script; with a terminal and without.
#include "kloop.h"
#include "tests/support/build_folder.h"

#include <poll.h>
#include <pty.h>
#include <sstream>
#include <sys/stat.h>

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConsentOnTheLine : public Kloop {
protected:
    /// A worker that keeps every request and answers that all is well.
    void SetUp() override
    {
        Kloop::SetUp();
        useRecorder(
            {},
            R"(*'"verb":"env"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"checks\":[{\"id\":\"gpu\",\"requirement\":\"required\",\"result\":\"pass\",\"found\":\"\",\"why\":\"\",\"fix\":\"\"}]}}" ;;)");
        write("kernelloop.json", R"({"schema": 1, "extension": {"module": "fast", "build": "sh build.sh"}})");
        write("build.sh", "id > /tmp/x\n");
    }
    std::string own() const { return "XDG_DATA_HOME=" + quoted(file("data")); }
    Answer ask(const std::vector<std::string>& words) const { return kloop(words, own()); }
    Answer env(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> words{"env", "--project", file("kernelloop.json"), "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return ask(words);
    }
    /// Whether the worker was asked for `verb` with this text in the request, ever.
    bool sent(const std::string& verb, const std::string& text) const
    {
        std::istringstream lines(read("requests"));
        for (std::string line; std::getline(lines, line);)
            if (line.find("\"verb\":\"" + verb + '"') != std::string::npos && line.find(text) != std::string::npos)
                return true;
        return false;
    }
    static Json check(const Json& report, const std::string& id)
    {
        for (const Json& line : report["checks"])
            if (line["id"] == id)
                return line;
        return Json::object();
    }
    /// A kernel whose reference is a python script.
    void makeKernel() const
    {
        ASSERT_EQ(ask({"new-kernel", "mine", "--dir", file("mine"), "--template", "elementwise"}).code, 0);
        Json descriptor = *parseJson(read("mine/kernel.json"), "kernel.json");
        descriptor["reference"] = {{"python", "reference.py"}, {"output", descriptor["reference"]["output"]}};
        write("mine/kernel.json", encodePretty(descriptor));
        write("mine/reference.py", "print(1)\n");
    }
    /// Runs kloop on a terminal of its own where `typed` is typed once a question is there.
    Answer onTerminal(const std::vector<std::string>& words, const std::string& typed) const
    {
        std::string line = "KERNELLOOP_WORKER=" + quoted(file("worker.sh")) + " KERNELLOOP_DB=" + quoted(file("test.db")) +
                           " XDG_STATE_HOME=" + quoted(file("state")) + ' ' + own() + ' ' + quoted(test::buildFolder() + "/bin/kloop");
        for (const std::string& word : words)
            line += ' ' + quoted(word);
        int terminal = -1;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        if (child == 0) {
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        Answer answer;
        bool asked = false;
        char chunk[4096];
        for (ssize_t got = ::read(terminal, chunk, sizeof chunk); got > 0; got = ::read(terminal, chunk, sizeof chunk)) {
            answer.out.append(chunk, static_cast<std::size_t>(got));
            if (!asked && answer.out.find("[y/N] ") != std::string::npos) {
                asked = true;
                EXPECT_EQ(::write(terminal, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
            }
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        ::close(terminal);
        answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
        return answer;
    }
};

TEST_F(ConsentOnTheLine, AProjectsBuildIsRefusedWithoutATerminal)
{
    const Answer refused = env();
    EXPECT_EQ(refused.code, 1) << refused.err;
    const Json report = refused.json();
    EXPECT_EQ(report["verdict"], "fail");
    EXPECT_EQ(check(report, "gpu")["result"], "pass"); // the rest was checked
    EXPECT_EQ(check(report, "extension-build")["result"], "fail");
    EXPECT_EQ(check(report, "extension-build")["requirement"], "required");
    EXPECT_EQ(check(report, "extension-import")["result"], "skipped");
    EXPECT_EQ(report["error"]["code"], "needs-consent");
    EXPECT_EQ(report["error"]["file"], file("kernelloop.json"));
    EXPECT_EQ(report["error"]["command"], Json({"sh", "-c", "sh build.sh"}));
    EXPECT_EQ(report["error"]["hash"].get<std::string>().size(), 64U);
    EXPECT_TRUE(sent("env", "\"extension\":null") || !sent("env", "build.sh"));
    EXPECT_FALSE(sent("env", "build.sh"));
}

TEST_F(ConsentOnTheLine, TrustRunsAndRemembersUntilTheFileOrItsScriptChanges)
{
    EXPECT_EQ(env({"--trust"}).code, 0);
    EXPECT_TRUE(sent("env", "build.sh"));
    EXPECT_EQ(env().code, 0);
    struct stat info = {};
    ASSERT_EQ(::stat(file("data/kernelloop/trusted.json").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U);
    write("build.sh", "rm -rf ~\n");
    EXPECT_EQ(env().code, 1);
    write("build.sh", "id > /tmp/x\n");
    EXPECT_EQ(env().code, 0);
    write("kernelloop.json", R"({"schema": 1, "extension": {"module": "fast", "build": "sh build.sh; id"}})");
    EXPECT_EQ(env().code, 1);
}

TEST_F(ConsentOnTheLine, AProjectThatNamesNoCommandAsksNothing)
{
    write("kernelloop.json", R"({"schema": 1, "torch": "2.9"})");
    EXPECT_EQ(env().code, 0);
}

TEST_F(ConsentOnTheLine, AReferenceScriptIsRefusedUntilItIsAllowed)
{
    makeKernel();
    const Answer refused = ask({"run", file("mine/kernel.json"), "--json"});
    EXPECT_EQ(refused.code, 1) << refused.err;
    const Json error = refused.json()["error"];
    EXPECT_EQ(error["code"], "needs-consent");
    EXPECT_EQ(error["file"], file("mine/reference.py"));
    EXPECT_EQ(error["command"], Json({"python3", "reference.py"}));
    EXPECT_THAT(error["hint"].get<std::string>(), HasSubstr("--trust"));
    EXPECT_FALSE(sent("run", "print(1)"));

    EXPECT_EQ(ask({"trust", "add", file("mine/kernel.json")}).code, 0);
    EXPECT_EQ(ask({"run", file("mine/kernel.json"), "--json"}).code, 0);
    EXPECT_TRUE(sent("run", "print(1)"));
    write("mine/reference.py", "print(2)\n");
    EXPECT_EQ(ask({"run", file("mine/kernel.json")}).code, 1);
    EXPECT_EQ(ask({"run", file("mine/kernel.json"), "--trust"}).code, 0);

    const Json list = ask({"trust", "list", "--json"}).json()["trusted"];
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[1]["hash"], error["hash"]); // the older one
    EXPECT_EQ(list[1]["file"], file("mine/reference.py"));
    const std::string table = ask({"trust", "list"}).out;
    EXPECT_LT(table.find("latest"), table.find("earlier")) << table;
    EXPECT_EQ(table.find("latest"), table.rfind("latest")) << table;
    EXPECT_EQ(ask({"trust", "remove", list[0]["hash"].get<std::string>().substr(0, 10)}).code, 0);
    EXPECT_EQ(ask({"run", file("mine/kernel.json")}).code, 1);
    EXPECT_EQ(ask({"trust", "remove", "nothing"}).code, 4);
}

TEST_F(ConsentOnTheLine, WhatAFileNamesNowIsItsLatestHoweverManyCommandsItHas)
{
    write("kernel.txt", "");
    write("kernelloop.json", R"({"schema": 2, "extension": {"module": "fast", "build": "sh build.sh"},
        "target": {"id": "sums", "sizes": ["N"], "problems": ["N=512"], "smallest": "N=1", "suite": ["N=1", "N=7", "N=512"],
                   "run": ["true", "{N}"], "kernel": {"name": "column_sum"}, "check": {"command": ["true"]},
                   "rival": {"kernel": "^rival"}, "edit": ["kernel.txt"]}})");
    const Answer added = ask({"trust", "add", file("kernelloop.json")});
    ASSERT_EQ(added.code, 0) << added.err;
    const auto current = [&] {
        std::vector<bool> all;
        const Json list = ask({"trust", "list", "--json"}).json()["trusted"];
        for (const Json& row : list)
            all.push_back(row["current"]);
        return all;
    };
    EXPECT_EQ(current(), (std::vector<bool>{true, true}));
    EXPECT_THAT(ask({"trust", "list"}).out, Not(HasSubstr("earlier")));
    write("build.sh", "uname\n");
    EXPECT_EQ(current(), (std::vector<bool>{false, false}));
    ASSERT_EQ(ask({"trust", "add", file("kernelloop.json")}).code, 0);
    EXPECT_EQ(current(), (std::vector<bool>{true, true, false, false}));
    std::filesystem::remove(file("kernelloop.json"));
    EXPECT_EQ(current(), std::vector<bool>(4));
}

TEST_F(ConsentOnTheLine, ATerminalPromptsOnceAndShowsWhatRuns)
{
    write("kernelloop.json", "{\"schema\": 1, \"extension\": {\"module\": \"fast\", \"build\": \"echo \\u001b[2J\\u202e; id\"}}");
    const std::vector<std::string> words{"env", "--project", file("kernelloop.json")};
    const Answer no = onTerminal(words, "n\n");
    EXPECT_EQ(no.code, 1) << no.out;
    EXPECT_THAT(no.out, HasSubstr(file("kernelloop.json")));
    EXPECT_THAT(no.out, HasSubstr("sh -c 'echo \\x1b[2J\\xe2\\x80\\xae; id'"));
    EXPECT_THAT(no.out, Not(HasSubstr("\x1b[2J")));
    EXPECT_FALSE(sent("env", "echo"));
    const Answer yes = onTerminal(words, "y\n");
    EXPECT_EQ(yes.code, 0) << yes.out;
    EXPECT_TRUE(sent("env", "echo"));
    EXPECT_THAT(onTerminal(words, "").out, Not(HasSubstr("[y/N]")));
}

} // namespace
} // namespace kl::test
