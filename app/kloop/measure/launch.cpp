// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct LaunchOptions {
    SubjectOptions subjects;
    int repeat = 1;
};

Result<int> launchKernels(Program& program, const LaunchOptions& options)
{
    if (program.options().onSample())
        return Error{.code = ErrorCode::usage,
                     .message = "A recording cannot be launched.",
                     .hint = "Omit --on; this needs a GPU.",
                     .where = "--on"};
    KL_ASSIGN(const std::vector<Subject> subjects, listSubjects(program, options.subjects));
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    Json launches = Json::array();
    Json failed = Json::array(); // another profiler that looks on has use for the others
    for (const auto& [kernel, problem] : subjects) {
        KL_ASSIGN(WorkSpec work, catalog->work(kernel, problem));
        const std::string size = work.problem;
        KL_ASSIGN(const RunAnswer answer, launch(program.device(), {std::move(work), options.repeat}, program.job()));
        if (answer.status != ResultStatus::ok) {
            failed.push_back({{"kernel", toText(kernel)}, {"problem", size}, {"reason", answer.reason}});
            say("{} at {} failed: {}\n", toText(kernel), size, answer.reason);
            continue;
        }
        for (int i = 0; i < options.repeat; ++i)
            for (const LaunchFacts& one : answer.launches)
                launches.push_back({{"kernel", toText(kernel)},
                                    {"problem", size},
                                    {"entry", one.entry},
                                    {"grid_blocks", one.gridBlocks},
                                    {"block_threads", one.blockThreads}});
    }
    if (!program.printAsJson({{"schema", "kernelloop.launch/1"}, {"launches", launches}, {"failed", failed}}))
        for (const Json& one : launches)
            printText("{} at {}: {}, {} blocks of {} threads\n", one["kernel"].get<std::string>(), one["problem"].get<std::string>(),
                      one["entry"].get<std::string>(), one["grid_blocks"].get<std::int64_t>(), one["block_threads"].get<int>());
    return failed.empty() ? 0 : exitCode(ErrorCode::kernelFailed);
}

} // namespace

Runner addLaunch(CLI::App& app)
{
    const auto o = std::make_shared<LaunchOptions>();
    app.add_option("KERNEL", o->subjects.kernels, "family/variant, e.g. transpose/naive; several are launched one after the other");
    app.add_flag("--all", o->subjects.all, "Every variant in the catalog, on each of its problems unless --problem is given");
    app.add_option("--repeat", o->repeat, "Number of launches, each on fresh inputs")->check(CLI::Range(1, 1000));
    addProblems(app, o->subjects.problems);
    app.footer("For example, under Nsight Compute:\n  ncu --target-processes all kloop launch transpose/naive");
    return [o](Program& program) { return launchKernels(program, *o); };
}

} // namespace kl::cli
