// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline sass {

/// From `offset` on, up to the next entry's, the instructions of a function came from this line.
struct LineEntry {
    std::int64_t offset = 0; ///< bytes from the function's start
    std::string file;        ///< "kernel.cu", without its folder; empty for lines of PTX
    int line = 0;            ///< 1-based

    bool operator==(const LineEntry&) const = default;
};

enum class LineTable {
    source, ///< .debug_line, of code built with -lineinfo
    ptx,    ///< .nv_debug_line_sass: lines of ptxTexts()
};

/// A function's line table (DWARF 2 to 4, section 6.2), by offset; of inlined code the innermost line. Empty where the cubin has none, or
/// one that does not make sense.
std::vector<LineEntry> readLineTable(std::string_view cubin, const std::string& function, LineTable table);

/// The lines of the PTX that a cubin was assembled from, as its line table numbers them, the first is line 1. Empty where it has none.
std::vector<std::string_view> ptxTexts(std::string_view cubin);

} // namespace kl::inline sass
