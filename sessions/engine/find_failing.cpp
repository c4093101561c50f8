// SPDX-License-Identifier: MIT
#include "sessions/engine/find_failing.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {

Result<FailingCase> findFailingCase(Workbench& bench, const Address& variant, const KernelFamily& family, const Job& job)
{
    Result<RunRecord> run = bench.run(variant, family.smallest, true, job);
    if (!run)
        return run.error();
    FailingCase found;
    const std::vector<SuiteRow>& suite = run->correctness.suite;
    const auto wrong = std::find_if(suite.begin(), suite.end(), [](const SuiteRow& row) { return !row.pass; });
    if (wrong != suite.end()) {
        Result<Params> problem = parseParams(wrong->problem);
        if (!problem)
            return problem.error();
        found.problem = std::move(*problem);
        found.seen = fmt::format("{}: {}; max abs error {:.3g}, {} unwritten, {} not finite", wrong->problem,
                                 wrong->reason.empty() ? "wrong result" : wrong->reason, wrong->maxAbs, wrong->unwritten, wrong->nonfinite);
    } else if (run->status != ResultStatus::ok || run->correctness.result == CorrectnessResult::fail) {
        found.problem = family.smallest; // it failed before or beside the suite
        found.seen = fmt::format("{}: {}", toText(family.smallest), run->reason.empty() ? run->correctness.reason : run->reason);
    } else {
        found.seen = fmt::format("right on all {} sizes that were tried", suite.size());
    }
    found.run = std::move(*run);
    return found;
}

} // namespace kl
