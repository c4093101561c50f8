// SPDX-License-Identifier: MIT
#include "sessions/session/own_template.h"

#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json.h"
#include "sessions/session/session_template.h"
#include "sessions/session/template_library.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline session {
namespace {

/// A file of that name, and a word on the command line.
bool isName(const std::string& text)
{
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

} // namespace

Status saveOwnTemplate(const std::string& kind, const std::string& as, const std::map<std::string, double>& thresholds)
{
    if (!isName(as))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("\"{}\" cannot be the name of a kind.", as),
                     .hint = "Use letters, digits, - and _.",
                     .where = "kind"};
    std::filesystem::path file = ownTemplatesFolder() / (as + ".json");
    for (const KindRow& row : sessionKinds()) {
        if (row.kind == as && !row.own)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{} is a built-in kind, which cannot be changed.", as),
                         .hint = "Save it under another name.",
                         .where = as};
        if (row.kind == as)
            file = row.where;
    }
    KL_ASSIGN(const std::string text, templateText(kind));
    KL_ASSIGN(Json plan, parseJson(text, kind));
    plan["kind"] = as;
    for (const auto& [name, value] : thresholds)
        plan["thresholds"][name] = value;
    const std::string changed = encodePretty(plan) + "\n";
    KL_ASSIGN(const SessionTemplate read, parseTemplate(changed, file.string()));
    if (const std::string unknown = unknownThreshold(read); !unknown.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("There is no threshold \"{}\".", unknown),
                     .hint = "Take those of the kind.",
                     .where = unknown};
    std::error_code trouble;
    std::filesystem::create_directories(file.parent_path(), trouble);
    return writeFile(file, changed);
}

} // namespace kl::inline session
