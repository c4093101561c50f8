// SPDX-License-Identifier: MIT
#include "profiler/live/python/helper_process.h"

#include "profiler/live/host/argument_list.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kEndPatience{200};
constexpr off_t kTail = 2000;

/// posix_spawn rather than fork: the worker holds a GPU context and several threads.
int spawn(pid_t& pid, int channel, int errors, const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
          const std::string& folder)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, channel, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, channel, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    if (!folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none); // whatever we block or handle, the child starts with the defaults
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int code = ::posix_spawnp(&pid, arguments.front().c_str(), &actions, &attributes, pointersOf(arguments).data(),
                                    pointersOf(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

} // namespace

HelperProcess::HelperProcess(pid_t pid, int channel, int errors, std::string name)
    : pid_(pid), channel_(channel), errors_(errors), name_(std::move(name))
{
}

Result<std::unique_ptr<HelperProcess>> HelperProcess::start(const std::vector<std::string>& arguments,
                                                            const std::vector<std::string>& environment, const std::string& folder)
{
    const auto failed = [&](int code) {
        return Error{ErrorCode::environment,
                     fmt::format("{} could not be started: {}.", arguments.front(), std::strerror(code)),
                     "Install python3, or set KLOOP_PYTHON to the interpreter to use.",
                     arguments.front(),
                     {}};
    };
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return failed(errno);
    const int errors = ::memfd_create("kloop-helper-stderr", MFD_CLOEXEC);
    pid_t pid = -1;
    const int code = errors < 0 ? errno : spawn(pid, ends[1], errors, arguments, environment, folder);
    ::close(ends[1]);
    if (code != 0) {
        ::close(ends[0]);
        if (errors >= 0)
            ::close(errors);
        return failed(code);
    }
    return std::unique_ptr<HelperProcess>(new HelperProcess(pid, ends[0], errors, arguments.front()));
}

HelperProcess::~HelperProcess()
{
    end(kEndPatience);
    ::close(errors_);
}

void HelperProcess::end(milliseconds patience) noexcept
{
    if (channel_ >= 0)
        ::close(channel_);
    channel_ = -1;
    if (pid_ <= 0)
        return;
    const auto last = Clock::now() + patience;
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) == 0) {
        if (Clock::now() >= last) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, &status, 0);
            break;
        }
        std::this_thread::sleep_for(milliseconds(2));
    }
    pid_ = -1;
}

std::string HelperProcess::errorTail() const
{
    struct stat info = {};
    if (::fstat(errors_, &info) != 0)
        return {};
    const off_t from = std::max<off_t>(0, info.st_size - kTail);
    std::string text(static_cast<std::size_t>(info.st_size - from), '\0');
    const ssize_t got = ::pread(errors_, text.data(), text.size(), from);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    return text;
}

Error HelperProcess::failure(const std::string& what)
{
    return {ErrorCode::kernelFailed, fmt::format("The python helper {}.", what), "Its last messages are in the detail.", name_,
            errorTail()};
}

Status HelperProcess::send(const std::string& line)
{
    const std::string text = line + '\n';
    std::size_t sent = 0;
    while (sent < text.size()) {
        const ssize_t got = channel_ < 0 ? -1 : ::send(channel_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (got < 0 && channel_ >= 0 && errno == EINTR)
            continue;
        if (got < 0) {
            end(kEndPatience);
            return failure("has exited");
        }
        sent += static_cast<std::size_t>(got);
    }
    return {};
}

Result<std::string> HelperProcess::receive(milliseconds deadline)
{
    const auto last = Clock::now() + deadline;
    for (;;) {
        if (const auto newline = pending_.find('\n'); newline != std::string::npos) {
            std::string line = pending_.substr(0, newline);
            pending_.erase(0, newline + 1);
            return line;
        }
        if (channel_ < 0)
            return failure("has exited");
        const auto left = std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(last - Clock::now()));
        pollfd waiting{channel_, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0) {
            end(milliseconds(0));
            return failure(fmt::format("did not respond within {:.1f} s", static_cast<double>(deadline.count()) / 1000));
        }
        char chunk[4096];
        const ssize_t got = ::read(channel_, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            end(kEndPatience);
            return failure("exited before it responded");
        }
        pending_.append(chunk, static_cast<std::size_t>(got));
    }
}

} // namespace kl
