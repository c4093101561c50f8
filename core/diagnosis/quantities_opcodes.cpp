// SPDX-License-Identifier: MIT
// Quantities of the compiled code's instruction mix (PTX, counted where they stand, not how often they run): no counters needed.
#include "core/diagnosis/quantities.h"

#include <array>

namespace kl {
namespace {

/// Share of one class of opcodes ("fma.f64", "xu", "int", "mma", "bar": see LaunchFacts::opcodes) among all.
Value opcodeShare(const RunFacts& facts, std::string_view klass)
{
    const LaunchFacts* launch = facts.launch();
    if (!launch || launch->opcodes.empty())
        return {};
    double matching = 0, all = 0;
    for (const auto& [name, count] : launch->opcodes) {
        all += static_cast<double>(count);
        if (name == klass)
            matching += static_cast<double>(count);
    }
    return all > 0 ? Value(100 * matching / all) : std::nullopt;
}

Value fp64(const RunFacts& f)
{
    return opcodeShare(f, "fma.f64");
}
Value xu(const RunFacts& f)
{
    return opcodeShare(f, "xu");
}
Value integer(const RunFacts& f)
{
    return opcodeShare(f, "int");
}
Value matrix(const RunFacts& f)
{
    return opcodeShare(f, "mma");
}
Value barrier(const RunFacts& f)
{
    return opcodeShare(f, "bar");
}

constexpr std::array<Quantity, 5> kOpcodes{{
    {"fp64_opcode_percent", "FP64 opcodes", "%", "double-precision opcodes over all of the compiled kernel", fp64},
    {"xu_opcode_percent", "transcendental opcodes", "%", "exp2, log2, sin, cos, square root and reciprocal opcodes over all", xu},
    {"int_opcode_percent", "integer opcodes", "%", "integer, logic and shift opcodes over all", integer},
    {"matrix_opcode_percent", "matrix opcodes", "%", "mma and wgmma opcodes over all", matrix},
    {"barrier_share_percent", "barrier opcodes", "%", "barriers over all opcodes of the compiled kernel", barrier},
}};

} // namespace

std::span<const Quantity> opcodeQuantities()
{
    return kOpcodes;
}

} // namespace kl
