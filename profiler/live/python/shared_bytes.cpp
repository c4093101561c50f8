// SPDX-License-Identifier: MIT
#include "profiler/live/python/shared_bytes.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kl::inline live {
namespace {

Error outOfMemory(int code)
{
    return {.code = ErrorCode::environment,
            .message = fmt::format("Cannot allocate shared memory for the python helper: {}.", std::strerror(code)),
            .hint = "Free some memory, or choose a smaller problem.",
            .where = "python helper"};
}

} // namespace

Result<SharedBytes> SharedBytes::make(const std::vector<std::byte>& bytes)
{
    SharedBytes made(::memfd_create("kloop-helper-data", MFD_CLOEXEC));
    if (made.file_ < 0)
        return outOfMemory(errno);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written = ::write(made.file_, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return outOfMemory(written < 0 ? errno : ENOSPC);
        done += static_cast<std::size_t>(written);
    }
    return made;
}

SharedBytes::~SharedBytes()
{
    if (file_ >= 0)
        ::close(file_);
}

std::string SharedBytes::path() const
{
    return fmt::format("/proc/{}/fd/{}", ::getpid(), file_);
}

Result<std::vector<std::byte>> SharedBytes::read() const
{
    struct stat about {};
    if (::fstat(file_, &about) != 0)
        return outOfMemory(errno);
    std::vector<std::byte> bytes(static_cast<std::size_t>(about.st_size));
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t got = ::pread(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return outOfMemory(errno);
        if (got == 0) { // the child has cut it
            bytes.resize(done);
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

} // namespace kl::inline live
