// SPDX-License-Identifier: MIT
#include "profiler/remote/worker_copy.h"

#include "core/base/read_file.h"
#include "core/base/sha256.h"
#include "core/base/trimmed.h"
#include "core/base/try.h"
#include "core/process/fd.h"
#include "core/process/run_to_end.h"
#include "profiler/client/consent.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/last_line.h"
#include "profiler/remote/ssh_command.h"
#include "profiler/remote/tar_archive.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <sstream>
#include <sys/utsname.h>
#include <unistd.h>

namespace kl::inline remote {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostBytes = std::int64_t{4} << 30; ///< of a program or library
constexpr double kCopySeconds = 300;
constexpr double kListSeconds = 20;
constexpr const char* kInjected = "libkloop-inject.so";

/// The C library of a host belongs to its loader and its kernel.
constexpr std::array<const char*, 7> kLeftOut{"libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "ld-linux", "libresolv.so"};

Error cannotCopy(const fs::path& file, const std::string& why)
{
    return {.code = ErrorCode::environment,
            .message = fmt::format("The worker cannot be copied: {}.", why),
            .hint = "Install KernelLoop on that host instead.",
            .where = file.string()};
}

Result<std::string> readAll(const fs::path& file)
{
    Result<std::string> bytes = readFile(file, kMostBytes);
    return bytes && !bytes->empty() ? std::move(bytes) : cannotCopy(file, "it cannot be read");
}

/// What the loader would load for a program, without running it.
Result<std::vector<fs::path>> listLibraries(const fs::path& worker)
{
    ProcessOptions options{.arguments = {worker.string()}};
    options.environment = std::vector<std::string>{"LD_TRACE_LOADED_OBJECTS=1"};
    if (const char* folders = std::getenv("LD_LIBRARY_PATH")) // NOLINT(concurrency-mt-unsafe): never changed
        options.environment->push_back(std::string("LD_LIBRARY_PATH=") + folders);
    std::error_code failure;
    const CompletedRun run = runToEnd(std::move(options), kListSeconds, {.errors = false}, failure);
    if (failure || run.end.status != 0)
        return cannotCopy(worker, "its libraries cannot be listed");
    std::vector<fs::path> libraries;
    std::istringstream lines(run.output); // "	libfmt.so.9 => /lib/x86_64-linux-gnu/libfmt.so.9 (0x00007f41290ce000)"
    for (std::string line; std::getline(lines, line);) {
        const std::size_t arrow = line.find("=> /");
        if (arrow == std::string::npos)
            continue;
        const fs::path file = line.substr(arrow + 3, line.rfind(" (") - arrow - 3);
        const std::string name = file.filename().string();
        if (std::none_of(kLeftOut.begin(), kLeftOut.end(), [&](const char* one) { return name.starts_with(one); }))
            libraries.push_back(file);
    }
    return libraries;
}

Result<std::string> packArchive(const fs::path& worker)
{
    TarArchive archive;
    KL_ASSIGN(const std::string program, readAll(worker));
    archive.add("bin/kloop-worker", true, program);
    KL_ASSIGN(const std::vector<fs::path> libraries, listLibraries(worker));
    for (const fs::path& library : libraries) {
        KL_ASSIGN(const std::string bytes, readAll(library));
        archive.add("lib/" + library.filename().string(), false, bytes);
    }
    // What it puts into programs lies where its own program finds it.
    for (const char* place : {"../lib", "."})
        if (const fs::path inside = worker.parent_path() / place / kInjected; fs::exists(inside)) {
            KL_ASSIGN(const std::string bytes, readAll(inside));
            archive.add(std::string("lib/") + kInjected, false, bytes);
            break;
        }
    archive.add("complete", false, "yes\n");
    return archive.finish();
}

std::string ourSystem()
{
    utsname names{};
    return ::uname(&names) == 0 ? fmt::format("{} {}", names.sysname, names.machine) : std::string();
}

/// What tar says last is that it said something before.
std::string reasonIn(const std::string& printed)
{
    return lastLine(printed.substr(0, printed.rfind("tar: Exiting with failure status")));
}

Status install(const std::string& host, const fs::path& worker, const std::string& key, const Job& job)
{
    KL_ASSIGN(const std::string archive, packArchive(worker));
    std::error_code failure;
    const Fd file = makeMemoryFile("kloop-worker.tar", failure);
    for (std::size_t sent = 0; !failure && sent < archive.size();) {
        const ssize_t wrote = ::write(file.get(), archive.data() + sent, archive.size() - sent);
        if (wrote < 0)
            failure = {errno, std::generic_category()};
        else
            sent += static_cast<std::size_t>(wrote);
    }
    if (failure)
        return cannotCopy(worker, failure.message());
    ::lseek(file.get(), 0, SEEK_SET);
    KL_ASSIGN(std::vector<std::string> command, sshCommand(host, kInstallScript, {key}));
    const CompletedRun run = runToEnd({.arguments = std::move(command), .input = StandardStream::to(file.get())}, kCopySeconds,
                                      {.waiting = [&](double) { return !job.stop.stop_requested(); }}, failure);
    if (failure)
        return cannotCopy(worker, failure.message());
    if (run.stopped)
        return Error{
            .code = ErrorCode::interrupted, .message = fmt::format("Canceled while the worker was copied to {}.", host), .where = host};
    if (run.timedOut)
        return cannotCopy(worker, fmt::format("{} took longer than {:.0f} s", host, kCopySeconds));
    if (run.end.status != 0 || run.end.signal) {
        const std::string words = reasonIn(run.output);
        Error error = cannotCopy(worker, fmt::format("{} refused it, or cannot run it{}", host, words.empty() ? words : ": " + words));
        error.detail = trimText(run.output);
        return error;
    }
    return {};
}

} // namespace

Result<std::string> workerKey(const fs::path& worker)
{
    KL_ASSIGN(const std::string bytes, readAll(worker));
    Sha256 hash;
    hash.add(bytes);
    return hash.hex();
}

FileCommand copyCommand(const std::string& host, const fs::path& worker, const std::string& key, const std::string& why)
{
    Sha256 hash;
    for (const std::string& part : {std::string("worker on another host"), host, key})
        hash.addPart(part);
    FileCommand command{worker.string(), {"ssh", host, "kloop-worker"}, "~/.cache/kernelloop/workers", hash.hex(), {}};
    command.question = why + " This one can be copied there, to run as your user:";
    return command;
}

Status copyWorker(const std::string& host, const fs::path& worker, const std::string& key, const Error& unusable, Consent* consent,
                  const Job& job)
{
    const std::string system = isWorkerMissing(unusable) ? unusable.detail : std::string();
    if (!system.empty() && system != ourSystem())
        return makeWorkerMissingError(
            host,
            fmt::format("kloop-worker is not installed on {}, and this one is for another kind of machine ({}; there: {}).", host,
                        ourSystem(), system),
            system);
    const FileCommand command = copyCommand(host, worker, key, unusable.message);
    const Status allowed = consent ? consent->allow(command, job) : needsConsent(command);
    if (!allowed) {
        Error error = allowed.error();
        if (error.code == ErrorCode::needsConsent) {
            error.message = unusable.message + " You have not allowed copying this one there.";
            error.hint = "Allow it, which is remembered until the worker changes, or install KernelLoop on that host.";
            error.next.clear();
        }
        return error;
    }
    job.report(fmt::format("copying kloop-worker to {}", host));
    return install(host, worker, key, job);
}

} // namespace kl::inline remote
