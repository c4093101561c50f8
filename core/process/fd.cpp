// SPDX-License-Identifier: MIT
#include "core/process/fd.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace kl::inline process {
namespace {

/// Of a system call that returned `result`.
std::error_code readFailure(int result)
{
    return result < 0 ? std::error_code(errno, std::generic_category()) : std::error_code();
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

Pipe makePipe(std::error_code& failure)
{
    int ends[2] = {-1, -1};
    failure = readFailure(::pipe2(ends, O_CLOEXEC));
    return {Fd(ends[0]), Fd(ends[1])};
}

std::pair<Fd, Fd> makeSocketPair(std::error_code& failure)
{
    int ends[2] = {-1, -1};
    failure = readFailure(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    return {Fd(ends[0]), Fd(ends[1])};
}

Fd makeMemoryFile(const char* name, std::error_code& failure)
{
    const int file = ::memfd_create(name, MFD_CLOEXEC);
    failure = readFailure(file);
    return Fd(file);
}

} // namespace kl::inline process
