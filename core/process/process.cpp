// SPDX-License-Identifier: MIT
#include "core/process/process.h"

#include "core/process/fd.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace kl::inline process {
namespace {

constexpr int kFirstOther = STDERR_FILENO + 1; ///< of the descriptors other than the standard streams
constexpr std::chrono::milliseconds kPoll{2};

/// What posix_spawn is given, released together.
class SpawnPlan {
public:
    SpawnPlan()
    {
        posix_spawnattr_init(&attributes_);
        posix_spawn_file_actions_init(&actions_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan()
    {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }

    void setGroup(ProcessGroup group)
    {
        sigset_t blocked;
        sigset_t defaults;
        sigemptyset(&blocked);
        if (group == ProcessGroup::foreground) {
            sigemptyset(&defaults);
            for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
                sigaddset(&defaults, signal);
        } else {
            sigfillset(&defaults);
        }
        posix_spawnattr_setsigmask(&attributes_, &blocked);
        posix_spawnattr_setsigdefault(&attributes_, &defaults);
        posix_spawnattr_setpgroup(&attributes_, 0);
        const int place = group == ProcessGroup::own ? POSIX_SPAWN_SETPGROUP : group == ProcessGroup::session ? POSIX_SPAWN_SETSID : 0;
        posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | place));
    }

    /// False where the C library is older than 2.29 and cannot (cmake/portable/old_libc.c).
    bool setFolder(const std::string& folder)
    {
        return folder.empty() || posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()) != ENOSYS;
    }

    /// A descriptor below 3, where this program was started with standard streams closed, is copied first: giving it to one stream must
    /// not take it from another.
    void setStream(int number, const StandardStream& stream)
    {
        if (stream.isOurs())
            return;
        if (stream.isNone()) {
            posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
            return;
        }
        int from = stream.descriptor();
        if (from < kFirstOther) {
            copies_[static_cast<std::size_t>(number)] = Fd(::fcntl(from, F_DUPFD_CLOEXEC, kFirstOther));
            from = copies_[static_cast<std::size_t>(number)].get();
        }
        posix_spawn_file_actions_adddup2(&actions_, from, number);
    }

    void closeOthers() { posix_spawn_file_actions_addclosefrom_np(&actions_, kFirstOther); }

    int run(pid_t& pid, const std::vector<char*>& arguments, char** environment) const
    {
        return ::posix_spawnp(&pid, arguments.front(), &actions_, &attributes_, arguments.data(), environment);
    }

private:
    posix_spawnattr_t attributes_;
    posix_spawn_file_actions_t actions_;
    std::array<Fd, 3> copies_;
};

/// As C takes a list of texts: pointers, the last null. The texts must outlive it.
std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> list;
    for (const std::string& text : texts)
        list.push_back(const_cast<char*>(text.c_str())); // posix_spawn does not write to it
    list.push_back(nullptr);
    return list;
}

/// All zeros, where the system has forgotten the program because this one was started with SIGCHLD ignored, counts as a good end.
ProcessEnd toProcessEnd(const siginfo_t& info)
{
    if (info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED)
        return {128 + info.si_status, info.si_status};
    return {info.si_status, {}};
}

} // namespace

std::string ProcessEnd::text() const
{
    if (signal)
        return fmt::format("was killed by signal {} ({})", *signal, ::strsignal(*signal));
    return fmt::format("exited with status {}", status);
}

Process Process::start(const ProcessOptions& options, std::error_code& failure)
{
    SpawnPlan plan;
    plan.setGroup(options.group);
    plan.setStream(STDIN_FILENO, options.input);
    plan.setStream(STDOUT_FILENO, options.output);
    plan.setStream(STDERR_FILENO, options.errors);
    std::vector<std::string> words = options.arguments;
    if (!plan.setFolder(options.folder)) { // env goes there; it says itself when there is no such program
        if (::access(options.folder.c_str(), X_OK) != 0) {
            failure = std::error_code(errno, std::generic_category());
            return {};
        }
        words.insert(words.begin(), {"/usr/bin/env", "--chdir=" + options.folder});
    }
    if (options.group != ProcessGroup::foreground)
        plan.closeOthers();
    std::vector<char*> environment;
    if (options.environment)
        environment = pointersTo(*options.environment);
    Process process;
    pid_t pid = -1;
    const int code = plan.run(pid, pointersTo(words), options.environment ? environment.data() : environ);
    failure = std::error_code(code, std::generic_category());
    if (code == 0) {
        process.pid_ = pid;
        process.leads_ = options.group == ProcessGroup::own || options.group == ProcessGroup::session;
    }
    return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), leads_(other.leads_), end_(std::exchange(other.end_, std::nullopt))
{
}

Process& Process::operator=(Process&& other) noexcept
{
    if (this != &other) {
        kill();
        pid_ = std::exchange(other.pid_, -1);
        leads_ = other.leads_;
        end_ = std::exchange(other.end_, std::nullopt);
    }
    return *this;
}

bool Process::reap(int flags) noexcept
{
    if (!running())
        return true;
    siginfo_t info{};
    int result = 0;
    do {
        result = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | flags);
    } while (result != 0 && errno == EINTR);
    if (result == 0 && info.si_pid == 0)
        return false;
    // Its group first: until it is waited for, nobody else can get its number.
    if (leads_)
        ::kill(-pid_, SIGKILL);
    while (result == 0 && ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
    }
    end_ = toProcessEnd(info);
    return true;
}

bool Process::wait(std::chrono::milliseconds patience)
{
    const auto last = std::chrono::steady_clock::now() + patience;
    while (!reap(WNOHANG)) {
        if (std::chrono::steady_clock::now() >= last)
            return false;
        std::this_thread::sleep_for(kPoll);
    }
    return true;
}

void Process::wait()
{
    reap(0);
}

void Process::kill() noexcept
{
    if (!running())
        return;
    ::kill(leads_ ? -pid_ : pid_, SIGKILL);
    reap(0);
}

} // namespace kl::inline process
