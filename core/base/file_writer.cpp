// SPDX-License-Identifier: MIT
#include "core/base/file_writer.h"

#include "core/base/not_written.h"
#include "core/base/try.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

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

/// Writes all of `from`, from its start, to `to`; 0, or the errno of what failed.
int copyAll(int from, int to)
{
    std::array<char, 1 << 16> part{};
    for (off_t at = 0;;) {
        const ssize_t count = ::pread(from, part.data(), part.size(), at);
        if (count == 0)
            return 0;
        if (count < 0 && errno != EINTR)
            return errno;
        if (count < 0)
            continue;
        if (const int failure = writeAll(to, {part.data(), static_cast<std::size_t>(count)}); failure != 0)
            return failure;
        at += count;
    }
}

/// The open descriptor that a path means: 1 for /dev/stdout, N for /dev/fd/N. A file behind it, opened by that name, would be written from
/// its start or replaced, even if the shell opened it with >>.
std::optional<int> findFileDescriptor(const fs::path& file)
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

/// Whether this says that no file of another name can be made in a folder, and one that is there may be written all the same.
bool noOtherName(int failure)
{
    return failure == EACCES || failure == EPERM || failure == EROFS || failure == ENAMETOOLONG;
}

/// Whether this says that a file cannot be replaced by another: a mount point; another user's in a sticky folder.
bool irreplaceable(int failure)
{
    return failure == EBUSY || failure == EPERM || failure == EACCES || failure == EXDEV;
}

} // namespace

Result<FileWriter> FileWriter::begin(const fs::path& file)
{
    FileWriter writer(file);
    KL_TRY(checkReplaceable(file));
    if (const int failure = writer.open(); failure != 0)
        return makeNotWrittenError(file, failure);
    return writer;
}

int FileWriter::open()
{
    if (const std::optional<int> descriptor = findFileDescriptor(file_)) {
        std::fflush(stdout); // earlier output comes first
        way_ = Way::straight;
        descriptor_ = *descriptor;
        return 0;
    }
    std::error_code none;
    if (fs::path real = fs::canonical(file_, none); !none)
        target_ = std::move(real);
    struct stat before = {};
    exists_ = ::stat(target_.c_str(), &before) == 0;
    permissions_ = before.st_mode & 07777U;
    owned_ = true;
    if (exists_ && !S_ISREG(before.st_mode)) {
        way_ = Way::straight;
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kReadable);
        return descriptor_ < 0 ? errno : 0;
    }
    if (exists_ && ::access(target_.c_str(), W_OK) != 0)
        return errno;
    fs::path part = target_;
    part += fmt::format(".{}.part", ::getpid());
    descriptor_ = ::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kReadable);
    if (descriptor_ >= 0) {
        unfinished_ = std::make_unique<Leftover>(part);
        part_ = std::move(part);
        return 0;
    }
    if (!noOtherName(errno))
        return errno;
    way_ = Way::inPlace;
    owned_ = false;
    place_ = ::open(target_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kReadable);
    if (place_ < 0)
        return errno;
    temporary_.reset(std::tmpfile());
    descriptor_ = temporary_ ? ::fileno(temporary_.get()) : -1;
    return temporary_ ? 0 : errno;
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : file_(std::move(other.file_)), target_(std::move(other.target_)), part_(std::exchange(other.part_, {})),
      unfinished_(std::move(other.unfinished_)), way_(other.way_), exists_(other.exists_), permissions_(other.permissions_),
      descriptor_(std::exchange(other.descriptor_, -1)), owned_(other.owned_), temporary_(std::move(other.temporary_)),
      place_(std::exchange(other.place_, -1)), size_(other.size_)
{
}

FileWriter::~FileWriter()
{
    if (owned_ && descriptor_ >= 0)
        ::close(descriptor_);
    std::error_code none;
    if (!part_.empty())
        fs::remove(part_, none);
    if (place_ < 0)
        return;
    ::close(place_);
    if (!exists_) // made by open()
        fs::remove(target_, none);
}

Status FileWriter::write(std::string_view bytes)
{
    if (const int failure = writeAll(descriptor_, bytes); failure != 0)
        return makeNotWrittenError(file_, failure);
    size_ += bytes.size();
    return {};
}

/// Over what is there, which a full disk leaves as it was: the room is taken first.
Status FileWriter::overwrite(int from)
{
    struct stat before = {};
    const auto size = static_cast<off_t>(size_);
    int failure = ::fstat(place_, &before) != 0 ? errno : size > before.st_size ? ::posix_fallocate(place_, 0, size) : 0;
    const bool begun = failure == 0;
    if (begun)
        failure = copyAll(from, place_);
    if (::ftruncate(place_, begun ? size : before.st_size) != 0 && failure == 0)
        failure = errno;
    if (::close(std::exchange(place_, -1)) != 0 && failure == 0)
        failure = errno;
    if (failure == 0)
        return {};
    std::error_code none;
    if (!exists_)
        fs::remove(target_, none);
    Error error = makeNotWrittenError(file_, failure);
    if (begun && exists_)
        error.message += " What it held before is lost.";
    return error;
}

Status FileWriter::finish()
{
    if (way_ == Way::inPlace)
        return overwrite(descriptor_);
    if (way_ == Way::straight) {
        const int descriptor = std::exchange(descriptor_, -1);
        return owned_ && ::close(descriptor) != 0 ? Status(makeNotWrittenError(file_, errno)) : Status{};
    }
    if (exists_ && ::fchmod(descriptor_, permissions_) != 0)
        return makeNotWrittenError(file_, errno);
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) // its name must not outlive a power cut without it
        return makeNotWrittenError(file_, errno);
    if (::rename(part_.c_str(), target_.c_str()) == 0) {
        part_.clear();
        unfinished_.reset();
        const int descriptor = std::exchange(descriptor_, -1);
        return ::close(descriptor) != 0 ? Status(makeNotWrittenError(file_, errno)) : Status{};
    }
    const int failure = errno;
    if (!irreplaceable(failure))
        return makeNotWrittenError(file_, failure);
    place_ = ::open(target_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kReadable);
    return place_ < 0 ? Status(makeNotWrittenError(file_, errno)) : overwrite(descriptor_);
}

} // namespace kl
