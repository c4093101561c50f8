// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/measure/baseline_options.h"
#include "core/base/try.h"
#include "sessions/measure/requests.h"

#include <charconv>
#include <fmt/format.h>

namespace kl::cli {
namespace {

struct RunOptions {
    std::string kernel;
    bool suite = false;
    std::string seed;    ///< a number or "fresh"; empty: not given
    bool energy = false; ///< per launch, too
    std::vector<std::string> problems;
    BaselineOptions baselines;
};

/// Unset: the inputs that recordings were made with.
Result<std::optional<std::uint64_t>> chooseSeed(const RunOptions& options, Source source)
{
    if (options.seed == "fresh" || (options.seed.empty() && options.suite && source == Source::live))
        return std::optional(freshSeed());
    if (options.seed.empty())
        return std::optional<std::uint64_t>();
    std::uint64_t seed = 0;
    const char* end = options.seed.data() + options.seed.size();
    if (const auto [rest, error] = std::from_chars(options.seed.data(), end, seed); error != std::errc() || rest != end)
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("\"{}\" is not a valid seed.", options.seed),
                     .hint = "Give a whole number from 0 to 18446744073709551615, or fresh.",
                     .where = "--seed"};
    return std::optional(seed);
}

Result<int> runKernel(Program& program, const RunOptions& options)
{
    usePython(options.baselines);
    KL_ASSIGN(const std::vector<Params> problems, allProblems(options.problems));
    std::vector<Address> kernels; // of each problem: a family may choose another variant
    for (const Params& problem : problems) {
        KL_ASSIGN(Address kernel, program.kernel(options.kernel, problem));
        kernels.push_back(std::move(kernel));
    }
    KL_ASSIGN(auto* bench, program.bench());
    KL_ASSIGN(const std::optional<std::uint64_t> seed, chooseSeed(options, bench->collector().source()));
    std::vector<RunRecord> runs;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        KL_ASSIGN(RunRecord run,
                  bench->run(kernels[i], problems[i], options.suite, program.job(), seed, options.baselines.names, options.energy));
        runs.push_back(std::move(run));
    }
    return printRuns(program, "kernelloop.runs/1", runs);
}

} // namespace

Runner addRun(CLI::App& app)
{
    const auto o = std::make_shared<RunOptions>();
    app.add_option("KERNEL", o->kernel, "family/variant, e.g. transpose/naive")->required();
    app.add_flag("--suite", o->suite, "Check every size of the correctness suite first");
    app.add_option("--seed", o->seed,
                   "Seed of the random inputs: a number, or fresh (default: fresh when the suite is checked on a GPU, else 1)");
    app.add_flag("--energy", o->energy, "Measure the energy per launch, too (NVML's counter): a second or more of launches back to back");
    addProblems(app, o->problems);
    addBaselineOptions(app, o->baselines);
    app.footer("The result is correct, or one of: incorrect, incorrect-when-timed (incorrect only in timed passes), stateful (keeps\n"
               "undeclared state), replays (returns an earlier result), non-deterministic, below-physics (faster than the device allows),\n"
               "precision-downgrade. For any other result no time is reported and the exit status is 1. See docs/kernels.md.");
    return [o](Program& program) { return runKernel(program, *o); };
}

} // namespace kl::cli
