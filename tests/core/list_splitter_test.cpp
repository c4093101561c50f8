// SPDX-License-Identifier: MIT
#include "core/codec/list_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>

namespace kl {
namespace {

using testing::ElementsAre;

struct Split {
    std::vector<std::string> items;
    std::string rest;
    std::string fault;
    bool listSeen = false;
};

/// The text in pieces of so many bytes.
Split split(std::string_view text, std::size_t piece, std::size_t most = 64)
{
    Split out;
    ListSplitter splitter("runs", most, [&](std::string item) {
        out.items.push_back(std::move(item));
        return true;
    });
    bool fine = true;
    for (std::size_t at = 0; at < text.size() && fine; at += piece)
        fine = splitter.feed(text.substr(at, piece));
    const bool whole = splitter.finish();
    EXPECT_EQ(whole, splitter.fault().empty());
    out.rest = splitter.rest();
    out.fault = splitter.fault();
    out.listSeen = splitter.listSeen();
    return out;
}

TEST(ListSplitter, CutsItemsHoweverTheTextArrives)
{
    const std::string text = "\xef\xbb\xbf{\"a\": {\"runs\": [9]}, \"runs\": [ {\"x\": [1, \"]\\\"\\\\\"]}, 2 ,\"three, [\" ], \"b\": 1}";
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{3}, text.size()}) {
        const Split got = split(text, piece);
        EXPECT_THAT(got.items, ElementsAre("{\"x\": [1, \"]\\\"\\\\\"]}", testing::StartsWith("2"), testing::StartsWith("\"three, [\"")))
            << piece;
        EXPECT_EQ(got.rest, "\xef\xbb\xbf{\"a\": {\"runs\": [9]}, \"runs\": [], \"b\": 1}")
            << piece << ": the list inside of another object is none";
        EXPECT_TRUE(got.listSeen);
        EXPECT_EQ(got.fault, "");
    }
}

TEST(ListSplitter, ATextWithoutTheListIsAllRest)
{
    const Split got = split(R"({"other": [1, 2], "name": "runs"})", 5);
    EXPECT_TRUE(got.items.empty());
    EXPECT_FALSE(got.listSeen);
    EXPECT_EQ(got.rest, R"({"other": [1, 2], "name": "runs"})");
    EXPECT_TRUE(split(R"({"runs": []})", 1).listSeen);
}

TEST(ListSplitter, FaultsAreSeen)
{
    for (const char* damaged : {"[1]", "{\"runs\": [1 ", "{\"runs\": [1]", "{\"runs\": [1,]}", "{\"runs\": [,1]}", "{\"runs\": [{} {}]}",
                                "{\"runs\": [1]}}", "{\"a\": 1"})
        EXPECT_NE(split(damaged, 3).fault, "") << damaged;
}

TEST(ListSplitter, AnItemAndTheRestMayBeExactlyAsLargeAsTheLimit)
{
    const std::string item = '"' + std::string(62, 'x') + '"'; // 64 bytes
    EXPECT_THAT(split("{\"runs\": [" + item + "]}", 7).items, ElementsAre(item));
    EXPECT_NE(split("{\"runs\": [" + item.substr(0, 63) + "x\"]}", 7).fault, "");
    const std::string around = "{\"a\": \"" + std::string(55, 'x') + "\"}"; // 64 bytes
    EXPECT_EQ(split(around, 7).rest, around);
    EXPECT_NE(split("{ " + around.substr(1), 7).fault, "");
}

TEST(ListSplitter, EndsWhereAnItemIsNotTaken)
{
    int taken = 0;
    ListSplitter splitter("runs", 64, [&](const std::string&) { return ++taken < 2; });
    EXPECT_FALSE(splitter.feed("{\"runs\": [1,2,3,4]}"));
    EXPECT_EQ(taken, 2);
}

TEST(ListSplitter, AnEscapedLetterAtTheEndOfAPieceDoesNotHideAQuote)
{
    const std::string text = R"({"runs": ["a\n",{"b":"\t"},"c\\"], "n": "\n"})";
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{12}, std::size_t{13}}) {
        const Split got = split(text, piece);
        EXPECT_THAT(got.items, ElementsAre(R"("a\n")", R"({"b":"\t"})", R"("c\\")")) << piece;
        EXPECT_EQ(got.rest, R"({"runs": [], "n": "\n"})");
        EXPECT_EQ(got.fault, "");
    }
}

TEST(ListSplitter, WhiteSpaceIsAllowedEverywhereAndOtherListsStayWhole)
{
    const Split got = split("\n { \"x\" : [ 1 , 2 ] ,\t\"runs\" : [ \n 3 \r\n,\n[4 , [5]] , null ] , \"y\":[6] }\n", 4);
    EXPECT_EQ(got.fault, "");
    ASSERT_EQ(got.items.size(), 3U);
    EXPECT_TRUE(got.items[0].starts_with("3"));
    EXPECT_EQ(got.items[1], "[4 , [5]]");
    EXPECT_TRUE(got.items[2].starts_with("null"));
    EXPECT_EQ(got.rest, "\n { \"x\" : [ 1 , 2 ] ,\t\"runs\" : [] , \"y\":[6] }\n");
    EXPECT_FALSE(split(R"({"runss": [1], "run": [2], "a": "runs", "b": [3]})", 4).listSeen);
}

} // namespace
} // namespace kl
