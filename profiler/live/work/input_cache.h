// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/work.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace kl::inline live {

/// Generated inputs: variants of a kernel share them, since generating takes longer than running most kernels. Contents that works still
/// hold are cached, and of the rest the latest, up to a limit. One thread.
class InputCache {
public:
    using Content = std::shared_ptr<const std::vector<std::byte>>;

    /// `keptBytes`: most memory for contents that no work holds.
    explicit InputCache(std::size_t keptBytes) : keptBytes_(keptBytes) {}

    /// fillBuffer() of these, or its cached result.
    Content content(const BufferSpec& spec, std::uint64_t seed, std::size_t position);

private:
    struct Entry {
        BufferSpec spec;
        std::uint64_t seed = 0;
        std::size_t position = 0;
        std::weak_ptr<const std::vector<std::byte>> content;
    };
    void keep(const Content& content);

    std::size_t keptBytes_;
    std::vector<Entry> entries_;
    std::deque<Content> latest_; ///< oldest first
};

} // namespace kl::inline live
