// SPDX-License-Identifier: MIT
// What commands share: checks of values, options that may be repeated, what is wrong with a command line, and what a deletion takes along.
#include "app/kloop/common/arguments.h"

#include "app/kloop/command_line.h"
#include "app/kloop/common/labels.h"
#include "app/kloop/mistakes.h"
#include "kloop.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace kl::test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(ArgumentChecks, ATextOfBlanksIsBlank)
{
    for (const char* blank : {"", " ", "\t", "\n", " \t\n "})
        EXPECT_NE(cli::notBlank(blank), "") << '"' << blank << '"';
    for (const char* text : {"a", " a", "a ", "-"})
        EXPECT_EQ(cli::notBlank(text), "") << text;
}

TEST(ArgumentChecks, ANumberIsWholeFiniteAndWherePriceIsMeantAboveZero)
{
    for (const char* number : {"1", "0.5", "1e3", "+2"}) {
        EXPECT_EQ(cli::positiveNumber(number), "") << number;
        EXPECT_EQ(cli::finiteNumber(number), "") << number;
    }
    for (const char* number : {"0", "-1", "-0.5"}) {
        EXPECT_THAT(cli::positiveNumber(number), StartsWith('"' + std::string(number) + '"')) << number;
        EXPECT_EQ(cli::finiteNumber(number), "") << number;
    }
    for (const char* wrong : {"inf", "-inf", "nan", "1x", "x", "1e999", "1 2"}) {
        EXPECT_THAT(cli::positiveNumber(wrong), StartsWith('"' + std::string(wrong) + '"')) << wrong;
        EXPECT_THAT(cli::finiteNumber(wrong), StartsWith('"' + std::string(wrong) + '"')) << wrong;
    }
    EXPECT_NE(cli::positiveNumber(""), "");
}

TEST(ArgumentChecks, ARepeatedOptionTakesOneWordEachTime)
{
    CLI::App app;
    std::vector<std::string> problems;
    std::vector<std::string> kernels;
    app.add_option("KERNEL", kernels);
    cli::addProblems(app, problems);
    const char* const words[] = {"kloop", "--problem", "M=1", "a/b", "--problem", "M=2", "c/d"};
    app.parse(7, words);
    EXPECT_THAT(problems, ElementsAre("M=1", "M=2"));
    EXPECT_THAT(kernels, ElementsAre("a/b", "c/d"));
}

/// As CLI11 words it before 2.4, on Debian 12, and since, on Ubuntu 24.04.
TEST(ArgumentChecks, AValueOutOfRangeReadsAlikeWithEveryCli11)
{
    CLI::App app;
    int rows = 0;
    double share = 0;
    app.add_option("--rows", rows);
    app.add_option("--share", share);
    const char* const words[] = {"kloop"};
    const auto message = [&](const std::string& range) { return cli::mistakeIn(app, 1, words, range.c_str()).message; };
    const std::string fromOne = message("--rows: Value x not in range 1 to 100000");
    EXPECT_THAT(fromOne, HasSubstr("100000."));
    EXPECT_EQ(message("--rows: Value x not in range [1 - 100000]"), fromOne);
    const std::string fromHalf = message("--share: Value x not in range 0.500000 to 1000000.000000");
    EXPECT_THAT(fromHalf, HasSubstr("0.5 to 1000000."));
    EXPECT_EQ(message("--share: Value x not in range [0.5 - 1e+06]"), fromHalf);
    const std::string open = message("--share: Value x not in range 0.000000 to " + std::to_string(std::numeric_limits<double>::max()));
    EXPECT_THAT(open, EndsWith(" 0."));
    EXPECT_EQ(message("--share: Value x not in range [0 - 1.79769e+308]"), open);
}

TEST(ArgumentChecks, WordsAreApartByAnyBlanks)
{
    EXPECT_THAT(cli::splitWords(" one  two\tthree\nfour "), ElementsAre("one", "two", "three", "four"));
    EXPECT_THAT(cli::splitWords("  "), IsEmpty());
}

TEST(Lost, WhatADeletionTakesAlongIsCounted)
{
    EXPECT_EQ(cli::describeLost({}), "");
    EXPECT_EQ(readFigures(cli::describeLost({.comparisons = 2, .notes = 3, .events = 1, .costs = 4, .applications = 5})),
              "1 | 2 | 3 | 4 | 5");
    std::set<std::string> words;
    for (const int count : {1, 2})
        for (const Dependents& of : {Dependents{.comparisons = count}, Dependents{.notes = count}, Dependents{.events = count},
                                     Dependents{.costs = count}, Dependents{.applications = count}}) {
            std::string text = cli::describeLost(of);
            EXPECT_EQ(readFigures(text), std::to_string(count));
            std::erase(text, count == 1 ? '1' : '2');
            words.insert(text);
        }
    EXPECT_EQ(words.size(), 10U) << "each kind has its own words, and several other ones than one";
    const std::string both = cli::describeLost({.sessions = {"N", "N+1"}, .notes = 1});
    EXPECT_THAT(both, testing::AllOf(StartsWith(cli::describeLost({.notes = 1})), HasSubstr(" N, N+1")));
    EXPECT_EQ(readFigures(both), "1");
    EXPECT_EQ(cli::makeUnconfirmedError("run 1").code, ErrorCode::refused);
    EXPECT_THAT(cli::makeUnconfirmedError("run 1").message, HasSubstr("run 1"));
    EXPECT_THAT(cli::makeUnconfirmedError("run 1").hint, HasSubstr("--yes"));
}

TEST(Lost, EachKindOfEvidenceSnapshot)
{
    std::string text;
    for (const auto& [name, with] : std::vector<std::pair<std::string, Dependents>>{
             {"one of each", {.sessions = {"N"}, .comparisons = 1, .notes = 1, .events = 1, .costs = 1, .applications = 1}},
             {"two of each", {.sessions = {"N", "N+1"}, .comparisons = 2, .notes = 2, .events = 2, .costs = 2, .applications = 2}}})
        text += name + " | " + cli::describeLost(with) + '\n';
    expectSnapshot("texts/lost.txt", text + "unconfirmed | " + cli::makeUnconfirmedError("run 1").message + '\n');
}

TEST(ReadCommandLine, WhatFollowsTheDashesIsTheProgram)
{
    const auto read = [](std::vector<const char*> words) { return cli::readCommandLine(static_cast<int>(words.size()), words.data()); };
    const cli::CommandLine whole = read({"kloop", "profile", "--tier", "1", "--", "prog", "--json", "--", "x"});
    EXPECT_FALSE(whole.exit);
    EXPECT_FALSE(whole.options.json);
    EXPECT_THAT(*whole.options.program, ElementsAre("prog", "--json", "--", "x"));
    EXPECT_FALSE(read({"kloop", "version"}).options.program);
    const cli::CommandLine all =
        read({"kloop", "--timings", "version", "--trust", "--db", "a.db", "--tree", "t.json", "--on", "local:1", "--json"});
    EXPECT_FALSE(all.exit);
    EXPECT_TRUE(all.options.json && all.options.timings && all.options.trust);
    EXPECT_EQ(all.options.db, "a.db");
    EXPECT_EQ(all.options.tree, "t.json");
    EXPECT_EQ(toText(*all.options.on), "local:1");
    const cli::CommandLine none = read({"kloop", "version"});
    EXPECT_FALSE(none.options.json || none.options.timings || none.options.trust || none.options.on);
    EXPECT_TRUE(none.options.db.empty() && none.options.tree.empty());
}

class Mistakes : public Kloop {
protected:
    std::string where(std::vector<std::string> words) const
    {
        words.emplace_back("--json");
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 2) << testing::PrintToString(words) << answer.err;
        return answer.code == 2 ? answer.json()["error"]["where"].get<std::string>() : std::string();
    }
};

TEST_F(Mistakes, AnOptionsValueIsNoCommand)
{
    EXPECT_EQ(where({"--db", "version", "profil"}), "profil");
    EXPECT_EQ(where({"--db=version", "profil"}), "profil");
    EXPECT_EQ(where({"--timings", "profil"}), "profil") << "a flag takes no value";
    EXPECT_EQ(where({"session", "--db", "x", "stepp"}), "stepp");
    EXPECT_EQ(where({"--nonsense", "version"}), "--nonsense");
}

TEST_F(Mistakes, AnOptionWithItsValueIsKnownByItsName)
{
    EXPECT_EQ(where({"run", "transpose/naive", "--problem=M=32", "--bogus=1"}), "--bogus");
    EXPECT_EQ(where({"run", "--db=x", "--suite", "--bogus"}), "--bogus");
    EXPECT_EQ(where({"search", "attention/fused", "--bogus"}), "--bogus") << "of a command that takes an argument and has commands";
    EXPECT_EQ(where({"kernels", "list", "--project"}), "--project") << "which another command has";
    EXPECT_EQ(where({"db", "backup"}), "") << "all that is there is known";
}

TEST_F(Mistakes, AnUnknownOptionIsNamedBeforeItsValue)
{
    EXPECT_EQ(where({"learn", "--since", "abc"}), "--since");
    EXPECT_EQ(where({"session", "--foo", "abc"}), "--foo");
    EXPECT_EQ(where({"cost", "--since", "abc"}), "--since");
    EXPECT_EQ(where({"profil", "--tier", "1"}), "profil") << "a command that there is not has no options";
    EXPECT_EQ(where({"--problem", "M=1", "run", "transpose/naive"}), "--problem") << "which a command after it has";
    EXPECT_EQ(kloop({"learn", "--since", "abc", "--help"}).code, 0);
}

TEST_F(Mistakes, AreWordedForPeopleSnapshot)
{
    std::string text;
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"learn", "--since", "abc"},
                                               {"--problem", "M=1", "run", "transpose/naive"},
                                               {"runs", "list", "--sort", "nosuch"},
                                               {"runs", "list", "--sort", "1"},
                                               {"runs", "list", "--limit", "x"},
                                               {"smem", "-M", "abc"},
                                               {"occupancy", "--threads", "99999999999"},
                                               {"cost", "price", "H200", "abc"},
                                               {"ab", "a", "b", "--keep-at", "abc"},
                                               {"lift", "--kernel", "a", "--out", "b", "--skip", "x", "--", "ls"},
                                               {"kernels", "--json=abc"},
                                               {"--on", "sample", "--on", "local", "kernels"},
                                               {"bisect", "k", "--good", "a"},
                                               {"bisect", "k", "--good", "a", "--builds", "--incorrect"},
                                               {"run", "transpose/naive", "--problem"},
                                               {"run", "transpose/naive", "--problem", ""},
                                               {"profile", "--plan", "--chip", ""},
                                               {"metrics", "--chip", ""},
                                               {"analyze", ""},
                                               {"export", "", "-o", file("x.json")},
                                               {"export", "run:", "-o", file("x.json")},
                                               {"show", "run:"},
                                               {"learn", "model", "--kernel", "zz"}}) {
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 2) << testing::PrintToString(words) << answer.err;
        text += answer.err.substr(0, answer.err.find('\n') + 1);
    }
    expectSnapshot("texts/mistakes.txt", text);
}

TEST_F(Mistakes, OneCommandIsCarriedOut)
{
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"env", "version"}, {"db", "info", "check"}, {"version", "extra"}})
        EXPECT_EQ(kloop(words).code, 2) << testing::PrintToString(words);
}

TEST_F(Mistakes, AProgramIsForTwoCommandsAlone)
{
    for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "transpose/naive", "--json", "--", "ls"},
                                                  {"profile", "--json", "--"},
                                                  {"lift", "--kernel", "x", "--out", file("o"), "--json", "--"}}) {
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 2) << words[0] << answer.err;
        EXPECT_EQ(answer.json()["error"]["code"], "usage") << words[0];
    }
    EXPECT_NE(kloop({"run", "transpose/naive", "--", "ls"}).err, kloop({"profile", "--"}).err);
}

TEST_F(Mistakes, WhatToDoNextNamesTheDeviceAndTheDatabaseThatWereGiven)
{
    const auto next = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"show", "transpose/naive", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return kloop(words).json()["error"]["next_steps"][0]["command"].get<std::string>();
    };
    EXPECT_EQ(next({}), "kloop profile transpose/naive");
    EXPECT_EQ(next({"--on", "local"}), "kloop profile transpose/naive");
    EXPECT_EQ(next({"--on", "local:1"}), "kloop profile transpose/naive --on local:1");
    EXPECT_EQ(next({"--on", "sample", "--db", file("other.db")}), "kloop profile transpose/naive --on sample --db " + file("other.db"));
}

TEST_F(Mistakes, AVersionIsTheProgramsAndTheProtocols)
{
    const Json version = kloop({"version", "--json"}).json();
    EXPECT_EQ(version["protocol"], 1);
    EXPECT_EQ(kloop({"version"}).out, "kloop " + version["version"].get<std::string>() + "\n");
    EXPECT_EQ(kloop({"--version"}).out, kloop({"version"}).out);
}

} // namespace
} // namespace kl::test
