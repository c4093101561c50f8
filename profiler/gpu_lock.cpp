// SPDX-License-Identifier: MIT
#include "profiler/gpu_lock.h"

#include "core/base/host_name.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <thread>
#include <unistd.h>

namespace kl::inline profiler {
namespace {

struct Held {
    std::mutex mutex;
    std::multiset<std::string> uuids;
};

Held& getHeld()
{
    static Held all;
    return all;
}

/// A KernelLoop that runs this program holds it.
bool heldAround(const std::string& uuid)
{
    const char* around = std::getenv(kLockedGpus);
    std::istringstream list(around ? around : "");
    for (std::string one; std::getline(list, one, ',');)
        if (one == uuid)
            return true;
    return false;
}

/// Made by the first user and read by all others: a lock needs no right to write, and in a sticky folder the system refuses to open
/// another user's file for making.
int openShared(const std::string& path)
{
    constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int file = ::open(path.c_str(), kFlags);
    if (file >= 0 || errno != ENOENT)
        return file;
    file = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0644);
    if (file >= 0)
        ::fchmod(file, 0644); // whatever the umask
    return file >= 0 || errno != EEXIST ? file : ::open(path.c_str(), kFlags);
}

Error cannotLock(const std::string& path, const std::string& why)
{
    return {.code = ErrorCode::environment,
            .message = fmt::format("The GPU's lock file cannot be used: {}.", why),
            .hint = "Remove it as its owner; it will be created again.",
            .where = path};
}

std::string describeWaiting(const struct stat& file)
{
    std::ifstream in("/proc/locks");
    const std::string locks(std::istreambuf_iterator<char>(in), {});
    const pid_t holder = lockHolder(locks, file.st_dev, file.st_ino);
    const std::string whose = fmt::format("waiting for another KernelLoop on this GPU of {}", hostName());
    return holder > 0 ? fmt::format("{} (process {})", whose, holder) : whose;
}

} // namespace

Result<GpuLock> GpuLock::take(const std::string& uuid, const Job& job, const std::string& folder, const std::function<void()>& blocked)
{
    if (heldAround(uuid))
        return GpuLock(-1, {});
    const std::string path = folder + "/kernelloop-" + uuid + ".lock";
    const int file = openShared(path);
    if (file < 0)
        return cannotLock(path, std::strerror(errno));
    GpuLock lock(file, uuid);
    struct stat status = {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return cannotLock(path, "it is not a plain file");
    const auto begin = std::chrono::steady_clock::now();
    bool waits = false;
    while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return cannotLock(path, std::strerror(errno));
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "The request was canceled."};
        if (!std::exchange(waits, true) && blocked)
            blocked();
        job.report(describeWaiting(status), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    const std::lock_guard guard(getHeld().mutex);
    getHeld().uuids.insert(uuid);
    return lock;
}

GpuLock::~GpuLock()
{
    if (file_ < 0)
        return;
    ::close(file_);
    const std::lock_guard guard(getHeld().mutex);
    if (const auto mine = getHeld().uuids.find(uuid_); mine != getHeld().uuids.end())
        getHeld().uuids.erase(mine);
}

std::string GpuLock::lockedVariable()
{
    const char* around = std::getenv(kLockedGpus);
    std::string list = around ? around : "";
    const std::lock_guard guard(getHeld().mutex);
    for (const std::string& uuid : getHeld().uuids)
        list += (list.empty() ? "" : ",") + uuid;
    return list.empty() ? std::string() : std::string(kLockedGpus) + '=' + list;
}

pid_t lockHolder(const std::string& locks, dev_t device, ino_t inode)
{
    // "1: FLOCK  ADVISORY  WRITE 4711 00:2b:1234 0 EOF"; a waiter has "->" after the number.
    const std::string file = fmt::format("{:02x}:{:02x}:{}", major(device), minor(device), inode);
    std::istringstream lines(locks);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string number, kind, advisory, access, place;
        pid_t process = 0;
        if (words >> number >> kind >> advisory >> access >> process >> place && kind == "FLOCK" && place == file)
            return process;
    }
    return 0;
}

} // namespace kl::inline profiler
