// SPDX-License-Identifier: MIT
#include "profiler/remote/content_cache.h"

#include "profiler/client/contents.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace kl::inline remote {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::uint64_t kDefaultMegabytes = 2048;

std::uint64_t mostBytes()
{
    std::uint64_t megabytes = 0;
    const char* limitText = std::getenv("KERNELLOOP_CONTENTS_MB"); // NOLINT(concurrency-mt-unsafe): never changed
    const bool number = limitText && std::from_chars(limitText, limitText + std::strlen(limitText), megabytes).ec == std::errc();
    return (number ? megabytes : kDefaultMegabytes) * kMegabyte;
}

} // namespace

ContentCache::ContentCache() : ContentCache(FileCache(FileCache::locateFolder("contents"), mostBytes())) {}

std::optional<std::string> ContentCache::find(const std::string& hash) const
{
    const std::optional<std::string> packed = files_.get(hash);
    return packed ? unpackPiece(*packed, hash) : std::nullopt;
}

Status ContentCache::keep(const std::string& hash, const std::string& packed) const
{
    if (!isContentHash(hash) || !unpackPiece(packed, hash))
        return Error{
            .code = ErrorCode::badInput, .message = "A part of a request does not have the hash that it is sent with.", .where = hash};
    return files_.put(hash, packed);
}

} // namespace kl::inline remote
