// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline sass {

/// From `offset` on, up to the next entry's, the instructions of a function came from this line.
struct LineEntry {
    std::int64_t offset = 0; ///< bytes from the function's start
    std::string file;        ///< "kernel.cu", without its folder; empty for lines of PTX
    int line = 0;            ///< 1-based; 0 where there is none
    std::string folder;      ///< of the file, as in the table; may be empty

    bool operator==(const LineEntry&) const = default;
};

enum class LineTable {
    source, ///< .debug_line, of code built with -lineinfo
    ptx,    ///< .nv_debug_line_sass: lines of ptxTexts()
};

/// A function's line table (DWARF 2 to 4, section 6.2), by offset; of inlined code the innermost line. Empty where the cubin has none, or
/// one that does not make sense.
std::vector<LineEntry> readLineTable(std::string_view cubin, const std::string& function, LineTable table);

/// The entry that covers an offset: the last one at or before it. Null before the first one.
const LineEntry* entryAt(const std::vector<LineEntry>& table, std::int64_t offset);

/// Where instructions of a cubin, which is not copied, came from. Reads the line table of a function when it is first looked for.
///
/// CUPTI answers the same (cuptiGetSassToSourceCorrelation), but of two cubins of one size whose functions have the same name the second
/// gets the lines of the first, e.g. after a comment was added (seen with CUPTI 13.0).
class SourceLines {
public:
    explicit SourceLines(std::string_view cubin) : cubin_(cubin) {}

    /// The line of the instruction `offset` bytes into `function` (mangled name). Null without line information and for an unknown
    /// function.
    const LineEntry* find(const std::string& function, std::int64_t offset);

private:
    std::string_view cubin_;
    std::map<std::string, std::vector<LineEntry>> tables_;
};

/// The lines of the PTX that a cubin was assembled from, as its line table numbers them, the first is line 1. Empty where it has none.
std::vector<std::string_view> ptxTexts(std::string_view cubin);

} // namespace kl::inline sass
