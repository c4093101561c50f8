// SPDX-License-Identifier: MIT
// The form for a .cu file: the kernel functions in it, and what it proposes.
#include "kernels/proposed_descriptor.h"
#include "kernels/user_kernel.h"

#include <filesystem>
#include <fstream>
#include <functional>
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

/// The parameters of a kernel with this list of them.
std::vector<SourceParameter> parseParameters(const std::string& list)
{
    const std::vector<SourceKernel> kernels = kernelsInSource("__global__ void f(" + list + ") {}");
    EXPECT_THAT(kernels, SizeIs(1)) << list;
    return kernels.empty() ? std::vector<SourceParameter>() : kernels[0].parameters;
}

TEST(SourceKernel, TypesAreThoseOfDescriptors)
{
    for (const auto& [written, type] : {std::pair("float", "f32"),
                                        {"double", "f64"},
                                        {"__half", "f16"},
                                        {"half", "f16"},
                                        {"__nv_bfloat16", "bf16"},
                                        {"nv_bfloat16", "bf16"},
                                        {"int8_t", "i8"},
                                        {"uint8_t", "u8"},
                                        {"int32_t", "i32"},
                                        {"uint32_t", "u32"},
                                        {"int64_t", "i64"},
                                        {"uint64_t", "u64"},
                                        {"size_t", "u64"},
                                        {"std::size_t", "u64"},
                                        {"std::int64_t", "i64"},
                                        {"long", "i64"},
                                        {"long long", "i64"},
                                        {"unsigned long", "u64"},
                                        {"unsigned long long", "u64"},
                                        {"unsigned", "u32"},
                                        {"unsigned int", "u32"},
                                        {"unsigned char", "u8"},
                                        {"signed char", "i8"},
                                        {"int", "i32"},
                                        {"const int", "i32"},
                                        {"int const", "i32"},
                                        {"Pixel", ""},
                                        {"char", ""},
                                        {"float4", ""}}) {
        EXPECT_EQ(parseParameters(std::string(written) + " x"), (std::vector<SourceParameter>{{"x", type, false, false}})) << written;
        EXPECT_EQ(parseParameters("const " + std::string(written) + "* x"), (std::vector<SourceParameter>{{"x", type, true, true}}))
            << written;
    }
}

TEST(SourceKernel, ParametersAreReadHoweverTheyAreWritten)
{
    const SourceParameter out{"out", "f32", true, false}, in{"in", "f32", true, true}, count{"n", "i32", false, false};
    EXPECT_THAT(parseParameters(""), IsEmpty());
    EXPECT_THAT(parseParameters(" \n\t"), IsEmpty());
    EXPECT_THAT(parseParameters("float*out,const float*in,int n"), ElementsAre(out, in, count));
    EXPECT_THAT(parseParameters("float * __restrict out, float const * restrict in, const int n = 3"), ElementsAre(out, in, count));
    EXPECT_THAT(parseParameters("float out[], const float in[16], int\n    n"), ElementsAre(out, in, count));
    EXPECT_THAT(parseParameters("const int n"), ElementsAre(count)) << "a number is not a buffer that is read";
    EXPECT_THAT(parseParameters("int"), ElementsAre(SourceParameter{"", "i32", false, false}));
    EXPECT_THAT(parseParameters("float* /* a, b */ out, // c, d\n int n"), ElementsAre(out, count));
}

TEST(SourceKernel, DeclarationsAreFoundBetweenOtherText)
{
    const auto names = [](std::string_view source) {
        std::string all;
        for (const SourceKernel& kernel : kernelsInSource(source))
            all += kernel.name + (kernel.externC ? "! " : " ");
        return all;
    };
    EXPECT_EQ(names("__global__ void __launch_bounds__ (256) a (int n) {}"), "a ");
    EXPECT_EQ(names("__global__ __launch_bounds__(256, 2) void a(int n) {}"), "a ");
    EXPECT_EQ(names("extern \"C\" __global__ void a(int n);\nextern \"C\" __global__ void a(int n) {}"), "a! ") << "declared, then defined";
    EXPECT_EQ(names("template <int N>\n__global__ void a(int n) {}\n__global__ void b(int n) {}"), "b ");
    EXPECT_EQ(names("template <int N> void t();\n__global__ void b(int n) {}"), "b ");
    EXPECT_EQ(names("extern \"C\" {\nvoid f() { if (1) {} }\n__global__ void a(int n) {}\n}\n__global__ void b(int n) {}"), "a! b ");
    EXPECT_EQ(names("void f() { puts(\"C\"); }\n__global__ void b(int n) {}"), "b ");
    EXPECT_EQ(names("const char* s = \"a\\\"\"; __global__ void b(int n) {}"), "b ") << "a quote within a text";
    EXPECT_EQ(names("const char* s = \"open\n__global__ void b(int n) {}"), "b ") << "a text ends with its line";
    EXPECT_EQ(names("const char* s = \"\\"), "");
    EXPECT_EQ(names("/**/__global__ void b(int n) {} /* __global__ void c(int n) {}"), "b ");
    EXPECT_EQ(names("__global__ (int n) {}"), "");
    EXPECT_EQ(names("__global__ void a(int (*f)(int), float* x) {}"), "a ");
    EXPECT_EQ(names("__global__"), "");
    EXPECT_EQ(names("__global__ __launch_bounds__(256"), "");
}

TEST(SourceKernel, TheLineIsThatOfItsMark)
{
    const std::vector<SourceKernel> kernels =
        kernelsInSource("// one\n/* two\nthree */\n__global__\nvoid a(int n) {}\n__global__ void b(int n) {}");
    ASSERT_THAT(kernels, SizeIs(2));
    EXPECT_EQ(kernels[0].line, 4);
    EXPECT_EQ(kernels[1].line, 6);
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

TEST(SourceKernel, AQuoteAsACharacterBeginsNoText)
{
    const std::vector<SourceKernel> kernels = kernelsInSource(R"(constexpr char kQuote = '"', kOther = '\'', kBrace = '}';
constexpr int kMany = 1'000'000;
extern "C" __global__ void second(float* out, int n) { out[n] = '{'; }
// it's the last
extern "C" __global__ void third(int n) {}
)");
    ASSERT_THAT(kernels, SizeIs(2));
    EXPECT_EQ(kernels[0].name, "second");
    EXPECT_EQ(kernels[1].name, "third");
    EXPECT_EQ(kernels[1].line, 5);
    EXPECT_TRUE(kernels[1].externC);
}

TEST(SourceKernel, TheFirstTwoSizesMakeTheElements)
{
    const auto proposed = [](const std::string& list) { return proposeDescriptor({"f", true, 1, parseParameters(list)}, "id"); };
    const ProposedDescriptor three = proposed("float* out, const double* in, int rows, unsigned cols, int64_t depth, float scale");
    EXPECT_EQ(three.id, "id");
    EXPECT_EQ(three.entry, "f");
    EXPECT_EQ(three.problem, "ROWS=1024,COLS=1024,DEPTH=1024");
    EXPECT_EQ(three.grid, "ceildiv(ROWS*COLS,256)");
    EXPECT_EQ(three.block, "256");
    std::string arguments;
    for (const ProposedArgument& argument : three.arguments)
        arguments += argument.parameter.name + '/' + argument.role + '/' + argument.value + ' ';
    EXPECT_EQ(arguments, "out/output/ROWS*COLS in/input/ROWS*COLS rows//ROWS cols//COLS depth//DEPTH scale//1 ");
    const ProposedDescriptor none = proposed("float* out, int* counts");
    EXPECT_EQ(none.problem, "N=1048576") << "a pointer to integers is not a size";
    EXPECT_EQ(none.grid, "ceildiv(N,256)");
    EXPECT_EQ(none.arguments[1].value, "N");
}

TEST_F(Proposed, TheDescriptorHoldsWhatTheFormSays)
{
    ProposedDescriptor form = proposeDescriptor(kernelsInSource(kSource)[0], "mine");
    form.problem = "N=4096,M=2";
    form.grid = "ceildiv(N,256);M";
    form.block = "128;2";
    form.arguments[2].value = "1/N";
    form.arguments[1].role = "scratch";
    const Result<std::string> written = writeDescriptor(form, source());
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(*written, (folder / "scale.json").string());
    const Result<KernelFamily> family = loadKernel(*written);
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->sourcePath, "scale.cu");
    EXPECT_THAT(family->sizes, ElementsAre("M", "N"));
    EXPECT_EQ(family->problems, std::vector<Params>{*parseParams("N=4096,M=2")});
    EXPECT_EQ(family->smallest, *parseParams("N=64,M=64"));
    ASSERT_THAT(family->buffers, SizeIs(2));
    EXPECT_EQ(family->buffers[0].name, "out");
    EXPECT_EQ(family->buffers[0].role, BufferRole::output);
    EXPECT_EQ(family->buffers[0].type, DType::f32);
    EXPECT_EQ(family->buffers[0].count, "N");
    EXPECT_EQ(family->buffers[1].role, BufferRole::scratch);
    ASSERT_THAT(family->variants, SizeIs(1));
    EXPECT_EQ(family->variants[0].id, "first");
    const LaunchFormula& launch = family->variants[0].launches.at(0);
    EXPECT_EQ(launch.entry, "scale");
    EXPECT_THAT(launch.grid, ElementsAre("ceildiv(N,256)", "M"));
    EXPECT_THAT(launch.block, ElementsAre("128", "2"));
    ASSERT_THAT(launch.args, SizeIs(4));
    EXPECT_EQ(launch.args[0].text, "out");
    EXPECT_EQ(launch.args[1].text, "in");
    EXPECT_EQ(launch.args[2].text, "f32:1/N");
    EXPECT_EQ(launch.args[3].text, "i32:N");
    std::filesystem::remove(*written);
    ASSERT_TRUE(writeDescriptor(proposeDescriptor(kernelsInSource(kSource)[0], "mine"), source()));
    EXPECT_EQ(loadKernel(*written)->buffers[1].fill, Fill::uniform) << "an input";
}

TEST_F(Proposed, ARefusalNamesWhatIsWrong)
{
    const ProposedDescriptor good = proposeDescriptor(kernelsInSource(kSource)[0], "mine");
    const auto refusal = [&](const std::function<void(ProposedDescriptor&)>& change) {
        ProposedDescriptor form = good;
        change(form);
        const Result<std::string> written = writeDescriptor(form, source());
        EXPECT_FALSE(written);
        EXPECT_FALSE(written.error().message.empty() || written.error().hint.empty());
        EXPECT_FALSE(std::filesystem::exists(folder / "scale.json"));
        return written ? "" : written.error().where;
    };
    EXPECT_EQ(refusal([](auto& form) { form.arguments[1].parameter.type.clear(); }), source());
    EXPECT_EQ(refusal([](auto& form) { form.arguments[1].parameter.name.clear(); }), source());
    EXPECT_EQ(refusal([](auto& form) { form.problem = "N"; }), "N");
    EXPECT_EQ(refusal([](auto& form) { form.problem.clear(); }), "");
    std::ofstream(folder / "scale.json") << "there";
    EXPECT_EQ(writeDescriptor(good, source()).error().where, (folder / "scale.json").string());
    EXPECT_EQ(std::filesystem::file_size(folder / "scale.json"), 5U);
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
    EXPECT_EQ(kernelText("\n\n__global__ void\na(float* x) { x[0] = 1; } int a;", "a"), "__global__ void\na(float* x) { x[0] = 1; }");
    EXPECT_EQ(kernelText("__global__ void a(float* x) { { }", "a"), "") << "it does not end";
    EXPECT_EQ(kernelText("__global__ void a(float* x);", "a"), "") << "only declared";
}

} // namespace
} // namespace kl
