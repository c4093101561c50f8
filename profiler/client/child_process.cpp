// SPDX-License-Identifier: MIT
#include "profiler/client/child_process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace kl {
namespace {

constexpr std::size_t kDrainMost = 1 << 20; ///< a child that writes faster than we read must not keep us from everything else

/// Attributes and file actions of posix_spawn, released together.
struct SpawnPlan {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;

    SpawnPlan(int input, int output, int errors)
    {
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_init(&actions);
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setpgroup(&attributes, 0);
        // Whatever signals this program blocks or handles, the child starts with the defaults.
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
};

Error cannotStart(const std::filesystem::path& program, int reason)
{
    return {ErrorCode::environment,
            fmt::format("{} could not be started: {}.", program.string(), std::strerror(reason)),
            "Reinstall KernelLoop, or build the kloop-worker target.",
            program.string(),
            {}};
}

} // namespace

Fd& Fd::operator=(Fd&& other) noexcept
{
    if (this != &other) {
        close();
        number_ = std::exchange(other.number_, -1);
    }
    return *this;
}

void Fd::close() noexcept
{
    if (number_ >= 0)
        ::close(std::exchange(number_, -1));
}

Result<ChildProcess> ChildProcess::start(const std::filesystem::path& program, const std::vector<std::string>& arguments)
{
    int in[2] = {-1, -1};
    int out[2] = {-1, -1};
    int err[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0)
        return cannotStart(program, errno);
    Fd inOurs(in[0]);
    const Fd inTheirs(in[1]);
    if (::pipe2(out, O_CLOEXEC) != 0)
        return cannotStart(program, errno);
    Fd outOurs(out[0]);
    const Fd outTheirs(out[1]);
    if (::pipe2(err, O_CLOEXEC) != 0)
        return cannotStart(program, errno);
    Fd errOurs(err[0]);
    const Fd errTheirs(err[1]);
    for (const int fd : {inOurs.get(), outOurs.get(), errOurs.get()})
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);

    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    SpawnPlan plan(inTheirs.get(), outTheirs.get(), errTheirs.get());
    ChildProcess child;
    if (const int failure = ::posix_spawn(&child.pid_, program.c_str(), &plan.actions, &plan.attributes, argv.data(), environ)) {
        child.pid_ = -1;
        return cannotStart(program, failure);
    }
    child.input_ = std::move(inOurs);
    child.output_ = std::move(outOurs);
    child.errors_ = std::move(errOurs);
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), ended_(other.ended_), status_(other.status_), input_(std::move(other.input_)),
      output_(std::move(other.output_)), errors_(std::move(other.errors_))
{
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept
{
    if (this != &other) {
        killGroup();
        pid_ = std::exchange(other.pid_, -1);
        ended_ = other.ended_;
        status_ = other.status_;
        input_ = std::move(other.input_);
        output_ = std::move(other.output_);
        errors_ = std::move(other.errors_);
    }
    return *this;
}

std::ptrdiff_t ChildProcess::write(std::string_view bytes) noexcept
{
    const ssize_t taken = ::send(input_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (taken >= 0)
        return taken;
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

bool ChildProcess::drain(int fd, std::string& into)
{
    char buffer[65536];
    for (std::size_t all = 0; all < kDrainMost;) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got > 0) {
            into.append(buffer, static_cast<std::size_t>(got));
            all += static_cast<std::size_t>(got);
        } else if (got == 0) {
            return false;
        } else if (errno != EINTR) {
            return errno == EAGAIN;
        }
    }
    return true;
}

bool ChildProcess::reap(int flags) noexcept
{
    if (pid_ < 0 || ended_)
        return true;
    pid_t got = 0;
    do {
        got = ::waitpid(pid_, &status_, flags);
    } while (got < 0 && errno == EINTR);
    ended_ = got != 0;
    return ended_;
}

bool ChildProcess::wait(std::chrono::milliseconds patience)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!reap(WNOHANG)) {
        if (std::chrono::steady_clock::now() >= end)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

void ChildProcess::killGroup() noexcept
{
    if (pid_ < 0)
        return;
    // The group may outlive its leader: the python helper is a member too.
    ::kill(-pid_, SIGKILL);
    reap(0);
}

int ChildProcess::exitStatus() const noexcept
{
    return ended_ && WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

std::string ChildProcess::ending() const
{
    if (!ended_)
        return "is still running";
    if (WIFSIGNALED(status_))
        return fmt::format("was killed by signal {} ({})", WTERMSIG(status_), ::strsignal(WTERMSIG(status_)));
    return fmt::format("exited with status {}", WEXITSTATUS(status_));
}

} // namespace kl
