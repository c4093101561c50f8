// SPDX-License-Identifier: MIT
// Quantities of the compiled code's instruction mix (PTX, counted where they stand, not how often they run): no counters needed.
#include "core/diagnosis/quantities.h"

#include <array>

namespace kl {
namespace {

/// Share of the opcodes whose class contains one of the words; a class is an opcode's head ("fma.f64", "ex2", "bar").
template <std::size_t N> Value opcodeShare(const RunFacts& facts, const std::array<std::string_view, N>& words)
{
    const LaunchFacts* launch = facts.launch();
    if (!launch || launch->opcodes.empty())
        return {};
    double matching = 0, all = 0;
    for (const auto& [name, count] : launch->opcodes) {
        all += static_cast<double>(count);
        for (const std::string_view word : words)
            if (name.find(word) != std::string::npos) {
                matching += static_cast<double>(count);
                break;
            }
    }
    return all > 0 ? Value(100 * matching / all) : std::nullopt;
}

Value fp64(const RunFacts& f) { return opcodeShare(f, std::array<std::string_view, 2>{"f64", "fp64"}); }
Value xu(const RunFacts& f)
{
    return opcodeShare(f, std::array<std::string_view, 8>{"ex2", "lg2", "sin", "cos", "rsqrt", "sqrt", "rcp", "xu"});
}
Value integer(const RunFacts& f)
{
    return opcodeShare(f, std::array<std::string_view, 10>{"shl", "shr", "xor", "and", "or.b", "s32", "u32", "lop", "shf", "int"});
}
Value matrix(const RunFacts& f) { return opcodeShare(f, std::array<std::string_view, 1>{"mma"}); }
Value barrier(const RunFacts& f) { return opcodeShare(f, std::array<std::string_view, 1>{"bar"}); }

constexpr std::array<Quantity, 5> kOpcodes{{
    {"fp64_opcode_percent", "FP64 opcodes", "%", "double-precision opcodes over all of the compiled kernel", fp64},
    {"xu_opcode_percent", "transcendental opcodes", "%", "exp2, log2, sin, cos, square root and reciprocal opcodes over all", xu},
    {"int_opcode_percent", "integer opcodes", "%", "integer, logic and shift opcodes over all", integer},
    {"matrix_opcode_percent", "matrix opcodes", "%", "mma and wgmma opcodes over all", matrix},
    {"barrier_share_percent", "barrier opcodes", "%", "barriers over all opcodes of the compiled kernel", barrier},
}};

} // namespace

std::span<const Quantity> opcodeQuantities() { return kOpcodes; }

} // namespace kl
