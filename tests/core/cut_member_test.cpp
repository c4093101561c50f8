// SPDX-License-Identifier: MIT
#include "core/codec/cut_member.h"

#include "core/codec/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

TEST(CutMember, LeavesEverythingElse)
{
    for (const char* value : {"7", "-1.5e3", "null", "true", "\"\"", "\"a, b}\"", "[]", "{}", "[1,[2,{\"code\":3}],4]",
                              "{\"code\":{\"code\":\"]\"}}", "\"a \\\"quote\\\", and a backslash \\\\\"", "[\"\\\\\\\"]\", \"\\\\\"]"}) {
        const std::string before = R"({"a":"source","b":{"code":1},"source":{"lines":["{","\\\"",[]],"code":)";
        const std::string after = R"(,"samples":3},"code":"kept"})";
        EXPECT_EQ(cutMember(before + value + after, {"source", "code"}), before + "null" + after) << value;
        EXPECT_TRUE(parseJson(before + value + after, "the test")) << value;
    }
}

TEST(CutMember, WorksWithWhiteSpace)
{
    EXPECT_EQ(cutMember("\n{ \"a\" : [ 1 , 2 ] ,\t\"b\" : { \"c\" : \"d\" } }\n", {"b"}), "\n{ \"a\" : [ 1 , 2 ] ,\t\"b\" : null }\n");
    EXPECT_EQ(cutMember("{\"a\" : 12 }", {"a"}), "{\"a\" : null}");
}

TEST(CutMember, ATextWithoutTheMemberStays)
{
    for (const char* json : {"", "{}", "[]", "7", "{\"source\":7}", "{\"source\":{}}", "{\"source\":[{\"code\":1}]}", "{\"code\":1}",
                             "{\"source\":{\"lines\":[]}}", "{\"source\":{\"lines\":[] \"code\":1}}", "{\"s\\\"ource\":{\"code\":1}}"})
        EXPECT_EQ(cutMember(json, {"source", "code"}), json);
}

TEST(CutMember, WhatIsNoJsonRemainsNone)
{
    for (const char* json : {"{\"source\":{\"code\":\"open", "{\"source\":{\"code\":[1,2", "{\"source\":{\"code\":\"\\\"}}", "{\"source",
                             "{\"source\" {\"code\":1}}", "{\"source\":{\"code\"", "{\"source\":{\"code\":1}"}) {
        EXPECT_FALSE(parseJson(json, "the test")) << json;
        EXPECT_FALSE(parseJson(cutMember(json, {"source", "code"}), "the test")) << json;
    }
}

TEST(CutMember, GoesAsDeepAsItsPathAndTakesWholeNames)
{
    EXPECT_EQ(cutMember(R"({"a":{"b":{"c":[1],"d":2},"c":3},"c":4})", {"a", "b", "c"}), R"({"a":{"b":{"c":null,"d":2},"c":3},"c":4})");
    EXPECT_EQ(cutMember(R"({"codes":1,"cod":2,"code":3})", {"code"}), R"({"codes":1,"cod":2,"code":null})");
    EXPECT_EQ(cutMember(R"({"code":1,"code":2})", {"code"}), R"({"code":null,"code":2})") << "the first of two";
    EXPECT_EQ(cutMember(R"({"a":[{"b":1}],"b":2})", {"a", "b"}), R"({"a":[{"b":1}],"b":2})") << "a list has no members";
}

} // namespace
} // namespace kl
