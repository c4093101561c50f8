// SPDX-License-Identifier: MIT
#include "core/codec/json_schema.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

namespace kl {
namespace {

/// A number without a fraction is an integer to a schema, however it is written: 16.0, 1e3.
std::string typeOf(const Json& value)
{
    if (value.is_number_integer() || (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>()))
        return "integer";
    return value.is_number() ? "number" : value.type_name();
}

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

/// Levenshtein distance, for suggestions of similar names.
std::size_t distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j)
            corner = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, corner + (a[i - 1] == b[j - 1] ? 0 : 1)}));
    }
    return row.back();
}

/// Compiling a pattern takes far longer than using it, and a schema asks for the same few again and again.
const std::regex& regexOf(const std::string& pattern)
{
    thread_local std::map<std::string, std::regex> known;
    const auto found = known.find(pattern);
    return found != known.end() ? found->second : known.emplace(pattern, std::regex(pattern)).first->second;
}

class Checker {
public:
    explicit Checker(const Json& root) : root_(root) {}

    void check(const Json& value, const Json& rule, const std::string& path)
    {
        if (rule.contains("$ref"))
            return check(value, root_.at(Json::json_pointer(rule["$ref"].get<std::string>().substr(1))), path);
        if (!typeFits(value, rule, path))
            return;
        if (rule.contains("enum") && std::find(rule["enum"].begin(), rule["enum"].end(), value) == rule["enum"].end())
            fault(path, "is not one of the allowed values", rule, "One of " + listed(rule["enum"]) + '.');
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
    static std::string listed(const Json& words)
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
        const std::string is = typeOf(value);
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
                checkText(name, rule["propertyNames"], here);
            if (known.contains(name))
                check(item, known[name], here);
            else if (rule.contains("additionalProperties") && rule["additionalProperties"].is_object())
                check(item, rule["additionalProperties"], here);
            else if (rule.contains("additionalProperties"))
                unknown(name, known, here);
        }
        for (const Json& name : rule.value("required", Json::array()))
            if (!value.contains(name.get<std::string>()))
                fault(path, fmt::format("lacks \"{}\"", name.get<std::string>()), known.value(name.get<std::string>(), none));
    }

    void unknown(const std::string& name, const Json& known, const std::string& path)
    {
        std::string nearest;
        std::string all;
        for (const auto& [word, rule] : known.items()) {
            all += (all.empty() ? "" : ", ") + word;
            const bool nearer = nearest.empty() || distance(name, word) < distance(name, nearest);
            nearest = nearer ? word : nearest;
        }
        const bool near = !nearest.empty() && distance(name, nearest) <= 1 + name.size() / 3;
        faults.push_back({path, "is not a known field", near ? fmt::format("Did you mean \"{}\"?", nearest) : "Known here: " + all + '.'});
    }

    void checkArray(const Json& value, const Json& rule, const std::string& path)
    {
        if (value.size() < rule.value("minItems", std::size_t{0}))
            fault(path, fmt::format("needs at least {}, has {}", rule["minItems"].get<int>(), value.size()), rule);
        if (value.size() > rule.value("maxItems", value.size()))
            fault(path, fmt::format("may have at most {}, has {}", rule["maxItems"].get<int>(), value.size()), rule);
        if (rule.value("uniqueItems", false))
            for (std::size_t i = 1; i < value.size(); ++i)
                if (const auto end = value.begin() + static_cast<std::ptrdiff_t>(i); std::find(value.begin(), end, value[i]) != end)
                    fault(fmt::format("{}[{}]", path, i), fmt::format("{} appears twice", encode(value[i])), rule, "Keep one of the two.");
        if (rule.contains("items"))
            for (std::size_t i = 0; i < value.size(); ++i)
                check(value[i], rule["items"], fmt::format("{}[{}]", path, i));
    }

    void checkText(const std::string& text, const Json& rule, const std::string& path)
    {
        if (text.size() < rule.value("minLength", std::size_t{0}))
            fault(path, "is empty", rule);
        else if (text.size() > rule.value("maxLength", text.size())) // also so that a regular expression does not overflow the stack
            fault(path, fmt::format("has {} characters; the limit is {}", text.size(), rule["maxLength"].get<int>()), rule);
        else if (rule.contains("pattern") && !std::regex_search(text, regexOf(rule["pattern"].get_ref<const std::string&>())))
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

    const Json& root_;
};

} // namespace

std::vector<SchemaFault> checkSchema(const Json& value, const Json& schema)
{
    Checker checker(schema);
    checker.check(value, schema, {});
    return std::move(checker.faults);
}

} // namespace kl
