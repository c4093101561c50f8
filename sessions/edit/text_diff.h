// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace kl {

/// What an edit did to a text, line by line.
struct TextDiff {
    std::size_t added = 0;   ///< lines
    std::size_t removed = 0; ///< lines
    std::string unified;     ///< with three lines of context, as diff -u writes it; empty for equal texts
};

/// Compares two texts by their lines, with as few of them added and removed as possible; a few more may be where thousands differ. `name`
/// is the file's in the header.
TextDiff diffOf(const std::string& name, const std::string& before, const std::string& after);

} // namespace kl
