// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/process/fd.h"
#include "core/process/process.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline client {

/// A program in a process group of its own, with its three standard streams in our hands, all non-blocking. Its input is a
/// socket, so that writing to a dead child is an error code and never a signal. The destructor kills the whole group.
class ChildProcess {
public:
    /// Error environment, with the system's reason, when the program cannot be started.
    static Result<ChildProcess> start(const std::filesystem::path& program, const std::vector<std::string>& arguments);

    int input() const noexcept { return input_.get(); }
    int output() const noexcept { return output_.get(); }
    int errors() const noexcept { return errors_.get(); }

    /// Ends the child's input, which asks it to exit.
    void closeInput() noexcept { input_.close(); }

    /// Writes what fits; the number of bytes taken, −1 when the child no longer reads.
    std::ptrdiff_t write(std::string_view bytes) noexcept;

    /// Reads available data into `into`, about 1 MiB at most; false once the stream has ended.
    static bool drain(int fd, std::string& into);

    /// Waits for its end, at most `patience`; true when it has ended.
    bool wait(std::chrono::milliseconds patience) { return process_.wait(patience); }

    /// SIGKILL to the whole group, then reaps the child. Harmless when it has ended already.
    void killGroup() noexcept { process_.kill(); }

    /// "exited with status 3", "was killed by signal 11 (Segmentation fault)", "is still running".
    std::string describeEnd() const;
    /// How it ended; unset before wait() or killGroup() saw that it has.
    const std::optional<ProcessEnd>& end() const noexcept { return process_.end(); }

    /// 0 to 255 once it has exited; −1 before, or when a signal ended it.
    int exitStatus() const noexcept;

    /// SIGTERM to the program itself, then waits for its end, at most `patience`; true when it has ended.
    bool askToEnd(std::chrono::milliseconds patience);

private:
    ChildProcess() = default;

    Process process_;
    Fd input_;
    Fd output_;
    Fd errors_;
};

} // namespace kl::inline client
