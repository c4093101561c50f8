// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/warp_machine.h"

#include "profiler/live/ptx/ptx_arithmetic.h"

#include <algorithm>
#include <bit>

namespace kl::inline live {
namespace {

/// Iterations of a loop whose end depends on unknown data.
constexpr int kGuessedRounds = 4;

std::uint32_t bit(int lane)
{
    return 1U << lane;
}

} // namespace

bool WarpMachine::run(const WarpPlace& place, std::int64_t budget, WarpCounts& counts)
{
    place_ = place;
    registers_.assign(static_cast<std::size_t>(code_.registers), LaneValues{});
    guesses_.clear();
    const int end = static_cast<int>(code_.instructions.size());
    const std::int64_t threads = std::int64_t{place.block[0]} * place.block[1] * place.block[2];
    for (int lane = 0; lane < 32; ++lane)
        pc_[static_cast<std::size_t>(lane)] = place.warp * 32 + lane < threads ? 0 : end;
    ++counts.sum.warps;
    for (std::int64_t done = 0;; ++done) {
        const int at = *std::min_element(pc_.begin(), pc_.end());
        if (at >= end)
            return true;
        if (done >= budget)
            return false;
        std::uint32_t active = 0;
        for (int lane = 0; lane < 32; ++lane)
            if (pc_[static_cast<std::size_t>(lane)] == at) {
                active |= bit(lane);
                ++pc_[static_cast<std::size_t>(lane)];
            }
        const PtxInstruction& instruction = code_.instructions[static_cast<std::size_t>(at)];
        counts.sum.instructions += 1;
        counts.sum.executed[instruction.opcodeClass] += 1;
        counts.threads += std::popcount(active);
        const std::string& base = instruction.parts.front();
        if (base == "bra")
            branch(instruction, at, active, counts);
        else if (base == "ret" || base == "exit" || base == "trap") {
            bool known = true;
            const std::uint32_t leaving = findGuardedLanes(instruction, active, known);
            for (int lane = 0; lane < 32; ++lane)
                if (known && leaving & bit(lane))
                    pc_[static_cast<std::size_t>(lane)] = end;
        } else
            step(instruction, active, counts);
    }
}

/// Lanes in which the guard holds; where it is not known it counts as holding.
std::uint32_t WarpMachine::findGuardedLanes(const PtxInstruction& instruction, std::uint32_t active, bool& allKnown) const
{
    if (instruction.guard < 0)
        return active;
    const LaneValues& guard = registers_[static_cast<std::size_t>(instruction.guard)];
    std::uint32_t holds = 0;
    for (int lane = 0; lane < 32; ++lane)
        if (!(guard.known & bit(lane)) || (guard.lane[static_cast<std::size_t>(lane)] != 0) != instruction.guardNegated)
            holds |= bit(lane);
    allKnown = (guard.known & active) == active;
    return active & holds;
}

void WarpMachine::branch(const PtxInstruction& instruction, int at, std::uint32_t active, WarpCounts& counts)
{
    if (instruction.target < 0)
        return;
    bool known = true;
    std::uint32_t taken = findGuardedLanes(instruction, active, known);
    if (!known) {
        // A data-dependent branch: skipped code is executed, and a loop iterates a few times.
        counts.sum.unknownBranches += 1;
        const LaneValues& guard = registers_[static_cast<std::size_t>(instruction.guard)];
        const bool loops = instruction.target <= at && ++guesses_[at] % kGuessedRounds != 0;
        taken = (taken & guard.known) | (loops ? active & ~guard.known : 0);
    }
    for (int lane = 0; lane < 32; ++lane)
        if (taken & bit(lane))
            pc_[static_cast<std::size_t>(lane)] = instruction.target;
}

LaneValues WarpMachine::special(const std::string& name) const
{
    LaneValues out;
    const auto axis = [&] { return static_cast<std::size_t>(std::clamp(name.back() - 'x', 0, 2)); };
    for (int lane = 0; lane < 32; ++lane) {
        const auto thread = static_cast<std::uint32_t>(place_.warp * 32 + lane);
        const std::array<std::uint32_t, 3> index{thread % place_.block[0], thread / place_.block[0] % place_.block[1],
                                                 thread / place_.block[0] / place_.block[1]};
        std::optional<std::uint64_t> value;
        if (name.starts_with("%tid"))
            value = index[axis()];
        else if (name.starts_with("%ntid"))
            value = place_.block[axis()];
        else if (name.starts_with("%ctaid"))
            value = place_.blockIndex[axis()];
        else if (name.starts_with("%nctaid"))
            value = place_.grid[axis()];
        else if (name == "%laneid")
            value = static_cast<std::uint64_t>(lane);
        else if (name == "%warpid")
            value = static_cast<std::uint64_t>(place_.warp);
        else if (name == "%lanemask_eq")
            value = bit(lane);
        else if (name == "%lanemask_lt")
            value = bit(lane) - 1;
        else if (name == "%lanemask_le")
            value = (bit(lane) - 1) | bit(lane);
        else if (name == "%lanemask_gt")
            value = ~((bit(lane) - 1) | bit(lane));
        else if (name == "%lanemask_ge")
            value = ~(bit(lane) - 1);
        else if (name == "%dynamic_smem_size")
            value = static_cast<std::uint64_t>(place_.dynamicSmem);
        if (!value)
            return out;
        out.lane[static_cast<std::size_t>(lane)] = *value & 0xffff'ffffU;
        out.known |= bit(lane);
    }
    return out;
}

LaneValues WarpMachine::read(const PtxOperand& operand) const
{
    LaneValues out;
    switch (operand.kind) {
    case PtxOperand::Kind::reg:
        out = registers_[static_cast<std::size_t>(operand.reg)];
        if (operand.negated)
            for (std::uint64_t& value : out.lane)
                value = value == 0;
        return out;
    case PtxOperand::Kind::constant:
        out.lane.fill(static_cast<std::uint64_t>(operand.value));
        out.known = ~0U;
        return out;
    case PtxOperand::Kind::special: return special(operand.name);
    default: return out;
    }
}

LaneValues WarpMachine::addresses(const PtxOperand& operand) const
{
    LaneValues out;
    if (operand.reg >= 0)
        out = registers_[static_cast<std::size_t>(operand.reg)];
    else
        out.known = ~0U;
    for (std::uint64_t& value : out.lane)
        value += static_cast<std::uint64_t>(operand.value);
    return out;
}

void WarpMachine::write(int reg, const LaneValues& value, std::uint32_t active, bool guardKnown)
{
    if (reg < 0)
        return;
    LaneValues& target = registers_[static_cast<std::size_t>(reg)];
    for (int lane = 0; lane < 32; ++lane)
        if (active & bit(lane))
            target.lane[static_cast<std::size_t>(lane)] = value.lane[static_cast<std::size_t>(lane)];
    target.known = (target.known & ~active) | (guardKnown ? value.known & active : 0);
}

void WarpMachine::writeResult(const PtxOperand& operand, const LaneValues& value, std::uint32_t active, bool guardKnown)
{
    if (operand.kind == PtxOperand::Kind::reg)
        write(operand.reg, value, active, guardKnown);
    else if (operand.kind == PtxOperand::Kind::list)
        for (std::size_t i = 0; i < operand.list.size(); ++i)
            write(operand.list[i], i == 0 ? value : LaneValues{}, active, guardKnown);
}

LaneValues WarpMachine::loadValues(const PtxInstruction& instruction, const LaneValues& at, std::uint32_t active, int element) const
{
    LaneValues out;
    const int bytes = std::max(instruction.type.bits / 8, 1);
    for (int lane = 0; lane < 32; ++lane) {
        const std::uint64_t address = at.lane[static_cast<std::size_t>(lane)] + static_cast<std::uint64_t>(element * bytes);
        if (!(active & at.known & bit(lane)) || (address & kSpaceMask) >= kGlobalSymbols)
            continue;
        if (const auto value = memory_(address, bytes)) {
            out.lane[static_cast<std::size_t>(lane)] = extendValue(*value, instruction.type);
            out.known |= bit(lane);
        }
    }
    return out;
}

/// Loads, stores, atomics and asynchronous copies: counted, and what a load brings is known where memory is.
void WarpMachine::access(const PtxInstruction& instruction, std::uint32_t active, WarpCounts& counts)
{
    const std::string& base = instruction.parts.front();
    const bool copies = base == "cp", atomic = base == "atom" || base == "red", stores = base == "st";
    std::vector<const PtxOperand*> memory;
    for (const PtxOperand& operand : instruction.operands)
        if (operand.kind == PtxOperand::Kind::memory)
            memory.push_back(&operand);
    if (memory.empty())
        return;
    bool guardKnown = true;
    active = findGuardedLanes(instruction, active, guardKnown);
    if (active == 0)
        return;
    if (instruction.has("param") || !memory.front()->name.empty()) {
        LaneValues value;
        const auto known = params_.find(memory.front()->name);
        if (known != params_.end() && memory.front()->value == 0) {
            value.lane.fill(extendValue(known->second, instruction.type));
            value.known = ~0U;
        }
        return writeResult(instruction.operands.front(), value, active, guardKnown);
    }
    int bytes = std::max(instruction.type.bits / 8, 1) * instruction.vector;
    if (copies) {
        if (memory.size() < 2)
            return; // commit, wait, bulk copies by descriptor
        const PtxOperand* size = instruction.operands.size() > 2 ? &instruction.operands[2] : nullptr;
        bytes = size && size->kind == PtxOperand::Kind::constant ? static_cast<int>(size->value) : 16;
    }
    for (std::size_t side = 0; side < (copies ? 2 : 1); ++side) {
        const LaneValues at = addresses(*memory[side]);
        const std::uint32_t known = active & at.known;
        std::uint64_t space = 0;
        for (int lane = 0; lane < 32; ++lane)
            if (known & bit(lane))
                space = at.lane[static_cast<std::size_t>(lane)] & kSpaceMask;
        const bool isShared =
            copies ? side == 0 : instruction.opcodeClass.ends_with(".shared") || instruction.has("shared") || space == kSharedWindow;
        const bool isLocal = !copies && (instruction.opcodeClass.ends_with(".local") || space == kLocalWindow);
        const bool isConstant = instruction.has("const");
        if (isShared && known != 0) {
            if (atomic)
                countSharedAtomic(at.lane, known, counts);
            else
                countShared(at.lane, known, bytes, counts);
        } else if (!isShared && !isLocal && !isConstant) {
            if (atomic)
                countGlobalAtomic(at.lane, active, known, counts);
            else if (known != 0)
                countGlobal(at.lane, known, bytes, stores, counts);
            else
                (stores ? counts.sum.stores : counts.sum.loads).unknown += 1;
        }
        if (base == "ld" || base == "ldu") {
            const PtxOperand& result = instruction.operands.front();
            const bool readable = !isShared && !isLocal && !isConstant;
            if (result.kind == PtxOperand::Kind::list)
                for (std::size_t i = 0; i < result.list.size(); ++i)
                    write(result.list[i], readable ? loadValues(instruction, at, active, static_cast<int>(i)) : LaneValues{}, active,
                          guardKnown);
            else
                writeResult(result, readable ? loadValues(instruction, at, active, 0) : LaneValues{}, active, guardKnown);
        } else if (base == "atom")
            writeResult(instruction.operands.front(), {}, active, guardKnown);
    }
}

void WarpMachine::step(const PtxInstruction& instruction, std::uint32_t active, WarpCounts& counts)
{
    const std::string& base = instruction.parts.front();
    if (base == "ld" || base == "ldu" || base == "st" || base == "atom" || base == "red" || base == "cp")
        return access(instruction, active, counts);
    bool guardKnown = true;
    active = findGuardedLanes(instruction, active, guardKnown);
    if (instruction.operands.empty() || active == 0)
        return;
    if (base == "ldmatrix" || base == "stmatrix") {
        for (const PtxOperand& operand : instruction.operands)
            if (operand.kind == PtxOperand::Kind::memory) {
                const LaneValues at = addresses(operand);
                const int rows = instruction.has("x4") ? 32 : instruction.has("x2") ? 16 : 8;
                const std::uint32_t lanes = rows == 32 ? ~0U : (1U << rows) - 1;
                if ((at.known & lanes) == lanes)
                    countShared(at.lane, lanes, 16, counts);
            }
    }
    writeResult(instruction.operands.front(), computeValues(instruction, active), active, guardKnown);
}

LaneValues WarpMachine::computeValues(const PtxInstruction& instruction, std::uint32_t active) const
{
    std::array<LaneValues, 4> in;
    const std::size_t count = std::min<std::size_t>(instruction.operands.size() - 1, in.size());
    for (std::size_t i = 0; i < count; ++i)
        in[i] = read(instruction.operands[i + 1]);
    if (const auto across = acrossLanes(instruction, std::span(in).first(count), active))
        return *across;
    LaneValues out;
    out.known = ~0U;
    for (std::size_t i = 0; i < count; ++i)
        out.known &= in[i].known;
    for (int lane = 0; lane < 32; ++lane) {
        if (!(out.known & active & bit(lane)))
            continue;
        const auto l = static_cast<std::size_t>(lane);
        const auto value = evaluate(instruction, {in[0].lane[l], in[1].lane[l], in[2].lane[l], in[3].lane[l]});
        if (value)
            out.lane[l] = *value;
        else
            return {};
    }
    return out;
}

} // namespace kl::inline live
