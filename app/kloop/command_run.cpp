// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/measured.h"
#include "app/kloop/program.h"

namespace kl {

Result<int> commandRun(Program& program, const Options& options)
{
    const Result<Address> address = program.kernel(options.first);
    if (!address)
        return address.error();
    const Result<std::vector<Params>> problems = problemsOf(options);
    if (!problems)
        return problems.error();
    const Result<Workbench*> bench = program.bench();
    if (!bench)
        return bench.error();
    std::vector<RunRecord> runs;
    for (const Params& problem : *problems) {
        Result<RunRecord> run = (*bench)->run(*address, problem, options.suite, program.job());
        if (!run)
            return run.error();
        runs.push_back(std::move(*run));
    }
    return printRuns(program, "kernelloop.runs/1", runs);
}

} // namespace kl
