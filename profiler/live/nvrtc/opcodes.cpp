// SPDX-License-Identifier: MIT
#include "profiler/live/nvrtc/opcodes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace kl {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator)
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

bool isAnyOf(std::string_view word, std::initializer_list<std::string_view> list)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

std::string memoryClass(std::string_view kind, const std::vector<std::string_view>& parts)
{
    for (const std::string_view part : parts) {
        if (part == "global" || part == "local" || part == "const" || part == "param")
            return std::string(kind) + '.' + std::string(part);
        if (part.substr(0, 6) == "shared") // shared, shared::cta, shared::cluster
            return std::string(kind) + ".shared";
    }
    return std::string(kind) + ".generic";
}

std::string arithmeticClass(const std::vector<std::string_view>& parts)
{
    for (const std::string_view part : parts) {
        if (isAnyOf(part, {"f64"}))
            return "fma.f64";
        if (isAnyOf(part, {"f32", "f32x2"}))
            return "fma.f32";
        if (isAnyOf(part, {"f16", "f16x2", "bf16", "bf16x2"}))
            return "fma.f16";
    }
    return "int";
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    return text;
}

/// The body of `.entry NAME(`, between its braces; empty when absent.
std::string_view bodyOf(std::string_view ptx, std::string_view entry)
{
    constexpr std::string_view keyword = ".entry ";
    for (auto at = ptx.find(keyword); at != std::string_view::npos; at = ptx.find(keyword, at + 1)) {
        const std::string_view rest = ptx.substr(at + keyword.size());
        if (rest.substr(0, entry.size()) != entry || rest.size() <= entry.size() ||
            !isAnyOf(rest.substr(entry.size(), 1), {"(", "\n", " "}))
            continue;
        const auto open = rest.find('{');
        if (open == std::string_view::npos)
            return {};
        int depth = 0;
        for (auto i = open; i < rest.size(); ++i) {
            depth += rest[i] == '{' ? 1 : rest[i] == '}' ? -1 : 0;
            if (depth == 0)
                return rest.substr(open + 1, i - open - 1);
        }
        return rest.substr(open + 1);
    }
    return {};
}

} // namespace

std::string opcodeClass(std::string_view opcode)
{
    const auto parts = split(opcode, '.');
    const std::string_view base = parts.front();
    if (base == "ld" || base == "ldu")
        return memoryClass("ld", parts);
    if (base == "st")
        return memoryClass("st", parts);
    if (isAnyOf(base, {"atom", "red"}))
        return "atom";
    if (base == "cp")
        return "cp.async";
    if (isAnyOf(base, {"ldmatrix", "stmatrix"}))
        return std::string(base);
    if (isAnyOf(base, {"mma", "wmma", "wgmma", "tcgen05"}))
        return "mma";
    if (isAnyOf(base, {"ex2", "lg2", "sin", "cos", "tanh", "rcp", "rsqrt", "sqrt"}))
        return "xu";
    if (base == "div" || base == "rem")
        return "div";
    if (isAnyOf(base, {"fma", "mul", "add", "sub", "mad", "neg", "abs", "min", "max", "mul24", "mad24"}))
        return arithmeticClass(parts);
    if (isAnyOf(base, {"and",  "or",   "xor",  "not",  "shl",  "shr", "shf",  "bfe",  "bfi",  "popc",  "clz",
                       "brev", "prmt", "lop3", "dp4a", "dp2a", "sad", "addc", "subc", "madc", "bfind", "fns"}))
        return "int";
    if (isAnyOf(base, {"bar", "barrier", "mbarrier"}))
        return "bar";
    if (isAnyOf(base, {"membar", "fence"}))
        return "fence";
    if (isAnyOf(base, {"bra", "brx", "call", "ret", "exit", "trap"}))
        return "branch";
    if (isAnyOf(base, {"setp", "set", "selp", "slct", "testp"}))
        return "setp";
    if (isAnyOf(base, {"mov", "cvt", "cvta", "shfl", "vote"}))
        return base == "cvta" ? "cvt" : std::string(base);
    return "other";
}

std::map<std::string, std::int64_t> opcodeMix(std::string_view ptx, std::string_view entry)
{
    std::map<std::string, std::int64_t> mix;
    for (std::string_view line : split(bodyOf(ptx, entry), '\n')) {
        line = trimmed(line);
        if (!line.empty() && (line.front() == '{' || line.front() == '}')) // a scope, as inline assembly opens
            line = trimmed(line.substr(1));
        if (!line.empty() && line.front() == '@') { // guard predicate
            const auto space = line.find(' ');
            line = space == std::string_view::npos ? std::string_view{} : trimmed(line.substr(space));
        }
        if (line.empty() || !std::islower(static_cast<unsigned char>(line.front())))
            continue; // directives, labels ($L…), comments
        const auto end = line.find_first_of(" \t;");
        if (end == std::string_view::npos || line[end - 1] == ':' || line[end - 1] == ',')
            continue; // a label, or a continued operand list
        ++mix[opcodeClass(line.substr(0, end))];
    }
    return mix;
}

} // namespace kl
