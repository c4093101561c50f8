// SPDX-License-Identifier: MIT
#include "core/model/params.h"

#include <gtest/gtest.h>
#include <string>

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

TEST(Params, ANumberThatNoIntegerHoldsIsText)
{
    for (const char* text : {"99999999999999999999", "1.5", "0x10", "+5", "1e3", "-"}) {
        const Result<Params> params = parseParams(std::string("N=") + text);
        ASSERT_TRUE(params) << text;
        EXPECT_EQ(std::get<std::string>(params->at("N")), text);
        EXPECT_EQ(numberIn(*params, "N"), nullptr);
    }
    EXPECT_EQ(*numberIn(*parseParams("N=-5"), "N"), -5);
    EXPECT_EQ(*numberIn(*parseParams("N=9223372036854775807"), "N"), 9223372036854775807);
    EXPECT_EQ(numberIn(*parseParams("N=5"), "M"), nullptr);
}

TEST(Params, AnErrorHasThePartAndTheWhole)
{
    const Result<Params> twice = parseParams("N=4,N=5");
    EXPECT_NE(twice.error().message.find("\"N=5\""), std::string::npos) << twice.error().message;
    EXPECT_TRUE(parseParams("a-b_c+d.e=F-G_H+I.J"));
    for (const char* text : {"A/B=1", "A=1/2", "A=B=C", ",A=1"})
        EXPECT_FALSE(parseParams(text)) << text;
}

TEST(Address, ItsPartsAreItsFamilyItsVariantAndItsTunables)
{
    const Address address = *parseAddress("attention/fused@WARPS=4,BLOCK_M=64");
    EXPECT_EQ(address.family, "attention");
    EXPECT_EQ(address.variant, "fused");
    EXPECT_EQ(toText(address.tunables), "BLOCK_M=64,WARPS=4");
    EXPECT_EQ(parseAddress("transpose")->variant, "");
    EXPECT_EQ(toText(*parseAddress("transpose@N=1")), "transpose@N=1");
    EXPECT_EQ(parseAddress("a/b/c").error().where, "a/b/c");
}

} // namespace
} // namespace kl
