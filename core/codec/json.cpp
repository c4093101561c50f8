// SPDX-License-Identifier: MIT
#include "core/codec/json.h"

#include "core/base/file_command.h"
#include "core/codec/json_positions.h"
#include "core/codec/json_reader.h"
#include "core/codec/step_codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

template class nlohmann::basic_json<nlohmann::ordered_map>; // see compiled_json.h

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
    Json value;
    const std::optional<JsonFault> fault = readJson(text, value);
    if (!fault)
        return value;
    const TextPosition place = positionAt(text, fault->offset);
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("{} is not valid JSON.", where),
                 .hint = "Check that the file is complete.",
                 .where = std::string(where),
                 .detail = fmt::format("line {}, column {}: {}", place.line, place.column, fault->message)};
}

Json errorToJson(const Error& error)
{
    Json body{{"code", toString(error.code)}, {"message", error.message}, {"hint", error.hint}, {"where", error.where}};
    if (!error.detail.empty())
        body["detail"] = error.detail;
    if (error.command) {
        body["file"] = error.command->file;
        body["hash"] = error.command->hash;
        body["command"] = error.command->command;
        body["folder"] = error.command->folder;
        body["files"] = error.command->files;
    }
    if (!error.next.empty())
        body["next_steps"] = stepsToJson(error.next);
    return Json{{"schema", "kernelloop.error/1"}, {"error", std::move(body)}};
}

Error errorFromJson(const Json& json)
{
    const Json& body = json.contains("error") ? json["error"] : json;
    const auto text = [&](const char* key) {
        return body.contains(key) && body[key].is_string() ? body[key].get<std::string>() : std::string();
    };
    Error error{.code = errorCodeFrom(text("code")),
                .message = text("message"),
                .hint = text("hint"),
                .where = text("where"),
                .detail = text("detail")};
    if (const auto steps = body.find("next_steps"); steps != body.end())
        error.next = stepsFromJson(*steps);
    return error;
}

} // namespace kl
