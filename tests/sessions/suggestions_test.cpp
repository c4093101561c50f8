// SPDX-License-Identifier: MIT
#include "sessions/session/suggestions.h"

#include "core/base/shell_line.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <memory>

namespace kl {
namespace {

/// The words that a shell makes of a command line.
std::vector<std::string> shellWords(const std::string& command)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> shell(::popen(("printf '%s\\0' " + command).c_str(), "r"), ::pclose);
    std::vector<std::string> words;
    std::string word;
    for (int c = std::fgetc(shell.get()); c != EOF; c = std::fgetc(shell.get())) {
        if (c != 0) {
            word += static_cast<char>(c);
            continue;
        }
        words.push_back(word);
        word.clear();
    }
    return words;
}

TEST(ShellLine, AShellReadsTheSameWords)
{
    const std::vector<std::string> words{"kloop",    "N+1",        "",     "two words", "it's",   "`id`",      "$HOME",
                                         "a\nb",     "#no",        "~/db", "{a,b}",     "[x]",    "a;b&c|d>e", "back\\up",
                                         "\"quoted", "ü/größe.db", "*",    "!",         "a=b,c@d"};
    EXPECT_EQ(shellWords(shellLine(words)), words) << shellLine(words);
}

TEST(ShellLine, PlainWordsStandPlain)
{
    EXPECT_EQ(shellLine({"kloop", "session", "show", "N+1", "--db", ":sample:", "/tmp/ü.db"}),
              "kloop session show N+1 --db :sample: /tmp/ü.db");
    EXPECT_EQ(shellLine({"a b", "it's"}), "'a b' 'it'\\''s'");
}

class NameSession : public testing::Test {
protected:
    static NextStep named(NextStep step, Source source = Source::live, const std::string& db = Store::defaultLocation())
    {
        SessionHeader header;
        header.id.text = "s1";
        header.source = source;
        std::vector<NextStep> steps{std::move(step)};
        nameSession(steps, header, db);
        return steps.front();
    }
};

TEST_F(NameSession, AStepOfASessionNamesItsSessionDeviceAndDatabase)
{
    EXPECT_EQ(named({StepId::stepSession}), (NextStep{StepId::stepSession, {{StepArgument::session, "s1"}}}));
    const NextStep keep = named(makeActionStep(SessionAction::keep), Source::sample, "my runs.db");
    EXPECT_EQ(keep.at(StepArgument::action), "keep");
    EXPECT_EQ(keep.at(StepArgument::session), "s1");
    EXPECT_EQ(keep.at(StepArgument::source), "sample");
    EXPECT_EQ(keep.at(StepArgument::database), "my runs.db");
}

TEST_F(NameSession, WhatNamesASessionOrIsOfNoneStays)
{
    const NextStep other{StepId::showSession, {{StepArgument::session, "s2"}}};
    EXPECT_EQ(named(other, Source::sample), other);
    for (const StepId id : {StepId::newSession, StepId::listSessions, StepId::run, StepId::checkDatabase})
        EXPECT_EQ(named({id}, Source::sample, "my.db"), NextStep{id});
}

} // namespace
} // namespace kl
