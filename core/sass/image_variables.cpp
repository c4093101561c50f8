// SPDX-License-Identifier: MIT
#include "core/sass/image_variables.h"

#include "core/sass/elf_file.h"

#include <algorithm>

namespace kl::inline sass {
namespace {

/// Calls take(symbol, name) for each symbol of the image.
template <class Take> void eachSymbol(const ElfFile& file, const Take& take)
{
    for (std::size_t i = 0; i < file.sections(); ++i) {
        const auto section = file.section(i);
        if (!section || section->sh_type != SHT_SYMTAB)
            continue;
        const auto table = file.section(section->sh_link);
        const auto symbols = file.content(*section);
        const auto names = table ? file.content(*table) : std::nullopt;
        for (std::size_t at = 0; symbols && names && at + sizeof(Elf64_Sym) <= symbols->size(); at += sizeof(Elf64_Sym))
            if (const auto symbol = ElfFile::valueAt<Elf64_Sym>(*symbols, at))
                take(*symbol, ElfFile::textAt(*names, symbol->st_name));
    }
}

} // namespace

std::vector<ImageVariable> imageVariables(std::string_view cubin)
{
    std::vector<ImageVariable> found;
    const std::optional<ElfFile> file = ElfFile::read(cubin);
    if (!file)
        return found;
    eachSymbol(*file, [&](const Elf64_Sym& symbol, std::string_view name) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0)
            return;
        const auto section = symbol.st_shndx < file->sections() ? file->section(symbol.st_shndx) : std::nullopt;
        if (!section || !(file->name(*section).starts_with(".nv.global") || file->name(*section).starts_with(".nv.constant3")))
            return;
        ImageVariable one{std::string(name), symbol.st_size, {}};
        const auto content = section->sh_type == SHT_NOBITS ? std::nullopt : file->content(*section);
        if (content && symbol.st_value <= content->size() && symbol.st_size <= content->size() - symbol.st_value)
            one.place = section->sh_offset + symbol.st_value;
        found.push_back(std::move(one));
    });
    std::ranges::sort(found, {}, &ImageVariable::name);
    return found;
}

bool hasSymbol(std::string_view cubin, std::string_view part)
{
    bool found = false;
    if (const std::optional<ElfFile> file = ElfFile::read(cubin))
        eachSymbol(*file, [&](const Elf64_Sym&, std::string_view name) { found = found || name.find(part) != std::string_view::npos; });
    return found;
}

} // namespace kl::inline sass
