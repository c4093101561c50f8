// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/warp_model.h"

#include "kernels/data/numbers.h"
#include "profiler/live/ptx/warp_machine.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace kl::inline live {
namespace {

constexpr std::int64_t kBudget = 400'000; ///< instructions of all warps together
constexpr int kMostWarps = 8;
constexpr std::uint64_t kFirstBuffer = 0x1000'0000; ///< buffers lie one after another, a page apart
constexpr std::uint64_t kPage = 1 << 20;

struct Placed {
    std::uint64_t begin = 0;
    const std::vector<std::byte>* content = nullptr;
};

std::array<std::uint32_t, 3> three(const std::vector<std::int64_t>& sizes)
{
    std::array<std::uint32_t, 3> out{1, 1, 1};
    for (std::size_t i = 0; i < std::min<std::size_t>(sizes.size(), 3); ++i)
        out[i] = static_cast<std::uint32_t>(std::max<std::int64_t>(sizes[i], 1));
    return out;
}

std::uint64_t scalarBits(const ArgSpec& argument)
{
    switch (argument.scalarType.value_or(DType::i32)) {
    case DType::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(argument.value));
    case DType::f64: return std::bit_cast<std::uint64_t>(argument.value);
    case DType::f16: return toHalf(static_cast<float>(argument.value));
    case DType::bf16: return toBfloat(static_cast<float>(argument.value));
    default: return static_cast<std::uint64_t>(static_cast<std::int64_t>(argument.value));
    }
}

/// Warps of a block in an order whose every beginning is spread over the block: 0, the middle, the quarters …
std::vector<int> spreadWarps(int warps)
{
    std::vector<int> order;
    for (int step = static_cast<int>(std::bit_ceil(static_cast<unsigned>(warps))); step >= 1; step /= 2)
        for (int warp = 0; warp < warps; warp += step)
            if (std::find(order.begin(), order.end(), warp) == order.end())
                order.push_back(warp);
    return order;
}

} // namespace

std::optional<WarpModel> modelWarps(std::string_view ptx, const LaunchSpec& launch, const std::vector<BufferSpec>& buffers,
                                    const BufferContent& content)
{
    const PtxCode code = parsePtx(ptx, launch.entry);
    if (code.instructions.empty())
        return {};
    std::map<std::string, Placed> placed;
    std::uint64_t next = kFirstBuffer;
    for (const BufferSpec& buffer : buffers) {
        placed[buffer.name] = {next, content ? content(buffer.name) : nullptr};
        next += (static_cast<std::uint64_t>(buffer.count * countBytes(buffer.type)) / kPage + 2) * kPage;
    }
    std::map<std::string, std::uint64_t> params;
    for (std::size_t i = 0; i < std::min(code.params.size(), launch.args.size()); ++i) {
        const ArgSpec& argument = launch.args[i];
        params[code.params[i]] = argument.buffer.empty() ? scalarBits(argument) : placed[argument.buffer].begin;
    }
    const MemoryReader memory = [&](std::uint64_t address, int bytes) -> std::optional<std::uint64_t> {
        for (const auto& [name, buffer] : placed)
            if (buffer.content && address >= buffer.begin &&
                address + static_cast<std::uint64_t>(bytes) <= buffer.begin + buffer.content->size()) {
                std::uint64_t value = 0;
                std::memcpy(&value, buffer.content->data() + (address - buffer.begin), static_cast<std::size_t>(bytes));
                return value;
            }
        return {};
    };
    WarpPlace place;
    place.grid = three(launch.grid);
    place.block = three(launch.block);
    place.dynamicSmem = launch.dynamicSmem;
    const std::uint64_t middle = std::uint64_t{place.grid[0]} * place.grid[1] * place.grid[2] / 2;
    place.blockIndex = {static_cast<std::uint32_t>(middle % place.grid[0]),
                        static_cast<std::uint32_t>(middle / place.grid[0] % place.grid[1]),
                        static_cast<std::uint32_t>(middle / place.grid[0] / place.grid[1])};
    const int warps = static_cast<int>((std::uint64_t{place.block[0]} * place.block[1] * place.block[2] + 31) / 32);
    WarpCounts counts;
    WarpMachine machine(code, params, memory);
    std::int64_t longest = 0;
    for (const int warp : spreadWarps(warps)) {
        const auto before = static_cast<std::int64_t>(counts.sum.instructions);
        if (counts.sum.warps >= kMostWarps || kBudget - before < longest)
            break; // another warp like the longest so far would not come to its end
        place.warp = warp;
        counts.sum.complete = machine.run(place, kBudget - before, counts) && counts.sum.complete;
        longest = std::max(longest, static_cast<std::int64_t>(counts.sum.instructions) - before);
    }
    return counts.average();
}

} // namespace kl::inline live
