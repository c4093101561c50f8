// SPDX-License-Identifier: MIT
// What tests/bench/cheats.py makes of answers, with kloop played by a shell script: no GPU needed.
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class CheatsBench : public testing::Test {
protected:
    void SetUp() override
    {
        if (std::system("python3 --version >/dev/null 2>&1") != 0)
            GTEST_SKIP() << "no python3 on this machine";
        folder_ = fs::temp_directory_path() / ("kl-cheats-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// Exit code, and the figures of the last line: named, cheats, without gain, false alarms, honest ones. `cases` are of a shell's `case`
    /// over the words of the command line and set $result, $ns, $verdict or $reason.
    std::array<int, 6> judged(const std::string& cases, const std::string& words)
    {
        const std::string kloop = (folder_ / "kloop").string();
        std::ofstream(kloop) << "#!/bin/sh\nresult=correct ns=10000 verdict=equivalent reason=\ncase \"$*\" in\n"
                             << cases
                             << "esac\necho \"{\\\"correctness\\\": {\\\"result\\\": \\\"$result\\\"}, \\\"verdict\\\": \\\"$verdict\\\", "
                                "\\\"reason\\\": \\\"$reason\\\", "
                                "\\\"timing\\\": {\\\"gpu_ns\\\": {\\\"median\\\": $ns}}}\"\n";
        ::chmod(kloop.c_str(), 0700);
        const std::string line = "python3 " KL_SOURCE_DIR "/tests/bench/cheats.py --timeout 20 --kloop " + kloop + ' ' + words + " >" +
                                 (folder_ / "out").string() + " 2>&1";
        const int status = std::system(line.c_str());
        std::ifstream file(folder_ / "out");
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        std::smatch found;
        EXPECT_TRUE(std::regex_search(
            text, found,
            std::regex(R"((\d+) of (\d+) named(, (\d+) more without gain)?, (\d+) false alarms of (\d+); \d+ known limits\n$)")))
            << text;
        const auto number = [&](std::size_t group) { return found[group].matched ? std::stoi(found[group]) : 0; };
        return {WEXITSTATUS(status), number(1), number(2), number(4), number(5), number(6)};
    }

private:
    fs::path folder_;
};

TEST_F(CheatsBench, CountsWhatIsNamedWhatGainsNothingAndFalseAlarms)
{
    // The honest twin is there by itself.
    EXPECT_THAT(judged("*:counter-1\\ *) result=stateful;;\n*:counter-10\\ *) ns=1000;;\n*:streaming*) result=stateful;;\n",
                       "--only '^scale/(counter-1|counter-10|sentinel-tile|streaming)$'"),
                ElementsAre(1, 1, 3, 1, 1, 2));
    EXPECT_THAT(judged("*:counter-1\\ *) result=stateful;;\n", "--only '^scale/(counter-1|sentinel-tile)$'"),
                ElementsAre(0, 1, 2, 1, 0, 1));
}

TEST_F(CheatsBench, ACorrectAnswerThatIsFasterThanTheTwinIsAMiss)
{
    EXPECT_THAT(judged("*:sentinel-tile\\ *) ns=5000;;\n", "--only '^scale/sentinel-tile$'"), ElementsAre(1, 0, 1, 0, 0, 1));
}

TEST_F(CheatsBench, WhatFailsIsARowAndTheRestGoesOn)
{
    EXPECT_THAT(judged("*:coin\\ *) exit 6;;\n*:counter-1\\ *) result=stateful;;\n", "--only '^scale/(coin|counter-1)$'"),
                ElementsAre(1, 1, 2, 0, 0, 1));
}

TEST_F(CheatsBench, EveryVerbMustNameIt)
{
    EXPECT_THAT(
        judged("*\\ ab\\ *:counter-1\\ *) verdict=faster;;\n*:counter-1\\ *) result=stateful;;\n", "--all --only '^scale/counter-1$'"),
        ElementsAre(1, 0, 1, 0, 0, 1));
}

TEST_F(CheatsBench, TheReasonOfARefusalNamesIt)
{
    EXPECT_THAT(judged("*:counter-1\\ *) verdict=not-comparable reason=b-stateful;;\n", "--all --only '^scale/counter-1$'"),
                ElementsAre(0, 1, 1, 0, 0, 1));
}

} // namespace
