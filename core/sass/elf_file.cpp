// SPDX-License-Identifier: MIT
#include "core/sass/elf_file.h"

namespace kl::inline sass {

std::optional<ElfFile> ElfFile::read(std::string_view image)
{
    const auto header = valueAt<Elf64_Ehdr>(image, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return {};
    ElfFile file;
    file.image_ = image;
    file.header_ = *header;
    const auto table = file.section(header->e_shstrndx);
    const auto names = table ? file.content(*table) : std::nullopt;
    if (!names)
        return {};
    file.names_ = *names;
    return file;
}

std::optional<Elf64_Shdr> ElfFile::section(std::size_t index) const
{
    return valueAt<Elf64_Shdr>(image_, header_.e_shoff + index * sizeof(Elf64_Shdr));
}

std::optional<std::string_view> ElfFile::content(const Elf64_Shdr& section) const
{
    if (section.sh_type == SHT_NOBITS)
        return std::string_view{};
    if (section.sh_offset > image_.size() || section.sh_size > image_.size() - section.sh_offset)
        return {};
    return image_.substr(section.sh_offset, section.sh_size);
}

} // namespace kl::inline sass
