// SPDX-License-Identifier: MIT
#include "app/kloop/parse_space.h"

#include "app/kloop/commands.h"

#include <CLI/CLI.hpp>

namespace kl {

void addSpaceCommands(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    SpaceOptions& s = o.space;
    CLI::App* space = app.add_subcommand("space", "Judge every combination of a kernel's tunables before anything is compiled");
    space->fallthrough();
    space->callback([&parsed] { parsed.command = commandSpace; });
    space->add_option("KERNEL", o.first, "family, or family/variant; tunables behind @ stand still, as attention/fused@WARPS=4")
        ->required();
    space->add_option("--arch", s.arch, "Architecture or GPU, as sm_89 or L40S")->capture_default_str();
    space->add_option("--problem", o.problems, "Sizes, as B=2,H=8,S=512,D=64; the default problem fills in")->allow_extra_args(false);
    space->add_option("--list", s.list, "List these points, each with its gate and figures")
        ->check(CLI::IsMember({"survivors", "rejected", "all"}));
    space->add_option("--point", s.point, "All six gates of one point, as BLOCK_M=64,WARPS=4; the rest at their default");
    space->add_option("--what-if", s.whatIf, "The same on another GPU or architecture; may be given several times")
        ->allow_extra_args(false);
    space->add_option("--min-occupancy", s.minOccupancy, "Least percentage of an SM's warps (default: the descriptor's)")
        ->check(CLI::Range(0.0, 100.0));
    space->footer(
        "Gates in order: shared memory, threads and shape, occupancy, registers, coalescing, bank conflicts. A point counts for the\n"
        "first that rejects it. No GPU is needed.");
}

} // namespace kl
