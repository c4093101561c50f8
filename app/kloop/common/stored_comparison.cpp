// SPDX-License-Identifier: MIT
#include "app/kloop/common/stored_comparison.h"

#include "app/kloop/common/stored_run.h"

namespace kl {

Result<StoredComparison> compareStored(Program& program, const ComparisonOptions& options)
{
    const Result<Params> problem = oneProblem(options.problems);
    if (!problem)
        return problem.error();
    const Result<RunId> a = resolveRun(program, options.a, *problem);
    if (!a)
        return a.error();
    const Result<RunId> b = resolveRun(program, options.b, *problem);
    if (!b)
        return b.error();
    const Result<Workbench*> bench = program.bench();
    if (!bench)
        return bench.error();
    Result<Comparison> comparison = (*bench)->compare(*a, *b, options.waive);
    if (!comparison)
        return comparison.error();
    return StoredComparison{*a, *b, std::move(*comparison)};
}

} // namespace kl
