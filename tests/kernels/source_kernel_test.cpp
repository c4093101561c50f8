// SPDX-License-Identifier: MIT
// The form for a .cu file: the kernel functions in it, and what it proposes.
#include "kernels/proposed_descriptor.h"
#include "kernels/user_kernel.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kSource = R"(// __global__ void in_a_comment(int n)
extern "C" __global__ void __launch_bounds__(256, 2) scale(float* __restrict__ out, const float* in, float a, int n) { }
template <class T> __global__ void generic(T* x) {}
__global__ void mangled(double const* x, unsigned int n);
extern "C" {
__global__ void inside(uint8_t *bytes, /* how many */ size_t count) {}
}
__global__ void behind(int n) {}
)";

TEST(SourceKernel, FunctionsAreFoundWithTheirParameters)
{
    const std::vector<SourceKernel> kernels = kernelsInSource(kSource);
    ASSERT_THAT(kernels, SizeIs(4));
    EXPECT_FALSE(kernels[3].externC) << "the block has ended";
    EXPECT_EQ(kernels[0].name, "scale");
    EXPECT_TRUE(kernels[0].externC);
    EXPECT_EQ(kernels[0].line, 2);
    EXPECT_THAT(kernels[0].parameters, ElementsAre(SourceParameter{"out", "f32", true, false}, SourceParameter{"in", "f32", true, true},
                                                   SourceParameter{"a", "f32", false, false}, SourceParameter{"n", "i32", false, false}));
    EXPECT_EQ(kernels[1].name, "mangled");
    EXPECT_FALSE(kernels[1].externC);
    EXPECT_THAT(kernels[1].parameters, ElementsAre(SourceParameter{"x", "f64", true, true}, SourceParameter{"n", "u32", false, false}));
    EXPECT_EQ(kernels[2].name, "inside");
    EXPECT_TRUE(kernels[2].externC);
    EXPECT_THAT(kernels[2].parameters,
                ElementsAre(SourceParameter{"bytes", "u8", true, false}, SourceParameter{"count", "u64", false, false}));
}

TEST(SourceKernel, AConstantPointerToWhatIsWrittenIsAnOutput)
{
    const std::vector<SourceKernel> kernels = kernelsInSource("__global__ void f(float* const out, const float* const in) {}");
    ASSERT_THAT(kernels, SizeIs(1));
    EXPECT_THAT(kernels[0].parameters, ElementsAre(SourceParameter{"out", "f32", true, false}, SourceParameter{"in", "f32", true, true}));
    EXPECT_EQ(proposeDescriptor(kernels[0], "f").arguments[0].role, "output");
}

TEST(SourceKernel, AnUnsignedNumberIsASizeToo)
{
    const std::vector<SourceKernel> kernels = kernelsInSource("__global__ void f(float* out, unsigned rows, uint64_t cols) {}");
    ASSERT_THAT(kernels, SizeIs(1));
    EXPECT_EQ(proposeDescriptor(kernels[0], "f").problem, "ROWS=1024,COLS=1024");
}

TEST(SourceKernel, WhatIsNoKernelIsNone)
{
    EXPECT_THAT(kernelsInSource(""), IsEmpty());
    EXPECT_THAT(kernelsInSource("void f(int);"), IsEmpty());
    EXPECT_THAT(kernelsInSource("__global__ void cut(int n"), IsEmpty());
    EXPECT_THAT(kernelsInSource("/* never closed __global__ void f(int n)"), IsEmpty());
    EXPECT_THAT(kernelsInSource("const char* x = \"__global__ void f(int n)\";"), IsEmpty());
}

class Proposed : public testing::Test {
protected:
    void SetUp() override
    {
        folder = std::filesystem::temp_directory_path() / ("kl-proposed-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "scale.cu") << kSource;
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::string source() const { return (folder / "scale.cu").string(); }
    std::filesystem::path folder;
};

TEST_F(Proposed, WhatIsProposedIsAValidDescriptor)
{
    const ProposedDescriptor proposed = proposeDescriptor(kernelsInSource(kSource)[0], "scale");
    EXPECT_EQ(proposed.problem, "N=1048576");
    EXPECT_EQ(proposed.grid, "ceildiv(N,256)");
    EXPECT_EQ(proposed.arguments[0].role, "output");
    EXPECT_EQ(proposed.arguments[1].role, "input");
    EXPECT_EQ(proposed.arguments[3].value, "N");
    const Result<std::string> written = writeDescriptor(proposed, source());
    ASSERT_TRUE(written) << written.error().message;
    const Result<KernelFamily> family = loadKernel(*written);
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->id, "scale");
    EXPECT_EQ(writeDescriptor(proposed, source()).error().code, ErrorCode::badInput) << "it is there already";
}

TEST_F(Proposed, WhatDoesNotParseIsNotLeftBehind)
{
    ProposedDescriptor proposed = proposeDescriptor(kernelsInSource(kSource)[0], "scale");
    proposed.grid = "ceildiv(M,256)";
    EXPECT_FALSE(writeDescriptor(proposed, source()));
    EXPECT_FALSE(std::filesystem::exists(folder / "scale.json"));
    proposed.problem = "N";
    EXPECT_EQ(writeDescriptor(proposed, source()).error().code, ErrorCode::badInput);
    proposed = proposeDescriptor({"f", true, 1, {{"x", "", true, false}}}, "f");
    EXPECT_EQ(writeDescriptor(proposed, source()).error().code, ErrorCode::badInput);
}

TEST(SourceKernel, TheTextOfOneKernelEndsWithItsBrace)
{
    const std::string source = "// __global__ void a() {}\n"
                               "extern \"C\" __global__ void a(float* x)\n{\n    if (x) { // }\n        *x = 1;\n    }\n}\n"
                               "extern \"C\" __global__ void b(float* x) { *x = 2; }\n";
    EXPECT_EQ(kernelText(source, "a"), "extern \"C\" __global__ void a(float* x)\n{\n    if (x) { // }\n        *x = 1;\n    }\n}");
    EXPECT_EQ(kernelText(source, "b"), "extern \"C\" __global__ void b(float* x) { *x = 2; }");
    EXPECT_EQ(kernelText(source, "c"), "");
}

} // namespace
} // namespace kl
