// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/module_variables.h"

#include "core/sass/elf_file.h"

#include <algorithm>

namespace kl::inline live {
namespace {

/// Variables of one symbol table that lie in global memory.
void addVariables(const ElfFile& file, std::string_view symbols, std::string_view names, std::vector<ModuleVariable>& found)
{
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
        const auto symbol = ElfFile::valueAt<Elf64_Sym>(symbols, at);
        if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size == 0)
            continue;
        const auto section = symbol->st_shndx < file.sections() ? file.section(symbol->st_shndx) : std::nullopt;
        if (section && file.name(*section).starts_with(".nv.global"))
            found.push_back({std::string(ElfFile::textAt(names, symbol->st_name)), symbol->st_size});
    }
}

} // namespace

std::vector<ModuleVariable> moduleVariables(std::string_view cubin)
{
    std::vector<ModuleVariable> found;
    const std::optional<ElfFile> file = ElfFile::read(cubin);
    for (std::size_t i = 0; file && i < file->sections(); ++i) {
        const auto section = file->section(i);
        if (!section || section->sh_type != SHT_SYMTAB)
            continue;
        const auto table = file->section(section->sh_link);
        const auto symbols = file->content(*section);
        const auto names = table ? file->content(*table) : std::nullopt;
        if (symbols && names)
            addVariables(*file, *symbols, *names, found);
    }
    std::ranges::sort(found, {}, &ModuleVariable::name);
    return found;
}

} // namespace kl::inline live
