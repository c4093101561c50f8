// SPDX-License-Identifier: MIT
#include "core/sass/relocations.h"

namespace kl::inline sass {
namespace {

/// The entries of one relocation table; `Entry`: Elf64_Rela or Elf64_Rel, which both begin with offset and info.
template <class Entry>
void readEntries(const ElfFile& file, std::string_view entries, std::string_view symbols, std::string_view target,
                 std::map<std::uint64_t, RelocatedAddress>& found)
{
    for (std::size_t at = 0; at + sizeof(Entry) <= entries.size(); at += sizeof(Entry)) {
        const auto entry = ElfFile::valueAt<Entry>(entries, at);
        const auto symbol = ElfFile::valueAt<Elf64_Sym>(symbols, ELF64_R_SYM(entry->r_info) * sizeof(Elf64_Sym));
        if (!symbol || symbol->st_shndx >= file.sections())
            continue;
        std::uint64_t addend = 0;
        if constexpr (requires { entry->r_addend; })
            addend = static_cast<std::uint64_t>(entry->r_addend);
        else
            addend = ElfFile::valueAt<std::uint64_t>(target, entry->r_offset).value_or(0);
        found[entry->r_offset] = {symbol->st_shndx, symbol->st_value + addend};
    }
}

} // namespace

std::map<std::uint64_t, RelocatedAddress> readRelocations(const ElfFile& file, std::size_t section)
{
    std::map<std::uint64_t, RelocatedAddress> found;
    const auto target = file.section(section);
    const auto content = target ? file.content(*target) : std::nullopt;
    for (std::size_t i = 0; content && i < file.sections(); ++i) {
        const auto table = file.section(i);
        if (!table || table->sh_info != section || (table->sh_type != SHT_RELA && table->sh_type != SHT_REL))
            continue;
        const auto entries = file.content(*table);
        const auto linked = file.section(table->sh_link);
        const auto symbols = linked ? file.content(*linked) : std::nullopt;
        if (!entries || !symbols)
            continue;
        if (table->sh_type == SHT_RELA)
            readEntries<Elf64_Rela>(file, *entries, *symbols, *content, found);
        else
            readEntries<Elf64_Rel>(file, *entries, *symbols, *content, found);
    }
    return found;
}

} // namespace kl::inline sass
