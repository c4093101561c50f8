// SPDX-License-Identifier: MIT
#include "core/device/arch.h"
#include "kernels/catalog.h"
#include "kernels/descriptor_parser.h"
#include "kernels/space/search_space.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

const Catalog& kernels()
{
    static const Result<Catalog> loaded = Catalog::embedded();
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return *loaded;
}

Result<SearchSpace> attention(const std::string& problem, const std::string& arch = "sm_90", const std::string& fixed = {},
                              std::optional<double> minOccupancy = {})
{
    const KernelFamily& family = **kernels().family("attention");
    const GpuArch found = *archNamed(arch);
    return searchSpace(family, **tunedVariant(family, "fused"),
                       {fixed.empty() ? Params{} : *parseParams(fixed), *parseParams(problem), found.limits, found.name, minOccupancy});
}

const SpacePoint* pointWith(const SearchSpace& space, const std::string& tunables)
{
    const Params wanted = *parseParams(tunables);
    for (const SpacePoint& point : space.points)
        if (std::ranges::all_of(wanted, [&](const auto& each) { return point.tunables.at(each.first) == each.second; }))
            return &point;
    return nullptr;
}

TEST(SearchSpace, AttentionHas2592PointsOfWhichTheSpecifiedNumberSurvives)
{
    for (const auto& [problem, least, most] :
         {std::tuple{"B=2,H=8,S=512,D=64", 700U, 950U}, std::tuple{"B=2,H=8,S=512,D=128", 350U, 800U}}) {
        const Result<SearchSpace> space = attention(problem);
        ASSERT_TRUE(space) << space.error().message;
        EXPECT_EQ(space->points.size(), 2592U);
        EXPECT_GE(space->survivors, least) << problem;
        EXPECT_LE(space->survivors, most) << problem;
        std::size_t sum = space->survivors;
        for (const std::size_t rejected : space->rejected)
            sum += rejected;
        EXPECT_EQ(sum, 2592U);
    }
}

TEST(SearchSpace, FlashAttention2sBestTilesSurvive)
{
    const Result<SearchSpace> narrow = attention("B=2,H=8,S=4096,D=64");
    const Result<SearchSpace> wide = attention("B=2,H=8,S=4096,D=128");
    ASSERT_TRUE(narrow && wide);
    const std::string rest = ",SWIZZLE=xor,HALF2=on,UNROLL=full,SPLIT_KV=off,MIN_BLOCKS=1";
    EXPECT_FALSE(pointWith(*narrow, "BLOCK_M=128,BLOCK_N=128,WARPS=4,STAGES=1" + rest)->rejectedBy);
    EXPECT_FALSE(pointWith(*wide, "BLOCK_M=128,BLOCK_N=64,WARPS=4,STAGES=1" + rest)->rejectedBy);
}

TEST(SearchSpace, EveryRejectionHasItsGateAndReason)
{
    const Result<SearchSpace> space = attention("B=2,H=8,S=512,D=128", "sm_89");
    ASSERT_TRUE(space);
    for (const SpacePoint& point : space->points) {
        for (std::size_t i = 0; i < point.verdicts.size(); ++i) {
            EXPECT_FALSE(point.verdicts[i].reason.empty());
            if (!point.rejectedBy || i < *point.rejectedBy) {
                EXPECT_TRUE(point.verdicts[i].pass);
            }
        }
        if (point.rejectedBy) {
            EXPECT_FALSE(point.verdicts[*point.rejectedBy].pass);
        }
    }
    EXPECT_GT(space->rejected[0], 0U) << "99 KB are too little for 128 × 128 tiles of 128 columns in two stages";
    EXPECT_EQ(pointWith(*space, "BLOCK_M=128,BLOCK_N=128,STAGES=2,SWIZZLE=xor")->verdicts[0].value, (128 + 512) * 256);
}

TEST(SearchSpace, FiguresFollowFromTheTunables)
{
    const Result<SearchSpace> space = attention("B=2,H=8,S=512,D=64");
    ASSERT_TRUE(space);
    const SpacePoint& none = *pointWith(*space, "SWIZZLE=none,BLOCK_M=64,BLOCK_N=64,WARPS=4,STAGES=2,SPLIT_KV=off,MIN_BLOCKS=1");
    EXPECT_EQ(none.rejectedBy, 5U);
    EXPECT_EQ(none.verdicts[5].value, 8);
    EXPECT_EQ(none.verdicts[0].value, (64 + 4 * 64) * 128);
    EXPECT_EQ(none.verdicts[3].value, 16 * 64 / 32 + 2 * 16 * 64 / 32 + 63) << "scores of two tiles: the next is computed ahead";
    const SpacePoint& thin = *pointWith(*space, "BLOCK_M=32,WARPS=8");
    EXPECT_EQ(thin.rejectedBy, 1U);
    EXPECT_NE(thin.verdicts[1].reason.find("WARPS=8"), std::string::npos) << thin.verdicts[1].reason;
    const SpacePoint& fat = *pointWith(*space, "BLOCK_M=128,BLOCK_N=128,WARPS=2,STAGES=1,SPLIT_KV=off,MIN_BLOCKS=1");
    EXPECT_EQ(fat.rejectedBy, 3U);
    EXPECT_EQ(fat.verdicts[3].value, 128 + 256);
}

TEST(SearchSpace, FixedTunablesAndOccupancyNarrowIt)
{
    EXPECT_EQ(attention("D=64", "sm_90", "WARPS=4,SWIZZLE=xor")->points.size(), 288U);
    EXPECT_LT(attention("D=64", "sm_90", {}, 25)->survivors, attention("D=64", "sm_90", {}, 12.5)->survivors);
    EXPECT_EQ(attention("D=64", "sm_90", {}, 101)->survivors, 0U);
    EXPECT_FALSE(attention("D=64", "sm_90", "WARPS=3"));
    EXPECT_FALSE(attention("D=64", "sm_90", "TILE=3"));
    EXPECT_FALSE(attention("Z=64"));
}

TEST(SearchSpace, AddressesLeaveDefaultsOutAndAreBuiltAgain)
{
    const KernelFamily& family = **kernels().family("attention");
    const Variant& variant = **tunedVariant(family, "fused");
    const Result<SearchSpace> space = attention("B=1,H=1,S=64,D=64");
    ASSERT_TRUE(space);
    int built = 0;
    for (std::size_t i = 0; i < space->points.size(); i += 37) {
        if (space->points[i].rejectedBy)
            continue;
        const Address address = addressOf(family, variant, space->points[i].tunables);
        const Result<WorkSpec> work = kernels().work(address, *parseParams("B=1,H=1,S=64,D=64"));
        ASSERT_TRUE(work) << toText(address) << ": " << work.error().message;
        EXPECT_EQ(work->launches.front().dynamicSmem, static_cast<std::int64_t>(*space->points[i].verdicts[0].value));
        ++built;
    }
    EXPECT_GT(built, 10);
    EXPECT_EQ(toText(addressOf(family, variant, {})), "attention/fused");
}

constexpr const char* kOwn = R"({
  "id": "mine", "source": "k.cu", "sizes": ["N"], "problems": ["N=1024"], "smallest": "N=4",
  "buffers": [{"name": "x", "type": "f32", "count": "N"}],
  "tunables": [{"name": "BLOCK", "values": [64, 100, 2048], "default": 64}, {"name": "TILE", "values": [1, 2, 64], "default": 1}],
  "constraints": ["BLOCK*TILE<=16384"],
  "variants": [
    {"id": "plain", "launches": [{"entry": "f", "grid": ["1"], "block": ["64"], "args": ["x"]}]},
    {"id": "tuned", "tunables": ["BLOCK", "TILE"],
     "launches": [{"entry": "g", "grid": ["1"], "block": ["BLOCK/TILE"], "dynamic_smem": "4*BLOCK*TILE", "args": ["x"]}]}
  ]})";

TEST(SearchSpace, AUsersKernelGetsTheGatesThatApply)
{
    const Result<KernelFamily> family = parseDescriptor(kOwn, "kernel.json");
    ASSERT_TRUE(family) << family.error().message;
    const GpuArch ada = *archNamed("sm_89");
    const Result<SearchSpace> space = searchSpace(*family, **tunedVariant(*family, ""), {{}, {}, ada.limits, ada.name, {}});
    ASSERT_TRUE(space) << space.error().message;
    ASSERT_EQ(space->points.size(), 9U);
    EXPECT_EQ(pointWith(*space, "BLOCK=2048,TILE=64")->rejectedBy, 0U); // 512 KiB
    EXPECT_EQ(pointWith(*space, "BLOCK=2048,TILE=1")->rejectedBy, 1U);
    EXPECT_EQ(pointWith(*space, "BLOCK=100,TILE=64")->rejectedBy, 1U) << "100 / 64 threads";
    EXPECT_FALSE(pointWith(*space, "BLOCK=64,TILE=2")->rejectedBy);
    EXPECT_FALSE(space->points[0].verdicts[5].judged);
}

/// 10^8 combinations: only those that satisfy the constraints are made, the others counted.
TEST(SearchSpace, AHugeSpaceIsOpenedByItsConstraints)
{
    KernelFamily family = *parseDescriptor(kOwn, "kernel.json");
    family.tunables.resize(2);
    family.constraints = {"T0==BLOCK/32", "T2*T1<=4", "T3<=T2", "T4==T3", "T5==1"};
    family.tunables[0].values = {std::int64_t{32},  std::int64_t{64},  std::int64_t{96},  std::int64_t{128}, std::int64_t{160},
                                 std::int64_t{192}, std::int64_t{224}, std::int64_t{256}, std::int64_t{288}, std::int64_t{320}};
    family.tunables[1].values.resize(1);
    for (int i = 0; i < 7; ++i) {
        Tunable tunable{"T" + std::to_string(i), {}, std::int64_t{1}, {}, {}, {}, {}};
        for (std::int64_t value = 1; value <= 10; ++value)
            tunable.values.emplace_back(value);
        family.tunables.push_back(tunable);
        family.variants[1].tunables.push_back(tunable.name);
    }
    const GpuArch ada = *archNamed("sm_89");
    const SpaceQuestion question{{}, {}, ada.limits, ada.name, {}};
    const Result<SearchSpace> space = searchSpace(family, family.variants[1], question);
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(space->total, 100'000'000U);
    // (T1, T2, T3) with T1·T2 ≤ 4 and T3 ≤ T2: 1 + 2 + 3 + 4 for T1 = 1, 1 + 2 for T1 = 2, 1 each for 3 and 4
    EXPECT_EQ(space->points.size(), 10U * 15U * 10U);
    std::size_t sum = space->survivors;
    for (const std::size_t rejected : space->rejected)
        sum += rejected;
    EXPECT_EQ(sum, space->total);
    EXPECT_EQ(space->points.front().tunables.at("T0"), ParamValue(std::int64_t{1}));
    family.constraints.resize(1);
    EXPECT_EQ(searchSpace(family, family.variants[1], question).error().code, ErrorCode::badInput) << "10^7 satisfy the constraint";
}

TEST(SearchSpace, StaticSharedMemoryCountsBesideTheDynamic)
{
    std::string text = kOwn;
    text.insert(text.find("\"tunables\": [\"BLOCK\""), R"("search": {"static_smem": "1024"}, )");
    const Result<KernelFamily> family = parseDescriptor(text, "kernel.json");
    ASSERT_TRUE(family) << family.error().message;
    const GpuArch ada = *archNamed("sm_89");
    const Result<SearchSpace> space = searchSpace(*family, **tunedVariant(*family, ""), {{}, {}, ada.limits, ada.name, {}});
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(pointWith(*space, "BLOCK=64,TILE=2")->verdicts[0].value, 4 * 64 * 2 + 1024);
}

TEST(SearchSpace, WhatCannotBeSearchedIsReported)
{
    const Result<KernelFamily> family = parseDescriptor(kOwn, "kernel.json");
    ASSERT_TRUE(family);
    const GpuArch ada = *archNamed("sm_89");
    const Result<SearchSpace> plain = searchSpace(*family, family->variants[0], {{}, {}, ada.limits, ada.name, {}});
    ASSERT_FALSE(plain);
    EXPECT_NE(plain.error().message.find("no tunables"), std::string::npos);
    EXPECT_EQ(tunedVariant(*family, "none").error().code, ErrorCode::notFound);
    KernelFamily two = *family;
    two.variants.push_back(two.variants[1]);
    two.variants.back().id = "again";
    EXPECT_NE(tunedVariant(two, "").error().hint.find("mine/again"), std::string::npos);
    two.variants.resize(1);
    EXPECT_FALSE(tunedVariant(two, ""));
    KernelFamily broken = *family;
    broken.variants[1].launches[0].dynamicSmem = "4*NOTHING";
    EXPECT_FALSE(searchSpace(broken, broken.variants[1], {{}, {}, ada.limits, ada.name, {}}));
}

TEST(SearchRulesInDescriptors, AreReadAndChecked)
{
    const std::string text = kOwn;
    const auto with = [&](const std::string& rules) {
        std::string changed = text;
        changed.insert(changed.find("\"tunables\": [\"BLOCK\""), "\"search\": " + rules + ", ");
        return parseDescriptor(changed, "kernel.json", DescriptorChecks::formulas);
    };
    const Result<KernelFamily> good = with(R"({"fragments": [{"name": "sums", "count": "TILE"}], "min_occupancy": 25,
        "shared": [{"name": "tile", "pitch": "4*32"}], "global": [{"name": "x", "bytes": "4", "lanes": "32", "pitch": "0"}]})");
    ASSERT_TRUE(good) << good.error().message;
    EXPECT_EQ(good->variants[1].search.minOccupancy, 25);
    EXPECT_EQ(good->variants[1].search.fragments[0].name, "sums");
    const Result<KernelFamily> unknown = with(R"({"fragments": [{"name": "sums", "count": "TILES"}]})");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("search.fragments[0].count"), std::string::npos) << unknown.error().message;
    EXPECT_FALSE(with(R"({"min_occupancy": 120})"));
    EXPECT_FALSE(with(R"({"color": 1})"));
}

} // namespace
} // namespace kl
