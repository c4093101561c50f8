// SPDX-License-Identifier: MIT
#include "profiler/live/work/launch_entry.h"

#include "core/base/try.h"
#include "profiler/live/cuda/handles.h"
#include "profiler/live/host/passes.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/work/launch_config.h"
#include "profiler/live/work/work_errors.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

std::int64_t product(const std::vector<std::int64_t>& sizes)
{
    std::int64_t all = 1;
    for (const std::int64_t size : sizes)
        all *= size;
    return all;
}

} // namespace

Status checkGeometry(const LaunchSpec& launch, const DeviceInfo& device)
{
    const auto positive = [](const std::vector<std::int64_t>& sizes) {
        return !sizes.empty() && sizes.size() <= 3 && std::all_of(sizes.begin(), sizes.end(), [](std::int64_t s) { return s > 0; });
    };
    if (launch.entry.starts_with(kProofPrefix) || launch.entry == kGateName)
        return badWork(fmt::format("A kernel cannot be named {}: names that begin with {} are reserved.", launch.entry, kProofPrefix));
    if (!positive(launch.grid) || !positive(launch.block))
        return badWork(fmt::format("Launch of {}: grid and block need one to three positive sizes.", launch.entry));
    if (product(launch.block) > 1024)
        return deviceLimit(fmt::format("{} requests {} threads per block; the device allows 1024.", launch.entry, product(launch.block)));
    if (launch.dynamicSmem > device.smemPerBlockOptin)
        return deviceLimit(fmt::format("{} requests {} bytes of shared memory per block; the device allows {}.", launch.entry,
                                       launch.dynamicSmem, device.smemPerBlockOptin),
                           "Choose a smaller tile or fewer stages.");
    if (launch.grid[0] > 0x7fffffff || (launch.grid.size() > 1 && launch.grid[1] > 65535) ||
        (launch.grid.size() > 2 && launch.grid[2] > 65535))
        return deviceLimit(fmt::format("{}: the grid is larger than the device allows (2147483647 × 65535 × 65535).", launch.entry));
    return {};
}

Result<LaunchEntry> resolveEntry(CUmodule module, const LaunchSpec& spec, const DeviceInfo& device)
{
    LaunchEntry entry;
    if (cuda().ModuleGetFunction(&entry.function, module, spec.entry.c_str()) != CUDA_SUCCESS)
        return Error{.code = ErrorCode::kernelFailed,
                     .message = fmt::format("The source has no kernel named {}.", spec.entry),
                     .hint = "Declare it extern \"C\" __global__.",
                     .where = spec.entry,
                     .detail = kCompileFailure};
    LaunchFacts& facts = entry.facts;
    facts.entry = spec.entry;
    facts.gridBlocks = product(spec.grid);
    facts.blockThreads = static_cast<int>(product(spec.block));
    facts.dynamicSmem = spec.dynamicSmem;
    if (spec.dynamicSmem > 0 && // beyond 48 KiB a kernel must opt in
        cuda().FuncSetAttribute(entry.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(spec.dynamicSmem)) !=
            CUDA_SUCCESS)
        return deviceLimit(fmt::format("{} cannot have {} bytes of dynamic shared memory in addition to its static shared memory.",
                                       spec.entry, spec.dynamicSmem));
    if (spec.carveout)
        KL_TRY(KL_CUDA(FuncSetAttribute, entry.function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, *spec.carveout));
    KL_TRY(describeLaunch(entry.function, device, facts));
    if (facts.blocksPerSm == 0)
        return deviceLimit(
            fmt::format("{} does not fit on an SM: {} registers per thread, {} threads per block, {} bytes of shared memory.", spec.entry,
                        facts.registers, facts.blockThreads, facts.staticSmem + facts.dynamicSmem));
    KL_TRY(prepareShape(entry.function, spec, device, facts));
    return entry;
}

Result<std::vector<LaunchFacts>> describeLaunches(const WorkSpec& spec, const CompiledSource& compiled, const DeviceInfo& device)
{
    KL_ASSIGN(Module module, loadModule(compiled.cubin.data()));
    std::vector<LaunchFacts> facts;
    for (const LaunchSpec& launch : spec.launches) {
        KL_TRY(checkGeometry(launch, device));
        KL_ASSIGN(LaunchEntry entry, resolveEntry(module.get(), launch, device));
        facts.push_back(std::move(entry.facts));
        facts.back().opcodes = opcodeMix(compiled.ptx, launch.entry);
    }
    return facts;
}

} // namespace kl::inline live
