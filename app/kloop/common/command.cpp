// SPDX-License-Identifier: MIT
#include "app/kloop/common/command.h"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

namespace kl::cli {
namespace {

struct AddedCommand {
    const CLI::App* app = nullptr;
    Runner run;
};

/// What adds the arguments and options of a command that was not named so far.
std::map<const CLI::App*, std::function<void()>>& getUnnamed()
{
    static std::map<const CLI::App*, std::function<void()>> all;
    return all;
}

void addItsOptions(const CLI::App* command)
{
    if (const auto found = getUnnamed().extract(command))
        found.mapped()();
}

} // namespace

Runner addCommands(CLI::App& app, const std::vector<Command>& commands, Runner bare)
{
    const auto added = std::make_shared<std::vector<AddedCommand>>();
    for (const Command& command : commands) {
        CLI::App* sub = app.add_subcommand(command.name, command.help);
        sub->fallthrough();
        sub->footer("");                                                    // not the parent's
        sub->group(*command.group != '\0' ? command.group : "Subcommands"); // else the parent's
        getUnnamed()[sub] = [sub, add = command.add, place = added->size(), added] {
            added->at(place).run = add(*sub);
            for (CLI::App* group : sub->get_subcommands([](CLI::App* one) { return one->get_name().empty(); }))
                group->fallthrough(false); // as CLI11 does with the groups of options that are there before it reads
        };
        sub->preparse_callback([sub](std::size_t) { addItsOptions(sub); });
        added->push_back({sub, {}});
    }
    app.require_subcommand(bare ? 0 : 1, 1);
    return [added, bare = std::move(bare)](Program& program) {
        for (const AddedCommand& one : *added)
            if (one.app->parsed())
                return one.run(program);
        return bare(program);
    };
}

void addEveryOption(CLI::App& app)
{
    for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        addItsOptions(sub);
        addEveryOption(*sub);
    }
}

} // namespace kl::cli
