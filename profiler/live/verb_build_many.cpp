// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "core/base/try.h"
#include "profiler/live/nvrtc/compile_cache.h"
#include "profiler/live/nvrtc/compile_pool.h"
#include "profiler/live/ptx/code_facts.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/verbs.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr std::size_t kMostLog = 4000;

/// Puts what is known of the code to the point's launches.
BuiltPoint describe(const BuildPoint& point, const CodeFacts& facts, bool cached)
{
    BuiltPoint built;
    built.ok = true;
    built.seconds = facts.seconds;
    built.cached = cached;
    std::string program = facts.code; // of the same machine code and launch shapes, whatever options it was compiled with
    for (const BuildPoint::Launch& planned : point.launches) {
        const auto known = facts.kernels.find(planned.entry);
        if (known == facts.kernels.end()) {
            built.ok = false;
            built.log = facts.kernels.empty()
                            ? std::string("The assembler did not report registers and spills.")
                            : fmt::format("The source has no kernel named {}: declare it extern \"C\" __global__.", planned.entry);
            built.launches.clear();
            return built;
        }
        const auto& [of, opcodes] = known->second;
        built.launches.push_back({planned.entry, planned.threads, of.registers, of.stackBytes, of.spillStores, of.spillLoads, of.staticSmem,
                                  planned.dynamicSmem, of.barriers, opcodes});
        program += fmt::format("\n{} {} {}", planned.entry, planned.threads, planned.dynamicSmem);
    }
    built.code = contentHash(program);
    return built;
}

Result<BuiltPoint> build(CompileCache& cache, const BuildPoint& point, const CompileTask& task, bool lines, const std::stop_token& stop)
{
    if (!lines) // of which notes say nothing
        if (const std::optional<std::string> note = cache.note(task))
            if (const std::optional<CodeFacts> facts = unpackFacts(*note))
                return describe(point, *facts, true);
    KL_ASSIGN(const CompileCache::Compiled compiled, cache.compile(task, stop));
    if (!compiled->ok) {
        BuiltPoint failed;
        failed.log = compiled->log.substr(0, kMostLog);
        failed.seconds = compiled->seconds;
        return failed;
    }
    CodeFacts facts = collectCodeFacts(compiled->cubin, compiled->ptx, compiled->log);
    facts.seconds = compiled->seconds;
    if (!facts.kernels.empty())
        cache.keepNote(task, packFacts(facts));
    BuiltPoint built = describe(point, facts, compiled->cached);
    if (lines)
        for (CompiledLaunch& launch : built.launches)
            launch.lines = opcodesByLine(compiled->ptx, launch.entry);
    return built;
}

} // namespace

Result<BuildManyAnswer> buildMany(const BuildManyRequest& request, const Job& job)
{
    KL_ASSIGN(auto* cache, CompileCache::shared());
    const auto begin = std::chrono::steady_clock::now();
    BuildManyAnswer answer;
    answer.compiler = "NVRTC " + Nvrtc::load()->version();
    answer.arch = request.arch;
    answer.jobs = compileThreads(request.jobs, request.points.size());
    answer.points.resize(request.points.size());
    std::vector<std::optional<Error>> refused(request.points.size());
    const auto one = [&](std::size_t i, const std::stop_token& stop) -> Result<bool> {
        const BuildPoint& point = request.points[i];
        const std::string& arch = point.arch.empty() ? request.arch : point.arch;
        Result<BuiltPoint> built = build(*cache, point, {request.source, point.options, arch, request.headers}, request.lines, stop);
        if (!built && built.error().code == ErrorCode::interrupted)
            return built.error();
        if (!built) { // the other points may still compile: for another architecture, say
            refused[i] = built.error();
            built = BuiltPoint{};
            built->log = refused[i]->message;
        }
        built->kernel = point.kernel;
        built->arch = arch;
        answer.points[i] = std::move(*built);
        return answer.points[i].cached;
    };
    KL_TRY(compileAll(request.points.size(), answer.jobs, job, one));
    if (!refused.empty() && std::ranges::all_of(refused, [](const auto& error) { return error.has_value(); }))
        return *refused.front();
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return answer;
}

} // namespace kl::inline live
