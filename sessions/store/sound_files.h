// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_cache.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace kl::inline store {

/// Remembers large databases that passed SQLite's quick check, which reads the whole file (0.2 s for 200 MB), as long as they are
/// unchanged. Any change of a file, or damage to it, causes a new check.
class SoundFiles {
public:
    using Clock = std::chrono::system_clock;

    /// In the user's cache folder, now, for files that take more than 20 ms to check.
    SoundFiles();
    SoundFiles(FileCache cache, std::uint64_t leastBytes, Clock::time_point now)
        : cache_(std::move(cache)), leastBytes_(leastBytes), now_(now)
    {
    }

    /// Identifies this state of a file and of SQLite's side files: inodes, sizes, times of change. Unset for a smaller
    /// file, and for one that changed in the last two seconds: file systems count time in ticks, so it could change again and show none.
    std::optional<std::string> stateOf(const std::filesystem::path& file) const;

    /// Whether the file was found sound in this state.
    bool holds(const std::filesystem::path& file, const std::string& state) const;

    /// A folder that cannot be written keeps nothing: the next opening checks again.
    void keep(const std::filesystem::path& file, const std::string& state) const;

private:
    FileCache cache_;
    std::uint64_t leastBytes_;
    Clock::time_point now_;
};

} // namespace kl::inline store
