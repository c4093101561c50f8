// SPDX-License-Identifier: MIT
#include "profiler/inject/executed_launch.h"

#include "core/sass/cubin.h"
#include "core/sass/elf_file.h"
#include "core/sass/executed_code.h"

#include <map>
#include <utility>

namespace kl::inject {
namespace {

constexpr std::int64_t kWarpThreads = 32;

/// A row holds one metric, and leaves the others unset.
void join(std::optional<std::int64_t>& into, const std::optional<std::int64_t>& value)
{
    if (value)
        into = into.value_or(0) + *value;
}

} // namespace

Status describeExecution(ProfiledLaunch& launch, const std::vector<SassCount>& counts, const ModuleImages& images)
{
    std::map<std::pair<std::string, std::uint64_t>, ExecutedInstruction> instructions;
    std::map<std::pair<std::uint32_t, std::string>, std::optional<CubinFunction>> functions;
    for (const SassCount& row : counts) {
        const auto [known, fresh] = functions.try_emplace({row.cubinCrc, row.function});
        if (fresh)
            known->second = findFunction(images.find(row.cubinCrc), row.function);
        const std::optional<CubinFunction>& code = known->second;
        const auto low = code ? ElfFile::valueAt<std::uint64_t>(code->code, row.offset) : std::nullopt;
        const auto high = code ? ElfFile::valueAt<std::uint64_t>(code->code, row.offset + sizeof(std::uint64_t)) : std::nullopt;
        if (!low || !high)
            return Error{.code = ErrorCode::environment, .message = "The machine code of the kernel was not seen when it was loaded."};
        ExecutedInstruction& one = instructions[{row.function, row.offset}];
        one.low = *low;
        one.high = *high;
        one.warps += row.warps;
        one.threads += row.threads;
        join(one.sectors, row.sectors);
        join(one.idealSectors, row.idealSectors);
        join(one.idealWavefronts, row.idealWavefronts);
        if (row.sharedWavefronts > 0)
            join(one.wavefronts, row.sharedWavefronts);
    }
    std::vector<ExecutedInstruction> list;
    for (const auto& [place, one] : instructions)
        list.push_back(one);
    const std::int64_t warps = launch.facts.gridBlocks * ((launch.facts.blockThreads + kWarpThreads - 1) / kWarpThreads);
    WarpModel model = buildExecutedModel(list, static_cast<double>(warps));
    if (!(model.instructions > 0))
        return Error{.code = ErrorCode::environment, .message = "CUPTI counted no instruction of the launch."};
    launch.facts.warp = std::move(model);
    launch.facts.opcodes = codeMix(list);
    return {};
}

void describeCode(ProfiledLaunch& launch, const ModuleImages& images)
{
    const std::optional<CubinFunction> function = findFunction(images.findHolding(launch.kernel), launch.kernel);
    std::vector<ExecutedInstruction> list;
    for (std::size_t at = 0; function && at < function->code.size(); at += 2 * sizeof(std::uint64_t)) {
        const auto low = ElfFile::valueAt<std::uint64_t>(function->code, at);
        const auto high = ElfFile::valueAt<std::uint64_t>(function->code, at + sizeof(std::uint64_t));
        if (low && high)
            list.push_back({*low, *high, 0, 0, {}, {}, {}, {}});
    }
    launch.facts.opcodes = codeMix(list);
}

} // namespace kl::inject
