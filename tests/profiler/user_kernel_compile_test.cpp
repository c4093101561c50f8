// SPDX-License-Identifier: MIT
// What a user's kernel is made of, through the real compiler; no GPU needed.
#ifdef KL_HAVE_LIVE
#include "kernels/catalog.h"
#include "kernels/data/base64.h"
#include "kernels/starter.h"
#include "kernels/user_kernel.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/nvrtc/toolkit_headers.h"
#include "profiler/live/work/kernel_image.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;

#define KL_NEEDS_NVRTC()                                                                                                                   \
    if (const auto& loaded = Nvrtc::load(); !loaded)                                                                                       \
    GTEST_SKIP() << loaded.error().message

TEST(UserKernelCompile, EveryVariantOfEveryStarterCompiles)
{
    KL_NEEDS_NVRTC();
    const fs::path folder = fs::temp_directory_path() / ("kl-starters-" + std::to_string(::getpid()));
    for (const char* starter : {"elementwise", "copy", "reduction", "matmul"}) {
        const Result<std::string> path = writeStarter(starter, "mine", (folder / starter).string());
        ASSERT_TRUE(path) << path.error().message;
        Catalog catalog({});
        Result<KernelFamily> family = loadKernel(*path);
        ASSERT_TRUE(family) << family.error().message;
        ASSERT_TRUE(catalog.add(std::move(*family)));
        for (const Address& address : catalog.addresses()) {
            const Result<WorkSpec> work = catalog.work(address, {});
            ASSERT_TRUE(work) << work.error().message;
            const Result<CompiledSource> compiled = Nvrtc::load()->compile({work->source, work->options, "sm_90", work->headers});
            ASSERT_TRUE(compiled) << compiled.error().message;
            EXPECT_TRUE(compiled->ok) << starter << ' ' << toText(address) << '\n' << compiled->log;
        }
    }
    fs::remove_all(folder);
}

TEST(UserKernelCompile, HeadersOfItsOwnAreFoundAndNamedInErrors)
{
    KL_NEEDS_NVRTC();
    const std::string source = "#include \"factor.cuh\"\nextern \"C\" __global__ void f(float* x) { x[0] = FACTOR; }\n";
    const Result<CompiledSource> good = Nvrtc::load()->compile({source, {}, "sm_90", {{"factor.cuh", "#define FACTOR 2\n"}}});
    ASSERT_TRUE(good);
    EXPECT_TRUE(good->ok) << good->log;
    const Result<CompiledSource> bad = Nvrtc::load()->compile({source, {}, "sm_90", {{"factor.cuh", "#define FACTOR 2\nint broken(\n"}}});
    ASSERT_TRUE(bad);
    EXPECT_FALSE(bad->ok);
    EXPECT_NE(bad->log.find("kernel.cu"), std::string::npos) << bad->log;
    const Result<CompiledSource> missing = Nvrtc::load()->compile({source, {}, "sm_90"});
    ASSERT_TRUE(missing);
    EXPECT_NE(missing->log.find("factor.cuh"), std::string::npos) << missing->log;
}

TEST(UserKernelCompile, TheToolkitsHeadersAreFound)
{
    KL_NEEDS_NVRTC();
    if (toolkitIncludeFolders().empty())
        GTEST_SKIP() << "no CUDA toolkit headers on this machine";
    const std::string source = "#include <cuda_fp16.h>\nextern \"C\" __global__ void f(__half* x) { x[0] = __hadd(x[0], x[0]); }\n";
    const Result<CompiledSource> compiled = Nvrtc::load()->compile({source, {}, "sm_90"});
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(compiled->ok) << compiled->log;
}

TEST(UserKernelCompile, AngledIncludesAreSeenInSourceAndHeaders)
{
    EXPECT_TRUE(includesLibraryHeader(" #  include <mma.h>\n", {}));
    EXPECT_TRUE(includesLibraryHeader("", {{"a.cuh", "#include <mma.h>"}}));
    EXPECT_FALSE(includesLibraryHeader("#include \"a.cuh\"\n#define X <y>\n#", {}));
}

TEST(KernelImage, ACubinTellsItsArchitecture)
{
    KL_NEEDS_NVRTC();
    const auto known = Nvrtc::load()->architectures();
    for (const int arch : {80, 90, 100, 120}) {
        if (std::find(known.begin(), known.end(), arch) == known.end())
            continue;
        const auto compiled = Nvrtc::load()->compile({"extern \"C\" __global__ void f() {}", {}, "sm_" + std::to_string(arch)});
        ASSERT_TRUE(compiled);
        ASSERT_TRUE(compiled->ok) << compiled->log;
        EXPECT_EQ(cubinArchitecture(compiled->cubin), arch);
    }
}

TEST(KernelImage, OlderCubinsKeepItInTheFirstByte)
{
    std::string image(64, '\0');
    image.replace(0, 4,
                  "\x7f"
                  "ELF");
    image[18] = static_cast<char>(190);
    image[8] = 7; // ABI version of CUDA 12
    image[48] = 86;
    EXPECT_EQ(cubinArchitecture(image), 86);
    image[8] = 8;
    image[49] = 90;
    EXPECT_EQ(cubinArchitecture(image), 90);
    image[18] = 62; // a program of the host
    EXPECT_EQ(cubinArchitecture(image), std::nullopt);
    EXPECT_EQ(cubinArchitecture("short"), std::nullopt);
}

TEST(KernelImage, AnotherArchitectureIsRefusedInPlainWords)
{
    KL_NEEDS_NVRTC();
    const auto compiled = Nvrtc::load()->compile({"extern \"C\" __global__ void f() {}", {}, "sm_80"});
    ASSERT_TRUE(compiled && compiled->ok);
    const ImageSpec image{false, "old.cubin", toBase64(compiled->cubin)};
    DeviceInfo device;
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    const Result<CompiledSource> refused = loadImage(image, device);
    ASSERT_TRUE(refused);
    EXPECT_FALSE(refused->ok);
    EXPECT_THAT(refused->log, testing::ContainsRegex("old.cubin .* sm_80; .*NVIDIA H200.* sm_90"));
    device.ccMajor = 8;
    device.ccMinor = 6;
    EXPECT_TRUE(loadImage(image, device)->ok); // the same major version, a higher minor one
    EXPECT_FALSE(loadImage({false, "k.cubin", toBase64("hello")}, device)->ok);
    EXPECT_FALSE(loadImage({false, "k.cubin", "***"}, device));
}

} // namespace
} // namespace kl
#endif
