// SPDX-License-Identifier: MIT
#include "core/device/memory_advice.h"

#include "core/base/format.h"
#include "core/device/shared_memory.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace kl::inline device {
namespace {

constexpr std::int64_t kConstantBytes = 64 * 1024;
constexpr std::int64_t kRegisterBytes = 4;
constexpr std::int64_t kMostRegisters = 255;
constexpr std::int64_t kEasyRegisters = 64; ///< for data alone: leaves half of the 128 that 512 resident threads per SM partition can have

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

Placement inRegisters(const DataUse& use)
{
    const std::int64_t registers = (use.bytes + kRegisterBytes - 1) / kRegisterBytes;
    return {MemoryTier::registers,
            fmt::format("A thread's own {} are {} registers of 255.", formatBytes(static_cast<double>(use.bytes)), registers),
            registers <= kEasyRegisters
                ? "Index it by constants only, with loops unrolled: an array indexed at run time goes to local memory."
                : "Watch registers and local bytes of a run: beside so much data the compiler may spill; a smaller tile helps."};
}

Placement inShared(const DataUse& use, std::int64_t limit)
{
    const SmemFit fit = smemFit(use.bytes, limit);
    return {MemoryTier::shared,
            fmt::format("A block reads each element {} times: {}.", use.reads, smemSentence(use.bytes, fit)),
            "Load it once with 16-byte accesses (cp.async), pad or swizzle the rows against bank conflicts.",
            {{StepId::sharedMemory}}};
}

Placement inGlobal(std::string why)
{
    return {MemoryTier::global, std::move(why), "Neighboring threads read neighboring addresses, 16 bytes each where the length allows."};
}

} // namespace

const char* toWord(MemoryTier tier)
{
    switch (tier) {
    case MemoryTier::global: return "global (DRAM)";
    case MemoryTier::shared: return "shared";
    case MemoryTier::registers: return "registers";
    case MemoryTier::constant: break;
    }
    return "constant";
}

std::vector<TierAdvice> memoryHierarchy(const GpuRow& gpu)
{
    const SmLimits limits = smLimits(gpu.ccMajor, gpu.ccMinor).value_or(SmLimits{});
    // In "GB", as data sheets write this capacity.
    std::string dram = fmt::format("{}, {}", formatWithUnit(static_cast<double>(gpu.memoryBytes) / (1 << 30), "GB"),
                                   formatBandwidth(gpu.dramBytesPerSecond));
    if (gpu.measured && gpu.measured->rates.dram)
        dram += fmt::format(" (data sheet), {} measured", formatBandwidth(*gpu.measured->rates.dram));
    return {
        {MemoryTier::global, "large tensors", "coalesced stride-1 access, 16-byte vector loads", dram},
        {MemoryTier::shared, "tiles reused across warps", "no bank conflicts: pad or swizzle",
         fmt::format("{} KiB per block with opt-in, 48 KiB static, {} KiB per SM", limits.smemOptin / 1024, limits.smemPerSm / 1024)},
        {MemoryTier::registers, "accumulators, counters", "low pressure, no spills",
         fmt::format("{} 32-bit registers per SM, 255 per thread", limits.registers)},
        {MemoryTier::constant, "read-only broadcast", "all threads read one address", "64 KiB"},
    };
}

Result<Placement> placeData(const DataUse& use, const GpuRow& gpu)
{
    if (use.bytes <= 0 || use.reads <= 0)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} bytes read {} times: both must be above 0.", use.bytes, use.reads),
                     .hint = "Give the bytes of one thread's, one block's or all data.",
                     .where = use.bytes <= 0 ? "bytes" : "reads"};
    const std::optional<SmLimits> limits = smLimits(gpu.ccMajor, gpu.ccMinor);
    const std::int64_t optIn = limits ? limits->smemOptin : kStaticSmemLimit;
    const std::string size = formatBytes(static_cast<double>(use.bytes));
    if (use.readOnly && use.sameAddress && use.bytes <= kConstantBytes)
        return Placement{MemoryTier::constant, size + " of 64 KiB, read-only, and a warp reads one address at a time: a broadcast.",
                         "Declare it __constant__, or pass it as a __grid_constant__ parameter up to 4 KiB."};
    if (use.sharedBy == SharedBy::thread && use.bytes <= kMostRegisters * kRegisterBytes)
        return inRegisters(use);
    if (use.sharedBy == SharedBy::thread)
        return inGlobal(size + " per thread do not fit in 255 registers: they would spill to local memory, which is DRAM behind L1.");
    if (use.reads < 2)
        return inGlobal("Each element is read once: a detour through shared memory costs more than it saves.");
    if (use.sharedBy == SharedBy::grid)
        return inGlobal(fmt::format("All blocks read it, but shared memory belongs to one block. L2 ({}) keeps {}.",
                                    formatBytes(static_cast<double>(gpu.l2Bytes)),
                                    use.bytes <= gpu.l2Bytes ? "all of it" : "part of it; order the blocks so that neighbors share tiles"));
    if (use.bytes <= optIn)
        return inShared(use, optIn);
    return inGlobal(
        fmt::format("{}: cut it into tiles, and keep those in shared memory.", smemSentence(use.bytes, smemFit(use.bytes, optIn))));
}

Result<const GpuRow*> findGpuByName(const std::string& text)
{
    const std::string wanted = lowerCase(text);
    const GpuRow* found = nullptr;
    std::string known;
    for (const GpuRow& row : deviceTable().gpus) {
        if (lowerCase(row.match) == wanted)
            return &row;
        if (!found && !wanted.empty() && lowerCase(row.name).find(wanted) != std::string::npos)
            found = &row;
        known += (known.empty() ? "" : ", ") + row.match;
    }
    if (found)
        return found;
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("\"{}\" is not a GPU in the device table.", text),
                 .hint = "Known: " + known + ".",
                 .where = "gpu"};
}

} // namespace kl::inline device
