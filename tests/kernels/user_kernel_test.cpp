// SPDX-License-Identifier: MIT
#include "tests/kernels/kernel_folder.h"

#include "core/base/try.h"
#include "kernels/catalog.h"
#include "kernels/data/base64.h"
#include "kernels/data/npy.h"
#include "kernels/data/numbers.h"
#include "kernels/file_stamps.h"
#include "kernels/starter.h"
#include "tests/support/snapshot.h"

#include <cstring>
#include <gmock/gmock.h>

namespace kl {
namespace {

class UserKernel : public test::KernelFolder {
protected:
    Result<WorkSpec> work(const std::string& variant = "plain", const Params& problem = {}) const
    {
        KL_ASSIGN(KernelFamily family, loadKernel(file("kernel.json")));
        Catalog catalog({});
        EXPECT_TRUE(catalog.add(std::move(family)));
        return catalog.work({"mine", variant, {}}, problem);
    }
    static std::string floats(const std::vector<float>& values)
    {
        return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
    }
    static std::vector<double> decodeContent(const BufferSpec& buffer)
    {
        const std::string bytes = fromBase64(buffer.content.value_or("")).value_or("");
        return toDoubles(reinterpret_cast<const std::byte*>(bytes.data()), buffer.type, bytes.size() / 4);
    }
};

TEST_F(UserKernel, NothingIsIncludedFromOutsideItsFolder)
{
    write("own/kernel.json", descriptor(R"({"expression": "x"})", R"("fill": "ramp")", "src/k.cu"));
    write("secret.h", "int secret;\n");
    write("own/common.h", "#define C 1\n");
    std::filesystem::create_symlink(file("secret.h"), file("own/src.link"));
    const auto load = [&](const std::string& source) {
        write("own/src/k.cu", source);
        return loadKernel(file("own"));
    };
    const Result<KernelFamily> within = load("#include \"../common.h\"\n// #include \"../../secret.h\"\n");
    ASSERT_TRUE(within) << within.error().message;
    EXPECT_EQ(within->headers.at("../common.h"), "#define C 1\n");
    for (const std::string& line :
         {std::string("#include \"../../secret.h\""), "#include \"" + file("secret.h") + '"', std::string("#include \"../../none.h\""),
          "#include <" + file("secret.h") + '>', std::string("#include <../secret.h>"), std::string("#define S <x>\n#include S"),
          std::string("#include \"../src.link\"")}) {
        const Result<KernelFamily> family = load(line + '\n');
        ASSERT_FALSE(family) << line;
        EXPECT_EQ(family.error().code, ErrorCode::badInput);
        EXPECT_NE(family.error().where.find("kernel.json:3:3"), std::string::npos) << family.error().where;
        EXPECT_NE(family.error().message.find(": source: "), std::string::npos) << family.error().message;
        EXPECT_NE(family.error().message.find(line.starts_with("#define") ? "k.cu:2:1" : "k.cu:1:1"), std::string::npos)
            << family.error().message;
    }
    write("own/common.h", "\n#include \"../secret.h\"\n"); // of a header, too
    EXPECT_NE(load("#include \"../common.h\"\n").error().message.find("common.h:2:1"), std::string::npos);
}

TEST_F(UserKernel, CompilerOptionsComeFromAList)
{
    const auto load = [&](const std::string& option) {
        std::string text = descriptor(R"({"expression": "x"})");
        const std::string before = "{\"id\": \"plain\", ";
        write("kernel.json", text.insert(text.find(before) + before.size(), "\"options\": [\"-w\", \"" + option + "\"], "));
        write("k.cu", "");
        return loadKernel(file("kernel.json"));
    };
    for (const char* good : {"-DX={N}", "--maxrregcount={32+N}", "--use_fast_math"})
        EXPECT_TRUE(load(good)) << good;
    for (const char* bad : {"--create-pch=a.txt", "--time={N}.txt", "--fmad={N}", "--pre-include=/etc/shadow", "-I/"}) {
        const Result<KernelFamily> family = load(bad);
        ASSERT_FALSE(family) << bad;
        EXPECT_EQ(family.error().code, ErrorCode::badInput);
        EXPECT_NE(family.error().message.find("kernel.json:12:39: variants[0].options[1]: "), std::string::npos) << family.error().message;
        EXPECT_NE(family.error().hint.find("--maxrregcount"), std::string::npos) << family.error().hint;
    }
    EXPECT_NE(load("-arch=sm_90a").error().hint.find("architecture"), std::string::npos);
}

TEST_F(UserKernel, SourceHeadersAndScriptTravelWithTheWork)
{
    write("kernel.json", descriptor(R"({"python": "ref.py", "timeout_s": 5})"));
    write("k.cu", "#include <cuda_fp16.h>\n # include \"sub/a.cuh\"\n#include \"missing.cuh\"\n");
    write("sub/a.cuh", "#include \"b.cuh\"\n");
    write("sub/b.cuh", "#define B 1\n");
    write("ref.py", "print(1)\n");
    const Result<KernelFamily> family = loadKernel(file("kernel.json"));
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->title, "mine");
    EXPECT_EQ(family->origin.descriptor, file("kernel.json"));
    EXPECT_EQ(family->origin.sources, (std::vector<std::string>{file("k.cu"), file("sub/a.cuh"), file("sub/b.cuh")}));
    EXPECT_EQ(family->origin.others, std::vector<std::string>{file("ref.py")});
    const Result<WorkSpec> one = work();
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(one->headers.at("b.cuh"), "#define B 1\n");
    EXPECT_EQ(one->reference.script->text, "print(1)\n");
    EXPECT_EQ(one->reference.script->timeoutSeconds, 5);
    EXPECT_EQ(one->reference.params.at("N"), 8);
    write("sub/b.cuh", "#define B 2\n");
    EXPECT_NE(work()->sourceHash, one->sourceHash); // a header is part of the source
}

TEST_F(UserKernel, ImagesStandForTheSource)
{
    write("kernel.json", descriptor(R"({"expression": "x"})", R"("fill": "ramp")", "k.ptx"));
    write("k.ptx", "// nothing\n");
    const Result<KernelFamily> no = loadKernel(file("kernel.json"));
    ASSERT_FALSE(no);
    EXPECT_THAT(no.error().message, testing::ContainsRegex(": source: .*k\\.ptx: .*PTX"));
    write("k.ptx", ".version 8.0\n.target sm_80\n");
    const Result<WorkSpec> one = work();
    ASSERT_TRUE(one) << one.error().message;
    ASSERT_TRUE(one->image);
    EXPECT_TRUE(one->image->ptx);
    EXPECT_TRUE(one->source.empty());
    EXPECT_EQ(fromBase64(one->image->base64), ".version 8.0\n.target sm_80\n");
}

TEST_F(UserKernel, AFileThatIsNotThereIsReportedWithTheFieldThatNamesIt)
{
    write("kernel.json", descriptor(R"({"python": "ref.py"})"));
    const std::string descriptorPath = file("kernel.json");
    const Result<KernelFamily> none = loadKernel(descriptorPath);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().where, descriptorPath + ":3:3");
    EXPECT_THAT(none.error().message, testing::StartsWith(descriptorPath + ":3:3: source: " + file("k.cu") + ": "));
    write("k.cu", "");
    EXPECT_EQ(loadKernel(descriptorPath).error().where, descriptorPath + ":9:17");
    write("kernel.json", descriptor(R"({"expression": "x"})", R"("fill": "file", "file": "x.bin")"));
    const Result<KernelFamily> family = loadKernel(descriptorPath);
    ASSERT_TRUE(family) << family.error().message;
    const Result<WorkSpec> built = work();
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().where, "buffers[0].file");
    EXPECT_EQ(placeError(*family, built.error()).where, descriptorPath + ":8:74");
    EXPECT_THAT(placeError(*family, built.error()).message,
                testing::StartsWith(descriptorPath + ":8:74: buffers[0].file: " + file("x.bin") + ": "));
}

TEST_F(UserKernel, FileContentIsConvertedAndChecked)
{
    write("k.cu", "");
    write("kernel.json", descriptor(R"({"file": "y_{N}.npy"})", R"("fill": "file", "file": "x_{N}.bin")"));
    const Result<WorkSpec> missing = work();
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().where, "buffers[0].file");
    EXPECT_THAT(missing.error().message, testing::StartsWith(file("x_8.bin") + ": "));

    write("x_4.bin", floats({1, 2, 3, 4}));
    const std::vector<double> wanted{2, 4, 6, 8};
    write("y_4.npy", toNpy(DType::f64, {2, 2}, reinterpret_cast<const std::byte*>(wanted.data())));
    const Result<WorkSpec> one = work("plain", {{"N", std::int64_t{4}}});
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(decodeContent(one->buffers[0]), (std::vector<double>{1, 2, 3, 4}));
    ASSERT_TRUE(one->reference.data);
    EXPECT_EQ(one->reference.data->type, DType::f32); // the output's own

    write("x_8.bin", floats({1, 2, 3}));
    const Result<WorkSpec> small = work();
    ASSERT_FALSE(small);
    EXPECT_EQ(small.error().where, "buffers[0].file");
    EXPECT_THAT(small.error().message, testing::ContainsRegex("x_8\\.bin:[^0-9]* 3 [^0-9]* 8"));
}

TEST_F(UserKernel, AFileHasNoValueThatTheBufferCannotHold)
{
    write("k.cu", "");
    std::string text = descriptor(R"({"expression": "x"})", R"("fill": "file", "file": "x.npy")");
    const std::string type = R"("name": "x", "type": "f32")";
    write("kernel.json", text.replace(text.find(type), type.size(), R"("name": "x", "type": "i8")"));
    std::vector<std::int64_t> values{1, 2, 3, 4, 5, 6, 7, 127};
    const auto saved = [&] { return toNpy(DType::i64, {8}, reinterpret_cast<const std::byte*>(values.data())); };
    write("x.npy", saved());
    EXPECT_TRUE(work());
    values.back() = 128;
    write("x.npy", saved());
    const Result<WorkSpec> large = work();
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().where, "buffers[0].file");
    EXPECT_THAT(large.error().message, testing::ContainsRegex("x\\.npy:[^0-9]* 7 [^0-9]* 128"));
}

TEST_F(UserKernel, ReferenceKernelRunsAtItsDefaults)
{
    write("k.cu", "code");
    write("kernel.json", descriptor(R"({"kernel": "tuned"})"));
    const Result<WorkSpec> one = work();
    ASSERT_TRUE(one) << one.error().message;
    ASSERT_TRUE(one->reference.kernel);
    EXPECT_EQ(one->reference.kernel->kernel, "mine/tuned");
    EXPECT_EQ(one->reference.kernel->source, "code");
    EXPECT_EQ(one->reference.kernel->launches.at(0).entry, "g");
    EXPECT_NE(std::find(one->reference.kernel->options.begin(), one->reference.kernel->options.end(), "-DBLOCK=64"),
              one->reference.kernel->options.end());
}

TEST_F(UserKernel, IndicesMustFillTheOutput)
{
    write("k.cu", "");
    write("kernel.json", descriptor(R"_({"expression": "x(m + n)", "index": ["m:N", "n:1"]})_"));
    const Result<WorkSpec> even = work();
    ASSERT_TRUE(even) << even.error().message;
    EXPECT_EQ(even->reference.index, (std::vector<IndexSpec>{{"m", 8}, {"n", 1}}));
    write("kernel.json", descriptor(R"_({"expression": "x(m)", "index": ["m:2*N"]})_"));
    const Result<WorkSpec> twice = work();
    ASSERT_FALSE(twice);
    EXPECT_THAT(twice.error().message, testing::ContainsRegex(" 16 .*y .*8"));
}

TEST_F(UserKernel, IdsDoNotCollide)
{
    write("k.cu", "");
    write("kernel.json", descriptor(R"_({"expression": "x"})_"));
    Catalog catalog = *Catalog::loadEmbedded();
    EXPECT_TRUE(catalog.add(*loadKernel(file("kernel.json"))));
    EXPECT_TRUE(catalog.add(*loadKernel(file("kernel.json")))); // read again
    KernelFamily other = *loadKernel(file("kernel.json"));
    other.origin.descriptor = "/elsewhere/kernel.json";
    const Status taken = catalog.add(other);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().where, "/elsewhere/kernel.json");
    EXPECT_THAT(taken.error().message, testing::HasSubstr(file("kernel.json")));
    EXPECT_EQ(taken.error().next.size(), 1U);
    other.id = "copy";
    const Status carried = catalog.add(other);
    ASSERT_FALSE(carried);
    EXPECT_EQ(carried.error().where, "/elsewhere/kernel.json");
    EXPECT_THAT(carried.error().message, testing::HasSubstr("\"copy\""));
    EXPECT_TRUE(carried.error().next.empty()) << "a built-in kernel cannot be removed";
}

TEST_F(UserKernel, PathsAndAddressesAreDistinguished)
{
    EXPECT_FALSE(kernelPathIn("copy/strided"));
    EXPECT_FALSE(kernelPathIn("attention/fused@BLOCK_M=64"));
    const auto check = [](const std::string& text, const std::string& path, const std::string& rest) {
        const auto found = kernelPathIn(text);
        ASSERT_TRUE(found) << text;
        EXPECT_EQ(found->path, path);
        EXPECT_EQ(found->rest, rest);
    };
    check("./scale/kernel.json", "./scale/kernel.json", "");
    check("scale/kernel.json:fast@TILE=32", "scale/kernel.json", "fast@TILE=32");
    check("./scale:fast", "./scale", "fast");
    check("/a/b@TILE=1", "/a/b", "@TILE=1");
    check("scale.ptx", "scale.ptx", "");
    write("kernel.json", "{}");
    EXPECT_EQ(descriptorAt(file("")), file("kernel.json")); // a folder
}

TEST_F(UserKernel, CodeIsNamedByItsDescription)
{
    write("k.cubin", "");
    const Result<KernelFamily> code = loadKernel(file("k.cubin"));
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().where, file("k.cubin"));
    EXPECT_NE(code.error().hint.find("\"source\""), std::string::npos);
}

TEST_F(UserKernel, StampsNoticeAReplacedFile)
{
    write("k.cu", "old");
    write("kernel.json", descriptor(R"_({"expression": "x"})_"));
    FileStamps stamps;
    stamps.add(loadKernel(file("kernel.json"))->origin);
    EXPECT_FALSE(stamps.changed());
    write("new", "newer");
    std::filesystem::rename(file("new"), file("k.cu")); // as editors save
    EXPECT_TRUE(stamps.changed());
}

TEST_F(UserKernel, StartersLoadAndTheirFormulasHold)
{
    for (const char* starter : {"elementwise", "copy", "reduction", "matmul"}) {
        const Result<std::string> path = writeStarter(starter, std::string("my-") + starter, file(starter));
        ASSERT_TRUE(path) << path.error().message;
        const Result<KernelFamily> family = loadKernel(*path);
        ASSERT_TRUE(family) << family.error().message;
        EXPECT_EQ(family->id, std::string("my-") + starter);
        EXPECT_TRUE(std::filesystem::exists(file(std::string(starter) + "/README.md")));
        Catalog catalog({});
        ASSERT_TRUE(catalog.add(*family));
        for (const Variant& variant : family->variants)
            EXPECT_TRUE(catalog.suite({family->id, variant.id, {}})) << starter;
    }
    EXPECT_FALSE(writeStarter("copy", "other", file("copy"))); // not empty
    EXPECT_FALSE(writeStarter("copy", "transpose", file("t")));
    EXPECT_FALSE(writeStarter("copy", "a/b", file("t")));
    EXPECT_FALSE(writeStarter("fft", "f", file("t")));
}

TEST_F(UserKernel, SnapshotOfTheErrors)
{
    std::string text;
    const std::string path = file("kernel.json");
    const auto addLoad = [&](const std::string& name) {
        const Result<KernelFamily> family = loadKernel(path);
        ASSERT_FALSE(family) << name;
        text += errorLine(name, family.error());
    };
    const auto addWork = [&](const std::string& name) {
        const Result<WorkSpec> built = work();
        ASSERT_FALSE(built) << name;
        text += errorLine(name, placeError(*loadKernel(path), built.error()));
    };
    write("kernel.json", descriptor(R"({"python": "ref.py"})"));
    addLoad("no source");
    write("k.cu", "");
    addLoad("no script");
    for (const char* line : {"#include \"../../secret.h\"", "#include <../secret.h>", "#define S <x>\n#include S"}) {
        write("k.cu", std::string(line) + '\n');
        addLoad("an inclusion from outside");
    }
    write("k.cu", "");
    write("kernel.json", descriptor(R"({"expression": "x"})", R"("fill": "ramp")", "k.ptx"));
    write("k.ptx", "// nothing\n");
    addLoad("no PTX");
    write("kernel.json", descriptor(R"({"expression": "x"})", R"("fill": "file", "file": "x.bin")"));
    addWork("no data");
    write("x.bin", floats({1, 2, 3}));
    addWork("less data");
    write("kernel.json", descriptor(R"_({"expression": "x(m)", "index": ["m:2*N"]})_"));
    addLoad("indices beyond the output");
    write("kernel.json", descriptor(R"({"expression": "x"})"));
    Catalog catalog = *Catalog::loadEmbedded();
    EXPECT_TRUE(catalog.add(*loadKernel(path)));
    KernelFamily other = *loadKernel(path);
    other.origin.descriptor = "/elsewhere/kernel.json";
    text += errorLine("a taken id", catalog.add(other).error());
    other.id = "copy";
    text += errorLine("a built-in id", catalog.add(other).error());
    test::expectSnapshot("errors/user-kernels.txt", text);
}

} // namespace
} // namespace kl
