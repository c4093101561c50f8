// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace kl {

struct EmbeddedFile {
    std::string_view path;
    std::string_view content;
};

/// Every embedded file, sorted by path. Defined in a source that the build generates (cmake/embed.cmake).
std::span<const EmbeddedFile> embeddedFiles();

} // namespace kl
