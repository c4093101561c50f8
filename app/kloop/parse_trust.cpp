// SPDX-License-Identifier: MIT
#include "app/kloop/parse_trust.h"

#include "app/kloop/commands.h"
#include "app/kloop/parse_verb.h"

#include <CLI/CLI.hpp>

namespace kl {

void addTrust(CLI::App& app, Parsed& parsed)
{
    app.add_flag("--trust", parsed.options.trust,
                 "Run commands that files name (a project's build, a reference script), and remember them");
    CLI::App* trust = app.add_subcommand("trust", "Commands of files that you have allowed to run: list, add, remove");
    trust->fallthrough();
    trust->require_subcommand(1);
    addVerb(*trust, parsed, "list", "What you have allowed, newest first", commandTrustList);
    addVerb(*trust, parsed, "add", "Allow what a file names, without running it", commandTrustAdd)
        ->add_option("FILE", parsed.options.first, "A kernelloop.json, a kernel.json, the folder of one, or a reference script")
        ->required();
    addVerb(*trust, parsed, "remove", "Ask about a command again", commandTrustRemove)
        ->add_option("HASH", parsed.options.first, "Its hash, or the start of it")
        ->required();
    trust->footer("A command is known by what it runs: when the file or its script changes, you are asked again.\n"
                  "Without a terminal, what you have not allowed is refused (exit status 1).");
}

} // namespace kl
