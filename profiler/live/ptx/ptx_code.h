// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// Generic addresses of shared and local memory, as cvta makes them: far from where buffers are put.
inline constexpr std::uint64_t kSharedWindow = 0x7f00'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x7e00'0000'0000;
inline constexpr std::uint64_t kGlobalSymbols = 0x7d00'0000'0000; ///< __device__ and __constant__ variables
inline constexpr std::uint64_t kSpaceMask = 0xff00'0000'0000;

/// A type suffix: .u32 is {'u', 32}, .f16x2 is {'f', 32}, .pred is {'p', 1}.
struct PtxType {
    char kind = 'b'; ///< u, s, b, f, p
    int bits = 32;
};

struct PtxOperand {
    enum class Kind { none, reg, constant, special, memory, list };
    Kind kind = Kind::none;
    int reg = -1;           ///< register, or base of a memory operand
    std::int64_t value = 0; ///< constant, or offset of a memory operand
    std::string name;       ///< special register, or the parameter that a memory operand reads
    std::vector<int> list;  ///< registers of {a, b} and of a|b
    bool negated = false;   ///< !%p1
};

/// The evaluator of an instruction's result in a lane; `other` is not evaluated.
enum class PtxOperation {
    other,
    abs,
    activemask,
    add,
    and_,
    bfe,
    bfi,
    bfind,
    brev,
    clz,
    cvt,
    cvta,
    div,
    elect,
    fma,
    lop3,
    mad,
    match,
    max,
    min,
    mov,
    mul,
    neg,
    not_,
    or_,
    popc,
    rem,
    selp,
    setp,
    shf,
    shfl,
    shl,
    shr,
    sub,
    vote,
    xor_
};

enum class PtxComparison { eq, ne, lt, le, gt, ge };

struct PtxInstruction {
    std::string opcode;      ///< "ld.global.nc.f32"
    std::string opcodeClass; ///< opcodeClass(opcode)
    std::vector<std::string> parts;
    PtxOperation operation = PtxOperation::other;
    PtxComparison comparison = PtxComparison::eq; ///< of setp
    PtxType type;                                 ///< the last type suffix
    PtxType from;                                 ///< cvt: the source's; otherwise as type
    int vector = 1;                               ///< elements of .v2, .v4
    int guard = -1;                               ///< predicate register
    bool guardNegated = false;
    int target = -1; ///< of a branch: index of an instruction
    int line = 0;    ///< of the source, 1-based; 0 if the line table has none
    std::vector<PtxOperand> operands;

    bool has(std::string_view part) const;
};

/// The instructions of one entry. Registers are numbered; scopes of inline assembly share names, which they write before reading.
struct PtxCode {
    std::vector<PtxInstruction> instructions;
    int registers = 0;
    std::vector<std::string> params; ///< names, in the order of the arguments
};

/// Parses NVRTC's PTX of one entry. Empty instructions when the text has no such entry. An unsupported instruction has
/// unknown results.
PtxCode parsePtx(std::string_view ptx, std::string_view entry);

} // namespace kl::inline live
