// SPDX-License-Identifier: MIT
#include "core/codec/json_schema.h"

#include "core/codec/json_positions.h"
#include "core/codec/json_reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace kl {
namespace {

JsonSchema schemaOf(const char* text)
{
    const Result<JsonSchema> schema = JsonSchema::load(Json::parse(text), "test");
    EXPECT_TRUE(schema) << schema.error().message;
    return *schema;
}

constexpr const char* kSchema = R"({
  "type": "object",
  "required": ["name"],
  "additionalProperties": false,
  "properties": {
    "name": {"type": "string", "pattern": "^[a-z]+$", "minLength": 2, "description": "Lower case."},
    "kind": {"type": "string", "enum": ["a", "b"]},
    "sizes": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"$ref": "#/definitions/size"}},
    "more": {"type": "object", "additionalProperties": {"type": ["integer", "string"]}}
  },
  "definitions": {"size": {"type": "number", "minimum": 1, "exclusiveMinimum": 0}}
})";

/// "path: message" of every fault.
std::vector<std::string> faultsOf(const char* text)
{
    std::vector<std::string> list;
    for (const SchemaFault& fault : schemaOf(kSchema).check(Json::parse(text)))
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
        (std::vector<std::string>{"nam: is not a known field", "kind: is not one of the allowed values", "sizes: may have at most 2, has 3",
                                  "sizes[0]: 0.5 is below 1", "sizes[1]: should be a number, is a text",
                                  "more.x: should be an integer or a text, is true or false", ": lacks \"name\""}));
    EXPECT_EQ(faultsOf(R"({"name": "A1", "sizes": []})"),
              (std::vector<std::string>{"name: \"A1\" has the wrong form", "sizes: needs at least 1, has 0"}));
    EXPECT_EQ(faultsOf("[1]"), std::vector<std::string>{": should be an object, is a list"});
}

TEST(JsonSchema, NamesTwinsAndLengthsAreChecked)
{
    const JsonSchema schema = schemaOf(R"({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"},
        "additionalProperties": {"type": "array", "uniqueItems": true, "items": {"type": ["integer", "string"], "maxLength": 3}}})");
    std::vector<std::string> found;
    for (const SchemaFault& fault : schema.check(Json::parse(R"({"a": [1, "b", 2.0, 1.0], "B": ["four"], "c": [2.5]})")))
        found.push_back(fault.path + ": " + fault.message);
    EXPECT_EQ(found,
              (std::vector<std::string>{"a[3]: 1.0 appears twice", "B: \"B\" has the wrong form", "B[0]: has 4 characters; the limit is 3",
                                        "c[0]: should be an integer or a text, is a number"}));
}

TEST(JsonSchema, HintsGuessANameOrQuoteTheDescription)
{
    EXPECT_EQ(schemaOf(kSchema).check(Json::parse(R"({"name": "ab", "size": [1]})")).at(0).hint, "Did you mean \"sizes\"?");
    EXPECT_EQ(schemaOf(kSchema).check(Json::parse(R"({"name": "ab", "utterly": 1})")).at(0).hint, "Known here: name, kind, sizes, more.");
    EXPECT_EQ(schemaOf(kSchema).check(Json::parse(R"({"name": 1})")).at(0).hint, "Lower case.");
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

TEST(JsonPositions, TheSecondOfTwoIsDistinguished)
{
    const JsonPositions places("{\"a\": {\"b\": 1,\n\"b\": 2}}");
    EXPECT_EQ(places.duplicates(), std::vector<std::string>{"a.b"});
    EXPECT_EQ(places.of("a.b"), (TextPosition{2, 1}));
}

TEST(JsonPositions, EscapesAreReadAndAMarkIsNotCounted)
{
    const JsonPositions places("\xef\xbb\xbf{\"a\": 1, \"\\u0061\": 2, \"b\\\"c\": 3}");
    EXPECT_EQ(places.duplicates(), std::vector<std::string>{"a"});
    EXPECT_EQ(places.of("a"), (TextPosition{1, 10}));
    EXPECT_EQ(places.at("b\"c"), (TextPosition{1, 23}));
    EXPECT_FALSE(places.at("nothing"));
}

TEST(JsonReader, WhatNobodyCanHoldIsAFaultWithItsPlace)
{
    const auto faultOf = [](const std::string& text) {
        Json value;
        return readJson(text, value).value_or(JsonFault{});
    };
    EXPECT_EQ(faultOf("[1, 1e999]").offset, 8U);
    EXPECT_EQ(faultOf("[1, 1e999]").message, "number overflow parsing '1e999'");
    EXPECT_EQ(faultOf("[1,]").offset, 3U);
    EXPECT_EQ(faultOf("\"[[[\\\"" + std::string(300, '[')).message.substr(0, 12), "syntax error"); // brackets of a text are none
    const JsonFault deep = faultOf("[\"[\\\"[\"," + std::string(1000, '['));
    EXPECT_EQ(deep.message, "more than 256 nested brackets");
    EXPECT_EQ(deep.offset, 8U + kMaxJsonDepth - 1);
    EXPECT_TRUE(parseJson(std::string(256, '[') + std::string(256, ']'), "x"));
    EXPECT_EQ(parseJson("{\n \"a\" 1}", "x").error().detail.substr(0, 18), "line 2, column 6: ");
}

TEST(JsonPositions, OtherTextsEndTheIndex)
{
    for (const char* text : {"", "[", "{\"a\"", "{\"a\": [1, ", "\"\\", "[}", "[,,]", "{]"})
        EXPECT_GE(JsonPositions(text).of("a[0].b").line, 1) << text;
}

TEST(JsonSchema, BoundsAreWithinOrWithout)
{
    const JsonSchema schema = schemaOf(R"({"type": "array", "items": [{"minimum": 2}, {"maximum": 2}, {"exclusiveMinimum": 2}]})");
    const auto faults = [&](const Json& value) { return schema.check(value).size(); };
    EXPECT_EQ(faults({2, 2, 2.5}), 0U);
    EXPECT_EQ(faults({1.5, 2, 3}), 1U);
    EXPECT_EQ(faults({2, 2.5, 3}), 1U);
    EXPECT_EQ(faults({2, 2, 2}), 1U);
    EXPECT_EQ(faults({2, 2}), 0U) << "a list may end before its rules do";
    EXPECT_EQ(faults({2, 2, 3, "free"}), 0U) << "and go on behind them";
}

TEST(JsonSchema, LengthsCountCharactersAndAreWithin)
{
    const JsonSchema schema = schemaOf(R"({"minLength": 2, "maxLength": 3})");
    const auto messageOf = [&](const char* text) {
        const std::vector<SchemaFault> faults = schema.check(Json(text));
        return faults.empty() ? std::string() : faults.front().message;
    };
    EXPECT_EQ(messageOf("\u00e4\u6f22"), "");
    EXPECT_EQ(messageOf("\U0001F600\u00e4\u6f22"), "");
    EXPECT_EQ(messageOf("\u00e4"), "has 1 characters, at least 2 are needed");
    EXPECT_EQ(messageOf("abcd"), "has 4 characters; the limit is 3");
    EXPECT_EQ(messageOf(""), "is empty");
}

TEST(JsonSchema, AListOfExactlyTheBoundsFits)
{
    const JsonSchema schema = schemaOf(R"({"minItems": 1, "maxItems": 2})");
    for (const auto& [value, faults] : {std::pair("[]", 1U), std::pair("[1]", 0U), std::pair("[1, 1]", 0U), std::pair("[1, 1, 1]", 1U)})
        EXPECT_EQ(schema.check(Json::parse(value)).size(), faults) << value;
}

TEST(JsonSchema, AReferenceHasItsOwnRulesAndAFalseOneAllowsNothing)
{
    const JsonSchema schema = schemaOf(R"({"properties": {"a": {"$ref": "#/definitions/b", "type": "string"}, "c": false, "d": true},
                                           "definitions": {"b": {"type": "integer"}}})");
    EXPECT_TRUE(schema.check(Json::parse(R"({"a": 1, "d": [], "other": 1})")).empty());
    EXPECT_EQ(schema.check(Json::parse(R"({"a": "x"})")).at(0).path, "a");
    EXPECT_EQ(schema.check(Json::parse(R"({"c": 1})")).at(0).path, "c");
}

TEST(JsonSchema, TypesAreInWordsAndAllowedValuesAreListed)
{
    const auto faultOf = [](const char* schema, const char* value) { return schemaOf(schema).check(Json::parse(value)).at(0); };
    const auto words = [&](const char* type, const char* value) {
        return faultOf((std::string(R"({"type": ")") + type + "\"}").c_str(), value).message;
    };
    EXPECT_EQ(words("null", "1.5"), "should be null, is a number");
    EXPECT_EQ(words("boolean", "1"), "should be true or false, is an integer");
    EXPECT_EQ(words("object", "\"a\""), "should be an object, is a text");
    EXPECT_EQ(words("array", "{}"), "should be a list, is an object");
    EXPECT_EQ(words("integer", "[]"), "should be an integer, is a list");
    EXPECT_EQ(words("string", "null"), "should be a text, is null");
    EXPECT_EQ(words("number", "true"), "should be a number, is true or false");
    EXPECT_EQ(faultOf(R"({"enum": ["a", 2]})", "\"b\"").hint, "One of \"a\", 2.");
}

} // namespace
} // namespace kl
