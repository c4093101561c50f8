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

/// FIPS 180-4's own examples, and a message whose padding takes a block of its own.
} // namespace
} // namespace kl
