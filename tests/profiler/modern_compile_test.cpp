// SPDX-License-Identifier: MIT
// Kernels for newer chips as far as no GPU is needed: they compile for each of their targets, and what the driver would be given.
#ifdef KL_HAVE_LIVE
#include "kernels/catalog.h"
#include "kernels/work_builder.h"
#include "profiler/live/cuda/tensor_map.h"
#include "profiler/live/host/launch_changes.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/proof/proof_source.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/work/launch_config.h"
#include "profiler/protocol/message_codec.h"
#include "tests/support/modern_kernels.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

TEST(ModernCompile, EveryKernelCompilesForEachOfItsTargets)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    for (const char* name : test::kModernKernels) {
        const Result<KernelFamily> family = test::modernKernel(name);
        ASSERT_TRUE(family) << family.error().message;
        std::vector<Params> problems = family->suite; // the types' kernel is another one for each
        problems.push_back(family->problems.front());
        for (const Variant& variant : family->variants)
            for (const Params& problem : problems)
                for (const std::string& target : variant.targets.empty() ? std::vector<std::string>{"sm_90"} : variant.targets) {
                    const Result<WorkSpec> work = buildWork(*family, variant, {}, problem);
                    ASSERT_TRUE(work) << work.error().message;
                    if (!Nvrtc::load()->checkSupported(target))
                        continue; // this toolkit does not know the target
                    const Result<CompiledSource> compiled = Nvrtc::load()->compile({work->source, work->options, target, work->headers});
                    ASSERT_TRUE(compiled) << compiled.error().message;
                    EXPECT_TRUE(compiled->ok) << work->kernel << ' ' << target << '\n' << compiled->log;
                }
    }
}

TEST(ModernCompile, TheCheckingKernelsKnowEveryType)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    for (const char* arch : {"sm_80", "sm_90"}) {
        const Result<CompiledSource> compiled = Nvrtc::load()->compile({kProofSource, {}, arch});
        ASSERT_TRUE(compiled) << compiled.error().message;
        EXPECT_TRUE(compiled->ok) << compiled->log;
        for (const char* entry : {"klp_fill_f8e4m3", "klp_check_f8e5m2", "klp_pick_i8", "klp_check_u8", "klp_check_i64", "klp_fill_u64",
                                  "klp_check_bool", "klp_seal_1", "klp_prepare_1"})
            EXPECT_FALSE(opcodeMix(compiled->ptx, entry).empty()) << entry;
    }
}

TEST(TensorMapCall, SaysWhatTheDescriptorSays)
{
    TensorMapSpec map{{128, 64, 6},        {256, 16384},           {64, 32, 1},           {1, 1, 1},
                      TensorSwizzle::b128, TensorInterleave::none, TensorPromotion::b256, TensorOutside::nan};
    const TensorMapCall call = tensorMapCall(map, DType::bf16);
    EXPECT_EQ(call.type, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
    EXPECT_EQ(call.rank, 3U);
    EXPECT_EQ(call.dims, (std::array<cuuint64_t, 5>{128, 64, 6}));
    EXPECT_EQ(call.strides, (std::array<cuuint64_t, 5>{256, 16384}));
    EXPECT_EQ(call.box, (std::array<cuuint32_t, 5>{64, 32, 1}));
    EXPECT_EQ(call.elementStrides, (std::array<cuuint32_t, 5>{1, 1, 1}));
    EXPECT_EQ(call.swizzle, CU_TENSOR_MAP_SWIZZLE_128B);
    EXPECT_EQ(call.interleave, CU_TENSOR_MAP_INTERLEAVE_NONE);
    EXPECT_EQ(call.promotion, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
    EXPECT_EQ(call.outside, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
    EXPECT_EQ(tensorMapCall(map, DType::f8e4m3).type, CU_TENSOR_MAP_DATA_TYPE_UINT8);
    EXPECT_EQ(tensorMapCall(map, DType::i64).type, CU_TENSOR_MAP_DATA_TYPE_INT64);
    static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) >= 64);
}

TEST(TensorMapCall, EachWordHasItsValueOfTheDriver)
{
    TensorMapSpec map{{64}, {}, {64}, {1}, TensorSwizzle::none, TensorInterleave::none, TensorPromotion::none, TensorOutside::zero};
    EXPECT_EQ(tensorMapCall(map, DType::u8).outside, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    for (const auto& [type, value] :
         {std::pair(DType::f16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16), std::pair(DType::f32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32),
          std::pair(DType::f64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64), std::pair(DType::i32, CU_TENSOR_MAP_DATA_TYPE_INT32),
          std::pair(DType::u32, CU_TENSOR_MAP_DATA_TYPE_UINT32), std::pair(DType::u64, CU_TENSOR_MAP_DATA_TYPE_UINT64),
          std::pair(DType::i8, CU_TENSOR_MAP_DATA_TYPE_UINT8), std::pair(DType::boolean, CU_TENSOR_MAP_DATA_TYPE_UINT8)})
        EXPECT_EQ(tensorMapCall(map, type).type, value);
    for (const auto& [word, value] :
         {std::pair(TensorSwizzle::none, CU_TENSOR_MAP_SWIZZLE_NONE), std::pair(TensorSwizzle::b32, CU_TENSOR_MAP_SWIZZLE_32B),
          std::pair(TensorSwizzle::b64, CU_TENSOR_MAP_SWIZZLE_64B)}) {
        map.swizzle = word;
        EXPECT_EQ(tensorMapCall(map, DType::u8).swizzle, value);
    }
    for (const auto& [word, value] :
         {std::pair(TensorInterleave::b16, CU_TENSOR_MAP_INTERLEAVE_16B), std::pair(TensorInterleave::b32, CU_TENSOR_MAP_INTERLEAVE_32B)}) {
        map.interleave = word;
        EXPECT_EQ(tensorMapCall(map, DType::u8).interleave, value);
    }
    for (const auto& [word, value] : {std::pair(TensorPromotion::none, CU_TENSOR_MAP_L2_PROMOTION_NONE),
                                      std::pair(TensorPromotion::b64, CU_TENSOR_MAP_L2_PROMOTION_L2_64B),
                                      std::pair(TensorPromotion::b128, CU_TENSOR_MAP_L2_PROMOTION_L2_128B)}) {
        map.promotion = word;
        EXPECT_EQ(tensorMapCall(map, DType::u8).promotion, value);
    }
}

TEST(LaunchConfig, CarriesTheAttributesThatAreRequested)
{
    LaunchSpec launch;
    launch.grid = {8, 4, 2};
    launch.block = {128, 1, 1};
    launch.programmatic = true;
    const LaunchConfig first(launch, launch.grid, 1024, nullptr, false);
    EXPECT_EQ(first.get().numAttrs, 0U); // the first of a call waits for what is before it
    EXPECT_EQ(first.get().gridDimY, 4U);
    EXPECT_EQ(first.get().sharedMemBytes, 1024U);
    launch.cluster = {2, 1, 2};
    launch.cooperative = true;
    const LaunchConfig next(launch, {4, 4, 2}, 0, nullptr, true);
    ASSERT_EQ(next.get().numAttrs, 3U);
    EXPECT_EQ(next.get().gridDimX, 4U);
    EXPECT_EQ(next.get().attrs[0].id, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    EXPECT_EQ(next.get().attrs[0].value.clusterDim.z, 2U);
    EXPECT_EQ(next.get().attrs[1].id, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
    EXPECT_EQ(next.get().attrs[2].id, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
    EXPECT_EQ(next.get().attrs[2].value.programmaticStreamSerializationAllowed, 1);
}

TEST(LaunchConfig, ExperimentsKeepClustersAndBarriersWhole)
{
    LaunchSpec launch;
    launch.grid = {12, 1, 1};
    launch.cluster = {4, 1, 1};
    LaunchFacts facts;
    facts.gridBlocks = 12;
    facts.blocksPerSm = 4;
    const auto changeGrid = [&] { return launchChanges(launch, facts, DeviceInfo{}).back(); };
    EXPECT_EQ(changeGrid().changed.grid[0], 4);
    launch.grid = {4, 1, 1};
    EXPECT_FALSE(changeGrid().experiment.unavailable.empty());
    launch.grid = {12, 1, 1};
    launch.cooperative = true;
    EXPECT_FALSE(changeGrid().experiment.unavailable.empty());
}

TEST(ModernOpcodes, NewerInstructionsHaveClassesOfTheirOwn)
{
    EXPECT_EQ(opcodeClass("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "mma");
    EXPECT_EQ(opcodeClass("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"), "wgmma");
    EXPECT_EQ(opcodeClass("wgmma.wait_group.sync.aligned"), "other");
    EXPECT_EQ(opcodeClass("tcgen05.mma.cta_group::1.kind::f16"), "tcgen05");
    EXPECT_EQ(opcodeClass("tcgen05.ld.sync.aligned.32x32b.x1.b32"), "other");
    EXPECT_EQ(opcodeClass("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"), "tma");
    EXPECT_EQ(opcodeClass("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32"), "tma");
    EXPECT_EQ(opcodeClass("cp.async.bulk.wait_group"), "other");
    EXPECT_EQ(opcodeClass("cp.async.ca.shared.global"), "cp.async");
    EXPECT_EQ(opcodeClass("mbarrier.try_wait.parity.shared::cta.b64"), "mbarrier");
    EXPECT_EQ(opcodeClass("bar.sync"), "bar");
}

TEST(ModernProtocol, EveryFieldArrives)
{
    for (const char* name : test::kModernKernels) {
        const Result<KernelFamily> family = test::modernKernel(name);
        ASSERT_TRUE(family) << family.error().message;
        RunRequest request;
        request.work = *buildWork(*family, family->variants.back(), {}, {});
        const Result<RunRequest> back = fromJsonMessage<RunRequest>(toJsonMessage(request));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->work, request.work) << name;
    }
}

TEST(ModernTypes, ABoolIsExactAndAByteMayBeAnything)
{
    const auto row = [](DType type, std::initializer_list<int> bytes, std::vector<double> wanted) {
        std::vector<std::byte> output;
        for (const int byte : bytes)
            output.push_back(static_cast<std::byte>(byte));
        Expected expected;
        expected.values = std::move(wanted);
        return compareOutput(output, type, expected, Tolerance{1, 1});
    };
    EXPECT_TRUE(row(DType::boolean, {0, 1, 1}, {0, 1, 1}).pass);
    EXPECT_FALSE(row(DType::boolean, {0, 1, 0}, {0, 1, 1}).pass); // whatever the tolerance
    EXPECT_EQ(row(DType::boolean, {0, 2}, {0, 1}).nonfinite, 1);  // neither true nor false
    EXPECT_EQ(row(DType::boolean, {0, 0xad}, {0, 1}).unwritten, 1);
    EXPECT_TRUE(row(DType::u8, {0xad}, {0xad}).pass); // what poison is, too
    EXPECT_EQ(row(DType::u8, {0xad}, {3}).unwritten, 0);
    EXPECT_FALSE(row(DType::u8, {0xad}, {3}).pass);
    EXPECT_EQ(row(DType::f8e4m3, {0xff}, {3}).unwritten, 1);
    EXPECT_TRUE(row(DType::f8e4m3, {0x44}, {3}).pass);
}

} // namespace
} // namespace kl
#endif
