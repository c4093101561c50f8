// SPDX-License-Identifier: MIT
#include "profiler/live/python/helper_process.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kl::inline live {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kEndPatience{200};
constexpr off_t kTail = 2000;

} // namespace

HelperProcess::HelperProcess(Process process, Fd channel, Fd errors, std::string name)
    : process_(std::move(process)), channel_(std::move(channel)), errors_(std::move(errors)), name_(std::move(name))
{
}

Result<std::unique_ptr<HelperProcess>> HelperProcess::start(const std::vector<std::string>& arguments,
                                                            const std::vector<std::string>& environment, const std::string& folder)
{
    std::error_code failure;
    auto [ours, theirs] = makeSocketPair(failure);
    Fd errors;
    if (!failure)
        errors = makeMemoryFile("kloop-helper-stderr", failure);
    Process process;
    if (!failure) {
        ProcessOptions options{.arguments = arguments, .folder = folder, .environment = environment, .group = ProcessGroup::ours};
        options.input = options.output = StandardStream::to(theirs.get());
        options.errors = StandardStream::to(errors.get());
        process = Process::start(options, failure);
    }
    if (failure)
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("{} could not be started: {}.", arguments.front(), failure.message()),
                     .hint = "Install python3, or set KLOOP_PYTHON to the interpreter to use.",
                     .where = arguments.front()};
    return std::unique_ptr<HelperProcess>(new HelperProcess(std::move(process), std::move(ours), std::move(errors), arguments.front()));
}

HelperProcess::~HelperProcess()
{
    end(kEndPatience);
}

void HelperProcess::end(milliseconds patience) noexcept
{
    channel_.close();
    if (!process_.wait(patience))
        process_.kill();
}

std::string HelperProcess::errorTail() const
{
    struct stat info = {};
    if (::fstat(errors_.get(), &info) != 0)
        return {};
    const off_t from = std::max<off_t>(0, info.st_size - kTail);
    std::string text(static_cast<std::size_t>(info.st_size - from), '\0');
    const ssize_t got = ::pread(errors_.get(), text.data(), text.size(), from);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    return text;
}

Error HelperProcess::failure(const std::string& what)
{
    return {.code = ErrorCode::kernelFailed,
            .message = fmt::format("The python helper {}.", what),
            .hint = "Its last messages are in the detail.",
            .where = name_,
            .detail = errorTail()};
}

Status HelperProcess::send(const std::string& line)
{
    const std::string text = line + '\n';
    std::size_t sent = 0;
    while (sent < text.size()) {
        const ssize_t got = !channel_ ? -1 : ::send(channel_.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (got < 0 && channel_ && errno == EINTR)
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
        if (!channel_)
            return failure("has exited");
        const auto left = std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(last - Clock::now()));
        pollfd waiting{channel_.get(), POLLIN, 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0) {
            end(milliseconds(0));
            return failure(fmt::format("did not respond within {:.1f} s", static_cast<double>(deadline.count()) / 1000));
        }
        char chunk[4096];
        const ssize_t got = ::read(channel_.get(), chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            end(kEndPatience);
            return failure("exited before it responded");
        }
        pending_.append(chunk, static_cast<std::size_t>(got));
    }
}

} // namespace kl::inline live
