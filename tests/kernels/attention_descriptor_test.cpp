// SPDX-License-Identifier: MIT
#include "kernels/catalogue.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

const Catalogue& catalogue()
{
    static const Result<Catalogue> loaded = Catalogue::embedded();
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return *loaded;
}

Result<WorkSpec> work(const std::string& address, const std::string& problem = {})
{
    return catalogue().work(*parseAddress(address), problem.empty() ? Params{} : *parseParams(problem));
}

bool has(const WorkSpec& spec, const std::string& option)
{
    return std::find(spec.options.begin(), spec.options.end(), option) != spec.options.end();
}

std::int64_t countOf(const WorkSpec& spec, const std::string& buffer)
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
    for (const char* option :
         {"-DBLOCK_M=64", "-DBLOCK_N=64", "-DWARPS=4", "-DSTAGES=2", "-DSWIZZLE=2", "-DHEAD_DIM=64", "-DCAUSAL_MASK=0"})
        EXPECT_TRUE(has(*spec, option)) << option;
    ASSERT_EQ(spec->launches.size(), 1u);
    EXPECT_EQ(spec->launches[0].grid, (std::vector<std::int64_t>{8, 16, 1}));
    EXPECT_EQ(spec->launches[0].block, (std::vector<std::int64_t>{128, 1, 1}));
    EXPECT_EQ(spec->launches[0].dynamicSmem, (64 + 2 * 2 * 64) * 128);
}

TEST(AttentionDescriptor, TunablesReachCompilerAndGeometry)
{
    const Result<WorkSpec> spec =
        work("attention/fused@BLOCK_M=128,BLOCK_N=32,STAGES=1,SWIZZLE=pad,WARPS=8", "B=1,H=3,S=300,D=64,CAUSAL=1");
    ASSERT_TRUE(spec) << spec.error().message;
    for (const char* option : {"-DBLOCK_M=128", "-DBLOCK_N=32", "-DWARPS=8", "-DSTAGES=1", "-DSWIZZLE=1", "-DCAUSAL_MASK=1"})
        EXPECT_TRUE(has(*spec, option)) << option;
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

TEST(AttentionDescriptor, AccumulatorsMustFitTheRegisters)
{
    EXPECT_FALSE(work("attention/fused@BLOCK_M=128,BLOCK_N=64,WARPS=2"));
    EXPECT_TRUE(work("attention/fused@BLOCK_M=128,BLOCK_N=128"));                                // FlashAttention-2's tile for D = 64
    EXPECT_TRUE(work("attention/fused@BLOCK_M=128,BLOCK_N=64", "B=1,H=1,S=256,D=128,CAUSAL=0")); // and for D = 128
}

TEST(AttentionDescriptor, NumberOfValidPoints)
{
    const KernelFamily* family = *catalogue().family("attention");
    int valid = 0, total = 0;
    std::vector<std::size_t> place(family->tunables.size(), 0);
    for (;;) {
        Address address{"attention", "fused", {}};
        for (std::size_t i = 0; i < place.size(); ++i)
            address.tunables[family->tunables[i].name] = family->tunables[i].values[place[i]];
        ++total;
        valid += catalogue().work(address, {}) ? 1 : 0;
        std::size_t i = 0;
        while (i < place.size() && ++place[i] == family->tunables[i].values.size())
            place[i++] = 0;
        if (i == place.size())
            break;
    }
    EXPECT_EQ(total, 162);
    EXPECT_EQ(valid, 96); // as many as compile and answer right for D = 64
}

TEST(AttentionDescriptor, OnlyTheUnfusedKernelNeedsTheScoreMatrix)
{
    EXPECT_EQ(countOf(*work("attention/unfused"), "scores"), 2LL * 8 * 512 * 512);
    EXPECT_EQ(countOf(*work("attention/serial"), "scores"), 1);
    EXPECT_EQ(countOf(*work("attention/fused"), "scores"), 1);
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
    const std::map<std::string, double> sizes{{"B", 1}, {"H", 2}, {"S", 65}, {"D", 64}, {"CAUSAL", 1}};
    EXPECT_EQ(spec->baseline.params, sizes);
    EXPECT_EQ(spec->reference.params, sizes);
    EXPECT_EQ(spec->reference.inputs, (std::vector<std::string>{"q", "k", "v"}));
}

TEST(AttentionDescriptor, LadderEndsAtTheFusedKernel)
{
    EXPECT_EQ(catalogue().mendedBy({"attention", "unfused", {}}), (std::vector<Address>{{"attention", "serial", {}}}));
    EXPECT_EQ(catalogue().mendedBy({"attention", "serial", {}}), (std::vector<Address>{{"attention", "fused", {}}}));
    EXPECT_TRUE(catalogue().mendedBy({"attention", "fused", {}}).empty());
}

} // namespace
} // namespace kl
