// SPDX-License-Identifier: MIT
#include "profiler/live/python/run_once.h"

#include "profiler/live/host/argument_list.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

constexpr off_t kTail = 4000;
constexpr off_t kMostKept = 64 << 20;
constexpr std::chrono::milliseconds kPoll{5};

int spawn(pid_t& pid, int output, const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
          const std::string& folder)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    const int code = ::posix_spawnp(&pid, arguments.front().c_str(), &actions, &attributes, pointersOf(arguments).data(),
                                    pointersOf(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

std::string tailOf(int file)
{
    struct stat info = {};
    if (::fstat(file, &info) != 0)
        return {};
    const off_t from = std::max<off_t>(0, info.st_size - kTail);
    std::string text(static_cast<std::size_t>(info.st_size - from), '\0');
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::pread(file, text.data(), text.size(), from))));
    return text;
}

} // namespace

Result<Finished> runOnce(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, const std::string& folder,
                         double seconds)
{
    using Clock = std::chrono::steady_clock;
    const int output = ::memfd_create("kloop-output", MFD_CLOEXEC);
    pid_t pid = -1;
    const int code = output < 0 ? errno : spawn(pid, output, arguments, environment, folder);
    if (code != 0) {
        if (output >= 0)
            ::close(output);
        return Error{ErrorCode::environment,
                     fmt::format("{} could not be started: {}.", arguments.front(), std::strerror(code)),
                     "Install it, or set KLOOP_PYTHON to another python3.",
                     arguments.front(),
                     {}};
    }
    Finished finished;
    const auto last = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
        if (Clock::now() >= last) {
            finished.timedOut = true;
            ::kill(-pid, SIGKILL);
            ::waitpid(pid, &status, 0);
            break;
        }
        if (struct stat info = {}; ::fstat(output, &info) == 0 && info.st_blocks * 512 > kMostKept)
            (void)!::ftruncate(output, 0); // a program that prints without end: the file has a hole then, and its tail stays right
        std::this_thread::sleep_for(kPoll);
    }
    ::kill(-pid, SIGKILL); // what it left behind
    finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    finished.output = tailOf(output);
    ::close(output);
    return finished;
}

} // namespace kl
