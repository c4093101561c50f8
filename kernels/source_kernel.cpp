// SPDX-License-Identifier: MIT
#include "kernels/source_kernel.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace kl::inline kernels {
namespace {

bool isNameLetter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether a text or a character begins at i: not the C of extern "C", and not a separator of digits.
bool beginsLiteral(std::string_view text, std::size_t i)
{
    if (text[i] == '"')
        return text.substr(i, 3) != "\"C\"";
    return text[i] == '\'' && (i == 0 || !isNameLetter(text[i - 1]));
}

/// The source with comments, texts and characters blanked, line ends kept.
std::string blankComments(std::string_view source)
{
    std::string text(source);
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        if (text.compare(i, 2, "//") == 0)
            end = std::min(text.find('\n', i), text.size());
        else if (text.compare(i, 2, "/*") == 0)
            end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
        else if (beginsLiteral(text, i)) {
            for (end = i + 1; end < text.size() && text[end] != text[i] && text[end] != '\n';)
                end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
        }
        if (end == i) {
            i += text.compare(i, 3, "\"C\"") == 0 ? 3 : 1;
            continue;
        }
        for (; i < end; ++i)
            if (text[i] != '\n')
                text[i] = ' ';
    }
    return text;
}

/// Words and single signs.
std::vector<std::string> splitTokens(std::string_view text)
{
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (isNameLetter(text[i]))
            while (end < text.size() && isNameLetter(text[end]))
                ++end;
        if (std::isspace(static_cast<unsigned char>(text[i])) == 0)
            tokens.emplace_back(text.substr(i, end - i));
        i = end;
    }
    return tokens;
}

std::string parseType(const std::vector<std::string>& words)
{
    static constexpr std::array<std::pair<const char*, const char*>, 20> kTypes{
        {{"float", "f32"},        {"double", "f64"},       {"__half", "f16"},       {"half", "f16"},       {"__nv_bfloat16", "bf16"},
         {"nv_bfloat16", "bf16"}, {"int8_t", "i8"},        {"uint8_t", "u8"},       {"int32_t", "i32"},    {"uint32_t", "u32"},
         {"int64_t", "i64"},      {"uint64_t", "u64"},     {"size_t", "u64"},       {"long", "i64"},       {"unsigned long", "u64"},
         {"unsigned", "u32"},     {"unsigned int", "u32"}, {"unsigned char", "u8"}, {"signed char", "i8"}, {"int", "i32"}}};
    std::string text;
    for (const std::string& word : words)
        if (word != "const" && word != "restrict" && word != "__restrict__" && word != "__restrict" && word != "long" && word != "std")
            text += (text.empty() ? "" : " ") + word;
        else if (word == "long" && !text.ends_with("long"))
            text += text.empty() ? "long" : " long";
    for (const auto& [written, type] : kTypes)
        if (text == written)
            return type;
    return {};
}

SourceParameter parseParameter(std::string_view text)
{
    std::vector<std::string> tokens = splitTokens(text.substr(0, text.find('=')));
    SourceParameter parameter;
    parameter.pointer = std::ranges::find(tokens, "*") != tokens.end() || std::ranges::find(tokens, "[") != tokens.end();
    std::erase_if(tokens, [](const std::string& token) {
        return !isNameLetter(token.front()) || std::isdigit(static_cast<unsigned char>(token.front())) != 0;
    });
    const auto star = text.find('*');
    parameter.readOnly = parameter.pointer && text.substr(0, star).find("const") != std::string_view::npos;
    if (tokens.size() > 1) {
        parameter.name = tokens.back();
        tokens.pop_back();
    }
    parameter.type = parseType(tokens);
    return parameter;
}

/// The place of the bracket that closes the one at `open`.
std::size_t findClosing(std::string_view text, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return std::string_view::npos;
}

/// A function whose declaration begins at `at`, behind __global__; unset for what is none.
std::optional<SourceKernel> kernelAt(std::string_view text, std::size_t at)
{
    std::size_t open = text.find('(', at);
    std::string name;
    while (open != std::string_view::npos) {
        std::size_t end = open;
        while (end > at && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0)
            --end;
        std::size_t begin = end;
        while (begin > at && isNameLetter(text[begin - 1]))
            --begin;
        name = text.substr(begin, end - begin);
        if (name != "__launch_bounds__")
            break;
        at = findClosing(text, open);
        open = at == std::string_view::npos ? at : text.find('(', at);
    }
    const std::size_t close = open == std::string_view::npos ? open : findClosing(text, open);
    if (close == std::string_view::npos || name.empty())
        return {};
    SourceKernel kernel;
    kernel.name = name;
    std::string_view list = text.substr(open + 1, close - open - 1);
    while (list.find_first_not_of(" \t\r\n") != std::string_view::npos) {
        const std::size_t comma = std::min(list.find(','), list.size());
        kernel.parameters.push_back(parseParameter(list.substr(0, comma)));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return kernel;
}

} // namespace

std::vector<SourceKernel> kernelsInSource(std::string_view source)
{
    constexpr std::string_view kGlobal = "__global__";
    const std::string text = blankComments(source);
    std::vector<SourceKernel> kernels;
    for (std::size_t at = text.find(kGlobal); at != std::string::npos; at = text.find(kGlobal, at + 1)) {
        const std::size_t from = text.find_last_of(";}", at);
        const std::string before = text.substr(from == std::string::npos ? 0 : from + 1, at - (from == std::string::npos ? 0 : from + 1));
        std::optional<SourceKernel> kernel = kernelAt(text, at + kGlobal.size());
        if (!kernel || before.find("template") != std::string::npos ||
            std::ranges::find(kernels, kernel->name, &SourceKernel::name) != kernels.end())
            continue;
        // Also inside of extern "C" { … }, which is open as long as its braces are.
        const std::size_t block = text.rfind("extern \"C\" {", at);
        const std::string_view inside = block == std::string::npos ? std::string_view() : std::string_view(text).substr(block, at - block);
        kernel->externC = before.find("\"C\"") != std::string::npos || std::ranges::count(inside, '{') > std::ranges::count(inside, '}');
        kernel->line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        kernels.push_back(std::move(*kernel));
    }
    return kernels;
}

std::string kernelText(std::string_view source, const std::string& name)
{
    const std::vector<SourceKernel> kernels = kernelsInSource(source);
    const auto kernel = std::ranges::find(kernels, name, &SourceKernel::name);
    if (kernel == kernels.end())
        return {};
    const std::string text = blankComments(source);
    std::size_t begin = 0;
    for (int line = 1; line < kernel->line; ++line)
        begin = text.find('\n', begin) + 1;
    int depth = 0;
    const std::size_t open = text.find('{', text.find(name, begin));
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0)
            return std::string(source.substr(begin, i + 1 - begin));
    }
    return {};
}

} // namespace kl::inline kernels
