// SPDX-License-Identifier: MIT
#include "profiler/live/host/gpu_lock.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace kl {

Result<GpuLock> GpuLock::take(const std::string& uuid, const Job& job)
{
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    const std::string path = std::string(runtime && *runtime ? runtime : "/tmp") + "/kernelloop-" + uuid + ".lock";
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0)
        return Error{ErrorCode::environment,
                     "The lock file of the GPU cannot be opened: " + std::string(std::strerror(errno)) + '.',
                     "Set XDG_RUNTIME_DIR to a folder that you may write.",
                     path,
                     {}};
    GpuLock lock(file);
    const auto begin = std::chrono::steady_clock::now();
    while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return Error{ErrorCode::environment, "The GPU cannot be locked: " + std::string(std::strerror(errno)) + '.', {}, path, {}};
        if (job.stop.stop_requested())
            return Error{ErrorCode::interrupted, "The request was cancelled.", {}, {}, {}};
        job.report("waiting for another KernelLoop on this GPU",
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return lock;
}

GpuLock::GpuLock(GpuLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

GpuLock::~GpuLock()
{
    if (file_ >= 0)
        ::close(file_);
}

} // namespace kl
