// SPDX-License-Identifier: MIT
#include "profiler/inject/trace_writer.h"

#include "profiler/protocol/program_trace.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

namespace kl::inject {
namespace {

constexpr std::size_t kEnough = 64 * 1024;
constexpr int kHighDescriptor = 400; // out of the way of programs that close or count the low ones

} // namespace

Status TraceWriter::open(const std::string& folder)
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const std::string file = fmt::format("{}/{}-{}{:09}{}", folder, ::getpid(), now.tv_sec, now.tv_nsec, kTraceSuffix);
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return Error{
            .code = ErrorCode::environment, .message = fmt::format("{} cannot be written: {}.", file, std::strerror(errno)), .where = file};
    const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, kHighDescriptor);
    if (high >= 0)
        ::close(fd);
    fd_ = high >= 0 ? high : fd;
    owner_ = ::getpid();
    return {};
}

void TraceWriter::write(const std::string& lines)
{
    const std::lock_guard lock(mutex_);
    if (fd_ < 0)
        return;
    pending_ += lines;
    if (pending_.size() >= kEnough)
        flushLocked();
}

void TraceWriter::flush()
{
    const std::lock_guard lock(mutex_);
    flushLocked();
}

void TraceWriter::flushLocked()
{
    const int kept = errno; // callers sit inside the program's own calls
    if (fd_ >= 0 && ::getpid() == owner_) {
        for (std::size_t done = 0; done < pending_.size();) {
            const ssize_t taken = ::write(fd_, pending_.data() + done, pending_.size() - done);
            if (taken > 0) {
                done += static_cast<std::size_t>(taken);
            } else if (errno != EINTR) {
                ::close(fd_);
                fd_ = -1;
                break;
            }
        }
    }
    pending_.clear();
    errno = kept;
}

} // namespace kl::inject
