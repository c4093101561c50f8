// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// A piece of an entry's body, with its place in it: for rewriting the text, which keeps what it does not touch.
struct PtxPiece {
    enum class Kind { instruction, label, directive, comment, brace };
    Kind kind = Kind::instruction;
    std::size_t begin = 0;
    std::size_t end = 0;   ///< behind its ';', ':' or '}'; of comments and .loc, at the line's end
    std::string_view text; ///< an instruction or directive without ';', a label without ':', a comment without "//"
};

/// All pieces in order. What cannot be read ends the list.
std::vector<PtxPiece> splitPieces(std::string_view body);

/// The parts of an instruction: "@!%p1 bar.sync 0, %r5".
struct PtxParts {
    std::string_view guard; ///< "!%p1"; empty without one
    std::string_view opcode;
    std::vector<std::string_view> operands;
};
PtxParts splitInstruction(std::string_view instruction);

} // namespace kl::inline live
