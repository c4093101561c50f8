// SPDX-License-Identifier: MIT
#include "core/sass/instruction_class.h"

#include <algorithm>
#include <array>

namespace kl::inline sass {
namespace {

struct OpcodeRow {
    std::uint16_t opcode;
    const char* name;
};

/// By opcode. The same opcode has several forms, with operands from registers, constants, immediates and uniform registers, in bits 9
/// to 11.
constexpr std::array<OpcodeRow, 78> kOpcodes{{
    {0x002, "sass.alu"},    // MOV
    {0x003, "sass.alu"},    // P2R
    {0x004, "sass.alu"},    // R2P
    {0x006, "sass.alu"},    // VOTE
    {0x007, "sass.alu"},    // SEL
    {0x008, "sass.alu"},    // FSEL
    {0x009, "sass.alu"},    // FMNMX
    {0x00b, "sass.alu"},    // FSETP
    {0x00c, "sass.alu"},    // ISETP
    {0x00f, "sass.alu"},    // VIMNMX3
    {0x010, "sass.alu"},    // IADD3
    {0x011, "sass.alu"},    // LEA
    {0x012, "sass.alu"},    // LOP3
    {0x013, "sass.alu"},    // IABS
    {0x014, "sass.alu"},    // VABSDIFF
    {0x016, "sass.alu"},    // PRMT
    {0x017, "sass.alu"},    // IMNMX
    {0x019, "sass.alu"},    // SHF
    {0x01c, "sass.alu"},    // PLOP3
    {0x036, "sass.alu"},    // VIADD
    {0x03e, "sass.alu"},    // F2FP
    {0x045, "sass.alu"},    // I2FP
    {0x046, "sass.alu"},    // VIADDMNMX
    {0x048, "sass.alu"},    // VIMNMX
    {0x020, "sass.fp32"},   // FMUL
    {0x021, "sass.fp32"},   // FADD
    {0x023, "sass.fp32"},   // FFMA
    {0x024, "sass.imad"},   // IMAD
    {0x025, "sass.imad"},   // IMAD.WIDE
    {0x026, "sass.imad"},   // IDP
    {0x027, "sass.imad"},   // IMAD.HI
    {0x028, "sass.fp64"},   // DMUL
    {0x029, "sass.fp64"},   // DADD
    {0x02a, "sass.fp64"},   // DSETP
    {0x02b, "sass.fp64"},   // DFMA
    {0x030, "sass.half"},   // HADD2
    {0x031, "sass.half"},   // HFMA2
    {0x032, "sass.half"},   // HMUL2
    {0x035, "sass.half"},   // HFMA2.MMA
    {0x100, "sass.xu"},     // FLO
    {0x101, "sass.xu"},     // BREV
    {0x102, "sass.xu"},     // FCHK
    {0x104, "sass.xu"},     // F2F
    {0x105, "sass.xu"},     // F2I
    {0x106, "sass.xu"},     // I2F
    {0x107, "sass.xu"},     // FRND
    {0x108, "sass.xu"},     // MUFU
    {0x109, "sass.xu"},     // POPC
    {0x110, "sass.xu"},     // F2F of 64 bits
    {0x111, "sass.xu"},     // F2I of 64 bits
    {0x112, "sass.xu"},     // I2F of 64 bits
    {0x113, "sass.xu"},     // FRND of 64 bits
    {0x03b, "ld.shared"},   // LDSM
    {0x044, "st.shared"},   // STSM
    {0x180, "ld.global"},   // LD: generic, and nearly always global
    {0x181, "ld.global"},   // LDG
    {0x183, "ld.local"},    // LDL
    {0x184, "ld.shared"},   // LDS
    {0x185, "st.global"},   // ST
    {0x186, "st.global"},   // STG
    {0x187, "st.local"},    // STL
    {0x188, "st.shared"},   // STS
    {0x189, "shfl"},        // SHFL
    {0x18a, "atom"},        // ATOM
    {0x18e, "atom"},        // RED
    {0x1a2, "atom"},        // ATOM
    {0x1a3, "atom"},        // ATOMG
    {0x1a6, "atom"},        // REDG
    {0x1a8, "atom"},        // ATOMG
    {0x1a9, "atom"},        // ATOMG.CAS
    {0x18c, "atom.shared"}, // ATOMS
    {0x18d, "atom.shared"}, // ATOMS.CAS
    {0x1ae, "cp.async"},    // LDGSTS
    {0x1b4, "tma"},         // UTMALDG
    {0x1b5, "tma"},         // UTMASTG
    {0x1b6, "tma"},         // UTMAREDG
    {0x1ba, "tma"},         // UBLKCP
    {0x11d, "bar"},         // BAR
}};

enum : std::uint64_t { kImma = 0x037, kHmma = 0x03c, kDmma = 0x03f, kHgmma = 0x1f0, kIgmma = 0x1f1, kBgmma = 0x1f2, kQgmma = 0x1f3 };

std::string hmma(std::uint64_t high)
{
    constexpr std::uint64_t kDeep = 1U << 11, kShallow = 1U << 14, kTf32 = 1U << 19; // bits 75, 78 and 83 of the instruction
    if ((high & kTf32) != 0)
        return (high & kShallow) != 0 ? "sass.hmma.1684" : "sass.hmma.1688.tf32";
    return (high & kDeep) != 0 ? "sass.hmma.16816" : "sass.hmma.1688";
}

std::string dmma(std::uint64_t high)
{
    constexpr std::array<const char*, 4> kShapes{"sass.dmma.884", "sass.dmma.1684", "sass.dmma.1688", "sass.dmma.16816"};
    return kShapes[high >> 12 & 3]; // bits 76 and 77
}

} // namespace

std::string instructionClass(std::uint64_t low, std::uint64_t high)
{
    const std::uint64_t opcode = low & kOpcodeBits;
    switch (opcode) {
    case kHmma: return hmma(high);
    case kImma: return (high & 1U << 11) != 0 ? "sass.imma.16832" : "sass.imma.16816";
    case kDmma: return dmma(high);
    case kHgmma:
    case kIgmma:
    case kBgmma:
    case kQgmma: return "sass.gmma." + std::to_string(8 * ((low >> 53 & 0x1f) + 1)); // columns in eights less one
    default: break;
    }
    const auto row = std::ranges::find(kOpcodes, opcode, &OpcodeRow::opcode);
    return row == kOpcodes.end() ? "other" : row->name;
}

} // namespace kl::inline sass
