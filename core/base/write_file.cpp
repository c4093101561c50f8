// SPDX-License-Identifier: MIT
#include "core/base/write_file.h"

#include "core/base/leftovers.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kReadable = 0666; // less the umask

/// Writes all of `text`; 0, or the errno of what failed.
int writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count > 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            return count == 0 ? ENOSPC : errno;
    }
    return 0;
}

/// Writes all of `text` to a file that is opened for it; 0, or the errno of what failed.
int writeTo(const fs::path& file, int flags, std::string_view text)
{
    const int descriptor = ::open(file.c_str(), flags | O_WRONLY | O_CREAT | O_CLOEXEC, kReadable);
    if (descriptor < 0)
        return errno;
    const int failure = writeAll(descriptor, text);
    return ::close(descriptor) != 0 && failure == 0 ? errno : failure;
}

/// The open descriptor that a path means: 1 for /dev/stdout, N for /dev/fd/N. A file behind it, opened by that name, would be written from
/// its start or replaced, whatever the shell's >> has asked for.
std::optional<int> descriptorOf(const fs::path& file)
{
    const std::string name = file.lexically_normal().string();
    if (name == "/dev/stdout" || name == "/dev/stderr")
        return name == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        int number = 0;
        const char* end = name.data() + name.size();
        if (name.starts_with(folder) && std::from_chars(name.data() + folder.size(), end, number).ptr == end)
            return number;
    }
    return std::nullopt;
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

/// Over what is there, which a full disk leaves as it was: the room is taken first.
Status writeInPlace(const fs::path& file, const fs::path& target, bool exists, std::string_view text)
{
    const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kReadable);
    if (descriptor < 0)
        return notWritten(file, errno);
    struct stat before = {};
    const auto size = static_cast<off_t>(text.size());
    int failure = ::fstat(descriptor, &before) != 0 ? errno : size > before.st_size ? ::posix_fallocate(descriptor, 0, size) : 0;
    const bool begun = failure == 0;
    if (begun)
        failure = writeAll(descriptor, text);
    if (::ftruncate(descriptor, begun ? size : before.st_size) != 0 && failure == 0)
        failure = errno;
    if (::close(descriptor) != 0 && failure == 0)
        failure = errno;
    if (failure == 0)
        return {};
    std::error_code none;
    if (!exists)
        fs::remove(target, none);
    Error error = notWritten(file, failure);
    if (begun && exists)
        error.message += " What it held before is lost.";
    return error;
}

} // namespace

Status writeFile(const fs::path& file, std::string_view text)
{
    if (const std::optional<int> descriptor = descriptorOf(file)) {
        std::fflush(stdout); // what was printed before stands before it
        const int failure = writeAll(*descriptor, text);
        return failure == 0 ? Status{} : notWritten(file, failure);
    }
    std::error_code none;
    fs::path target = fs::canonical(file, none); // a link's, where there is one
    if (none)
        target = file;
    struct stat before = {};
    const bool exists = ::stat(target.c_str(), &before) == 0;
    if (exists && !S_ISREG(before.st_mode)) {
        const int failure = writeTo(target, 0, text);
        return failure == 0 ? Status{} : notWritten(file, failure);
    }
    if (exists && ::access(target.c_str(), W_OK) != 0)
        return notWritten(file, errno);
    fs::path part = target;
    part += fmt::format(".{}.part", ::getpid());
    const Leftover unfinished(part);
    int failure = writeTo(part, O_TRUNC, text);
    if (failure == EACCES || failure == EPERM || failure == EROFS || failure == ENAMETOOLONG) // no other name can be made there
        return writeInPlace(file, target, exists, text);
    if (failure == 0 && exists && ::chmod(part.c_str(), before.st_mode & 07777U) != 0)
        failure = errno;
    const bool made = failure == 0;
    if (made && ::rename(part.c_str(), target.c_str()) == 0)
        return {};
    failure = made ? errno : failure;
    fs::remove(part, none);
    if (made &&
        (failure == EBUSY || failure == EPERM || failure == EACCES || failure == EXDEV)) // a mount point; another's in a sticky folder
        return writeInPlace(file, target, exists, text);
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
