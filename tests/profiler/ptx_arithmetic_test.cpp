// SPDX-License-Identifier: MIT
// What one instruction of PTX gives for known operands, with the values that the PTX ISA defines.
#include "profiler/live/ptx/ptx_arithmetic.h"

#include <bit>
#include <gtest/gtest.h>
#include <limits>

namespace kl {
namespace {

using Bits = std::array<std::uint64_t, 4>;

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

std::uint64_t ofFloat(float value)
{
    return std::bit_cast<std::uint32_t>(value);
}

std::uint64_t ofDouble(double value)
{
    return std::bit_cast<std::uint64_t>(value);
}

/// 32 bits of a negative number.
std::uint64_t word(std::int32_t value)
{
    return static_cast<std::uint32_t>(value);
}

PtxInstruction parseInstruction(const std::string& opcode)
{
    const PtxCode code = parsePtx(".visible .entry k(\n.param .u64 k_param_0\n)\n{\n" + opcode + " %r1, %r2;\n}\n", "k");
    EXPECT_EQ(code.instructions.size(), 1U) << opcode;
    return code.instructions.empty() ? PtxInstruction{} : code.instructions.front();
}

struct Case {
    const char* opcode;
    Bits in;
    std::optional<std::uint64_t> out;
};

void expectAll(const std::vector<Case>& cases)
{
    for (const Case& one : cases)
        EXPECT_EQ(evaluate(parseInstruction(one.opcode), one.in), one.out)
            << one.opcode << ' ' << one.in[0] << ' ' << one.in[1] << ' ' << one.in[2];
}

TEST(PtxArithmetic, ComparisonsHoldWhereTheirNameSays)
{
    struct Row {
        const char* comparison;
        bool below, equal, above;
    };
    for (const Row& row : std::vector<Row>{{"eq", false, true, false},
                                           {"ne", true, false, true},
                                           {"lt", true, false, false},
                                           {"le", true, true, false},
                                           {"gt", false, false, true},
                                           {"ge", false, true, true}}) {
        const std::string name = std::string("setp.") + row.comparison;
        for (const char* type : {".s32", ".u32", ".u64", ".b16"}) {
            const PtxInstruction instruction = parseInstruction(name + type);
            EXPECT_EQ(evaluate(instruction, {1, 2}), row.below) << name << type;
            EXPECT_EQ(evaluate(instruction, {2, 2}), row.equal) << name << type;
            EXPECT_EQ(evaluate(instruction, {2, 1}), row.above) << name << type;
        }
        EXPECT_EQ(evaluate(parseInstruction(name + ".f32"), {ofFloat(-1.5F), ofFloat(0.25F)}), row.below) << name;
        EXPECT_EQ(evaluate(parseInstruction(name + ".f64"), {ofDouble(3), ofDouble(-4)}), row.above) << name;
    }
    for (const auto& [unordered, in, holds] : std::vector<std::tuple<const char*, Bits, std::uint64_t>>{{"equ", {3, 3}, 1},
                                                                                                        {"neu", {3, 3}, 0},
                                                                                                        {"ltu", {3, 4}, 1},
                                                                                                        {"lo", {4, 4}, 0},
                                                                                                        {"leu", {4, 4}, 1},
                                                                                                        {"ls", {4, 4}, 1},
                                                                                                        {"gtu", {5, 4}, 1},
                                                                                                        {"hi", {4, 4}, 0},
                                                                                                        {"geu", {4, 4}, 1},
                                                                                                        {"hs", {4, 4}, 1}})
        EXPECT_EQ(evaluate(parseInstruction(std::string("setp.") + unordered + ".u32"), in), holds) << unordered;
}

TEST(PtxArithmetic, ComparisonsMindSignAndWidth)
{
    expectAll({{"setp.lt.s32", {word(-1), 1}, 1},
               {"setp.lt.u32", {word(-1), 1}, 0},
               {"setp.lt.s64", {kAllOnes, 1}, 1},
               {"setp.lt.s16", {0x8000, 1}, 1},
               {"setp.eq.u16", {0x10005, 5}, 1},
               {"setp.lt.f16", {1, 2}, std::nullopt}});
}

TEST(PtxArithmetic, ComparisonsAreCombinedWithAPredicate)
{
    expectAll({{"setp.eq.and.u32", {1, 1, 1}, 1},
               {"setp.eq.and.u32", {1, 1, 0}, 0},
               {"setp.eq.and.u32", {1, 2, 1}, 0},
               {"setp.eq.or.u32", {1, 2, 1}, 1},
               {"setp.eq.or.u32", {1, 2, 0}, 0},
               {"setp.eq.or.u32", {1, 1, 0}, 1},
               {"setp.eq.xor.u32", {1, 1, 1}, 0},
               {"setp.eq.xor.u32", {1, 2, 1}, 1},
               {"selp.b32", {7, 9, 1}, 7},
               {"selp.b32", {7, 9, 0}, 9}});
}

TEST(PtxArithmetic, FloatingPointIsThatOfItsType)
{
    const std::uint64_t a = ofFloat(1.5F), b = ofFloat(-4), c = ofFloat(0.25F);
    expectAll({{"add.f32", {a, b}, ofFloat(-2.5F)},
               {"sub.rn.f32", {a, b}, ofFloat(5.5F)},
               {"mul.ftz.f32", {a, b}, ofFloat(-6)},
               {"fma.rn.f32", {a, b, c}, ofFloat(-5.75F)},
               {"mad.rn.f32", {a, b, c}, ofFloat(-5.75F)},
               {"neg.f32", {a}, ofFloat(-1.5F)},
               {"abs.f32", {b}, ofFloat(4)},
               {"min.f32", {a, b}, b},
               {"max.f32", {a, b}, a},
               {"add.f64", {ofDouble(1), ofDouble(1e-15)}, ofDouble(1 + 1e-15)},
               {"mul.f64", {ofDouble(3), ofDouble(-7)}, ofDouble(-21)},
               {"mov.f32", {a}, a},
               {"add.f16", {1, 2}, std::nullopt},
               {"add.f16x2", {a, b}, std::nullopt},
               {"mul.bf16x2", {a, b}, std::nullopt},
               {"rcp.approx.f32", {a}, std::nullopt},
               {"div.rn.f32", {a, b}, std::nullopt}});
}

TEST(PtxArithmetic, PairsOfFloatsAreNotEvaluated)
{
    expectAll({{"add.rn.f32x2", {1, 2}, std::nullopt}, {"mul.rn.f32x2", {1, 2}, std::nullopt}});
}

TEST(PtxArithmetic, ProductsHaveALowAHighAndAWideForm)
{
    expectAll({{"mul.lo.s32", {word(-3), 5}, word(-15)},
               {"mul.lo.u64", {1ULL << 40, 1ULL << 23}, 1ULL << 63},
               {"mad.lo.s32", {3, 5, 100}, 115},
               {"mul.wide.s32", {word(-3), 5}, static_cast<std::uint64_t>(-15)},
               {"mul.wide.u32", {word(-1), 2}, 0x1'ffff'fffe},
               {"mad.wide.u32", {word(-1), 2, 5}, 0x2'0000'0003},
               {"mul.wide.u16", {0xffff, 0xffff}, 0xfffe'0001},
               {"mul.hi.u32", {0x8000'0000, 6}, 3},
               {"mul.hi.s32", {0x8000'0000, 6}, word(-3)},
               {"mad.hi.u32", {0x8000'0000, 6, 7}, 10},
               {"mul.hi.u64", {kAllOnes, kAllOnes}, kAllOnes - 1},
               {"mul.hi.u64", {0x1234'5678'9abc'def0, 0xfedc'ba98'7654'3210}, 0x121f'a00a'd77d'7422},
               {"mul.hi.s64", {kAllOnes, 5}, kAllOnes},
               {"mul.hi.s64", {5, kAllOnes}, kAllOnes},
               {"mul.hi.s64", {kAllOnes, kAllOnes}, 0},
               {"mad.hi.s64", {1ULL << 62, 12, 4}, 7}});
}

TEST(PtxArithmetic, QuotientsAreCutTowardZero)
{
    expectAll({{"div.s32", {word(-7), 2}, word(-3)},
               {"rem.s32", {word(-7), 2}, word(-1)},
               {"div.u32", {word(-7), 2}, 0x7fff'fffc},
               {"rem.u32", {word(-1), 10}, 5},
               {"div.u16", {0x1'0007, 2}, 3},
               {"div.s32", {9, word(-1)}, word(-9)},
               {"rem.s32", {9, word(-1)}, 0},
               {"div.s32", {0x8000'0000, word(-1)}, 0x8000'0000},
               {"rem.s64", {static_cast<std::uint64_t>(-9), 4}, kAllOnes},
               {"div.u32", {9, 0}, std::nullopt},
               {"rem.u32", {9, 1ULL << 32}, std::nullopt}});
}

TEST(PtxArithmetic, ShiftsOfTheWholeWidthLeaveNothingOrTheSign)
{
    expectAll({{"shl.b32", {3, 31}, 0x8000'0000},
               {"shl.b32", {3, 32}, 0},
               {"shl.b64", {3, 63}, 1ULL << 63},
               {"shl.b64", {3, 64}, 0},
               {"shr.u32", {0x8000'0000, 31}, 1},
               {"shr.u32", {0x8000'0000, 32}, 0},
               {"shr.u32", {0xff'0000'0010, 4}, 1},
               {"shr.s32", {0x8000'0000, 31}, word(-1)},
               {"shr.s32", {0x8000'0000, 4}, 0xf800'0000},
               {"shr.s32", {0x4000'0000, 99}, 0},
               {"shr.u64", {1ULL << 63, 63}, 1},
               {"shf.l.wrap.b32", {0x89ab'cdef, 0x0123'4567, 8}, 0x2345'6789},
               {"shf.r.wrap.b32", {0x89ab'cdef, 0x0123'4567, 8}, 0x6789'abcd},
               {"shf.l.wrap.b32", {0x89ab'cdef, 0x0123'4567, 40}, 0x2345'6789},
               {"shf.l.clamp.b32", {0x89ab'cdef, 0x0123'4567, 40}, 0x89ab'cdef},
               {"shf.r.clamp.b32", {0x89ab'cdef, 0x0123'4567, 40}, 0x0123'4567}});
}

TEST(PtxArithmetic, LogicOfThreeOperandsComesFromItsTable)
{
    const std::uint64_t a = 0xf0f0'f0f0, b = 0xcccc'cccc, c = 0xaaaa'aaaa;
    expectAll({{"lop3.b32", {a, b, c, 0xf0}, a},
               {"lop3.b32", {a, b, c, 0xcc}, b},
               {"lop3.b32", {a, b, c, 0xaa}, c},
               {"lop3.b32", {a, b, c, 0x80}, 0x8080'8080},
               {"lop3.b32", {a, b, c, 0x96}, 0x9696'9696}});
}

TEST(PtxArithmetic, IntegersAreReadAsSignedOrNot)
{
    expectAll({{"mov.u32", {7}, 7},
               {"add.s32", {word(-1), 3}, 2},
               {"sub.s32", {3, 5}, word(-2)},
               {"sub.s64", {3, 5}, static_cast<std::uint64_t>(-2)},
               {"min.s32", {word(-1), 1}, word(-1)},
               {"min.s32", {3, 5}, 3},
               {"min.u32", {word(-1), 1}, 1},
               {"max.s32", {word(-1), 1}, 1},
               {"max.u32", {word(-1), 1}, word(-1)},
               {"neg.s32", {5}, word(-5)},
               {"abs.s32", {word(-5)}, 5},
               {"and.b32", {12, 10}, 8},
               {"or.b32", {12, 10}, 14},
               {"xor.b32", {12, 10}, 6},
               {"not.b32", {12}, 0xffff'fff3},
               {"not.pred", {1}, 0},
               {"not.pred", {0}, 1},
               {"prmt.b32", {1, 2, 3}, std::nullopt}});
}

TEST(PtxArithmetic, FieldsOfBitsAreCutOutAndPutIn)
{
    expectAll({{"bfe.u32", {0xabcd'1234, 8, 8}, 0x12},
               {"bfe.u32", {0xabcd'1234, 24, 8}, 0xab},
               {"bfe.u64", {0xabcdULL << 40, 40, 16}, 0xabcd},
               {"bfe.u64", {kAllOnes, 64, 8}, 0},
               {"bfe.s32", {0x8000, 8, 8}, word(-128)},
               {"bfe.s32", {0x8000, 8, 9}, 128},
               {"bfe.s32", {0x8000, 8, 0}, 0},
               {"bfe.s32", {0x8000'0000, 0, 32}, 0x8000'0000},
               {"bfi.b32", {0xff, 0, 8, 4}, 0xf00},
               {"bfi.b32", {0, 0xffff'ffff, 8, 4}, 0xffff'f0ff},
               {"bfi.b64", {5, 9, 64, 4}, 9},
               {"bfi.b64", {1, 0, 63, 1}, 1ULL << 63}});
}

TEST(PtxArithmetic, BitsAreCountedAndFound)
{
    expectAll({{"popc.b32", {0xff'0000'000f}, 4},
               {"popc.b64", {0xff'0000'000f}, 12},
               {"clz.b32", {1}, 31},
               {"clz.b32", {0}, 32},
               {"clz.b64", {1}, 63},
               {"bfind.u32", {0x13}, 4},
               {"bfind.shiftamt.u32", {0x13}, 27},
               {"bfind.u32", {0}, 0xffff'ffff},
               {"bfind.u64", {1ULL << 40}, 40},
               {"bfind.s32", {0x13}, std::nullopt},
               {"brev.b32", {6}, 0x6000'0000},
               {"brev.b64", {1}, 1ULL << 63}});
}

TEST(PtxArithmetic, ConversionsExtendCutAndRound)
{
    expectAll({{"cvt.u64.u32", {0xff'ffff'ffff}, 0xffff'ffff},
               {"cvt.s64.s32", {word(-2)}, static_cast<std::uint64_t>(-2)},
               {"cvt.u16.u32", {0x1'2345}, 0x2345},
               {"cvt.s32.s8", {0x180}, word(-128)},
               {"cvt.u32.u8", {0x180}, 0x80},
               {"cvt.rn.f32.s32", {word(-2)}, ofFloat(-2)},
               {"cvt.rn.f32.u32", {word(-2)}, ofFloat(4294967294.F)},
               {"cvt.rn.f32.u8", {0x1c8}, ofFloat(200)},
               {"cvt.rn.f64.s16", {0xffff}, ofDouble(-1)},
               {"cvt.f64.f32", {ofFloat(1.5F)}, ofDouble(1.5)},
               {"cvt.rn.f32.f64", {ofDouble(-0.75)}, ofFloat(-0.75F)},
               {"cvt.rzi.s32.f32", {ofFloat(-2.7F)}, word(-2)},
               {"cvt.rni.s32.f32", {ofFloat(2.7F)}, 3},
               {"cvt.rni.s32.f32", {ofFloat(2.5F)}, 2},
               {"cvt.rmi.s32.f32", {ofFloat(-2.2F)}, word(-3)},
               {"cvt.rpi.s32.f32", {ofFloat(2.2F)}, 3},
               {"cvt.rzi.s64.f64", {ofDouble(-1e10)}, static_cast<std::uint64_t>(-10'000'000'000)},
               {"cvt.rn.f16.f32", {ofFloat(1)}, std::nullopt},
               {"cvt.f32.f16", {0x3c00}, std::nullopt},
               {"cvt.rzi.s32.f16", {0x3c00}, std::nullopt}});
}

TEST(PtxArithmetic, WhatAnIntegerCannotHoldBecomesTheNearest)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNothing = std::numeric_limits<double>::quiet_NaN();
    expectAll({{"cvt.rzi.s32.f32", {ofFloat(3e9F)}, 0x7fff'ffff},
               {"cvt.rzi.s32.f32", {ofFloat(-3e9F)}, 0x8000'0000},
               {"cvt.rzi.s32.f32", {ofFloat(-2147483648.F)}, 0x8000'0000},
               {"cvt.rzi.u32.f32", {ofFloat(3e9F)}, 3'000'000'000},
               {"cvt.rzi.u32.f32", {ofFloat(5e9F)}, 0xffff'ffff},
               {"cvt.rzi.u32.f32", {ofFloat(-1)}, 0},
               {"cvt.rzi.s8.f32", {ofFloat(-200)}, word(-128)},
               {"cvt.rzi.u8.f32", {ofFloat(300)}, 255},
               {"cvt.rzi.s64.f64", {ofDouble(1e19)}, (1ULL << 63) - 1},
               {"cvt.rzi.u64.f64", {ofDouble(1e19)}, 10'000'000'000'000'000'000U},
               {"cvt.rzi.u64.f64", {ofDouble(2e19)}, kAllOnes},
               {"cvt.rzi.s32.f64", {ofDouble(kInfinity)}, 0x7fff'ffff},
               {"cvt.rzi.s32.f64", {ofDouble(-kInfinity)}, 0x8000'0000},
               {"cvt.rzi.s32.f64", {ofDouble(kNothing)}, 0x8000'0000},
               {"cvt.rzi.u64.f32", {ofFloat(static_cast<float>(kNothing))}, 1ULL << 63},
               {"cvt.rzi.s32.f32", {ofFloat(static_cast<float>(kNothing))}, 0}});
}

TEST(PtxArithmetic, TheLeastNumberHasNoPositiveOne)
{
    constexpr std::uint64_t kLeast = 1ULL << 63;
    expectAll({{"div.s64", {kLeast, kAllOnes}, kLeast},
               {"rem.s64", {kLeast, kAllOnes}, 0},
               {"div.s32", {0x8000'0000, word(-1)}, 0x8000'0000},
               {"abs.s64", {kLeast}, kLeast},
               {"abs.s64", {kAllOnes}, 1},
               {"abs.s32", {word(-5)}, 5}});
}

TEST(PtxArithmetic, TheLastBitOfASignedFieldGoesOn)
{
    expectAll({{"bfe.s32", {0x8000'0000, 28, 8}, word(-8)},
               {"bfe.s32", {0x7000'0000, 28, 8}, 7},
               {"bfe.s32", {0x8000'0000, 40, 8}, word(-1)},
               {"bfe.s32", {0x8000'0000, 40, 0}, 0},
               {"bfe.s64", {1ULL << 63, 60, 64}, static_cast<std::uint64_t>(-8)},
               {"bfe.u32", {0x8000'0000, 28, 8}, 8}});
}

TEST(PtxArithmetic, AddressesAreMovedIntoAndOutOfTheirWindow)
{
    expectAll({{"cvta.shared.u64", {0x10}, kSharedWindow | 0x10},
               {"cvta.to.shared.u64", {kSharedWindow | 0x10}, 0x10},
               {"cvta.local.u64", {0x10}, kLocalWindow | 0x10},
               {"cvta.to.local.u64", {kLocalWindow | 0x10}, 0x10},
               {"cvta.global.u64", {0x10}, 0x10},
               {"cvta.to.global.u64", {kGlobalSymbols | 0x10}, kGlobalSymbols | 0x10}});
}

TEST(PtxArithmetic, StoredValuesAreExtendedToARegister)
{
    EXPECT_EQ(extendValue(0x80, {'s', 8}), 0xffff'ff80U);
    EXPECT_EQ(extendValue(0x8000, {'s', 16}), 0xffff'8000U);
    EXPECT_EQ(extendValue(0x7f, {'s', 8}), 0x7fU);
    EXPECT_EQ(extendValue(0x180, {'u', 8}), 0x80U);
    EXPECT_EQ(extendValue(0x1'8000'0000, {'s', 32}), 0x8000'0000U);
    EXPECT_EQ(extendValue(kAllOnes, {'s', 64}), kAllOnes);
}

/// Lane n has the value n + `first`.
LaneValues countedFrom(std::uint64_t first, std::uint32_t known = ~0U)
{
    LaneValues values;
    for (std::size_t lane = 0; lane < 32; ++lane)
        values.lane[lane] = first + lane;
    values.known = known;
    return values;
}

LaneValues everywhere(std::uint64_t value, std::uint32_t known = ~0U)
{
    LaneValues values;
    values.lane.fill(value);
    values.known = known;
    return values;
}

std::optional<LaneValues> across(const char* opcode, const std::vector<LaneValues>& in, std::uint32_t active = ~0U)
{
    return acrossLanes(parseInstruction(opcode), in, active);
}

TEST(PtxAcrossLanes, VotesAreOfTheActiveLanes)
{
    LaneValues odd = countedFrom(0);
    for (std::uint64_t& value : odd.lane)
        value &= 1;
    const auto ballot = across("vote.sync.ballot.b32", {odd}, 0xff);
    ASSERT_TRUE(ballot);
    EXPECT_EQ(ballot->lane[5], 0xaaU);
    EXPECT_EQ(ballot->known, ~0U);
    EXPECT_EQ(across("vote.sync.any.pred", {odd})->lane[0], 1U);
    EXPECT_EQ(across("vote.sync.any.pred", {odd}, 0x5)->lane[0], 0U);
    EXPECT_EQ(across("vote.sync.all.pred", {odd})->lane[0], 0U);
    EXPECT_EQ(across("vote.sync.all.pred", {odd}, 0xa)->lane[31], 1U);
    EXPECT_EQ(across("activemask.b32", {}, 0x1234)->lane[9], 0x1234U);
    LaneValues unknown = odd;
    unknown.known = 0x7f;
    EXPECT_EQ(across("vote.sync.ballot.b32", {unknown}, 0xff)->known, 0U);
    EXPECT_EQ(across("vote.sync.ballot.b32", {unknown}, 0x7f)->lane[0], 0x2aU);
}

TEST(PtxAcrossLanes, MatchesAreTheActiveLanesOfOneValue)
{
    LaneValues pairs = countedFrom(0);
    for (std::uint64_t& value : pairs.lane)
        value /= 2;
    const auto match = across("match.any.sync.b32", {pairs}, 0x17);
    ASSERT_TRUE(match);
    EXPECT_EQ(match->lane[0], 0x3U);
    EXPECT_EQ(match->lane[1], 0x3U);
    EXPECT_EQ(match->lane[2], 0x4U) << "its partner is not active";
    EXPECT_EQ(match->lane[4], 0x10U);
    EXPECT_EQ(match->known, 0x17U);
    EXPECT_EQ(across("match.any.sync.b32", {countedFrom(0, 0xf)}, 0x1f)->known, 0U);
    EXPECT_FALSE(across("match.all.sync.b32", {pairs}));
}

TEST(PtxAcrossLanes, ShufflesReadAnotherLane)
{
    const LaneValues own = countedFrom(100);
    const auto down = across("shfl.sync.down.b32", {own, everywhere(3)});
    ASSERT_TRUE(down);
    EXPECT_EQ(down->lane[0], 103U);
    EXPECT_EQ(down->lane[28], 131U);
    EXPECT_EQ(down->lane[29], 129U) << "beyond the last lane: its own";
    const auto up = across("shfl.sync.up.b32", {own, everywhere(3)});
    EXPECT_EQ(up->lane[3], 100U);
    EXPECT_EQ(up->lane[2], 102U);
    const auto butterfly = across("shfl.sync.bfly.b32", {own, everywhere(1)});
    EXPECT_EQ(butterfly->lane[6], 107U);
    EXPECT_EQ(butterfly->lane[7], 106U);
    const auto index = across("shfl.sync.idx.b32", {own, everywhere(33)});
    EXPECT_EQ(index->lane[20], 101U);
    EXPECT_EQ(index->known, ~0U);
}

TEST(PtxAcrossLanes, ShufflesOfUnknownLanesAreUnknown)
{
    const auto source = across("shfl.sync.down.b32", {countedFrom(100, 0xf), everywhere(1)});
    EXPECT_EQ(source->known, 0x7U);
    const auto distance = across("shfl.sync.down.b32", {countedFrom(100), everywhere(1, 0xf)});
    EXPECT_EQ(distance->known, 0xfU);
    EXPECT_EQ(across("elect.sync", {everywhere(~0U)})->known, 0U);
    EXPECT_FALSE(across("add.s32", {countedFrom(0), countedFrom(0)}));
}

} // namespace
} // namespace kl
