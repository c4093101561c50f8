// SPDX-License-Identifier: MIT
// Users' kernels as requests: each kind of reference, binaries, and the errors of an incorrect kernel.

#include "kernels/data/base64.h"
#include "kernels/data/npy.h"
#include "live_worker.h"

#include <cstring>
#include <fmt/format.h>

namespace kl {
namespace {

class UserKernels : public test::LiveWorker {
protected:
    static constexpr const char* kTwice =
        "extern \"C\" __global__ void f(const float* in, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
        " if (i < n) out[i] = FACTOR * in[i]; }\n";

    /// out = FACTOR · in over 4,096 elements, without a reference.
    WorkSpec twice(const std::string& factor = "2.0f")
    {
        WorkSpec work = copyWork(kTwice);
        work.kernel = "mine/plain";
        work.options.push_back("-DFACTOR=" + factor);
        work.launches[0].entry = "f";
        work.reference = {};
        work.reference.output = "out";
        work.tolerance = {1e-5, 1e-5};
        return work;
    }
    void isRight(const WorkSpec& work)
    {
        const Result<RunAnswer> answer = measure(work);
        ASSERT_TRUE(answer) << answer.error().message << ' ' << answer.error().detail;
        EXPECT_EQ(answer->status, ResultStatus::ok) << answer->reason;
        EXPECT_EQ(answer->correctness.result, CorrectnessResult::correct) << answer->correctness.reason;
        EXPECT_TRUE(answer->timing);
    }
    void isWrong(const WorkSpec& work)
    {
        const Result<RunAnswer> answer = measure(work);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->status, ResultStatus::validationFailed);
        EXPECT_EQ(answer->correctness.unwritten + answer->correctness.nonfinite, 0);
        EXPECT_GT(answer->correctness.maxAbs, work.tolerance.maxAbs);
        EXPECT_NE(answer->reason.find(fmt::format("{:.3g}", answer->correctness.maxAbs)), std::string::npos) << answer->reason;
        EXPECT_FALSE(answer->timing);
    }
};

TEST_F(UserKernels, AnExpressionJudges)
{
    WorkSpec work = twice();
    work.reference.inputs = {"in"};
    work.reference.expression = "2 * in(i)";
    work.reference.index = {{"i", 4096}};
    isRight(work);
    work.options.back() = "-DFACTOR=2.01f";
    isWrong(work);
}

TEST_F(UserKernels, AReferenceKernelJudges)
{
    WorkSpec work = twice();
    work.reference.kernel = CodeSpec{"mine/slow", kTwice, {}, {}, {"-DFACTOR=2.0f"}, {}, work.launches};
    isRight(work);
    work.options.back() = "-DFACTOR=2.01f";
    isWrong(work);
    work.reference.kernel->source = "broken(";
    const Result<RunAnswer> answer = measure(work);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::compilationFailed);
    EXPECT_NE(answer->reason.find("mine/slow"), std::string::npos) << answer->reason;
}

TEST_F(UserKernels, FilesFeedAndJudge)
{
    std::vector<float> values(4096);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) / 16;
    const auto coded = [&] { return toBase64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)}); };
    WorkSpec work = twice();
    for (BufferSpec& buffer : work.buffers)
        if (buffer.name == "in") {
            buffer.fill = Fill::file;
            buffer.content = coded();
        }
    for (float& value : values)
        value *= 2;
    work.reference.data = DataSpec{DType::f32, coded()};
    isRight(work);
    work.options.back() = "-DFACTOR=1.9f";
    isWrong(work);
}

TEST_F(UserKernels, AScriptJudgesAndItsFailureIsReported)
{
    WorkSpec work = twice();
    work.reference.inputs = {"in"};
    work.reference.script = ScriptSpec{"mine.py", "import numpy\nnumpy.save('out.npy', 2 * numpy.load('in.npy'))\n", 60};
    const Result<RunAnswer> probe = measure(work);
    if (!probe && probe.error().detail.find("No module named 'numpy'") != std::string::npos)
        GTEST_SKIP() << "python3 has no numpy";
    isRight(work);
    work.options.back() = "-DFACTOR=2.01f";
    isWrong(work);
    work.reference.script->text = "raise ValueError('no such luck')\n";
    const Result<RunAnswer> failed = measure(work);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::badInput);
    EXPECT_NE(failed.error().detail.find("no such luck"), std::string::npos);
    nextRequestWorks();
}

TEST_F(UserKernels, PtxIsAssembledByTheDriver)
{
    WorkSpec work = twice();
    work.reference.inputs = {"in"};
    work.reference.expression = "in";
    work.reference.index = {{"i", 4096}};
    work.launches[0].entry = "copy";
    work.source.clear();
    const std::string ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 in, .param .u64 out, .param .u32 n)
{
    .reg .pred p; .reg .b32 i, b, t, m; .reg .b64 a, c, o; .reg .f32 v;
    mov.u32 b, %ctaid.x; mov.u32 t, %ntid.x; mov.u32 i, %tid.x;
    mad.lo.s32 i, b, t, i;
    ld.param.u32 m, [n];
    setp.ge.s32 p, i, m;
    @p ret;
    ld.param.u64 a, [in]; ld.param.u64 c, [out];
    cvta.to.global.u64 a, a; cvta.to.global.u64 c, c;
    mul.wide.s32 o, i, 4;
    add.s64 a, a, o; add.s64 c, c, o;
    ld.global.f32 v, [a];
    st.global.f32 [c], v;
    ret;
}
)";
    work.image = ImageSpec{true, "copy.ptx", toBase64(ptx)};
    isRight(work);
    work.image->base64 = toBase64(ptx + "nonsense\n");
    const Result<RunAnswer> bad = measure(work);
    ASSERT_TRUE(bad) << bad.error().message;
    EXPECT_EQ(bad->status, ResultStatus::compilationFailed);
    EXPECT_NE(bad->reason.find(work.kernel), std::string::npos) << bad->reason;
    const std::size_t lineEnd = bad->reason.find('\n');
    ASSERT_NE(lineEnd, std::string::npos) << "without what the assembler says: " << bad->reason;
    EXPECT_GT(bad->reason.size(), lineEnd + 1) << bad->reason;
    nextRequestWorks();
}

TEST_F(UserKernels, SharedMemoryOfPtxHasTheAlignmentThatItAsksFor)
{
    WorkSpec work = twice();
    work.reference.inputs = {"in"};
    work.reference.expression = "in";
    work.reference.index = {{"i", 4096}};
    work.launches[0].entry = "copy";
    work.launches[0].dynamicSmem = 4096;
    work.source.clear();
    // Adds where its dynamic shared memory lies in 1024 bytes: 0, though 8 bytes of static memory come before it.
    work.image = ImageSpec{true, "aligned.ptx", toBase64(R"(.version 7.0
.target sm_70
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry copy(.param .u64 in, .param .u64 out, .param .u32 n)
{
    .shared .align 8 .b8 barrier[8];
    .reg .pred p; .reg .b32 i, b, t, m, w; .reg .b64 a, c, o; .reg .f32 v, x;
    mov.u32 b, %ctaid.x; mov.u32 t, %ntid.x; mov.u32 i, %tid.x;
    mad.lo.s32 i, b, t, i;
    ld.param.u32 m, [n];
    setp.ge.s32 p, i, m;
    @p ret;
    mov.u32 w, barrier;
    st.shared.u32 [w], i;
    mov.u32 w, tile;
    and.b32 w, w, 1023;
    cvt.rn.f32.u32 x, w;
    ld.param.u64 a, [in]; ld.param.u64 c, [out];
    cvta.to.global.u64 a, a; cvta.to.global.u64 c, c;
    mul.wide.s32 o, i, 4;
    add.s64 a, a, o; add.s64 c, c, o;
    ld.global.f32 v, [a];
    add.f32 v, v, x;
    st.global.f32 [c], v;
    ret;
}
)")};
    isRight(work);
}

TEST_F(UserKernels, ACubinIsNoPtxAndNoText)
{
    WorkSpec work = twice();
    work.source.clear();
    work.image = ImageSpec{false, "k.cubin", toBase64("hello")};
    const Result<RunAnswer> answer = measure(work);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::compilationFailed);
    EXPECT_NE(answer->reason.find("k.cubin "), std::string::npos) << answer->reason;
    EXPECT_EQ(answer->reason.find("sm_"), std::string::npos) << "it is for no GPU at all: " << answer->reason;
    nextRequestWorks();
}

} // namespace
} // namespace kl
