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
TEST(Sha256, IsThatOfTheStandard)
{
    const auto hex = [](std::string_view text) {
        std::string out;
        for (const std::uint8_t byte : sha256Of(text))
            out += fmt::format("{:02x}", byte);
        return out;
    };
    EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hex(std::string(1000, 'a')), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

} // namespace
} // namespace kl
