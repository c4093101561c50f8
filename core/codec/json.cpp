// SPDX-License-Identifier: MIT
#include "core/codec/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

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
    try {
        return Json::parse(text);
    } catch (const Json::exception& problem) {
        return Error{ErrorCode::badInput, fmt::format("{} is not valid JSON.", where), "Check that the file is complete.",
                     std::string(where), problem.what()};
    }
}

Json errorToJson(const Error& error)
{
    Json body{{"code", toString(error.code)}, {"message", error.message}, {"hint", error.hint}, {"where", error.where}};
    if (!error.detail.empty())
        body["detail"] = error.detail;
    return Json{{"error", std::move(body)}};
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
