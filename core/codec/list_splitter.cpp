// SPDX-License-Identifier: MIT
#include "core/codec/list_splitter.h"

#include <algorithm>
#include <utility>

namespace kl {
namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool opens(char c)
{
    return c == '{' || c == '[';
}

bool closes(char c)
{
    return c == '}' || c == ']';
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

} // namespace

bool ListSplitter::wrong(const char* what)
{
    fault_ = what;
    return false;
}

bool ListSplitter::keep(std::string& text, char c)
{
    if (text.size() >= most_)
        return wrong(&text == &item_ ? "an item of the list is too large" : "the text around the list is too large");
    text += c;
    return true;
}

/// Whether c belongs to a text in quotes, its quotes included.
bool ListSplitter::takeQuoted(char c)
{
    if (!inString_) {
        inString_ = c == '"';
        return inString_;
    }
    if (escaped_)
        escaped_ = false;
    else if (c == '\\')
        escaped_ = true;
    else if (c == '"')
        inString_ = false;
    return true;
}

bool ListSplitter::around(char c)
{
    const bool inside = inString_;
    if (takeQuoted(c)) {
        if (!inside)
            key_.clear();
        else if (inString_ && depth_ == 1 && key_.size() <= member_.size())
            key_ += c;
        return keep(rest_, c);
    }
    if (opens(c)) {
        ++depth_;
        if (c == '[' && depth_ == 2 && key_ == member_) {
            listSeen_ = true;
            in_ = In::betweenItems;
            comma_ = Comma::none;
        }
    } else if (closes(c)) {
        if (depth_ == 0)
            return wrong("a bracket is closed that was not opened");
        --depth_;
    } else if (c == ',' && depth_ == 1) {
        key_.clear();
    }
    return keep(rest_, c);
}

bool ListSplitter::betweenItems(char c)
{
    if (isSpace(c))
        return true;
    if (c == ']' && comma_ != Comma::seen) {
        in_ = In::around;
        depth_ = 1;
        key_.clear();
        return keep(rest_, c);
    }
    if ((c == ',') != (comma_ == Comma::neededNext) || closes(c))
        return wrong("a comma is missing or superfluous in the list");
    if (c == ',') {
        comma_ = Comma::seen;
        return true;
    }
    in_ = In::item;
    return inItem(c);
}

bool ListSplitter::endItem()
{
    in_ = In::betweenItems;
    comma_ = Comma::neededNext;
    return take_(std::exchange(item_, {}));
}

bool ListSplitter::inItem(char c)
{
    if (takeQuoted(c))
        return keep(item_, c);
    if (depth_ == 2 && (c == ',' || closes(c))) // the end of an item without brackets
        return endItem() && betweenItems(c);
    if (opens(c))
        ++depth_;
    else if (closes(c) && --depth_ == 2)
        return keep(item_, c) && endItem();
    return keep(item_, c);
}

bool ListSplitter::step(char c)
{
    switch (in_) {
    case In::head:
        if (rest_.size() < kByteOrderMark.size() && kByteOrderMark[rest_.size()] == c)
            return keep(rest_, c);
        if (!isSpace(c) && c != '{')
            return wrong("it does not start with a brace");
        if (c == '{')
            in_ = In::around;
        return around(c);
    case In::around: return around(c);
    case In::betweenItems: return betweenItems(c);
    case In::item: return inItem(c);
    }
    return false;
}

/// Keeps the characters of an item that have no meaning, nearly all of a text, at once. How many these are.
std::size_t ListSplitter::keepPlain(std::string_view text)
{
    if (in_ != In::item || escaped_)
        return 0;
    const auto means = [inside = inString_](char c) { return c == '"' || (inside ? c == '\\' : c == ',' || opens(c) || closes(c)); };
    const auto end = std::ranges::find_if(text, means);
    const auto count = std::min(static_cast<std::size_t>(end - text.begin()), most_ - item_.size());
    item_ += text.substr(0, count);
    return count;
}

bool ListSplitter::feed(std::string_view text)
{
    while (fault_.empty() && !text.empty()) {
        text.remove_prefix(keepPlain(text));
        if (text.empty())
            return true;
        if (!step(text.front()))
            return false;
        text.remove_prefix(1);
    }
    return fault_.empty();
}

bool ListSplitter::finish()
{
    if (!fault_.empty())
        return false;
    return depth_ == 0 && in_ == In::around ? true : wrong("it is truncated");
}

} // namespace kl
