// SPDX-License-Identifier: MIT
#include "core/model/params.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(Params, TextFormIsSortedAndRoundTrips)
{
    const Result<Params> params = parseParams("WARPS=4,BLOCK_M=64,SWIZZLE=xor");
    ASSERT_TRUE(params);
    EXPECT_EQ(toText(*params), "BLOCK_M=64,SWIZZLE=xor,WARPS=4");
    EXPECT_EQ(*parseParams(toText(*params)), *params);
    EXPECT_EQ(std::get<std::string>(params->at("SWIZZLE")), "xor");
    ASSERT_NE(numberIn(*params, "WARPS"), nullptr);
    EXPECT_EQ(*numberIn(*params, "WARPS"), 4);
    EXPECT_EQ(numberIn(*params, "SWIZZLE"), nullptr);
}

TEST(Params, EmptyTextIsNoParameters)
{
    const Result<Params> params = parseParams("");
    ASSERT_TRUE(params);
    EXPECT_TRUE(params->empty());
}

TEST(Params, MalformedPartsAreErrors)
{
    for (const char* text : {"N", "N=", "=4", "N=4,", "N=4,,M=5", "N=4,N=5", "N = 4"}) {
        const Result<Params> params = parseParams(text);
        ASSERT_FALSE(params) << text;
        EXPECT_EQ(params.error().code, ErrorCode::badInput);
        EXPECT_EQ(params.error().where, text);
    }
}

TEST(Address, RoundTripsWithAndWithoutTunables)
{
    for (const char* text : {"transpose", "transpose/naive", "attention/fused@BLOCK_M=64,WARPS=4"}) {
        const Result<Address> address = parseAddress(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(toText(*address), text);
    }
}

TEST(Address, MalformedAddressesAreErrors)
{
    for (const char* text : {"", "/naive", "transpose/", "a/b/c", "a b/c", "attention/fused@", "attention/fused@X"})
        EXPECT_FALSE(parseAddress(text)) << text;
}

} // namespace
} // namespace kl
