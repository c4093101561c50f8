// SPDX-License-Identifier: MIT
#include "app/kloop/parse_verb.h"

#include <CLI/CLI.hpp>

namespace kl {

CLI::App* addVerb(CLI::App& parent, Parsed& parsed, const char* name, const char* help, Command run)
{
    CLI::App* sub = parent.add_subcommand(name, help);
    sub->fallthrough();
    sub->callback([&parsed, run] { parsed.command = run; });
    return sub;
}

} // namespace kl
