// SPDX-License-Identifier: MIT
#include "core/codec/json_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kl {
namespace {

/// The library's messages begin with its own code and position: "[json.exception.parse_error.101] parse error at line 3, column 5: ".
std::string withoutPrefix(std::string message)
{
    if (const auto code = message.find("] "); message.starts_with('[') && code != std::string::npos)
        message.erase(0, code + 2);
    if (const auto colon = message.find(": "); message.starts_with("parse error at") && colon != std::string::npos)
        message.erase(0, colon + 2);
    return message;
}

/// Where a text, which is JSON as far as there, opens one level too many.
std::size_t tooDeepAt(std::string_view text)
{
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            while (++at < text.size() && text[at] != '"')
                at += text[at] == '\\' ? 1 : 0;
        } else if (c == ']' || c == '}') {
            --depth;
        } else if ((c == '[' || c == '{') && ++depth > kMaxJsonDepth) {
            return at;
        }
    }
    return 0;
}

/// Makes the value of a text. The library's own way looks for each name among all before it and copies an object whenever it grows: a
/// run's metrics would take seconds by the thousand.
class JsonBuilder {
public:
    explicit JsonBuilder(Json& root) : next_(&root) {}

    bool null() { return put(nullptr); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(std::int64_t value) { return put(value); }
    bool number_unsigned(std::uint64_t value) { return put(value); }
    bool number_float(double value, const std::string& /*text*/) { return put(value); }
    bool string(std::string& value) { return put(std::move(value)); }
    bool binary(Json::binary_t& value) { return put(std::move(value)); }
    bool start_object(std::size_t /*size*/) { return open(Json::object()); }
    bool start_array(std::size_t /*size*/) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name)
    {
        Level& level = levels_.back();
        auto& members = level.container->get_ref<Json::object_t&>();
        level.ascending = level.ascending && (members.empty() || members.back().first < name);
        if (!level.ascending) { // of two that are alike the latter counts
            if (const std::optional<std::size_t> known = level.find(members, name)) {
                next_ = &(members.begin() + static_cast<std::ptrdiff_t>(*known))->second;
                return true;
            }
        }
        if (members.size() == members.capacity())
            grow(members);
        next_ = &members.emplace_back(std::move(name), nullptr).second;
        return true;
    }

    bool parse_error(std::size_t position, const std::string& /*token*/, const Json::exception& problem)
    {
        fault_ = {position > 0 ? position - 1 : 0, withoutPrefix(problem.what())};
        return false;
    }

    const JsonFault& fault() const { return fault_; }

private:
    struct Level {
        Json* container;
        bool ascending = true; ///< every name so far comes after the one before it, so that none can be there twice
        std::unordered_map<std::string, std::size_t> places{}; ///< of the members so far, as of the last find()

        std::optional<std::size_t> find(const Json::object_t& members, const std::string& name)
        {
            for (std::size_t i = places.size(); i < members.size(); ++i)
                places.emplace((members.begin() + static_cast<std::ptrdiff_t>(i))->first, i);
            const auto found = places.find(name);
            return found == places.end() ? std::nullopt : std::optional(found->second);
        }
    };

    static void grow(Json::object_t& members)
    {
        Json::object_t larger;
        larger.reserve(std::max<std::size_t>(4, 2 * members.size()));
        for (auto& [name, value] : members)
            larger.emplace_back(name, std::move(value));
        members.swap(larger);
    }

    template <class T> bool put(T&& value)
    {
        place() = std::forward<T>(value);
        return true;
    }

    bool open(Json container)
    {
        if (levels_.size() == kMaxJsonDepth)
            return false;
        Json& here = place();
        here = std::move(container);
        levels_.push_back({&here});
        return true;
    }

    bool close()
    {
        levels_.pop_back();
        return true;
    }

    /// Where the next value goes.
    Json& place()
    {
        const bool inArray = !levels_.empty() && levels_.back().container->is_array();
        return inArray ? levels_.back().container->get_ref<Json::array_t&>().emplace_back() : *next_;
    }

    Json* next_;
    std::vector<Level> levels_;
    JsonFault fault_;
};

} // namespace

std::optional<JsonFault> readJson(std::string_view text, Json& value)
{
    JsonBuilder builder(value);
    if (Json::sax_parse(text, &builder))
        return {};
    if (builder.fault().message.empty()) // the builder stopped by itself
        return JsonFault{tooDeepAt(text), fmt::format("more than {} nested brackets", kMaxJsonDepth)};
    return builder.fault();
}

} // namespace kl
