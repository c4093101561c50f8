// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/opcodes.h"

#include "core/base/resource.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace kl {
namespace {

#define KL_NEED_NVRTC()                                                                                                                    \
    if (const auto& loaded = Nvrtc::load(); !loaded)                                                                                       \
    GTEST_SKIP() << loaded.error().message

constexpr const char* kCopy = "extern \"C\" __global__ void copy(const float* in, float* out, int n)"
                              "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }\n";

TEST(NvrtcCompile, GivesCubinPtxAndTheRegisterLog)
{
    KL_NEED_NVRTC();
    const auto compiled = Nvrtc::load()->compile({kCopy, {"--std=c++17"}, "sm_90"});
    ASSERT_TRUE(compiled.ok()) << compiled.error().message;
    EXPECT_TRUE(compiled->ok);
    EXPECT_EQ(compiled->cubin.substr(1, 3), "ELF");
    EXPECT_NE(compiled->ptx.find(".target sm_90"), std::string::npos);
    EXPECT_NE(compiled->log.find("registers"), std::string::npos) << compiled->log;
}

TEST(NvrtcCompile, AnErrorInTheSourceIsAnAnswerWithItsLine)
{
    KL_NEED_NVRTC();
    const auto compiled = Nvrtc::load()->compile({"extern \"C\" __global__ void broken() {\n  nonsense;\n}", {}, "sm_90"});
    ASSERT_TRUE(compiled.ok());
    EXPECT_FALSE(compiled->ok);
    EXPECT_TRUE(compiled->cubin.empty());
    EXPECT_NE(compiled->log.find("kernel.cu(2)"), std::string::npos) << compiled->log;
}

/// What a request may not ask the compiler for, regardless of its sender: other people's files are neither changed nor read.
TEST(NvrtcCompile, OptionsAndInclusionsTouchNoOtherFile)
{
    KL_NEED_NVRTC();
    const std::string precious = (std::filesystem::temp_directory_path() / ("kl-precious-" + std::to_string(::getpid()) + ".txt")).string();
    const auto content = [&] {
        std::ifstream in(precious);
        return std::string{std::istreambuf_iterator<char>(in), {}};
    };
    std::ofstream(precious) << "int precious;\n";
    for (const std::string& option :
         {"--create-pch=" + precious, "--time=" + precious, "-time=" + precious, "--fdevice-time-trace=" + precious,
          "--pre-include=" + precious, "-I" + std::string("/"), "--use-pch=" + precious, "--ptxas-options=--output-file=" + precious,
          std::string("-arch=sm_80"), std::string("--no-such-option")}) {
        const auto compiled = Nvrtc::load()->compile({kCopy, {option}, "sm_90"});
        ASSERT_FALSE(compiled.ok()) << option;
        EXPECT_EQ(compiled.error().code, ErrorCode::badInput) << option;
        EXPECT_EQ(content(), "int precious;\n") << option;
    }
    // A value of two words stays one: the second is not an option.
    EXPECT_TRUE(Nvrtc::load()->compile({kCopy, {"-DX=1 --create-pch=" + precious}, "sm_90"}).ok());
    EXPECT_EQ(content(), "int precious;\n");
    for (const std::string& line : {"#include \"" + precious + '"', "#include <" + precious + '>', "%:inc\\\nlude \"" + precious + '"',
                                    "#define P \"" + precious + "\"\n#include P"}) {
        const auto compiled = Nvrtc::load()->compile({line + '\n' + kCopy, {}, "sm_90"});
        ASSERT_FALSE(compiled.ok()) << line;
        EXPECT_EQ(compiled.error().code, ErrorCode::badInput) << line;
        EXPECT_EQ(Nvrtc::load()->compile({"#include \"a.h\"\n" + std::string(kCopy), {}, "sm_90", {{"a.h", line}}}).error().code,
                  ErrorCode::badInput);
    }
    std::filesystem::remove(precious);
}

/// Hopper's warp-group instructions exist for sm_90a alone.
TEST(NvrtcCompile, FeatureTargetsCompileWhatTheirBaseCannot)
{
    KL_NEED_NVRTC();
    const std::string hopper =
        "extern \"C\" __global__ void f() {\n"
        "  asm volatile(\"wgmma.fence.sync.aligned;\");\n  asm volatile(\"setmaxnreg.dec.sync.aligned.u32 40;\");\n}\n";
    const auto special = Nvrtc::load()->compile({hopper, {}, "sm_90a"});
    ASSERT_TRUE(special.ok()) << special.error().message;
    EXPECT_TRUE(special->ok) << special->log;
    const auto plain = Nvrtc::load()->compile({hopper, {}, "sm_90"});
    ASSERT_TRUE(plain.ok());
    EXPECT_FALSE(plain->ok);
    for (const char* target : {"sm_100a", "sm_103a", "sm_120a", "sm_100f"})
        if (Nvrtc::load()->checkSupported(target)) {
            const auto compiled = Nvrtc::load()->compile({kCopy, {}, target});
            ASSERT_TRUE(compiled.ok()) << target;
            EXPECT_TRUE(compiled->ok) << target << compiled->log;
        }
    for (const char* unknown : {"sm_12", "sm_80a", "sm_90f", "sm_90b", "compute_90", ""}) {
        const Status supported = Nvrtc::load()->checkSupported(unknown);
        ASSERT_FALSE(supported) << unknown;
        EXPECT_NE(supported.error().hint.find("sm_90, sm_90a"), std::string::npos) << supported.error().hint;
    }
}

TEST(NvrtcCompile, WhatMakesOtherCodeMakesAnotherIdentity)
{
    KL_NEED_NVRTC();
    const Nvrtc& compiler = *Nvrtc::load();
    const CompileTask task{"#include \"a.h\"\n", {"-DA=1", "-DB=2"}, "sm_90", {{"a.h", "int a;"}, {"b.h", "int b;"}}};
    const auto changed = [&](const auto& change) {
        CompileTask other = task;
        change(other);
        return compiler.identity(other) != compiler.identity(task);
    };
    EXPECT_FALSE(changed([](CompileTask&) {}));
    EXPECT_TRUE(changed([](CompileTask& other) { other.source += ' '; }));
    EXPECT_TRUE(changed([](CompileTask& other) { other.arch = "sm_90a"; }));
    EXPECT_TRUE(changed([](CompileTask& other) { other.options.pop_back(); }));
    EXPECT_TRUE(changed([](CompileTask& other) { std::swap(other.options[0], other.options[1]); }));
    EXPECT_TRUE(changed([](CompileTask& other) { other.options = {"-DA=1-DB=2"}; }));
    EXPECT_TRUE(changed([](CompileTask& other) { other.headers["a.h"] = "int c;"; }));
    EXPECT_TRUE(changed([](CompileTask& other) { other.headers["b.h"] = "int c;"; })) << "whichever header it is";
    EXPECT_TRUE(changed([](CompileTask& other) { other.headers.erase("b.h"); }));
    EXPECT_TRUE(changed([](CompileTask& other) { std::swap(other.headers["a.h"], other.headers["b.h"]); }));
    EXPECT_NE(compiler.identity(task).find(compiler.version()), std::string::npos);
}

TEST(NvrtcCompile, WhatItCannotCompileForSaysWhatItCan)
{
    KL_NEED_NVRTC();
    for (const char* unknown : {"sm_80a", "sm_90f"}) {
        const Status refused = Nvrtc::load()->checkSupported(unknown);
        ASSERT_FALSE(refused) << unknown;
        EXPECT_EQ(refused.error().code, ErrorCode::environment);
        EXPECT_EQ(refused.error().where, unknown);
        EXPECT_EQ(refused.error().hint.find("sm_80a"), std::string::npos);
        EXPECT_EQ(refused.error().hint.find("sm_90f"), std::string::npos);
    }
    EXPECT_TRUE(Nvrtc::load()->checkSupported("sm_80"));
    EXPECT_TRUE(Nvrtc::load()->checkSupported("sm_90a"));
    EXPECT_EQ(Nvrtc::load()->checkSupported("sm_100f").ok(), Nvrtc::load()->versionNumber() >= 12090);
}

TEST(NvrtcCompile, AnArchitectureItDoesNotKnowIsRefused)
{
    KL_NEED_NVRTC();
    const auto compiled = Nvrtc::load()->compile({kCopy, {}, "sm_12"});
    ASSERT_FALSE(compiled.ok());
    EXPECT_EQ(compiled.error().code, ErrorCode::environment);
    EXPECT_NE(compiled.error().message.find("sm_12"), std::string::npos);
}

TEST(NvrtcCompile, ListsHopperAmongItsArchitectures)
{
    KL_NEED_NVRTC();
    const auto list = Nvrtc::load()->architectures();
    EXPECT_NE(std::find(list.begin(), list.end(), 90), list.end());
    EXPECT_GE(Nvrtc::load()->versionNumber(), 12000);
}

TEST(NvrtcOpcodes, CountTheCompiledEntryAlone)
{
    KL_NEED_NVRTC();
    std::string two = kCopy; // not operator+, over which g++ 12 warns without cause
    two += "extern \"C\" __global__ void copy2(float* out) { out[threadIdx.x] = __expf(out[0]); }";
    const auto compiled = Nvrtc::load()->compile({two, {}, "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const auto mix = opcodeMix(compiled->ptx, "copy");
    EXPECT_EQ(mix.at("ld.global"), 1);
    EXPECT_EQ(mix.at("st.global"), 1);
    EXPECT_FALSE(mix.contains("xu"));
    EXPECT_GE(opcodeMix(compiled->ptx, "copy2").at("xu"), 1);
}

TEST(NvrtcOpcodes, BarriersAndSharedMemoryOfATile)
{
    KL_NEED_NVRTC();
    const auto compiled = Nvrtc::load()->compile(
        {"extern \"C\" __global__ void tile(const float* in, float* out) { __shared__ float t[256]; t[threadIdx.x] = in[threadIdx.x];"
         " __syncthreads(); out[threadIdx.x] = t[255 - threadIdx.x]; }",
         {},
         "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const auto mix = opcodeMix(compiled->ptx, "tile");
    EXPECT_EQ(mix.at("bar"), 1);
    EXPECT_EQ(mix.at("st.shared"), 1);
    EXPECT_EQ(mix.at("ld.shared"), 1);
}

TEST(NvrtcOpcodes, AnAbsentEntryHasNoMix)
{
    EXPECT_TRUE(opcodeMix(".visible .entry other(\n)\n{\n\tret;\n}", "mine").empty());
}

TEST(NvrtcOpcodes, ReadPlainPtx)
{
    const auto mix =
        opcodeMix(".visible .entry k(\n\t.param .u64 p\n)\n{\n\t.reg .f32 %f<3>;\n\tld.param.u64 %rd1, [p];\n"
                  "\tfma.rn.f32 %f1, %f2, %f2, %f1;\n$L__BB0_1:\n\t@%p1 bra $L__BB0_1;\n\t{ mma.sync.aligned.m16n8k16.row.col;\n"
                  "\t}\n\tatom.global.add.u32 %r1, [%rd1], 1;\n\tret;\n}",
                  "k");
    EXPECT_EQ(mix.at("ld.param"), 1);
    EXPECT_EQ(mix.at("fma.f32"), 1);
    EXPECT_EQ(mix.at("branch"), 2);
    EXPECT_EQ(mix.at("atom"), 1);
}

TEST(NvrtcOpcodes, ByLineOfTheSource)
{
    KL_NEED_NVRTC();
    const std::string source = "__device__ __forceinline__ float twice(float x)\n"
                               "{\n"
                               "    return sinf(x) * 2;\n"
                               "}\n"
                               "extern \"C\" __global__ void k(float* out)\n"
                               "{\n"
                               "    out[0] = __sinf(out[1]);\n"
                               "    __syncthreads();\n"
                               "    out[2] = twice(out[3]);\n"
                               "}\n";
    const auto compiled = Nvrtc::load()->compile({source, {}, "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const std::vector<CodeLine> lines = opcodesByLine(compiled->ptx, "k");
    const auto at = [&](int number) {
        const auto found = std::ranges::find(lines, number, &CodeLine::line);
        return found == lines.end() ? CodeLine{} : *found;
    };
    EXPECT_EQ(at(7).opcodes.at("ld.global"), 1);
    EXPECT_EQ(at(7).opcodes.at("xu"), 1);
    EXPECT_EQ(at(8).opcodes, (std::map<std::string, std::int64_t>{{"bar", 1}}));
    EXPECT_EQ(at(9).opcodes.at("st.global"), 1);
    EXPECT_GE(at(3).instructions(), 1) << "inlined code counts for its own line";
    std::map<std::string, std::int64_t> sum;
    for (const CodeLine& line : lines)
        for (const auto& [name, count] : line.opcodes)
            sum[name] += count;
    const auto mix = opcodeMix(compiled->ptx, "k");
    EXPECT_EQ(sum.at("st.global"), mix.at("st.global"));
    EXPECT_EQ(sum.at("bar"), mix.at("bar"));
    for (const auto& [name, count] : sum)
        EXPECT_LE(count, mix.at(name)) << name;
    EXPECT_TRUE(opcodesByLine(compiled->ptx, "other").empty());
}

TEST(NvrtcOpcodes, LinesOfPlainPtx)
{
    const auto lines =
        opcodesByLine(".visible .entry k(\n)\n{\n\t.loc 2 9 1\n\tmov.u32 %r1, 0;\n\t.loc\t1 4 7, function_name $i, inlined_at 1 9 3\n"
                      "\tadd.s32 %r1, %r1, 1;\n$L__BB0_1:\n\t@%p1 bra $L__BB0_1;\n\t.loc 1 0 0\n\tret;\n}\n\t.file 1 \"/tmp/kernel.cu\"\n"
                      "\t.file 2 \"/tmp/other-kernel.cu\"\n",
                      "k");
    ASSERT_EQ(lines.size(), 1U) << "of the source itself";
    EXPECT_EQ(lines[0], (CodeLine{4, {{"int", 1}, {"branch", 1}}}));
}

TEST(NvrtcOpcodes, Classes)
{
    EXPECT_EQ(opcodeClass("ld.global.nc.v4.f32"), "ld.global");
    EXPECT_EQ(opcodeClass("st.shared::cta.u32"), "st.shared");
    EXPECT_EQ(opcodeClass("fma.rn.f64"), "fma.f64");
    EXPECT_EQ(opcodeClass("mad.lo.s32"), "int");
    EXPECT_EQ(opcodeClass("add.f16x2"), "fma.f16");
    EXPECT_EQ(opcodeClass("ex2.approx.ftz.f32"), "xu");
    EXPECT_EQ(opcodeClass("cp.async.cg.shared.global"), "cp.async");
    EXPECT_EQ(opcodeClass("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "mma");
}

} // namespace
} // namespace kl
#endif
