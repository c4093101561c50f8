// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/explain.h"

#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "sessions/session/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {

namespace {

/// An error with what the command line alone can do about it.
Error onTheCommandLine(Error error)
{
    if (error.code == ErrorCode::needsConsent)
        error.hint += " Repeat this command with --trust, or allow it by itself.";
    else if (error.code == ErrorCode::notRecorded && error.next.empty()) // else it is recorded under another name
        error.hint += " Use --on local (this machine) or --on ssh:HOST.";
    return error;
}

/// Or a gate. Other refusals name the kernel or file that they are about.
bool isRule(const std::string& where)
{
    return std::ranges::any_of(rules(), [&](const Rule& rule) { return rule.id == where; }) || (where.size() == 2 && where.front() == 'G');
}

} // namespace

int explain(const Error& reported, bool json, const Json& more)
{
    const Error error = onTheCommandLine(reported);
    say("kloop: {}\n", error.message);
    if (error.code == ErrorCode::refused && isRule(error.where))
        say("Rule: {}\n", error.where);
    if (const std::string hint = withCommands(error.hint, error.next); !hint.empty())
        say("{}\n", hint);
    if (!error.detail.empty())
        say("\n{}\n", error.detail);
    if (json) {
        Json answer = errorToJson(error);
        for (const auto& [key, value] : more.items())
            answer[key] = value;
        addStepCommands(answer);
        printJson(encodePretty(answer));
    }
    return exitCode(error.code);
}

int explain(const Error& error, bool json)
{
    return explain(error, json, Json::object());
}

int explain(const std::exception& thrown, bool json)
{
    return explain(Error{.code = ErrorCode::internal, .message = thrown.what(), .hint = "Please report this."}, json);
}

} // namespace kl::cli
