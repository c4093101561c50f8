// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/ptx_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kl::inline live {
namespace {

bool isSpace(char c)
{
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// Lines without comments and module directives; a .loc becomes a statement.
std::string withoutDirectives(std::string_view text)
{
    constexpr std::array<std::string_view, 6> kLines{".file", ".pragma", ".version", ".target", ".address_size", ".section"};
    std::string out;
    for (std::string_view line : splitOn(text, '\n')) {
        line = trimText(line.substr(0, line.find("//")));
        if (std::any_of(kLines.begin(), kLines.end(), [&](std::string_view word) { return line.starts_with(word); }))
            continue;
        out.append(line).append(line.starts_with(".loc") ? ";\n" : "\n");
    }
    return out;
}

} // namespace

std::vector<std::string_view> splitOn(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::string_view firstWord(std::string_view text)
{
    text = trimText(text);
    return text.substr(0, text.find_first_of(" \t\n"));
}

std::string lastName(std::string_view text)
{
    text = trimText(text);
    return std::string(text.substr(text.find_last_of(" \t\n") + 1));
}

std::vector<std::string_view> splitOperands(std::string_view text)
{
    std::vector<std::string_view> operands;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        depth += c == '[' || c == '{' || c == '(' ? 1 : c == ']' || c == '}' || c == ')' ? -1 : 0;
        if (c != ',' || (depth > 0 && i < text.size()))
            continue;
        if (const auto one = trimText(text.substr(begin, i - begin)); !one.empty())
            operands.push_back(one);
        begin = i + 1;
    }
    return operands;
}

std::vector<std::string> splitStatements(std::string_view text)
{
    std::vector<std::string> statements;
    std::string one;
    bool hasWords = false;
    for (const char c : withoutDirectives(text)) {
        const bool opensScope = (c == '{' || c == '}') && !hasWords;
        if (opensScope)
            continue;
        if (c == ';') {
            statements.push_back(std::string(trimText(one)));
            one.clear();
            hasWords = false;
            continue;
        }
        // A label ends its line: what follows may open a scope.
        if (c == '\n' && !one.empty() && trimText(one).ends_with(':'))
            hasWords = false;
        else if (!isSpace(c))
            hasWords = true;
        one.push_back(isSpace(c) ? ' ' : c);
    }
    if (!trimText(one).empty())
        statements.push_back(std::string(trimText(one)));
    return statements;
}

bool isSpecialRegister(std::string_view name)
{
    constexpr std::array<std::string_view, 13> kNames{"%tid",      "%ntid",  "%ctaid", "%nctaid", "%laneid", "%warpid",      "%nwarpid",
                                                      "%lanemask", "%clock", "%smid",  "%nsmid",  "%global", "%dynamic_smem"};
    return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view one) { return name.starts_with(one); });
}

std::string_view fileNumber(std::string_view ptx, std::string_view name)
{
    for (std::string_view line : splitOn(ptx, '\n')) {
        line = trimText(line);
        const auto open = line.find('"');
        if (!line.starts_with(".file") || open == std::string_view::npos)
            continue;
        const std::string_view path = line.substr(open + 1, line.find('"', open + 1) - open - 1);
        if (path == name || (path.ends_with(name) && path[path.size() - name.size() - 1] == '/'))
            return firstWord(line.substr(std::string_view(".file").size()));
    }
    return {};
}

PtxEntryText entryText(std::string_view ptx, std::string_view entry)
{
    constexpr std::string_view kKeyword = ".entry ";
    for (auto at = ptx.find(kKeyword); at != std::string_view::npos; at = ptx.find(kKeyword, at + 1)) {
        const std::string_view rest = ptx.substr(at + kKeyword.size());
        if (!rest.starts_with(entry) || rest.size() == entry.size() ||
            std::string_view("(\n ").find(rest[entry.size()]) == std::string_view::npos)
            continue;
        PtxEntryText out;
        out.before = ptx.substr(0, ptx.rfind('\n', at));
        if (const auto other = out.before.find(kKeyword); other != std::string_view::npos) // variables precede the first entry
            out.before = out.before.substr(0, out.before.rfind('\n', other));
        const auto open = rest.find('{');
        if (open == std::string_view::npos)
            return out;
        if (const auto left = rest.find('('); left < open)
            for (const std::string_view param : splitOn(rest.substr(left + 1, rest.rfind(')', open) - left - 1), ','))
                if (!trimText(param).empty())
                    out.params.push_back(lastName(param.substr(0, param.find('['))));
        int depth = 0;
        for (auto i = open; i < rest.size(); ++i) {
            depth += rest[i] == '{' ? 1 : rest[i] == '}' ? -1 : 0;
            if (depth == 0) {
                out.body = rest.substr(open + 1, i - open - 1);
                break;
            }
        }
        return out;
    }
    return {};
}

} // namespace kl::inline live
