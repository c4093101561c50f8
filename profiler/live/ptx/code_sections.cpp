// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/code_sections.h"

#include "core/sass/elf_file.h"

namespace kl::inline live {

std::string codeSections(std::string_view cubin)
{
    const std::optional<ElfFile> file = ElfFile::read(cubin);
    std::string code;
    for (std::size_t i = 0; file && i < file->sections(); ++i) {
        const auto header = file->section(i);
        if (!header)
            return {};
        const std::string_view name = file->name(*header);
        if (!name.starts_with(".text.") && !name.starts_with(".nv.constant") && name != ".nv.global.init")
            continue;
        const auto content = file->content(*header);
        if (!content)
            return {};
        code.append(name) += '\0';
        code += *content;
    }
    return code;
}

} // namespace kl::inline live
