// SPDX-License-Identifier: MIT
// What is different on a terminal: tones, the progress line, a watch; and errors in words.
#include "app/kloop/terminal/explain.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "text_rows.h"

#include <chrono>
#include <pty.h>
#include <thread>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

class OnTerminal : public Kloop {
protected:
    /// Runs kloop on a terminal of its own; all that it shows.
    std::string shown(const Words& words, const std::string& environment = {}) const
    {
        std::string line = "KERNELLOOP_WORKER=" + quoted(file("worker.sh")) + " KERNELLOOP_DB=" + quoted(file("test.db")) +
                           " XDG_STATE_HOME=" + quoted(file("state")) + ' ' + environment + ' ' +
                           quoted(test::buildFolder() + "/bin/kloop");
        for (const std::string& word : words)
            line += ' ' + quoted(word);
        int terminal = -1;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        if (child == 0) {
            ::unsetenv("NO_COLOR");
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        std::string text;
        char chunk[4096];
        for (ssize_t got = ::read(terminal, chunk, sizeof chunk); got > 0; got = ::read(terminal, chunk, sizeof chunk))
            text.append(chunk, static_cast<std::size_t>(got));
        int status = 0;
        ::waitpid(child, &status, 0);
        ::close(terminal);
        return text;
    }
};

TEST_F(OnTerminal, TonesAreEscapeSequencesUnlessColorIsUnwanted)
{
    const Words point{"space", "attention/fused", "--point", "SWIZZLE=none"};
    const std::string colored = shown(point);
    EXPECT_THAT(colored, HasSubstr("\033[32m✓\033[0m  "));
    EXPECT_THAT(colored, HasSubstr("\033[31m✕\033[0m  "));
    EXPECT_THAT(colored, HasSubstr("\033[2m"));
    EXPECT_THAT(shown({"decide", "0.1", "1"}), StartsWith("\033[1mcritical\033[0m: "));
    EXPECT_THAT(shown(point, "NO_COLOR=1"), Not(HasSubstr("\033")));
    EXPECT_THAT(shown(point, "NO_COLOR="), HasSubstr("\033[32m")) << "an empty one asks for nothing";
}

TEST_F(OnTerminal, ProgressIsALineThatIsTakenAway)
{
    useRecorder({}, R"(*'"verb":"run"'*)
        echo "{\"event\":\"progress\",\"id\":$id,\"seq\":1,\"step\":\"compiling for long\",\"elapsed_s\":3}"
        echo "{\"event\":\"progress\",\"id\":$id,\"seq\":2,\"step\":\"timing\",\"elapsed_s\":63,\"expected_s\":120}"
        echo "{\"event\":\"result\",\"id\":$id,\"body\":{}}" ;;)");
    const std::string text = shown({"run", "transpose/naive"});
    const std::string first = "\rcompiling for long  0:03";
    ASSERT_THAT(text, HasSubstr(first));
    const std::size_t at = text.find("\rtiming  1:03 ");
    ASSERT_NE(at, std::string::npos) << text;
    const std::string second = text.substr(at + 1, text.find('\r', at + 1) - at - 1);
    EXPECT_THAT(second, testing::EndsWith(" 2:00"));
    EXPECT_GT(at, text.find(first));
    EXPECT_THAT(text.substr(at), StartsWith('\r' + second + "\r" + std::string(second.size(), ' ') + '\r')) << "before the answer";
    EXPECT_EQ(kloop({"run", "transpose/naive"}).err, "") << "not every step where nobody looks on";
}

/// Text for people, of a kernel that is right, then faster, then wrong, then gone.
TEST_F(OnTerminal, AWatchTellsOfEachSaveInALine)
{
    useRecorder({}, R"(*'"verb":"run"'*)
        n=$(cat count 2>/dev/null || echo 0); n=$((n + 1)); echo $n > count
        case $n in
        1) body='{"status":"ok","correctness":{"result":"correct"},"timing":{"gpu_ns":{"median":3000,"low":3000,"high":3000,"n":9}}}' ;;
        2) body='{"status":"ok","correctness":{"result":"correct"},"timing":{"gpu_ns":{"median":2000,"low":2000,"high":2000,"n":9}}}' ;;
        *) body='{"status":"validation_failed","reason":"row 3","correctness":{"result":"incorrect","reason":"row 3 is wrong"}}' ;;
        esac
        echo "{\"event\":\"result\",\"id\":$id,\"body\":$body}" ;;)");
    ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine"), "--template", "copy"}).code, 0);
    write("out", "");
    std::thread editor([&] {
        for (int save = 1; save <= 3; ++save) {
            for (int i = 0; i < 2500; ++i) {
                const std::string out = read("out");
                if (std::count(out.begin(), out.end(), '\n') >= save)
                    break;
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            write("saved", save == 3 ? "{" : read("mine/kernel.cu") + "// saved\n");
            std::filesystem::rename(file("saved"), file(save == 3 ? "mine/kernel.json" : "mine/kernel.cu"));
        }
    });
    const Answer watched = kloop({"watch", file("mine"), "--problem", "N=64", "--saves", "3"}, "timeout 110");
    editor.join();
    EXPECT_EQ(watched.code, 4) << "that of the last save";
    const std::vector<std::string> rows = readRows(watched.out);
    ASSERT_GE(rows.size(), 4U) << watched.out << watched.err;
    EXPECT_THAT(rows[0], AllOf(StartsWith("mine/"), HasSubstr(" N=64 | ok | 3 µs"), Not(HasSubstr("×"))));
    EXPECT_THAT(rows[1], HasSubstr(" | ok | 2 µs | 1.50× "));
    EXPECT_THAT(rows[2], HasSubstr(" | validation_failed | incorrect: row 3 is wrong"));
    EXPECT_THAT(rows[3], AllOf(Not(StartsWith("mine/")), HasSubstr("kernel.json"))) << "it was not built";
}

TEST(Explain, AnErrorIsItsMessageHintAndDetail)
{
    const auto stated = [](const Error& error, bool json) {
        testing::internal::CaptureStderr();
        testing::internal::CaptureStdout();
        const int code = cli::explain(error, json, {{"more", 7}});
        return std::tuple(code, testing::internal::GetCapturedStderr(), testing::internal::GetCapturedStdout());
    };
    const Error plain = Error{.code = ErrorCode::notFound, .message = "None.", .hint = "See them.", .where = "x", .detail = "log"}.leadTo(
        {StepId::listCosts});
    EXPECT_EQ(stated(plain, false), std::tuple(4, "kloop: None.\nSee them: kloop cost\n\nlog\n", ""));
    const auto [code, words, json] = stated(plain, true);
    EXPECT_EQ(code, 4);
    const Json answer = *parseJson(json, "stdout");
    EXPECT_EQ(answer["more"], 7);
    EXPECT_EQ(answer["error"]["hint"], "See them: kloop cost");
    EXPECT_EQ(answer["error"]["where"], "x");
    EXPECT_EQ(answer["error"]["detail"], "log");
    for (const char* rule : {"one-variable", "G1"})
        EXPECT_THAT(std::get<1>(stated({.code = ErrorCode::refused, .message = "No.", .where = rule}, false)),
                    HasSubstr(std::string("\nRule: ") + rule + "\n"));
    EXPECT_THAT(std::get<1>(stated({.code = ErrorCode::refused, .message = "No.", .where = "transpose/naive"}, false)),
                Not(HasSubstr("Rule")));
    EXPECT_THAT(std::get<1>(stated({.code = ErrorCode::notFound, .message = "No.", .where = "G1"}, false)), Not(HasSubstr("Rule")));
    EXPECT_THAT(std::get<1>(stated({.code = ErrorCode::needsConsent, .message = "No.", .hint = "Read it."}, false)), HasSubstr("--trust"));
    EXPECT_THAT(std::get<1>(stated({.code = ErrorCode::notRecorded, .message = "No.", .hint = "H."}, false)), HasSubstr("--on local"));
    EXPECT_EQ(std::get<1>(stated({.code = ErrorCode::internal, .message = "No."}, false)), "kloop: No.\n");
    EXPECT_EQ(std::get<0>(stated({.code = ErrorCode::internal, .message = "No."}, false)), 6);
}

TEST(StepCommand, EachStepHasItsOwnWords)
{
    using A = StepArgument;
    const auto command = [](StepId id, std::vector<std::pair<A, std::string>> arguments) {
        return cli::formatCommand({id, std::move(arguments)});
    };
    EXPECT_EQ(command(StepId::run, {{A::kernel, "k/v"}, {A::problem, "M=1"}, {A::suite, "on"}, {A::source, "sample"}}),
              "kloop run k/v --problem M=1 --suite --on sample");
    EXPECT_EQ(command(StepId::run, {{A::kernel, "k/v"}}), "kloop run k/v");
    EXPECT_EQ(command(StepId::profile, {{A::kernel, "k/v"}, {A::problem, "M=1"}}), "kloop profile k/v --problem M=1");
    EXPECT_EQ(command(StepId::compareInTurn, {{A::kernel, "k/a"}, {A::other, "k/b"}, {A::problem, "M=1"}}),
              "kloop ab k/a k/b --problem M=1");
    EXPECT_EQ(command(StepId::calibrate, {{A::kernel, "k/a"}}), "kloop calibrate k/a");
    EXPECT_EQ(command(StepId::compile, {{A::kernel, "k/a"}, {A::arch, "sm_90"}}), "kloop compile k/a --arch sm_90");
    EXPECT_EQ(command(StepId::searchSpace, {{A::kernel, "k/a"}}), "kloop space k/a");
    EXPECT_EQ(command(StepId::listMetrics, {{A::chip, "GH100"}, {A::search, "dram"}}), "kloop metrics --chip GH100 --search dram");
    EXPECT_EQ(command(StepId::exportRuns, {{A::file, "f"}}), "kloop export -o f");
    EXPECT_EQ(command(StepId::setPrice, {{A::device, "H200"}, {A::dollars, "3"}}), "kloop cost price H200 3");
    EXPECT_EQ(command(StepId::treeText, {}), "kloop --tree :default: tree --json");
    EXPECT_EQ(command(StepId::writeFixCases, {{A::file, "f"}}), "kloop learn model --write f");
    EXPECT_EQ(command(StepId::newSession, {{A::name, "N"}, {A::objective, "two words"}, {A::kind, "debug"}, {A::kernel, "k"}}),
              "kloop session new N 'two words' --kind debug --kernel k");
    EXPECT_EQ(command(StepId::actInSession, {{A::action, "choose-fix"}, {A::argument, "k/b"}, {A::session, "s"}}),
              "kloop session act choose-fix k/b --session s");
    EXPECT_EQ(command(StepId::writeReport, {{A::session, "s"}, {A::file, "f"}}), "kloop session report s --html f");
    EXPECT_EQ(command(StepId::removeKernel, {{A::kernel, "k"}}), "kloop kernels remove k");
    EXPECT_EQ(command(StepId::addKernel, {{A::file, "f"}}), "kloop kernels add f");
}

TEST(StepCommand, MeasuringStepsNameTheDeviceOfThisCommand)
{
    using A = StepArgument;
    cli::measureStepsOn("ssh:gpu7");
    EXPECT_EQ(cli::formatCommand({StepId::run, {{A::kernel, "k/v"}}}), "kloop run k/v --on ssh:gpu7");
    EXPECT_EQ(cli::formatCommand({StepId::run, {{A::kernel, "k/v"}, {A::source, "sample"}}}), "kloop run k/v --on sample")
        << "its own comes first";
    EXPECT_EQ(cli::formatCommand({StepId::checkEnvironment}), "kloop env --on ssh:gpu7");
    EXPECT_EQ(cli::formatCommand({StepId::listCosts}), "kloop cost");
    cli::measureStepsOn({});
    EXPECT_EQ(cli::formatCommand({StepId::checkEnvironment}), "kloop env");
    EXPECT_EQ(cli::makeArgv({StepId::profileWithNcu, {{A::program, "./a.out"}}}).front(), "ncu");
}

TEST(ForTerminal, WhatIsNoToneIsCleaned)
{
    EXPECT_THAT(cli::forTerminal("a\033[2Jb"), Not(HasSubstr("\033")));
    const std::string mark{cli::kToneMark};
    EXPECT_THAT(cli::forTerminal("a" + mark), Not(HasSubstr(mark))) << "a mark at the end";
    EXPECT_THAT(cli::forTerminal(mark + "xb"), Not(HasSubstr(mark))) << "a tone that there is not";
}

} // namespace
} // namespace kl::test
