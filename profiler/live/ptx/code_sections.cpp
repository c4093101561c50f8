// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/code_sections.h"

#include <cstring>
#include <elf.h>
#include <optional>

namespace kl {
namespace {

/// A part of the file; nothing when it reaches beyond the end.
std::optional<std::string_view> partOf(std::string_view file, std::uint64_t offset, std::uint64_t size)
{
    if (offset > file.size() || size > file.size() - offset)
        return {};
    return file.substr(offset, size);
}

template <class Header> std::optional<Header> headerAt(std::string_view file, std::uint64_t offset)
{
    const std::optional<std::string_view> bytes = partOf(file, offset, sizeof(Header));
    if (!bytes)
        return {};
    Header header;
    std::memcpy(&header, bytes->data(), sizeof header);
    return header;
}

} // namespace

std::string codeSections(std::string_view cubin)
{
    const auto file = headerAt<Elf64_Ehdr>(cubin, 0);
    if (!file || std::memcmp(file->e_ident, ELFMAG, SELFMAG) != 0 || file->e_ident[EI_CLASS] != ELFCLASS64)
        return {};
    const auto section = [&](std::size_t index) { return headerAt<Elf64_Shdr>(cubin, file->e_shoff + index * sizeof(Elf64_Shdr)); };
    const auto table = section(file->e_shstrndx);
    const auto names = table ? partOf(cubin, table->sh_offset, table->sh_size) : std::nullopt;
    if (!names)
        return {};
    std::string code;
    for (std::size_t i = 0; i < file->e_shnum; ++i) {
        const auto header = section(i);
        if (!header || header->sh_name >= names->size())
            return {};
        const std::string_view rest = names->substr(header->sh_name);
        const std::string_view name = rest.substr(0, rest.find('\0'));
        if (!name.starts_with(".text.") && !name.starts_with(".nv.constant") && name != ".nv.global.init")
            continue;
        const auto content = header->sh_type == SHT_NOBITS ? std::string_view{} : partOf(cubin, header->sh_offset, header->sh_size);
        if (!content)
            return {};
        code.append(name) += '\0';
        code += *content;
    }
    return code;
}

} // namespace kl
