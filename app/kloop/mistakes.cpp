// SPDX-License-Identifier: MIT
#include "app/kloop/mistakes.h"

#include "core/base/nearest.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <regex>

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

/// "--since" of "--since=abc".
std::string nameOption(const std::string& word)
{
    return word.substr(0, word.find('='));
}

/// The option of the command, or of those around it.
const CLI::Option* findOption(const std::vector<const CLI::App*>& path, const std::string& name)
{
    for (auto app = path.rbegin(); app != path.rend(); ++app)
        if (const CLI::Option* option = (*app)->get_option_no_throw(name))
            return option;
    return nullptr;
}

bool isUnknownOption(const std::vector<const CLI::App*>& path, const std::string& word)
{
    return word.starts_with("--") && !findOption(path, nameOption(word));
}

Error noOption(const std::vector<const CLI::App*>& path, const std::string& name)
{
    std::vector<std::string> known;
    for (const CLI::App* app : path)
        for (const CLI::Option* option : app->get_options())
            for (const std::string& one : option->get_lnames())
                known.push_back("--" + one);
    return {.code = ErrorCode::usage,
            .message = fmt::format("There is no option \"{}\" here.", name),
            .hint = suggestNames(nearestNames(name, known, 2)) + suggestHelp(path),
            .where = name};
}

/// An option that neither the command nor those around it have, or that comes before the command that has it.
std::optional<Error> misplacedOption(const std::vector<const CLI::App*>& path, int argc, const char* const* argv)
{
    std::vector<const CLI::App*> here{path.front()};
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (const CLI::App* next = findCommand(*here.back(), word))
            here.push_back(next);
        if (!isUnknownOption(here, word))
            continue;
        const std::string name = nameOption(word);
        const auto owner = std::ranges::find_if(path, [&](const CLI::App* app) { return app->get_option_no_throw(name) != nullptr; });
        if (owner == path.end())
            return noOption(path, name);
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("The option \"{}\" must follow \"{}\".", name, (*owner)->get_name()),
                     .hint = suggestHelp(path),
                     .where = name};
    }
    return std::nullopt;
}

/// "1.5" of "1.500000", "1000000" of "1e+06".
std::string rewriteBound(const std::string& number)
{
    return fmt::format("{}", std::stod(number));
}

bool takesWholeNumbers(const CLI::Option* option)
{
    const std::string type = option ? option->get_type_name() : std::string();
    return type.starts_with("INT") || type.starts_with("UINT");
}

std::string joinNames(std::string names, const char* last)
{
    names = std::regex_replace(names, std::regex(","), ", ");
    if (const std::size_t at = names.rfind(", "); at != std::string::npos)
        names.replace(at, 2, last);
    return names;
}

std::string rewordConversion(const std::vector<const CLI::App*>& path, const std::string& name, const std::string& value)
{
    const CLI::Option* option = findOption(path, name);
    if (option && option->get_items_expected_max() == 0)
        return name + " takes no value.";
    const bool whole = takesWholeNumbers(option);
    if (whole && std::regex_match(value, std::regex("-?[0-9]+")))
        return fmt::format("{}: {} is out of range.", name, value);
    return fmt::format("{}: \"{}\" is not a {}number.", name, value, whole ? "whole " : "");
}

std::string rewordRange(const std::vector<const CLI::App*>& path, const std::string& name, const std::string& value,
                        const std::string& least, const std::string& most)
{
    constexpr double kAnyNumber = 1e300; // a bound above is only that of its type
    const bool whole = takesWholeNumbers(findOption(path, name));
    const std::string from = rewriteBound(least);
    return fmt::format("{}: \"{}\" is not a {}number {}.", name, value, whole ? "whole " : "",
                       std::stod(most) > kAnyNumber ? fmt::format("of at least {}", from)
                                                    : fmt::format("from {} to {}", from, rewriteBound(most)));
}

/// CLI11's sentence, reworded where it reads like the inside of a program. One that another version words differently stays.
std::string rewordProblem(const std::vector<const CLI::App*>& path, const std::string& problem)
{
    static const std::regex unconverted("Could not convert: (\\S+) = ([^]*)");
    static const std::regex range("(\\S+): Value ([^]*) not in range (-?[0-9]\\S*) to (-?[0-9]\\S*)");
    static const std::regex rangeIn24("(\\S+): Value ([^]*) not in range \\[(-?[0-9]\\S*) - (-?[0-9]\\S*)\\]"); // CLI11 2.4
    static const std::regex member("(\\S+): ([^]*) not in \\{(.+)\\}");
    static const std::regex repeated("(\\S+): At [Mm]ost 1 required but received (\\d+)");
    static const std::regex valueless("(\\S+): 1 required \\S+ missing");
    static const std::regex oneOf("Exactly 1 option from \\[(.+)\\] is required( and \\d+ were given)?");
    std::smatch part;
    if (std::regex_match(problem, part, unconverted))
        return rewordConversion(path, part[1], part[2]);
    if (std::regex_match(problem, part, range) || std::regex_match(problem, part, rangeIn24))
        return rewordRange(path, part[1], part[2], part[3], part[4]);
    if (std::regex_match(problem, part, member))
        return fmt::format("{}: \"{}\" is not {}.", part[1].str(), part[2].str(), joinNames(part[3], " or "));
    if (std::regex_match(problem, part, repeated))
        return fmt::format("{} may be given once, not {} times.", part[1].str(), part[2].str());
    if (std::regex_match(problem, part, valueless))
        return fmt::format("{} needs a value.", part[1].str());
    if (std::regex_match(problem, part, oneOf))
        return fmt::format("Give {}one of {}.", part[2].matched ? "only " : "", joinNames(part[1], " and "));
    return problem;
}

} // namespace

std::optional<Error> unknownCommandIn(const CLI::App& app, int argc, const char* const* argv)
{
    std::vector<const CLI::App*> path{&app};
    for (int i = 1; i < argc && !commandsUnder(*path.back()).empty();) {
        if (isUnknownOption(path, argv[i])) // the word after it may be its value
            return std::nullopt;
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
    if (const std::optional<Error> option = misplacedOption(path, argc, argv))
        return *option;
    return {.code = ErrorCode::usage, .message = rewordProblem(path, problem), .hint = suggestHelp(path)};
}

} // namespace kl::cli
