// SPDX-License-Identifier: MIT
// What the injected library makes of the code of modules, of counts and of launch calls: over images from NVRTC, without a GPU.
#ifdef KL_HAVE_LIVE
#include "core/base/scratch_folder.h"
#include "core/sass/cubin.h"
#include "profiler/inject/executed_launch.h"
#include "profiler/inject/launch_params.h"
#include "profiler/inject/module_images.h"
#include "profiler/inject/source_texts.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "tests/support/may_stay.h"

#include <cstring>
#include <cuda.h>
#include <cupti_driver_cbid.h>
#include <elf.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl::inject {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::uint32_t crcFor(const std::string& cubin)
{
    CUpti_GetCubinCrcParams params{};
    params.size = CUpti_GetCubinCrcParamsSize;
    params.cubinSize = cubin.size();
    params.cubin = cubin.data();
    return CuptiApi::load()->GetCubinCrc(&params) == CUPTI_SUCCESS ? static_cast<std::uint32_t>(params.cubinCrc) : 0;
}

class InjectedParts : public testing::Test {
protected:
    void SetUp() override
    {
        if (const auto& loaded = Nvrtc::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
        if (const auto& loaded = CuptiApi::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
    }
    static std::string compiled(const std::string& source)
    {
        const Result<CompiledSource> made = Nvrtc::load()->compile({source, {}, "sm_90"});
        EXPECT_TRUE(made && made->ok) << (made ? made->log : made.error().message);
        return made ? made->cubin : std::string();
    }
    static std::string scale() { return compiled("extern \"C\" __global__ void scale(float* x) { x[threadIdx.x] *= 2; }"); }

private:
    const test::MayStay mayStay_{};
};

TEST_F(InjectedParts, ImagesAreFoundByTheirChecksumAndByTheirFunctions)
{
    const std::string first = scale();
    const std::string second = compiled("extern \"C\" __global__ void scale(float* x) { x[threadIdx.x] += 7; }\n"
                                        "extern \"C\" __global__ void other(float* x) { x[0] = 1; }");
    ModuleImages images;
    images.add(first);
    images.add(second);
    EXPECT_EQ(images.find(crcFor(first)), first);
    EXPECT_EQ(images.find(crcFor(second)), second);
    EXPECT_THAT(images.find(crcFor(first) + 1), IsEmpty());
    EXPECT_EQ(images.findHolding("scale"), second) << "the one that was loaded last";
    EXPECT_EQ(images.findHolding("other"), second);
    EXPECT_THAT(images.findHolding("none"), IsEmpty());
}

TEST_F(InjectedParts, OnlyImagesWithALineTableAreKeptUnlessAllAreWanted)
{
    const std::string lines = scale();
    EXPECT_TRUE(hasLineTable(lines));
    std::string bare = lines;
    for (std::size_t at = bare.find(".debug_line"); at != std::string::npos; at = bare.find(".debug_line", at))
        bare.replace(at, 11, ".other_line");
    EXPECT_FALSE(hasLineTable(bare));
    ModuleImages few, all(true);
    for (ModuleImages* images : {&few, &all}) {
        images->add(bare);
        EXPECT_EQ(images->findHolding("scale").empty(), images == &few);
    }
    few.add(lines);
    EXPECT_EQ(few.findHolding("scale"), lines);
    EXPECT_FALSE(hasLineTable(""));
    EXPECT_FALSE(hasLineTable(std::string(200, 'x')));
    EXPECT_FALSE(hasLineTable(std::string_view(lines).substr(0, sizeof(Elf64_Ehdr)))) << "its sections are cut off";
    for (const std::size_t at : {offsetof(Elf64_Ehdr, e_ident) + EI_CLASS, offsetof(Elf64_Ehdr, e_shentsize)}) {
        std::string damaged = lines;
        damaged[at] = 1;
        EXPECT_FALSE(hasLineTable(damaged)) << at;
    }
    std::string far = lines;
    const std::uint64_t beyond = lines.size() + 1;
    std::memcpy(far.data() + offsetof(Elf64_Ehdr, e_shoff), &beyond, sizeof beyond);
    EXPECT_FALSE(hasLineTable(far));
    std::string unnamed = lines;
    unnamed[offsetof(Elf64_Ehdr, e_shstrndx)] = static_cast<char>(0xff);
    unnamed[offsetof(Elf64_Ehdr, e_shstrndx) + 1] = static_cast<char>(0xfe);
    EXPECT_FALSE(hasLineTable(unnamed));
}

TEST_F(InjectedParts, CountsOfInstructionsBecomeThoseOfAWarp)
{
    const std::string cubin =
        compiled("extern \"C\" __global__ void flip(float* x) { __shared__ float t[64]; t[threadIdx.x] = x[threadIdx.x];"
                 " __syncthreads(); x[threadIdx.x] = t[63 - threadIdx.x]; }");
    ModuleImages images;
    images.add(cubin);
    const std::size_t bytes = findFunction(cubin, "flip")->code.size();
    std::vector<SassCount> counts;
    for (std::uint64_t at = 0; at < bytes; at += 16) {
        SassCount executions{"flip", at, 12, 360, 0, {}, {}, {}, crcFor(cubin)};
        SassCount accesses{"flip", at, 0, 0, 24, 48, 36, 18, crcFor(cubin)}; // one metric a row
        counts.push_back(executions);
        counts.push_back(accesses);
    }
    ProfiledLaunch launch;
    launch.facts.gridBlocks = 3;
    launch.facts.blockThreads = 33; // two warps
    const Status described = describeExecution(launch, counts, images);
    ASSERT_TRUE(described) << described.error().message;
    const double instructions = static_cast<double>(bytes) / 16; // bytes each
    ASSERT_TRUE(launch.facts.warp);
    EXPECT_EQ(launch.facts.warp->warps, 6);
    EXPECT_EQ(launch.facts.warp->instructions, instructions * 2);
    EXPECT_EQ(launch.facts.warp->activeThreads, 30);
    EXPECT_EQ(launch.facts.warp->loads.requests, 2);
    EXPECT_EQ(launch.facts.warp->loads.sectors, 8);
    EXPECT_EQ(launch.facts.warp->loads.ideal, 6);
    EXPECT_EQ(launch.facts.warp->stores.sectors, 8);
    EXPECT_EQ(launch.facts.warp->sharedRequests, 4) << "a store and a load";
    EXPECT_EQ(launch.facts.warp->sharedWavefronts, 8);
    EXPECT_EQ(launch.facts.warp->sharedIdeal, 6);
    EXPECT_EQ(launch.facts.opcodes.at("ld.shared"), 1);
    ProfiledLaunch code;
    code.kernel = "flip";
    describeCode(code, images);
    EXPECT_EQ(code.facts.opcodes, launch.facts.opcodes) << "each instruction once";
    code.kernel = "none";
    describeCode(code, images);
    EXPECT_THAT(code.facts.opcodes, IsEmpty());
}

TEST_F(InjectedParts, CountsOfOneInstructionInSeveralRowsAreAdded)
{
    const std::string cubin = compiled("extern \"C\" __global__ void copy(float* x) { x[threadIdx.x] = x[threadIdx.x + 32]; }");
    ModuleImages images;
    images.add(cubin);
    const auto described = [&](int rows) {
        std::vector<SassCount> counts;
        for (std::uint64_t at = 0; at < findFunction(cubin, "copy")->code.size(); at += 16)
            for (int row = 0; row < rows; ++row)
                counts.push_back({"copy", at, 4, 100, 0, 8, 6, {}, crcFor(cubin)});
        ProfiledLaunch launch;
        launch.facts.gridBlocks = 2;
        launch.facts.blockThreads = 32;
        EXPECT_TRUE(describeExecution(launch, counts, images));
        return launch.facts.warp.value_or(WarpModel{});
    };
    const WarpModel once = described(1), twice = described(2);
    EXPECT_EQ(once.warps, 2);
    EXPECT_EQ(twice.instructions, 2 * once.instructions);
    EXPECT_EQ(twice.activeThreads, 25);
    EXPECT_GT(once.loads.sectors, 0);
    EXPECT_EQ(twice.loads.sectors, 2 * once.loads.sectors);
    EXPECT_EQ(twice.loads.ideal, 2 * once.loads.ideal);
    EXPECT_EQ(twice.stores.sectors, 2 * once.stores.sectors);
}

TEST_F(InjectedParts, WithoutCodeOrCountsNothingIsDescribed)
{
    const std::string cubin = scale();
    ModuleImages images;
    images.add(cubin);
    const auto describedBy = [&](const SassCount& count) {
        ProfiledLaunch launch;
        launch.facts.gridBlocks = 1;
        launch.facts.blockThreads = 32;
        const Status status = describeExecution(launch, {count}, images);
        EXPECT_EQ(status.ok(), launch.facts.warp.has_value());
        return status.ok();
    };
    EXPECT_TRUE(describedBy({"scale", 0, 1, 32, 0, {}, {}, {}, crcFor(cubin)}));
    EXPECT_FALSE(describedBy({"scale", 0, 1, 32, 0, {}, {}, {}, crcFor(cubin) + 1})) << "of another module";
    EXPECT_FALSE(describedBy({"other", 0, 1, 32, 0, {}, {}, {}, crcFor(cubin)}));
    EXPECT_FALSE(describedBy({"scale", 1 << 20, 1, 32, 0, {}, {}, {}, crcFor(cubin)})) << "behind its code";
    EXPECT_FALSE(describedBy({"scale", 0, 0, 0, 0, {}, {}, {}, crcFor(cubin)})) << "nothing was executed";
}

TEST_F(InjectedParts, TextsAreThoseOfTheHottestLines)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch);
    const std::string folder = scratch->path().string();
    std::string source;
    SourceProfile profile;
    for (int i = 0; i < 6; ++i) {
        const std::string name = "k" + std::to_string(i) + ".cu";
        std::ofstream(folder + '/' + name) << (i == 1 ? std::string((128 << 10) + 1, 'x') : "text " + std::to_string(i));
        source += "#line 7 \"" + folder + '/' + name + "\"\nextern \"C\" __global__ void k" + std::to_string(i) +
                  "(float* x) { x[threadIdx.x] *= 2; }\n";
        SampledInstruction one;
        one.function = "k" + std::to_string(i);
        one.file = name;
        one.line = 7;
        profile.instructions.push_back(one);
        SourceLine line;
        line.file = name;
        line.line = 7;
        profile.lines.push_back(line);
    }
    profile.lines.insert(profile.lines.begin(), SourceLine{"unknown.cu", 0, 9, 0, {}, {}, {}, {}});
    profile.lines.insert(profile.lines.begin() + 2, profile.lines[1]);
    const std::string cubin = compiled(source);
    EXPECT_EQ(sourceTexts(profile, cubin),
              (std::map<std::string, std::string>{{"k0.cu", "text 0"}, {"k2.cu", "text 2"}, {"k3.cu", "text 3"}}))
        << "of four files, the second too large";
    EXPECT_THAT(sourceTexts(profile, "no image"), IsEmpty());
    profile.instructions.clear();
    EXPECT_THAT(sourceTexts(profile, cubin), IsEmpty());
}

/// As CUPTI lays out the parameters of the driver's launches (generated_cuda_meta.h, which redefines names of cuda.h).
struct PlainCall {
    CUfunction function;
    unsigned grid[3], block[3], sharedBytes;
    CUstream stream;
    void** parameters;
    void** extra;
};
struct ConfiguredCall {
    const CUlaunchConfig* config;
    CUfunction function;
    void** parameters;
    void** extra;
};

TEST(LaunchParamsOf, EveryLaunchCallHasItsShape)
{
    int thing = 0;
    const auto function = reinterpret_cast<CUfunction>(&thing);
    void* arguments[1] = {&thing};
    std::size_t packedBytes = 24;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &packedBytes, CU_LAUNCH_PARAM_BUFFER_POINTER, &thing, CU_LAUNCH_PARAM_END, nullptr};
    const PlainCall plain{function, {1, 2, 3}, {4, 5, 6}, 7, nullptr, arguments, extra};
    for (const auto id : {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz}) {
        const LaunchParams launch = launchParams(id, &plain);
        EXPECT_EQ(launch.function, function);
        EXPECT_THAT(launch.grid, ElementsAre(1, 2, 3));
        EXPECT_THAT(launch.block, ElementsAre(4, 5, 6));
        EXPECT_THAT(launch.cluster, ElementsAre(0, 0, 0));
        EXPECT_EQ(launch.dynamicSmem, 7);
        EXPECT_EQ(launch.arguments, arguments);
        EXPECT_EQ(launch.packed, &thing);
        EXPECT_EQ(launch.packedBytes, 24U);
        EXPECT_FALSE(launch.cooperative);
    }
    for (const auto id : {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz}) {
        const LaunchParams launch = launchParams(id, &plain);
        EXPECT_TRUE(launch.cooperative);
        EXPECT_THAT(launch.grid, ElementsAre(1, 2, 3));
        EXPECT_EQ(launch.arguments, arguments);
        EXPECT_EQ(launch.packed, nullptr) << "it has none";
    }
    const PlainCall bare{function, {1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr, nullptr};
    EXPECT_EQ(launchParams(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &bare).packed, nullptr);
}

TEST(LaunchParamsOf, AConfiguredLaunchHasItsAttributes)
{
    int thing = 0;
    const auto function = reinterpret_cast<CUfunction>(&thing);
    std::size_t packedBytes = 8;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &thing, CU_LAUNCH_PARAM_BUFFER_SIZE, &packedBytes, CU_LAUNCH_PARAM_END, nullptr};
    CUlaunchAttribute attributes[2] = {};
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[0].value.cooperative = 1;
    attributes[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[1].value.clusterDim.x = 2;
    attributes[1].value.clusterDim.y = 3;
    attributes[1].value.clusterDim.z = 4;
    CUlaunchConfig config{};
    config.gridDimX = 10;
    config.gridDimY = 20;
    config.gridDimZ = 30;
    config.blockDimX = 40;
    config.blockDimY = 50;
    config.blockDimZ = 60;
    config.sharedMemBytes = 70;
    config.attrs = attributes;
    config.numAttrs = 2;
    ConfiguredCall call{&config, function, nullptr, extra};
    for (const auto id : {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz}) {
        const LaunchParams launch = launchParams(id, &call);
        EXPECT_EQ(launch.function, function);
        EXPECT_THAT(launch.grid, ElementsAre(10, 20, 30));
        EXPECT_THAT(launch.block, ElementsAre(40, 50, 60));
        EXPECT_THAT(launch.cluster, ElementsAre(2, 3, 4));
        EXPECT_EQ(launch.dynamicSmem, 70);
        EXPECT_TRUE(launch.cooperative);
        EXPECT_EQ(launch.arguments, nullptr);
        EXPECT_EQ(launch.packed, &thing);
        EXPECT_EQ(launch.packedBytes, 8U);
    }
    config.numAttrs = 1;
    attributes[0].value.cooperative = 0;
    const LaunchParams fewer = launchParams(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, &call);
    EXPECT_FALSE(fewer.cooperative);
    EXPECT_THAT(fewer.cluster, ElementsAre(0, 0, 0));
    call.config = nullptr;
    EXPECT_THAT(launchParams(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, &call).grid, ElementsAre(0, 0, 0));
}

} // namespace
} // namespace kl::inject
#endif
