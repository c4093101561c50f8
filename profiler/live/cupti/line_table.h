// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kl::inline live {

/// A line of a source file, as passed to the compiler.
struct SourcePlace {
    std::string file;   ///< "kernel.cu", without its folder
    std::string folder; ///< as in the line table; may be empty
    int line = 0;       ///< 1-based
};

/// The source line of the instruction `offset` bytes into `function` (mangled name) of a cubin that was built with -lineinfo. For code
/// that was inlined this is the innermost line. Unset without line information, for an unknown function, or without CUPTI.
/// Needs no GPU. Takes about a microsecond per call.
std::optional<SourcePlace> sourcePlace(std::string_view cubin, const std::string& function, std::uint64_t offset);

} // namespace kl::inline live
