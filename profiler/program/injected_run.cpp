// SPDX-License-Identifier: MIT
#include "profiler/program/injected_run.h"

#include "core/base/host_name.h"
#include "core/base/original_environment.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/process/process.h"
#include "profiler/gpu_lock.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace kl::inline program_runs {
namespace {

constexpr const char* kCudaInjection = "CUDA_INJECTION64_PATH";
constexpr const char* kNvtxInjection = "NVTX_INJECTION64_PATH";

bool set(const std::vector<std::string>& environment, const std::string& name)
{
    return std::ranges::any_of(environment,
                               [&](const std::string& entry) { return entry.starts_with(name + '=') && entry.size() > name.size() + 1; });
}

Result<std::vector<std::string>> environmentFor(const InjectedRun& run, const std::string& library, const std::filesystem::path& folder)
{
    std::vector<std::string> environment = originalEnvironment();
    for (const std::string& variable : run.variables) {
        const std::string name = variable.substr(0, variable.find('=') + 1);
        std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name); });
        environment.push_back(variable);
    }
    if (set(environment, kCudaInjection))
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("{} is already set: another tool instruments this program.", kCudaInjection),
                     .hint = fmt::format("CUDA loads one such library. Run without the other tool, or with {} unset.", kCudaInjection),
                     .where = kCudaInjection};
    environment.push_back(fmt::format("{}={}", kCudaInjection, library));
    if (!set(environment, kNvtxInjection))
        environment.push_back(fmt::format("{}={}", kNvtxInjection, library));
    environment.push_back(fmt::format("{}={}", kTraceFolderVariable, folder.string()));
    if (std::string locked = GpuLock::lockedVariable(); !locked.empty())
        environment.push_back(std::move(locked));
    return environment;
}

bool isFile(int descriptor)
{
    struct stat about = {};
    return ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
}

Error makeNotStartedError(const InjectedRun& run, const std::error_code& failure)
{
    const bool missing = failure == std::errc::no_such_file_or_directory;
    return {.code = ErrorCode::notFound,
            .message = fmt::format("{} cannot be run: {}.", run.command.front(), failure.message()),
            .hint = missing ? "Check the name and the folder, or give its path." : "Check its permissions and its first line.",
            .where = run.command.front(),
            .detail = missing ? kNoSuchProgram : ""};
}

Result<ProcessEnd> runInForeground(const InjectedRun& run, std::vector<std::string> environment, const RunWatch& watch)
{
    ProcessOptions options{
        .arguments = run.command, .folder = run.folder, .environment = std::move(environment), .group = ProcessGroup::foreground};
    if (!run.again) {
        options.input = options.errors = StandardStream::ours();
        options.output = run.outputToErrors ? StandardStream::to(STDERR_FILENO) : StandardStream::ours();
    } else if (isFile(STDIN_FILENO) && ::lseek(STDIN_FILENO, 0, SEEK_SET) == 0) {
        options.input = StandardStream::ours();
    }
    std::error_code failure;
    Process program = Process::start(options, failure);
    if (failure)
        return makeNotStartedError(run, failure);
    if (watch.started)
        watch.started(program.id());
    program.wait();
    if (watch.started)
        watch.started(0);
    return *program.end();
}

Result<ProcessEnd> runInBackground(const InjectedRun& run, std::vector<std::string> environment, const RunWatch& watch)
{
    constexpr std::chrono::milliseconds kLook{50};
    constexpr std::chrono::seconds kPatience{3};
    ProcessOptions options{.arguments = run.command, .folder = run.folder, .environment = std::move(environment)};
    if (!run.again) {
        options.output = StandardStream::to(*run.output);
        options.errors = StandardStream::to(run.errors.value_or(*run.output));
    }
    std::error_code failure;
    Process program = Process::start(options, failure);
    if (failure)
        return makeNotStartedError(run, failure);
    const auto begin = std::chrono::steady_clock::now();
    const auto wanted = [&] {
        return !watch.waiting || watch.waiting(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    };
    while (!watch.stop.stop_requested() && wanted() && !program.wait(kLook)) {
    }
    if (program.running()) {
        ::kill(-program.id(), SIGTERM);
        if (!program.wait(kPatience))
            program.kill();
    }
    return *program.end();
}

std::vector<std::string> readTraces(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
        if (entry.path().extension() == kTraceSuffix)
            files.push_back(entry.path());
    // The name ends with the time of the start.
    std::ranges::sort(files, {}, [](const std::filesystem::path& file) {
        const std::string name = file.stem().string();
        return name.substr(name.find('-') + 1);
    });
    std::vector<std::string> texts;
    for (const std::filesystem::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return texts;
}

} // namespace

Result<std::filesystem::path> findInjectedLibrary()
{
    if (const char* other = std::getenv("KERNELLOOP_INJECT"); other && *other)
        return std::filesystem::path(other);
    std::error_code problem;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", problem).parent_path();
    for (const char* place : {"../lib", "."}) {
        const std::filesystem::path file = (folder / place / "libkloop-inject.so").lexically_normal();
        if (std::filesystem::exists(file, problem))
            return file;
    }
    return Error{.code = ErrorCode::environment,
                 .message = "This installation cannot profile programs: libkloop-inject.so is missing.",
                 .hint = "It is built only if a CUDA toolkit's headers are found; ./dev build reports whether they were.",
                 .where = (folder / "../lib/libkloop-inject.so").lexically_normal().string()};
}

bool canReadInputAgain()
{
    struct stat about = {};
    return ::fstat(STDIN_FILENO, &about) != 0 || !(S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}

Result<TraceProgramAnswer> runForTraces(const InjectedRun& run, const RunWatch& watch)
{
    KL_ASSIGN(const std::filesystem::path library, findInjectedLibrary());
    KL_ASSIGN(const ScratchFolder folder, ScratchFolder::make());
    KL_TRY(writeFile(folder.path() / kTraceConfigFile, encodeTraceConfig(run.config)));
    KL_ASSIGN(std::vector<std::string> environment, environmentFor(run, library.string(), folder.path()));
    const auto begin = std::chrono::steady_clock::now();
    KL_ASSIGN(const ProcessEnd ended,
              run.output ? runInBackground(run, std::move(environment), watch) : runInForeground(run, std::move(environment), watch));
    TraceProgramAnswer answer;
    answer.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    answer.signal = ended.signal;
    answer.exitCode = ended.status;
    answer.traces = readTraces(folder.path());
    return answer;
}

InjectedEnd readAnswer(const TraceProgramAnswer& answer, const std::string& host)
{
    InjectedEnd end{answer.exitCode, answer.signal, answer.wallSeconds, host, {}};
    for (const std::string& text : answer.traces)
        end.processes.push_back(parseTrace(text));
    return end;
}

Result<InjectedEnd> runInjected(const InjectedRun& run, const RunWatch& watch)
{
    KL_ASSIGN(const TraceProgramAnswer answer, runForTraces(run, watch));
    return readAnswer(answer, hostName());
}

} // namespace kl::inline program_runs
