// SPDX-License-Identifier: MIT
#pragma once

#include "core/sass/relocations.h"

#include <functional>
#include <string>
#include <string_view>

namespace kl::inline sass {

/// A row of a line table: from this address on.
struct LineRow {
    std::size_t section = 0;  ///< index of the section with the code
    std::uint64_t offset = 0; ///< bytes from its start
    std::string_view file;    ///< as the table names it; empty where it does not
    std::string_view folder;  ///< of the file, where its name has none
    std::uint64_t line = 0;
    bool end = false; ///< the first address after a sequence, which has no line
};

/// Runs the line programs of a debug section (DWARF 2 to 4, section 6.2) and hands over their rows in order. `relocations`: of that
/// section, from which addresses are taken. Stops at the first unit that does not make sense.
void runLinePrograms(std::string_view section, const std::map<std::uint64_t, RelocatedAddress>& relocations,
                     const std::function<void(const LineRow&)>& take);

} // namespace kl::inline sass
