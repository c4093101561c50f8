// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/ptx_arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kl::inline live {
namespace {

std::uint64_t makeMask(int bits)
{
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

std::int64_t asSigned(std::uint64_t value, int bits)
{
    if (bits >= 64)
        return static_cast<std::int64_t>(value);
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    return static_cast<std::int64_t>(((value & makeMask(bits)) ^ sign) - sign);
}

double asReal(std::uint64_t value, int bits)
{
    return bits == 64 ? std::bit_cast<double>(value) : std::bit_cast<float>(static_cast<std::uint32_t>(value));
}

std::uint64_t fromReal(double value, int bits)
{
    return bits == 64 ? std::bit_cast<std::uint64_t>(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

template <class T> bool compares(PtxComparison comparison, T a, T b)
{
    switch (comparison) {
    case PtxComparison::eq: return a == b;
    case PtxComparison::ne: return a != b;
    case PtxComparison::lt: return a < b;
    case PtxComparison::le: return a <= b;
    case PtxComparison::gt: return a > b;
    case PtxComparison::ge: return a >= b;
    }
    return false;
}

std::optional<std::uint64_t> compareOperands(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in)
{
    const PtxType type = instruction.from;
    bool holds = false;
    if (type.kind == 'f') {
        if (type.bits < 32)
            return {};
        holds = compares(instruction.comparison, asReal(in[0], type.bits), asReal(in[1], type.bits));
    } else if (type.kind == 's') {
        holds = compares(instruction.comparison, asSigned(in[0], type.bits), asSigned(in[1], type.bits));
    } else {
        holds = compares(instruction.comparison, in[0] & makeMask(type.bits), in[1] & makeMask(type.bits));
    }
    if (instruction.has("and"))
        holds = holds && in[2] != 0;
    else if (instruction.has("or"))
        holds = holds || in[2] != 0;
    else if (instruction.has("xor"))
        holds = holds != (in[2] != 0);
    return holds ? 1 : 0;
}

std::optional<std::uint64_t> realArithmetic(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in)
{
    const int bits = instruction.type.bits;
    if (bits < 32 || instruction.has("f16x2") || instruction.has("bf16x2") || instruction.has("f32x2"))
        return {};
    const double a = asReal(in[0], bits), b = asReal(in[1], bits), c = asReal(in[2], bits);
    const PtxOperation operation = instruction.operation;
    if (operation == PtxOperation::add)
        return fromReal(a + b, bits);
    if (operation == PtxOperation::sub)
        return fromReal(a - b, bits);
    if (operation == PtxOperation::mul)
        return fromReal(a * b, bits);
    if (operation == PtxOperation::fma || operation == PtxOperation::mad)
        return fromReal(std::fma(a, b, c), bits);
    if (operation == PtxOperation::neg)
        return fromReal(-a, bits);
    if (operation == PtxOperation::abs)
        return fromReal(std::fabs(a), bits);
    if (operation == PtxOperation::min)
        return fromReal(std::fmin(a, b), bits);
    if (operation == PtxOperation::max)
        return fromReal(std::fmax(a, b), bits);
    return {};
}

/// The upper half of a 64-bit product, by 32-bit halves.
std::uint64_t upperHalf(std::uint64_t a, std::uint64_t b)
{
    const std::uint64_t low = 0xffff'ffffU, aLow = a & low, aHigh = a >> 32, bLow = b & low, bHigh = b >> 32;
    const std::uint64_t cross = aHigh * bLow + ((aLow * bLow) >> 32);
    return aHigh * bHigh + (cross >> 32) + (((cross & low) + aLow * bHigh) >> 32);
}

std::optional<std::uint64_t> product(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in)
{
    const PtxType type = instruction.type;
    const bool isSigned = type.kind == 's', high = instruction.has("hi");
    const auto widened = [&](std::uint64_t value) {
        return isSigned ? static_cast<std::uint64_t>(asSigned(value, type.bits)) : value & makeMask(type.bits);
    };
    const std::uint64_t a = widened(in[0]), b = widened(in[1]);
    const std::uint64_t added = instruction.operation == PtxOperation::mad ? in[2] : 0;
    if (instruction.has("wide"))
        return (a * b + added) & makeMask(2 * type.bits);
    if (!high)
        return (a * b + added) & makeMask(type.bits);
    if (type.bits == 64) // signed: a negative factor counts 2^64 too much
        return upperHalf(a, b) - (isSigned && asSigned(a, 64) < 0 ? b : 0) - (isSigned && asSigned(b, 64) < 0 ? a : 0) + added;
    return ((a * b >> type.bits) + added) & makeMask(type.bits);
}

std::optional<std::uint64_t> quotient(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in)
{
    const PtxType type = instruction.type;
    const bool rest = instruction.operation == PtxOperation::rem;
    if ((in[1] & makeMask(type.bits)) == 0)
        return {};
    if (type.kind == 's') {
        const std::int64_t a = asSigned(in[0], type.bits), b = asSigned(in[1], type.bits);
        if (b == -1)
            return rest ? 0 : (0 - in[0]) & makeMask(type.bits); // also of the least number, which has no positive one
        return static_cast<std::uint64_t>(rest ? a % b : a / b) & makeMask(type.bits);
    }
    const std::uint64_t a = in[0] & makeMask(type.bits), b = in[1] & makeMask(type.bits);
    return rest ? a % b : a / b;
}

std::uint64_t shiftValue(const PtxInstruction& instruction, std::uint64_t value, std::uint64_t by)
{
    const PtxType type = instruction.type;
    const auto count = static_cast<int>(std::min<std::uint64_t>(by & 0xffff'ffffU, 64));
    if (instruction.operation == PtxOperation::shl)
        return count >= type.bits ? 0 : value << count & makeMask(type.bits);
    if (type.kind == 's')
        return static_cast<std::uint64_t>(asSigned(value, type.bits) >> std::min(count, type.bits - 1)) & makeMask(type.bits);
    return count >= type.bits ? 0 : (value & makeMask(type.bits)) >> count;
}

/// The funnel shift of two 32-bit halves.
std::uint64_t funnel(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in)
{
    const std::uint64_t both = (in[1] & 0xffff'ffffU) << 32 | (in[0] & 0xffff'ffffU);
    const auto by = static_cast<int>(instruction.has("wrap") ? in[2] & 31 : std::min<std::uint64_t>(in[2] & 0xffff'ffffU, 32));
    return instruction.has("l") ? both << by >> 32 & 0xffff'ffffU : both >> by & 0xffff'ffffU;
}

std::uint64_t lookup(const std::array<std::uint64_t, 4>& in)
{
    std::uint64_t out = 0;
    for (int i = 0; i < 32; ++i) {
        const std::uint64_t index = (in[0] >> i & 1) << 2 | (in[1] >> i & 1) << 1 | (in[2] >> i & 1);
        out |= (in[3] >> index & 1) << i;
    }
    return out;
}

/// A whole number as an integer: the nearest that the type has. Of what is not a number, 0, or where the source or the type has 64 bits,
/// the upper bit alone. PTX ISA 9.0, cvt.
std::uint64_t saturateValue(double whole, PtxType to, int fromBits)
{
    const bool isSigned = to.kind == 's';
    if (std::isnan(whole))
        return fromBits == 64 || to.bits == 64 ? std::uint64_t{1} << (to.bits - 1) : 0;
    const double limit = std::ldexp(1.0, isSigned ? to.bits - 1 : to.bits); // the first that is too large
    if (whole >= limit)
        return makeMask(isSigned ? to.bits - 1 : to.bits);
    if (!isSigned)
        return whole <= 0 ? 0 : static_cast<std::uint64_t>(whole);
    return whole < -limit ? std::uint64_t{1} << (to.bits - 1) : static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
}

std::optional<std::uint64_t> convertValue(const PtxInstruction& instruction, std::uint64_t value)
{
    const PtxType to = instruction.type, from = instruction.from;
    if (to.kind != 'f' && from.kind != 'f')
        return extendValue(from.kind == 's' ? static_cast<std::uint64_t>(asSigned(value, from.bits)) : value & makeMask(from.bits), to);
    if ((to.kind == 'f' && to.bits < 32) || (from.kind == 'f' && from.bits < 32))
        return {};
    if (to.kind == 'f') {
        const double real = from.kind == 'f'   ? asReal(value, from.bits)
                            : from.kind == 's' ? static_cast<double>(asSigned(value, from.bits))
                                               : static_cast<double>(value & makeMask(from.bits));
        return fromReal(real, to.bits);
    }
    double real = asReal(value, from.bits);
    real = instruction.has("rni")   ? std::nearbyint(real)
           : instruction.has("rmi") ? std::floor(real)
           : instruction.has("rpi") ? std::ceil(real)
                                    : std::trunc(real);
    return extendValue(saturateValue(real, to, from.bits), to);
}

std::optional<std::uint64_t> integerArithmetic(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in)
{
    const PtxOperation operation = instruction.operation;
    const PtxType type = instruction.type;
    const std::uint64_t mask = makeMask(type.bits);
    const bool isSigned = type.kind == 's';
    const auto less = [&] { return isSigned ? asSigned(in[0], type.bits) < asSigned(in[1], type.bits) : (in[0] & mask) < (in[1] & mask); };
    if (operation == PtxOperation::mov)
        return in[0];
    if (operation == PtxOperation::add)
        return (in[0] + in[1]) & mask;
    if (operation == PtxOperation::sub)
        return (in[0] - in[1]) & mask;
    if (operation == PtxOperation::mul || operation == PtxOperation::mad)
        return product(instruction, in);
    if (operation == PtxOperation::div || operation == PtxOperation::rem)
        return quotient(instruction, in);
    if (operation == PtxOperation::min)
        return less() ? in[0] : in[1];
    if (operation == PtxOperation::max)
        return less() ? in[1] : in[0];
    if (operation == PtxOperation::neg)
        return (0 - in[0]) & mask;
    if (operation == PtxOperation::abs)
        return (asSigned(in[0], type.bits) < 0 ? 0 - in[0] : in[0]) & mask;
    if (operation == PtxOperation::and_)
        return in[0] & in[1];
    if (operation == PtxOperation::or_)
        return in[0] | in[1];
    if (operation == PtxOperation::xor_)
        return in[0] ^ in[1];
    if (operation == PtxOperation::not_)
        return type.kind == 'p' ? in[0] == 0 : ~in[0] & mask;
    if (operation == PtxOperation::shl || operation == PtxOperation::shr)
        return shiftValue(instruction, in[0], in[1]);
    if (operation == PtxOperation::shf)
        return funnel(instruction, in);
    if (operation == PtxOperation::lop3)
        return lookup(in);
    if (operation == PtxOperation::bfe) {
        const auto from = static_cast<int>(in[1] & 0xff), length = static_cast<int>(in[2] & 0xff);
        const std::uint64_t value = in[0] & mask, cut = from >= type.bits ? 0 : value >> from & makeMask(length);
        const bool negative = isSigned && length > 0 && (value >> std::min(from + length - 1, type.bits - 1) & 1) != 0;
        return negative ? cut | (mask & ~makeMask(std::clamp(type.bits - from, 0, length))) : cut; // its last bit goes on
    }
    if (operation == PtxOperation::bfi) {
        const auto to = static_cast<int>(in[2] & 0xff), length = static_cast<int>(in[3] & 0xff);
        const std::uint64_t field = to >= 64 ? 0 : makeMask(length) << to;
        return (in[1] & ~field) | (to >= 64 ? 0 : in[0] << to & field);
    }
    if (operation == PtxOperation::popc)
        return static_cast<std::uint64_t>(std::popcount(in[0] & mask));
    if (operation == PtxOperation::clz)
        return static_cast<std::uint64_t>(std::countl_zero(in[0] & mask) - (64 - type.bits));
    if (operation == PtxOperation::bfind && type.kind == 'u') {
        const int zeros = std::countl_zero(in[0] & mask) - (64 - type.bits);
        return zeros == type.bits ? 0xffff'ffffU : static_cast<std::uint64_t>(instruction.has("shiftamt") ? zeros : type.bits - 1 - zeros);
    }
    if (operation == PtxOperation::brev) {
        std::uint64_t out = 0;
        for (int i = 0; i < type.bits; ++i)
            out |= (in[0] >> i & 1) << (type.bits - 1 - i);
        return out;
    }
    return {};
}

} // namespace

std::uint64_t extendValue(std::uint64_t value, PtxType type)
{
    if (type.kind == 's' && type.bits < 32) // registers are at least 32 bits wide
        return static_cast<std::uint64_t>(asSigned(value, type.bits)) & 0xffff'ffffU;
    return value & makeMask(type.bits);
}

std::optional<std::uint64_t> evaluate(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in)
{
    const PtxOperation operation = instruction.operation;
    if (operation == PtxOperation::setp)
        return compareOperands(instruction, in);
    if (operation == PtxOperation::selp)
        return in[2] != 0 ? in[0] : in[1];
    if (operation == PtxOperation::cvt)
        return convertValue(instruction, in[0]);
    if (operation == PtxOperation::cvta) {
        const std::uint64_t window = instruction.has("shared") ? kSharedWindow : instruction.has("local") ? kLocalWindow : 0;
        return instruction.has("to") ? (window != 0 ? in[0] & ~kSpaceMask : in[0]) : in[0] | window;
    }
    if (instruction.type.kind == 'f' && operation != PtxOperation::mov)
        return realArithmetic(instruction, in);
    return integerArithmetic(instruction, in);
}

std::optional<LaneValues> acrossLanes(const PtxInstruction& instruction, std::span<const LaneValues> in, std::uint32_t active)
{
    const PtxOperation operation = instruction.operation;
    LaneValues out;
    const auto all = [&](std::uint64_t value) {
        out.lane.fill(value);
        out.known = ~0U;
        return out;
    };
    if (operation == PtxOperation::activemask)
        return all(active);
    if (operation == PtxOperation::vote && !in.empty()) {
        if ((in[0].known & active) != active)
            return out;
        std::uint32_t set = 0;
        for (int lane = 0; lane < 32; ++lane)
            set |= active >> lane & 1 && in[0].lane[static_cast<std::size_t>(lane)] != 0 ? 1U << lane : 0;
        return all(instruction.has("ballot") ? set : instruction.has("any") ? set != 0 : set == active);
    }
    if (operation == PtxOperation::match && !in.empty() && instruction.has("any")) {
        if ((in[0].known & active) != active)
            return out;
        out.known = active;
        for (std::size_t lane = 0; lane < 32; ++lane)
            for (std::size_t other = 0; other < 32; ++other)
                if (active >> other & 1 && in[0].lane[lane] == in[0].lane[other])
                    out.lane[lane] |= std::uint64_t{1} << other;
        return out;
    }
    if (operation == PtxOperation::elect) {
        out.known = 0;
        return out;
    }
    if (operation == PtxOperation::shfl && in.size() >= 2) {
        for (int lane = 0; lane < 32; ++lane) {
            const auto by = static_cast<int>(in[1].lane[static_cast<std::size_t>(lane)]);
            int from = instruction.has("bfly")   ? lane ^ by
                       : instruction.has("down") ? lane + by
                       : instruction.has("up")   ? lane - by
                                                 : by & 31;
            if (from < 0 || from > 31)
                from = lane;
            if (!(in[1].known >> lane & 1) || !(in[0].known >> from & 1))
                continue;
            out.lane[static_cast<std::size_t>(lane)] = in[0].lane[static_cast<std::size_t>(from)];
            out.known |= 1U << lane;
        }
        return out;
    }
    return {};
}

} // namespace kl::inline live
