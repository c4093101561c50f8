// SPDX-License-Identifier: MIT
#include "core/codec/json_schema.h"

#include "core/codec/json_positions.h"
#include "core/codec/json_reader.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

JsonSchema loadSchema(const char* text)
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

constexpr const char* kNamedLists = R"({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"},
    "additionalProperties": {"type": "array", "uniqueItems": true, "items": {"type": ["integer", "string"], "maxLength": 3}}})";
constexpr const char* kLengths = R"({"minLength": 2, "maxLength": 3})";

/// A value that breaks a schema, and the paths of its faults.
struct Faulty {
    const char* schema;
    const char* value;
    std::vector<std::string> paths;
};

const std::vector<Faulty>& faultyValues()
{
    static const std::vector<Faulty> all{
        {kSchema,
         R"({"nam": 1, "kind": "c", "sizes": [0.5, "x", 3], "more": {"x": true}})",
         {"nam", "kind", "sizes", "sizes[0]", "sizes[1]", "more.x", ""}},
        {kSchema, R"({"name": "A1", "sizes": []})", {"name", "sizes"}},
        {kSchema, "[1]", {""}},
        {kSchema, R"({"name": "ab", "size": [1]})", {"size"}},
        {kSchema, R"({"name": "ab", "utterly": 1})", {"utterly"}},
        {kNamedLists, R"({"a": [1, "b", 2.0, 1.0], "B": ["four"], "c": [2.5]})", {"a[3]", "B", "B[0]", "c[0]"}},
        {kLengths, "\"\u00e4\"", {""}},
        {kLengths, "\"abcd\"", {""}},
        {kLengths, "\"\"", {""}},
        {R"({"maximum": 2})", "3", {""}},
        {R"({"exclusiveMinimum": 2})", "2", {""}},
        {R"({"type": "null"})", "1.5", {""}},
        {R"({"type": "boolean"})", "1", {""}},
        {R"({"type": "object"})", "\"a\"", {""}},
        {R"({"type": "array"})", "{}", {""}},
        {R"({"type": "integer"})", "[]", {""}},
        {R"({"type": "string"})", "null", {""}},
        {R"({"type": "number"})", "true", {""}},
        {R"({"enum": ["a", 2]})", "\"b\"", {""}}};
    return all;
}

std::vector<SchemaFault> listFaults(const Faulty& one)
{
    return loadSchema(one.schema).check(Json::parse(one.value));
}

TEST(JsonSchema, WhatFollowsHasNoFaults)
{
    EXPECT_TRUE(listFaults({kSchema, R"({"name": "ab", "kind": "b", "sizes": [1, 2.5], "more": {"x": 1, "y": "z"}})", {}}).empty());
}

TEST(JsonSchema, EveryFaultIsListedWithItsPath)
{
    for (const Faulty& one : faultyValues()) {
        std::vector<std::string> paths;
        for (const SchemaFault& fault : listFaults(one)) {
            paths.push_back(fault.path);
            EXPECT_FALSE(fault.message.empty()) << one.value;
        }
        EXPECT_EQ(paths, one.paths) << one.schema << ' ' << one.value;
    }
}

TEST(JsonSchema, SnapshotOfTheFaults)
{
    std::string text;
    for (const Faulty& one : faultyValues())
        for (const SchemaFault& fault : listFaults(one))
            text += std::string(one.value) + ": " + fault.path + ": " + fault.message + " | " + fault.hint + '\n';
    test::expectSnapshot("errors/json-schema.txt", text);
}

TEST(JsonSchema, HintsGuessANameOrQuoteTheDescription)
{
    const auto hint = [](const char* value) { return listFaults({kSchema, value, {}}).at(0).hint; };
    EXPECT_NE(hint(R"({"name": "ab", "size": [1]})").find("\"sizes\""), std::string::npos);
    EXPECT_NE(hint(R"({"name": "ab", "utterly": 1})").find("name, kind, sizes, more"), std::string::npos);
    EXPECT_EQ(hint(R"({"name": 1})"), "Lower case.");
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
    const auto findFault = [](const std::string& text) {
        Json value;
        return readJson(text, value).value_or(JsonFault{});
    };
    EXPECT_EQ(findFault("[1, 1e999]").offset, 8U);
    EXPECT_EQ(findFault("[1, 1e999]").message, "number overflow parsing '1e999'");
    EXPECT_EQ(findFault("[1,]").offset, 3U);
    EXPECT_EQ(findFault("\"[[[\\\"" + std::string(300, '[')).message.substr(0, 12), "syntax error"); // brackets of a text are none
    const JsonFault deep = findFault("[\"[\\\"[\"," + std::string(1000, '['));
    EXPECT_NE(deep.message.find(std::to_string(kMaxJsonDepth)), std::string::npos) << deep.message;
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
    const JsonSchema schema = loadSchema(R"({"type": "array", "items": [{"minimum": 2}, {"maximum": 2}, {"exclusiveMinimum": 2}]})");
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
    const JsonSchema schema = loadSchema(kLengths);
    const auto figures = [&](const char* text) {
        const std::vector<SchemaFault> faults = schema.check(Json(text));
        return faults.empty() ? std::string("none") : test::valueText(faults.front().message);
    };
    EXPECT_EQ(figures("\u00e4\u6f22"), "none");
    EXPECT_EQ(figures("\U0001F600\u00e4\u6f22"), "none");
    EXPECT_EQ(figures("\u00e4"), "\"1 2\"");
    EXPECT_EQ(figures("abcd"), "\"4 3\"");
    EXPECT_EQ(figures(""), "\"\"");
}

TEST(JsonSchema, AListOfExactlyTheBoundsFits)
{
    const JsonSchema schema = loadSchema(R"({"minItems": 1, "maxItems": 2})");
    for (const auto& [value, faults] : {std::pair("[]", 1U), std::pair("[1]", 0U), std::pair("[1, 1]", 0U), std::pair("[1, 1, 1]", 1U)})
        EXPECT_EQ(schema.check(Json::parse(value)).size(), faults) << value;
}

TEST(JsonSchema, AReferenceHasItsOwnRulesAndAFalseOneAllowsNothing)
{
    const JsonSchema schema = loadSchema(R"({"properties": {"a": {"$ref": "#/definitions/b", "type": "string"}, "c": false, "d": true},
                                           "definitions": {"b": {"type": "integer"}}})");
    EXPECT_TRUE(schema.check(Json::parse(R"({"a": 1, "d": [], "other": 1})")).empty());
    EXPECT_EQ(schema.check(Json::parse(R"({"a": "x"})")).at(0).path, "a");
    EXPECT_EQ(schema.check(Json::parse(R"({"c": 1})")).at(0).path, "c");
}

TEST(JsonSchema, AllowedValuesAreListed)
{
    EXPECT_NE(listFaults({R"({"enum": ["a", 2]})", "\"b\"", {}}).at(0).hint.find("\"a\", 2"), std::string::npos);
}

} // namespace
} // namespace kl
