// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/proof/proof_source.h"
#include "profiler/live/proof/random_bits.h"
#include "profiler/live/ptx/coarse_arithmetic.h"
#include "profiler/live/ptx/module_variables.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

#define KL_NEED_COMPILER()                                                                                                                 \
    if (const auto& loaded = Nvrtc::load(); !loaded)                                                                                       \
    GTEST_SKIP() << loaded.error().message

/// The generator's published first outputs (Vigna's splitmix64.c) for the seeds 0 and 1234567.
TEST(RandomBits, AreThoseOfSplitMix64)
{
    EXPECT_EQ(randomBitsAt(0, 0), 0xe220a8397b1dcdafULL);
    EXPECT_EQ(randomBitsAt(0, 1), 0x6e789e6aa1b965f4ULL);
    EXPECT_EQ(randomBitsAt(0, 2), 0x06c45d188009454fULL);
    EXPECT_EQ(randomBitsAt(1234567, 0), 6457827717110365317ULL);
    EXPECT_EQ(randomBitsAt(1234567, 1), 3203168211198807973ULL);
    EXPECT_EQ(randomBitsAt(1234567, 2), 9817491932198370423ULL);
    EXPECT_EQ(randomBitsAt(~0ULL, 1ULL << 40), 0x68c83d31fa6f683fULL) << "sums wrap around";
}

TEST(ProofSource, CompilesForEveryGeneration)
{
    KL_NEED_COMPILER();
    for (const char* arch : {"sm_80", "sm_90", "sm_100"}) {
        if (!Nvrtc::load()->checkSupported(arch))
            continue;
        const auto compiled = Nvrtc::load()->compile({kProofSource, {}, arch});
        ASSERT_TRUE(compiled.ok()) << arch << ' ' << compiled.error().message;
        ASSERT_TRUE(compiled->ok) << arch << ' ' << compiled->log;
        for (const char* entry : {"klp_begin", "klp_hash", "klp_scrub", "klp_touch", "klp_read", "klp_seal_2", "klp_prepare_8",
                                  "klp_fill_bf16", "klp_check_f16", "klp_check_f64", "klp_pick_u32"})
            EXPECT_NE(compiled->ptx.find(std::string(".entry ") + entry + '('), std::string::npos) << arch << ' ' << entry;
        EXPECT_TRUE(moduleVariables(compiled->cubin).empty()) << "it keeps nothing itself";
    }
}

TEST(ModuleVariables, AreThoseThatALaunchCanChange)
{
    KL_NEED_COMPILER();
    const auto compiled = Nvrtc::load()->compile({"__device__ int counter;\n"
                                                  "__device__ double table[16] = {1};\n"
                                                  "static __device__ unsigned long long hidden;\n"
                                                  "__constant__ float weights[8] = {1, 2};\n"
                                                  "extern \"C\" __global__ void k(double* out) {\n"
                                                  "  static __device__ int calls;\n"
                                                  "  __shared__ int tile[32];\n"
                                                  "  tile[threadIdx.x] = calls;\n"
                                                  "  __syncthreads();\n"
                                                  "  out[threadIdx.x] = weights[threadIdx.x & 7] + table[1] + tile[31 - threadIdx.x];\n"
                                                  "  atomicAdd(&counter, 1); atomicAdd(&hidden, 1ull); atomicAdd(&calls, 1);\n"
                                                  "  table[threadIdx.x & 15] = out[0];\n}\n",
                                                  {},
                                                  "sm_90"});
    ASSERT_TRUE(compiled.ok()) << compiled.error().message;
    ASSERT_TRUE(compiled->ok) << compiled->log;
    const std::vector<ModuleVariable> variables = moduleVariables(compiled->cubin);
    const auto findSize = [&](const std::string& part) {
        const auto found =
            std::ranges::find_if(variables, [&](const ModuleVariable& one) { return one.name.find(part) != std::string::npos; });
        return found == variables.end() ? 0 : found->bytes;
    };
    EXPECT_EQ(variables.size(), 4U);
    EXPECT_EQ(findSize("counter"), 4U);
    EXPECT_EQ(findSize("table"), 128U);
    EXPECT_EQ(findSize("hidden"), 8U);
    EXPECT_EQ(findSize("calls"), 4U) << "a function's own";
    EXPECT_EQ(findSize("weights"), 0U) << "constant memory does not change";
    EXPECT_EQ(findSize("tile"), 0U);
    EXPECT_TRUE(std::ranges::is_sorted(variables, {}, &ModuleVariable::name));
    EXPECT_TRUE(moduleVariables("").empty());
    EXPECT_TRUE(moduleVariables(compiled->cubin.substr(0, 80)).empty()) << "cut off";
}

WorkSpec floatWork(DType type)
{
    WorkSpec work;
    LaunchSpec launch;
    launch.entry = "k";
    work.launches = {launch};
    BufferSpec index;
    index.type = DType::i32;
    BufferSpec data;
    data.type = type;
    work.buffers = {index, data};
    return work;
}

std::string kernelPtx(const std::string& body)
{
    return ".visible .entry k(\n\t.param .u64 p\n)\n{\n\t.reg .f32 %f<9>;\n" + body + "\tret;\n}\n";
}

constexpr double kLargeError = 3e-4;

TEST(CoarseArithmetic, IsNamedByItsOpcodeWhereTheErrorShowsIt)
{
    const std::string half = kernelPtx("\tld.global.f32 %f1, [%rd1];\n\tcvt.rn.f16.f32 %h1, %f1;\n");
    const std::string tf32 = kernelPtx("\tmma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f1};\n");
    EXPECT_EQ(coarseArithmetic(floatWork(DType::f32), half, kLargeError), "cvt.rn.f16.f32");
    const auto tensor = coarseArithmetic(floatWork(DType::f32), tf32, kLargeError);
    ASSERT_TRUE(tensor);
    EXPECT_TRUE(tensor->starts_with("mma.sync")) << *tensor;
    EXPECT_FALSE(coarseArithmetic(floatWork(DType::f32), half, kCoarseErrorF32 / 2)) << "as exact as FP32 all the same";
    EXPECT_FALSE(coarseArithmetic(floatWork(DType::f16), half, kLargeError)) << "its buffers are as coarse";
    EXPECT_FALSE(coarseArithmetic(floatWork(DType::f32), "", kLargeError)) << "no PTX";
    EXPECT_FALSE(coarseArithmetic(floatWork(DType::i32), half, kLargeError)) << "no floating-point buffer";
}

TEST(CoarseArithmetic, DeclaredItIsNone)
{
    const std::string half = kernelPtx("\tcvt.rn.f16.f32 %h1, %f1;\n");
    WorkSpec work = floatWork(DType::f32);
    work.arithmetic = DType::f16;
    EXPECT_FALSE(coarseArithmetic(work, half, kLargeError));
    work.arithmetic = DType::f32;
    EXPECT_TRUE(coarseArithmetic(work, half, kLargeError));
}

TEST(CoarseArithmetic, OfDoublesIsAlreadyThatOfSingles)
{
    const std::string single = kernelPtx("\tcvt.rn.f32.f64 %f1, %fd1;\n\tfma.rn.f32 %f1, %f1, %f1, %f1;\n");
    EXPECT_TRUE(coarseArithmetic(floatWork(DType::f64), single, 1e-7));
    EXPECT_FALSE(coarseArithmetic(floatWork(DType::f64), single, kCoarseErrorF64 / 2));
    EXPECT_FALSE(coarseArithmetic(floatWork(DType::f32), single, kLargeError)) << "FP32 is its own type";
}

TEST(CoarseArithmetic, MovingHalvesIsNoArithmetic)
{
    const std::string moved = kernelPtx("\tld.global.v2.f16 {%h1, %h2}, [%rd1];\n\tst.global.f16 [%rd2], %h1;\n\tmov.b16 %h3, %h1;\n");
    EXPECT_FALSE(coarseArithmetic(floatWork(DType::f32), moved, kLargeError));
}

TEST(CoarseArithmetic, EveryCoarseTypeOfAnInstructionIsSeen)
{
    for (const char* opcode :
         {"add.rn.f16", "fma.rn.f16x2", "cvt.rn.bf16.f32", "fma.rn.bf16x2", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
          "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32",
          "cvt.rn.satfinite.e4m3x2.f32", "cvt.rn.satfinite.e5m2x2.f32"})
        EXPECT_EQ(coarseArithmetic(floatWork(DType::f32), kernelPtx(std::string("\t") + opcode + " %r1, %r2, %r3;\n"), kLargeError),
                  opcode);
    for (const char* exact : {"add.rn.f32", "fma.rn.f64", "add.s32", "cvt.rn.f64.f32"})
        EXPECT_FALSE(coarseArithmetic(floatWork(DType::f32), kernelPtx(std::string("\t") + exact + " %r1, %r2, %r3;\n"), 1)) << exact;
}

TEST(CoarseArithmetic, TheCoarsestOfBuffersAndDeclarationIsAllowed)
{
    const std::string half = kernelPtx("\tcvt.rn.f16.f32 %h1, %f1;\n"), single = kernelPtx("\tcvt.rn.f32.f64 %f1, %fd1;\n");
    EXPECT_TRUE(coarseArithmetic(floatWork(DType::f32), half, kCoarseErrorF32)) << "from this error on";
    EXPECT_TRUE(coarseArithmetic(floatWork(DType::f64), single, kCoarseErrorF64));
    WorkSpec mixed = floatWork(DType::f64);
    mixed.buffers.push_back(floatWork(DType::f32).buffers.back());
    EXPECT_FALSE(coarseArithmetic(mixed, single, kLargeError)) << "one buffer is of singles";
    EXPECT_TRUE(coarseArithmetic(mixed, half, kLargeError));
    for (const DType coarse : {DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2}) {
        EXPECT_FALSE(coarseArithmetic(floatWork(coarse), half, 1)) << static_cast<int>(coarse);
        WorkSpec declared = floatWork(DType::f32);
        declared.arithmetic = coarse;
        EXPECT_FALSE(coarseArithmetic(declared, half, 1)) << static_cast<int>(coarse);
    }
    WorkSpec integers = floatWork(DType::f32);
    integers.arithmetic = DType::i32;
    EXPECT_TRUE(coarseArithmetic(integers, half, kLargeError)) << "integers do not count";
    integers.arithmetic = DType::boolean;
    EXPECT_TRUE(coarseArithmetic(integers, half, kLargeError));
}

TEST(CoarseArithmetic, EveryKernelOfTheWorkIsLookedAtAndNoOther)
{
    const auto entry = [](const std::string& name, const std::string& body) {
        return ".visible .entry " + name + "(\n\t.param .u64 p\n)\n{\n" + body + "\tret;\n}\n";
    };
    const std::string ptx = entry("first", "\tadd.rn.f32 %f1, %f2, %f3;\n") + entry("second", "\tadd.rn.f16 %h1, %h2, %h3;\n") +
                            entry("third", "\tcvt.rn.bf16.f32 %h1, %f1;\n");
    const auto found = [&](const std::vector<std::string>& entries) {
        WorkSpec work = floatWork(DType::f32);
        work.launches.assign(entries.size(), work.launches.front());
        for (std::size_t i = 0; i < entries.size(); ++i)
            work.launches[i].entry = entries[i];
        return coarseArithmetic(work, ptx, kLargeError).value_or("");
    };
    EXPECT_EQ(found({"first"}), "");
    EXPECT_EQ(found({"first", "second"}), "add.rn.f16");
    EXPECT_EQ(found({"third", "second"}), "cvt.rn.bf16.f32");
    EXPECT_EQ(found({}), "");
}

} // namespace
} // namespace kl
#endif
