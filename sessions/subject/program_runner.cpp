// SPDX-License-Identifier: MIT
#include "sessions/subject/program_runner.h"

#include "core/base/clean_text.h"
#include "core/base/original_environment.h"
#include "core/base/python_call.h"
#include "core/base/scratch_folder.h"
#include "core/base/shell_line.h"
#include "core/base/try.h"
#include "core/process/fd.h"
#include "core/process/run_to_end.h"
#include "profiler/gpu_lock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <sstream>
#include <unistd.h>

namespace kl::inline subjects {
namespace {

namespace fs = std::filesystem;

constexpr double kReportEvery = 2; // seconds, as a worker does
constexpr std::size_t kLinesReported = 6;
constexpr std::size_t kOutputKept = 256 * 1024;

void replaceAll(std::string& text, const std::string& what, const std::string& by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

std::vector<std::string> splitIntoLines(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos)
            lines.push_back(line);
    return lines;
}

/// What a descriptor of a file in memory holds, its end.
std::string readTail(int file)
{
    const off_t size = ::lseek(file, 0, SEEK_END);
    if (size <= 0)
        return {};
    const off_t from = std::max<off_t>(0, size - static_cast<off_t>(kOutputKept));
    std::string text(static_cast<std::size_t>(size - from), '\0');
    const ssize_t got = ::pread(file, text.data(), text.size(), from);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

Result<Fd> outputFile()
{
    std::error_code failure;
    Fd file = makeMemoryFile("kloop-output", failure);
    if (failure)
        return Error{.code = ErrorCode::environment,
                     .message = "The output of the program cannot be kept: " + failure.message() + '.',
                     .where = "memfd"};
    return file;
}

Error makeNotStartedError(const CommandWords& command, const std::error_code& failure, const fs::path& folder)
{
    return {.code = ErrorCode::notFound,
            .message = fmt::format("{} cannot be run in {}: {}.", command.front(), folder.string(), failure.message()),
            .hint = "Correct the command of the target.",
            .where = command.front()};
}

Error makeInterruptedError(const std::string& where)
{
    return {.code = ErrorCode::interrupted, .message = "Stopped by the user.", .where = where};
}

} // namespace

std::string selectKeyLines(const std::string& output)
{
    const std::vector<std::string> lines = splitIntoLines(output);
    const auto tells = [](const std::string& line) {
        return line.find("error") != std::string::npos || line.find("Error") != std::string::npos;
    };
    auto first = std::ranges::find_if(lines, tells);
    if (first == lines.end() || lines.end() - first > 200) // a long log that only mentions the word
        first = lines.size() > kLinesReported ? lines.end() - kLinesReported : lines.begin();
    std::string text;
    for (std::size_t shown = 0; first != lines.end() && shown < kLinesReported; ++first, ++shown)
        text += (text.empty() ? "" : "\n") + *first;
    std::string shown; // line by line: a line end is to be shown as one
    for (const std::string& line : splitIntoLines(text.substr(0, 2000)))
        shown += (shown.empty() ? "" : "\n") + visibleText(line);
    return shown;
}

CommandWords ProgramRunner::fillCommand(const CommandWords& command, const Params& problem)
{
    CommandWords words = command;
    for (std::string& word : words) {
        replaceAll(word, "{python}", pythonProgram());
        for (const auto& [name, value] : problem)
            if (const std::int64_t* number = numberIn(problem, name))
                replaceAll(word, '{' + name + '}', std::to_string(*number));
    }
    return words;
}

std::vector<std::string> ProgramRunner::variables(const CommandInputs& inputs) const
{
    std::vector<std::string> all = inputs.more;
    for (const auto& [name, value] : spec_.environment)
        all.push_back(name + '=' + value);
    // An edit of the same length within a second would else run the bytecode of the text before it.
    all.emplace_back("PYTHONDONTWRITEBYTECODE=1");
    all.push_back(fmt::format("KLOOP_SEED={}", inputs.seed));
    all.push_back(fmt::format("KLOOP_LAUNCHES={}", inputs.launches > 0 ? inputs.launches : spec_.warmup + spec_.launches));
    all.push_back("KLOOP_OUTPUT=" + inputs.output.string());
    if (!gpu_.empty())
        all.push_back("CUDA_VISIBLE_DEVICES=" + gpu_);
    if (std::string locked = GpuLock::lockedVariable(); !locked.empty())
        all.push_back(std::move(locked));
    if (folder_ != fs::path(spec_.folder)) // builds of a copy must not take another copy's place
        all.push_back("TORCH_EXTENSIONS_DIR=" + (folder_ / ".torch_extensions").string());
    return all;
}

std::function<bool(double)> ProgramRunner::watch(const std::string& step) const
{
    return [this, step, reported = -kReportEvery](double seconds) mutable {
        if (seconds - reported >= kReportEvery) {
            reported = seconds;
            job_.report(step, seconds);
        }
        return !job_.stop.stop_requested() && seconds < spec_.timeoutSeconds;
    };
}

Result<std::string> ProgramRunner::whyNot(const ProcessEnd& end, bool stopped, double seconds, const std::string& output) const
{
    if (job_.stop.stop_requested())
        return makeInterruptedError(spec_.id);
    if (stopped || seconds >= spec_.timeoutSeconds)
        return fmt::format("did not finish within {:g} s", spec_.timeoutSeconds);
    if (end.status == 0)
        return std::string();
    const std::string keyLines = selectKeyLines(output);
    return end.text() + (keyLines.empty() ? "" : ": " + keyLines);
}

Result<CommandEnd> ProgramRunner::run(const CommandWords& command, const CommandInputs& inputs, const std::string& step) const
{
    ProcessOptions options{.arguments = fillCommand(command, inputs.problem), .folder = folder_.string()};
    std::vector<std::string> environment = originalEnvironment();
    for (const std::string& variable : variables(inputs)) {
        const std::string name = variable.substr(0, variable.find('=') + 1);
        std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name); });
        environment.push_back(variable);
    }
    options.environment = std::move(environment);
    OutputWanted wanted;
    wanted.kept = kOutputKept;
    wanted.waiting = watch(step);
    std::error_code failure;
    const CompletedRun completed = runToEnd(options, spec_.timeoutSeconds, wanted, failure);
    if (failure)
        return makeNotStartedError(options.arguments, failure, folder_);
    CommandEnd end{completed.end, {}, completed.output, completed.seconds};
    KL_ASSIGN(end.why, whyNot(completed.end, completed.stopped || completed.timedOut, completed.seconds, completed.output));
    return end;
}

Result<SubjectBuild> ProgramRunner::build() const
{
    SubjectBuild build;
    build.arch = spec_.build.empty() ? "nothing to build" : "built";
    if (spec_.build.empty())
        return build;
    KL_ASSIGN(CommandEnd end, run(spec_.build, {spec_.problems.front()}, "building " + spec_.id));
    build.log = fmt::format("$ {}\n{}", shellLine(fillCommand(spec_.build, spec_.problems.front())), end.output);
    build.seconds = end.seconds;
    if (!end.why.empty()) {
        build.status = ResultStatus::compilationFailed;
        build.reason = "The build " + end.why;
    }
    return build;
}

Result<ProgramRunner::Traced> ProgramRunner::trace(const CommandWords& command, const CommandInputs& inputs, const std::string& step) const
{
    KL_ASSIGN(const Fd output, outputFile());
    InjectedRun injected;
    injected.command = fillCommand(command, inputs.problem);
    injected.config.counters = false;
    injected.folder = folder_.string();
    injected.variables = variables(inputs);
    injected.output = output.get();
    KL_ASSIGN(InjectedEnd ended, runInjected(injected, {{}, job_.stop, watch(step)}));
    Traced traced{{{ended.exitCode, ended.signal}, {}, readTail(output.get()), ended.wallSeconds}, std::move(ended.processes)};
    KL_ASSIGN(traced.end.why, whyNot(traced.end.end, false, traced.end.seconds, traced.end.output));
    return traced;
}

Result<ProgramRunner::Counted> ProgramRunner::count(const CommandWords& command, const CommandInputs& inputs,
                                                    const TraceConfig& config) const
{
    KL_ASSIGN(const Fd output, outputFile());
    TraceRequest request;
    request.run.command = fillCommand(command, inputs.problem);
    request.run.config = config;
    request.run.folder = folder_.string();
    request.run.variables = variables(inputs);
    request.run.output = output.get();
    Counted counted;
    const auto step = std::make_shared<std::string>("the program's times");
    const auto look = [this, step, reported = -kReportEvery](double seconds) mutable {
        reported = seconds < reported ? -kReportEvery : reported; // a second run begins
        if (seconds - reported >= kReportEvery) {
            reported = seconds;
            job_.report(*step, seconds);
        }
        return !job_.stop.stop_requested() && seconds < spec_.timeoutSeconds;
    };
    KL_ASSIGN(counted.program, traceProgram(std::move(request), {{}, job_.stop, look},
                                            [&](std::size_t launches) { *step = fmt::format("counters of {} launches", launches); }));
    const ProgramRun& first = counted.program.program;
    KL_ASSIGN(counted.why, whyNot({first.exitCode, first.signal}, false, first.wallSeconds, readTail(output.get())));
    return counted;
}

} // namespace kl::inline subjects
