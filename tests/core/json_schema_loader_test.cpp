// SPDX-License-Identifier: MIT
#include "core/codec/json_schema.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace kl {
namespace {

/// "place: message" of why a schema is refused; empty where it is not.
std::string locateError(const char* schema)
{
    const Result<JsonSchema> loaded = JsonSchema::load(Json::parse(schema), "s.json");
    return loaded ? std::string() : loaded.error().where;
}

TEST(JsonSchemaLoader, AKeywordThatIsNotSupportedIsRefusedWithItsPlace)
{
    EXPECT_EQ(locateError(R"({"properties": {"a": {"items": {"format": "date"}}}})"), "s.json#/properties/a/items/format");
    EXPECT_EQ(locateError(R"({"definitions": {"unused": {"allOf": []}}})"), "s.json#/definitions/unused/allOf");
    EXPECT_EQ(locateError(R"({"items": [true, {"const": 1}]})"), "s.json#/items/1/const");
    const auto loaded = JsonSchema::load(Json::parse(R"({"maxProperties": 1})"), "s.json");
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::badInput);
    EXPECT_NE(loaded.error().message.find("maxProperties"), std::string::npos);
    EXPECT_NE(loaded.error().hint.find("maxItems"), std::string::npos);
}

TEST(JsonSchemaLoader, NamesOfMembersAreNoKeywords)
{
    EXPECT_EQ(locateError(R"({"properties": {"allOf": {}, "$ref": {"type": "string"}}, "default": {"not": 1}, "enum": [{"if": 1}]})"), "");
}

TEST(JsonSchemaLoader, AnotherDraftIsRefused)
{
    EXPECT_EQ(locateError(R"({"$schema": "http://json-schema.org/draft-07/schema#"})"), "");
    EXPECT_EQ(locateError(R"({"$schema": "https://json-schema.org/draft/2020-12/schema"})"), "s.json#/$schema");
}

TEST(JsonSchemaLoader, ReferencesLeadToASchemaOfTheSameFile)
{
    EXPECT_EQ(locateError(R"({"properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/definitions/c%25"}},
                            "definitions": {"c%": {"type": "null"}}})"),
              "");
    EXPECT_EQ(locateError(R"({"items": {"$ref": "other.json"}})"), "s.json#/items/$ref");
    EXPECT_EQ(locateError(R"({"items": {"$ref": "#/definitions/none"}})"), "s.json#/items/$ref");
    EXPECT_EQ(locateError(R"({"items": {"$ref": "#/definitions/a"}, "definitions": {"a": {"$ref": "#/definitions/a"}}})"),
              "s.json#/items/$ref");
    EXPECT_EQ(locateError(R"({"items": {"$ref": "#/default"}, "default": {"not": {}}})"), "s.json#/default/not");
}

TEST(JsonSchemaLoader, ValuesOfKeywordsAreChecked)
{
    for (const char* schema :
         {R"({"type": "text"})", R"({"type": []})", R"({"required": "a"})", R"({"required": [1]})", R"({"minItems": -1})",
          R"({"maxLength": 1.5})", R"({"minimum": "0"})", R"({"uniqueItems": 1})", R"({"pattern": "["})", R"({"pattern": 1})",
          R"({"enum": "a"})", R"({"properties": []})", R"({"items": 1})", R"({"additionalProperties": "no"})", R"({"$ref": 1})"})
        EXPECT_NE(locateError(schema), "") << schema;
    EXPECT_EQ(locateError("1"), "s.json#");
    for (const char* schema : {R"({"minItems": 2.0})", R"({"maxItems": 0})", R"({"type": ["null", "number"]})", R"({"uniqueItems": false})",
                               R"({"minimum": -0.5})", R"({"required": []})", R"({"additionalProperties": false})", "true"})
        EXPECT_EQ(locateError(schema), "") << schema;
}

TEST(JsonSchemaLoader, EveryKeywordsValueHasItsForm)
{
    const auto with = [](const std::string& keyword, const std::string& value) {
        return locateError(("{\"" + keyword + "\": " + value + "}").c_str());
    };
    for (const std::string keyword : {"minItems", "maxItems", "minLength", "maxLength"}) {
        EXPECT_EQ(with(keyword, "0"), "") << keyword;
        for (const char* none : {"-1", "0.5", "\"1\"", "true"})
            EXPECT_EQ(with(keyword, none), "s.json#/" + keyword) << none;
    }
    for (const std::string keyword : {"minimum", "maximum", "exclusiveMinimum"}) {
        EXPECT_EQ(with(keyword, "-1.5"), "") << keyword;
        EXPECT_EQ(with(keyword, "true"), "s.json#/" + keyword);
    }
    for (const std::string keyword : {"definitions", "properties"}) {
        EXPECT_EQ(with(keyword, "{\"a\": {}, \"b\": true}"), "") << keyword;
        EXPECT_EQ(with(keyword, "{\"a\": {}, \"b\": 1}"), "s.json#/" + keyword + "/b");
        EXPECT_EQ(with(keyword, "[{}]"), "s.json#/" + keyword);
    }
    for (const std::string keyword : {"propertyNames", "additionalProperties"}) {
        EXPECT_EQ(with(keyword, "{\"type\": \"string\"}"), "") << keyword;
        EXPECT_EQ(with(keyword, "{\"type\": \"text\"}"), "s.json#/" + keyword + "/type");
    }
    for (const std::string keyword : {"$comment", "title", "description", "default", "examples"})
        EXPECT_EQ(with(keyword, "[1, {\"not\": 2}]"), "") << keyword;
    for (const char* type : {"null", "boolean", "object", "array", "number", "string", "integer"})
        EXPECT_EQ(with("type", '"' + std::string(type) + '"'), "") << type;
    EXPECT_EQ(with("type", R"(["null", "text"])"), "s.json#/type");
    EXPECT_EQ(with("$schema", R"("http://json-schema.org/draft-07/schema")"), "") << "the # may be left out";
    EXPECT_EQ(with("$schema", "7"), "s.json#/$schema");
    EXPECT_EQ(with("items", R"([{}, {"type": 1}])"), "s.json#/items/1/type");
}

TEST(JsonSchemaLoader, AReferenceMayLeadOverOthersButNotInACircle)
{
    EXPECT_EQ(locateError(R"({"items": {"$ref": "#/definitions/a"},
                            "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"type": "null"}}})"),
              "");
    EXPECT_EQ(locateError(R"({"items": {"$ref": "#/definitions/a"},
                            "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"}}})"),
              "s.json#/items/$ref");
    EXPECT_EQ(locateError(R"({"properties": {"a": {"$ref": "#"}}})"), "") << "the whole may be inside of itself";
    EXPECT_EQ(locateError(R"({"items": {"$ref": "#/definitions/a%zz"}, "definitions": {"a%zz": {}}})"), "") << "this is not an escape";
    EXPECT_EQ(locateError(R"({"items": {"$ref": "#/definitions/a~1b"}, "definitions": {"a/b": {"type": "null"}}})"), "");
    EXPECT_EQ(locateError(R"({"items": {"$ref": "#/definitions/a", "type": "text"}, "definitions": {"a": {}}})"), "")
        << "what is beside a reference does not count";
}

} // namespace
} // namespace kl
