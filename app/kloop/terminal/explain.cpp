// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/explain.h"

#include "app/kloop/terminal/streams.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

int explain(const Error& error, bool json, const Json& more)
{
    say("kloop: {}\n", error.message);
    if (error.code == ErrorCode::refused && !error.where.empty())
        say("Rule: {}\n", error.where);
    if (!error.hint.empty())
        say("{}\n", error.hint);
    if (!error.detail.empty())
        say("\n{}\n", error.detail);
    if (json) {
        Json answer = errorToJson(error);
        for (const auto& [key, value] : more.items())
            answer[key] = value;
        printJson(encodePretty(answer));
    }
    return exitCode(error.code);
}

int explain(const Error& error, bool json)
{
    return explain(error, json, Json::object());
}

} // namespace kl
