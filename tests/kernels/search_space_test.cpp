// SPDX-License-Identifier: MIT
#include "core/device/arch.h"
#include "kernels/catalog.h"
#include "kernels/descriptor_parser.h"
#include "kernels/space/planned_points.h"
#include "kernels/space/search_space.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

namespace kl {
namespace {

const Catalog& kernels()
{
    static const Result<Catalog> loaded = Catalog::loadEmbedded();
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return *loaded;
}

Result<SearchSpace> attention(const std::string& problem, const std::string& arch = "sm_90", const std::string& fixed = {},
                              std::optional<double> minOccupancy = {})
{
    const KernelFamily& family = **kernels().family("attention");
    const GpuArch found = *findArch(arch);
    return searchSpace(family, **findTunedVariant(family, "fused"),
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
    const Variant& variant = **findTunedVariant(family, "fused");
    const Result<SearchSpace> space = attention("B=1,H=1,S=64,D=64");
    ASSERT_TRUE(space);
    int built = 0;
    for (std::size_t i = 0; i < space->points.size(); i += 37) {
        if (space->points[i].rejectedBy)
            continue;
        const Address address = makeAddress(family, variant, space->points[i].tunables);
        const Result<WorkSpec> work = kernels().work(address, *parseParams("B=1,H=1,S=64,D=64"));
        ASSERT_TRUE(work) << toText(address) << ": " << work.error().message;
        EXPECT_EQ(work->launches.front().dynamicSmem, static_cast<std::int64_t>(*space->points[i].verdicts[0].value));
        ++built;
    }
    EXPECT_GT(built, 10);
    EXPECT_EQ(toText(makeAddress(family, variant, {})), "attention/fused");
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
    const GpuArch ada = *findArch("sm_89");
    const Result<SearchSpace> space = searchSpace(*family, **findTunedVariant(*family, ""), {{}, {}, ada.limits, ada.name, {}});
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
    const GpuArch ada = *findArch("sm_89");
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

TEST(SearchSpace, CountsAreExactOrRefused)
{
    KernelFamily family = *parseDescriptor(kOwn, "kernel.json");
    family.tunables.resize(2);
    family.tunables[0].values.resize(1);
    family.tunables[1].values.resize(1);
    family.constraints.clear();
    for (int i = 0; i < 18; ++i) {
        Tunable tunable{"T" + std::to_string(i), {}, std::int64_t{1}, {}, {}, {}, {}};
        for (std::int64_t value = 1; value <= 8; ++value)
            tunable.values.emplace_back(value);
        family.tunables.push_back(tunable);
        family.variants[1].tunables.push_back(tunable.name);
        family.constraints.push_back(tunable.name + "==1");
    }
    const GpuArch ada = *findArch("sm_89");
    SpaceQuestion question{{}, {}, ada.limits, ada.name, {}};
    const Result<SearchSpace> all = searchSpace(family, family.variants[1], question);
    ASSERT_FALSE(all) << "2^54 combinations";
    EXPECT_EQ(all.error().code, ErrorCode::badInput);
    EXPECT_EQ(all.error().where, "mine/tuned");
    question.fixed = *parseParams("T0=1");
    const Result<SearchSpace> most = searchSpace(family, family.variants[1], question);
    ASSERT_TRUE(most) << most.error().message;
    EXPECT_EQ(most->total, std::size_t{1} << 51U);
    EXPECT_EQ(most->points.size(), 1U);
}

TEST(SearchSpace, StaticSharedMemoryCountsBesideTheDynamic)
{
    std::string text = kOwn;
    text.insert(text.find("\"tunables\": [\"BLOCK\""), R"("search": {"static_smem": "1024"}, )");
    const Result<KernelFamily> family = parseDescriptor(text, "kernel.json");
    ASSERT_TRUE(family) << family.error().message;
    const GpuArch ada = *findArch("sm_89");
    const Result<SearchSpace> space = searchSpace(*family, **findTunedVariant(*family, ""), {{}, {}, ada.limits, ada.name, {}});
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(pointWith(*space, "BLOCK=64,TILE=2")->verdicts[0].value, 4 * 64 * 2 + 1024);
}

TEST(SearchSpace, WhatCannotBeSearchedIsReported)
{
    const Result<KernelFamily> family = parseDescriptor(kOwn, "kernel.json");
    ASSERT_TRUE(family);
    const GpuArch ada = *findArch("sm_89");
    const Result<SearchSpace> plain = searchSpace(*family, family->variants[0], {{}, {}, ada.limits, ada.name, {}});
    ASSERT_FALSE(plain);
    EXPECT_EQ(plain.error().where, "mine/plain") << plain.error().message;
    ASSERT_EQ(plain.error().next.size(), 1U);
    EXPECT_EQ(plain.error().next[0].id, StepId::listKernels);
    EXPECT_EQ(findTunedVariant(*family, "none").error().code, ErrorCode::notFound);
    KernelFamily two = *family;
    two.variants.push_back(two.variants[1]);
    two.variants.back().id = "again";
    EXPECT_NE(findTunedVariant(two, "").error().hint.find("mine/again"), std::string::npos);
    two.variants.resize(1);
    EXPECT_FALSE(findTunedVariant(two, ""));
    KernelFamily broken = *family;
    broken.variants[1].launches[0].dynamicSmem = "4*NOTHING";
    EXPECT_FALSE(searchSpace(broken, broken.variants[1], {{}, {}, ada.limits, ada.name, {}}));
}

/// A variant with every rule, at N=1024 with T=2.
Result<PlannedPoints> plannedPoints(const std::function<void(KernelFamily&)>& change = [](KernelFamily&) {})
{
    KernelFamily family;
    family.constraints = {"T<=N"};
    Variant variant;
    variant.constraints = {"T==2", "N>T"};
    variant.launches.resize(2);
    variant.launches[0].entry = "skipped";
    variant.launches[0].block = {"1"};
    variant.launches[0].repeat = "T-2";
    variant.launches[1].entry = "f";
    variant.launches[1].block = {"N/4", "T"};
    variant.launches[1].dynamicSmem = "16*T";
    variant.search.staticSmem = "100*T";
    variant.search.fragments = {{"sums", "10*T"}, {"tile", "T"}};
    variant.search.mostFragments = 96;
    variant.search.otherRegisters = "40+T";
    variant.search.minBlocks = "T";
    variant.search.global = {{"loads", "4*T", "32/T", "N", ""}, {"stores", "2", "32", "0", "64"}};
    variant.search.shared = {{"tile", "64*T", "T+1"}};
    family.variants = {variant};
    change(family);
    return PlannedPoints::make(family, family.variants[0], {{"N", 1024}, {"T", 2}});
}

TEST(PlannedPoints, HoldEveryRuleAtTheValuesSetLast)
{
    Result<PlannedPoints> points = plannedPoints();
    ASSERT_TRUE(points) << points.error().message;
    Result<PlannedPoint> point = points->plan();
    ASSERT_TRUE(point) << point.error().message;
    ASSERT_EQ(point->launches.size(), 1U) << "one is not repeated at all";
    EXPECT_EQ(point->launches[0].entry, "f");
    EXPECT_EQ(point->launches[0].threads, 512);
    EXPECT_EQ(point->launches[0].smem, 200 + 32);
    EXPECT_TRUE(point->violated.empty());
    ASSERT_EQ(point->fragments.size(), 2U);
    EXPECT_EQ(point->fragments[0].name, "sums");
    EXPECT_EQ(point->fragments[0].count, 20);
    EXPECT_EQ(point->fragments[1].count, 2);
    EXPECT_EQ(point->mostFragments, 96);
    EXPECT_EQ(point->otherRegisters, 42);
    EXPECT_EQ(point->minBlocks, 2);
    ASSERT_EQ(point->global.size(), 2U);
    EXPECT_EQ(point->global[0].name, "loads");
    EXPECT_EQ(point->global[0].access.bytes, 8);
    EXPECT_EQ(point->global[0].access.lanes, 16);
    EXPECT_EQ(point->global[0].access.pitch, 1024);
    EXPECT_EQ(point->global[0].access.laneStride, 8) << "the bytes of a lane";
    EXPECT_EQ(point->global[1].access.pitch, 0);
    EXPECT_EQ(point->global[1].access.laneStride, 64);
    ASSERT_EQ(point->shared.size(), 1U);
    EXPECT_EQ(point->shared[0].name, "tile");
    EXPECT_EQ(point->shared[0].tile.pitch, 128);
    EXPECT_EQ(point->shared[0].tile.rowMask, 3);

    points->set("T", 4);
    point = points->plan();
    ASSERT_TRUE(point);
    ASSERT_EQ(point->launches.size(), 2U);
    EXPECT_EQ(point->launches[0].entry, "skipped");
    EXPECT_EQ(point->launches[1].threads, 1024);
    EXPECT_EQ(point->violated, std::vector<std::string>{"T==2 with T=4"});
    points->set("N", 2);
    point = points->plan();
    ASSERT_TRUE(point);
    EXPECT_EQ(point->violated, (std::vector<std::string>{"T<=N with N=2, T=4", "T==2 with T=4", "N>T with N=2, T=4"}));
    EXPECT_FALSE(point->launches[1].threads) << "half a thread";
}

TEST(PlannedPoints, AThreadCountIsAWholeNumberFromOneOn)
{
    for (const auto& [formula, threads] : {std::pair("0", std::optional<std::int64_t>()), {"1", 2}, {"-2", {}}, {"N/0", {}}, {"1.5", {}}}) {
        const Result<PlannedPoints> points =
            plannedPoints([&, text = formula](KernelFamily& f) { f.variants[0].launches[1].block[0] = text; });
        ASSERT_TRUE(points) << formula;
        EXPECT_EQ(points->plan()->launches[0].threads, threads) << formula;
    }
}

TEST(PlannedPoints, AccessesAndRowsHaveAtLeastOneByte)
{
    struct Bound {
        std::function<void(SearchRules&, const std::string&)> set;
        std::string least;
        std::string below;
    };
    for (const Bound& bound : {Bound{[](SearchRules&r, const std::string&text) { r.global[0].bytes = text; }, "1", "0"},
                               {[](SearchRules&r, const std::string&text) { r.global[0].lanes = text; }, "1", "0"},
                               {[](SearchRules&r, const std::string&text) { r.global[0].pitch = text; }, "0", "-1"},
                               {[](SearchRules&r, const std::string&text) { r.global[0].laneStride = text; }, "0", "-1"},
                               {[](SearchRules&r, const std::string&text) { r.shared[0].pitch = text; }, "1", "0"},
                               {[](SearchRules&r, const std::string&text) { r.shared[0].rowMask = text; }, "0", "-1"},
                               {[](SearchRules&r, const std::string&text) { r.minBlocks = text; }, "1", "0"}}) {
        const auto planned = [&](const std::string& text) {
            return plannedPoints([&](KernelFamily& f) { bound.set(f.variants[0].search, text); })->plan();
        };
        EXPECT_TRUE(planned(bound.least)) << bound.least;
        ASSERT_FALSE(planned(bound.below)) << bound.below;
        EXPECT_EQ(planned(bound.below).error().where, bound.below);
    }
}

TEST(PlannedPoints, NoRuleMeansNothingToJudge)
{
    const Result<PlannedPoints> points = plannedPoints([](KernelFamily& f) { f.variants[0].search = {}; });
    ASSERT_TRUE(points);
    const Result<PlannedPoint> point = points->plan();
    ASSERT_TRUE(point);
    EXPECT_TRUE(point->fragments.empty() && point->global.empty() && point->shared.empty());
    EXPECT_FALSE(point->otherRegisters);
    EXPECT_EQ(point->minBlocks, 1);
    EXPECT_EQ(point->launches[0].smem, 32);
}

TEST(PlannedPoints, WhatIsNoWholeNumberOfItsKindIsAnError)
{
    using Break = std::function<void(KernelFamily&)>;
    for (const auto& [formula, change] :
         {std::pair<const char*, Break>{"T-3", [](KernelFamily& f) { f.variants[0].search.staticSmem = "T-3"; }},
          {"T-2", [](KernelFamily& f) { f.variants[0].search.minBlocks = "T-2"; }},
          {"T/4", [](KernelFamily& f) { f.variants[0].launches[1].repeat = "T/4"; }},
          {"-T", [](KernelFamily& f) { f.variants[0].launches[1].dynamicSmem = "-T"; }},
          {"0", [](KernelFamily& f) { f.variants[0].search.global[0].bytes = "0"; }},
          {"0", [](KernelFamily& f) { f.variants[0].search.global[0].lanes = "0"; }},
          {"-1", [](KernelFamily& f) { f.variants[0].search.global[0].pitch = "-1"; }},
          {"-1", [](KernelFamily& f) { f.variants[0].search.global[1].laneStride = "-1"; }},
          {"0", [](KernelFamily& f) { f.variants[0].search.shared[0].pitch = "0"; }},
          {"-1", [](KernelFamily& f) { f.variants[0].search.shared[0].rowMask = "-1"; }}}) {
        const Result<PlannedPoints> points = plannedPoints(change);
        ASSERT_TRUE(points) << formula;
        const Result<PlannedPoint> point = points->plan();
        ASSERT_FALSE(point) << formula;
        EXPECT_EQ(point.error().where, formula);
    }
    for (const Break& change :
         {Break([](KernelFamily& f) { f.constraints = {"Q"}; }), Break([](KernelFamily& f) { f.variants[0].constraints = {"Q"}; }),
          Break([](KernelFamily& f) { f.variants[0].launches[1].block[1] = "Q"; }),
          Break([](KernelFamily& f) { f.variants[0].search.fragments[1].count = "Q"; }),
          Break([](KernelFamily& f) { f.variants[0].search.otherRegisters = "Q"; })})
        EXPECT_EQ(plannedPoints(change).error().where, "Q");
}

TEST(SearchSpace, EachRuleRejectsAtItsGate)
{
    KernelFamily family = *parseDescriptor(kOwn, "kernel.json");
    family.variants[1].launches[0].block = {"BLOCK"};
    family.variants[1].launches[0].dynamicSmem = "0";
    family.constraints.clear();
    const GpuArch ada = *findArch("sm_89");
    const auto rejectedBy = [&](const std::function<void(SearchRules&)>& change, std::optional<double> occupancy = {}) {
        KernelFamily changed = family;
        change(changed.variants[1].search);
        const Result<SearchSpace> space = searchSpace(changed, changed.variants[1], {{}, {}, ada.limits, ada.name, occupancy});
        EXPECT_TRUE(space) << space.error().message;
        return pointWith(*space, "BLOCK=64,TILE=1")->rejectedBy;
    };
    EXPECT_EQ(rejectedBy([](SearchRules&) {}), std::nullopt);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) { rules.staticSmem = "102400"; }), 0U);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) { rules.minOccupancy = 101; }), 2U);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) { rules.minOccupancy = 101; }, 1.0), std::nullopt) << "the question's goes first";
    EXPECT_EQ(rejectedBy([](SearchRules&) {}, 101.0), 2U);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) { rules.fragments = {{"sums", "193"}}; }), 3U);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) { rules.fragments = {{"sums", "192"}}; }), std::nullopt);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) { rules.global = {{"loads", "4", "32", "0", "128"}}; }), 4U);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) {
                  rules.global = {{"loads", "4", "32", "0", "128"}};
                  rules.minSectorEfficiency = 10;
              }),
              std::nullopt);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) { rules.shared = {{"tile", "128", "0"}}; }), 5U);
    EXPECT_EQ(rejectedBy([](SearchRules& rules) { rules.shared = {{"tile", "128", "7"}}; }), std::nullopt);
}

TEST(SearchSpace, PointsAreInTheDescriptorsOrderAndCountedByGate)
{
    KernelFamily family = *parseDescriptor(kOwn, "kernel.json");
    const GpuArch ada = *findArch("sm_89");
    const SpaceQuestion question{{}, *parseParams("N=77"), ada.limits, ada.name, {}};
    const Result<SearchSpace> space = searchSpace(family, family.variants[1], question);
    ASSERT_TRUE(space);
    EXPECT_EQ(space->kernel, "mine/tuned");
    EXPECT_EQ(space->problem, "N=77");
    EXPECT_EQ(space->total, 9U);
    std::string order;
    std::array<std::size_t, 6> rejected{};
    std::size_t survivors = 0;
    for (const SpacePoint& point : space->points) {
        order += toText(point.tunables) + ' ';
        ++(point.rejectedBy ? rejected.at(*point.rejectedBy) : survivors);
    }
    EXPECT_EQ(order,
              "BLOCK=64,TILE=1 BLOCK=64,TILE=2 BLOCK=64,TILE=64 BLOCK=100,TILE=1 BLOCK=100,TILE=2 BLOCK=100,TILE=64 BLOCK=2048,TILE=1 "
              "BLOCK=2048,TILE=2 BLOCK=2048,TILE=64 ");
    EXPECT_EQ(space->rejected, rejected);
    EXPECT_EQ(space->survivors, survivors);
    SpaceQuestion fixed = question;
    fixed.fixed = *parseParams("TILE=2");
    EXPECT_EQ(searchSpace(family, family.variants[1], fixed)->total, 3U);
}

TEST(SearchSpace, FormulasSeeTheChipOfTheQuestion)
{
    KernelFamily family = *parseDescriptor(kOwn, "kernel.json");
    family.constraints = {"SMS==100"};
    const GpuArch ada = *findArch("sm_89");
    SpaceQuestion question{{}, {}, ada.limits, ada.name, {}};
    EXPECT_EQ(toChip(question), (Chip{8, 9, toChip(ada).sms, {}}));
    EXPECT_EQ(searchSpace(family, family.variants[1], question)->survivors, 0U);
    question.chip = Chip{8, 9, 100, {}};
    EXPECT_EQ(toChip(question), question.chip);
    EXPECT_GT(searchSpace(family, family.variants[1], question)->survivors, 0U);
    question.chip.reset();
    question.arch = "none";
    EXPECT_EQ(toChip(question), Chip{});
}

TEST(SearchSpace, AnAddressHoldsWhatIsNotAtItsDefault)
{
    const KernelFamily family = *parseDescriptor(kOwn, "kernel.json");
    const auto text = [&](const char* tunables) { return toText(makeAddress(family, family.variants[1], *parseParams(tunables))); };
    EXPECT_EQ(text("BLOCK=64,TILE=1"), "mine/tuned");
    EXPECT_EQ(text("BLOCK=100,TILE=1"), "mine/tuned@BLOCK=100");
    EXPECT_EQ(text("BLOCK=64,TILE=1,OTHER=1"), "mine/tuned@OTHER=1") << "an unknown one stays, to be refused";
}

TEST(SearchSpace, TheVariantThatIsSearched)
{
    KernelFamily family = *parseDescriptor(kOwn, "kernel.json");
    EXPECT_EQ((*findTunedVariant(family, ""))->id, "tuned") << "the only one with tunables";
    EXPECT_EQ((*findTunedVariant(family, "plain"))->id, "plain") << "the one that is named";
    family.variants.push_back(family.variants[1]);
    family.variants.back().id = "again";
    const Result<const Variant*> several = findTunedVariant(family, "");
    ASSERT_FALSE(several);
    EXPECT_EQ(several.error().code, ErrorCode::badInput);
    EXPECT_EQ(several.error().where, "mine");
    EXPECT_TRUE(several.error().hint.ends_with(": mine/tuned, mine/again.")) << several.error().hint;
    family.variants[1].when = "N<=8";
    family.variants[2].when = "N>8 && SMS>100";
    EXPECT_EQ((*findTunedVariant(family, "", *parseParams("N=8")))->id, "tuned");
    EXPECT_EQ((*findTunedVariant(family, "", *parseParams("N=9")))->id, "again");
    EXPECT_FALSE(findTunedVariant(family, "", *parseParams("N=9"), {8, 9, 58, {}}));
    family.variants[0].when = "1";
    EXPECT_FALSE(findTunedVariant(family, "", *parseParams("N=9"), {8, 9, 58, {}})) << "the choice has no tunables";
    EXPECT_EQ(findTunedVariant(family, "none").error().where, "mine");
    family.variants.resize(1);
    EXPECT_EQ(findTunedVariant(family, "").error().code, ErrorCode::badInput);
    const GpuArch ada = *findArch("sm_89");
    EXPECT_EQ(searchSpace(family, family.variants[0], {{}, {}, ada.limits, ada.name, {}}).error().where, "mine/plain");
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
