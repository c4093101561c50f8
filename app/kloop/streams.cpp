// SPDX-License-Identifier: MIT
#include "app/kloop/streams.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace kl {

void holdStandardStreams()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0) // the lowest one that is free is what open() takes
            [[maybe_unused]]
            const int taken = ::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

Status flushAnswer(std::error_code failure)
{
    static std::error_code first; // the stream remembers that it failed, not why
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    if (!failure)
        failure.assign(errno, std::generic_category());
    if (flushed && std::ferror(stdout) == 0)
        return {};
    if (!first)
        first = failure;
    const std::string why = first ? ": " + first.message() : std::string();
    return Error{ErrorCode::badInput,
                 "The answer could not be written to standard output" + why + '.',
                 "See that it is open and that its disk has space; the command itself may have been done.",
                 "standard output",
                 {}};
}

} // namespace kl
