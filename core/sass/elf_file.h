// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>

namespace kl::inline sass {

/// Sections of a 64-bit ELF image in memory, such as a cubin; every access is checked against the image's end.
class ElfFile {
public:
    /// Unset for an image that is not 64-bit ELF, or has no section names.
    static std::optional<ElfFile> read(std::string_view image);

    std::size_t sections() const noexcept { return header_.e_shnum; }
    std::optional<Elf64_Shdr> section(std::size_t index) const;
    /// Empty for a name outside the image.
    std::string_view name(const Elf64_Shdr& section) const { return textAt(names_, section.sh_name); }
    /// Unset when it reaches beyond the image; empty for one without bytes in the file.
    std::optional<std::string_view> content(const Elf64_Shdr& section) const;

    /// The zero-terminated text at an offset of a string table.
    static std::string_view textAt(std::string_view table, std::size_t offset)
    {
        const std::string_view rest = offset < table.size() ? table.substr(offset) : std::string_view{};
        return rest.substr(0, rest.find('\0'));
    }

    template <class T> static std::optional<T> valueAt(std::string_view bytes, std::uint64_t offset)
    {
        if (offset > bytes.size() || sizeof(T) > bytes.size() - offset)
            return {};
        T value;
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    }

private:
    std::string_view image_;
    Elf64_Ehdr header_{};
    std::string_view names_;
};

} // namespace kl::inline sass
