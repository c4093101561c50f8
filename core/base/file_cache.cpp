// SPDX-License-Identifier: MIT
#include "core/base/file_cache.h"

#include "core/base/checksum.h"
#include "core/base/ids.h"
#include "core/base/read_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "klcache1";
constexpr const char* kEntry = ".entry";
constexpr std::int64_t kMostOfEntry = std::int64_t{1} << 30;
constexpr std::chrono::milliseconds kAskAgain{10};
constexpr int kTrimEvery = 64;          ///< puts
constexpr double kTrimTo = 0.8;         ///< of the limit, so that not every put trims
constexpr std::chrono::hours kStale{1}; ///< a temporary file of this age was left by a process that died

struct EntryFile {
    fs::path path;
    std::uint64_t bytes = 0;
    fs::file_time_type used;
};

/// Everything that the cache has under its folder.
std::vector<EntryFile> entriesIn(const fs::path& folder)
{
    std::vector<EntryFile> entries;
    std::error_code failure;
    for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
        std::error_code gone; // another process may remove it meanwhile
        EntryFile entry{at->path(), at->file_size(gone), at->last_write_time(gone)};
        if (gone || !at->is_regular_file(gone))
            continue;
        if (entry.path.extension() == kEntry)
            entries.push_back(std::move(entry));
        else if (fs::file_time_type::clock::now() - entry.used > kStale)
            fs::remove(entry.path, gone);
    }
    return entries;
}

/// Header of an entry: the key, and the length and checksum of the blob.
std::string buildHeader(std::string_view key, std::string_view blob)
{
    return fmt::format("{} {} {} {:016x}\n", kMagic, contentHash(key), blob.size(), computeChecksum(blob));
}

Error cannotWrite(const fs::path& path)
{
    return {.code = ErrorCode::environment,
            .message = fmt::format("{} cannot be written: {}.", path.string(), std::strerror(errno)),
            .hint = "Free space, or set XDG_CACHE_HOME to a writable folder; without a cache everything is compiled again.",
            .where = path.string()};
}

} // namespace

fs::path FileCache::locateFolder(std::string_view name)
{
    const auto variable = [](const char* which) {
        const char* value = std::getenv(which);
        return fs::path(value && *value == '/' ? value : ""); // relative ones are to be ignored (XDG base directories)
    };
    fs::path base = variable("XDG_CACHE_HOME");
    if (base.empty() && !variable("HOME").empty())
        base = variable("HOME") / ".cache";
    return base.empty() ? base : base / "kernelloop" / name;
}

fs::path FileCache::makeEntryPath(std::string_view key) const
{
    const std::string hash = contentHash(key);
    return folder_ / hash.substr(0, 2) / (hash.substr(2) + kEntry);
}

std::optional<std::string> FileCache::get(std::string_view key) const
{
    if (folder_.empty())
        return {};
    const fs::path path = makeEntryPath(key);
    const Result<std::string> text = readFile(path, kMostOfEntry);
    if (!text)
        return {};
    const std::size_t line = text->find('\n');
    const std::string blob = line == std::string::npos ? std::string() : text->substr(line + 1);
    if (line == std::string::npos || buildHeader(key, blob) != std::string_view(*text).substr(0, line + 1)) {
        std::error_code failure;
        fs::remove(path, failure);
        return {};
    }
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // used now: trimming takes the oldest
    return blob;
}

Status FileCache::put(std::string_view key, std::string_view blob) const
{
    if (folder_.empty())
        return {};
    static std::atomic<int> counter{0};
    const int number = counter++;
    const fs::path path = makeEntryPath(key);
    const fs::path temporary = fmt::format("{}.{}.{}", path.string(), ::getpid(), number);
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    errno = 0;
    {
        std::ofstream out(temporary, std::ios::binary);
        const std::string header = buildHeader(key, blob);
        out.write(header.data(), static_cast<std::streamsize>(header.size()));
        out.write(blob.data(), static_cast<std::streamsize>(blob.size()));
        out.flush();
        if (!out) {
            Error error = cannotWrite(temporary);
            out.close();
            fs::remove(temporary, failure);
            return error;
        }
    }
    fs::rename(temporary, path, failure);
    if (failure) {
        errno = failure.value();
        Error error = cannotWrite(path);
        fs::remove(temporary, failure);
        return error;
    }
    if (number % kTrimEvery == 0)
        trim();
    return {};
}

void FileCache::trim() const
{
    std::vector<EntryFile> entries = entriesIn(folder_);
    std::uint64_t bytes = 0;
    for (const EntryFile& entry : entries)
        bytes += entry.bytes;
    if (bytes <= mostBytes_)
        return;
    std::ranges::sort(entries, {}, &EntryFile::used);
    const auto enough = static_cast<std::uint64_t>(kTrimTo * static_cast<double>(mostBytes_));
    std::error_code failure;
    for (const EntryFile& entry : entries) {
        if (bytes <= enough)
            return;
        if (fs::remove(entry.path, failure))
            bytes -= entry.bytes;
    }
}

FileCache::Claim::Claim(Claim&& other) noexcept : file_(std::exchange(other.file_, -1)), path_(std::move(other.path_)) {}

FileCache::Claim::~Claim()
{
    if (file_ < 0)
        return;
    ::unlink(path_.c_str()); // before the lock is released: a waiter then sees that its file no longer has that name
    ::close(file_);
}

std::optional<FileCache::Claim> FileCache::claim(std::string_view key, const std::stop_token& stop) const
{
    if (folder_.empty())
        return {};
    fs::path path = makeEntryPath(key);
    path.replace_extension(".lock");
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    while (!stop.stop_requested()) {
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0)
            return {};
        const bool taken = ::flock(file, LOCK_EX | LOCK_NB) == 0;
        const bool waits = taken || errno == EWOULDBLOCK || errno == EINTR;
        struct stat held = {};
        struct stat named = {};
        const bool same = ::fstat(file, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino;
        if (taken && same)
            return Claim(file, path);
        ::close(file);
        if (!waits)
            return {};
        if (!taken)
            std::this_thread::sleep_for(kAskAgain);
    }
    return {};
}

FileCache::Info FileCache::info() const
{
    Info info{folder_, 0, 0, mostBytes_};
    for (const EntryFile& entry : entriesIn(folder_)) {
        ++info.entries;
        info.bytes += entry.bytes;
    }
    return info;
}

Result<FileCache::Info> FileCache::clear() const
{
    const Info before = info();
    for (const EntryFile& entry : entriesIn(folder_)) {
        std::error_code failure;
        fs::remove(entry.path, failure);
        if (failure)
            return Error{.code = ErrorCode::environment,
                         .message = fmt::format("{} cannot be removed: {}.", entry.path.string(), failure.message()),
                         .hint = "Check who owns the folder.",
                         .where = entry.path.string()};
    }
    return before;
}

} // namespace kl
