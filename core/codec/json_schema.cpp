// SPDX-License-Identifier: MIT
#include "core/base/nearest.h"
#include "core/codec/json_schema_parts.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

std::string inWords(const std::string& type)
{
    if (type == "string")
        return "a text";
    if (type == "array")
        return "a list";
    if (type == "boolean")
        return "true or false";
    if (type == "null")
        return type;
    return (type == "object" || type == "integer" ? "an " : "a ") + type;
}

/// Characters, of which UTF-8 has one to four bytes each.
std::size_t countCharacters(const std::string& text)
{
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

class Checker {
public:
    explicit Checker(const SchemaParts& parts) : parts_(parts) {}

    void check(const Json& value, const Json& rule, const std::string& path)
    {
        if (rule.is_boolean()) {
            if (!rule.get<bool>())
                fault(path, "is not allowed here", Json::object());
            return;
        }
        if (rule.contains("$ref"))
            return check(value, *parts_.references.at(rule["$ref"].get_ref<const std::string&>()), path);
        if (!typeFits(value, rule, path))
            return;
        if (rule.contains("enum") && std::find(rule["enum"].begin(), rule["enum"].end(), value) == rule["enum"].end())
            fault(path, "is not one of the allowed values", rule, "One of " + joinList(rule["enum"]) + '.');
        if (value.is_object())
            checkObject(value, rule, path);
        else if (value.is_array())
            checkArray(value, rule, path);
        else if (value.is_string())
            checkText(value.get_ref<const std::string&>(), rule, path);
        else if (value.is_number())
            checkNumber(value.get<double>(), rule, path);
    }

    std::vector<SchemaFault> faults;

private:
    static std::string joinList(const Json& words)
    {
        std::string text;
        for (const Json& word : words)
            text += (text.empty() ? "" : ", ") + word.dump();
        return text;
    }

    void fault(const std::string& path, std::string message, const Json& rule, std::string hint = {})
    {
        if (hint.empty())
            hint = rule.value("description", std::string());
        faults.push_back({path, std::move(message), std::move(hint)});
    }

    bool typeFits(const Json& value, const Json& rule, const std::string& path)
    {
        if (!rule.contains("type"))
            return true;
        const Json& named = rule["type"];
        const std::string is = findSchemaType(value);
        std::string wanted;
        for (std::size_t i = 0; i < (named.is_array() ? named.size() : 1); ++i) {
            const auto& word = (named.is_array() ? named[i] : named).get_ref<const std::string&>();
            if (word == is || (word == "number" && is == "integer"))
                return true;
            wanted += (wanted.empty() ? "" : " or ") + inWords(word);
        }
        fault(path, fmt::format("should be {}, is {}", wanted, inWords(is)), rule);
        return false;
    }

    void checkObject(const Json& value, const Json& rule, const std::string& path)
    {
        static const Json none = Json::object();
        const Json& known = rule.contains("properties") ? rule["properties"] : none;
        for (const auto& [name, item] : value.items()) {
            const std::string here = path.empty() ? name : fmt::format("{}.{}", path, name);
            if (rule.contains("propertyNames"))
                check(Json(name), rule["propertyNames"], here);
            if (known.contains(name))
                check(item, known[name], here);
            else if (rule.contains("additionalProperties") && rule["additionalProperties"] == false)
                unknown(name, known, here);
            else if (rule.contains("additionalProperties"))
                check(item, rule["additionalProperties"], here);
        }
        for (const Json& item : rule.value("required", Json::array())) {
            const auto& name = item.get_ref<const std::string&>();
            if (!value.contains(name))
                fault(path, fmt::format("lacks \"{}\"", name), known.contains(name) ? known[name] : none);
        }
    }

    void unknown(const std::string& name, const Json& known, const std::string& path)
    {
        std::vector<std::string> names;
        for (const auto& [word, rule] : known.items())
            names.push_back(word);
        const std::vector<std::string> near = nearestNames(name, names, 1);
        faults.push_back(
            {path, "is not a known field",
             near.empty() ? fmt::format("Known here: {}.", fmt::join(names, ", ")) : fmt::format("Did you mean \"{}\"?", near.front())});
    }

    void checkArray(const Json& value, const Json& rule, const std::string& path)
    {
        if (const auto least = count(rule, "minItems"); least && value.size() < *least)
            fault(path, fmt::format("needs at least {}, has {}", *least, value.size()), rule);
        if (const auto most = count(rule, "maxItems"); most && value.size() > *most)
            fault(path, fmt::format("may have at most {}, has {}", *most, value.size()), rule);
        if (rule.value("uniqueItems", false))
            for (std::size_t i = 1; i < value.size(); ++i)
                if (const auto end = value.begin() + static_cast<std::ptrdiff_t>(i); std::find(value.begin(), end, value[i]) != end)
                    fault(fmt::format("{}[{}]", path, i), fmt::format("{} appears twice", encode(value[i])), rule, "Keep one of the two.");
        if (!rule.contains("items"))
            return;
        const Json& items = rule["items"]; // of every element, or a list: of as many, one each
        const std::size_t checked = items.is_array() ? std::min(items.size(), value.size()) : value.size();
        for (std::size_t i = 0; i < checked; ++i)
            check(value[i], items.is_array() ? items[i] : items, fmt::format("{}[{}]", path, i));
    }

    void checkText(const std::string& text, const Json& rule, const std::string& path)
    {
        const std::size_t length = countCharacters(text);
        const auto least = count(rule, "minLength");
        const auto most = count(rule, "maxLength");
        if (least && length < *least)
            fault(path, length == 0 ? "is empty" : fmt::format("has {} characters, at least {} are needed", length, *least), rule);
        else if (most && length > *most) // also so that a regular expression does not overflow the stack
            fault(path, fmt::format("has {} characters; the limit is {}", length, *most), rule);
        else if (rule.contains("pattern") && !std::regex_search(text, parts_.patterns.at(rule["pattern"].get_ref<const std::string&>())))
            fault(path, fmt::format("{} has the wrong form", encode(Json(text))), rule);
    }

    void checkNumber(double number, const Json& rule, const std::string& path)
    {
        if (rule.contains("minimum") && number < rule["minimum"].get<double>())
            fault(path, fmt::format("{} is below {}", number, rule["minimum"].get<double>()), rule);
        if (rule.contains("maximum") && number > rule["maximum"].get<double>())
            fault(path, fmt::format("{} is above {}", number, rule["maximum"].get<double>()), rule);
        if (rule.contains("exclusiveMinimum") && number <= rule["exclusiveMinimum"].get<double>())
            fault(path, fmt::format("{} is not above {}", number, rule["exclusiveMinimum"].get<double>()), rule);
    }

    static std::optional<std::size_t> count(const Json& rule, const char* keyword)
    {
        return rule.contains(keyword) ? std::optional(static_cast<std::size_t>(rule[keyword].get<double>())) : std::nullopt;
    }

    const SchemaParts& parts_;
};

} // namespace

std::vector<SchemaFault> JsonSchema::check(const Json& value) const
{
    Checker checker(*parts_);
    checker.check(value, parts_->root, {});
    return std::move(checker.faults);
}

} // namespace kl
