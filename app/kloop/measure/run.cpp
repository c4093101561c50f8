// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render_baselines.h"
#include "sessions/engine/requests.h"

#include <charconv>
#include <fmt/format.h>

namespace kl {
namespace {

/// Nothing: the inputs that recordings were made with.
Result<std::optional<std::uint64_t>> chosenSeed(const Options& options, Source source)
{
    if (options.seed == "fresh" || (options.seed.empty() && options.suite && source == Source::live))
        return std::optional(freshSeed());
    if (options.seed.empty())
        return std::optional<std::uint64_t>();
    std::uint64_t seed = 0;
    const char* end = options.seed.data() + options.seed.size();
    if (const auto [rest, error] = std::from_chars(options.seed.data(), end, seed); error != std::errc() || rest != end)
        return Error{ErrorCode::usage,
                     fmt::format("\"{}\" is no seed.", options.seed),
                     "Give a whole number from 0 to 18446744073709551615, or fresh.",
                     "--seed",
                     {}};
    return std::optional(seed);
}

} // namespace

Result<int> commandRun(Program& program, const Options& options)
{
    usePython(options);
    const Result<std::vector<Params>> problems = problemsOf(options);
    if (!problems)
        return problems.error();
    std::vector<Address> kernels; // of each problem: a family may choose another variant
    for (const Params& problem : *problems) {
        Result<Address> kernel = program.kernel(options.first, problem);
        if (!kernel)
            return kernel.error();
        kernels.push_back(std::move(*kernel));
    }
    const Result<Workbench*> bench = program.bench();
    if (!bench)
        return bench.error();
    const Result<std::optional<std::uint64_t>> seed = chosenSeed(options, (*bench)->collector().source());
    if (!seed)
        return seed.error();
    std::vector<RunRecord> runs;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        Result<RunRecord> run = (*bench)->run(kernels[i], (*problems)[i], options.suite, program.job(), *seed, options.baselines);
        if (!run)
            return run.error();
        runs.push_back(std::move(*run));
    }
    return printRuns(program, "kernelloop.runs/1", runs);
}

} // namespace kl
