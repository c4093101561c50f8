// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace kl {

/// Blobs by key that outlive the program, a file each. Any number of threads and processes may use one folder at the same time: a file is
/// written under another name and renamed, and one that is damaged reads as absent.
class FileCache {
public:
    /// `$XDG_CACHE_HOME/kernelloop/NAME`, else `~/.cache/kernelloop/NAME`; empty where neither is set: such a cache keeps nothing.
    static std::filesystem::path locateFolder(std::string_view name);

    /// Beyond `mostBytes` the entries that were used longest ago are removed. The folder is made when the first entry is kept.
    FileCache(std::filesystem::path folder, std::uint64_t mostBytes) : folder_(std::move(folder)), mostBytes_(mostBytes) {}

    /// The blob that was kept under this key; unset where there is none, or a damaged one, which is removed.
    std::optional<std::string> get(std::string_view key) const;

    /// Error environment, naming the file: the folder cannot be written, the disk is full.
    Status put(std::string_view key, std::string_view blob) const;

    /// Holds a key for one maker among all threads and processes, from the moment it is made until it goes.
    class Claim {
    public:
        Claim(Claim&& other) noexcept;
        Claim& operator=(Claim&&) = delete;
        ~Claim();

    private:
        friend class FileCache;
        Claim(int file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}
        int file_;
        std::filesystem::path path_;
    };

    /// Waits until no one else holds the key; the entry may exist by then, so call get() again. Does unset where the file system has no
    /// locks or cannot be written, or when `stop` was requested meanwhile.
    std::optional<Claim> claim(std::string_view key, const std::stop_token& stop = {}) const;

    struct Info {
        std::filesystem::path folder;
        std::uint64_t entries = 0;
        std::uint64_t bytes = 0;
        std::uint64_t mostBytes = 0;
    };
    Info info() const;

    /// Removes every entry and says what there was. Error environment when a file stays.
    Result<Info> clear() const;

private:
    std::filesystem::path makeEntryPath(std::string_view key) const;
    void trim() const;

    std::filesystem::path folder_;
    std::uint64_t mostBytes_;
};

} // namespace kl
