// SPDX-License-Identifier: MIT
// What to do next is data (core/base/next_step.h). Below app/ no text holds a command of the command line, and no sentence one
// of its flags, which the window would show as well; in app/kloop no hint of an error holds a command.

#include "tests/core/support/source_tree.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

using kl::test::kRoot;

/// "kloop run", "(kloop " before "export)" of the next line, "--on local"; not kloop-worker.
const std::regex kCommand(R"(\bkloop |--on )");

/// " --db", "(--db", "`--db`", or "--db" that begins a text.
const std::regex kFlag(R"((^|[ (`'])(--[a-z][a-z-]*))");

/// Of Nsight Compute, compilers, git, pip, Docker and kloop-worker, which texts and scripts name.
const std::set<std::string> kForeignFlags = {"--attach",      "--build",         "--cap-add",      "--clock-control", "--csv",
                                             "--fmad",        "--gpus",          "--import",       "--import-source", "--index-url",
                                             "--kernel-name", "--inplace",       "--launch-count", "--oneline",       "--page",
                                             "--pause",       "--ptxas-options", "--section",      "--set",           "--version"};

/// Of the usage of one command: an example of it, which nobody runs as it is, and its help.
const std::regex kUsage(R"(For example: kloop |Run kloop [a-z -]*--help)");

/// Not kloop's name alone.
const std::regex kCommandWord(R"(\bkloop [a-z])");

/// "hint = …", ".hint = …", "hint += …", and the constants that hints are.
const std::regex kHint(R"(\bhint \+?=|\bk(Say|\w*Hint|\w*Example)\w* =)");

/// It tells an agent how to use the command line.
const fs::path kPrompt = "expert_prompt.cpp";

/// The texts in quotes of a line of C++, without its comment.
std::string textsIn(const std::string& line)
{
    std::string texts;
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!inside && line.compare(i, 2, "//") == 0)
            break;
        if (line[i] == '"')
            inside = !inside;
        else if (inside)
            texts += line[i];
        if (inside && line[i] == '\\')
            ++i;
        if (!inside && line[i] == '"')
            texts += '\n';
    }
    return texts;
}

/// The first flag in a sentence of a line of C++ that no other program has; a text without a space is an argument or a place.
std::string ownFlagIn(const std::string& line)
{
    std::istringstream texts(textsIn(line));
    for (std::string text; std::getline(texts, text);) {
        if (text.find(' ') == std::string::npos || text.find("--") == std::string::npos)
            continue;
        for (std::sregex_iterator found(text.begin(), text.end(), kFlag), end; found != end; ++found)
            if (const std::string flag = found->str(2); !kForeignFlags.contains(flag))
                return flag;
    }
    return {};
}

/// The command in a hint that a source sets; several lines belong to one hint up to that which ends it.
std::string commandInHint(std::istream& source)
{
    bool inside = false;
    std::string texts;
    for (std::string line; std::getline(source, line);) {
        std::smatch start;
        if (!inside && !std::regex_search(line, start, kHint))
            continue;
        if (!inside)
            line.erase(0, static_cast<std::size_t>(start.position()));
        texts += textsIn(line);
        inside = line.find_last_of(",;}") != line.size() - 1;
        texts = std::regex_replace(texts, kUsage, "");
        if (!inside && std::regex_search(texts, kCommandWord))
            return texts;
        if (!inside)
            texts.clear();
    }
    return {};
}

TEST(Commands, StandInNoHintOfTheCommandLine)
{
    int seen = 0;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "app/kloop"))
        if (entry.path().extension() == ".cpp") {
            ++seen;
            std::ifstream in(entry.path());
            EXPECT_EQ(commandInHint(in), "") << entry.path() << ": lead to a step instead";
        }
    EXPECT_GT(seen, 50) << "is the source folder right?";
}

TEST(Commands, OfAHintAreSeenOnAnyOfItsLines)
{
    const auto in = [](const char* text) {
        std::istringstream source(text);
        return !commandInHint(source).empty();
    };
    EXPECT_TRUE(in(R"(  .hint = "See them: kloop cost",)"));
    EXPECT_TRUE(in("  .hint = remote ? \"a\"\n   : fmt::format(\"`kloop env --on {}` says\", x),"));
    EXPECT_TRUE(in(R"(  error.hint += "kloop env shows it.";)"));
    EXPECT_TRUE(in(R"(constexpr const char* kSayIt = "kloop env shows it.";)"));
    EXPECT_TRUE(in(R"(  .hint = "For example: kloop lift. See kloop env.",)"));
    EXPECT_FALSE(in(R"(  .hint = "For example: kloop lift --kernel softmax -- python3 model.py",)"));
    EXPECT_FALSE(in(R"(  .hint = "Give --threads. Run kloop occupancy --help.",)"));
    EXPECT_FALSE(in(R"(  .message = "Only `kloop lift` does.", .hint = kExample};)"));
    EXPECT_FALSE(in("  .hint = \"See them.\",\n  .message = \"`kloop cost`\","));
}

TEST(Commands, StandInNoTextBelowTheApp)
{
    int seen = 0;
    for (const char* folder : {"core", "kernels", "profiler", "sessions", "ui"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp")
                continue;
            ++seen;
            std::ifstream in(entry.path());
            int number = 0;
            for (std::string line; std::getline(in, line);) {
                ++number;
                EXPECT_FALSE(std::regex_search(textsIn(line), kCommand)) << entry.path() << ':' << number << ": " << line;
                if (entry.path().filename() != kPrompt) {
                    EXPECT_EQ(ownFlagIn(line), "") << entry.path() << ':' << number << ": name what it sets: " << line;
                }
            }
        }
    EXPECT_GT(seen, 500) << "is the source folder right?";
}

/// But for the quick reference and the examples of patterns, which document the command line.
TEST(Commands, StandInNoDataFile)
{
    const std::set<fs::path> kOfTheCommandLine = {"quick-reference.json", "pattern-bodies.json"};
    for (const char* folder : {"resources", "kernels", "sessions/templates"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (entry.path().extension() != ".json" || kOfTheCommandLine.contains(entry.path().filename()))
                continue;
            std::ifstream in(entry.path());
            int number = 0;
            for (std::string line; std::getline(in, line);) {
                ++number;
                EXPECT_FALSE(std::regex_search(line, kCommand)) << entry.path() << ':' << number;
            }
        }
}

TEST(Commands, AreSeenInQuotesOnly)
{
    EXPECT_TRUE(std::regex_search(textsIn(R"(  return "See `kloop env`."; // why)"), kCommand));
    EXPECT_TRUE(std::regex_search(textsIn(R"(  "bundles (kloop ")"), kCommand));
    EXPECT_TRUE(std::regex_search(textsIn(R"(  "measure with --on local")"), kCommand));
    EXPECT_FALSE(std::regex_search(textsIn(R"(  return 1; // "kloop env" says)"), kCommand));
    EXPECT_FALSE(std::regex_search(textsIn(R"(  "kloop-worker";)"), kCommand));
}

TEST(Commands, HaveFlagsOfTheirOwnInSentences)
{
    EXPECT_EQ(ownFlagIn(R"(  .hint = "Choose a writable place with --db FILE.",)"), "--db");
    EXPECT_EQ(ownFlagIn(R"(  return "--no-counters was given";)"), "--no-counters");
    EXPECT_EQ(ownFlagIn(R"(  "without them (`--no-counters`: ")"), "--no-counters");
    EXPECT_EQ(ownFlagIn(R"(  "ncu --set full, or leave --seed out")"), "--seed");
    EXPECT_EQ(ownFlagIn(R"(  .where = "--db"}; // with --db)"), "");
    EXPECT_EQ(ownFlagIn(R"(  {"squeue", "--noheader", "--jobs=" + job})"), "");
    EXPECT_EQ(ownFlagIn(R"(  "profile with ncu --set full")"), "");
}

} // namespace
