// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace kl {

/// Held while a file is read, changed and written again: excludes other threads and other programs that do the same.
class FileLock {
public:
    /// Waits for it. "FILE.lock" beside the file stays; the folder is made. Error badInput where that cannot be written.
    static Result<FileLock> take(const std::filesystem::path& file)
    {
        constexpr mode_t kMine = 0600;
        std::error_code failed;
        std::filesystem::create_directories(file.parent_path(), failed);
        FileLock lock(::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMine));
        if (lock.descriptor_ < 0 || ::flock(lock.descriptor_, LOCK_EX) != 0)
            return Error{.code = ErrorCode::badInput,
                         .message = file.string() + " cannot be changed: " + std::generic_category().message(errno) + '.',
                         .hint = "Check the permissions of its folder.",
                         .where = file.string()};
        return lock;
    }

    FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock()
    {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

} // namespace kl
