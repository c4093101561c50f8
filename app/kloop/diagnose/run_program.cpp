// SPDX-License-Identifier: MIT
#include "app/kloop/diagnose/run_program.h"

#include "app/kloop/terminal/interrupts.h"
#include "core/base/original_environment.h"
#include "core/base/scratch_folder.h"
#include "core/base/write_file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kl {
namespace {

constexpr const char* kCudaInjection = "CUDA_INJECTION64_PATH";
constexpr const char* kNvtxInjection = "NVTX_INJECTION64_PATH";

bool set(const std::vector<std::string>& environment, const std::string& name)
{
    return std::ranges::any_of(environment,
                               [&](const std::string& entry) { return entry.starts_with(name + '=') && entry.size() > name.size() + 1; });
}

Result<std::vector<std::string>> environmentFor(const std::string& library, const std::filesystem::path& folder)
{
    std::vector<std::string> environment = originalEnvironment();
    if (set(environment, kCudaInjection))
        return Error{
            ErrorCode::environment,
            fmt::format("{} is already set: another tool instruments this program.", kCudaInjection),
            fmt::format("CUDA loads one such library. Run without the other tool, or: env -u {} kloop profile -- …", kCudaInjection),
            kCudaInjection,
            {}};
    environment.push_back(fmt::format("{}={}", kCudaInjection, library));
    if (!set(environment, kNvtxInjection))
        environment.push_back(fmt::format("{}={}", kNvtxInjection, library));
    environment.push_back(fmt::format("{}={}", kTraceFolderVariable, folder.string()));
    return environment;
}

/// Attributes of posix_spawn: the default signals, since this program blocks some; the same process group, for the terminal's sake.
struct Spawn {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;

    explicit Spawn(bool outputToErrors)
    {
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_init(&actions);
        sigset_t none;
        sigset_t ours;
        sigemptyset(&none);
        sigemptyset(&ours);
        for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
            sigaddset(&ours, signal);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &ours);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        if (outputToErrors)
            posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    }
    Spawn(const Spawn&) = delete;
    Spawn& operator=(const Spawn&) = delete;
    ~Spawn()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
};

std::vector<char*> pointers(std::vector<std::string>& words)
{
    std::vector<char*> list;
    for (std::string& word : words)
        list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

/// Its wait status.
Result<int> runToEnd(const InjectedRun& run, std::vector<std::string> environment)
{
    std::vector<std::string> words = run.command;
    const Spawn spawn(run.outputToErrors);
    pid_t child = 0;
    const int failure = ::posix_spawnp(&child, words.front().c_str(), &spawn.actions, &spawn.attributes, pointers(words).data(),
                                       pointers(environment).data());
    if (failure != 0)
        return Error{ErrorCode::notFound, fmt::format("{} cannot be run: {}.", run.command.front(), std::strerror(failure)),
                     failure == ENOENT ? "Check the name, or give its path." : "Check its permissions and its first line.",
                     run.command.front(), failure == ENOENT ? kNoSuchProgram : ""};
    Interrupts::passOnTo(child);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    Interrupts::passOnTo(0);
    return status;
}

std::vector<ProcessTrace> readTraces(const std::filesystem::path& folder)
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
    std::vector<ProcessTrace> processes;
    for (const std::filesystem::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(in), {});
        processes.push_back(parseTrace(text));
    }
    return processes;
}

} // namespace

Result<std::filesystem::path> injectedLibrary()
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
    return Error{ErrorCode::environment,
                 "This installation cannot profile programs: libkloop-inject.so is missing.",
                 "It is built only if a CUDA toolkit's headers are found; ./dev build reports whether they were.",
                 (folder / "../lib/libkloop-inject.so").lexically_normal().string(),
                 {}};
}

Result<InjectedEnd> runInjected(const InjectedRun& run)
{
    const Result<std::filesystem::path> library = injectedLibrary();
    if (!library)
        return library.error();
    const Result<ScratchFolder> folder = ScratchFolder::make();
    if (!folder)
        return folder.error();
    if (const Status written = writeFile(folder->path() / kTraceConfigFile, encodeTraceConfig(run.config)); !written)
        return written.error();
    Result<std::vector<std::string>> environment = environmentFor(library->string(), folder->path());
    if (!environment)
        return environment.error();
    const auto begin = std::chrono::steady_clock::now();
    const Result<int> status = runToEnd(run, std::move(*environment));
    if (!status)
        return status.error();
    InjectedEnd end;
    end.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (WIFSIGNALED(*status))
        end.signal = WTERMSIG(*status);
    end.exitCode = end.signal ? 128 + *end.signal : WEXITSTATUS(*status);
    end.processes = readTraces(folder->path());
    return end;
}

} // namespace kl
