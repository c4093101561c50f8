// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kl {

/// What somebody can do next about an error, a failed check, a comparison or a notice. The command line writes each as a command
/// (app/kloop/terminal/step_commands.cpp), the window as a button (ui/context/step_doors.cpp); below them it is an id with arguments, never
/// a command.
enum class StepId {
    checkEnvironment,
    run,
    profile,
    profileProgram,
    compareInTurn, ///< two variants in interleaved blocks
    recordTimeline,
    calibrate,
    compile,
    searchSpace,
    sharedMemory, ///< bank conflicts and limits of a launch
    profileWithNcu,
    traceWithNsys,
    listKernels,
    newKernel,
    addKernel,
    removeKernel,
    listMetrics,
    analyze, ///< a report of another tool, or a stored run
    exportRuns,
    treeNames, ///< what a diagnosis tree may name
    treeText,  ///< the program's own diagnosis tree
    checkDatabase,
    listCosts,
    setPrice,
    listPatterns,
    allowCommand,
    listAllowed,
    writeFixCases,
    writeReview,
    newSession,
    listSessions,
    showSession,
    resumeSession,
    checkGate,
    stepSession, ///< what the session's method recommends
    actInSession,
    waiveGate,
    setOption, ///< of a session
    writeReport,
    noteInSession,
    suggestPatterns, ///< that suit a session
    showPattern,
    applyPattern, ///< in a session
};

/// Names of a step's arguments.
enum class StepArgument {
    kernel, ///< family/variant, run:ID, or the path of a kernel.json
    other,  ///< the second side of a comparison
    problem,
    suite,  ///< a switch: "on"
    source, ///< where it is measured: "sample", "local", "ssh:gpu7"
    arch,
    chip,
    file,
    name,
    device,
    dollars,
    search,
    program,
    session,
    database, ///< where that is not the default one
    action,   ///< word of a session's action
    argument, ///< of that action
    text,     ///< the user's own words
    gate,
    reason,
    option,
    value,
    objective,
    kind,
    pattern, ///< its slug
};

/// An argument that only the user can give.
struct StepInput {
    StepArgument argument = StepArgument::text;
    std::string question = {};             ///< what to put there
    std::vector<std::string> choices = {}; ///< empty: any text

    bool operator==(const StepInput&) const = default;
};

/// One thing to do next: what, on what, and what the user has to add.
struct NextStep {
    StepId id = StepId::run;
    std::vector<std::pair<StepArgument, std::string>> arguments = {};
    std::vector<StepInput> inputs = {};

    /// The argument's value; empty when it is not given.
    const std::string& at(StepArgument argument) const;
    /// Sets the argument, or replaces it; with an empty value it is not given.
    void set(StepArgument argument, const std::string& value);

    bool operator==(const NextStep&) const = default;
};

/// A step of the list above: its stable word in JSON, what it does in a few words, and the arguments that it can have.
struct StepKind {
    StepId id;
    const char* word;  ///< "compare-in-turn"
    const char* title; ///< an imperative; {name} stands for an argument's value: "Profile {kernel}"
    std::vector<StepArgument> arguments;
};

/// All steps in the enumeration's order.
const std::vector<StepKind>& stepKinds();
const StepKind& findKind(StepId id);
std::optional<StepId> findStepId(std::string_view word);

const char* toString(StepArgument argument);
std::optional<StepArgument> findArgument(std::string_view word);

/// What the step does, with its arguments: "Profile transpose/naive".
std::string titleFor(const NextStep& step);

/// A new session on a kernel: its name and what it is for are the user's.
NextStep sessionOn(const std::string& kernel);
/// A program profiled, or profiled again: which one is the user's.
NextStep programStep();

} // namespace kl
