// SPDX-License-Identifier: MIT
// The JSON-Schema-Test-Suite, draft-07: a schema is either checked as the standard says or refused because of a keyword that we lack.

#include "core/codec/json_schema.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// Every keyword that json_schema.h says is supported and that the suite has a file of.
constexpr std::array kSupported{"additionalProperties",
                                "boolean_schema",
                                "default",
                                "enum",
                                "exclusiveMinimum",
                                "items",
                                "maxItems",
                                "maxLength",
                                "maximum",
                                "minItems",
                                "minLength",
                                "minimum",
                                "pattern",
                                "properties",
                                "propertyNames",
                                "ref",
                                "required",
                                "type",
                                "uniqueItems"};

/// Whether a schema has a keyword that we lack, or a reference that leaves it.
bool hasUnsupported(const Json& schema, bool names = false)
{
    constexpr std::array kOurs{"$schema",       "$ref",
                               "$comment",      "title",
                               "description",   "default",
                               "examples",      "definitions",
                               "type",          "enum",
                               "properties",    "required",
                               "propertyNames", "additionalProperties",
                               "items",         "minItems",
                               "maxItems",      "uniqueItems",
                               "pattern",       "minLength",
                               "maxLength",     "minimum",
                               "maximum",       "exclusiveMinimum"};
    if (schema.is_array())
        return std::ranges::any_of(schema, [](const Json& item) { return hasUnsupported(item); });
    if (!schema.is_object())
        return false;
    for (const auto& [name, value] : schema.items()) {
        if (!names && (std::ranges::find(kOurs, name) == kOurs.end() ||
                       (name == "$ref" && value.is_string() && !value.get_ref<const std::string&>().starts_with('#'))))
            return true;
        if ((names || (name != "default" && name != "enum" && name != "examples")) &&
            hasUnsupported(value, !names && (name == "properties" || name == "definitions")))
            return true;
    }
    return false;
}

struct Tally {
    int checked = 0; ///< schemas
    int refused = 0;
};

Tally run(const std::filesystem::path& file)
{
    Tally tally;
    std::ifstream in(file);
    for (const Json& group : Json::parse(in)) {
        const std::string about = file.stem().string() + ": " + group["description"].get<std::string>();
        const Result<JsonSchema> schema = JsonSchema::load(group["schema"], about);
        if (!schema) {
            ++tally.refused;
            EXPECT_TRUE(hasUnsupported(group["schema"])) << about << ": " << schema.error().message;
            continue;
        }
        EXPECT_FALSE(hasUnsupported(group["schema"])) << about;
        ++tally.checked;
        for (const Json& test : group["tests"])
            EXPECT_EQ(schema->check(test["data"]).empty(), test["valid"].get<bool>()) << about << ", " << test["description"];
    }
    return tally;
}

TEST(JsonSchemaSuite, EverySchemaIsCheckedOrRefused)
{
    const std::filesystem::path folder = "/usr/share/json-schema-test-suite/tests/draft7"; // of Debian's package
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "The package json-schema-test-suite is not installed.";
    std::map<std::string, Tally> tallies;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json")
            tallies[entry.path().stem().string()] = run(entry.path());
    for (const char* keyword : kSupported)
        EXPECT_GT(tallies[keyword].checked, 0) << keyword;
    for (const char* keyword : {"additionalItems", "allOf", "anyOf", "const", "contains", "dependencies", "exclusiveMaximum",
                                "if-then-else", "maxProperties", "minProperties", "multipleOf", "not", "oneOf", "patternProperties"})
        EXPECT_GT(tallies[keyword].refused, 0) << keyword;
}

} // namespace
} // namespace kl
