// SPDX-License-Identifier: MIT
#include "sessions/measure/find_failing.h"

#include "core/base/try.h"
#include "core/stats/mismatch_text.h"
#include "sessions/measure/failed_run.h"
#include "sessions/measure/shrink_problem.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline measure {
namespace {

/// Limit of the problems tried below those of the suite.
constexpr int kShrinkLimit = 48;

std::string describe(const std::string& problem, const std::string& reason, const SuiteRow& row)
{
    std::string text = fmt::format("{}: {}; max abs error {:.3g}, {} unwritten, {} non-finite", problem,
                                   reason.empty() ? "incorrect result" : reason, row.maxAbs, row.unwritten, row.nonfinite);
    if (row.firstWrong)
        text += "; first incorrect element " + mismatchText(*row.firstWrong);
    return text;
}

/// Correctness alone: untimed, and not stored.
Result<RunAnswer> check(Workbench& bench, const Address& variant, const Params& problem, const Job& job)
{
    KL_ASSIGN(RunRequest request, runRequest(bench.catalog(), variant, problem, false, toChip(bench.collector())));
    request.timed = false;
    request.withBaseline = false;
    return orFailedRun(run(bench.collector(), request, job), bench.collector().hello());
}

/// Searches below the suite's smallest failing size and describes the failure.
Status shrink(Workbench& bench, const Address& variant, const Job& job, FailingCase& found)
{
    std::optional<SuiteRow> last; // of the smallest problem that fails
    std::string reason;
    const auto fails = [&](const Params& problem) -> Result<bool> {
        const Result<RunAnswer> answer = check(bench, variant, problem, job);
        if (!answer && answer.error().code == ErrorCode::badInput)
            return false; // the kernel does not support the size
        if (!answer)
            return answer.error();
        const bool wrong = answer->status == ResultStatus::validationFailed || answer->status == ResultStatus::computationFailed;
        if (wrong) {
            const Correctness& c = answer->correctness;
            last = SuiteRow{toText(problem), false, c.maxAbs, c.relL2, c.nonfinite, c.unwritten, c.reason, c.firstWrong};
            reason = answer->reason;
        }
        return wrong;
    };
    const std::string suiteSize = toText(*found.problem);
    KL_ASSIGN(const ShrunkProblem shrunk, shrinkProblem(*found.problem, kShrinkLimit, fails));
    if (last) {
        found.seen = fmt::format("{}. Reduced from {}, the smallest failing size in the suite, by trying {} more problems",
                                 describe(last->problem, reason, *last), suiteSize, shrunk.tried);
        found.problem = shrunk.problem;
    } else if (shrunk.tried > 0) {
        found.seen += fmt::format(". Nothing smaller fails: {} problems tried", shrunk.tried);
    }
    if (!shrunk.stopped.empty())
        found.seen += fmt::format("; {}", shrunk.stopped);
    return {};
}

} // namespace

Result<FailingCase> findFailingCase(Workbench& bench, const Address& variant, const KernelFamily& family, const Job& job)
{
    KL_ASSIGN(RunRecord run, bench.run(variant, family.smallest, true, job));
    FailingCase found;
    const std::vector<SuiteRow>& suite = run.correctness.suite;
    const auto wrong = std::find_if(suite.begin(), suite.end(), [](const SuiteRow& row) { return !row.pass; });
    if (wrong != suite.end()) {
        KL_ASSIGN(Params problem, parseParams(wrong->problem));
        found.problem = std::move(problem);
        found.seen = describe(wrong->problem, wrong->reason, *wrong);
    } else if (!isUsable(run)) {
        found.problem = family.smallest; // it failed before or beside the suite
        found.seen = fmt::format("{}: {}", toText(family.smallest), run.reason.empty() ? run.correctness.reason : run.reason);
    } else {
        found.seen = fmt::format("correct on all {} sizes that were tried", suite.size());
    }
    const bool everywhere = run.status == ResultStatus::compilationFailed || run.status == ResultStatus::deviceLimitsExceeded;
    if (found.problem && !everywhere)
        KL_TRY(shrink(bench, variant, job, found));
    found.run = std::move(run);
    return found;
}

} // namespace kl::inline measure
