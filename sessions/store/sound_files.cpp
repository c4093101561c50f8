// SPDX-License-Identifier: MIT
#include "sessions/store/sound_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>

namespace kl::inline store {
namespace {

constexpr std::uint64_t kLeastBytes = 16U << 20U;
constexpr std::uint64_t kMostCached = 1U << 16U;
constexpr std::chrono::seconds kSettled{2};

std::chrono::nanoseconds nanoseconds(const timespec& time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::string keyOf(const std::filesystem::path& file)
{
    std::error_code none;
    const std::filesystem::path real = std::filesystem::canonical(file, none);
    return "sound " + (none ? std::filesystem::absolute(file) : real).string();
}

} // namespace

SoundFiles::SoundFiles() : SoundFiles(FileCache(FileCache::folderOf("sound"), kMostCached), kLeastBytes, Clock::now()) {}

std::optional<std::string> SoundFiles::stateOf(const std::filesystem::path& file) const
{
    std::string state;
    for (const char* suffix : {"", "-wal", "-journal"}) {
        const std::string path = file.string() + suffix;
        struct stat found = {};
        const bool there = ::stat(path.c_str(), &found) == 0;
        const bool database = *suffix == '\0';
        if (database && (!there || static_cast<std::uint64_t>(found.st_size) < leastBytes_))
            return std::nullopt;
        if (!there)
            continue;
        const auto written = nanoseconds(found.st_mtim);
        const auto changed = nanoseconds(found.st_ctim);
        if (now_.time_since_epoch() - std::max(written, changed) < kSettled)
            return std::nullopt;
        state += fmt::format("{} {} {} {} {} {};", suffix, found.st_dev, found.st_ino, found.st_size, written.count(), changed.count());
    }
    return state;
}

bool SoundFiles::holds(const std::filesystem::path& file, const std::string& state) const
{
    return cache_.get(keyOf(file)) == state;
}

void SoundFiles::keep(const std::filesystem::path& file, const std::string& state) const
{
    static_cast<void>(cache_.put(keyOf(file), state).ok());
}

} // namespace kl::inline store
