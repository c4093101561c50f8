// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace kl::inline edit {

/// The line-by-line changes of an edit.
struct TextDiff {
    std::size_t added = 0;   ///< lines
    std::size_t removed = 0; ///< lines
    std::string unified;     ///< with three lines of context, as diff -u writes it; empty for equal texts
};

/// Compares two texts by their longest common subsequence of lines; if that would take more than 16 million steps, everything between
/// the first and the last line that differ counts as changed. `name` is used in the header.
TextDiff diffTexts(const std::string& name, const std::string& before, const std::string& after);

} // namespace kl::inline edit
