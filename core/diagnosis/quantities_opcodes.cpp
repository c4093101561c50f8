// SPDX-License-Identifier: MIT
// Quantities of the compiled code's instruction mix (PTX, counted where they stand, not how often they run): no counters needed.
#include "core/diagnosis/quantities.h"

#include <array>
#include <initializer_list>

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

const WarpModel* modelOf(const RunFacts& f)
{
    return f.launch() && f.launch()->warp ? &*f.launch()->warp : nullptr;
}

Value modeled(const RunFacts& f)
{
    if (!f.launch())
        return {};
    return modelOf(f) && modelOf(f)->complete ? 1 : 0;
}

/// Of a warp's instructions as it runs, in percent; nothing where the launch was not modeled.
Value executedShare(const RunFacts& f, std::initializer_list<const char*> classes)
{
    const WarpModel* warp = modelOf(f);
    if (!warp || !(warp->instructions > 0))
        return {};
    double sum = 0;
    for (const char* klass : classes)
        if (const auto found = warp->executed.find(klass); found != warp->executed.end())
            sum += found->second;
    return 100 * sum / warp->instructions;
}

Value executedBarriers(const RunFacts& f)
{
    return executedShare(f, {"bar"});
}
Value executedIntegers(const RunFacts& f)
{
    return executedShare(f, {"int", "setp"});
}
/// Threads that wait for one another at an address.
Value atomicThreads(const RunFacts& f)
{
    const WarpModel* warp = modelOf(f);
    return warp && warp->atomicAddresses > 0 ? Value(warp->atomicThreads / warp->atomicAddresses) : std::nullopt;
}

constexpr std::array<Quantity, 9> kOpcodes{{
    {"fp64_opcode_percent", "FP64 opcodes", "%", "double-precision opcodes over all of the compiled kernel", fp64},
    {"xu_opcode_percent", "transcendental opcodes", "%", "exp2, log2, sin, cos, square root and reciprocal opcodes over all", xu},
    {"int_opcode_percent", "integer opcodes", "%", "integer, logic and shift opcodes over all", integer},
    {"matrix_opcode_percent", "matrix opcodes", "%", "mma and wgmma opcodes over all", matrix},
    {"modelled", "code was modeled", "", "1 when a few warps of the launch were run from its PTX to the end", modeled},
    {"executed_barrier_percent", "barriers among executed instructions", "%", "barriers over a warp's instructions, from running its PTX",
     executedBarriers},
    {"executed_int_percent", "integer instructions executed", "%", "integer and comparison over a warp's instructions, from its PTX",
     executedIntegers},
    {"threads_per_atomic_address", "threads per atomic address", "", "active threads over addresses in a warp's atomics, from its PTX",
     atomicThreads},
    {"barrier_share_percent", "barrier opcodes", "%", "barriers over all opcodes of the compiled kernel", barrier},
}};

} // namespace

std::span<const Quantity> opcodeQuantities()
{
    return kOpcodes;
}

} // namespace kl
