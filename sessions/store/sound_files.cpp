// SPDX-License-Identifier: MIT
#include "sessions/store/sound_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace kl::inline store {
namespace {

constexpr std::uint64_t kLeastBytes = 16U << 20U;
constexpr std::uint64_t kMostCached = 1U << 16U;

std::string makeKey(const std::filesystem::path& file)
{
    std::error_code none;
    const std::filesystem::path real = std::filesystem::canonical(file, none);
    return "sound " + (none ? std::filesystem::absolute(file) : real).string();
}

} // namespace

SoundFiles::SoundFiles() : SoundFiles(FileCache(FileCache::locateFolder("sound"), kMostCached), kLeastBytes) {}

std::optional<std::string> SoundFiles::identifyFile(const std::filesystem::path& file) const
{
    struct statx found = {};
    if (::statx(AT_FDCWD, file.c_str(), 0, STATX_INO | STATX_SIZE | STATX_BTIME, &found) != 0 || found.stx_size < leastBytes_)
        return std::nullopt;
    return fmt::format("{}:{} {} {}.{}", found.stx_dev_major, found.stx_dev_minor, found.stx_ino, found.stx_btime.tv_sec,
                       found.stx_btime.tv_nsec); // the time is 0 where a file system keeps none
}

bool SoundFiles::holds(const std::filesystem::path& file, const std::string& identity) const
{
    return cache_.get(makeKey(file)) == identity;
}

void SoundFiles::keep(const std::filesystem::path& file, const std::string& identity) const
{
    static_cast<void>(cache_.put(makeKey(file), identity).ok());
}

} // namespace kl::inline store
