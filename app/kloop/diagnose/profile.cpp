// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/opened_files.h"
#include "app/kloop/common/program.h"
#include "app/kloop/diagnose/profile_options.h"
#include "app/kloop/render/render_metrics.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/format.h"
#include "core/base/try.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Result<int> printPlan(Program& program, const MetricOptions& options)
{
    KL_ASSIGN(const MetricsAnswer plan, planMetrics(program, options));
    if (!program.printAsJson(planToJson(plan)))
        printText("{}", renderPlan(plan));
    return 0;
}

/// What the profiles will collect. On a GPU the plan of chosen metrics is shown first, and names and expressions are those that it settled;
/// that of a tier is known, and the worker finds out how to count it while it measures.
Result<ProfileScope> makeProfileScope(Program& program, const ProfileOptions& options)
{
    ProfileScope scope = options.metrics.tier;
    scope.maxPasses = options.metrics.maxPasses;
    scope.source = options.source;
    scope.countersOnly = options.countersOnly;
    scope.energy = options.energy;
    scope.pmSampling = options.pmSampling;
    if (options.experiments)
        scope.experiments = true;
    if (options.noCounters) {
        scope.counters = false;
        return scope;
    }
    if (!options.cacheControl.empty())
        scope.cacheControl = options.cacheControl;
    KL_ASSIGN(std::vector<std::string> chosen, chooseMetrics(options.metrics));
    scope.metrics = std::move(chosen);
    const bool planned = !scope.metrics.empty() || scope.maxPasses > 0;
    if (!planned || program.device().source() == Source::sample || program.device().unusable())
        return scope; // a recording's plan is the one that ran
    const Result<MetricsAnswer> plan = planMetrics(program, options.metrics);
    if (!plan) // without counters the kernel is measured and the finding inferred; a wrong name is still an error
        return plan.error().code == ErrorCode::environment && scope.metrics.empty() ? Result<ProfileScope>(scope) : plan.error();
    say("Plan: {}\n", planSentence(*plan));
    if (!scope.metrics.empty()) {
        scope.metrics = plan->names;
        for (const auto& entry : plan->missing) // which the answer lists as missing
            scope.metrics.push_back(entry.first);
    }
    return scope;
}

Result<int> profileKernels(Program& program, const ProfileOptions& options)
{
    if (options.program.given())
        return Error{.code = ErrorCode::usage,
                     .message = "--kernel, --skip, --count, --once, --range, --by-range, --executions and --out apply to a program after "
                                "\"--\", and there is none.",
                     .hint = "For example: kloop profile --kernel gemm -- python3 train.py"};
    if (options.plan)
        return printPlan(program, options.metrics);
    if (!options.metrics.chip.empty())
        return Error{.code = ErrorCode::usage,
                     .message = "--chip is for a plan; a profile runs on this machine's GPU.",
                     .hint = "Add --plan, or omit --chip.",
                     .where = "--chip"};
    KL_ASSIGN(const std::vector<Subject> subjects, listSubjects(program, options.subjects));
    KL_ASSIGN(const ProfileScope scope, makeProfileScope(program, options));
    KL_ASSIGN(auto* bench, program.bench());
    if (scope.countersOnly) {
        const Result<std::vector<RunRecord>> counted = bench->count(subjects, scope, program.job());
        return counted ? printRuns(program, "kernelloop.profiles/1", *counted) : Result<int>(counted.error());
    }
    // Counters take twice as long as all that precedes them, so what is known without them is not kept back.
    const EarlyLook early = [&](const RunRecord& run) {
        program.clearProgress();
        if (run.timing && run.diagnosis)
            say("{} takes {}. First finding: {} Inferred from its time and its code; counters are being read and may change it.\n",
                nameFor(run), formatTime(run.timing->gpu.median), run.diagnosis->finding.title);
    };
    bench->expectProfiles(subjects, scope);
    std::vector<RunRecord> runs;
    std::vector<Subject> missing;
    for (const Subject& subject : subjects) {
        Result<RunRecord> run = bench->profile(subject.first, subject.second, scope, program.job(), early);
        if (run) {
            if (!scope.pmSampling && run->pmSampling && run->pmSampling->passes.empty())
                run->pmSampling.reset(); // why a recording has none is of interest to who asks for it
            runs.push_back(std::move(*run));
        } else if (options.subjects.all && subjects.size() > missing.size() + 1 && run.error().code == ErrorCode::notRecorded) {
            missing.push_back(subject); // of a fault on purpose, say, only its debugging is recorded; without any run it is an error
        } else {
            return run.error();
        }
    }
    return printRuns(program, "kernelloop.profiles/1", runs, options.explain, missing);
}

} // namespace

Runner addProfile(CLI::App& app)
{
    constexpr const char* kProgramGroup = "For a program after \"--\"";
    const auto o = std::make_shared<ProfileOptions>();
    app.add_option("KERNEL", o->subjects.kernels, "family/variant, e.g. transpose/naive; several are profiled in one process");
    app.add_flag("--all", o->subjects.all,
                 "Every variant in the catalog, on each of its problems unless --problem is given; what a recording lacks is left out");
    addProblems(app, o->subjects.problems);
    addMetricOptions(app, o->metrics);
    app.add_flag("--plan", o->plan, "Print what would be collected and in how many passes, without profiling");
    app.add_option("--cache-control", o->cacheControl, "flush empties the caches before every pass (default); none leaves them alone")
        ->check(CLI::IsMember({"flush", "none"}));
    CLI::Option* counters =
        app.add_flag("--counters-only", o->countersOnly, "Collect metrics only: no correctness check, timing, baseline or source lines");
    app.add_flag("--no-counters", o->noCounters, "Diagnose from times and code alone, as if hardware counters were not permitted")
        ->excludes(counters)
        ->excludes(app.get_option("--metrics"))
        ->excludes(app.get_option("--sections"));
    app.add_flag("--experiments", o->experiments,
                 "Also time the kernel with half the blocks per SM, half the grid and the smallest L1 (always done without counters)")
        ->excludes(counters);
    app.add_flag("--energy", o->energy, "Measure the energy per launch, too (NVML's counter): a second or more of launches back to back")
        ->excludes(counters);
    app.add_flag("--pm-sampling", o->pmSampling,
                 "Also sample throughputs and active warps over the launch's duration (launches of 100 µs or more)")
        ->excludes(counters)
        ->excludes(app.get_option("--no-counters"));
    app.add_flag("--explain", o->explain, "Print every question of the diagnosis tree with its values")->excludes(counters);
    // Not one flag with its negation: CLI11 would make an optional false where neither is given.
    app.add_flag_callback(
        "--source", [o] { o->source = true; }, "Find the source lines where time goes (default: at tier 2)");
    app.add_flag_callback(
        "--no-source", [o] { o->source = false; }, "Skip the source lines");
    addKernelFilter(app, o->program.kernel)->group(kProgramGroup);
    app.add_option("--skip", o->program.skip, "Launches of each kernel to skip before one is profiled (default: 0)")
        ->check(CLI::Range(0, 1'000'000'000))
        ->group(kProgramGroup);
    app.add_option("--count", o->program.count, "Maximum number of launches to profile, one of each kernel and grid (default: 20)")
        ->check(CLI::Range(1, 1000))
        ->group(kProgramGroup);
    app.add_flag("--once", o->program.once, "Run the program once, and profile in order of launch instead of by time")
        ->group(kProgramGroup);
    app.add_option("--range", o->program.range, "Only launches inside the NVTX range of this name")->group(kProgramGroup);
    app.add_flag("--by-range", o->program.byRange,
                 "Tell launches apart by their NVTX range: the one directly inside --range, or the outermost")
        ->group(kProgramGroup);
    app.add_flag("--executions", o->program.executions,
                 "Also count what instructions do, by patching the code of one launch; implied by --no-counters")
        ->group(kProgramGroup);
    app.add_option("--out", o->program.out, "Write the JSON output to this file; standard output is left to the program")
        ->check(notBlank)
        ->group(kProgramGroup);
    app.footer(
        "Without a GPU, on a recording of an H200:\n  kloop profile transpose/naive --on sample\n"
        "What a profile would cost on another chip:\n  kloop profile --plan --chip AD102 --sections SpeedOfLight,WarpState\n"
        "Any program. Its output and exit status are unchanged, but with --json its output goes to stderr. It runs twice: first to time\n"
        "its launches, then, silently, to read the counters (with --no-counters: to count the executed instructions) of the launches that\n"
        "take 95 % of the GPU time. With --once, it runs only once:\n"
        "  kloop profile -- python3 train.py");
    return [o](Program& program) { return program.options().program ? profileProgram(program, *o) : profileKernels(program, *o); };
}

} // namespace kl::cli
