// SPDX-License-Identifier: MIT
#include "core/base/shell_line.h"

#include <gtest/gtest.h>
#include <string_view>

namespace kl {
namespace {

TEST(VisibleText, ShowsWhatATerminalWouldObeyOrHide)
{
    EXPECT_EQ(visibleText("plain ü € 漢 😀"), "plain ü € 漢 😀");
    EXPECT_EQ(visibleText("a\x1b[2Jb\n\t\x7f"), "a\\x1b[2Jb\\x0a\\x09\\x7f");
    EXPECT_EQ(visibleText("\xC2\x9B"
                          "31m"),
              "\\xc2\\x9b31m"); // CSI as one character
    EXPECT_EQ(visibleText("a\xE2\x80\xAE"
                          "b"),
              "a\\xe2\\x80\\xaeb"); // turns the direction
    EXPECT_EQ(visibleText("\xE2\x80\x8B\xEF\xBB\xBF"), "\\xe2\\x80\\x8b\\xef\\xbb\\xbf");
    EXPECT_EQ(visibleText("\xC0\xAF\xFF"), "\\xc0\\xaf\\xff"); // no UTF-8
    EXPECT_EQ(visibleText("\xE2\x82"), "\\xe2\\x82");          // cut off
}

TEST(VisibleText, HidesTheRangesToTheirEndsAndNoMore)
{
    const auto isHidden = [](const char* text) { return visibleText(text).starts_with("\\x"); };
    for (const char* hidden : {"\u00ad", "\u200f", "\u2028", "\u202e", "\u2060", "\u206f", "\u061c", "\u180e", "\U000e0001"})
        EXPECT_TRUE(isHidden(hidden)) << hidden;
    for (const char* shown : {"\u00a0", "\u2010", "\u2027", "\u202f", "\u2070", "\ufffd"})
        EXPECT_FALSE(isHidden(shown)) << shown;
    EXPECT_EQ(visibleText("\xE0\x9F\xBF"), "\\xe0\\x9f\\xbf") << "too long a form of U+07FF";
    EXPECT_EQ(visibleText("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
}

TEST(ShellLine, QuotesWhatAShellWouldRead)
{
    EXPECT_EQ(shellLine({}), "");
    EXPECT_EQ(shellLine({"a", "", "b c"}), "a '' 'b c'");
    EXPECT_EQ(shellLine({"it's", "--x=1,2", "$HOME", "größe"}), "'it'\\''s' --x=1,2 '$HOME' größe");
}

TEST(ShellLine, LeavesPlainWordsAsTheyAreAndQuotesTheRest)
{
    EXPECT_EQ(shellLine({"aZ09_@%+=:,./-"}), "aZ09_@%+=:,./-");
    for (const char c : std::string_view(" ~*?;&|<>(){}[]!\"`\\#^\t\n$"))
        EXPECT_EQ(shellLine({std::string(1, c)}), "'" + std::string(1, c) + "'") << c;
}

TEST(VisibleText, EveryByteOfABrokenSequenceIsShown)
{
    EXPECT_EQ(visibleText("\xC1\xBF"), "\\xc1\\xbf");
    EXPECT_EQ(visibleText("\xF0\x8F\xBF\xBF"), "\\xf0\\x8f\\xbf\\xbf");
    EXPECT_EQ(visibleText("\xF5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
    EXPECT_EQ(visibleText("\xE2\x82x"), "\\xe2\\x82x");
    EXPECT_EQ(visibleText("\u0800 \U00010000 ~"), "\u0800 \U00010000 ~");
    EXPECT_EQ(visibleText("\x1f"), "\\x1f");
}

} // namespace
} // namespace kl
