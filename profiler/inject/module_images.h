// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inject {

/// Whether an ELF image carries a line table: built with -lineinfo or -G. False for what is not a 64-bit ELF image.
bool hasLineTable(std::string_view cubin);

/// Copies of the modules that a program loads, if they have line tables: hundreds of megabytes of libraries without them are skipped,
/// unless all are wanted. Thread-safe.
class ModuleImages {
public:
    explicit ModuleImages(bool all = false) : all_(all) {}

    /// A module was loaded; the image is copied now or never.
    void add(std::string_view cubin);

    /// The image with this checksum (CUPTI's), empty when it is not among the copies. Valid until the process ends.
    std::string_view find(std::uint64_t crc) const;

    /// The last one that holds this function (mangled name), which is the kernel's unless two modules share the name; empty for none.
    std::string_view findHolding(const std::string& function) const;

private:
    const bool all_;
    mutable std::mutex mutex_;
    struct Image {
        const std::string* bytes = nullptr; ///< never freed
        std::uint64_t crc = 0;              ///< 0: not worked out yet
    };
    mutable std::vector<Image> images_;
    std::size_t bytes_ = 0;
};

} // namespace kl::inject
