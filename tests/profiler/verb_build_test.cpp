// SPDX-License-Identifier: MIT
// The requests that compile and need no GPU: one work, and one source in many ways.
#ifdef KL_HAVE_LIVE
#include "core/base/ids.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/code_facts.h"
#include "profiler/live/ptx/ptxas_log.h"
#include "profiler/live/verbs.h"
#include "tests/support/build_folder.h"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class BuildVerbs : public testing::Test {
protected:
    void SetUp() override
    {
        if (const auto& loaded = Nvrtc::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
        ::setenv("XDG_CACHE_HOME", (test::buildFolder() + "/cache").c_str(), 0); // not the user's
    }

    /// Of this call alone, so that no cache has it.
    static std::string fresh(const std::string& source) { return source + "\n// " + newUuid() + '\n'; }
    static WorkSpec work(const std::string& source)
    {
        WorkSpec spec;
        spec.kernel = "mine/fast";
        spec.source = source;
        return spec;
    }
};

TEST_F(BuildVerbs, AWorkIsCompiledForItsTargetWithItsOptionsAndHeaders)
{
    BuildRequest request;
    request.work = work(fresh("#include \"mine.h\"\nextern \"C\" __global__ void k(float* x) { x[0] = MINE + OPTION + __CUDA_ARCH__; }"));
    request.work.headers = {{"mine.h", "#define MINE 1\n"}};
    request.work.options = {"-DOPTION=2"};
    request.arch = "sm_80";
    const Result<CompileAnswer> plain = buildWork(request);
    ASSERT_TRUE(plain) << plain.error().message;
    EXPECT_EQ(plain->status, ResultStatus::ok) << plain->log;
    EXPECT_EQ(plain->reason, "");
    EXPECT_EQ(plain->arch, "sm_80");
    EXPECT_THAT(plain->log, HasSubstr("sm_80"));
    EXPECT_GT(plain->seconds, 0);
    request.work.targets = {"sm_100f", "sm_90a"};
    request.arch = "sm_90";
    EXPECT_EQ(buildWork(request)->arch, "sm_90a");
    request.arch = "sm_80";
    const Result<CompileAnswer> none = buildWork(request);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::environment);
}

TEST_F(BuildVerbs, AFailureIsAnAnswerAndABinaryAnError)
{
    BuildRequest request;
    request.work = work("extern \"C\" __global__ void k(float* x) { x[0] = nonsense; }");
    const Result<CompileAnswer> failed = buildWork(request);
    ASSERT_TRUE(failed) << failed.error().message;
    EXPECT_EQ(failed->status, ResultStatus::compilationFailed);
    EXPECT_THAT(failed->reason, HasSubstr("mine/fast"));
    EXPECT_THAT(failed->log, HasSubstr("nonsense"));
    EXPECT_EQ(failed->arch, "sm_90");
    request.work.image = ImageSpec{false, "fast.cubin", "AAAA"};
    const Result<CompileAnswer> binary = buildWork(request);
    ASSERT_FALSE(binary);
    EXPECT_EQ(binary.error().code, ErrorCode::badInput);
    EXPECT_EQ(binary.error().where, "mine/fast");
    EXPECT_THAT(binary.error().message, HasSubstr("fast.cubin"));
}

BuildPoint pointWith(const std::string& kernel, std::vector<std::string> options, int threads = 64, std::int64_t dynamicSmem = 0)
{
    return {kernel, {}, std::move(options), {{"k", threads, dynamicSmem}}};
}

TEST_F(BuildVerbs, PointsAreAnsweredInTheirOrderWithWhatTheAssemblerReports)
{
    BuildManyRequest request;
    request.source = fresh(
        "#include \"mine.h\"\nextern \"C\" __global__ void __launch_bounds__(1024, 2) k(float* x)\n{\n"
        "    __shared__ float t[MINE];\n    float v[N];\n#pragma unroll\n    for (int i = 0; i < N; ++i) v[i] = x[i * 32 + threadIdx.x];\n"
        "    t[threadIdx.x % MINE] = v[0];\n    __syncthreads();\n#pragma unroll\n    for (int i = 0; i < N; ++i) x[i] = v[i] * t[i % "
        "MINE];\n}\n");
    request.headers = {{"mine.h", "#define MINE 48\n"}};
    request.arch = "sm_80";
    request.jobs = 1;
    request.points = {pointWith("few", {"-DN=4"}, 96, 512), pointWith("many", {"-DN=90"})};
    request.points[1].arch = "sm_90";
    const Result<BuildManyAnswer> answer = buildMany(request, {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->compiler, "NVRTC " + Nvrtc::load()->version());
    EXPECT_EQ(answer->arch, "sm_80");
    EXPECT_EQ(answer->jobs, 1);
    EXPECT_GT(answer->seconds, 0);
    ASSERT_EQ(answer->points.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        const BuiltPoint& point = answer->points[i];
        ASSERT_TRUE(point.ok) << point.log;
        EXPECT_EQ(point.kernel, i == 0 ? "few" : "many");
        EXPECT_EQ(point.arch, i == 0 ? "sm_80" : "sm_90");
        EXPECT_FALSE(point.cached);
        EXPECT_GT(point.seconds, 0);
        const Result<CompiledSource> alone =
            Nvrtc::load()->compile({request.source, request.points[i].options, point.arch, request.headers});
        const KernelResources reported = kernelResources(alone->log).at("k");
        ASSERT_EQ(point.launches.size(), 1U);
        const CompiledLaunch& launch = point.launches[0];
        EXPECT_EQ(launch.entry, "k");
        EXPECT_EQ(launch.threads, i == 0 ? 96 : 64);
        EXPECT_EQ(launch.dynamicSmem, i == 0 ? 512 : 0);
        EXPECT_EQ(launch.registers, reported.registers);
        EXPECT_EQ(launch.stackBytes, reported.stackBytes);
        EXPECT_EQ(launch.spillStores, reported.spillStores);
        EXPECT_EQ(launch.spillLoads, reported.spillLoads);
        EXPECT_EQ(launch.staticSmem, 48 * 4);
        EXPECT_EQ(launch.barriers, 1);
        EXPECT_EQ(launch.opcodes.at("bar"), 1);
        EXPECT_THAT(launch.lines, IsEmpty()) << "not requested";
    }
    EXPECT_GT(answer->points[1].launches[0].spillStores, 0) << "a point that shows it";
}

TEST_F(BuildVerbs, WhatWasCompiledIsKnownAgainAndLinesAreGivenWhereTheyAreRequested)
{
    BuildManyRequest request;
    request.source = fresh("extern \"C\" __global__ void k(float* x)\n{\n    x[threadIdx.x] *= 2;\n    __syncthreads();\n}");
    request.points = {pointWith("one", {})};
    const Result<BuildManyAnswer> first = buildMany(request, {});
    ASSERT_TRUE(first && first->points[0].ok) << first->points[0].log;
    EXPECT_FALSE(first->points[0].cached);
    const Result<BuildManyAnswer> second = buildMany(request, {});
    ASSERT_TRUE(second && second->points[0].ok);
    EXPECT_TRUE(second->points[0].cached);
    EXPECT_EQ(second->points[0].seconds, first->points[0].seconds) << "as when it was compiled";
    EXPECT_EQ(second->points[0].launches, first->points[0].launches);
    EXPECT_EQ(second->points[0].code, first->points[0].code);
    request.lines = true;
    const Result<BuildManyAnswer> lines = buildMany(request, {});
    ASSERT_TRUE(lines && lines->points[0].ok);
    const std::vector<CodeLine>& found = lines->points[0].launches[0].lines;
    const auto barrier = std::ranges::find(found, 4, &CodeLine::line);
    ASSERT_NE(barrier, found.end());
    EXPECT_EQ(barrier->opcodes.at("bar"), 1);
    EXPECT_EQ(lines->points[0].code, first->points[0].code);
}

TEST_F(BuildVerbs, ProgramsDifferByTheirCodeAndTheShapeOfTheirLaunches)
{
    BuildManyRequest request;
    request.source =
        fresh("extern \"C\" __global__ void k(float* x) { x[threadIdx.x] *= F; }\nextern \"C\" __global__ void l(float* x) { x[0] = 1; }");
    request.points = {pointWith("same", {"-DF=2"}), pointWith("again", {"-DF=2", "-DNOTHING"}), pointWith("threads", {"-DF=2"}, 65),
                      pointWith("shared", {"-DF=2"}, 64, 16), pointWith("factor", {"-DF=3"})};
    request.points.push_back({"entry", {}, {"-DF=2"}, {{"l", 64, 0}}});
    request.points.push_back({"both", {}, {"-DF=2"}, {{"k", 64, 0}, {"l", 64, 0}}});
    const Result<BuildManyAnswer> answer = buildMany(request, {});
    ASSERT_TRUE(answer) << answer.error().message;
    for (const BuiltPoint& point : answer->points)
        ASSERT_TRUE(point.ok) << point.log;
    EXPECT_EQ(answer->points[1].code, answer->points[0].code);
    for (std::size_t i = 2; i < answer->points.size(); ++i)
        for (std::size_t other = 0; other < i; ++other)
            EXPECT_NE(answer->points[i].code, answer->points[other].code) << answer->points[i].kernel;
    EXPECT_EQ(answer->points[6].launches.size(), 2U);
    EXPECT_EQ(answer->points[6].launches[1].entry, "l");
}

TEST_F(BuildVerbs, TheSameMachineCodeIsTheSameProgramWhateverItsPtxIs)
{
    const auto compiled = [](const char* factor) {
        const auto made = Nvrtc::load()->compile(
            {std::string("extern \"C\" __global__ void f(float* x) { x[threadIdx.x] *= ") + factor + "; }", {}, "sm_90"});
        EXPECT_TRUE(made.ok() && made->ok);
        return made ? *made : CompiledSource{};
    };
    const CompiledSource two = compiled("2.0f"), three = compiled("3.0f");
    const CodeFacts facts = collectCodeFacts(two.cubin, two.ptx, two.log);
    EXPECT_EQ(facts.code, collectCodeFacts(two.cubin, "// another text\n" + two.ptx, two.log).code);
    EXPECT_EQ(facts.code, collectCodeFacts(two.cubin, three.ptx, "").code);
    EXPECT_NE(facts.code, collectCodeFacts(three.cubin, two.ptx, two.log).code);
    EXPECT_EQ(facts.kernels.count("f"), 1U);
    EXPECT_GT(facts.kernels.at("f").resources.registers, 0);
    EXPECT_FALSE(facts.kernels.at("f").opcodes.empty());
}

TEST_F(BuildVerbs, APointThatCannotBeBuiltSaysWhyAndOnlyAllTogetherAreAnError)
{
    BuildManyRequest request;
    request.source = "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] *= F; }";
    request.points = {pointWith("unknown", {"-DF=1"}), pointWith("wrong", {"-DF=nonsense"})};
    request.points[0].arch = "sm_12";
    const Result<BuildManyAnswer> some = buildMany(request, {});
    ASSERT_TRUE(some) << some.error().message;
    EXPECT_FALSE(some->points[0].ok);
    EXPECT_THAT(some->points[0].log, HasSubstr("sm_12"));
    EXPECT_EQ(some->points[0].arch, "sm_12");
    EXPECT_EQ(some->points[0].kernel, "unknown");
    EXPECT_FALSE(some->points[1].ok);
    EXPECT_THAT(some->points[1].launches, IsEmpty());
    request.points[1].arch = "sm_13";
    const Result<BuildManyAnswer> none = buildMany(request, {});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("sm_12")) << "that of the first";
    request.points = {pointWith("long", {"-DF=1"})};
    for (int i = 0; i < 90; ++i)
        request.source +=
            "\nint variable" + std::to_string(i) + " = a_name_that_is_nowhere_declared_and_rather_long_" + std::to_string(i) + ";";
    const Result<BuildManyAnswer> longest = buildMany(request, {});
    ASSERT_TRUE(longest) << longest.error().message;
    EXPECT_EQ(longest->points[0].log.size(), 4000U);
    EXPECT_THAT(longest->points[0].log, HasSubstr("rather_long_0")) << "its beginning";
}

TEST_F(BuildVerbs, StoppingEndsThem)
{
    BuildManyRequest request;
    request.source = fresh("extern \"C\" __global__ void k(float* x) { x[0] = 1; }");
    request.points = {pointWith("one", {}), pointWith("two", {"-DX"})};
    std::stop_source stop;
    stop.request_stop();
    Job job;
    job.stop = stop.get_token();
    const Result<BuildManyAnswer> answer = buildMany(request, job);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
}

} // namespace
} // namespace kl
#endif
