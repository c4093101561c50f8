// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"
#include "core/codec/step_codec.h"

#include <array>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// One declaration of a struct's JSON shape serves both directions:
///
///     template <class V> void fields(V& v, Timing& t) { v("gpu_ns", t.gpu); v("host_ns", t.host); }
///
/// Writing: an empty optional is null. Reading: a key that is absent keeps the member's default (fields are added, never
/// renamed; a word in one may be, by renamed()), a key of the wrong type is an error that names its path. Enums list their words in
/// enumWords(). Include this header in .cpp files and in the *_fields.h headers only.
namespace kl::fields_detail {

struct BadField : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A word that earlier versions wrote, and what it is called now.
struct OldWord {
    std::string_view before;
    std::string_view now;
};

template <class T> Json writeValue(const T& value);
template <class T> void readValue(const Json& json, T& value, const std::string& path);

struct Writer {
    Json& out;
    template <class T> void operator()(const char* name, const T& value) { out[name] = writeValue(value); }
    /// What to do next; a key only where there is something.
    void steps(const char* name, const std::vector<NextStep>& steps)
    {
        if (!steps.empty())
            out[name] = stepsToJson(steps);
    }
    void renamed(const char* name, const std::string& word, const OldWord& /*old*/) { out[name] = word; }
    /// A member with no place in the JSON object itself: its fields are written among those of the owner.
    template <class T> void inlineFields(T& value) { fields(*this, value); }
};

struct Reader {
    const Json& in;
    const std::string& path;
    template <class T> void operator()(const char* name, T& value)
    {
        const auto found = in.find(name);
        if (found != in.end())
            readValue(*found, value, path.empty() ? std::string(name) : path + '.' + name);
    }
    void steps(const char* name, std::vector<NextStep>& steps)
    {
        if (const auto found = in.find(name); found != in.end())
            steps = stepsFromJson(*found);
    }
    /// A word that may have the name of an earlier version.
    void renamed(const char* name, std::string& word, const OldWord& old)
    {
        (*this)(name, word);
        if (word == old.before)
            word = old.now;
    }
    template <class T> void inlineFields(T& value) { fields(*this, value); }
};

template <class T> struct IsVector : std::false_type {
};
template <class T> struct IsVector<std::vector<T>> : std::true_type {
};
template <class T> struct IsMap : std::false_type {
};
template <class T> struct IsMap<std::map<std::string, T>> : std::true_type {
};
template <class T> struct IsOptional : std::false_type {
};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {
};
template <class T> struct IsVariant : std::false_type {
};
template <class... T> struct IsVariant<std::variant<T...>> : std::true_type {
};

template <class T> Json writeValue(const T& value)
{
    if constexpr (IsOptional<T>::value) {
        return value ? writeValue(*value) : Json(nullptr);
    } else if constexpr (IsVector<T>::value) {
        Json array = Json::array();
        for (const auto& item : value)
            array.push_back(writeValue(item));
        return array;
    } else if constexpr (IsMap<T>::value) {
        Json::object_t object; // its own emplace and operator[] look for the key among all before, which a map need not
        object.reserve(value.size());
        for (const auto& [key, item] : value)
            object.emplace_back(key, writeValue(item));
        return Json(std::move(object));
    } else if constexpr (IsVariant<T>::value) {
        return std::visit([](const auto& held) { return Json(held); }, value);
    } else if constexpr (std::is_enum_v<T>) {
        for (const auto& [item, word] : enumWords(T{}))
            if (item == value)
                return Json(word);
        return Json(nullptr);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, Json>) {
        return Json(value);
    } else {
        Json object = Json::object();
        object.get_ref<Json::object_t&>().reserve(12); // growing copies every member that is there
        Writer writer{object};
        fields(writer, const_cast<T&>(value)); // Writer only reads; one declaration serves both directions.
        return object;
    }
}

[[noreturn]] inline void bad(const std::string& path, const char* expected, const Json& got)
{
    throw BadField(fmt::format("field \"{}\" should be {}, found {}", path, expected, got.type_name()));
}

template <class T> void readValue(const Json& json, T& value, const std::string& path)
{
    if constexpr (std::is_same_v<T, Json>) {
        value = json;
    } else if constexpr (IsOptional<T>::value) {
        if (json.is_null()) {
            value.reset();
        } else {
            typename T::value_type held{};
            readValue(json, held, path);
            value = std::move(held);
        }
    } else if constexpr (IsVector<T>::value) {
        if (!json.is_array())
            bad(path, "a list", json);
        value.clear();
        for (std::size_t i = 0; i < json.size(); ++i) {
            typename T::value_type item{};
            readValue(json[i], item, fmt::format("{}[{}]", path, i));
            value.push_back(std::move(item));
        }
    } else if constexpr (IsMap<T>::value) {
        if (!json.is_object())
            bad(path, "an object", json);
        value.clear();
        for (const auto& [key, item] : json.items())
            readValue(item, value[key], path + '.' + key);
    } else if constexpr (IsVariant<T>::value) {
        if (json.is_number_integer())
            value = json.get<std::int64_t>();
        else if (json.is_string())
            value = json.get<std::string>();
        else
            bad(path, "an integer or a string", json);
    } else if constexpr (std::is_enum_v<T>) {
        for (const auto& [item, word] : enumWords(T{}))
            if (json.is_string() && json.get_ref<const std::string&>() == word) {
                value = item;
                return;
            }
        bad(path, "one of its known values", json);
    } else if constexpr (std::is_same_v<T, bool>) {
        if (!json.is_boolean())
            bad(path, "true or false", json);
        value = json.get<bool>();
    } else if constexpr (std::is_integral_v<T>) {
        if (!json.is_number_integer())
            bad(path, "an integer", json);
        value = json.get<T>();
    } else if constexpr (std::is_floating_point_v<T>) {
        if (!json.is_number())
            bad(path, "a number", json);
        value = json.get<T>();
    } else if constexpr (std::is_same_v<T, std::string>) {
        if (!json.is_string())
            bad(path, "a text", json);
        value = json.get<std::string>();
    } else {
        if (!json.is_object())
            bad(path.empty() ? "(whole)" : path, "an object", json);
        Reader reader{json, path};
        fields(reader, value);
    }
}

} // namespace kl::fields_detail

namespace kl {

/// JSON of any struct that has fields().
template <class T> Json toJson(const T& value)
{
    return fields_detail::writeValue(value);
}

/// A struct from JSON. Error badInput names the field and what was expected; `where` names the origin.
template <class T> Result<T> fromJson(const Json& json, std::string_view where)
{
    try {
        T value{};
        fields_detail::readValue(json, value, {});
        return value;
    } catch (const std::exception& problem) {
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{}: {}.", where, problem.what()),
                     .hint = "The data may come from another version of KernelLoop, or be damaged.",
                     .where = std::string(where)};
    }
}

} // namespace kl
