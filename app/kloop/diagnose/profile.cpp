// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/diagnose/metric_choice.h"
#include "app/kloop/render/render_metrics.h"
#include "app/kloop/terminal/streams.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Result<int> printPlan(Program& program, const Options& options)
{
    const Result<MetricsAnswer> plan = planMetrics(program, options);
    if (!plan)
        return plan.error();
    if (!program.printed(planToJson(*plan)))
        printText("{}", renderPlan(*plan));
    return 0;
}

/// What the profiles will collect. On a GPU the plan of chosen metrics is shown first, and names and expressions are those that it settled;
/// that of a tier is known, and the worker finds out how to count it while it measures.
Result<ProfileScope> scopeOf(Program& program, const Options& options)
{
    ProfileScope scope = options.tier;
    scope.maxPasses = options.profile.maxPasses;
    scope.source = options.source;
    scope.countersOnly = options.profile.countersOnly;
    if (options.profile.experiments)
        scope.experiments = true;
    if (options.profile.noCounters) {
        scope.counters = false;
        return scope;
    }
    if (!options.profile.cacheControl.empty())
        scope.cacheControl = options.profile.cacheControl;
    Result<std::vector<std::string>> chosen = chosenMetrics(options.profile);
    if (!chosen)
        return chosen.error();
    scope.metrics = std::move(*chosen);
    const bool planned = !scope.metrics.empty() || scope.maxPasses > 0;
    if (!planned || program.device().source() == Source::sample || program.device().unusable())
        return scope; // a recording's plan is the one that ran
    const Result<MetricsAnswer> plan = planMetrics(program, options);
    if (!plan) // without counters the kernel is measured and the finding inferred; a wrong name is still an error
        return plan.error().code == ErrorCode::environment && scope.metrics.empty() ? Result<ProfileScope>(scope) : plan.error();
    say("plan: {}\n", planSentence(*plan));
    if (!scope.metrics.empty()) {
        scope.metrics = plan->names;
        for (const auto& entry : plan->missing) // told apart once more in the answer
            scope.metrics.push_back(entry.first);
    }
    return scope;
}

} // namespace

Result<int> commandProfile(Program& program, const Options& options)
{
    if (options.profile.plan)
        return printPlan(program, options);
    if (!options.profile.chip.empty())
        return Error{ErrorCode::usage,
                     "--chip plans for another chip; a profile runs on the GPU that is here.",
                     "Add --plan, or leave --chip out.",
                     "--chip",
                     {}};
    const Result<std::vector<Subject>> subjects = subjectsOf(program, options);
    if (!subjects)
        return subjects.error();
    const Result<ProfileScope> scope = scopeOf(program, options);
    if (!scope)
        return scope.error();
    const Result<Workbench*> bench = program.bench();
    if (!bench)
        return bench.error();
    if (scope->countersOnly) {
        const Result<std::vector<RunRecord>> counted = (*bench)->count(*subjects, *scope, program.job());
        return counted ? printRuns(program, "kernelloop.profiles/1", *counted) : Result<int>(counted.error());
    }
    std::vector<RunRecord> runs;
    for (const auto& [kernel, problem] : *subjects) {
        Result<RunRecord> run = (*bench)->profile(kernel, problem, *scope, program.job());
        if (!run)
            return run.error();
        runs.push_back(std::move(*run));
    }
    return printRuns(program, "kernelloop.profiles/1", runs, options.explain);
}

} // namespace kl
