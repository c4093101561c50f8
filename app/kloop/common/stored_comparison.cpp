// SPDX-License-Identifier: MIT
#include "app/kloop/common/stored_comparison.h"

#include "app/kloop/common/stored_run.h"
#include "core/base/try.h"

namespace kl::cli {

Result<StoredComparison> compareStored(Program& program, const ComparisonOptions& options)
{
    KL_ASSIGN(const Params problem, oneProblem(options.problems));
    KL_ASSIGN(const auto pair, resolvePair(program, options.a, options.b, problem));
    const auto& [a, b] = pair;
    KL_ASSIGN(auto* bench, program.bench());
    KL_ASSIGN(Comparison comparison, bench->compare(a, b, options.waive));
    return StoredComparison{a, b, std::move(comparison)};
}

} // namespace kl::cli
