// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/step_commands.h"

#include "core/base/shell_line.h"
#include "core/codec/step_codec.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

using A = StepArgument;

/// One part of a command: an argument in its place, behind an option, or as a switch.
struct Part {
    StepArgument argument;
    const char* option = nullptr;
    bool isSwitch = false;
};

struct Row {
    StepId step;
    std::vector<const char*> words; ///< behind "kloop", or of another program
    std::vector<Part> parts = {};
    bool foreign = false; ///< another program's command, words and all
};

std::vector<Part> inSession(std::vector<Part> parts)
{
    parts.insert(parts.end(), {{A::session, "--session"}, {A::source, "--on"}, {A::database, "--db"}});
    return parts;
}

const std::vector<Row>& rows()
{
    static const Part problem{A::problem, "--problem"};
    static const Part on{A::source, "--on"};
    static const std::vector<Row> table{
        {StepId::checkEnvironment, {"env"}, {on}},
        {StepId::run, {"run"}, {{A::kernel}, problem, {A::suite, "--suite", true}, on}},
        {StepId::profile, {"profile"}, {{A::kernel}, problem, on}},
        {StepId::profileProgram, {"profile"}, {{A::database, "--db"}, {A::program, "--"}}},
        {StepId::compareInTurn, {"ab"}, {{A::kernel}, {A::other}, problem, on}},
        {StepId::recordTimeline, {"timeline"}, {{A::kernel}, problem, on}},
        {StepId::calibrate, {"calibrate"}, {{A::kernel}, on}},
        {StepId::compile, {"compile"}, {{A::kernel}, {A::arch, "--arch"}}},
        {StepId::searchSpace, {"space"}, {{A::kernel}}},
        {StepId::sharedMemory, {"smem"}},
        {StepId::profileWithNcu,
         {"ncu", "--set", "full", "--target-processes", "all", "--launch-skip", "10", "--launch-count", "1", "--import-source", "on",
          "--export", "report"},
         {{A::program}},
         true},
        {StepId::traceWithNsys, {"nsys", "profile", "--trace=cuda,nvtx", "--stats=true", "--output", "timeline"}, {{A::program}}, true},
        {StepId::listKernels, {"kernels"}},
        {StepId::newKernel, {"new-kernel"}, {{A::name}}},
        {StepId::addKernel, {"kernels", "add"}, {{A::file}}},
        {StepId::removeKernel, {"kernels", "remove"}, {{A::kernel}}},
        {StepId::listMetrics, {"metrics"}, {{A::chip, "--chip"}, {A::search, "--search"}}},
        {StepId::analyze, {"analyze"}, {{A::file}}},
        {StepId::exportRuns, {"export"}, {{A::file, "-o"}}},
        {StepId::treeNames, {"tree", "--names"}},
        {StepId::treeText, {"--tree", ":default:", "tree", "--json"}},
        {StepId::checkDatabase, {"db", "check"}},
        {StepId::listCosts, {"cost"}},
        {StepId::setPrice, {"cost", "price"}, {{A::device}, {A::dollars}}},
        {StepId::listPatterns, {"patterns"}},
        {StepId::allowCommand, {"trust", "add"}, {{A::file}}},
        {StepId::listAllowed, {"trust", "list"}},
        {StepId::writeFixCases, {"learn", "model"}, {{A::file, "--write"}}},
        {StepId::writeReview, {"review", "export"}, {{A::session, "--session"}}},
        {StepId::newSession,
         {"session", "new"},
         {{A::name}, {A::objective}, {A::kind, "--kind"}, {A::kernel, "--kernel"}, {A::problem, "--problem"}, on, {A::database, "--db"}}},
        {StepId::listSessions, {"session", "list"}},
        {StepId::showSession, {"session", "show"}, inSession({})},
        {StepId::resumeSession, {"session", "resume"}, inSession({})},
        {StepId::checkGate, {"session", "gate"}, inSession({{A::gate}})},
        {StepId::stepSession, {"session", "step"}, inSession({})},
        {StepId::actInSession, {"session", "act"}, inSession({{A::action}, {A::argument}, {A::text}})},
        {StepId::waiveGate, {"session", "waive"}, inSession({{A::gate}, {A::reason, "--reason"}})},
        {StepId::setOption, {"session", "option"}, inSession({{A::option}, {A::value}})},
        {StepId::writeReport, {"session", "report"}, {{A::session}, {A::file, "--html"}, {A::database, "--db"}}},
        {StepId::noteInSession, {"session", "note"}, inSession({{A::text}})},
        {StepId::suggestPatterns, {"patterns", "suggest"}, inSession({})},
        {StepId::showPattern, {"patterns", "show"}, {{A::pattern}}},
        {StepId::applyPattern, {"patterns", "apply"}, inSession({{A::pattern}})},
    };
    return table;
}

const Row& lookUpRow(StepId id)
{
    return rows()[static_cast<std::size_t>(id)]; // in the enumeration's order; a test holds it so
}

std::string formatPlaceholder(StepArgument argument)
{
    std::string word = toString(argument);
    std::ranges::transform(word, word.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return word;
}

/// Where a step measures that names no device; empty: on this machine.
std::string& stepDevice()
{
    static std::string device;
    return device;
}

/// The --db of this command; empty: not given.
std::string& stepDatabase()
{
    static std::string database;
    return database;
}

/// Paths of families that this command was given by path.
std::map<std::string, std::string>& familyPaths()
{
    static std::map<std::string, std::string> paths;
    return paths;
}

/// "./scale:fast" of "scale/fast" where the command named ./scale.
std::string namedAsGiven(const std::string& kernel)
{
    const std::size_t slash = kernel.find('/');
    const auto given = familyPaths().find(kernel.substr(0, slash));
    if (given == familyPaths().end())
        return kernel;
    return given->second + (slash == std::string::npos ? "" : ':' + kernel.substr(slash + 1));
}

/// The argument's value, else its placeholder where the user gives it; empty where the step goes without.
std::string wordFor(const NextStep& step, StepArgument argument)
{
    if (const std::string& value = step.at(argument); !value.empty())
        return argument == A::kernel || argument == A::other ? namedAsGiven(value) : value;
    return std::ranges::find(step.inputs, argument, &StepInput::argument) == step.inputs.end() ? std::string()
                                                                                               : formatPlaceholder(argument);
}

/// A full stop before the commands goes; what already names one of them is left alone.
std::string completeText(const std::string& text, const std::vector<std::string>& commands)
{
    const auto named = [&](const std::string& command) { return text.find(command) != std::string::npos; };
    if (commands.empty() || std::ranges::any_of(commands, named))
        return text;
    const std::string all = fmt::format("{}", fmt::join(commands, ", or "));
    if (text.empty())
        return all;
    return (text.ends_with('.') ? text.substr(0, text.size() - 1) : text) + ": " + all;
}

/// A step of the shape that stepsToJson gives.
void completeStep(Json& step)
{
    const std::vector<NextStep> read = stepsFromJson(Json::array({step}));
    if (read.empty())
        return;
    std::vector<std::string> argv = makeArgv(read.front());
    step["command"] = shellLine(argv);
    if (!lookUpRow(read.front().id).foreign && std::ranges::find(argv, "--json") == argv.end())
        argv.insert(std::ranges::find(argv, "--"), "--json");
    step["argv"] = std::move(argv);
    for (Json& input : step["inputs"])
        if (const std::optional<StepArgument> argument = findArgument(input.value("argument", "")))
            input["placeholder"] = formatPlaceholder(*argument);
}

bool isStep(const Json& item)
{
    return item.is_object() && item.contains("id") && item.contains("arguments") && item.contains("inputs");
}

} // namespace

void measureStepsOn(const std::string& device)
{
    stepDevice() = device;
}

void keepStepsIn(const std::string& database)
{
    stepDatabase() = database;
}

void nameFamilyByPath(const std::string& family, const std::string& path)
{
    familyPaths()[family] = path;
}

void forgetFamilyPaths()
{
    familyPaths().clear();
}

std::vector<std::string> makeArgv(const NextStep& step)
{
    const Row& row = lookUpRow(step.id);
    std::vector<std::string> argv(row.words.begin(), row.words.end());
    if (!row.foreign)
        argv.insert(argv.begin(), "kloop");
    for (const Part& part : row.parts) {
        std::string word = wordFor(step, part.argument);
        if (word.empty() && part.argument == A::source)
            word = stepDevice();
        if (word.empty())
            continue;
        if (part.option)
            argv.emplace_back(part.option);
        if (!part.isSwitch)
            argv.push_back(std::move(word));
    }
    if (!row.foreign && !stepDatabase().empty() && std::ranges::find(argv, "--db") == argv.end())
        argv.insert(std::ranges::find(argv, "--"), {"--db", stepDatabase()});
    return argv;
}

std::string formatCommand(const NextStep& step)
{
    return shellLine(makeArgv(step));
}

std::string nameTool(const NextStep& step)
{
    const Row& row = lookUpRow(step.id);
    return row.foreign ? row.words.front() : std::string("kloop ") + row.words.front();
}

std::string withCommands(const std::string& text, const std::vector<NextStep>& steps)
{
    std::vector<std::string> commands;
    for (const NextStep& step : steps)
        commands.push_back(formatCommand(step));
    return completeText(text, commands);
}

void addStepCommands(Json& answer)
{
    if (!answer.is_structured())
        return;
    for (Json& part : answer)
        addStepCommands(part);
    if (isStep(answer))
        completeStep(answer);
    const auto steps = answer.is_object() ? answer.find("next_steps") : answer.end();
    if (steps == answer.end())
        return;
    std::vector<std::string> commands;
    for (const Json& step : *steps)
        commands.push_back(step.value("command", ""));
    for (const char* key : {"hint", "fix", "text", "next"})
        if (const auto text = answer.find(key); text != answer.end() && text->is_string())
            *text = completeText(text->get<std::string>(), commands);
}

} // namespace kl::cli
