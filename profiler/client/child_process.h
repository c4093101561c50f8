// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace kl {

/// A file descriptor with one owner.
class Fd {
public:
    Fd() = default;
    explicit Fd(int number) : number_(number) {}
    Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Fd& operator=(Fd&& other) noexcept;
    ~Fd() { close(); }

    int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    void close() noexcept;

private:
    int number_ = -1;
};

/// A program in a process group of its own, with its three standard streams connected to pipes, all non-blocking. Its input is a
/// socket, so that writing to a dead child is an error code and never a signal. The destructor kills the whole group.
class ChildProcess {
public:
    /// Error environment, with the system's reason, when the program cannot be started.
    static Result<ChildProcess> start(const std::filesystem::path& program, const std::vector<std::string>& arguments);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess() { killGroup(); }

    int input() const noexcept { return input_.get(); }
    int output() const noexcept { return output_.get(); }
    int errors() const noexcept { return errors_.get(); }

    /// Ends the child's input, which asks it to exit.
    void closeInput() noexcept { input_.close(); }

    /// Writes what fits; the number of bytes taken, −1 when the child no longer reads.
    std::ptrdiff_t write(std::string_view bytes) noexcept;

    /// Reads available data into `into`, about 1 MiB at most; false once the stream has ended.
    static bool drain(int fd, std::string& into);

    /// Waits for its exit, at most `patience`; true when it has exited.
    bool wait(std::chrono::milliseconds patience);

    /// SIGKILL to the whole group, then reaps the child. Harmless when it has already exited.
    void killGroup() noexcept;

    /// "exited with status 3", "was killed by signal 11 (Segmentation fault)", "is still running".
    std::string ending() const;
    /// 0 to 255 once it has exited; −1 before, or when a signal ended it.
    int exitStatus() const noexcept;

private:
    ChildProcess() = default;
    bool reap(int flags) noexcept;

    pid_t pid_ = -1;
    bool ended_ = false;
    int status_ = 0;
    Fd input_;
    Fd output_;
    Fd errors_;
};

} // namespace kl
