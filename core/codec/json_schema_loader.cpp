// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "core/codec/json_schema_parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace kl {
namespace {

constexpr std::string_view kDraft = "http://json-schema.org/draft-07/schema";
constexpr std::array kTypes{"null", "boolean", "object", "array", "number", "string", "integer"};

/// What a keyword's value must be.
enum class Form { anything, draft, reference, types, list, names, schema, schemas, schemaOrSchemas, flag, count, number, pattern };

const std::map<std::string, Form, std::less<>> kKeywords{{"$schema", Form::draft},
                                                         {"$ref", Form::reference},
                                                         {"$comment", Form::anything},
                                                         {"title", Form::anything},
                                                         {"description", Form::anything},
                                                         {"default", Form::anything},
                                                         {"examples", Form::anything},
                                                         {"definitions", Form::schemas},
                                                         {"type", Form::types},
                                                         {"enum", Form::list},
                                                         {"properties", Form::schemas},
                                                         {"required", Form::names},
                                                         {"propertyNames", Form::schema},
                                                         {"additionalProperties", Form::schema},
                                                         {"items", Form::schemaOrSchemas},
                                                         {"minItems", Form::count},
                                                         {"maxItems", Form::count},
                                                         {"uniqueItems", Form::flag},
                                                         {"pattern", Form::pattern},
                                                         {"minLength", Form::count},
                                                         {"maxLength", Form::count},
                                                         {"minimum", Form::number},
                                                         {"maximum", Form::number},
                                                         {"exclusiveMinimum", Form::number}};

bool isType(const Json& value)
{
    return value.is_string() && std::ranges::find(kTypes, value.get_ref<const std::string&>()) != kTypes.end();
}

bool isCount(const Json& value)
{
    return findSchemaType(value) == "integer" && value.get<double>() >= 0;
}

/// A part of a pointer with its % escapes read.
std::string unescape(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned char code = 0;
        const char* digits = text.data() + std::min(i + 1, text.size());
        const char* end = digits + std::min<std::size_t>(2, text.size() - (digits - text.data()));
        const bool escaped = text[i] == '%' && std::from_chars(digits, end, code, 16).ptr == digits + 2;
        out += escaped ? static_cast<char>(code) : text[i];
        i += escaped ? 2 : 0;
    }
    return out;
}

/// Walks through every place that holds a schema.
class Loader {
public:
    Loader(SchemaParts& parts, const std::string& where) : parts_(parts), where_(where) {}

    Status load(const Json& schema, const std::string& place)
    {
        if (schema.is_boolean() || !seen_.insert(&schema).second)
            return {};
        if (!schema.is_object())
            return fault(place, "a schema is an object, true or false");
        if (const auto reference = schema.find("$ref"); reference != schema.end())
            return loadReference(*reference, place + "/$ref"); // its siblings are ignored
        for (const auto& [keyword, value] : schema.items())
            KL_TRY(loadKeyword(keyword, value, place + '/' + keyword));
        return {};
    }

private:
    Error fault(const std::string& place, const std::string& what, std::string hint = {}) const
    {
        return {.code = ErrorCode::badInput,
                .message = fmt::format("{}#{}: {}.", where_, place, what),
                .hint = std::move(hint),
                .where = where_ + '#' + place};
    }

    Status loadKeyword(const std::string& keyword, const Json& value, const std::string& place)
    {
        const auto row = kKeywords.find(keyword);
        if (row == kKeywords.end())
            return fault(place, fmt::format("the keyword \"{}\" is not supported", keyword), "Supported are: " + allKeywords() + '.');
        const auto need = [&](bool fine, const char* what) -> Status {
            return fine ? Status() : fault(place, fmt::format("\"{}\" is {}", keyword, what));
        };
        switch (row->second) {
        case Form::anything:
        case Form::reference: return {}; // load() has it
        case Form::draft:
            return need(value.is_string() && (value == std::string(kDraft) || value == std::string(kDraft) + '#'), "not draft-07's");
        case Form::types:
            return need(isType(value) || (value.is_array() && !value.empty() && std::ranges::all_of(value, isType)),
                        "a type or a list of types");
        case Form::list: return need(value.is_array(), "a list");
        case Form::names:
            return need(value.is_array() && std::ranges::all_of(value, [](const Json& name) { return name.is_string(); }),
                        "a list of names");
        case Form::flag: return need(value.is_boolean(), "true or false");
        case Form::count: return need(isCount(value), "a whole number, 0 or above");
        case Form::number: return need(value.is_number(), "a number");
        case Form::pattern: return loadPattern(value, place);
        case Form::schema: return load(value, place);
        case Form::schemas: KL_TRY(need(value.is_object(), "an object of schemas")); return loadEach(value, place);
        case Form::schemaOrSchemas: return value.is_array() ? loadEach(value, place) : load(value, place);
        }
        return {};
    }

    Status loadEach(const Json& schemas, const std::string& place)
    {
        for (const auto& [name, schema] : schemas.items())
            KL_TRY(load(schema, place + '/' + name));
        return {};
    }

    Status loadPattern(const Json& value, const std::string& place)
    {
        if (!value.is_string())
            return fault(place, "\"pattern\" is a text");
        try {
            const auto& text = value.get_ref<const std::string&>();
            parts_.patterns.emplace(text, std::regex(text));
        } catch (const std::regex_error& error) {
            return fault(place, fmt::format("this is not a valid regular expression: {}", error.what()));
        }
        return {};
    }

    Status loadReference(const Json& value, const std::string& place)
    {
        if (!value.is_string() || !value.get_ref<const std::string&>().starts_with('#'))
            return fault(place, "a reference leads into the same file", "Write #/definitions/NAME.");
        const auto& text = value.get_ref<const std::string&>();
        const Json* target = resolve(text);
        std::set<const Json*> passed;
        while (target && target->is_object() && target->contains("$ref") && passed.insert(target).second) {
            const Json& next = (*target)["$ref"];
            target = next.is_string() ? resolve(next.get_ref<const std::string&>()) : nullptr;
        }
        if (!target || passed.contains(target))
            return fault(place, fmt::format("{} leads {}", text, target ? "in a circle" : "nowhere"));
        parts_.references.emplace(text, target);
        return load(*target, text.substr(1));
    }

    const Json* resolve(const std::string& reference) const
    {
        try {
            const Json::json_pointer pointer(unescape(std::string_view(reference).substr(1)));
            return parts_.root.contains(pointer) ? &parts_.root.at(pointer) : nullptr;
        } catch (const Json::exception&) {
            return nullptr;
        }
    }

    static std::string allKeywords()
    {
        std::string all;
        for (const auto& [keyword, form] : kKeywords)
            all += (all.empty() ? "" : ", ") + keyword;
        return all;
    }

    SchemaParts& parts_;
    const std::string& where_;
    std::set<const Json*> seen_;
};

} // namespace

std::string findSchemaType(const Json& value)
{
    if (value.is_number_integer() || (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>()))
        return "integer";
    return value.is_number() ? "number" : value.type_name();
}

Result<JsonSchema> JsonSchema::load(const Json& schema, const std::string& where)
{
    const auto parts = std::make_shared<SchemaParts>();
    parts->root = schema;
    KL_TRY(Loader(*parts, where).load(parts->root, {}));
    return JsonSchema(parts);
}

} // namespace kl
