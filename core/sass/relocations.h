// SPDX-License-Identifier: MIT
#pragma once

#include "core/sass/elf_file.h"

#include <cstdint>
#include <map>

namespace kl::inline sass {

/// Where a relocated address leads.
struct RelocatedAddress {
    std::size_t section = 0;  ///< index of the section
    std::uint64_t offset = 0; ///< bytes from its start
};

/// The relocations of the section with this index, by the offset of the address in it. Both kinds are read: with the addend in the
/// table (RELA) and in place (REL).
std::map<std::uint64_t, RelocatedAddress> readRelocations(const ElfFile& file, std::size_t section);

} // namespace kl::inline sass
