// SPDX-License-Identifier: MIT
#include "core/codec/json_list.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr std::string_view kIndent = "    "; // of an item of a list that is a member

} // namespace

std::string encodePrettyItem(const Json& item)
{
    const std::string text = encodePretty(item); // a text in it has no line breaks of its own: they are escaped
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    std::string indented(kIndent);
    indented.reserve(text.size() + (lines + 1) * kIndent.size());
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
        indented.append(text, from, end - from);
        if (text[end - 1] == '\n')
            indented += kIndent;
        from = end;
    }
    return indented;
}

std::vector<std::string> encodePrettyAround(const Json& whole, const std::string& name, std::vector<std::string> items)
{
    const std::string text = encodePretty(whole);
    const std::string member = "\n  " + encode(Json(name)) + ": [";
    const std::size_t at = text.find(member) + member.size(); // the first of this indentation: those in other members have more
    std::vector<std::string> pieces{text.substr(0, at)};
    for (std::string& item : items) {
        pieces.emplace_back(&item == &items.front() ? "\n" : ",\n");
        pieces.push_back(std::move(item));
    }
    pieces.push_back((items.empty() ? "" : "\n  ") + text.substr(at));
    return pieces;
}

} // namespace kl
