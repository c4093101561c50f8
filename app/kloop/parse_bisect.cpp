// SPDX-License-Identifier: MIT
#include "app/kloop/parse_bisect.h"

#include "app/kloop/commands.h"

#include <CLI/CLI.hpp>

namespace kl {

void addBisect(CLI::App& app, Parsed& parsed)
{
    BisectOptions& b = parsed.options.bisect;
    CLI::App* bisect = app.add_subcommand("bisect", "Find the commit that made a kernel of yours slower, wrong, or not build");
    bisect->fallthrough();
    bisect->callback([&parsed] { parsed.command = commandBisect; });
    bisect->add_option("KERNEL", parsed.options.first, "Path of its kernel.json, or the address of a registered kernel")->required();
    bisect->add_option("--good", b.good, "Revision that was right, fast or built")->required();
    bisect->add_option("--bad", b.bad, "Revision that is not")->capture_default_str();
    CLI::Option_group* question = bisect->add_option_group("Question", "What makes a revision bad");
    question->add_flag("--builds", b.builds, "It does not compile; needs no GPU");
    question->add_flag("--wrong", b.wrong, "A size of its correctness suite, or --problem, comes out wrong");
    question->add_option("--slower-than", b.slowerThan, "It takes more than so many times the good revision's time, as 1.1")
        ->check(CLI::Range(1.0, 1000.0));
    question->require_option(1);
    bisect->add_option("--arch", b.arch, "Architecture of --builds")->capture_default_str();
    bisect->add_option("--problem", parsed.options.problems, "Sizes, as N=4096")->allow_extra_args(false);
    bisect->footer(
        "git bisect does the search, in a temporary worktree: your files stay as they are. Commits that cannot be judged are skipped.\n"
        "Exit status 0: one commit was found; 3: it is one of several, the others between were skipped.");
}

} // namespace kl
