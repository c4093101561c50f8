// SPDX-License-Identifier: MIT
#include "core/codec/json_positions.h"

#include "core/codec/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// Bytes of a mark of UTF-8 at the beginning: editors show none and count none.
std::size_t offsetAfterMark(std::string_view text)
{
    constexpr std::string_view mark = "\xef\xbb\xbf";
    return text.starts_with(mark) ? mark.size() : 0;
}

} // namespace

TextPosition positionAt(std::string_view text, std::size_t offset)
{
    const std::size_t mark = offsetAfterMark(text);
    const std::string_view before = text.substr(mark, std::max(std::min(offset, text.size()), mark) - mark);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const auto start = before.rfind('\n');
    return {1 + static_cast<int>(lines), 1 + static_cast<int>(start == std::string_view::npos ? before.size() : before.size() - start - 1)};
}

JsonPositions::JsonPositions(std::string_view text) : text_(text), at_(offsetAfterMark(text)), counted_(at_)
{
    places_[{}] = {};
    value({});
}

TextPosition JsonPositions::of(const std::string& path) const
{
    for (std::string part = path;; part.erase(part.find_last_of(".[") == std::string::npos ? 0 : part.find_last_of(".[")))
        if (const auto found = places_.find(part); found != places_.end())
            return found->second;
}

std::optional<TextPosition> JsonPositions::at(const std::string& path) const
{
    const auto found = places_.find(path);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
}

TextPosition JsonPositions::findPosition(std::size_t offset)
{
    for (; counted_ < offset; ++counted_)
        reached_ = text_[counted_] == '\n' ? TextPosition{reached_.line + 1, 1} : TextPosition{reached_.line, reached_.column + 1};
    return reached_;
}

char JsonPositions::next()
{
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
}

std::string JsonPositions::text()
{
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"')
        at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    const std::string_view raw = text_.substr(begin, at_++ - begin);
    if (raw.find('\\') == std::string_view::npos)
        return std::string(raw);
    const Json plain = Json::parse('"' + std::string(raw) + '"', nullptr, false);
    return plain.is_string() ? plain.get<std::string>() : std::string(raw);
}

void JsonPositions::value(const std::string& path)
{
    switch (next()) {
    case '{': return object(path);
    case '[': return array(path);
    case '"': text(); return;
    default: at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    }
}

void JsonPositions::object(const std::string& path)
{
    ++at_;
    while (next() == '"') {
        const std::size_t begin = at_;
        const std::string name = text();
        const std::string here = path.empty() ? name : path + '.' + name;
        if (!places_.insert_or_assign(here, findPosition(begin)).second)
            duplicates_.push_back(here);
        if (next() == ':')
            ++at_;
        value(here);
        if (next() == ',')
            ++at_;
    }
    ++at_;
}

void JsonPositions::array(const std::string& path)
{
    ++at_;
    for (int index = 0; next() != ']' && next() != '\0'; ++index) {
        const std::string here = fmt::format("{}[{}]", path, index);
        const std::size_t begin = at_;
        places_.emplace(here, findPosition(begin));
        value(here);
        if (next() == ',')
            ++at_;
        if (at_ == begin) // no value at all: not JSON
            return;
    }
    ++at_;
}

} // namespace kl
