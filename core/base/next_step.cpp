// SPDX-License-Identifier: MIT
#include "core/base/next_step.h"

#include <algorithm>
#include <array>

namespace kl {
namespace {

constexpr std::array kArguments{
    std::pair{StepArgument::kernel, "kernel"},       std::pair{StepArgument::other, "other"},
    std::pair{StepArgument::problem, "problem"},     std::pair{StepArgument::suite, "suite"},
    std::pair{StepArgument::source, "source"},       std::pair{StepArgument::arch, "arch"},
    std::pair{StepArgument::chip, "chip"},           std::pair{StepArgument::file, "file"},
    std::pair{StepArgument::name, "name"},           std::pair{StepArgument::device, "device"},
    std::pair{StepArgument::dollars, "dollars"},     std::pair{StepArgument::search, "search"},
    std::pair{StepArgument::program, "program"},     std::pair{StepArgument::session, "session"},
    std::pair{StepArgument::database, "database"},   std::pair{StepArgument::action, "action"},
    std::pair{StepArgument::argument, "argument"},   std::pair{StepArgument::text, "text"},
    std::pair{StepArgument::gate, "gate"},           std::pair{StepArgument::reason, "reason"},
    std::pair{StepArgument::option, "option"},       std::pair{StepArgument::value, "value"},
    std::pair{StepArgument::objective, "objective"}, std::pair{StepArgument::kind, "kind"},
    std::pair{StepArgument::pattern, "pattern"},
};

} // namespace

const std::string& NextStep::at(StepArgument argument) const
{
    static const std::string none;
    const auto found = std::ranges::find(arguments, argument, &std::pair<StepArgument, std::string>::first);
    return found == arguments.end() ? none : found->second;
}

void NextStep::set(StepArgument argument, const std::string& value)
{
    std::erase_if(arguments, [argument](const auto& given) { return given.first == argument; });
    if (!value.empty())
        arguments.emplace_back(argument, value);
}

const std::vector<StepKind>& stepKinds()
{
    using enum StepArgument;
    static const std::vector<StepKind> kinds{
        {StepId::checkEnvironment, "check-environment", "Check this machine", {source}},
        {StepId::run, "run", "Run {kernel}", {kernel, problem, suite, source}},
        {StepId::profile, "profile", "Profile {kernel}", {kernel, problem, source}},
        {StepId::profileProgram, "profile-program", "Profile a program", {program, database}},
        {StepId::compareInTurn, "compare-in-turn", "Measure {kernel} and {other} in interleaved blocks", {kernel, other, problem, source}},
        {StepId::recordTimeline, "record-timeline", "Record a timeline of {kernel}", {kernel, problem, source}},
        {StepId::calibrate, "calibrate", "Calibrate A/A noise with {kernel}", {kernel, source}},
        {StepId::compile, "compile", "Compile {kernel}", {kernel, arch}},
        {StepId::searchSpace, "search-space", "Search the tunables of {kernel}", {kernel}},
        {StepId::sharedMemory, "shared-memory", "Calculate shared memory", {}},
        {StepId::profileWithNcu, "profile-with-ncu", "Profile with Nsight Compute", {program}},
        {StepId::traceWithNsys, "trace-with-nsys", "Trace with Nsight Systems", {program}},
        {StepId::listKernels, "list-kernels", "List the kernels", {}},
        {StepId::newKernel, "new-kernel", "Start a kernel", {name}},
        {StepId::addKernel, "add-kernel", "Add a kernel", {file}},
        {StepId::removeKernel, "remove-kernel", "Remove {kernel}", {kernel}},
        {StepId::listMetrics, "list-metrics", "List the metrics", {chip, search}},
        {StepId::analyze, "analyze", "Analyze {file}", {file}},
        {StepId::exportRuns, "export", "Export runs", {file}},
        {StepId::treeNames, "tree-names", "List what a tree may name", {}},
        {StepId::treeText, "tree-text", "Print the program's own tree", {}},
        {StepId::checkDatabase, "check-database", "Check the database", {}},
        {StepId::listCosts, "list-costs", "See the costs", {}},
        {StepId::setPrice, "set-price", "Set the price of {device}", {device, dollars}},
        {StepId::listPatterns, "list-patterns", "See the patterns", {}},
        {StepId::allowCommand, "allow-command", "Allow {file}", {file}},
        {StepId::listAllowed, "list-allowed", "See what is allowed", {}},
        {StepId::writeFixCases, "write-fix-cases", "Write the file again", {file}},
        {StepId::writeReview, "write-review", "Write the review page", {session}},
        {StepId::newSession, "new-session", "Open a session", {name, objective, kind, kernel, problem, source, database}},
        {StepId::listSessions, "list-sessions", "List the sessions", {}},
        {StepId::showSession, "show-session", "Show the session", {session, source, database}},
        {StepId::resumeSession, "resume-session", "Resume the session", {session, source, database}},
        {StepId::checkGate, "check-gate", "Show what the gate found", {gate, session, source, database}},
        {StepId::stepSession, "step-session", "Take the session's next step", {session, source, database}},
        {StepId::actInSession, "act-in-session", "Act in the session: {action}", {action, argument, text, session, source, database}},
        {StepId::waiveGate, "waive-gate", "Waive {gate}", {gate, reason, session, source, database}},
        {StepId::setOption, "set-option", "Switch the session's option {option} {value}", {option, value, session, source, database}},
        {StepId::writeReport, "write-report", "Write the report", {session, file, database}},
        {StepId::noteInSession, "note-in-session", "Write a note into the session", {text, session, source, database}},
        {StepId::suggestPatterns, "suggest-patterns", "See which patterns suit the session", {session, source, database}},
        {StepId::showPattern, "show-pattern", "See the pattern {pattern}", {pattern}},
        {StepId::applyPattern, "apply-pattern", "Apply the pattern {pattern}", {pattern, session, source, database}},
    };
    return kinds;
}

const StepKind& findKind(StepId id)
{
    return stepKinds()[static_cast<std::size_t>(id)]; // in the enumeration's order; a test holds it so
}

std::optional<StepId> findStepId(std::string_view word)
{
    const auto found = std::ranges::find_if(stepKinds(), [word](const StepKind& kind) { return kind.word == word; });
    return found == stepKinds().end() ? std::nullopt : std::optional(found->id);
}

const char* toString(StepArgument argument)
{
    return std::ranges::find(kArguments, argument, &std::pair<StepArgument, const char*>::first)->second;
}

std::optional<StepArgument> findArgument(std::string_view word)
{
    const auto found = std::ranges::find_if(kArguments, [word](const auto& row) { return row.second == word; });
    return found == kArguments.end() ? std::nullopt : std::optional(found->first);
}

std::string titleFor(const NextStep& step)
{
    std::string title = findKind(step.id).title;
    for (const StepArgument argument : findKind(step.id).arguments) {
        const std::string place = '{' + std::string(toString(argument)) + '}';
        if (const std::size_t at = title.find(place); at != std::string::npos)
            title.replace(at, place.size(), step.at(argument));
    }
    while (title.ends_with(' '))
        title.pop_back();
    return title;
}

NextStep sessionOn(const std::string& kernel)
{
    NextStep step{StepId::newSession, {}, {}};
    step.set(StepArgument::kernel, kernel);
    step.inputs = {{StepArgument::name, "What is it called?"}, {StepArgument::objective, "What is it for, in a sentence?"}};
    return step;
}

NextStep programStep()
{
    return {StepId::profileProgram, {}, {{StepArgument::program, "Which program?"}}};
}

} // namespace kl
