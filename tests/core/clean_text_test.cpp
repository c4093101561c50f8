// SPDX-License-Identifier: MIT
#include "core/base/clean_text.h"
#include "core/base/sha256.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(CleanText, LeavesOutWhatSteersOrHides)
{
    EXPECT_EQ(cleanText("a\tb\nc \u00b5 \u4e2d \U0001F600"), "a\tb\nc \u00b5 \u4e2d \U0001F600");
    EXPECT_EQ(cleanText("1\x01\x1b[31m\r2\x7f"), "1[31m2");
    EXPECT_EQ(cleanText("a\u009b31m\u0085b"), "a31mb"); // C1
    for (const char* hidden : {"\u00ad", "\u061c", "\u200b", "\u200e", "\u200f", "\u2028", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069",
                               "\ufeff", "\ufff9", "\U000E0041"})
        EXPECT_EQ(cleanText(std::string("a") + hidden + "b"), "ab") << hidden;
    EXPECT_EQ(cleanText("\u200c\u200d"), "\u200c\u200d"); // words and emoji are written with them
    EXPECT_EQ(cleanText("\xff\xc2"), "\ufffd\ufffd");
    EXPECT_EQ(cleanLine("a\tb\nc\x1b"), "a b c");
}

TEST(CleanText, EscapesTheSameInJson)
{
    EXPECT_EQ(escapeHidden("{\n \"a\": \"\u202e\u009b\x7f \u00b5\"}"), "{\n \"a\": \"\\u202e\\u009b\\u007f \u00b5\"}");
    EXPECT_EQ(escapeHidden("\"\U000E0041\""), "\"\\udb40\\udc41\"");
}

TEST(CleanText, BytesThatAreNoUtf8AreReplacedOneByOne)
{
    const std::string bad = "\ufffd";
    for (const auto& [bytes, replaced] :
         {std::pair("\xC1\xBF", 2), std::pair("\xE0\x9F\xBF", 3), std::pair("\xED\xA0\x80", 3), std::pair("\xF0\x8F\xBF\xBF", 4),
          std::pair("\xF4\x90\x80\x80", 4), std::pair("\xF5\x80\x80\x80", 4), std::pair("\xE2\x82", 2), std::pair("\x80", 1)}) {
        std::string expected = "a";
        for (int i = 0; i < replaced; ++i)
            expected += bad;
        EXPECT_EQ(cleanText("a" + std::string(bytes) + "b"), expected + "b") << expected;
    }
    for (const char* good : {"\u0080x", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"})
        EXPECT_EQ(cleanText(good).find(bad), std::string::npos) << good;
    EXPECT_EQ(cleanText(std::string_view("\xE2\x82\xAC").substr(0, 2)), bad + bad) << "what is behind the view is not read";
}

TEST(CleanText, HidesTheRangesToTheirEndsAndNoMore)
{
    for (const char* hidden :
         {"\x08", "\x0b", "\x1f", "\x7f", "\u0080", "\u009f", "\u180e", "\u202b", "\u206f", "\ufffb", "\U000e0000", "\U000e007f"})
        EXPECT_EQ(cleanText(hidden), "") << hidden;
    EXPECT_EQ(cleanText(std::string_view("\0", 1)), "");
    for (const char* shown :
         {" ",      "~",      "\u00a0", "\u00ac", "\u00ae", "\u061b", "\u061d", "\u180d", "\u180f",     "\u200a",    "\u2010",
          "\u2027", "\u202f", "\u205f", "\u2070", "\ufefe", "\uff00", "\ufff8", "\ufffc", "\U000dffff", "\U000e0080"})
        EXPECT_EQ(cleanText(shown), shown) << shown;
}

TEST(CleanText, WhatIsNoUtf8StaysInJson)
{
    EXPECT_EQ(escapeHidden("\"\xff\x1b\""), "\"\xff\\u001b\"");
    EXPECT_EQ(escapeHidden("\"\U0001F600\u200b\""), "\"\U0001F600\\u200b\"") << "what can be seen, too";
}

} // namespace
} // namespace kl
