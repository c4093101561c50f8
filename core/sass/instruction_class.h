// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace kl::inline sass {

/// Of an instruction's first word, those of its opcode.
inline constexpr std::uint64_t kOpcodeBits = 0x1ff;

/// What a 16-byte machine instruction of compute capability 7.0 and newer does, from its opcode (bits 0 to 8) and, of a matrix product, its
/// shape; a hint, since NVIDIA documents neither (tests/data/sass/opcodes.txt has the encodings that were seen). `low` and `high` are its
/// two words.
///
/// Of memory, barriers and copies the words are those of LaunchFacts::opcodes ("ld.global", "st.local", "atom", "bar", "tma"). Arithmetic
/// has the pipe that it runs on: "sass.fp32", "sass.half", "sass.imad" (all three on the FMA pipe), "sass.alu", "sass.fp64", "sass.xu".
/// Matrix products have their shape: "sass.hmma.16816", "sass.imma.16832", "sass.dmma.884", and "sass.gmma.256" for any warpgroup product
/// of 64 rows and 256 columns. Everything else is "other".
std::string instructionClass(std::uint64_t low, std::uint64_t high);

} // namespace kl::inline sass
