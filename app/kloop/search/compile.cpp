// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/search/render_compile.h"
#include "app/kloop/search/requested_space.h"
#include "core/base/try.h"
#include "core/device/device_table.h"
#include "sessions/search/space_build.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct CompileOptions {
    SpaceOptions space;
    std::string arch = "sm_90";
    bool all = false;     ///< everything that passes the gates
    bool allGpus = false; ///< for every GPU of the device table, not for `arch` alone
    int jobs = 0;         ///< threads; 0: one per processor
};

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

Result<int> compileOne(Program& program, const CompileOptions& options, GpuArch arch)
{
    const Result<Params> problem = oneProblem(options.space.problems);
    const Result<Address> kernel = program.kernel(options.space.kernel, problem ? *problem : Params{}, toChip(arch));
    if (!problem || !kernel)
        return problem ? kernel.error() : problem.error();
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    const Variant& variant = **catalog->variant(*kernel);
    KL_ASSIGN(const std::string target, chooseTarget(toText(*kernel), variant.targets, arch.target));
    arch.target = target;
    KL_ASSIGN(auto* collector, program.device().open()); // compiling needs no GPU
    KL_ASSIGN(const BuildManyAnswer answer, buildVariant(*collector, **catalog->family(kernel->family), variant, kernel->tunables, *problem,
                                                         archsFrom(arch.target, options.allGpus), program.job()));
    const BuiltPoint& built = answer.points.front();
    if (!built.ok)
        return Error{.code = ErrorCode::kernelFailed,
                     .message = fmt::format("{} does not compile for {}.", built.kernel, arch.target),
                     .hint = "Fix the compiler's errors, or choose another --arch.",
                     .where = built.kernel,
                     .detail = built.log};
    if (!program.printAsJson(compileJson(answer, arch)))
        printCompiled(answer, arch);
    return 0;
}

Result<int> compileSpace(Program& program, const CompileOptions& options, const GpuArch& arch)
{
    KL_ASSIGN(const RequestedSpace requested, makeRequestedSpace(program, options.space, [&] { return toChip(arch); }));
    KL_ASSIGN(auto* collector, program.device().open());
    KL_ASSIGN(const SpaceBuild build,
              buildSpace(*collector, *requested.family, *requested.variant, requested.onTarget(arch), options.jobs, program.job()));
    if (!program.printAsJson(compileSpaceJson(requested, build, arch)))
        printCompiledSpace(build);
    return 0;
}

Result<int> compileKernel(Program& program, const CompileOptions& options)
{
    KL_ASSIGN(const GpuArch arch, findArch(options.arch));
    program.device().choose(Source::live); // a recording compiles nothing
    return options.all ? compileSpace(program, options, arch) : compileOne(program, options, arch);
}

} // namespace

Runner addCompile(CLI::App& app)
{
    const auto o = std::make_shared<CompileOptions>();
    app.add_option("KERNEL", o->space.kernel, "family/variant, with tunables after @; with --all also a family")->required();
    addSpaceOptions(app, o->space, o->arch);
    app.add_flag("--all", o->all, "Every combination of tunables that passes the gates of kloop space");
    app.add_flag("--all-gpus", o->allGpus, "Compile for every GPU of the device table")->excludes("--all");
    addJobs(app, o->jobs);
    app.footer("Compiles for the target of --arch, including architecture-specific features (sm_90a). Needs a CUDA toolkit, but no GPU.\n"
               "Compiled code is cached; see kloop cache.");
    return [o](Program& program) { return compileKernel(program, *o); };
}

} // namespace kl::cli
