// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/coarse_arithmetic.h"

#include "profiler/live/ptx/ptx_code.h"

#include <algorithm>
#include <array>

namespace kl::inline live {
namespace {

bool isFloating(DType type)
{
    return !isInteger(type) && type != DType::boolean;
}

/// Significand bits, the leading one included.
int countSignificandBits(DType type)
{
    switch (type) {
    case DType::f8e5m2: return 3;
    case DType::f8e4m3: return 4;
    case DType::bf16: return 8;
    case DType::f16: return 11;
    case DType::f32: return 24;
    default: return 53;
    }
}

constexpr std::array<std::string_view, 9> kSixteenBits{"f16", "f16x2", "bf16", "bf16x2", "tf32", "e4m3", "e5m2", "e4m3x2", "e5m2x2"};

/// Whether an instruction computes in, or converts to, a type coarser than that.
bool isCoarser(const PtxInstruction& instruction, DType finest)
{
    const bool moves =
        instruction.opcodeClass.starts_with("ld") || instruction.opcodeClass.starts_with("st") || instruction.opcodeClass == "mov";
    return !moves && std::ranges::any_of(instruction.parts, [&](const std::string& part) {
        return std::ranges::find(kSixteenBits, part) != kSixteenBits.end() || (finest == DType::f64 && part == "f32");
    });
}

} // namespace

std::optional<std::string> coarseArithmetic(const WorkSpec& work, std::string_view ptx, double relL2)
{
    std::optional<DType> coarsest; // of the buffers and of what is declared
    const auto allow = [&](DType type) {
        if (isFloating(type) && (!coarsest || countSignificandBits(type) < countSignificandBits(*coarsest)))
            coarsest = type;
    };
    for (const BufferSpec& buffer : work.buffers)
        allow(buffer.type);
    if (work.arithmetic)
        allow(*work.arithmetic);
    if (!coarsest || countSignificandBits(*coarsest) < countSignificandBits(DType::f32) ||
        relL2 < (*coarsest == DType::f64 ? kCoarseErrorF64 : kCoarseErrorF32))
        return {};
    for (const LaunchSpec& launch : work.launches)
        for (const PtxInstruction& instruction : parsePtx(ptx, launch.entry).instructions)
            if (isCoarser(instruction, *coarsest))
                return instruction.opcode;
    return {};
}

} // namespace kl::inline live
