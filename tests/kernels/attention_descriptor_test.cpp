// SPDX-License-Identifier: MIT
#include "kernels/catalog.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

const Catalog& catalog()
{
    static const Result<Catalog> loaded = Catalog::loadEmbedded();
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return *loaded;
}

Result<WorkSpec> work(const std::string& address, const std::string& problem = {})
{
    return catalog().work(*parseAddress(address), problem.empty() ? Params{} : *parseParams(problem));
}

bool has(const WorkSpec& spec, const std::string& option)
{
    return std::find(spec.options.begin(), spec.options.end(), option) != spec.options.end();
}

std::int64_t countElements(const WorkSpec& spec, const std::string& buffer)
{
    for (const BufferSpec& b : spec.buffers)
        if (b.name == buffer)
            return b.count;
    return -1;
}

TEST(AttentionDescriptor, DefaultPointOfTheFusedKernel)
{
    const Result<WorkSpec> spec = work("attention/fused");
    ASSERT_TRUE(spec) << spec.error().message;
    for (const char* option : {"-DBLOCK_M=64", "-DBLOCK_N=64", "-DWARPS=4", "-DSTAGES=2", "-DSWIZZLE=2", "-DHALF2=1", "-DUNROLL=0",
                               "-DSPLIT_KV=0", "-DMIN_BLOCKS=1", "-DHEAD_DIM=64", "-DBF16=0"})
        EXPECT_TRUE(has(*spec, option)) << option;
    ASSERT_EQ(spec->launches.size(), 1u);
    EXPECT_EQ(spec->launches[0].grid, (std::vector<std::int64_t>{8, 16, 1}));
    EXPECT_EQ(spec->launches[0].block, (std::vector<std::int64_t>{128, 1, 1}));
    EXPECT_EQ(spec->launches[0].dynamicSmem, (64 + 2 * 2 * 64) * 128);
}

TEST(AttentionDescriptor, TheSuiteHasTheSizesOfTheDocuments)
{
    const std::vector<Params>& suite = (*catalog().family("attention"))->suite;
    for (const int size : {4, 64, 65, 128, 192, 256, 512})
        for (const int causal : {0, 1}) {
            const Params problem = *parseParams("B=1,H=2,S=" + std::to_string(size) + ",D=64,CAUSAL=" + std::to_string(causal));
            EXPECT_NE(std::find(suite.begin(), suite.end(), problem), suite.end()) << toText(problem);
        }
}

TEST(AttentionDescriptor, TunablesReachCompilerAndGeometry)
{
    const Result<WorkSpec> spec =
        work("attention/fused@BLOCK_M=128,BLOCK_N=32,STAGES=1,SWIZZLE=pad,WARPS=8,HALF2=off,UNROLL=1,MIN_BLOCKS=2",
             "B=1,H=3,S=300,D=64,CAUSAL=1");
    ASSERT_TRUE(spec) << spec.error().message;
    for (const char* option :
         {"-DBLOCK_M=128", "-DBLOCK_N=32", "-DWARPS=8", "-DSTAGES=1", "-DSWIZZLE=1", "-DHALF2=0", "-DUNROLL=1", "-DMIN_BLOCKS=2"})
        EXPECT_TRUE(has(*spec, option)) << option;
    EXPECT_EQ(spec->launches[0].args[8].value, 1); // causal is an argument: one program serves both
    EXPECT_EQ(spec->launches[0].grid, (std::vector<std::int64_t>{3, 3, 1}));
    EXPECT_EQ(spec->launches[0].block[0], 256);
    EXPECT_EQ(spec->launches[0].dynamicSmem, (128 + 2 * 32) * (128 + 16));
}

TEST(AttentionDescriptor, ScaleIsTheInverseRootOfTheHeadDimension)
{
    for (const char* address : {"attention/unfused", "attention/serial", "attention/fused"}) {
        const Result<WorkSpec> spec = work(address);
        ASSERT_TRUE(spec) << spec.error().message;
        EXPECT_DOUBLE_EQ(spec->launches[0].args.back().value, 0.125) << address;
        EXPECT_EQ(spec->launches[0].args.back().scalarType, DType::f32) << address;
    }
}

TEST(AttentionDescriptor, WarpsMustOwnWholeTiles)
{
    const Result<WorkSpec> spec = work("attention/fused@BLOCK_M=32,WARPS=4");
    ASSERT_FALSE(spec);
    EXPECT_EQ(spec.error().code, ErrorCode::badInput);
}

TEST(AttentionDescriptor, NineTunablesOfEachPoint)
{
    const KernelFamily* family = *catalog().family("attention");
    const Variant& fused = **catalog().variant({"attention", "fused", {}});
    std::size_t points = 1;
    for (const Tunable& tunable : family->tunables)
        if (std::ranges::count(fused.tunables, tunable.name) > 0)
            points *= tunable.values.size();
    EXPECT_EQ(points, 2592u);
    EXPECT_EQ(fused.tunables.size(), 9u);
}

TEST(AttentionDescriptor, PointsThatAGateRejectsCanStillBeBuilt)
{
    EXPECT_TRUE(work("attention/fused@BLOCK_M=128,BLOCK_N=128,WARPS=2"));
    EXPECT_TRUE(work("attention/fused@BLOCK_M=128,BLOCK_N=128,STAGES=2", "B=1,H=1,S=256,D=128,CAUSAL=0"));
}

TEST(AttentionDescriptor, ElementsAreBfloatWhereAsked)
{
    const Result<WorkSpec> half = work("attention/fused", "B=1,H=1,S=64,D=64,CAUSAL=0");
    const Result<WorkSpec> bfloat = work("attention/fused", "B=1,H=1,S=64,D=64,CAUSAL=0,BF16=1");
    ASSERT_TRUE(half && bfloat);
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(half->buffers[static_cast<std::size_t>(i)].type, DType::f16);
        EXPECT_EQ(bfloat->buffers[static_cast<std::size_t>(i)].type, DType::bf16);
    }
    EXPECT_EQ(bfloat->buffers[4].type, DType::f32);
    EXPECT_TRUE(has(*bfloat, "-DBF16=1"));
    EXPECT_EQ(bfloat->problem, "B=1,BF16=1,CAUSAL=0,D=64,H=1,S=64");
    EXPECT_DOUBLE_EQ(half->tolerance.maxAbs, 2e-3);
    EXPECT_DOUBLE_EQ(bfloat->tolerance.maxAbs, 1.6e-2);
    EXPECT_DOUBLE_EQ(bfloat->tolerance.relL2, 8e-3);
    EXPECT_DOUBLE_EQ(bfloat->baseline.params.at("BF16"), 1);
}

TEST(AttentionDescriptor, KeysMayDifferFromQueries)
{
    const Result<WorkSpec> spec = work("attention/fused", "B=2,H=3,S=100,D=64,CAUSAL=0,SK=333");
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(countElements(*spec, "q"), 2LL * 3 * 100 * 64);
    EXPECT_EQ(countElements(*spec, "k"), 2LL * 3 * 333 * 64);
    EXPECT_EQ(countElements(*spec, "v"), 2LL * 3 * 333 * 64);
    EXPECT_EQ(countElements(*spec, "o"), 2LL * 3 * 100 * 64);
    EXPECT_EQ(spec->launches[0].args[6].value, 100);
    EXPECT_EQ(spec->launches[0].args[7].value, 333);
    EXPECT_DOUBLE_EQ(spec->flops, 4.0 * 6 * 100 * 333 * 64);
}

TEST(AttentionDescriptor, AProblemHasOneText)
{
    const Result<WorkSpec> plain = work("attention/fused", "B=1,H=1,S=64,D=64,CAUSAL=0");
    const Result<WorkSpec> stated = work("attention/fused", "B=1,H=1,S=64,D=64,CAUSAL=0,SK=64,BF16=0");
    ASSERT_TRUE(plain && stated);
    EXPECT_EQ(plain->problem, stated->problem);
    EXPECT_EQ(*plain, *stated);
}

TEST(AttentionDescriptor, AnUnknownSizeListsTheOptionalOnes)
{
    const Result<WorkSpec> spec = work("attention/fused", "B=1,H=1,S=64,D=64,CAUSAL=0,SQ=3");
    ASSERT_FALSE(spec);
    EXPECT_NE(spec.error().hint.find("Optional: BF16, GROUP, OUTLIERS, SK."), std::string::npos) << spec.error().hint;
}

TEST(AttentionDescriptor, OutliersAreInQueriesAndKeys)
{
    const Result<WorkSpec> spec = work("attention/fused", "B=1,H=1,S=64,D=64,CAUSAL=0,OUTLIERS=1");
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->buffers[0].fill, Fill::outliers);
    EXPECT_EQ(spec->buffers[1].fill, Fill::outliers);
    EXPECT_EQ(spec->buffers[2].fill, Fill::normal);
}

/// Two groups of warps per block; more blocks where tiles of queries do not fill the GPU and there are keys enough.
TEST(AttentionDescriptor, SplitKeysShareATileOfQueries)
{
    const auto parts = [&](const std::string& problem) {
        const Result<WorkSpec> spec = work("attention/fused@SPLIT_KV=on", problem);
        EXPECT_TRUE(spec) << (spec ? "" : spec.error().message);
        if (!spec)
            return std::int64_t{0};
        const LaunchSpec& launch = spec->launches[0];
        EXPECT_EQ(launch.block[0], 256);
        EXPECT_EQ(countElements(*spec, "parts"), launch.grid[0] * launch.grid[1] * launch.grid[2] * 64 * (64 + 8));
        EXPECT_EQ(countElements(*spec, "arrived"), launch.grid[0] * launch.grid[1]);
        return launch.grid[2];
    };
    EXPECT_EQ(parts("B=2,H=8,S=512,D=64,CAUSAL=0"), 1); // 128 blocks
    EXPECT_EQ(parts("B=1,H=16,S=1,D=64,CAUSAL=0,SK=16384"), 8);
    EXPECT_EQ(parts("B=1,H=1,S=1,D=64,CAUSAL=0,SK=16384"), 32);
    EXPECT_EQ(parts("B=1,H=1,S=64,D=64,CAUSAL=0,SK=64"), 1);
    EXPECT_EQ(parts("B=1,H=1,S=64,D=64,CAUSAL=0,SK=1600"), 3); // 512 keys each at least
    EXPECT_EQ(countElements(*work("attention/fused"), "parts"), 1);
}

TEST(AttentionDescriptor, OnlyTheUnfusedKernelNeedsTheScoreMatrix)
{
    EXPECT_EQ(countElements(*work("attention/unfused"), "scores"), 2LL * 8 * 512 * 512);
    EXPECT_EQ(countElements(*work("attention/serial"), "scores"), 1);
    EXPECT_EQ(countElements(*work("attention/fused"), "scores"), 1);
}

TEST(AttentionDescriptor, CausalHalvesTheWork)
{
    const Result<WorkSpec> full = work("attention/fused", "B=2,H=8,S=512,D=64,CAUSAL=0");
    const Result<WorkSpec> causal = work("attention/fused", "B=2,H=8,S=512,D=64,CAUSAL=1");
    ASSERT_TRUE(full && causal);
    EXPECT_DOUBLE_EQ(full->flops, 4.0 * 2 * 8 * 512 * 512 * 64);
    EXPECT_DOUBLE_EQ(causal->flops, full->flops / 2);
    EXPECT_DOUBLE_EQ(full->idealBytes, 4.0 * 2 * 8 * 512 * 64 * 2);
}

TEST(AttentionDescriptor, EachVariantBringsItsOwnSource)
{
    const Result<WorkSpec> unfused = work("attention/unfused"), serial = work("attention/serial"), fused = work("attention/fused");
    ASSERT_TRUE(unfused && serial && fused);
    EXPECT_NE(unfused->sourceHash, serial->sourceHash);
    EXPECT_NE(serial->sourceHash, fused->sourceHash);
    EXPECT_NE(unfused->source.find("attention_softmax("), std::string::npos);
    EXPECT_EQ(fused->source.find("attention_softmax("), std::string::npos);
    EXPECT_NE(fused->source.find("mma.sync"), std::string::npos);
}

TEST(AttentionDescriptor, BaselineAndReferenceGetTheSizes)
{
    const Result<WorkSpec> spec = work("attention/fused", "B=1,H=2,S=65,D=64,CAUSAL=1");
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->baseline.op, "sdpa");
    std::map<std::string, double> sizes{{"B", 1}, {"H", 2}, {"S", 65}, {"SK", 65}, {"D", 64}, {"CAUSAL", 1}, {"GROUP", 1}};
    EXPECT_EQ(spec->reference.params, sizes);
    sizes["BF16"] = 0;
    EXPECT_EQ(spec->baseline.params, sizes);
    EXPECT_EQ(spec->reference.inputs, (std::vector<std::string>{"q", "k", "v"}));
}

TEST(AttentionDescriptor, AProblemHasTheKernelThatItsFamilyChooses)
{
    const Chip hopper{9, 0, 132};
    const auto fixes = [&](const char* problem) { return catalog().fixesFor({"attention", "fused", {}}, hopper, *parseParams(problem)); };
    EXPECT_EQ(fixes("B=1,H=16,S=2048,D=64"), (std::vector<Address>{{"attention", "hopper", {}}}));
    EXPECT_EQ(fixes("B=2,H=8,S=128,D=64"), (std::vector<Address>{{"attention", "hopper-short", {}}}));
    EXPECT_TRUE(fixes("B=2,H=8,S=128,D=32").empty());
}

TEST(AttentionDescriptor, SeriesEndsAtTheKernelsOfTheChip)
{
    EXPECT_EQ(catalog().fixesFor({"attention", "unfused", {}}), (std::vector<Address>{{"attention", "serial", {}}}));
    EXPECT_EQ(catalog().fixesFor({"attention", "serial", {}}), (std::vector<Address>{{"attention", "fused", {}}}));
    EXPECT_EQ(catalog().fixesFor({"attention", "fused", {}}),
              (std::vector<Address>{{"attention", "hopper", {}}, {"attention", "hopper-short", {}}}));
}

} // namespace
} // namespace kl
