// SPDX-License-Identifier: MIT
#include "app/kloop/common/stored_comparison.h"

#include "app/kloop/common/stored_run.h"
#include "core/base/try.h"

namespace kl {

Result<StoredComparison> compareStored(Program& program, const ComparisonOptions& options)
{
    KL_ASSIGN(const Params problem, oneProblem(options.problems));
    KL_ASSIGN(const RunId a, resolveRun(program, options.a, problem));
    KL_ASSIGN(const RunId b, resolveRun(program, options.b, problem));
    KL_ASSIGN(auto* bench, program.bench());
    KL_ASSIGN(Comparison comparison, bench->compare(a, b, options.waive));
    return StoredComparison{a, b, std::move(comparison)};
}

} // namespace kl
