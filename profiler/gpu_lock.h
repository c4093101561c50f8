// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <functional>
#include <string>
#include <sys/types.h>
#include <utility>

namespace kl::inline profiler {

/// The one folder that all users of a host share.
inline constexpr const char* kLockFolder = "/tmp";

/// Environment variable of a program that is measured while its GPUs are locked: their UUIDs, separated by commas. A KernelLoop inside it
/// measures without waiting for those.
inline constexpr const char* kLockedGpus = "KLOOP_LOCKED_GPUS";

/// Keeps two measurements of this host, of workers or of programs, from running on one GPU at the same time, no matter what started them.
/// Released when destroyed, and by the system when the process dies.
class GpuLock {
public:
    /// Takes the lock of a device, waiting for as long as another worker holds it; the wait is reported as progress and names the
    /// holder's process if the system reports it. The file is in `folder`.
    /// `blocked` is called once, before the wait: it releases what a waiter must not hold.
    /// Errors: interrupted; environment when the lock file cannot be opened or is not a plain file.
    static Result<GpuLock> take(const std::string& uuid, const Job& job, const std::string& folder = kLockFolder,
                                const std::function<void()>& blocked = {});

    /// "KLOOP_LOCKED_GPUS=…" for a program that is started now: what this process holds, and what was held for it. Empty for none.
    static std::string lockedVariable();

    GpuLock(GpuLock&& other) noexcept : file_(std::exchange(other.file_, -1)), uuid_(std::move(other.uuid_)) {}
    GpuLock& operator=(GpuLock&&) = delete;
    ~GpuLock();

private:
    GpuLock(int file, std::string uuid) : file_(file), uuid_(std::move(uuid)) {}
    int file_ = -1; ///< −1: somebody around this process holds it
    std::string uuid_;
};

/// The process that holds a whole-file lock (flock) on an open file, from the text of /proc/locks; 0 if unknown.
pid_t lockHolder(const std::string& locks, dev_t device, ino_t inode);

} // namespace kl::inline profiler
