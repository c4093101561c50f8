// SPDX-License-Identifier: MIT
#include "core/codec/json_schema.h"

#include "core/codec/json_positions.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

const Json kSchema = Json::parse(R"({
  "type": "object",
  "required": ["name"],
  "additionalProperties": false,
  "properties": {
    "name": {"type": "string", "pattern": "^[a-z]+$", "minLength": 2, "description": "Lower case."},
    "kind": {"type": "string", "enum": ["a", "b"]},
    "sizes": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"$ref": "#/$defs/size"}},
    "more": {"type": "object", "additionalProperties": {"type": ["integer", "string"]}}
  },
  "$defs": {"size": {"type": "number", "minimum": 1, "exclusiveMinimum": 0}}
})");

/// "path: message" of every fault.
std::vector<std::string> faultsOf(const char* text)
{
    std::vector<std::string> list;
    for (const SchemaFault& fault : checkSchema(Json::parse(text), kSchema))
        list.push_back(fault.path + ": " + fault.message);
    return list;
}

TEST(JsonSchema, WhatFollowsHasNoFaults)
{
    EXPECT_TRUE(faultsOf(R"({"name": "ab", "kind": "b", "sizes": [1, 2.5], "more": {"x": 1, "y": "z"}})").empty());
}

TEST(JsonSchema, EveryFaultIsListedWithItsPath)
{
    EXPECT_EQ(
        faultsOf(R"({"nam": 1, "kind": "c", "sizes": [0.5, "x", 3], "more": {"x": true}})"),
        (std::vector<std::string>{"nam: is not a known field", "kind: is none of the words it may be", "sizes: may have at most 2, has 3",
                                  "sizes[0]: 0.5 is below 1", "sizes[1]: should be a number, is a text",
                                  "more.x: should be an integer or a text, is true or false", ": lacks \"name\""}));
    EXPECT_EQ(faultsOf(R"({"name": "A1", "sizes": []})"),
              (std::vector<std::string>{"name: \"A1\" has not the right form", "sizes: needs at least 1, has 0"}));
    EXPECT_EQ(faultsOf("[1]"), std::vector<std::string>{": should be an object, is a list"});
}

TEST(JsonSchema, HintsGuessANameOrQuoteTheDescription)
{
    EXPECT_EQ(checkSchema(Json::parse(R"({"name": "ab", "size": [1]})"), kSchema).at(0).hint, "Perhaps \"sizes\" is meant.");
    EXPECT_EQ(checkSchema(Json::parse(R"({"name": "ab", "utterly": 1})"), kSchema).at(0).hint, "Known here: name, kind, sizes, more.");
    EXPECT_EQ(checkSchema(Json::parse(R"({"name": 1})"), kSchema).at(0).hint, "Lower case.");
}

TEST(JsonPositions, NamesAndItemsArePlaced)
{
    const JsonPositions places("{\n  \"a\": [1, {\"b\\\"c\": \"x]\"}],\n\t\"d\": {}\n}");
    EXPECT_EQ(places.of(""), (TextPosition{1, 1}));
    EXPECT_EQ(places.of("a"), (TextPosition{2, 3}));
    EXPECT_EQ(places.of("a[1]"), (TextPosition{2, 12}));
    EXPECT_EQ(places.of("d"), (TextPosition{3, 2}));
    EXPECT_EQ(places.of("a[1].nothing.here"), (TextPosition{2, 12})); // the nearest part that is there
    EXPECT_EQ(places.of("elsewhere"), (TextPosition{1, 1}));
    EXPECT_TRUE(places.duplicates().empty());
}

TEST(JsonPositions, TheSecondOfTwoIsToldApart)
{
    const JsonPositions places("{\"a\": {\"b\": 1,\n\"b\": 2}}");
    EXPECT_EQ(places.duplicates(), std::vector<std::string>{"a.b"});
    EXPECT_EQ(places.of("a.b"), (TextPosition{2, 1}));
}

TEST(JsonPositions, OtherTextsEndTheIndex)
{
    for (const char* text : {"", "[", "{\"a\"", "{\"a\": [1, ", "\"\\", "[}", "[,,]", "{]"})
        EXPECT_GE(JsonPositions(text).of("a[0].b").line, 1) << text;
}

} // namespace
} // namespace kl
