// SPDX-License-Identifier: MIT
#include "app/kloop/parse_profile.h"

#include "app/kloop/commands.h"
#include "app/kloop/parse_program.h"
#include "sessions/sanitize/sanitizer_report.h"

#include <CLI/CLI.hpp>

namespace kl {
namespace {

CLI::App* command(CLI::App& app, Parsed& parsed, const char* name, const char* help, Command run)
{
    CLI::App* sub = app.add_subcommand(name, help);
    sub->fallthrough();
    sub->callback([&parsed, run] { parsed.command = run; });
    return sub;
}

void addProblem(CLI::App* sub, Options& o)
{
    sub->add_option("--problem", o.problems, "Sizes, as M=4096,N=4096; may be given several times")->allow_extra_args(false);
}

/// Which metrics; the same words for profile and its plan as for kloop metrics.
void addChoice(CLI::App* sub, Options& o)
{
    CLI::Option* tier = sub->add_option("--tier", o.tier, "Metrics: 0 quick, 1 standard, 2 full")->check(CLI::Range(0, 2));
    sub->add_option("--metrics", o.profile.metrics, "Exactly these, as a,b,c or regex:EXPRESSION; CUPTI's names")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes(tier);
    sub->add_option("--sections", o.profile.sections, "Groups of metrics, as SpeedOfLight,WarpState or all; see kloop metrics")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes(tier);
    sub->add_option("--max-passes", o.profile.maxPasses, "Leave out what would take more passes; cheap metrics go first")
        ->check(CLI::Range(1, 1000));
    sub->add_option("--chip", o.profile.chip, "Plan for this chip, as GH100, whatever GPU is here");
}

void addProfile(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    CLI::App* profile = command(app, parsed, "profile", "Collect hardware metrics and say what limits the kernel", commandProfile);
    profile->add_option("KERNEL", o.kernels, "family/variant, as transpose/naive; several are collected in one process");
    profile->add_flag("--all", o.profile.all, "Every variant of the catalog, on each of its problems where none is named");
    addProblem(profile, o);
    addChoice(profile, o);
    profile->add_flag("--plan", o.profile.plan, "Print what would be collected, in how many passes, and stop");
    profile->add_option("--cache-control", o.profile.cacheControl, "flush empties the caches before every pass (default); none leaves them")
        ->check(CLI::IsMember({"flush", "none"}));
    CLI::Option* counters =
        profile->add_flag("--counters-only", o.profile.countersOnly, "Metrics alone: no correctness, timing, baseline or source lines");
    profile
        ->add_flag("--no-counters", o.profile.noCounters, "Infer what limits it from times and code, as where counters are not permitted")
        ->excludes(counters)
        ->excludes(profile->get_option("--metrics"))
        ->excludes(profile->get_option("--sections"));
    profile
        ->add_flag("--experiments", o.profile.experiments,
                   "Time it with half the blocks an SM, half the grid and the least L1, too, as is done without counters")
        ->excludes(counters);
    profile->add_flag("--explain", o.explain, "Print every question of the diagnosis tree with its figures and what they are made of")
        ->excludes(counters);
    // Not one flag with its negation: CLI11 would make an optional false where neither is said.
    profile->add_flag_callback(
        "--source", [&o] { o.source = true; }, "Find the source lines where time goes (default: at tier 2)");
    profile->add_flag_callback(
        "--no-source", [&o] { o.source = false; }, "Leave them out");
    addProgramOptions(profile, parsed);
    profile->footer(
        "Without a GPU, on a recording of an H200:\n  kloop profile transpose/naive --on sample\n"
        "What a profile would cost on another chip:\n  kloop profile --plan --chip AD102 --sections SpeedOfLight,WarpState\n"
        "Any program, its output and exit code as ever; with --json its output moves to stderr:\n  kloop profile -- python3 train.py");
}

} // namespace

void addProfileCommands(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    addProfile(app, parsed);
    CLI::App* metrics = command(app, parsed, "metrics", "List the metrics and sections, or search all that a chip has", commandMetrics);
    metrics->add_option("--chip", o.profile.chip, "CUPTI's name of a chip, as GH100 (default: this machine's GPU)");
    metrics->add_option("--search", o.profile.search, "Words, each in the name or the description; \"\" finds everything");
    metrics->add_option("--limit", o.profile.searchLimit, "Metrics to list of those found")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    metrics->footer("Names that follow the base name with a dot are rollups: dram__bytes_read.sum, .avg.per_second …");
    CLI::App* launch = command(app, parsed, "launch", "Launch a kernel and nothing else, for another profiler to look at", commandLaunch);
    launch->add_option("KERNEL", o.kernels, "family/variant, as transpose/naive; several run one after the other");
    launch->add_flag("--all", o.profile.all, "Every variant of the catalog, on each of its problems where none is named");
    launch->add_option("--repeat", o.profile.repeat, "Times, each on fresh inputs")->check(CLI::Range(1, 1000));
    addProblem(launch, o);
    launch->footer("As Nsight Compute sees it:\n  ncu --target-processes all kloop launch transpose/naive");
    CLI::App* sanitize =
        command(app, parsed, "sanitize", "Run a kernel under NVIDIA's compute-sanitizer and say what it found", commandSanitize);
    sanitize->add_option("KERNEL", o.kernels, "family/variant, or the path of a kernel of yours; several run one after the other")
        ->required();
    sanitize->add_option("--tool", o.sanitizers, "memcheck, racecheck, initcheck or synccheck; may be given several times (default: all)")
        ->check(CLI::IsMember(std::vector<std::string>(kSanitizerTools.begin(), kSanitizerTools.end())))
        ->allow_extra_args(false);
    addProblem(sanitize, o);
    sanitize->footer("Without --problem on the kernel's smallest size. Exit status 1 when something was found.");
}

} // namespace kl
