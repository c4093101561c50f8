// SPDX-License-Identifier: MIT
// The files of a user's kernel: which are read, remembered and refused.
#include "kernel_folder.h"

#include "kernels/data/base64.h"
#include "kernels/file_stamps.h"
#include "kernels/starter.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <iterator>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class KernelFiles : public KernelFolder {
protected:
    static std::string replaced(std::string text, const std::string& from, const std::string& to)
    {
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    }
    /// The kernel of the folder after a change to its descriptor.
    Result<KernelFamily> load(const std::string& from = "\"mine\"", const std::string& to = "\"mine\"") const
    {
        write("kernel.json", replaced(descriptor(R"({"expression": "x"})"), from, to));
        return loadKernel(file("kernel.json"));
    }
};

TEST_F(KernelFiles, AVariantsOwnCodeIsReadLikeTheFamilys)
{
    write("k.cu", "family");
    write("own.cu", "#include \"own.h\"\n");
    write("own.h", "1");
    const char* plain = R"({"id": "plain", )";
    const Result<KernelFamily> own = load(plain, R"({"id": "plain", "source": "own.cu", )");
    ASSERT_TRUE(own) << own.error().message;
    EXPECT_EQ(own->source, "family");
    EXPECT_EQ(own->variants[0].source, "#include \"own.h\"\n");
    EXPECT_EQ(own->variants[0].headers, (std::map<std::string, std::string>{{"own.h", "1"}}));
    EXPECT_TRUE(own->headers.empty() && own->variants[1].source.empty());
    EXPECT_THAT(own->origin.sources, ElementsAre(file("k.cu"), file("own.cu"), file("own.h")));
    const Result<KernelFamily> missing = load(plain, R"({"id": "plain", "source": "none.cu", )");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("variants[0].source: "));
}

TEST_F(KernelFiles, ACubinIsAnElfFile)
{
    write("k.cubin", "\x7f"
                     "ELF and more");
    const Result<KernelFamily> code = load("k.cu", "k.cubin");
    ASSERT_TRUE(code) << code.error().message;
    ASSERT_TRUE(code->image);
    EXPECT_EQ(*code->image, (ImageSpec{false, "k.cubin",
                                       toBase64("\x7f"
                                                "ELF and more")}));
    EXPECT_TRUE(code->source.empty());
    write("k.cubin", "text");
    EXPECT_THAT(load("k.cu", "k.cubin").error().message, HasSubstr("source: " + file("k.cubin") + ": "));
    write("k.cu", "text");
    EXPECT_TRUE(load());
    EXPECT_FALSE(load()->image);
}

TEST_F(KernelFiles, OnlyQuotedNamesAreReadFromTheFolder)
{
    write("k.cu", "#include <angled.h>\n#include \"quoted.h\"\n#include \"quoted.h\"\n");
    write("angled.h", "1");
    write("quoted.h", "#include \"k.cu\"\n#include \"deep/more.h\"\n");
    write("deep/more.h", "#include \"../quoted.h\"\n#include \"beside.h\"\n");
    write("deep/beside.h", "2");
    const Result<KernelFamily> family = load();
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->headers.at("quoted.h"), "#include \"k.cu\"\n#include \"deep/more.h\"\n");
    EXPECT_EQ(family->headers.at("beside.h"), "2");
    EXPECT_FALSE(family->headers.contains("angled.h"));
    EXPECT_EQ(std::ranges::count(family->origin.sources, file("quoted.h")), 1);
    write("k.cu", "#include \"" + file("quoted.h") + "\"\n");
    EXPECT_EQ(load().error().code, ErrorCode::badInput) << "an absolute name, even of the own folder";
}

TEST_F(KernelFiles, HeadersBesideASourceElsewhereBelongToIt)
{
    write("src/k.cu", "#include \"k.h\"\n");
    write("src/k.h", "1");
    write("own/kernel.json", replaced(descriptor(R"({"expression": "x"})"), "k.cu", "../src/k.cu"));
    const Result<KernelFamily> family = loadKernel(file("own"));
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->headers.at("k.h"), "1");
    EXPECT_THAT(family->origin.sources, ElementsAre(file("src/k.cu"), file("src/k.h")));
    write("other.h", "2");
    write("src/k.cu", "#include \"../other.h\"\n");
    EXPECT_FALSE(loadKernel(file("own"))) << "beside neither";
}

TEST_F(KernelFiles, TextsGivenInsteadAreReadInTheirPlace)
{
    write("k.cu", "#include \"new.h\"\n");
    write("kernel.json", "{}");
    const std::map<std::string, std::string> instead{{file("kernel.json"), descriptor(R"({"expression": "x"})")}, {file("new.h"), "3"}};
    const Result<KernelFamily> family = loadKernel(file(""), instead);
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->headers.at("new.h"), "3");
    EXPECT_EQ(family->source, "#include \"new.h\"\n");
}

TEST_F(KernelFiles, DataFilesOfAFixedNameAreRemembered)
{
    write("k.cu", "");
    std::string text = descriptor(R"({"file": "y.npy"})", R"("fill": "file", "file": "data/x.npy")");
    write("kernel.json", text);
    EXPECT_THAT(loadKernel(file("kernel.json"))->origin.others, ElementsAre(file("data/x.npy"), file("y.npy")));
    text = replaced(replaced(text, "y.npy", "y_{N}.npy"), "x.npy", "x_{N}.npy");
    write("kernel.json", text);
    EXPECT_THAT(loadKernel(file("kernel.json"))->origin.others, IsEmpty()) << "they depend on the size";
}

TEST_F(KernelFiles, FilesOfALiftedLaunchAreRemembered)
{
    write("k.cu", "");
    write("kernel.json", R"({
  "id": "lifted", "source": "k.cu", "sizes": ["LAUNCH"], "problems": ["LAUNCH=3"], "smallest": "LAUNCH=3",
  "buffers": [{"name": "a", "type": "u8", "count": "4", "fill": "file", "file": "a.zst", "address": "0x7f0000001000", "after": "b.zst"}],
  "variants": [{"id": "v", "variables": {"scale": "scale.bin"}, "launches": [
    {"entry": "k", "grid": ["4"], "block": ["256"], "args": [], "parameters": "arguments.bin"}]}]})");
    const Result<KernelFamily> family = loadKernel(file("kernel.json"));
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_THAT(family->origin.others, ElementsAre(file("a.zst"), file("b.zst"), file("scale.bin"), file("arguments.bin")));
}

TEST_F(KernelFiles, AnIdStandsInForAMissingTitle)
{
    write("k.cu", "");
    EXPECT_EQ(load()->title, "mine");
    EXPECT_EQ(load("\"mine\"", "\"mine\", \"title\": \"My kernel\"")->title, "My kernel");
}

TEST_F(KernelFiles, WhatIsNotThereOrIsCodeIsNoKernel)
{
    for (const char* name : {"missing", "missing/kernel.json"}) {
        const Result<KernelFamily> none = loadKernel(file(name));
        ASSERT_FALSE(none);
        EXPECT_EQ(none.error().where, file(name));
        EXPECT_THAT(none.error().message, HasSubstr(file(name)));
        EXPECT_EQ(none.error().next.size(), 1U);
    }
    for (const char* name : {"k.cu", "k.ptx", "k.cubin"}) {
        write(name, "");
        EXPECT_EQ(loadKernel(file(name)).error().where, file(name));
        EXPECT_THAT(loadKernel(file(name)).error().message, AllOf(HasSubstr(file(name)), HasSubstr("kernel.json")));
    }
}

TEST_F(KernelFiles, SnapshotOfTheErrors)
{
    write("k.cu", "");
    std::string text = errorLine("no folder", loadKernel(file("missing")).error());
    text += errorLine("no file", loadKernel(file("missing/kernel.json")).error());
    text += errorLine("code", loadKernel(file("k.cu")).error());
    text += errorLine("no source of a variant", load(R"({"id": "plain", )", R"({"id": "plain", "source": "none.cu", )").error());
    write("k.cubin", "text");
    text += errorLine("no cubin", load("k.cu", "k.cubin").error());
    write("k.cu", "#include \"" + file("quoted.h") + "\"\n");
    text += errorLine("an absolute inclusion", load().error());
    for (const char* name : {"", "a/b", "a@T=1", ".a", "-a", "a b", "transpose"})
        text += errorLine(std::string("a starter named ") + name, writeStarter("copy", name, file("t")).error());
    text += errorLine("no such starter", writeStarter("fft", "mine", file("t")).error());
    write("plain", "a file");
    text += errorLine("a starter over a file", writeStarter("copy", "mine", file("plain")).error());
    write("full/one", "");
    text += errorLine("a starter among files", writeStarter("copy", "mine", file("full")).error());
    expectSnapshot("errors/kernel-files.txt", text);
}

TEST_F(KernelFiles, ADescriptorsPathIsCompleted)
{
    std::filesystem::create_directories(file("folder"));
    const support::SetVariable home("HOME", file("").c_str());
    EXPECT_EQ(descriptorAt("~/folder"), file("folder/kernel.json"));
    EXPECT_EQ(descriptorAt("~/other.json"), file("other.json"));
    EXPECT_EQ(descriptorAt(file("folder/")), file("folder/kernel.json"));
    EXPECT_EQ(descriptorAt(file("a.json/")), file("a.json")) << "a slash too many";
    EXPECT_EQ(descriptorAt(file("folder/../b.json")), file("b.json"));
    EXPECT_EQ(descriptorAt("c.json"), std::filesystem::current_path() / "c.json");
}

TEST(KernelPath, EndsWhereTheVariantBegins)
{
    const auto parts = [](const std::string& text) {
        const std::optional<KernelPath> path = kernelPathIn(text);
        return path ? path->path.string() + '|' + path->rest : std::string("none");
    };
    EXPECT_EQ(parts("~/scale:fast"), "~/scale|fast");
    EXPECT_EQ(parts("~scale"), "~scale|");
    EXPECT_EQ(parts("../scale@T=1"), "../scale|@T=1");
    EXPECT_EQ(parts("a.json"), "a.json|");
    EXPECT_EQ(parts("a.json@T=1"), "a.json|@T=1");
    EXPECT_EQ(parts("a.json:b@T=1"), "a.json|b@T=1");
    EXPECT_EQ(parts("a.cu"), "a.cu|");
    EXPECT_EQ(parts("a.cubin"), "a.cubin|");
    EXPECT_EQ(parts("a.cpp"), "none");
    EXPECT_EQ(parts("copy"), "none");
    EXPECT_EQ(parts("copy/a:b"), "none");
    EXPECT_EQ(parts(""), "none");
}

TEST_F(KernelFiles, StampsAreThoseOfEveryFile)
{
    write("k.cu", "");
    ASSERT_TRUE(load());
    const KernelOrigin origin{file("kernel.json"), {file("k.cu")}, {file("data.bin")}};
    const auto changes = [&](const std::function<void()>& change) {
        FileStamps stamps;
        stamps.add(origin);
        EXPECT_FALSE(stamps.changed());
        change();
        return stamps.changed();
    };
    EXPECT_TRUE(changes([&] { write("kernel.json", "{}"); }));
    EXPECT_TRUE(changes([&] { write("k.cu", "longer"); }));
    EXPECT_TRUE(changes([&] { write("data.bin", "now there"); }));
    EXPECT_TRUE(changes([&] { std::filesystem::remove(file("data.bin")); }));
    EXPECT_FALSE(changes([&] { write("other", ""); }));
}

TEST_F(KernelFiles, AStarterIsWrittenUnderItsName)
{
    const Result<std::string> path = writeStarter("copy", "mine", file("new"));
    ASSERT_TRUE(path) << path.error().message;
    EXPECT_EQ(*path, file("new/kernel.json"));
    for (const auto& entry : std::filesystem::directory_iterator(file("new"))) {
        std::ifstream in(entry.path());
        const std::string text(std::istreambuf_iterator<char>(in), {});
        EXPECT_FALSE(text.empty()) << entry.path();
        EXPECT_EQ(text.find("@NAME@"), std::string::npos) << entry.path();
    }
    EXPECT_TRUE(std::filesystem::exists(file("new/kernel.schema.json")) && std::filesystem::exists(file("new/kernel.cu")));
    std::filesystem::create_directories(file("empty"));
    EXPECT_TRUE(writeStarter("copy", "mine", file("empty")));
}

TEST_F(KernelFiles, AStarterIsRefusedWithWhatIsWrong)
{
    const auto refusal = [&](const char* starter, const std::string& name, const std::string& folder) {
        const Result<std::string> path = writeStarter(starter, name, folder);
        EXPECT_FALSE(path) << name;
        EXPECT_EQ(path.error().code, ErrorCode::badInput);
        EXPECT_FALSE(path.error().message.empty() || path.error().hint.empty());
        return path ? "" : path.error().where;
    };
    for (const char* name : {"", "a/b", "a@T=1", ".a", "-a", "a b", "transpose"}) {
        EXPECT_EQ(refusal("copy", name, file("t")), name);
        EXPECT_FALSE(std::filesystem::exists(file("t"))) << name;
    }
    EXPECT_EQ(refusal("fft", "mine", file("t")), "fft");
    EXPECT_EQ(refusal("", "mine", file("t")), "");
    write("plain", "a file");
    EXPECT_EQ(refusal("copy", "mine", file("plain")), file("plain"));
    EXPECT_EQ(refusal("copy", "mine", file("plain/below")), file("plain/below")) << "no folder can be made there";
    write("full/one", "");
    EXPECT_EQ(refusal("copy", "mine", file("full")), file("full"));
}

TEST_F(KernelFiles, AStampIsTheTimeAndTheSizeOfAFileAsTheyWereFirst)
{
    namespace fs = std::filesystem;
    write("k.cu", "one");
    const KernelOrigin origin{file("kernel.json"), {file("k.cu")}, {}};
    FileStamps stamps;
    EXPECT_FALSE(stamps.changed()) << "of no file";
    stamps.add(origin);
    const fs::file_time_type time = fs::last_write_time(file("k.cu"));
    write("k.cu", "three");
    fs::last_write_time(file("k.cu"), time);
    EXPECT_TRUE(stamps.changed()) << "another size";
    write("k.cu", "two");
    fs::last_write_time(file("k.cu"), time + std::chrono::seconds(1));
    EXPECT_TRUE(stamps.changed()) << "another time";
    stamps.add(origin);
    EXPECT_TRUE(stamps.changed()) << "another kernel of the same file does not hide its change";
    fs::last_write_time(file("k.cu"), time);
    EXPECT_FALSE(stamps.changed());
    fs::remove(file("k.cu"));
    EXPECT_TRUE(stamps.changed());
}

TEST_F(KernelFiles, AStarterHasItsNameInItsDescriptorAndEveryStarterIsThere)
{
    for (const std::string starter : {"elementwise", "copy", "reduction", "matmul"}) {
        const Result<std::string> path = writeStarter(starter, "my-" + starter, file(starter));
        ASSERT_TRUE(path) << path.error().message;
        const Result<KernelFamily> family = loadKernel(*path);
        ASSERT_TRUE(family) << family.error().message;
        EXPECT_EQ(family->id, "my-" + starter);
        EXPECT_FALSE(family->source.empty());
    }
    const std::vector<StarterFile> files{{"a.txt", "resources/starters/copy/kernel.json"}};
    EXPECT_EQ(*writeStarterFiles(files, "mine", file("own")), file("own"));
    EXPECT_TRUE(std::filesystem::exists(file("own/a.txt")));
    EXPECT_EQ(writeStarterFiles({{"a.txt", "no/such/resource"}}, "mine", file("other")).error().code, ErrorCode::notFound);
}

} // namespace
} // namespace kl::test
