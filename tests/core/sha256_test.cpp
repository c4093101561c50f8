// SPDX-License-Identifier: MIT
#include "core/base/sha256.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

std::string sha256(std::string_view text)
{
    Sha256 hash;
    hash.add(text);
    return hash.hex();
}

TEST(Sha256, GivesTheStandardsValues)
{
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PartsAreNotConfusedWithTheirJoin)
{
    Sha256 one;
    one.addPart("ab");
    one.addPart("c");
    Sha256 other;
    other.addPart("a");
    other.addPart("bc");
    EXPECT_NE(one.hex(), other.hex());
}

} // namespace
} // namespace kl
