// SPDX-License-Identifier: MIT
#include "profiler/live/env/command_runner.h"

#include "profiler/live/host/argument_list.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kKept = 64 * 1024;
constexpr int kSlice = 50; ///< ms between looks at a child that keeps its output open or closed

std::vector<std::string> with(std::vector<std::string> all, const std::vector<std::string>& settings)
{
    for (const std::string& setting : settings) {
        const std::string name = setting.substr(0, setting.find('=') + 1);
        std::erase_if(all, [&](const std::string& entry) { return entry.starts_with(name); });
        all.push_back(setting);
    }
    return all;
}

int spawn(pid_t& pid, const Command& command, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (!command.folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const std::vector<std::string> environment = with(command.environment, command.settings);
    const int code = ::posix_spawnp(&pid, command.arguments.front().c_str(), &actions, &attributes, pointersOf(command.arguments).data(),
                                    pointersOf(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/// Reads until the child has ended, and what is in the pipe then: a grandchild that keeps the pipe open is not waited for.
int collect(pid_t pid, int input, Clock::time_point last, std::ostream* log, CommandResult& result)
{
    int status = 0;
    bool ended = false;
    while (true) {
        pollfd waiting{input, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, ended ? 0 : kSlice);
        char chunk[16384];
        const ssize_t got = ready > 0 ? ::read(input, chunk, sizeof chunk) : 0;
        if (got > 0) {
            if (log)
                log->write(chunk, got);
            result.output.append(chunk, static_cast<std::size_t>(got));
            if (result.output.size() > 2 * kKept)
                result.output.erase(0, result.output.size() - kKept);
        } else if (ended) {
            return status;
        } else if (ready > 0) {
            ::usleep(kSlice * 100); // its output is closed and it still runs
        }
        ended = ended || ::waitpid(pid, &status, WNOHANG) == pid;
        if (!ended && !result.timedOut && Clock::now() >= last) {
            result.timedOut = true;
            ::kill(-pid, SIGKILL);
        }
    }
}

} // namespace

Result<CommandResult> runCommand(const Command& command)
{
    const auto failed = [&](int code) {
        return Error{ErrorCode::environment,
                     fmt::format("{} could not be started{}: {}.", command.arguments.front(),
                                 command.folder.empty() ? "" : " in " + command.folder, std::strerror(code)),
                     {},
                     command.arguments.front(),
                     {}};
    };
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return failed(errno);
    const auto begin = Clock::now();
    pid_t pid = -1;
    const int code = spawn(pid, command, ends[1]);
    ::close(ends[1]);
    if (code != 0) {
        ::close(ends[0]);
        return failed(code);
    }
    std::ofstream log;
    if (!command.logFile.empty())
        log.open(command.logFile, std::ios::app | std::ios::binary);
    CommandResult result;
    const auto last = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(command.seconds));
    const int status = collect(pid, ends[0], last, log.is_open() ? &log : nullptr, result);
    ::close(ends[0]);
    ::kill(-pid, SIGKILL); // what it may have left running
    result.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (result.output.size() > kKept)
        result.output.erase(0, result.output.size() - kKept);
    return result;
}

} // namespace kl
