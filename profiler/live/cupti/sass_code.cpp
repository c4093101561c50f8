// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/sass_code.h"

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace kl::inline live {
namespace {

constexpr std::size_t kInstructionBytes = 16;
constexpr unsigned kNoScoreboard = 7;
constexpr unsigned kScoreboards = 6;

/// Copies a T out of the image; nothing past its end.
template <class T> std::optional<T> readAt(std::string_view image, std::size_t at)
{
    if (at > image.size() || image.size() - at < sizeof(T))
        return {};
    T value;
    std::memcpy(&value, image.data() + at, sizeof value);
    return value;
}

std::string_view part(std::string_view image, std::size_t at, std::size_t bytes)
{
    return at <= image.size() && image.size() - at >= bytes ? image.substr(at, bytes) : std::string_view{};
}

/// A NUL-terminated text inside a string table.
std::string_view nameAt(std::string_view table, std::size_t at)
{
    if (at >= table.size())
        return {};
    const std::string_view rest = table.substr(at);
    return rest.substr(0, rest.find('\0'));
}

std::optional<Elf64_Shdr> sectionAt(std::string_view image, const Elf64_Ehdr& header, std::size_t index)
{
    if (index >= header.e_shnum)
        return {};
    return readAt<Elf64_Shdr>(image, header.e_shoff + index * sizeof(Elf64_Shdr));
}

std::string_view contentOf(std::string_view image, const std::optional<Elf64_Shdr>& section)
{
    return section ? part(image, section->sh_offset, section->sh_size) : std::string_view{};
}

/// Opcodes (bits 0 to 11) of ST, STG, STL and RED, with an address from registers and from a uniform descriptor.
constexpr unsigned kStores[] = {0x385, 0x386, 0x387, 0x38e, 0x985, 0x986, 0x987, 0x98e};

} // namespace

std::optional<SassCode> SassCode::of(std::string_view cubin, const std::string& function)
{
    const auto header = readAt<Elf64_Ehdr>(cubin, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return {};
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
        const auto table = sectionAt(cubin, *header, i);
        if (!table || table->sh_type != SHT_SYMTAB)
            continue;
        const std::string_view names = contentOf(cubin, sectionAt(cubin, *header, table->sh_link));
        const std::string_view symbols = contentOf(cubin, table);
        for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
            const auto symbol = readAt<Elf64_Sym>(symbols, at);
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || nameAt(names, symbol->st_name) != function)
                continue;
            const std::string_view text = contentOf(cubin, sectionAt(cubin, *header, symbol->st_shndx));
            const std::string_view code = part(text, symbol->st_value, symbol->st_size);
            if (!code.empty())
                return SassCode(code);
        }
    }
    return {};
}

std::optional<std::uint64_t> SassCode::lastStore(std::uint64_t offset) const
{
    for (std::size_t i = std::min<std::size_t>(offset, code_.size()) / kInstructionBytes; i-- > 0;)
        if (const auto word = readAt<std::uint64_t>(code_, i * kInstructionBytes);
            word && std::ranges::find(kStores, static_cast<unsigned>(*word & 0xfff)) != std::end(kStores))
            return i * kInstructionBytes;
    return {};
}

SassCode::Control SassCode::controlAt(std::size_t index) const
{
    const auto high = readAt<std::uint64_t>(code_, index * kInstructionBytes + sizeof(std::uint64_t));
    Control control;
    if (!high)
        return control;
    const auto bits = static_cast<unsigned>(*high >> 41 & 0x1fffff); // bits 105 to 125 of the instruction
    const auto scoreboard = [](unsigned value) { return value == kNoScoreboard ? std::optional<int>{} : static_cast<int>(value); };
    control.arms[0] = scoreboard(bits >> 5 & 7);
    control.arms[1] = scoreboard(bits >> 8 & 7);
    control.waits = bits >> 11 & 0x3f;
    return control;
}

std::vector<std::uint64_t> SassCode::awaitedBy(std::uint64_t offset) const
{
    const std::size_t count = code_.size() / kInstructionBytes;
    const std::size_t self = offset / kInstructionBytes;
    std::vector<std::uint64_t> found;
    if (self >= count)
        return found;
    unsigned open = controlAt(self).waits;
    const auto visit = [&](std::size_t index) {
        const Control control = controlAt(index);
        bool arms = false;
        for (const std::optional<int>& scoreboard : control.arms)
            if (scoreboard && *scoreboard < static_cast<int>(kScoreboards) && (open >> *scoreboard & 1U) != 0) {
                open &= ~(1U << *scoreboard);
                arms = true;
            }
        if (arms)
            found.push_back(index * kInstructionBytes);
    };
    for (std::size_t i = self; i-- > 0 && open != 0;)
        visit(i);
    for (std::size_t i = count; i-- > self + 1 && open != 0;)
        visit(i);
    std::ranges::sort(found);
    return found;
}

} // namespace kl::inline live
