// SPDX-License-Identifier: MIT
#include "core/codec/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace kl {
namespace {

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
            const auto known = members.find(name);
            if (known != members.end()) {
                next_ = &known->second;
                return true;
            }
        }
        if (members.size() == members.capacity())
            grow(members);
        next_ = &members.emplace_back(std::move(name), nullptr).second;
        return true;
    }

    bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const Json::exception& problem)
    {
        problem_ = problem.what();
        return false;
    }

    const std::string& problem() const { return problem_; }

private:
    struct Level {
        Json* container;
        bool ascending = true; ///< every name so far comes after the one before it, so that none can be there twice
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
    std::string problem_;
};

} // namespace

std::string encode(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string encodePretty(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<Json> parseJson(std::string_view text, std::string_view where)
{
    Json value;
    JsonBuilder builder(value);
    if (!Json::sax_parse(text, &builder))
        return Error{ErrorCode::badInput, fmt::format("{} is not valid JSON.", where), "Check that the file is complete.",
                     std::string(where), builder.problem()};
    return value;
}

Json errorToJson(const Error& error)
{
    Json body{{"code", toString(error.code)}, {"message", error.message}, {"hint", error.hint}, {"where", error.where}};
    if (!error.detail.empty())
        body["detail"] = error.detail;
    return Json{{"schema", "kernelloop.error/1"}, {"error", std::move(body)}};
}

Error errorFromJson(const Json& json)
{
    const Json& body = json.contains("error") ? json["error"] : json;
    const auto text = [&](const char* key) {
        return body.contains(key) && body[key].is_string() ? body[key].get<std::string>() : std::string();
    };
    return {errorCodeFrom(text("code")), text("message"), text("hint"), text("where"), text("detail")};
}

} // namespace kl
