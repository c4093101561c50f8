// SPDX-License-Identifier: MIT
#include "app/kloop/parse_space.h"

#include "app/kloop/commands.h"
#include "app/kloop/parse_verb.h"

#include <CLI/CLI.hpp>

namespace kl {
namespace {

void addWhere(CLI::App* sub, Options& o)
{
    sub->add_option("--arch", o.space.arch, "Architecture or GPU, as sm_89, sm_90a or L40S")->capture_default_str();
    sub->add_option("--problem", o.problems, "Sizes, as B=2,H=8,S=512,D=64; the default problem fills in")->allow_extra_args(false);
    sub->add_option("--min-occupancy", o.space.minOccupancy, "Least percentage of an SM's warps (default: the descriptor's)")
        ->check(CLI::Range(0.0, 100.0));
}

void addSpace(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    CLI::App* space =
        addVerb(app, parsed, "space", "Judge every combination of a kernel's tunables before anything is compiled", commandSpace);
    space->add_option("KERNEL", o.first, "family, or family/variant; tunables behind @ stand still, as attention/fused@WARPS=4")
        ->required();
    addWhere(space, o);
    space->add_option("--list", o.space.list, "List these points, each with its gate and figures")
        ->check(CLI::IsMember({"survivors", "rejected", "all"}));
    space->add_option("--point", o.space.point, "All six gates of one point, as BLOCK_M=64,WARPS=4; the rest at their default");
    space->add_option("--what-if", o.space.whatIf, "The same on another GPU or architecture; may be given several times")
        ->allow_extra_args(false);
    space->footer(
        "Gates in order: shared memory, threads and shape, occupancy, registers, coalescing, bank conflicts. A point counts for the\n"
        "first that rejects it. No GPU is needed.");
}

void addCompile(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    CLI::App* compile =
        addVerb(app, parsed, "compile", "What the compiler says of a kernel: registers, spills, occupancy, instructions", commandCompile);
    compile->add_option("KERNEL", o.first, "family/variant, with tunables behind @; with --all a family will do")->required();
    addWhere(compile, o);
    compile->add_flag("--all", o.space.all, "Every combination of tunables that passes the gates of kloop space");
    compile->add_flag("--all-gpus", o.space.allGpus, "Compile for every GPU of the device table, each for itself")->excludes("--all");
    compile->add_option("-j,--jobs", o.space.jobs, "Threads that compile at once (default: one a processor)")->check(CLI::Range(1, 1024));
    compile->footer("For the architecture of --arch, with its features where it ends in a or f (sm_90a). Needs a CUDA toolkit, but no GPU. "
                    "What was compiled is kept: see kloop cache.");
}

void addSearch(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    SearchOptions& s = o.search;
    CLI::App* search = addVerb(app, parsed, "search", "Find the fastest combination of a kernel's tunables on this GPU", commandSearch);
    search->add_option("KERNEL", o.first, "family, or family/variant; tunables behind @ stand still, as attention/fused@WARPS=4")
        ->required();
    search->add_option("--problem", o.problems, "Sizes, as B=2,H=8,S=512,D=64; the default problem fills in")->allow_extra_args(false);
    search
        ->add_option("--strategy", s.strategy,
                     "As Kernel Tuner names them: brute_force (all in order), random_sample (all, shuffled), greedy_mls (neighbors of the "
                     "best, from the default)")
        ->check(CLI::IsMember({"brute_force", "random_sample", "greedy_mls"}))
        ->capture_default_str();
    search->add_option("--seed", s.seed, "Of random_sample and greedy_mls")->capture_default_str();
    search->add_option("--budget", s.budget, "Seconds of measuring (default: until all are measured)")->check(CLI::Range(0.0, 1e6));
    search->add_option("--top", s.top, "Rows of the table")->check(CLI::Range(1, 100000))->capture_default_str();
    search->add_flag("--fresh", s.fresh, "Measure again what an earlier search measured");
    search->add_option("-j,--jobs", o.space.jobs, "Threads that compile at once (default: one a processor)")->check(CLI::Range(1, 1024));
    search->footer(
        "The gates of kloop space reject, the compiler rejects what spills, each program that is left is timed briefly and the best\n"
        "at length. The best that is right on the whole suite is measured against the default (A/B) and stored. Ctrl-C loses\n"
        "nothing: the same command goes on from there.");
}

void addCache(CLI::App& app, Parsed& parsed)
{
    CLI::App* cache = app.add_subcommand("cache", "Compiled code that is kept from one program to the next");
    cache->fallthrough();
    cache->require_subcommand(1);
    addVerb(*cache, parsed, "info", "Where it lies and how much there is", commandCacheInfo);
    addVerb(*cache, parsed, "clear", "Remove all of it", commandCacheClear);
}

} // namespace

void addSpaceCommands(CLI::App& app, Parsed& parsed)
{
    addSpace(app, parsed);
    addCompile(app, parsed);
    addSearch(app, parsed);
    addCache(app, parsed);
}

} // namespace kl
