// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <string>

namespace kl {

/// Keeps two workers of this host from measuring on one GPU at the same time. Released when destroyed, and by the kernel when the
/// process dies.
class GpuLock {
public:
    /// Takes the lock of a device, waiting for as long as another worker holds it; the wait is reported as progress.
    /// Errors: interrupted; environment when the lock file cannot be opened.
    static Result<GpuLock> take(const std::string& uuid, const Job& job);

    GpuLock(GpuLock&& other) noexcept;
    GpuLock& operator=(GpuLock&&) = delete;
    ~GpuLock();

private:
    explicit GpuLock(int file) noexcept : file_(file) {}
    int file_ = -1;
};

} // namespace kl
