// SPDX-License-Identifier: MIT
#include "core/sass/texture_use.h"

#include "core/sass/elf_file.h"
#include "core/sass/instruction_class.h"

namespace kl::inline sass {

bool usesTextures(std::string_view code)
{
    constexpr std::size_t kInstruction = 16;
    for (std::size_t at = 0; at < code.size(); at += kInstruction) {
        const std::uint64_t opcode = ElfFile::valueAt<std::uint64_t>(code, at).value_or(0) & kOpcodeBits;
        // TEX, TLD4, TLD, TMML, TXD, TXQ; SULD, SUST, SUATOM, SURED: as written by ptxas 13.0 for sm_90
        if ((opcode >= 0x160 && opcode <= 0x170) || (opcode >= 0x199 && opcode <= 0x19f))
            return true;
    }
    return false;
}

} // namespace kl::inline sass
