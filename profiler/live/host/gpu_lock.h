// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <functional>
#include <string>
#include <sys/types.h>
#include <utility>

namespace kl::inline live {

/// The one folder that all users of a host share.
inline constexpr const char* kLockFolder = "/tmp";

/// Keeps two workers of this host from measuring on one GPU at the same time, no matter what started them. Released when destroyed, and by
/// the system when the process dies.
class GpuLock {
public:
    /// Takes the lock of a device, waiting for as long as another worker holds it; the wait is reported as progress and names the
    /// holder's process if the system reports it. The file is in `folder`.
    /// `blocked` is called once, before the wait: it releases what a waiter must not hold.
    /// Errors: interrupted; environment when the lock file cannot be opened or is not a plain file.
    static Result<GpuLock> take(const std::string& uuid, const Job& job, const std::string& folder = kLockFolder,
                                const std::function<void()>& blocked = {});

    GpuLock(GpuLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    GpuLock& operator=(GpuLock&&) = delete;
    ~GpuLock();

private:
    explicit GpuLock(int file) noexcept : file_(file) {}
    int file_ = -1;
};

/// The process that holds a whole-file lock (flock) on an open file, from the text of /proc/locks; 0 if unknown.
pid_t lockHolder(const std::string& locks, dev_t device, ino_t inode);

} // namespace kl::inline live
