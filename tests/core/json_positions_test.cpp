// SPDX-License-Identifier: MIT
#include "core/codec/json_positions.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kl {
namespace {

void expectAt(const TextPosition& position, int line, int column)
{
    EXPECT_EQ(position.line, line);
    EXPECT_EQ(position.column, column);
}

TEST(JsonPositions, AnOffsetIsALineAndAColumnFromOne)
{
    expectAt(positionAt("ab\ncd", 0), 1, 1);
    expectAt(positionAt("ab\ncd", 2), 1, 3);
    expectAt(positionAt("ab\ncd", 3), 2, 1);
    expectAt(positionAt("ab\ncd", 4), 2, 2);
    expectAt(positionAt("ab\ncd", 99), 2, 3);
    expectAt(positionAt("", 5), 1, 1);
}

TEST(JsonPositions, AMarkOfUtf8IsNoColumn)
{
    expectAt(positionAt("\xef\xbb\xbf{}", 0), 1, 1);
    expectAt(positionAt("\xef\xbb\xbf{}", 4), 1, 2);
    expectAt(*JsonPositions("\xef\xbb\xbf{\"a\": 1}").at("a"), 1, 2);
}

TEST(JsonPositions, OfMembersElementsAndWhatIsNotThere)
{
    const JsonPositions places("{\n  \"a\": [1, {\"b\\n\": 2}],\n  \"c\": \"x, y\", \"d\": {}\n}");
    expectAt(*places.at("a"), 2, 3);
    expectAt(*places.at("a[0]"), 2, 9);
    expectAt(*places.at("a[1]"), 2, 12);
    expectAt(*places.at("a[1].b\n"), 2, 13);
    expectAt(*places.at("d"), 3, 16);
    EXPECT_FALSE(places.at("e"));
    expectAt(places.of("a[1].e.f"), 2, 12);
    expectAt(places.of("e"), 1, 1);
}

TEST(JsonPositions, OfListsInListsAndOfTwinsInside)
{
    const JsonPositions places("[[1, 2],\n [3, {\"a\": {\"b\": 1, \"b\": 2}}]]");
    expectAt(*places.at("[0][1]"), 1, 6);
    expectAt(*places.at("[1]"), 2, 2);
    expectAt(*places.at("[1][0]"), 2, 3);
    expectAt(*places.at("[1][1].a"), 2, 7);
    expectAt(*places.at("[1][1].a.b"), 2, 21);
    EXPECT_EQ(places.duplicates(), std::vector<std::string>{"[1][1].a.b"});
    expectAt(places.of("[1][7].a"), 2, 2);
    EXPECT_FALSE(places.at("[2]"));
}

} // namespace
} // namespace kl
