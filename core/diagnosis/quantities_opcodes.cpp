// SPDX-License-Identifier: MIT
// Quantities of the compiled code's instruction mix (PTX, counted statically): no counters needed.
#include "core/diagnosis/quantities.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace kl::inline diagnosis {
namespace {

/// Opcodes of the classes that `counts` picks ("fma.f64", "xu", "int", "mma", "bar": see LaunchFacts::opcodes); nothing without PTX.
template <class Counts> Value sumOpcodes(const RunFacts& facts, const Counts& counts)
{
    const LaunchFacts* launch = facts.launch();
    if (!launch || launch->opcodes.empty())
        return {};
    double matching = 0;
    for (const auto& [name, count] : launch->opcodes)
        if (counts(name))
            matching += static_cast<double>(count);
    return matching;
}

Value allOpcodes(const RunFacts& f)
{
    return sumOpcodes(f, [](std::string_view) { return true; });
}

/// Share of one class among all.
Value opcodeShare(const RunFacts& f, std::string_view opcodeClass)
{
    return times(quotient(sumOpcodes(f, [&](std::string_view name) { return name == opcodeClass; }), allOpcodes(f)), 100);
}

Value fp64Opcodes(const RunFacts& f)
{
    return opcodeShare(f, "fma.f64");
}
Value xuOpcodes(const RunFacts& f)
{
    return opcodeShare(f, "xu");
}
Value integer(const RunFacts& f)
{
    return opcodeShare(f, "int");
}
Value matrix(const RunFacts& f)
{
    return times(quotient(sumOpcodes(f, isMatrixOpcode), allOpcodes(f)), 100);
}

/// Reports count wgmma under other names (hgmma by number type), and its stall on its own.
bool countsWarpgroupProducts(const RunFacts& f)
{
    const std::optional<MetricSet>& metrics = f.run().metrics;
    return metrics && std::ranges::any_of(metrics->values, [](const auto& metric) {
               return metric.second.value_or(0) > 0 && metric.first.find("gmma") != std::string::npos;
           });
}

/// mma.sync, of which the chip may have a warpgroup's counterpart: not in FP64.
bool isWarpProduct(std::string_view name)
{
    return name == "mma" || name.starts_with("sass.hmma.") || name.starts_with("sass.imma.");
}

/// Of the matrix instructions that were counted; without counters, of those in the PTX. Unset where there are none.
Value mmaSync(const RunFacts& f)
{
    const Value all = f.metric("sm__inst_executed_pipe_tensor_op_hmma.sum"); // HGMMA, too
    const Value warpgroup = f.metric("sm__inst_executed_pipe_tensor_op_gmma.sum");
    if (all && warpgroup && *all > 0)
        return 100 * std::max(*all - *warpgroup, 0.0) / *all;
    if (f.hasCounters())
        return countsWarpgroupProducts(f) ? Value(0) : std::nullopt;
    return times(quotient(sumOpcodes(f, isWarpProduct), sumOpcodes(f, isMatrixOpcode)), 100);
}

/// wgmma on 9.0, tcgen05.mma on 10.x: instructions of several warps that alone reach the peak.
Value ownProducts(const RunFacts& f)
{
    const int major = f.run().device.ccMajor;
    return major > 0 ? Value(major == 9 || major == 10 ? 1 : 0) : std::nullopt;
}

Value tensorCopies(const RunFacts& f)
{
    return sumOpcodes(f, [](std::string_view name) { return name == "tma"; });
}
Value barrier(const RunFacts& f)
{
    return opcodeShare(f, "bar");
}

const WarpModel* findWarpModel(const RunFacts& f)
{
    return f.launch() && f.launch()->warp ? &*f.launch()->warp : nullptr;
}

Value computeModeled(const RunFacts& f)
{
    if (!f.launch())
        return {};
    return findWarpModel(f) && findWarpModel(f)->complete ? 1 : 0;
}

/// Only machine code has these classes: PTX that was run on the host does not.
Value computeCountedOnGpu(const RunFacts& f)
{
    const WarpModel* warp = findWarpModel(f);
    if (!f.launch())
        return {};
    return warp && std::ranges::any_of(warp->executed, [](const auto& one) { return one.first.starts_with("sass."); }) ? 1 : 0;
}

double countRequests(const WarpAccesses& side)
{
    return side.requests + side.unknown;
}

/// Of the launch's accesses to global memory, counted on the GPU.
Value computeCountedAtomics(const RunFacts& f)
{
    if (computeCountedOnGpu(f) != Value(1))
        return {};
    const WarpModel& warp = *findWarpModel(f);
    const Value share = findQuantity("atomic_share_percent")->compute(f);
    return warp.atomicRequests > 0 ? share : Value(0);
}

/// Of the launch's accesses to memory, counted on the GPU.
Value computeCountedLocals(const RunFacts& f)
{
    if (computeCountedOnGpu(f) != Value(1))
        return {};
    const WarpModel& warp = *findWarpModel(f);
    double local = 0;
    for (const char* kind : {"ld.local", "st.local"})
        if (const auto found = warp.executed.find(kind); found != warp.executed.end())
            local += found->second;
    const double all = local + countRequests(warp.loads) + countRequests(warp.stores) + warp.atomicRequests + warp.sharedRequests;
    return all > 0 ? 100 * local / all : 0;
}

/// Of a warp's instructions as it runs, in percent; nothing where the launch was not modeled.
Value computeExecutedShare(const RunFacts& f, std::initializer_list<const char*> classes)
{
    const WarpModel* warp = findWarpModel(f);
    if (!warp || !(warp->instructions > 0))
        return {};
    double sum = 0;
    for (const char* opcodeClass : classes)
        if (const auto found = warp->executed.find(opcodeClass); found != warp->executed.end())
            sum += found->second;
    return 100 * sum / warp->instructions;
}

Value computeExecutedBarriers(const RunFacts& f)
{
    return computeExecutedShare(f, {"bar"});
}
Value computeExecutedIntegers(const RunFacts& f)
{
    return computeExecutedShare(f, {"int", "setp", "sass.alu", "sass.imad"});
}
/// Threads that wait for one another at an address.
Value atomicThreads(const RunFacts& f)
{
    const WarpModel* warp = findWarpModel(f);
    return warp && warp->atomicAddresses > 0 ? Value(warp->atomicThreads / warp->atomicAddresses) : std::nullopt;
}

constexpr std::array<Quantity, 15> kOpcodes{{
    {"fp64_opcode_percent", "FP64 opcodes", "%", "double-precision opcodes / all of the compiled kernel", fp64Opcodes},
    {"xu_opcode_percent", "transcendental opcodes", "%", "exp2, log2, sin, cos, square root and reciprocal opcodes / all", xuOpcodes},
    {"int_opcode_percent", "integer opcodes", "%", "integer, logic and shift opcodes / all", integer},
    {"matrix_opcode_percent", "matrix opcodes", "%", "mma, wgmma and tcgen05.mma opcodes / all", matrix},
    {"mma_sync_percent", "mma.sync among matrix instructions", "%",
     "HMMA without HGMMA / both; without counters, mma.sync / all matrix opcodes of the PTX", mmaSync},
    {"warpgroup_products", "chip supports wgmma or tcgen05", "", "1 on compute capability 9.0 (wgmma) and 10.x (tcgen05)", ownProducts,
     "chip supports neither wgmma nor tcgen05"},
    {"tensor_copy_opcodes", "tensor copies in the PTX", "count", "cp.async.bulk copies of the PTX (TMA)", tensorCopies},
    {"modeled", "code modeled", "", "1 when the PTX of a few warps of the launch was emulated to the end", computeModeled,
     "code not modeled"},
    {"executions_counted", "executions counted", "", "1 when the instructions of the launch were counted on the GPU, in its machine code",
     computeCountedOnGpu, "executions not counted"},
    {"counted_atomic_percent", "atomics among executed accesses", "%", "atomics / a launch's global accesses, counted on the GPU",
     computeCountedAtomics},
    {"executed_local_percent", "local accesses executed", "%", "local / all memory accesses of a launch, counted on the GPU",
     computeCountedLocals},
    {"executed_barrier_percent", "barriers among executed instructions", "%", "barriers / a warp's instructions, from its PTX",
     computeExecutedBarriers},
    {"executed_int_percent", "integer instructions executed", "%", "(integer + comparison) / a warp's instructions, from its PTX",
     computeExecutedIntegers},
    {"threads_per_atomic_address", "threads per atomic address", "",
     "active threads / addresses in a warp's atomics, from its PTX; / sectors where counted on the GPU", atomicThreads},
    {"barrier_share_percent", "barrier opcodes", "%", "barriers / all opcodes of the compiled kernel", barrier},
}};

} // namespace

bool isMatrixOpcode(std::string_view opcodeClass) noexcept
{
    return opcodeClass == "mma" || opcodeClass == "wgmma" || opcodeClass == "tcgen05" ||
           (opcodeClass.starts_with("sass.") && opcodeClass.find("mma.") != std::string_view::npos); // machine code's, with their shapes
}

std::span<const Quantity> opcodeQuantities()
{
    return kOpcodes;
}

} // namespace kl::inline diagnosis
