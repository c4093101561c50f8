// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/mark_sites.h"

#include <algorithm>

namespace kl::inline live {
namespace {

using Form = SyncInstruction::Form;

std::string_view operandAt(const PtxParts& parts, std::size_t index)
{
    return index < parts.operands.size() ? parts.operands[index] : std::string_view();
}

std::string_view firstAddress(const PtxParts& parts)
{
    const auto found = std::ranges::find_if(parts.operands, [](std::string_view one) { return one.starts_with('['); });
    return found == parts.operands.end() ? std::string_view() : *found;
}

/// bar.sync and barrier.sync, also with .cta and .aligned; the reductions among them give a result first.
std::optional<SyncInstruction> threadBarrier(const PtxParts& parts, std::string_view rest)
{
    if (rest.starts_with(".cta"))
        rest.remove_prefix(4);
    if (rest.starts_with(".sync"))
        return SyncInstruction{Form::wait, SyncKind::threadBarrier, operandAt(parts, 0)};
    if (rest.starts_with(".red"))
        return SyncInstruction{Form::wait, SyncKind::threadBarrier, operandAt(parts, 1)};
    if (rest.starts_with(".arrive"))
        return SyncInstruction{Form::arrive, SyncKind::threadBarrier, operandAt(parts, 0)};
    return {};
}

std::optional<SyncInstruction> memoryBarrier(const PtxParts& parts, std::string_view rest)
{
    if (rest.starts_with(".try_wait") || rest.starts_with(".test_wait"))
        return SyncInstruction{Form::poll, SyncKind::memoryBarrier, operandAt(parts, 1), operandAt(parts, 0)};
    if (rest.starts_with(".arrive"))
        return SyncInstruction{
            Form::arrive, SyncKind::memoryBarrier, firstAddress(parts), {}, rest.find("expect_tx") != std::string_view::npos};
    return {};
}

} // namespace

std::optional<SyncInstruction> findSyncInstruction(const PtxParts& parts)
{
    const std::string_view opcode = parts.opcode;
    if (opcode.starts_with("barrier.cluster.wait"))
        return SyncInstruction{Form::wait, SyncKind::clusterBarrier, {}};
    if (opcode.starts_with("barrier.cluster.arrive"))
        return SyncInstruction{Form::arrive, SyncKind::clusterBarrier, {}};
    if (opcode.starts_with("bar.warp"))
        return {};
    if (opcode.starts_with("barrier."))
        return threadBarrier(parts, opcode.substr(7));
    if (opcode.starts_with("bar."))
        return threadBarrier(parts, opcode.substr(3));
    if (opcode.starts_with("mbarrier."))
        return memoryBarrier(parts, opcode.substr(8));
    if (opcode.starts_with("cp.async.mbarrier.arrive"))
        return SyncInstruction{Form::arrive, SyncKind::memoryBarrier, firstAddress(parts), {}, true};
    if (opcode.starts_with("tcgen05.commit"))
        return SyncInstruction{Form::arrive, SyncKind::memoryBarrier, firstAddress(parts), {}, true};
    if (opcode.starts_with("cp.async.wait") || opcode.starts_with("cp.async.bulk.wait"))
        return SyncInstruction{Form::wait, SyncKind::copies, {}};
    if (opcode.starts_with("wgmma.wait_group") || opcode.starts_with("tcgen05.wait"))
        return SyncInstruction{Form::wait, SyncKind::products, {}};
    return {};
}

} // namespace kl::inline live
