// SPDX-License-Identifier: MIT
#include "core/base/shell_words.h"

#include "core/base/shell_line.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, QuotesAndBackslashes)
{
    EXPECT_EQ(*splitShellLine("python3  train.py --name 'a b'"), (Words{"python3", "train.py", "--name", "a b"}));
    EXPECT_EQ(*splitShellLine(R"(a\ b "c \"d\" \e" f'g'"h" '' '$X\n')"), (Words{"a b", "c \"d\" \\e", "fgh", "", "$X\\n"}));
    EXPECT_EQ(*splitShellLine(" \t\n"), Words{});
    EXPECT_EQ(splitShellLine("echo 'a").error().code, ErrorCode::badInput);
    EXPECT_EQ(splitShellLine("echo \"a").error().code, ErrorCode::badInput);
}

TEST(ShellWords, ReadWhatShellLineWrites)
{
    const Words words{"sh", "-c", "echo \"it's\" $HOME; ls *", "", "ä b", "back\\slash"};
    EXPECT_EQ(*splitShellLine(shellLine(words)), words);
}

TEST(ShellWords, ABackslashAtTheEndOrInSingleQuotesIsItself)
{
    EXPECT_EQ(*splitShellLine("a\\"), Words{"a\\"});
    EXPECT_EQ(*splitShellLine(R"('a\' "b\\")"), (Words{"a\\", "b\\"}));
    EXPECT_EQ(*splitShellLine(R"('\\\\host' 'a\"b')"), (Words{R"(\\\\host)", R"(a\"b)"}));
    EXPECT_EQ(*splitShellLine(R"("it's" 'say "hi"')"), (Words{"it's", "say \"hi\""}));
    EXPECT_EQ(splitShellLine("echo 'a").error().where, "echo 'a");
}

} // namespace
} // namespace kl
