// SPDX-License-Identifier: MIT
#include "profiler/client/child_process.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace kl::inline client {
namespace {

constexpr std::size_t kDrainMost = 1 << 20; ///< a child that writes faster than we read must not keep us from everything else

Error cannotStart(const std::filesystem::path& program, const std::error_code& reason)
{
    return {.code = ErrorCode::environment,
            .message = fmt::format("{} could not be started: {}.", program.string(), reason.message()),
            .hint = "Reinstall KernelLoop, or build the kloop-worker target.",
            .where = program.string()};
}

} // namespace

Result<ChildProcess> ChildProcess::start(const std::filesystem::path& program, const std::vector<std::string>& arguments)
{
    std::error_code failure;
    auto [inOurs, inTheirs] = makeSocketPair(failure);
    Pipe output;
    Pipe errors;
    if (!failure)
        output = makePipe(failure);
    if (!failure)
        errors = makePipe(failure);
    if (failure)
        return cannotStart(program, failure);
    for (const int fd : {inOurs.get(), output.output.get(), errors.output.get()})
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);

    ProcessOptions options;
    options.arguments = {(program.has_parent_path() ? program : "." / program).string()}; // a path, not a name to look up
    options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
    options.input = StandardStream::to(inTheirs.get());
    options.output = StandardStream::to(output.input.get());
    options.errors = StandardStream::to(errors.input.get());
    ChildProcess child;
    child.process_ = Process::start(options, failure);
    if (failure)
        return cannotStart(program, failure);
    child.input_ = std::move(inOurs);
    child.output_ = std::move(output.output);
    child.errors_ = std::move(errors.output);
    return child;
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

int ChildProcess::exitStatus() const noexcept
{
    return process_.end() && !process_.end()->signal ? process_.end()->status : -1;
}

bool ChildProcess::askToEnd(std::chrono::milliseconds patience)
{
    if (process_.running())
        ::kill(process_.id(), SIGTERM);
    return process_.wait(patience);
}

std::string ChildProcess::describeEnd() const
{
    return process_.end() ? process_.end()->text() : "is still running";
}

} // namespace kl::inline client
