// SPDX-License-Identifier: MIT
#include "core/model/params.h"

#include "core/base/try.h"

#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <vector>

namespace kl {
namespace {

Error badPart(std::string_view part, std::string_view whole, const char* expected)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("\"{}\" in \"{}\" is not {}.", part, whole, expected),
            .hint = "Write sizes and tunables as NAME=VALUE,NAME=VALUE and kernels as family/variant.",
            .where = std::string(whole)};
}

bool isName(std::string_view text)
{
    if (text.empty())
        return false;
    for (const char c : text)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' && c != '+' && c != '.')
            return false;
    return true;
}

ParamValue parseValue(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status == std::errc{} && end == text.data() + text.size())
        return number;
    return std::string(text);
}

} // namespace

std::string toText(const Params& params)
{
    std::string text;
    for (const auto& [name, value] : params) {
        if (!text.empty())
            text += ',';
        text += name + '=';
        text += std::holds_alternative<std::int64_t>(value) ? std::to_string(std::get<std::int64_t>(value)) : std::get<std::string>(value);
    }
    return text;
}

Result<Params> parseParams(std::string_view text)
{
    Params params;
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        const auto equals = part.find('=');
        if (equals == std::string_view::npos || !isName(part.substr(0, equals)) || !isName(part.substr(equals + 1)))
            return badPart(part, text, "NAME=VALUE");
        if (!params.emplace(part.substr(0, equals), parseValue(part.substr(equals + 1))).second)
            return badPart(part, text, "given only once");
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        if (comma != std::string_view::npos && rest.empty())
            return badPart("", text, "NAME=VALUE");
    }
    return params;
}

const std::int64_t* numberIn(const Params& params, const std::string& name)
{
    const auto found = params.find(name);
    return found == params.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
}

std::string toText(const Address& address)
{
    std::string text = address.family;
    if (!address.variant.empty())
        text += '/' + address.variant;
    if (!address.tunables.empty())
        text += '@' + toText(address.tunables);
    return text;
}

Result<Address> parseAddress(std::string_view text)
{
    Address address;
    const auto at = text.find('@');
    const std::string_view name = text.substr(0, at);
    if (at != std::string_view::npos) {
        KL_ASSIGN(Params tunables, parseParams(text.substr(at + 1)));
        if (tunables.empty())
            return badPart("@", text, "followed by tunables");
        address.tunables = std::move(tunables);
    }
    const auto slash = name.find('/');
    address.family = name.substr(0, slash);
    if (slash != std::string_view::npos)
        address.variant = name.substr(slash + 1);
    if (!isName(address.family) || (slash != std::string_view::npos && !isName(address.variant)))
        return badPart(name, text, "a kernel name, family/variant");
    return address;
}

} // namespace kl
