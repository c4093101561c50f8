// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/opcodes.h"

#include "profiler/live/ptx/ptx_code.h"
#include "profiler/live/ptx/ptx_text.h"

#include <algorithm>

namespace kl::inline live {
namespace {

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

/// Bulk and tensor copies are the tensor memory accelerator's; waiting for them copies nothing.
std::string copyClass(const std::vector<std::string_view>& parts)
{
    const auto bulk = std::find(parts.begin(), parts.end(), "bulk");
    if (bulk == parts.end())
        return "cp.async";
    return bulk + 1 != parts.end() && isAnyOf(*(bulk + 1), {"commit_group", "wait_group"}) ? "other" : "tma";
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

} // namespace

std::string opcodeClass(std::string_view opcode)
{
    const auto parts = splitOn(opcode, '.');
    const std::string_view base = parts.front();
    if (base == "ld" || base == "ldu")
        return memoryClass("ld", parts);
    if (base == "st")
        return memoryClass("st", parts);
    if (isAnyOf(base, {"atom", "red"}))
        return "atom";
    if (base == "cp")
        return copyClass(parts);
    if (isAnyOf(base, {"ldmatrix", "stmatrix"}))
        return std::string(base);
    if (isAnyOf(base, {"mma", "wmma"}))
        return "mma";
    if (base == "wgmma" || base == "tcgen05") // their fences and waits multiply nothing
        return parts.size() > 1 && isAnyOf(parts[1], {"mma_async", "mma"}) ? std::string(base) : "other";
    if (isAnyOf(base, {"ex2", "lg2", "sin", "cos", "tanh", "rcp", "rsqrt", "sqrt"}))
        return "xu";
    if (base == "div" || base == "rem")
        return "div";
    if (isAnyOf(base, {"fma", "mul", "add", "sub", "mad", "neg", "abs", "min", "max", "mul24", "mad24"}))
        return arithmeticClass(parts);
    if (isAnyOf(base, {"and",  "or",   "xor",  "not",  "shl",  "shr", "shf",  "bfe",  "bfi",  "popc",  "clz",
                       "brev", "prmt", "lop3", "dp4a", "dp2a", "sad", "addc", "subc", "madc", "bfind", "fns"}))
        return "int";
    if (base == "mbarrier")
        return "mbarrier";
    if (isAnyOf(base, {"bar", "barrier"}))
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
    for (const PtxInstruction& instruction : parsePtx(ptx, entry).instructions)
        ++mix[instruction.opcodeClass];
    return mix;
}

std::vector<CodeLine> opcodesByLine(std::string_view ptx, std::string_view entry)
{
    std::map<int, std::map<std::string, std::int64_t>> mixes;
    for (const PtxInstruction& instruction : parsePtx(ptx, entry).instructions)
        if (instruction.line > 0)
            ++mixes[instruction.line][instruction.opcodeClass];
    std::vector<CodeLine> lines;
    for (auto& [line, mix] : mixes)
        lines.push_back({line, std::move(mix)});
    return lines;
}

} // namespace kl::inline live
