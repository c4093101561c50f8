// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kl::inline sass {

/// A function of a cubin.
struct CubinFunction {
    std::string_view code;   ///< its instructions, 16 bytes each (compute capability 7.0 and newer)
    std::uint64_t start = 0; ///< bytes from its section's start
    std::size_t section = 0; ///< index of the section with its code
    std::size_t symbol = 0;  ///< index in the symbol table
};

/// The function with this mangled name; unset when the image is not a 64-bit ELF file or has no such function. `cubin` must outlive it.
std::optional<CubinFunction> findFunction(std::string_view cubin, const std::string& name);

/// 90 for code of compute capability 9.0, from the ELF header's flags; 0 for an image that is not a cubin.
int readComputeCapability(std::string_view cubin);

} // namespace kl::inline sass
