// SPDX-License-Identifier: MIT
#include "core/base/write_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;

/// Writes all of `text` to a file that is opened for it; 0, or the errno of what failed.
int writeAll(const fs::path& file, int flags, mode_t mode, std::string_view text)
{
    const int descriptor = ::open(file.c_str(), flags | O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    if (descriptor < 0)
        return errno;
    int failure = 0;
    while (!text.empty() && failure == 0) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count > 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            failure = count == 0 ? ENOSPC : errno;
    }
    if (::close(descriptor) != 0 && failure == 0)
        failure = errno;
    return failure;
}

Error notWritten(const fs::path& file, int failure)
{
    return {
        ErrorCode::badInput,
        fmt::format("{} cannot be written: {}.", file.string(), std::strerror(failure)), // NOLINT(concurrency-mt-unsafe): a text of libc
        "See that the folder exists, can be written to and has space, or name another file.",
        file.string(),
        {}};
}

} // namespace

Status writeFile(const fs::path& file, std::string_view text)
{
    constexpr mode_t kReadable = 0666; // less the umask
    std::error_code none;
    fs::path target = fs::canonical(file, none); // a link's, where there is one
    if (none)
        target = file;
    struct stat before = {};
    const bool exists = ::stat(target.c_str(), &before) == 0;
    if (exists && !S_ISREG(before.st_mode)) {
        const int failure = writeAll(target, 0, kReadable, text);
        return failure == 0 ? Status{} : notWritten(file, failure);
    }
    if (exists && ::access(target.c_str(), W_OK) != 0)
        return notWritten(file, errno);
    fs::path part = target;
    part += fmt::format(".{}.part", ::getpid());
    int failure = writeAll(part, O_TRUNC, kReadable, text);
    if (failure == EACCES || failure == ENAMETOOLONG) { // no other name can be made there
        failure = writeAll(target, O_TRUNC, kReadable, text);
        return failure == 0 ? Status{} : notWritten(file, failure);
    }
    if (failure == 0 && exists && ::chmod(part.c_str(), before.st_mode & 07777U) != 0)
        failure = errno;
    if (failure == 0 && ::rename(part.c_str(), target.c_str()) != 0)
        failure = errno;
    if (failure == 0)
        return {};
    fs::remove(part, none);
    return notWritten(file, failure);
}

Status checkWritable(const fs::path& file)
{
    std::error_code none;
    if (fs::is_directory(file, none))
        return notWritten(file, EISDIR);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const bool writable = fs::exists(file, none) ? ::access(file.c_str(), W_OK) == 0 : ::access(folder.c_str(), W_OK | X_OK) == 0;
    return writable ? Status{} : notWritten(file, errno);
}

} // namespace kl
