// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/python_call.h"
#include "core/base/result.h"
#include "core/process/fd.h"
#include "core/process/process.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace kl::inline live {

/// A child process with a line-based protocol. It shares our process group, so that killing the worker's group kills it too, and
/// its input ends when we exit. Its stderr is kept for errorTail(). Not thread-safe.
class HelperProcess {
public:
    /// Starts `arguments[0]`, looked up on PATH, with exactly `environment` ("NAME=VALUE") in `folder`; empty: here. Error environment.
    static Result<std::unique_ptr<HelperProcess>> start(const std::vector<std::string>& arguments,
                                                        const std::vector<std::string>& environment, const std::string& folder = {});
    static Result<std::unique_ptr<HelperProcess>> start(const PythonCall& call)
    {
        return start(call.arguments, call.environment, call.folder);
    }

    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;
    ~HelperProcess(); ///< closes its input, waits 200 ms for its exit, then kills it

    /// Error kernelFailed when the child has exited.
    Status send(const std::string& line);

    /// The next line without its end. Past the deadline, or at the end of its output, the child is killed; error kernelFailed with
    /// the tail of its stderr as detail.
    Result<std::string> receive(std::chrono::milliseconds deadline);

    bool running() const noexcept { return process_.running(); }
    pid_t pid() const noexcept { return process_.id(); }

    /// The last 2,000 characters that it wrote to stderr.
    std::string errorTail() const;

private:
    HelperProcess(Process process, Fd channel, Fd errors, std::string name);
    void end(std::chrono::milliseconds patience) noexcept;
    Error failure(const std::string& what);

    Process process_;
    Fd channel_; ///< socket: its standard input and output
    Fd errors_;  ///< unlinked file behind its stderr
    std::string name_;
    std::string pending_;
};

} // namespace kl::inline live
