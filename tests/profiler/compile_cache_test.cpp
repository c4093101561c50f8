// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "profiler/live/nvrtc/compile_cache.h"
#include "profiler/live/nvrtc/compile_pool.h"
#include "profiler/live/ptx/code_facts.h"
#include "profiler/live/verbs.h"
#include "tests/support/build_folder.h"
#include "tests/support/value_lines.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <latch>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;

class CompileCacheTest : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = fs::temp_directory_path() /
                  ("kl-compile-" + std::to_string(::getpid()) + "-" + testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// A cache whose compiler makes "code of SOURCE", and fails as the source says.
    std::unique_ptr<CompileCache> cache()
    {
        return std::make_unique<CompileCache>(
            FileCache(folder_, 1 << 20),
            [this](const CompileTask& task, const std::stop_token& stop) -> Result<CompiledSource> {
                ++compiled_;
                while (task.source == "endless" && !stop.stop_requested())
                    std::this_thread::yield();
                if (stop.stop_requested())
                    return Error{.code = ErrorCode::interrupted, .message = "stopped"};
                if (task.source == "no compiler")
                    return Error{.code = ErrorCode::environment, .message = "no compiler"};
                CompiledSource made;
                made.ok = task.source != "wrong";
                made.cubin = made.ok ? "code of " + task.source : "";
                made.ptx = std::string(5000, 'p');
                made.log = "log";
                made.seconds = 0.25;
                return made;
            },
            [](const CompileTask& task) { return task.arch + task.source; });
    }

    fs::path folder_;
    std::atomic<int> compiled_{0};
};

TEST_F(CompileCacheTest, WhatOneProcessCompiledAnotherReads)
{
    const auto first = cache()->compile({"a", {}, "sm_90"});
    ASSERT_TRUE(first);
    EXPECT_FALSE((*first)->cached);
    const auto second = cache()->compile({"a", {}, "sm_90"});
    ASSERT_TRUE(second);
    EXPECT_TRUE((*second)->cached);
    EXPECT_EQ((*second)->cubin, "code of a");
    EXPECT_EQ((*second)->ptx, std::string(5000, 'p'));
    EXPECT_EQ((*second)->log, "log");
    EXPECT_EQ((*second)->seconds, 0.25);
    EXPECT_TRUE((*second)->ok);
    EXPECT_EQ(compiled_, 1);
    ASSERT_TRUE(cache()->compile({"a", {}, "sm_80"}));
    EXPECT_EQ(compiled_, 2) << "another architecture is another program";
}

TEST_F(CompileCacheTest, FailuresAreAnsweredAndNotKept)
{
    for (int i = 1; i <= 2; ++i) {
        const auto wrong = cache()->compile({"wrong", {}, "sm_90"});
        ASSERT_TRUE(wrong);
        EXPECT_FALSE((*wrong)->ok);
        EXPECT_EQ(compiled_, i);
    }
    EXPECT_EQ(cache()->compile({"no compiler", {}, "sm_90"}).error().code, ErrorCode::environment);
    EXPECT_EQ(FileCache(folder_, 1).info().entries, 0U);
}

TEST_F(CompileCacheTest, ADamagedEntryIsCompiledAgain)
{
    ASSERT_TRUE(cache()->compile({"a", {}, "sm_90"}));
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
        if (entry.is_regular_file())
            fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    const auto again = cache()->compile({"a", {}, "sm_90"});
    ASSERT_TRUE(again);
    EXPECT_FALSE((*again)->cached);
    EXPECT_EQ(compiled_, 2);
    EXPECT_TRUE((*cache()->compile({"a", {}, "sm_90"}))->cached);
}

TEST_F(CompileCacheTest, ManyThreadsCompileASourceOnce)
{
    const auto shared = cache();
    std::latch start(8);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] {
                start.arrive_and_wait();
                const auto made = shared->compile({"a", {}, "sm_90"});
                EXPECT_TRUE(made && (*made)->cubin == "code of a");
            });
    }
    EXPECT_EQ(compiled_, 1);
}

TEST_F(CompileCacheTest, OneCallersStopIsNotAnothers)
{
    const auto shared = cache();
    std::stop_source stop;
    std::jthread first([&] {
        EXPECT_EQ(shared->compile({"endless", {}, "sm_90"}, stop.get_token()).error().code, ErrorCode::interrupted);
    });
    while (compiled_ == 0)
        std::this_thread::yield();
    std::stop_source other;
    std::jthread second([&] {
        EXPECT_EQ(shared->compile({"endless", {}, "sm_90"}, other.get_token()).error().code, ErrorCode::interrupted);
    });
    stop.request_stop();
    first.join();
    while (compiled_ < 2) // the second took over
        std::this_thread::yield();
    other.request_stop();
}

TEST_F(CompileCacheTest, AnyTextIsNoPackedCode)
{
    EXPECT_FALSE(unpackCompiled(""));
    EXPECT_FALSE(unpackCompiled("some text that is not a frame of any kind"));
    CompiledSource compiled;
    compiled.cubin = "c";
    std::string packed = packCompiled(compiled);
    EXPECT_TRUE(unpackCompiled(packed));
    packed.resize(packed.size() - 2);
    EXPECT_FALSE(unpackCompiled(packed));
}

TEST_F(CompileCacheTest, NotesStandBesideTheCode)
{
    const CompileTask task{"a", {}, "sm_90"};
    EXPECT_FALSE(cache()->note(task));
    cache()->keepNote(task, "what is known");
    EXPECT_EQ(cache()->note(task), "what is known");
    EXPECT_FALSE(cache()->note({"b", {}, "sm_90"}));
    EXPECT_EQ((*cache()->compile(task))->cubin, "code of a") << "a note is not code";
}

TEST(CompilePool, MakesAllAndSaysHowFarItIs)
{
    std::vector<std::string> steps;
    Job job;
    job.progress = [&](const Progress& progress) {
        steps.push_back(progress.step);
        EXPECT_GE(progress.expected.value_or(-1), progress.elapsed) << "in all, not what is left";
        if (steps.size() == 20) {
            EXPECT_DOUBLE_EQ(progress.expected.value_or(-1), progress.elapsed) << "nothing is left";
        }
    };
    std::vector<int> made(20);
    const Status done = compileAll(20, 4, job, [&](std::size_t i, const std::stop_token&) -> Result<bool> {
        ++made[i];
        return i == 7;
    });
    EXPECT_TRUE(done.ok());
    EXPECT_EQ(made, std::vector<int>(20, 1));
    ASSERT_EQ(steps.size(), 20U);
    EXPECT_EQ(test::valueText(steps.back()), "\"20 20 1\"") << "all, and one of them earlier: " << steps.back();
    EXPECT_EQ(compileThreads(3, 20), 3);
    EXPECT_EQ(compileThreads(50, 20), 20);
    EXPECT_GE(compileThreads(0, 20), 1);
    EXPECT_EQ(compileThreads(0, 0), 1);
}

TEST(CompilePool, TheFirstFewStandForAll)
{
    for (const std::size_t count : {1U, 2U, 3U, 10U, 512U, 824U}) {
        std::vector<std::size_t> visited;
        ASSERT_TRUE(compileAll(count, 1, {}, [&](std::size_t i, const std::stop_token&) -> Result<bool> {
            visited.push_back(i);
            return false;
        }));
        std::vector<std::size_t> sorted = visited;
        std::ranges::sort(sorted);
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(sorted[i], i) << "each once";
        double sum = 0;
        const std::size_t first = count / 20;
        for (std::size_t i = 0; i < first; ++i)
            sum += static_cast<double>(visited[i]);
        if (count > 100) {
            EXPECT_NEAR(sum / static_cast<double>(first), static_cast<double>(count) / 2, 0.05 * static_cast<double>(count));
        }
    }
}

TEST(CompilePool, StopsWhenAskedAndAtTheFirstError)
{
    std::stop_source stop;
    Job job;
    job.stop = stop.get_token();
    int made = 0;
    const Status stopped = compileAll(20, 1, job, [&](std::size_t, const std::stop_token&) -> Result<bool> {
        if (++made == 5)
            stop.request_stop();
        return false;
    });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    EXPECT_NE(stopped.error().message.find("5 of 20"), std::string::npos) << stopped.error().message;
    EXPECT_EQ(made, 5);
    made = 0;
    const Status failed = compileAll(20, 1, {}, [&](std::size_t, const std::stop_token&) -> Result<bool> {
        if (++made == 4)
            return Error{.code = ErrorCode::environment, .message = "no compiler"};
        return false;
    });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "no compiler");
    EXPECT_EQ(made, 4) << "nothing more is begun";
}

TEST(CompilePool, ThreadsAreAsManyAsAreWantedAndNoMoreThanTasks)
{
    const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    EXPECT_EQ(compileThreads(0, 1000), std::min(processors, 1000));
    EXPECT_EQ(compileThreads(-1, 1000), std::min(processors, 1000));
    EXPECT_EQ(compileThreads(1, 1000), 1);
    EXPECT_EQ(compileThreads(1000, 1000), 1000);
    EXPECT_EQ(compileThreads(1001, 1000), 1000);
    EXPECT_EQ(compileThreads(7, 0), 1);
}

TEST(CodeFacts, AreKeptAsTextAndForgottenWhenTheyAreNone)
{
    CodeFacts facts = collectCodeFacts("no cubin", "ptx", "ptxas info    : Compiling entry function 'f' for 'sm_90'\n");
    facts.seconds = 0.5;
    ASSERT_EQ(facts.kernels.count("f"), 1U);
    EXPECT_EQ(unpackFacts(packFacts(facts)), facts);
    EXPECT_FALSE(unpackFacts("{}"));
    EXPECT_FALSE(unpackFacts("nonsense"));
    EXPECT_FALSE(unpackFacts(R"({"code": "a", "kernels": {"f": {"resources": 7}}})"));
}

TEST(CodeFacts, EveryMemberIsKept)
{
    CodeFacts facts;
    facts.code = "hash";
    facts.seconds = 1.25;
    facts.kernels["f"] = {{40, 16, 24, 32, 512, 2}, {{"mma", 8}, {"int", 3}}};
    facts.kernels["g"] = {{41, 17, 25, 33, 513, 3}, {}};
    EXPECT_EQ(unpackFacts(packFacts(facts)), facts);
    facts.code.clear();
    EXPECT_FALSE(unpackFacts(packFacts(facts))) << "of no code";
}

TEST(CodeFacts, WithoutMachineCodeThePtxTellsCodeApart)
{
    const std::string log = "ptxas info    : Compiling entry function 'f' for 'sm_90'\nptxas info    : Used 12 registers\n";
    const std::string ptx = ".visible .entry f()\n{\n\tadd.s32 %r1, %r2, %r3;\n\tadd.s32 %r1, %r2, %r3;\n\tbar.sync 0;\n\tret;\n}\n";
    const CodeFacts facts = collectCodeFacts("no cubin", ptx, log);
    EXPECT_EQ(facts.code, collectCodeFacts("another", ptx, log).code);
    EXPECT_NE(facts.code, collectCodeFacts("no cubin", ptx + "\n", log).code);
    EXPECT_EQ(facts.kernels.at("f").resources.registers, 12);
    EXPECT_EQ(facts.kernels.at("f").opcodes, (std::map<std::string, std::int64_t>{{"int", 2}, {"bar", 1}, {"branch", 1}}));
    EXPECT_TRUE(collectCodeFacts("no cubin", ptx, "").kernels.empty());
}

TEST(CompilePool, AStopIsNoFailureWhereAllWereMade)
{
    std::stop_source stop;
    Job job;
    job.stop = stop.get_token();
    EXPECT_TRUE(compileAll(3, 1, job, [&, made = 0](std::size_t, const std::stop_token&) mutable -> Result<bool> {
        if (++made == 3)
            stop.request_stop();
        return true;
    }));
    const Status interrupted = compileAll(3, 1, {}, [](std::size_t, const std::stop_token&) -> Result<bool> {
        return Error{.code = ErrorCode::interrupted, .message = "stopped inside"};
    });
    ASSERT_FALSE(interrupted);
    EXPECT_EQ(interrupted.error().code, ErrorCode::interrupted);
    EXPECT_NE(interrupted.error().message, "stopped inside") << "it says how far it came";
    EXPECT_FALSE(interrupted.error().hint.empty());
    EXPECT_TRUE(compileAll(0, 1, {}, [](std::size_t, const std::stop_token&) -> Result<bool> { return false; }));
}

TEST(CompilePool, WhatWasCompiledEarlierDoesNotShortenTheExpectedTime)
{
    std::vector<Progress> steps;
    Job job;
    job.progress = [&](const Progress& progress) { steps.push_back(progress); };
    ASSERT_TRUE(compileAll(4, 1, job, [made = 0](std::size_t, const std::stop_token&) mutable -> Result<bool> { return ++made < 3; }));
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_DOUBLE_EQ(*steps[0].expected, steps[0].elapsed * 4) << "three are left";
    EXPECT_DOUBLE_EQ(*steps[1].expected, steps[1].elapsed * 3) << "two, of which none is known to be compiled earlier";
    EXPECT_DOUBLE_EQ(*steps[2].expected, steps[2].elapsed * 2) << "one, as long as the one that was compiled";
    EXPECT_DOUBLE_EQ(*steps[3].expected, steps[3].elapsed);
}

TEST(PtxasLog, RegistersSpillsAndSharedMemory)
{
    const auto kernels =
        kernelResources("ptxas info    : 0 bytes gmem\n"
                        "ptxas info    : Compiling entry function 'fat' for 'sm_90'\n"
                        "ptxas info    : Function properties for fat\n"
                        "    72 bytes stack frame, 64 bytes spill stores, 56 bytes spill loads\n"
                        "ptxas info    : Used 255 registers, used 1 barriers, 72 bytes cumulative stack size, 1024 bytes smem\n"
                        "ptxas info    : Function properties for helper\n"
                        "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                        "ptxas info    : Compiling entry function 'thin' for 'sm_90'\n"
                        "ptxas info    : Function properties for thin\n"
                        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                        "ptxas info    : Used 10 registers, used 0 barriers\n");
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels.at("fat"), (KernelResources{255, 72, 64, 56, 1024, 1}));
    EXPECT_EQ(kernels.at("thin"), (KernelResources{10, 0, 0, 0, 0, 0}));
    EXPECT_TRUE(kernelResources("").empty());
}

TEST(BuildMany, OneSourceInManyWays)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    ::setenv("XDG_CACHE_HOME", (test::buildFolder() + "/cache").c_str(), 0); // not the user's
    BuildManyRequest request;
    request.source = "extern \"C\" __global__ void scale(float* x) { __shared__ float t[64]; t[threadIdx.x] = x[threadIdx.x];"
                     " __syncthreads(); x[threadIdx.x] = t[63 - threadIdx.x] * (FACTOR + 0 * UNUSED); }";
    const auto add = [&](std::vector<std::string> options, const char* entry, const char* arch) {
        request.points.push_back({"k" + std::to_string(request.points.size()), arch, std::move(options), {{entry, 64, 512}}});
    };
    add({"-DFACTOR=2", "-DUNUSED=1"}, "scale", "");
    add({"-DFACTOR=2", "-DUNUSED=2"}, "scale", "");
    add({"-DFACTOR=3", "-DUNUSED=1"}, "scale", "");
    add({"-DFACTOR=nonsense", "-DUNUSED=1"}, "scale", "");
    add({"-DFACTOR=2", "-DUNUSED=1"}, "other", "");
    add({"-DFACTOR=2", "-DUNUSED=1"}, "scale", "sm_12");
    const Result<BuildManyAnswer> answer = buildMany(request, {});
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->points.size(), 6U);
    const BuiltPoint& first = answer->points[0];
    ASSERT_TRUE(first.ok) << first.log;
    EXPECT_EQ(first.launches[0].staticSmem, 256);
    EXPECT_EQ(first.launches[0].dynamicSmem, 512);
    EXPECT_EQ(first.launches[0].threads, 64);
    EXPECT_EQ(first.launches[0].barriers, 1);
    EXPECT_GT(first.launches[0].registers, 0);
    EXPECT_EQ(first.launches[0].opcodes.at("bar"), 1);
    EXPECT_EQ(first.code, answer->points[1].code) << "other options, the same program";
    EXPECT_NE(first.code, answer->points[2].code);
    EXPECT_NE(answer->points[3].log.find("nonsense"), std::string::npos);
    EXPECT_NE(answer->points[4].log.find("other"), std::string::npos);
    EXPECT_NE(answer->points[5].log.find("sm_12"), std::string::npos);
    for (std::size_t i = 3; i < 6; ++i)
        EXPECT_FALSE(answer->points[i].ok);
}

} // namespace
} // namespace kl
#endif
