// SPDX-License-Identifier: MIT
// What NVRTC makes of marks: nothing in timed builds, and PTX that still assembles in builds for a timeline.
#ifdef KL_HAVE_LIVE
#include "core/base/scratch_folder.h"
#include "core/process/run_to_end.h"
#include "kernels/catalog.h"
#include "kernels/user_kernel.h"
#include "profiler/live/nvrtc/mark_header.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/code_sections.h"
#include "profiler/live/ptx/module_variables.h"
#include "profiler/live/ptx/ptx_marks.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr double kAssemblySeconds = 60;
constexpr const char* kAssembler = "/usr/local/cuda/bin/ptxas";

class TimelineCompile : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (const auto& loaded = Nvrtc::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
    }

    static CompiledSource compile(const WorkSpec& work, const std::string& arch, std::vector<std::string> more = {})
    {
        CompileTask task{work.source, work.options, arch, work.headers};
        task.options.insert(task.options.end(), more.begin(), more.end());
        const auto compiled = Nvrtc::load()->compile(task);
        EXPECT_TRUE(compiled.ok() && compiled->ok) << (compiled ? compiled->log : compiled.error().message);
        return compiled ? *compiled : CompiledSource{};
    }

    /// Empty where the toolkit's assembler takes the text.
    static std::string assemble(const std::string& ptx)
    {
        const Result<ScratchFolder> folder = ScratchFolder::make();
        const std::filesystem::path file = folder->path() / "marked.ptx";
        std::ofstream(file) << ptx;
        std::error_code failure;
        const CompletedRun run =
            runToEnd({.arguments = {kAssembler, "-arch=sm_90a", file.string(), "-o", (folder->path() / "marked.cubin").string()}},
                     kAssemblySeconds, {}, failure);
        return failure ? failure.message() : run.output;
    }

    static MarkedPtx mark(const std::string& ptx, const LaunchSpec& launch)
    {
        std::int64_t threads = 1;
        for (const std::int64_t size : launch.block)
            threads *= size;
        const int warps = static_cast<int>((threads + 31) / 32);
        const Result<MarkedPtx> marked = insertMarks(ptx, launch.entry,
                                                     {.layout = {.slots = 8 * warps, .capacity = 4096, .blockWarps = warps},
                                                      .blocks = 8,
                                                      .automatic = true,
                                                      .buffer = 0x7f0000000000});
        EXPECT_TRUE(marked.ok()) << marked.error().message;
        return marked ? *marked : MarkedPtx{};
    }
};

/// The pipeline of the live tests, by its folder.
Result<KernelFamily> pipeline()
{
    return loadKernel(std::filesystem::path(KL_SOURCE_DIR) / "tests/data/timeline");
}

WorkSpec pipelineWork(const KernelFamily& family, const std::string& variant)
{
    Catalog catalog({family});
    const Result<WorkSpec> work = catalog.work({family.id, variant, {}}, {});
    EXPECT_TRUE(work.ok()) << work.error().message;
    return work ? *work : WorkSpec{};
}

TEST_F(TimelineCompile, MarksAreNothingInTimedBuilds)
{
    const Result<KernelFamily> family = pipeline();
    ASSERT_TRUE(family.ok()) << family.error().message;
    const WorkSpec marked = pipelineWork(*family, "marked-producer");
    WorkSpec plain = marked;
    plain.source.erase(plain.source.find("#include <kernelloop"), std::string("#include <kernelloop/mark.h>").size());
    std::ranges::replace(plain.options, std::string("-DMARKS=1"), std::string("-DMARKS=0"));
    const std::string code = codeSections(compile(marked, "sm_90a").cubin);
    EXPECT_FALSE(code.empty());
    EXPECT_EQ(code, codeSections(compile(plain, "sm_90a").cubin));
    EXPECT_EQ(moduleVariables(compile(marked, "sm_90a").cubin), moduleVariables(compile(plain, "sm_90a").cubin));
    EXPECT_NE(code, codeSections(compile(marked, "sm_90a", {kMarkOption}).cubin));
}

TEST_F(TimelineCompile, ValuesOfVariablesAndNamesOfKernelsAreCode)
{
    const auto code = [](const std::string& source) {
        WorkSpec work;
        work.source = source;
        return codeSections(compile(work, "sm_90a").cubin);
    };
    const auto kernel = [](int global, int constant, const std::string& name) {
        return fmt::format("__device__ int table[2] = {{1, {}}};\n__constant__ int scale = {};\n"
                           "extern \"C\" __global__ void {}(int* out) {{ out[threadIdx.x] = table[threadIdx.x] * scale; }}\n",
                           global, constant, name);
    };
    const std::string plain = code(kernel(2, 3, "f"));
    EXPECT_EQ(plain, code(kernel(2, 3, "f")));
    EXPECT_NE(plain, code(kernel(4, 3, "f")));
    EXPECT_NE(plain, code(kernel(2, 5, "f")));
    EXPECT_NE(plain, code(kernel(2, 3, "g")));
}

TEST_F(TimelineCompile, OwnMarksReachThePtxWithTheirNames)
{
    const Result<KernelFamily> family = pipeline();
    ASSERT_TRUE(family.ok()) << family.error().message;
    const WorkSpec work = pipelineWork(*family, "marked-producer");
    const MarkedPtx marked = mark(compile(work, "sm_90a", {kMarkOption}).ptx, work.launches.front());
    EXPECT_GE(marked.userMarks, 6);
    const auto named = [&](const char* name) { return std::ranges::find(marked.sites, name, &MarkSite::name) != marked.sites.end(); };
    EXPECT_TRUE(named("load: wait for space"));
    EXPECT_TRUE(named("add: store"));
}

TEST_F(TimelineCompile, RealKernelsAssembleWithMarks)
{
    if (!std::filesystem::exists(kAssembler))
        GTEST_SKIP() << "There is no " << kAssembler << '.';
    const auto catalog = Catalog::loadEmbedded();
    const Result<KernelFamily> family = pipeline();
    ASSERT_TRUE(catalog.ok() && family.ok());
    std::vector<WorkSpec> works{pipelineWork(*family, "turns-first"), pipelineWork(*family, "marked-second")};
    for (const char* address : {"attention/hopper", "attention/hopper-short", "attention/fused", "transpose/tiled"})
        works.push_back(*catalog->work(*parseAddress(address), {}));
    for (const WorkSpec& work : works) {
        const CompiledSource compiled = compile(work, "sm_90a", {kMarkOption});
        const MarkedPtx marked = mark(compiled.ptx, work.launches.front());
        EXPECT_FALSE(marked.sites.empty()) << work.kernel;
        EXPECT_EQ(assemble(marked.ptx), "") << work.kernel;
    }
}

TEST_F(TimelineCompile, HopperAttentionHasAllKindsOfWaits)
{
    const auto catalog = Catalog::loadEmbedded();
    const Result<WorkSpec> work = catalog->work(*parseAddress("attention/hopper"), {});
    ASSERT_TRUE(work.ok());
    const MarkedPtx marked = mark(compile(*work, "sm_90a").ptx, work->launches.front());
    const auto has = [&](SyncKind sync, MarkKind kind) {
        return std::ranges::any_of(marked.sites, [&](const MarkSite& site) { return site.sync == sync && site.kind == kind; });
    };
    EXPECT_TRUE(has(SyncKind::memoryBarrier, MarkKind::waitBegin));
    EXPECT_TRUE(has(SyncKind::memoryBarrier, MarkKind::arrive));
    EXPECT_TRUE(has(SyncKind::threadBarrier, MarkKind::arrive));
    EXPECT_TRUE(has(SyncKind::products, MarkKind::waitEnd));
    EXPECT_TRUE(std::ranges::any_of(marked.sites, &MarkSite::copies));
    EXPECT_EQ(marked.leftOut, 0);
    EXPECT_TRUE(std::ranges::all_of(marked.sites, [](const MarkSite& site) { return site.line > 0; }));
}

TEST_F(TimelineCompile, TheHeaderIsGivenOnlyToThoseThatUseIt)
{
    EXPECT_TRUE(withMarkHeader("__global__ void k() {}", {}).empty());
    EXPECT_TRUE(withMarkHeader("#include <kernelloop/mark.h>", {}).contains(kMarkHeader));
    EXPECT_TRUE(withMarkHeader("#include \"a.h\"", {{"a.h", "#include <kernelloop/mark.h>"}}).contains(kMarkHeader));
    EXPECT_EQ(withMarkHeader("#include <kernelloop/mark.h>", {{kMarkHeader, "own"}}).at(kMarkHeader), "own");
}

} // namespace
} // namespace kl
#endif
