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

class InSession : public testing::Test {
protected:
    static std::string text(const std::string& hint, Source source = Source::live, const std::string& db = Store::defaultLocation())
    {
        SessionHeader header;
        header.id.text = "s1";
        header.source = source;
        return inSession(hint, header, db);
    }
};

TEST_F(InSession, ASessionsCommandNamesItsSessionDeviceAndDatabase)
{
    EXPECT_EQ(text("Profile it first: kloop session step."), "Profile it first: kloop session step --session s1");
    EXPECT_EQ(text("Begin one: kloop session fix own-edit.", Source::sample),
              "Begin one: kloop session fix --session s1 --on sample own-edit.");
    EXPECT_EQ(text("Decide: kloop session keep, or kloop session revert", Source::live, "my runs.db"),
              "Decide: kloop session keep --session s1 --db 'my runs.db', or kloop session revert --session s1 --db 'my runs.db'");
}

TEST_F(InSession, WhatIsOfNoOneSessionStays)
{
    for (const char* hint : {"", "Open the next one: kloop session new.", "See kloop session list.", "Free some space.", "kloop session"})
        EXPECT_EQ(text(hint), hint);
}

} // namespace
} // namespace kl
