// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <system_error>
#include <vector>

namespace kl::inline process {

/// Where one of a program's three standard streams leads.
class StandardStream {
public:
    /// /dev/null.
    static StandardStream none() { return StandardStream(kNone); }
    /// The stream of the same number that this program has.
    static StandardStream ours() { return StandardStream(kOurs); }
    /// An open descriptor: pipe, socket or file. Borrowed until the program has started.
    static StandardStream to(int descriptor) { return StandardStream(descriptor); }

    bool isNone() const noexcept { return descriptor_ == kNone; }
    bool isOurs() const noexcept { return descriptor_ == kOurs; }
    int descriptor() const noexcept { return descriptor_; }

private:
    static constexpr int kNone = -1;
    static constexpr int kOurs = -2;
    explicit StandardStream(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

/// Which processes a program belongs to, and with it who ends it.
enum class ProcessGroup {
    own,        ///< a group of its own, which ends as a whole: with the program, what it left running is killed, too
    ours,       ///< this program's group: ending that ends both
    session,    ///< a session of its own, without a terminal: for a program that outlives this one, see release()
    foreground, ///< takes our place before the user: our group, so that the terminal's signals reach it, and like a program that a shell
                ///< starts, it keeps the signals that we ignore (nohup) and every descriptor that we were handed (process substitution)
};

/// A program to start. Signals that this program blocks or handles have their defaults in it, and but for `foreground` it has no
/// descriptors besides its three standard streams.
struct ProcessOptions {
    std::vector<std::string> arguments;                       ///< the program first: a path, or a name to look up on PATH
    std::string folder = {};                                  ///< where it runs; empty: here
    std::optional<std::vector<std::string>> environment = {}; ///< "NAME=VALUE"; unset: ours
    ProcessGroup group = ProcessGroup::own;
    StandardStream input = StandardStream::none();
    StandardStream output = StandardStream::none();
    StandardStream errors = StandardStream::none();
};

/// How a program ended.
struct ProcessEnd {
    int status = 0;            ///< its exit status, 0 to 255; 128 + signal where one ended it
    std::optional<int> signal; ///< the signal that ended it

    /// "exited with status 3", "was killed by signal 11 (Segmentation fault)".
    std::string text() const;
};

/// The one way in which KernelLoop starts programs. posix_spawn, since it neither copies the page tables of a worker that holds gigabytes
/// nor runs anything between fork and exec that another thread's lock could stop. Not thread-safe by itself; several threads may have one
/// each.
class Process {
public:
    /// No process.
    Process() = default;

    /// The system's reason, e.g. ENOENT for a program or folder that does not exist, is in `failure`, which is cleared otherwise.
    static Process start(const ProcessOptions& options, std::error_code& failure);

    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process() { kill(); }

    /// −1 without a process; of one that has ended, what it was.
    pid_t id() const noexcept { return pid_; }

    /// Started and, as far as wait() and kill() have seen, not ended.
    bool running() const noexcept { return pid_ >= 0 && !end_; }

    /// How it ended; unset before wait() or kill() saw that it has.
    const std::optional<ProcessEnd>& end() const noexcept { return end_; }

    /// Waits for its end, at most `patience`; true when it has ended. Of a group of its own, what is left is killed then.
    bool wait(std::chrono::milliseconds patience);

    /// Waits for its end, however long that takes.
    void wait();

    /// SIGKILL to it and to its own group, then waits for its end. Without a running process nothing happens.
    void kill() noexcept;

    /// Lets a running program go: it is neither waited for nor killed from here on.
    void release() noexcept { pid_ = -1; }

private:
    bool reap(int flags) noexcept;

    pid_t pid_ = -1;
    bool leads_ = false; ///< its own group
    std::optional<ProcessEnd> end_;
};

} // namespace kl::inline process
