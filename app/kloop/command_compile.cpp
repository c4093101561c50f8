// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/render_compile.h"
#include "app/kloop/space_asked.h"
#include "core/device/device_table.h"
#include "sessions/search/space_build.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// The wanted architecture, then those of the other GPUs of the device table: each is compiled for itself, since registers differ.
std::vector<std::string> archsFrom(const std::string& wanted, bool allGpus)
{
    std::vector<std::string> archs{wanted};
    for (const GpuRow& gpu : deviceTable().gpus)
        if (const std::string target = targetLike(wanted, gpu.ccMajor, gpu.ccMinor);
            allGpus && std::ranges::find(archs, target) == archs.end())
            archs.push_back(target);
    return archs;
}

Result<int> compileOne(Program& program, const Options& options, GpuArch arch)
{
    const Result<Params> problem = oneProblem(options);
    const Result<Address> kernel = program.kernel(options.first, problem ? *problem : Params{}, chipOf(arch));
    if (!problem || !kernel)
        return problem ? kernel.error() : problem.error();
    const Result<const Catalog*> catalog = program.catalog();
    if (!catalog)
        return catalog.error();
    const Variant& variant = **(*catalog)->variant(*kernel);
    const Result<std::string> target = chooseTarget(toText(*kernel), variant.targets, arch.target);
    if (!target)
        return target.error();
    arch.target = *target;
    const Result<Collector*> collector = program.device().open(); // compiling needs no GPU
    if (!collector)
        return collector.error();
    const Result<BuildManyAnswer> answer = buildVariant(**collector, **(*catalog)->family(kernel->family), variant, kernel->tunables,
                                                        *problem, archsFrom(arch.target, options.space.allGpus), program.job());
    if (!answer)
        return answer.error();
    const BuiltPoint& built = answer->points.front();
    if (!built.ok)
        return Error{ErrorCode::kernelFailed, fmt::format("{} does not compile for {}.", built.kernel, arch.target),
                     "Change what the compiler complains of, or name another --arch.", built.kernel, built.log};
    if (!program.printed(compileJson(*answer, arch)))
        printCompiled(*answer, arch);
    return 0;
}

Result<int> compileSpace(Program& program, const Options& options, const GpuArch& arch)
{
    const Result<SpaceAsked> asked = askedSpace(program, options, [&] { return chipOf(arch); });
    if (!asked)
        return asked.error();
    const Result<Collector*> collector = program.device().open();
    if (!collector)
        return collector.error();
    const Result<SpaceBuild> build =
        buildSpace(**collector, *asked->family, *asked->variant, asked->onTarget(arch), options.space.jobs, program.job());
    if (!build)
        return build.error();
    if (!program.printed(compileSpaceJson(*asked, *build, arch)))
        printCompiledSpace(*build);
    return 0;
}

} // namespace

Result<int> commandCompile(Program& program, const Options& options)
{
    const Result<GpuArch> arch = archNamed(options.space.arch);
    if (!arch)
        return arch.error();
    program.device().choose(Source::live); // a recording compiles nothing
    return options.space.all ? compileSpace(program, options, *arch) : compileOne(program, options, *arch);
}

} // namespace kl
