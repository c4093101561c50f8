// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline sass {

/// A __device__ or __constant__ variable of a module.
struct ImageVariable {
    std::string name; ///< as in the symbol table, mangled: what cuModuleGetGlobal takes
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> place; ///< of its initial content in the image; unset: zeros that are not in it

    bool operator==(const ImageVariable&) const = default;
};

/// Those of a cubin, by name. Empty for an image that is not a 64-bit ELF file.
std::vector<ImageVariable> imageVariables(std::string_view cubin);

/// Whether a symbol's name contains a text.
bool hasSymbol(std::string_view cubin, std::string_view part);

} // namespace kl::inline sass
