// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "profiler/live/nvrtc/compile_pool.h"
#include "profiler/live/ptx/code_sections.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/ptx/ptxas_log.h"
#include "profiler/live/verbs.h"

#include <chrono>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr std::size_t kMostLog = 4000;

/// The same for programs of the same machine code, registers and launch shapes, whatever options they were compiled with.
std::string programHash(const CompiledSource& compiled, const std::vector<CompiledLaunch>& launches)
{
    const std::string code = codeSections(compiled.cubin);
    std::string text = code.empty() ? compiled.ptx : code;
    for (const CompiledLaunch& launch : launches)
        text += fmt::format("\n{} {} {} {} {}", launch.entry, launch.threads, launch.dynamicSmem, launch.registers, launch.staticSmem);
    return contentHash(text);
}

BuiltPoint describe(const BuildPoint& point, const CompiledSource& compiled)
{
    BuiltPoint built;
    built.ok = compiled.ok;
    built.seconds = compiled.seconds;
    built.cached = compiled.cached;
    if (!compiled.ok) {
        built.log = compiled.log.substr(0, kMostLog);
        return built;
    }
    const std::map<std::string, KernelResources> kernels = kernelResources(compiled.log);
    for (const BuildPoint::Launch& planned : point.launches) {
        const auto known = kernels.find(planned.entry);
        if (known == kernels.end()) {
            built.ok = false;
            built.log = fmt::format("The source has no kernel named {}: declare it extern \"C\" __global__.", planned.entry);
            return built;
        }
        const KernelResources& kernel = known->second;
        built.launches.push_back({planned.entry, planned.threads, kernel.registers, kernel.stackBytes, kernel.spillStores,
                                  kernel.spillLoads, kernel.staticSmem, planned.dynamicSmem, kernel.barriers,
                                  opcodeMix(compiled.ptx, planned.entry)});
    }
    built.code = programHash(compiled, built.launches);
    return built;
}

} // namespace

Result<BuildManyAnswer> buildMany(const BuildManyRequest& request, const Job& job)
{
    const Result<CompileCache*> cache = CompileCache::shared();
    if (!cache)
        return cache.error();
    const auto begin = std::chrono::steady_clock::now();
    BuildManyAnswer answer;
    answer.compiler = "NVRTC " + Nvrtc::load()->version();
    answer.arch = request.arch;
    answer.jobs = compileThreads(request.jobs, request.points.size());
    answer.points.resize(request.points.size());
    const auto targetOf = [&](const BuildPoint& point) { return point.arch.empty() ? request.arch : point.arch; };
    const Status status = compileAll(
        **cache, request.points.size(),
        [&](std::size_t i) {
            return CompileTask{request.source, request.points[i].options, targetOf(request.points[i]), request.headers};
        },
        answer.jobs, job,
        [&](std::size_t i, const Result<CompileCache::Compiled>& compiled) {
            BuiltPoint& built = answer.points[i];
            if (compiled)
                built = describe(request.points[i], **compiled);
            else // the other points may still compile: for another architecture, say
                built.log = compiled.error().message;
            built.kernel = request.points[i].kernel;
            built.arch = targetOf(request.points[i]);
        });
    if (!status)
        return status.error();
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return answer;
}

} // namespace kl
