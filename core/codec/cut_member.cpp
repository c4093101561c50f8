// SPDX-License-Identifier: MIT
#include "core/codec/cut_member.h"

#include <algorithm>

namespace kl {
namespace {

/// A place in a text of JSON. The end of the text ends every value.
class Scanner {
public:
    explicit Scanner(std::string_view json) : json_(json) {}

    std::size_t place() const { return at_; }

    /// From an object to the value of a member. False: this is not an object, or it has none of this name.
    bool enter(std::string_view name)
    {
        if (!take('{'))
            return false;
        while (next() == '"') {
            const std::size_t begin = at_ + 1;
            skipText();
            const bool found = json_.substr(begin, at_ - begin - 1) == name;
            if (!take(':'))
                return false;
            next();
            if (found)
                return true;
            skipValue();
            if (!take(','))
                return false;
        }
        return false;
    }

    void skipValue()
    {
        if (next() == '"')
            return skipText();
        int depth = 0;
        for (; at_ < json_.size(); ++at_) {
            switch (json_[at_]) {
            case '"':
                skipText();
                --at_;
                break;
            case '{':
            case '[': ++depth; break;
            case '}':
            case ']':
                if (depth == 0) // that of what the value is in
                    return;
                if (--depth == 0) {
                    ++at_;
                    return;
                }
                break;
            case ',':
                if (depth == 0)
                    return;
                break;
            default: break;
            }
        }
    }

private:
    /// The next character that is not white space, which is where the scanner is then; '\0' at the end.
    char next()
    {
        at_ = std::min(json_.find_first_not_of(" \t\r\n", at_), json_.size());
        return at_ < json_.size() ? json_[at_] : '\0';
    }

    bool take(char wanted)
    {
        const bool there = next() == wanted;
        at_ += there ? 1 : 0;
        return there;
    }

    /// From a quote to after the one that closes it: the next with an even number of backslashes before it.
    void skipText()
    {
        do {
            at_ = json_.find('"', at_ + 1);
            if (at_ == std::string_view::npos) {
                at_ = json_.size();
                return;
            }
        } while ((at_ - 1 - json_.find_last_not_of('\\', at_ - 1)) % 2 == 1);
        ++at_;
    }

    std::string_view json_;
    std::size_t at_ = 0;
};

} // namespace

std::string cutMember(std::string_view json, std::initializer_list<std::string_view> path)
{
    Scanner scanner(json);
    for (const std::string_view name : path)
        if (!scanner.enter(name))
            return std::string(json);
    const std::size_t begin = scanner.place();
    scanner.skipValue();
    std::string cut(json.substr(0, begin));
    cut += "null";
    cut += json.substr(scanner.place());
    return cut;
}

} // namespace kl
