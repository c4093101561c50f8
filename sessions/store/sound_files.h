// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_cache.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace kl::inline store {

/// Remembers large databases that passed SQLite's quick check, which reads the whole file (1.2 s for 1.8 GB, 41 s from a cold disk).
/// A file is checked before it is first written: databases are damaged by being copied, restored or downloaded, and each of these makes
/// another file. From then on only SQLite writes it, safely; pages that are damaged in place are reported when they are read, and by
/// `Store::check`.
class SoundFiles {
public:
    /// In the user's cache folder, for files that take more than 20 ms to check.
    SoundFiles();
    SoundFiles(FileCache cache, std::uint64_t leastBytes) : cache_(std::move(cache)), leastBytes_(leastBytes) {}

    /// Device, inode and time of creation. Unset for a smaller file and for one that is not there.
    std::optional<std::string> identifyFile(const std::filesystem::path& file) const;

    /// Whether the file at this path was found sound when it had this identity.
    bool holds(const std::filesystem::path& file, const std::string& identity) const;

    /// A folder that cannot be written keeps nothing: the next opening checks again.
    void keep(const std::filesystem::path& file, const std::string& identity) const;

private:
    FileCache cache_;
    std::uint64_t leastBytes_;
};

} // namespace kl::inline store
