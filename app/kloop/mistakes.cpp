// SPDX-License-Identifier: MIT
#include "app/kloop/mistakes.h"

#include "core/base/nearest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace kl::cli {
namespace {

std::vector<const CLI::App*> commandsUnder(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); }); // without groups of options
}

const CLI::App* findCommand(const CLI::App& app, const std::string& word)
{
    for (const CLI::App* sub : commandsUnder(app))
        if (sub->get_name() == word)
            return sub;
    return nullptr;
}

/// The program and the commands that the words name, outermost first: three of "kloop session step".
std::vector<const CLI::App*> findCommandPath(const CLI::App& app, int argc, const char* const* argv)
{
    std::vector<const CLI::App*> path{&app};
    for (int i = 1; i < argc; ++i)
        if (const CLI::App* next = findCommand(*path.back(), argv[i]))
            path.push_back(next);
    return path;
}

std::string suggestHelp(const std::vector<const CLI::App*>& path)
{
    std::string command;
    for (const CLI::App* app : path)
        command += app->get_name() + ' ';
    return fmt::format("Run {}--help.", command);
}

std::string suggestNames(const std::vector<std::string>& near)
{
    return near.empty() ? std::string() : fmt::format("Did you mean {}? ", fmt::join(near, " or "));
}

/// The words that an option and its value take, as far as is known here.
int describe(const std::vector<const CLI::App*>& path, const std::string& word)
{
    if (word.find('=') != std::string::npos)
        return 1;
    for (const CLI::App* app : path)
        if (const CLI::Option* option = app->get_option_no_throw(word))
            return option->get_items_expected_max() > 0 ? 2 : 1;
    return 1;
}

/// Whether a word after it may be an argument instead of a command.
bool takesArguments(const CLI::App& app)
{
    return !app.get_options([](const CLI::Option* option) { return option->get_positional(); }).empty();
}

Error noCommand(const std::vector<const CLI::App*>& path, const std::string& word)
{
    std::vector<std::string> known;
    for (const CLI::App* sub : commandsUnder(*path.back()))
        known.push_back(sub->get_name());
    const std::string near = suggestNames(nearestNames(word, known));
    return {.code = ErrorCode::usage,
            .message = fmt::format("There is no command \"{}\".", word),
            .hint = (near.empty() ? fmt::format("Commands: {}. ", fmt::join(known, ", ")) : near) + suggestHelp(path),
            .where = word};
}

/// An option that neither the command nor those around it have.
std::optional<Error> unknownOption(const std::vector<const CLI::App*>& path, int argc, const char* const* argv)
{
    for (int i = 1; i < argc; ++i) {
        std::string word = argv[i];
        if (!word.starts_with("--"))
            continue;
        word.resize(std::min(word.find('='), word.size()));
        std::vector<std::string> known;
        bool found = false;
        for (const CLI::App* app : path) {
            found = found || app->get_option_no_throw(word) != nullptr;
            for (const CLI::Option* option : app->get_options())
                for (const std::string& name : option->get_lnames())
                    known.push_back("--" + name);
        }
        if (!found)
            return Error{.code = ErrorCode::usage,
                         .message = fmt::format("There is no option \"{}\" here.", word),
                         .hint = suggestNames(nearestNames(word, known, 2)) + suggestHelp(path),
                         .where = word};
    }
    return std::nullopt;
}

} // namespace

std::optional<Error> unknownCommandIn(const CLI::App& app, int argc, const char* const* argv)
{
    std::vector<const CLI::App*> path{&app};
    for (int i = 1; i < argc && !commandsUnder(*path.back()).empty();) {
        if (argv[i][0] == '-') {
            i += describe(path, argv[i]);
            continue;
        }
        const CLI::App* next = findCommand(*path.back(), argv[i]);
        if (next == nullptr && takesArguments(*path.back()))
            return std::nullopt;
        if (next == nullptr)
            return noCommand(path, argv[i]);
        path.push_back(next);
        ++i;
    }
    return std::nullopt;
}

Error mistakeIn(const CLI::App& app, int argc, const char* const* argv, const char* problem)
{
    if (const std::optional<Error> command = unknownCommandIn(app, argc, argv))
        return *command;
    const std::vector<const CLI::App*> path = findCommandPath(app, argc, argv);
    if (const std::optional<Error> option = unknownOption(path, argc, argv))
        return *option;
    return {.code = ErrorCode::usage, .message = problem, .hint = suggestHelp(path)};
}

} // namespace kl::cli
