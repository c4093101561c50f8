// SPDX-License-Identifier: MIT
// On a terminal what passes is green and what fails is red: verdicts, gates, checks, and what is over its target.
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/store_support.h"

#include <cstdlib>
#include <pty.h>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

const std::string kPlainAgain = "\033[0m";

std::string inGreen(const std::string& text)
{
    return "\033[32m" + text + kPlainAgain;
}

std::string inRed(const std::string& text)
{
    return "\033[31m" + text + kPlainAgain;
}

std::string inFaint(const std::string& text)
{
    return "\033[2m" + text + kPlainAgain;
}

class Tones : public Kloop {
protected:
    /// What kloop shows on a terminal.
    std::string shown(const Words& words) const
    {
        std::string line = "unset NO_COLOR; KERNELLOOP_WORKER=" + quoted(file("worker.sh")) + " KERNELLOOP_DB=" + quoted(file("test.db")) +
                           " XDG_STATE_HOME=" + quoted(file("state")) + " exec " + quoted(test::buildFolder() + "/bin/kloop");
        for (const std::string& word : words)
            line += ' ' + quoted(word);
        int terminal = -1;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        if (child == 0) {
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        std::string text;
        char chunk[4096];
        for (ssize_t got = ::read(terminal, chunk, sizeof chunk); got > 0; got = ::read(terminal, chunk, sizeof chunk))
            text.append(chunk, static_cast<std::size_t>(got));
        ::waitpid(child, nullptr, 0);
        ::close(terminal);
        return text;
    }
};

TEST_F(Tones, OfARunAreThoseOfItsResult)
{
    useRecorder({}, R"(*transpose/tiled*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"correctness\":{\"result\":\"correct\"},)"
                    R"(\"timing\":{\"gpu_ns\":{\"median\":1000,\"low\":1000,\"high\":1000,\"n\":9}},)"
                    R"(\"baseline\":{\"name\":\"copy\",\"gpu_ns\":{\"median\":1000,\"low\":1000,\"high\":1000,\"n\":9}}}}" ;;
    *transpose/padded*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"correctness\":{\"result\":\"correct\"},)"
                    R"(\"timing\":{\"gpu_ns\":{\"median\":2000,\"low\":2000,\"high\":2000,\"n\":9}},)"
                    R"(\"baseline\":{\"name\":\"copy\",\"gpu_ns\":{\"median\":1000,\"low\":1000,\"high\":1000,\"n\":9}}}}" ;;
    *transpose/naive*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"status\":\"validation_failed\",\"reason\":\"row 3\",)"
                    R"(\"correctness\":{\"result\":\"incorrect\",\"reason\":\"row 3\"}}}" ;;)");
    EXPECT_THAT(shown({"run", "transpose/tiled"}), AllOf(HasSubstr(inGreen("correct")), HasSubstr(inGreen("1.00×"))));
    EXPECT_THAT(shown({"run", "transpose/padded"}), AllOf(HasSubstr(inGreen("correct")), HasSubstr(inRed("0.50×"))));
    EXPECT_THAT(shown({"run", "transpose/naive"}), AllOf(HasSubstr(inRed("incorrect")), HasSubstr(inRed("validation_failed"))));
}

TEST_F(Tones, OfAComparisonAreThoseOfItsVerdict)
{
    {
        const auto store = support::openStore(file("test.db"));
        for (const auto& [id, variant, ns] :
             {std::tuple{"aaaa0001", "naive", 2000.0}, std::tuple{"aaaa0002", "tiled", 1000.0}, std::tuple{"aaaa0003", "padded", 1000.0}}) {
            RunRecord run = support::timedRun(id, variant, "2026-01-01T00:00:00.000Z", ns);
            run.timing->samples.assign(30, ns);
            for (std::size_t i = 0; i < 30; ++i)
                run.timing->samples[i] += static_cast<double>(i % 3);
            ASSERT_TRUE(store->saveRun(run).ok());
        }
    }
    const auto tone = [&](const char* a, const char* b) {
        const std::string text = shown({"compare", std::string("run:") + a, std::string("run:") + b});
        const std::size_t line = text.find('\n', text.find("\nB ") + 1) + 1;
        return text.substr(line, text.find('m', line) + 1 - line);
    };
    EXPECT_EQ(tone("aaaa0001", "aaaa0002"), "\033[32m");
    EXPECT_EQ(tone("aaaa0002", "aaaa0001"), "\033[31m");
    EXPECT_EQ(tone("aaaa0002", "aaaa0003"), "\033[1m") << "undecided";
}

TEST_F(Tones, OfGatesAndChecklistsAreThoseOfTheirEvidence)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(kloop({"session", "new", "N", "Coalesce", "--kernel", "transpose", "--on", "sample"}).code, 0);
    EXPECT_THAT(shown({"session", "gate", "G1"}), AllOf(HasSubstr(": \033[2m"), Not(HasSubstr(inGreen("pass")))))
        << "what was not evaluated is faint";
    for (int i = 0; i < 3; ++i)
        ASSERT_EQ(kloop({"session", "step"}).code, 0);
    EXPECT_THAT(shown({"session", "gate", "G1"}), AllOf(HasSubstr("\033[1mG1" + kPlainAgain), HasSubstr(": " + inGreen("pass") + " (")));
    EXPECT_THAT(shown({"session", "gate", "G2"}), AllOf(HasSubstr(": " + inRed("fail") + " ("), HasSubstr("  " + inGreen("pass") + "  ")));
    EXPECT_THAT(shown({"session", "checklist"}), AllOf(HasSubstr(inGreen("[x]") + " clean-build"), HasSubstr("  [ ] verbose-build")));
    EXPECT_THAT(shown({"report", "N", "--format", "md"}), Not(HasSubstr("\033"))) << "a report is for files";
}

TEST_F(Tones, OfTheEnvironmentAreThoseOfItsChecks)
{
    useRecorder(
        {},
        R"(*'"verb":"env"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"checks\":[{\"id\":\"gpu\",\"requirement\":\"required\",\"result\":\"fail\",\"found\":\"none\",\"why\":\"w\",\"fix\":\"f\"},{\"id\":\"driver\",\"requirement\":\"required\",\"result\":\"pass\",\"found\":\"580\",\"why\":\"w\",\"fix\":\"f\"},{\"id\":\"ncu\",\"requirement\":\"optional\",\"result\":\"skipped\",\"found\":\"\",\"why\":\"w\",\"fix\":\"f\"}]}}" ;;)");
    EXPECT_THAT(shown({"env"}), AllOf(HasSubstr(inRed("fail") + "     gpu"), HasSubstr(inGreen("pass") + "     driver"),
                                      HasSubstr(inFaint("skipped") + "  ncu")));
    ASSERT_EQ(kloop({"session", "new", "N", "Check", "--kernel", "transpose"}).code, 0);
    EXPECT_EQ(kloop({"session", "step"}).code, 1) << "the gate fails";
    EXPECT_EQ(kloop({"session", "act", "check-environment"}).code, 1);
    EXPECT_EQ(kloop({"session", "show"}).code, 0) << "looking judges nothing";
    EXPECT_EQ(kloop({"session", "note", "seen"}).code, 0);
    EXPECT_EQ(kloop({"session", "resume"}).code, 0);
    EXPECT_THAT(shown({"session", "checklist"}), AllOf(HasSubstr(inRed("[!]")), Not(HasSubstr(inGreen("[x]")))));
    EXPECT_THAT(kloop({"session", "checklist"}).out, AllOf(HasSubstr("  [!] dependencies"), HasSubstr("  [!] G1")));
    EXPECT_THAT(shown({"session", "show"}), HasSubstr("\033[31mBlocked" + kPlainAgain));
}

TEST_F(Tones, OfTheHistoryAreThoseOfWhatIsOpenOrOverItsTarget)
{
    {
        const auto store = support::openStore(file("test.db"));
        for (int i = 0; i < 14; ++i)
            ASSERT_TRUE(store
                            ->saveRun(support::timedRun("aaaa00" + std::to_string(10 + i), "naive",
                                                        "2026-01-" + std::to_string(10 + i) + "T00:00:00.000Z", i < 12 ? 1000 : 1200))
                            .ok());
    }
    EXPECT_THAT(shown({"regress"}), HasSubstr(inRed("open")));
    EXPECT_THAT(shown({"regress", "acknowledge", "transpose/naive"}), HasSubstr(inFaint("acknowledged")));
    ASSERT_EQ(kloop({"roadmap", "add", "Read it", "--week", "5"}).code, 0);
    EXPECT_THAT(shown({"roadmap"}), AllOf(HasSubstr("planned"), Not(HasSubstr(inGreen("done")))));
    EXPECT_THAT(shown({"roadmap", "edit", "read-it", "--done"}), HasSubstr(inGreen("done")));
}

} // namespace
} // namespace kl::test
