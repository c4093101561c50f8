// SPDX-License-Identifier: MIT
// Questions on a terminal and what an answer does; a progress line that becomes shorter.
#include "app/kloop/terminal/progress.h"
#include "app/kloop/terminal/terminal_consent.h"
#include "kloop.h"
#include "profiler/protocol/lifted_launch.h"
#include "tests/support/build_folder.h"

#include <algorithm>
#include <pty.h>

namespace kl::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class Prompts : public Kloop {
protected:
    /// Runs kloop on a terminal of its own, where each question is answered by what is typed; `out` is all that is shown.
    Answer answered(const Words& words, const std::string& typed, const std::string& environment = {},
                    const std::string& redirections = {}) const
    {
        std::string line = "KERNELLOOP_WORKER=" + quoted(file("worker.sh")) + " KERNELLOOP_DB=" + quoted(file("test.db")) +
                           " XDG_STATE_HOME=" + quoted(file("state")) + " XDG_DATA_HOME=" + quoted(file("data")) + ' ' + environment + ' ' +
                           quoted(test::buildFolder() + "/bin/kloop");
        for (const std::string& word : words)
            line += ' ' + quoted(word);
        line += ' ' + redirections;
        int terminal = -1;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        if (child == 0) {
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        return shownOn(terminal, child, typed);
    }
    static Answer shownOn(int terminal, pid_t child, const std::string& typed)
    {
        Answer answer;
        std::size_t looked = 0;
        char chunk[4096];
        for (ssize_t got = ::read(terminal, chunk, sizeof chunk); got > 0; got = ::read(terminal, chunk, sizeof chunk)) {
            answer.out.append(chunk, static_cast<std::size_t>(got));
            for (std::size_t at = answer.out.find("[y/N] ", looked); at != std::string::npos; at = answer.out.find("[y/N] ", looked)) {
                looked = at + 1;
                EXPECT_EQ(::write(terminal, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
            }
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        ::close(terminal);
        answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
        return answer;
    }
    /// Who is asked whether these may run, in their order; the exit code is the number of those that were allowed.
    Answer allowing(const std::vector<FileCommand>& commands, const std::string& typed) const
    {
        int terminal = -1;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        if (child == 0) {
            ::setenv("XDG_DATA_HOME", file("data").c_str(), 1);
            cli::ProgressLine progress;
            const std::shared_ptr<Consent> consent = cli::terminalConsent(false, progress);
            int allowed = 0;
            for (const FileCommand& command : commands)
                allowed += consent->allow(command, {}).ok() ? 1 : 0;
            ::_exit(allowed);
        }
        return shownOn(terminal, child, typed);
    }
    static int questions(const Answer& answer)
    {
        int count = 0;
        for (std::size_t at = answer.out.find("[y/N] "); at != std::string::npos; at = answer.out.find("[y/N] ", at + 1))
            ++count;
        return count;
    }
    /// A kernel whose reference is a script, so that it is to be allowed.
    void makeKernel(const std::string& script) const
    {
        if (!std::filesystem::exists(file("mine"))) {
            ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine")}).code, 0);
            Json descriptor = *parseJson(read("mine/kernel.json"), "kernel.json");
            descriptor["reference"] = {{"python", "reference.py"}, {"output", descriptor["reference"]["output"]}};
            write("mine/kernel.json", encodePretty(descriptor));
        }
        write("mine/reference.py", script);
    }
};

TEST_F(Prompts, OnlyAYesAllows)
{
    useRecorder();
    makeKernel("print(1)\n");
    for (const char* no : {"n\n", "\n", "no\n", "yy\n", "ok\n", " y\n", "YES\n"}) {
        const Answer answer = answered({"run", file("mine")}, no);
        EXPECT_EQ(answer.code, 1) << no;
        EXPECT_EQ(questions(answer), 1) << no;
    }
    EXPECT_EQ(read("requests").find("print(1)"), std::string::npos);
    int script = 0;
    for (const char* yes : {"y\n", "Y\n", "yes\n"}) {
        makeKernel("print(" + std::to_string(++script) + ")\n");
        EXPECT_EQ(answered({"run", file("mine")}, yes).code, 0) << yes;
        EXPECT_EQ(questions(answered({"run", file("mine")}, yes)), 0) << "it is allowed now";
    }
    EXPECT_EQ(questions(answered({"run", file("mine"), "--trust"}, "n\n")), 0);
}

TEST_F(Prompts, AQuestionNamesTheFileAndSinceWhenItChanged)
{
    useRecorder();
    makeKernel("print(1)\n");
    const Json error = kloop({"run", file("mine"), "--json"}, "XDG_DATA_HOME=" + quoted(file("data"))).json()["error"];
    const Answer first = answered({"run", file("mine")}, "y\n");
    EXPECT_THAT(first.out, HasSubstr(file("mine/reference.py")));
    EXPECT_THAT(first.out, HasSubstr("python3 reference.py"));
    EXPECT_THAT(first.out, HasSubstr(error["hash"].get<std::string>()));
    const std::string date = "20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]:";
    EXPECT_THAT(first.out, Not(ContainsRegex(date)));
    makeKernel("print(2)\n");
    EXPECT_THAT(answered({"run", file("mine")}, "n\n").out, ContainsRegex(date));
}

TEST_F(Prompts, ANoHoldsForTheWholeCommand)
{
    useRecorder();
    makeKernel("print(1)\n");
    const Answer answer = answered({"profile", file("mine") + ":plain", file("mine") + ":vector"}, "n\n");
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(questions(answer), 1);
    EXPECT_EQ(questions(answered({"profile", file("mine") + ":plain", file("mine") + ":vector"}, "y\n")), 1) << "as does a yes";
}

TEST_F(Prompts, AShorterProgressLineLeavesNothingOfTheLongerOne)
{
    useRecorder({}, R"(*'"verb":"run"'*)
        echo "{\"event\":\"progress\",\"id\":$id,\"seq\":1,\"step\":\"compiling for long\",\"elapsed_s\":3}"
        echo "{\"event\":\"progress\",\"id\":$id,\"seq\":2,\"step\":\"timing\",\"elapsed_s\":4}"
        echo "{\"event\":\"result\",\"id\":$id,\"body\":{}}" ;;)");
    const std::string longer = "compiling for long  0:03", shorter = "timing  0:04";
    const std::string text = answered({"run", "transpose/naive"}, "").out;
    EXPECT_THAT(text, HasSubstr('\r' + longer + '\r' + shorter + std::string(longer.size() - shorter.size(), ' ') + '\r'));
}

TEST_F(Prompts, WhatWasRefusedIsNotAskedAgain)
{
    const FileCommand one{.file = "/k/one.json", .command = {"sh", "-c", "make one"}, .folder = "/k", .hash = std::string(64, '1')};
    const FileCommand two{.file = "/k/two.py", .command = {"python3", "two.py"}, .folder = "", .hash = std::string(64, '2')};
    const Answer refused = allowing({one, one, two, one}, "n\n");
    EXPECT_EQ(refused.code, 0);
    EXPECT_EQ(questions(refused), 2) << "each once";
    const Answer allowed = allowing({one, one, two}, "y\n");
    EXPECT_EQ(allowed.code, 3);
    EXPECT_EQ(questions(allowed), 2);
    EXPECT_EQ(questions(allowing({one, two}, "n\n")), 0) << "a yes is kept";
}

TEST_F(Prompts, AQuestionShowsAllThatIsKnownOfACommand)
{
    FileCommand command{.file = "/k/one.json",
                        .command = {"sh", "-c", "make one"},
                        .folder = "/k/build",
                        .hash = std::string(64, '1'),
                        .afterwards = "loads fast.so",
                        .files = {"setup.py"}};
    const std::string whole = allowing({command}, "n\n").out;
    for (const char* part : {"/k/one.json", "sh -c 'make one'", "/k/build", "loads fast.so", "setup.py"})
        EXPECT_THAT(whole, HasSubstr(part));
    EXPECT_THAT(whole, HasSubstr(command.hash));
    command.question = "Copy a worker there?";
    const std::string asked = allowing({command}, "n\n").out;
    EXPECT_THAT(asked, HasSubstr(command.question));
    EXPECT_NE(asked.substr(0, asked.find("/k/one.json")), whole.substr(0, whole.find("/k/one.json")));
    command.question = "";
    command.afterwards = "";
    command.files = {};
    EXPECT_LT(std::ranges::count(allowing({command}, "n\n").out, '\n'), std::ranges::count(whole, '\n')) << "without rows that are empty";
    command.folder = "";
    const std::string script = allowing({command}, "n\n").out;
    EXPECT_NE(script.substr(0, script.find("/k/one.json")), whole.substr(0, whole.find("/k/one.json"))) << "a kernel's script";
}

TEST_F(Prompts, WhereNobodyCanAnswerNothingIsAsked)
{
    useRecorder();
    makeKernel("print(1)\n");
    const Answer answer = answered({"run", file("mine")}, "y\n", {}, "2>" + quoted(file("messages")));
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(questions(answer), 0);
    EXPECT_THAT(read("messages"), Not(HasSubstr("[y/N]")));
    EXPECT_EQ(questions(answered({"run", file("mine")}, "y\n", {}, "</dev/null")), 0) << "nor where nothing can be typed";
}

/// A program in which the injected library tells the size of a launch, and lifts it once memory may be copied.
class LiftPrompts : public Prompts {
protected:
    void SetUp() override
    {
        Prompts::SetUp();
        write("inject.so", "not loaded by programs without CUDA");
        std::filesystem::create_directories(file("raw"));
        write("raw/kernel.cubin", std::string("\x7f"
                                              "ELF") +
                                      std::string(60, '\0'));
        write("raw/arguments", std::string(8, '\0'));
        write("raw/0.before", std::string(8192, 'a'));
        write("raw/0.after", std::string(1024, 'b'));
        LiftedLaunch lift;
        lift.kernel = "_Z5scalePf";
        lift.command = {"prog"};
        lift.computeCapability = 90;
        lift.grid = {4, 1, 1};
        lift.block = {256, 1, 1};
        lift.parameters = {{0, 8}};
        lift.arguments = "arguments";
        lift.image = "kernel.cubin";
        lift.memory = {{0x7f2c5e000000, 8192, "argument", "0.before", "0.after", {{512, 1024}}}};
        lift.bytes = 8192;
        lift.notes = {"The program has two streams."};
        write("raw/lift.json", encodeLift(lift));
        lift.tooLarge = true;
        write("large.json", encodeLift(lift));
    }
    Answer lift(Words options, const std::string& typed, const std::string& before = {}, const std::string& redirections = {}) const
    {
        options.insert(options.begin(), {"lift", "--kernel", "scale", "--out", file("lifted")});
        options.insert(
            options.end(),
            {"--", "/bin/sh", "-c",
             before +
                 "folder=$(sed -n 's/.*\"lift\":{[^}]*\"folder\":\"\\([^\"]*\\)\".*/\\1/p' \"$KLOOP_INJECT_SPOOL\"/config.json)\n"
                 "echo run >> " +
                 quoted(file("ran")) + "\ncp -r " + quoted(file("raw")) +
                 " \"$folder\"\n"
                 "if grep -q '\"max_bytes\":0,' \"$KLOOP_INJECT_SPOOL\"/config.json; then cp " +
                 quoted(file("large.json")) + " \"$folder\"/lift.json; fi\n"});
        return answered(options, typed, "KERNELLOOP_INJECT=" + quoted(file("inject.so")), redirections);
    }
};

TEST_F(LiftPrompts, TheProgramRunsAgainToCopyWhatWasAgreedTo)
{
    const Answer no = lift({}, "n\n");
    EXPECT_EQ(no.code, 1) << no.out;
    EXPECT_EQ(questions(no), 1);
    EXPECT_EQ(read("ran"), "run\n");
    EXPECT_FALSE(std::filesystem::exists(file("lifted")));
    const Answer yes = lift({}, "y\n");
    EXPECT_EQ(yes.code, 0) << yes.out;
    EXPECT_EQ(read("ran"), "run\nrun\nrun\n");
    EXPECT_TRUE(std::filesystem::exists(file("lifted/kernel.json")));
    EXPECT_THAT(yes.out, HasSubstr("The program has two streams."));
    EXPECT_THAT(yes.out, ContainsRegex("8[^0-9]+KiB [^0-9\n]* 1 [^0-9\n]*[?]")) << "bytes and allocations, in the question";
}

TEST_F(LiftPrompts, WhatIsMoreThanIsAllowedOrAgreedToBeforeAsksNothing)
{
    const Answer large = lift({"--max-bytes", "100"}, "y\n");
    EXPECT_EQ(large.code, 1) << large.out;
    EXPECT_EQ(questions(large), 0);
    EXPECT_EQ(read("ran"), "run\n");
    const Answer yes = lift({"--yes"}, "n\n");
    EXPECT_EQ(yes.code, 0) << yes.out;
    EXPECT_EQ(questions(yes), 0);
    EXPECT_EQ(read("ran"), "run\nrun\n");
}

TEST_F(LiftPrompts, AProgramThatLaunchesNothingTheSecondTimeIsAnError)
{
    const Answer answer = lift({}, "y\n", "[ -s " + quoted(file("ran")) + " ] && exit 0\n");
    EXPECT_EQ(answer.code, 4) << answer.out;
    EXPECT_FALSE(std::filesystem::exists(file("lifted")));
}

TEST_F(LiftPrompts, WhereNobodyCanAnswerNothingIsCopied)
{
    EXPECT_EQ(questions(lift({}, "y\n", {}, "</dev/null")), 0);
    EXPECT_EQ(read("ran"), "run\n");
    std::filesystem::remove(file("ran"));
    const Answer answer = lift({}, "y\n", {}, "2>" + quoted(file("messages")));
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(read("ran"), "run\n");
}

} // namespace
} // namespace kl::test
