// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/process/process.h"
#include "profiler/collector.h"
#include "sessions/program/trace_program.h"
#include "sessions/subject/subject.h"
#include "sessions/target/target_spec.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kl::inline subjects {

/// How one command of a target ended.
struct CommandEnd {
    ProcessEnd end;
    std::string why;    ///< it did not end with status 0: "exited with status 1: …", "did not finish within 600 s"; else empty
    std::string output; ///< the end of what it wrote
    double seconds = 0;
};

/// What a command is run with, besides the target's own variables.
struct CommandInputs {
    Params problem;
    std::filesystem::path output = {};  ///< folder for its outputs (KLOOP_OUTPUT); empty: none are wanted
    std::uint64_t seed = 1;             ///< of random inputs (KLOOP_SEED)
    int launches = 0;                   ///< that the program is asked for (KLOOP_LAUNCHES); 0: warm-up and measured ones
    std::vector<std::string> more = {}; ///< further variables, "NAME=VALUE", before those of the target
};

/// Runs the commands of a target in one folder: the project's own, or a copy of it. Each reports while it runs, ends with the job, and
/// after the target's time. Errors: environment, interrupted; how a command ends is no Error.
class ProgramRunner {
public:
    /// `gpu`: UUID of the one that the program sees; empty: as it finds them.
    ProgramRunner(const TargetSpec& spec, std::filesystem::path folder, std::string gpu, const Job& job)
        : spec_(spec), folder_(std::move(folder)), gpu_(std::move(gpu)), job_(job)
    {
    }

    const std::filesystem::path& folder() const noexcept { return folder_; }

    /// Runs the build; a target without one is built already.
    Result<SubjectBuild> build() const;

    /// Runs a command to its end.
    Result<CommandEnd> run(const CommandWords& command, const CommandInputs& inputs, const std::string& step) const;

    /// A run of a command with the library that records its launches.
    struct Traced {
        CommandEnd end;
        std::vector<ProcessTrace> processes;
    };
    Result<Traced> trace(const CommandWords& command, const CommandInputs& inputs, const std::string& step) const;

    /// The same for counters: a first run for the times, and a second one. `why` as in CommandEnd, of the first.
    struct Counted {
        std::string why;
        TracedProgram program;
    };
    Result<Counted> count(const CommandWords& command, const CommandInputs& inputs, const TraceConfig& config) const;

    /// The words with sizes and interpreter filled in.
    static CommandWords fillCommand(const CommandWords& command, const Params& problem);

private:
    std::vector<std::string> variables(const CommandInputs& inputs) const;
    /// Reports now and then, and says whether to go on.
    std::function<bool(double)> watch(const std::string& step) const;
    Result<std::string> whyNot(const ProcessEnd& end, bool stopped, double seconds, const std::string& output) const;

    const TargetSpec& spec_;
    std::filesystem::path folder_;
    std::string gpu_;
    const Job& job_;
};

/// The last lines of a program's output that tell most: from its first "error" on where it has one, at most six.
std::string selectKeyLines(const std::string& output);

} // namespace kl::inline subjects
