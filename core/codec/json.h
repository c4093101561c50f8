// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace kl {

/// Object with keys in order of insertion: answers read as they were written.
using Json = nlohmann::ordered_json;

/// One line of JSON. NaN and Inf become null, bad UTF-8 is replaced: never throws.
std::string encode(const Json& json);

/// The same over several lines, two spaces of indentation.
std::string encodePretty(const Json& json);

/// Parses a text. Error badInput carries the position; `where` names the origin (a file or stream) for the message.
Result<Json> parseJson(std::string_view text, std::string_view where);

/// The `{error: {code, message, hint, where, next_steps}}` answer.
Json errorToJson(const Error& error);

/// Inverse of errorToJson, for the worker's answers.
Error errorFromJson(const Json& json);

} // namespace kl
