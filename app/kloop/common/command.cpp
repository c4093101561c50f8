// SPDX-License-Identifier: MIT
#include "app/kloop/common/command.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace kl::cli {
namespace {

struct AddedCommand {
    const CLI::App* app = nullptr;
    Runner run;
};

} // namespace

Runner addCommands(CLI::App& app, const std::vector<Command>& commands, Runner bare)
{
    const auto added = std::make_shared<std::vector<AddedCommand>>();
    for (const Command& command : commands) {
        CLI::App* sub = app.add_subcommand(command.name, command.help);
        sub->fallthrough();
        sub->footer("");                                                    // not the parent's
        sub->group(*command.group != '\0' ? command.group : "Subcommands"); // else the parent's
        added->push_back({sub, command.add(*sub)});
    }
    app.require_subcommand(bare ? 0 : 1, 1);
    return [added, bare = std::move(bare)](Program& program) {
        for (const AddedCommand& one : *added)
            if (one.app->parsed())
                return one.run(program);
        return bare(program);
    };
}

} // namespace kl::cli
