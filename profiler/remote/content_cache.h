// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_cache.h"

#include <optional>
#include <string>

namespace kl::inline remote {

/// Pieces of requests that clients on other hosts have sent, by their SHA-256 (profiler/client/contents.h), on disk, where further workers
/// find them. What is read is given out only if it has that hash. Beyond $KERNELLOOP_CONTENTS_MB (default 2048) those that were used
/// longest ago are removed.
class ContentCache {
public:
    ContentCache();
    explicit ContentCache(FileCache files) : files_(std::move(files)) {}

    std::optional<std::string> find(const std::string& hash) const;

    /// Keeps a piece, compressed as packPiece() does it. Errors: badInput if it does not have that hash; environment: the folder cannot be
    /// written.
    Status keep(const std::string& hash, const std::string& packed) const;

private:
    FileCache files_;
};

} // namespace kl::inline remote
