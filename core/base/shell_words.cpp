// SPDX-License-Identifier: MIT
#include "core/base/shell_words.h"

#include <cctype>

namespace kl {

Result<std::vector<std::string>> splitShellLine(std::string_view line)
{
    std::vector<std::string> words;
    std::string word;
    bool inside = false; // a word has begun; it may be empty: ''
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool last = i + 1 == line.size();
        if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
            if (inside)
                words.push_back(std::move(word));
            word.clear();
            inside = false;
            continue;
        }
        inside = true;
        if (c == quote)
            quote = 0;
        else if (quote == 0 && (c == '\'' || c == '"'))
            quote = c;
        else if (c == '\\' && !last && (quote == 0 || (quote == '"' && (line[i + 1] == '"' || line[i + 1] == '\\'))))
            word += line[++i];
        else
            word += c;
    }
    if (quote != 0)
        return Error{.code = ErrorCode::badInput,
                     .message = std::string("A quote (") + quote + ") is not closed.",
                     .hint = "Close it, or put a backslash before it.",
                     .where = std::string(line)};
    if (inside)
        words.push_back(std::move(word));
    return words;
}

} // namespace kl
