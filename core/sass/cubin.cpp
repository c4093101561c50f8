// SPDX-License-Identifier: MIT
#include "core/sass/cubin.h"

#include "core/sass/elf_file.h"

namespace kl::inline sass {
namespace {

constexpr Elf64_Half kCuda = 190;          // e_machine of NVIDIA's code (EM_CUDA in LLVM's BinaryFormat/ELF.h)
constexpr unsigned char kShiftedFlags = 8; // ABI version of CUDA 13, which moved the architecture to bits 8 to 15 of e_flags

std::optional<CubinFunction> findIn(const ElfFile& file, const Elf64_Shdr& table, const std::string& name)
{
    const auto strings = file.section(table.sh_link);
    const auto names = strings ? file.content(*strings) : std::nullopt;
    const auto symbols = file.content(table);
    if (!names || !symbols)
        return {};
    for (std::size_t i = 0; (i + 1) * sizeof(Elf64_Sym) <= symbols->size(); ++i) {
        const auto symbol = ElfFile::valueAt<Elf64_Sym>(*symbols, i * sizeof(Elf64_Sym));
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || ElfFile::textAt(*names, symbol->st_name) != name)
            continue;
        const auto section = symbol->st_shndx < file.sections() ? file.section(symbol->st_shndx) : std::nullopt;
        const auto text = section ? file.content(*section) : std::nullopt;
        if (text && symbol->st_size > 0 && symbol->st_value <= text->size() && symbol->st_size <= text->size() - symbol->st_value)
            return CubinFunction{text->substr(symbol->st_value, symbol->st_size), symbol->st_value, symbol->st_shndx, i};
    }
    return {};
}

} // namespace

std::optional<CubinFunction> findFunction(std::string_view cubin, const std::string& name)
{
    const std::optional<ElfFile> file = ElfFile::read(cubin);
    for (std::size_t i = 0; file && i < file->sections(); ++i)
        if (const auto section = file->section(i); section && section->sh_type == SHT_SYMTAB)
            if (const auto found = findIn(*file, *section, name))
                return found;
    return {};
}

int readComputeCapability(std::string_view cubin)
{
    const auto header = ElfFile::valueAt<Elf64_Ehdr>(cubin, 0);
    if (!header || !ElfFile::read(cubin) || header->e_machine != kCuda)
        return 0;
    const unsigned flags = header->e_flags;
    return static_cast<int>(header->e_ident[EI_ABIVERSION] >= kShiftedFlags ? flags >> 8U & 0xffU : flags & 0xffU);
}

} // namespace kl::inline sass
