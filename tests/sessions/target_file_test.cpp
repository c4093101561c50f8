// SPDX-License-Identifier: MIT
// kernelloop.json of schema 2: what it says, what is wrong with it and where, and which files are the project.
#include "sessions/measure/project_file.h"
#include "sessions/measure/registered_kernels.h"
#include "sessions/target/target_family.h"
#include "sessions/target/target_file.h"
#include "sessions/target/target_starter.h"
#include "sessions/trust/commands_of_file.h"
#include "tests/support/fake_program.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class TargetFile : public ::testing::Test {
protected:
    TargetFile() : program(folder / "project") {}

    Error wrong(const std::string& from, const std::string& to)
    {
        program.write("kernelloop.json", FakeProgram::kTarget);
        program.change(from, to);
        const Result<TargetSpec> spec = loadTarget(program.file("kernelloop.json"));
        EXPECT_FALSE(spec.ok()) << to;
        return spec ? Error{} : spec.error();
    }
    std::string place(int line, int column) const
    {
        return fmt::format("{}:{}:{}", program.file("kernelloop.json").string(), line, column);
    }

    support::TempDir folder;
    FakeProgram program;
};

TEST_F(TargetFile, SaysWhatASessionNeeds)
{
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_EQ(spec->id, "sums");
    EXPECT_EQ(spec->build, (CommandWords{"sh", "-c", "sh build.sh"}));
    EXPECT_EQ(spec->run, (CommandWords{"sh", "run.sh", "{N}"}));
    EXPECT_EQ(spec->warmup, 10);
    EXPECT_EQ(spec->launches, 50);
    EXPECT_EQ(spec->rival.name, "^rival");
    EXPECT_EQ(spec->folder, program.folder());
    EXPECT_EQ(spec->suite.size(), 3U);
}

TEST_F(TargetFile, FaultsHaveLineColumnAndField)
{
    Error error = wrong("\"run\": [\"sh\", \"run.sh\", \"{N}\"],", "");
    EXPECT_EQ(error.where, place(3, 3));
    EXPECT_THAT(error.message, HasSubstr("target: "));
    error = wrong("\"id\": \"sums\"", "\"id\": 7");
    EXPECT_EQ(error.where, place(4, 5));
    EXPECT_THAT(error.message, HasSubstr("target.id: "));
}

TEST_F(TargetFile, WhatTheSchemaCannotSeeIsPlacedToo)
{
    EXPECT_EQ(wrong("\"smallest\": \"N=1\"", "\"smallest\": \"M=1\"").where, place(7, 5));
    EXPECT_EQ(wrong("[\"kernel.txt\"]", "[\"../kernel.txt\"]").where, place(14, 14));
    EXPECT_EQ(wrong("{\"name\": \"column_sum\"}", "{\"name\": \"a(\"}").where, place(11, 16));
    EXPECT_EQ(wrong("{\"name\": \"column_sum\"}", "{\"range\": \"a\", \"grid\": [\"1\"]}").where, place(11, 5));
    EXPECT_EQ(wrong("{\"name\": \"column_sum\"}", "{\"name\": \"a\", \"grid\": [\"M/2\"]}").where, place(11, 38));
    EXPECT_EQ(wrong("{\"kernel\": \"^rival\"}", "{\"kernel\": \"a\", \"range\": \"b\"}").where, place(13, 5));
    EXPECT_EQ(wrong("{\"kernel\": \"^rival\"}", "{}").where, place(13, 5));
    EXPECT_EQ(wrong("{\"reference\": [\"sh\", \"reference.sh\", \"{N}\"]}", "{}").where, place(12, 5));
    EXPECT_EQ(wrong("\"schema\": 2", "\"schema\": 1").where, place(2, 3));
    EXPECT_EQ(wrong("\"edit\": [\"kernel.txt\"]", "\"launches\": 49, \"edit\": [\"kernel.txt\"]").where, place(14, 5));
    EXPECT_EQ(wrong("\"edit\": [\"kernel.txt\"]", "\"edits\": [\"kernel.txt\"]").where, place(14, 5));
}

TEST_F(TargetFile, WhatWouldOnlyFailLaterIsRefused)
{
    EXPECT_EQ(wrong("\"run.sh\", \"{N}\"", "\"run.sh\", \"{M}\"").where, place(10, 5)) << "no such size";
    EXPECT_EQ(wrong("\"sh build.sh\"", "\"sh build.sh {N}\"").where, place(9, 5)) << "a build is for every size";
    EXPECT_EQ(wrong("[\"kernel.txt\"]", "[\"kernel.txt\", \"./kernelloop.json\"]").where, place(14, 28)) << "it judges the edit";
    EXPECT_EQ(wrong("\"edit\"", "\"environment\": {\"A=B\": \"1\"}, \"edit\"").where, place(14, 5));
    EXPECT_EQ(wrong("\"edit\"", "\"environment\": {\"KLOOP_LAUNCHES\": \"1\"}, \"edit\"").where, place(14, 21));
    EXPECT_EQ(wrong("\"edit\"", "\"launches\": 1000000000000, \"edit\"").where, place(14, 5));
    program.write("kernelloop.json", FakeProgram::kTarget);
    program.change("\"sh build.sh\"", "\"X=${N} sh build.sh\"");
    EXPECT_TRUE(loadTarget(program.folder()).ok()) << "a variable of the shell";
    program.change("[\"kernel.txt\"]", "[\"kernel.txt\", \"none.cu\"]");
    const Result<KernelFamily> family = loadFamily(program.file("kernelloop.json"));
    ASSERT_FALSE(family.ok());
    EXPECT_EQ(family.error().where, place(14, 28)) << "no such file";
}

TEST_F(TargetFile, TheFirstSchemaStaysValid)
{
    const char* old = R"({"schema": 1, "torch": "2.2", "extension": {"module": "m", "build": "make"}})";
    ASSERT_TRUE(parseProjectFile(old, program.file("kernelloop.json")).ok());
    const auto none = parseTarget(old, program.file("kernelloop.json"), "kernelloop.json");
    ASSERT_TRUE(none.ok());
    EXPECT_FALSE(none->has_value());
    EXPECT_FALSE(parseProjectFile(R"({"schema": 3})", program.file("kernelloop.json")).ok());
    const auto project = parseProjectFile(program.text("kernelloop.json"), program.file("kernelloop.json"));
    ASSERT_TRUE(project.ok()) << project.error().message;
    EXPECT_FALSE(project->extension);
}

TEST_F(TargetFile, TheExtensionsBuildIsTheTargets)
{
    program.change("\"target\": {", "\"extension\": {\"module\": \"m\", \"build\": \"make it\"}, \"target\": {");
    program.change("\"build\": \"sh build.sh\",\n", "");
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_EQ(spec->build, (CommandWords{"sh", "-c", "make it"}));
}

TEST_F(TargetFile, TheProjectIsWhatNobodyMakes)
{
    std::filesystem::create_directories(program.file("build"));
    std::filesystem::create_directories(program.file("sub/__pycache__"));
    std::filesystem::create_directories(program.file("weights"));
    program.write("build/made", "x");
    program.write("sub/__pycache__/a.pyc", "x");
    program.write("weights/big.bin", "x");
    program.write("sub/more.txt", "x");
    std::filesystem::create_symlink("nowhere", program.file("a-link")); // before the others in some orders
    std::filesystem::create_symlink("nowhere", program.file("sub/a-link"));
    program.write("module.so", "\x7f"
                               "ELF and more");
    program.change("\"edit\"", "\"leave_out\": [\"weights\", \"data/right.npy\"], \"edit\"");
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok());
    const Result<std::vector<std::string>> files = projectFiles(*spec);
    ASSERT_TRUE(files.ok());
    EXPECT_THAT(*files, Contains("sub/more.txt"));
    EXPECT_THAT(*files, Contains("data/wrong.npy"));
    for (const char* left : {"build/made", "sub/__pycache__/a.pyc", "weights/big.bin", "module.so", "data/right.npy"})
        EXPECT_THAT(*files, Not(Contains(left)));
}

TEST_F(TargetFile, AFamilyHasItsFilesAndNoCodeForAWorker)
{
    Result<KernelFamily> family = loadFamily(program.folder());
    ASSERT_TRUE(family.ok()) << family.error().message;
    EXPECT_TRUE(family->isProgram());
    EXPECT_THAT(family->origin.sources, ElementsAre(program.file("kernel.txt").string()));
    EXPECT_THAT(family->origin.others, Contains(program.file("run.sh").string()));
    const std::string before = family->programHash;
    program.code(4000);
    EXPECT_NE(loadFamily(program.folder())->programHash, before);
    program.write("run.sh", "other\n");
    program.code(8000);
    EXPECT_EQ(loadFamily(program.folder())->programHash, before) << "of what may be edited alone";

    Catalog catalog({});
    ASSERT_TRUE(catalog.add(*family).ok());
    EXPECT_TRUE(catalog.families().empty());
    EXPECT_TRUE(catalog.family("sums").ok());
    EXPECT_EQ(catalog.work({"sums", "program", {}}, {}).error().code, ErrorCode::refused);
    const Result<WorkIdentity> identity = catalog.identify({"sums", "program", {}}, {});
    ASSERT_TRUE(identity.ok());
    EXPECT_EQ(*identity, (WorkIdentity{"N=512", before}));
    EXPECT_EQ(catalog.identify({"sums", "program", {}}, {{"M", std::int64_t{1}}}).error().code, ErrorCode::badInput);
}

TEST_F(TargetFile, ItIsRegisteredLikeAKernel)
{
    const auto store = support::openStore((folder / "kl.db").string());
    ASSERT_TRUE(registerKernel(*store, program.folder().string()).ok());
    const Result<OpenCatalog> open = openCatalog(*store);
    ASSERT_TRUE(open.ok());
    EXPECT_TRUE(open->catalog.family("sums").ok());
    EXPECT_TRUE(open->broken.empty());
    EXPECT_EQ(*unregisterKernel(*store, "sums"), program.file("kernelloop.json").string());
}

TEST_F(TargetFile, ConsentNamesItsCommandsAndCoversItsScripts)
{
    const Result<std::vector<FileCommand>> commands = listFileCommands(program.folder());
    ASSERT_TRUE(commands.ok()) << commands.error().message;
    ASSERT_EQ(commands->size(), 1U);
    EXPECT_THAT(commands->front().files, ::testing::IsSupersetOf({"build.sh", "reference.sh", "run.sh"}));
    EXPECT_THAT(commands->front().files, Not(Contains("kernelloop.json")));
    const std::string hash = commands->front().hash;
    program.code(4000);
    EXPECT_EQ(listFileCommands(program.folder())->front().hash, hash) << "code is edited in every session";
    program.change("\"sh\", \"run.sh\"", "\"build/run\"");
    const std::string unbuilt = listFileCommands(program.folder())->front().hash;
    std::filesystem::create_directories(program.file("build"));
    program.write("build/run", "made by the build");
    EXPECT_EQ(listFileCommands(program.folder())->front().hash, unbuilt) << "each build makes another";
    program.change("\"build\": \"sh build.sh\",\n", "");
    EXPECT_THAT(listFileCommands(program.folder())->front().files, Contains("build/run")) << "nothing of this target makes it";
    program.write("kernelloop.json", FakeProgram::kTarget);
    program.write("run.sh", "other\n");
    EXPECT_NE(listFileCommands(program.folder())->front().hash, hash);
}

TEST_F(TargetFile, EveryTemplateIsValidAndComplete)
{
    for (const std::string& starter : targetStarters()) {
        const Result<std::string> file = writeTarget(starter, "mine-" + starter, (folder / starter).string());
        ASSERT_TRUE(file.ok()) << starter << ": " << file.error().message;
        const Result<TargetSpec> spec = loadTarget(*file);
        ASSERT_TRUE(spec.ok()) << spec.error().message;
        EXPECT_EQ(spec->id, "mine-" + starter);
        EXPECT_FALSE(spec->run.empty());
        EXPECT_TRUE(std::filesystem::exists(folder / starter / "kernelloop.schema.json"));
        const Result<KernelFamily> family = makeFamily(*spec);
        EXPECT_TRUE(family.ok()) << starter;
        for (const CommandWords& command : commandsIn(*spec))
            for (const std::string& word : command)
                if (word.ends_with(".py")) {
                    EXPECT_TRUE(std::filesystem::exists(folder / starter / word)) << word;
                }
        EXPECT_EQ(writeTarget(starter, "again", (folder / starter).string()).error().code, ErrorCode::badInput)
            << "the folder is not empty";
    }
    EXPECT_EQ(writeTarget("fortran", "mine", (folder / "f").string()).error().code, ErrorCode::badInput);
}

TEST_F(TargetFile, EachSettingIsTakenAndCommandsStandInTheirOrder)
{
    program.change("\"edit\"", "\"title\": \"Sums\", \"warmup\": 3, \"launches\": 60, \"timeout_s\": 30, \"environment\": {\"A\": \"b\"}, "
                               "\"leave_out\": [\"weights\"], \"edit\"");
    program.change("{\"reference\": [\"sh\", \"reference.sh\", \"{N}\"]}", "{\"reference\": \"ref\", \"max_abs\": 0.5, \"rel_l2\": 0.25}");
    program.change("{\"kernel\": \"^rival\"}", "{\"range\": \"r\", \"run\": \"rival\", \"name\": \"Rival\"}");
    program.change("{\"name\": \"column_sum\"}", "{\"name\": \"column_sum\", \"grid\": [\"N\"], \"block\": [\"32\", \"8\"]}");
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_EQ(spec->title, "Sums");
    EXPECT_EQ(spec->warmup, 3);
    EXPECT_EQ(spec->launches, 60);
    EXPECT_EQ(spec->timeoutSeconds, 30);
    EXPECT_EQ(spec->environment, (std::map<std::string, std::string>{{"A", "b"}}));
    EXPECT_THAT(spec->leaveOut, ElementsAre("weights"));
    EXPECT_EQ(spec->check.tolerance.maxAbs, 0.5);
    EXPECT_EQ(spec->check.tolerance.relL2, 0.25);
    EXPECT_EQ(spec->rival.name, "Rival");
    EXPECT_EQ(spec->rival.launches.range, "r");
    EXPECT_TRUE(spec->check.command.empty());
    EXPECT_THAT(spec->kernel.grid, ElementsAre("N"));
    EXPECT_THAT(spec->kernel.block, ElementsAre("32", "8"));
    EXPECT_EQ(commandsIn(*spec), (std::vector<CommandWords>{
                                     {"sh", "-c", "sh build.sh"}, {"sh", "run.sh", "{N}"}, {"sh", "-c", "ref"}, {"sh", "-c", "rival"}}));
    EXPECT_EQ(spec->fileHash.size(), 64U);
    const Result<KernelFamily> family = makeFamily(*spec, {{program.file("kernel.txt").string(), "replaced"}});
    ASSERT_TRUE(family.ok());
    EXPECT_EQ(family->title, "Sums");
    EXPECT_EQ(family->tolerance.maxAbs, 0.5);
    EXPECT_EQ(family->baseline.name, "Rival");
    EXPECT_FALSE(family->checkedByCommand);
    EXPECT_EQ(family->variants.at(0).source, "replaced");
    EXPECT_EQ(family->variants.at(0).id, kProgramVariant);
    EXPECT_EQ(family->sourcePath, "kernel.txt");
}

TEST_F(TargetFile, ARivalIsPyTorchsAttentionOrLaunches)
{
    program.change(
        "{\"kernel\": \"^rival\"}",
        "{\"sdpa\": {\"shape\": {\"B\": \"1\", \"H\": \"2\", \"S\": \"N\", \"D\": \"64\"}, \"type\": \"bf16\", \"causal\": true}}");
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_EQ(spec->rival.name, "PyTorch SDPA");
    EXPECT_EQ(spec->rival.shape.at("S"), "N");
    EXPECT_EQ(spec->rival.type, "bf16");
    EXPECT_TRUE(spec->rival.causal);
    const std::string sdpa = "\"sdpa\": {\"shape\": {\"B\": \"1\", \"H\": \"2\", \"S\": \"N\", \"D\": \"64\"}}";
    EXPECT_EQ(wrong("{\"kernel\": \"^rival\"}", "{" + sdpa + ", \"kernel\": \"a\"}").where, place(13, 5));
    EXPECT_EQ(wrong("{\"kernel\": \"^rival\"}", "{" + sdpa + ", \"run\": \"a\"}").where, place(13, 5));
    EXPECT_EQ(wrong("{\"kernel\": \"^rival\"}", "{\"kernel\": \"a(\"}").where, place(13, 15));
    program.write("kernelloop.json", FakeProgram::kTarget);
    program.change("{\"kernel\": \"^rival\"}", "{\"range\": \"theirs\"}");
    EXPECT_EQ(loadTarget(program.folder())->rival.name, "theirs");
}

TEST_F(TargetFile, ChecksEnvironmentsAndPathsThatCannotBeAreRefused)
{
    const std::string reference = "{\"reference\": [\"sh\", \"reference.sh\", \"{N}\"]}";
    EXPECT_EQ(wrong(reference, "{\"reference\": \"a\", \"command\": \"b\"}").where, place(12, 5));
    EXPECT_EQ(wrong(reference, "{\"command\": \"b\", \"max_abs\": 1}").where, place(12, 5));
    EXPECT_EQ(wrong(reference, "{\"command\": \"b\", \"rel_l2\": 1}").where, place(12, 5));
    EXPECT_EQ(wrong("\"edit\"", "\"environment\": {\"CUDA_INJECTION64_PATH\": \"1\"}, \"edit\"").where, place(14, 21));
    for (const char* path : {"/abs/k.cu", "..", "."})
        EXPECT_EQ(wrong("[\"kernel.txt\"]", std::string("[\"") + path + "\"]").code, ErrorCode::badInput) << path;
    EXPECT_EQ(wrong("\"smallest\": \"N=1\"", "\"smallest\": \"N=-1\"").where, place(7, 5));
    EXPECT_EQ(wrong("\"smallest\": \"N=1\"", "\"smallest\": \"N=1,M=2\"").where, place(7, 5));
    EXPECT_EQ(wrong("\"smallest\": \"N=1\"", "\"smallest\": \"1\"").where, place(7, 5));
    EXPECT_EQ(wrong("{\"name\": \"column_sum\"}", "{\"name\": \"a\", \"range\": \"b\"}").where, place(11, 5));
    EXPECT_EQ(wrong("{\"name\": \"column_sum\"}", "{\"name\": \"a\", \"block\": [\"0\"]}").where, place(11, 39));
    const support::TempDir none;
    EXPECT_EQ(loadTarget(none.path()).error().code, ErrorCode::badInput);
    support::writeBytes(none / "kernelloop.json", R"({"schema": 1})");
    const Result<TargetSpec> without = loadTarget(none.path());
    EXPECT_EQ(without.error().where, (none / "kernelloop.json").string());
    EXPECT_EQ(targetFileAt(none.path()), none / "kernelloop.json");
    EXPECT_EQ(targetFileAt(none / "kernelloop.json"), none / "kernelloop.json");
    support::writeBytes(none / "kernel.json", "{}");
    EXPECT_EQ(targetFileAt(none.path()), std::nullopt) << "a kernel of one's own comes first";
    EXPECT_EQ(targetFileAt(none / "other.json"), std::nullopt);
}

TEST_F(TargetFile, WhatToolsMakeIsNoPartOfTheProject)
{
    for (const char* made : {".git", "dist", "mine.egg-info", "cmade", "venv", "kept"})
        std::filesystem::create_directories(program.file(made));
    for (const char* file : {".hidden", ".git/config", "dist/a", "mine.egg-info/a", "cmade/CMakeCache.txt", "cmade/a", "venv/pyvenv.cfg",
                             "venv/a", "kept/a", "kept/b.pyc", "data/skip"})
        program.write(file, "x");
    program.change("\"edit\"", "\"leave_out\": [\"data/\"], \"edit\"");
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_THAT(*projectFiles(*spec), ElementsAre("build.sh", "kept/a", "kernel.txt", "kernelloop.json", "reference.sh", "run.sh"));
}

TEST_F(TargetFile, TemplatesInPythonHaveTheHelperThatTheyImport)
{
    for (const std::string& starter : targetStarters()) {
        const Result<std::string> file = writeTarget(starter, "mine", (folder / ("new-" + starter)).string());
        ASSERT_TRUE(file.ok()) << starter << ": " << file.error().message;
        EXPECT_EQ(*file, (folder / ("new-" + starter) / "kernelloop.json").string());
        const std::filesystem::path helper = folder / ("new-" + starter) / "kloop_target.py";
        bool imported = false;
        for (const auto& entry : std::filesystem::directory_iterator(folder / ("new-" + starter)))
            if (entry.path().extension() == ".py" && entry.path() != helper)
                imported = imported || support::readBytes(entry.path()).find("kloop_target") != std::string::npos;
        EXPECT_EQ(std::filesystem::exists(helper), imported) << starter;
        EXPECT_EQ(imported, starter == "pytorch" || starter == "triton") << starter;
    }
    EXPECT_EQ(writeTarget("fortran", "mine", (folder / "none").string()).error().where, "fortran");
    EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST_F(TargetFile, OnlyAKernelHasAShapeAndEachShapeIsChecked)
{
    EXPECT_EQ(wrong("{\"name\": \"column_sum\"}", "{\"range\": \"a\", \"block\": [\"1\"]}").where, place(11, 5));
    EXPECT_EQ(wrong("{\"name\": \"column_sum\"}", "{\"name\": \"a\", \"grid\": [\"1\", \"0\"]}").where, place(11, 43));
    EXPECT_EQ(wrong("{\"name\": \"column_sum\"}", "{\"name\": \"a\", \"block\": [\"32\", \"M\"]}").where, place(11, 45));
    program.write("kernelloop.json", FakeProgram::kTarget);
    program.change("\"problems\": [\"N=512\"]", "\"problems\": [\"N=512\", \"N=0\"]");
    EXPECT_TRUE(loadTarget(program.folder()).ok());
    program.change("{\"name\": \"column_sum\"}", "{\"name\": \"a\", \"grid\": [\"N\"]}");
    EXPECT_EQ(loadTarget(program.folder()).error().code, ErrorCode::badInput) << "no blocks on the second problem";
}

TEST_F(TargetFile, EachListOfSizesIsChecked)
{
    const auto code = [&](const std::string& from, const std::string& to) { return wrong(from, to).code; };
    EXPECT_EQ(code("\"problems\": [\"N=512\"]", "\"problems\": [\"N=512\", \"M=5\"]"), ErrorCode::badInput);
    EXPECT_EQ(wrong("[\"N=1\", \"N=7\", \"N=512\"]", "[\"N=1\", \"N=x\", \"N=512\"]").where, place(8, 22));
    EXPECT_EQ(wrong("[\"N=1\", \"N=7\", \"N=512\"]", "[\"N=1\", \"N=7\", \"N=5,M=1\"]").where, place(8, 29));
    program.write("kernelloop.json", FakeProgram::kTarget);
    program.change("\"problems\": [\"N=512\"]", "\"problems\": [\"N=512\", \"N=64\"]");
    program.change("\"suite\": [\"N=1\", \"N=7\", \"N=512\"],\n", "");
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_THAT(spec->problems, ElementsAre(Params{{"N", std::int64_t{512}}}, Params{{"N", std::int64_t{64}}}));
    EXPECT_THAT(spec->suite, ElementsAre(spec->smallest)) << "without a suite";
}

TEST_F(TargetFile, EachCommandKnowsTheSizesOfTheTarget)
{
    const std::string reference = "{\"reference\": [\"sh\", \"reference.sh\", \"{N}\"]}";
    EXPECT_EQ(wrong(reference, "{\"reference\": [\"sh\", \"{M}\"]}").where, place(12, 15));
    EXPECT_EQ(wrong(reference, "{\"command\": [\"sh\", \"x={M}\"]}").where, place(12, 15));
    EXPECT_EQ(wrong("{\"kernel\": \"^rival\"}", "{\"kernel\": \"a\", \"run\": \"{M} b\"}").where, place(13, 30));
    EXPECT_EQ(wrong("\"run.sh\", \"{N}\"", "\"run.sh\", \"{N}\", \"{N_2}\"").where, place(10, 5)) << "the whole name";
    program.write("kernelloop.json", FakeProgram::kTarget);
    program.change("\"run.sh\", \"{N}\"", "\"run.sh\", \"{N},{N}\", \"{n}\", \"${M}\"");
    EXPECT_TRUE(loadTarget(program.folder()).ok()) << "small letters and variables of the shell are the program's";
}

TEST_F(TargetFile, VariablesOfTheProfilerAreItsOwn)
{
    for (const char* name : {"CUDA_INJECTION64_PATH", "CUDA_INJECTION32_PATH", "KLOOP_OUTPUT", ""})
        EXPECT_EQ(wrong("\"edit\"", std::string("\"environment\": {\"") + name + "\": \"1\"}, \"edit\"").code, ErrorCode::badInput) << name;
    program.write("kernelloop.json", FakeProgram::kTarget);
    program.change("\"edit\"", "\"environment\": {\"CUDA_VISIBLE_DEVICES\": \"0\", \"MY_KLOOP_X\": \"a=b\"}, \"edit\"");
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_EQ(spec->environment.at("MY_KLOOP_X"), "a=b");
}

TEST_F(TargetFile, EveryEditedFileIsTheProgramsTextAndTheFirstIsOpened)
{
    program.write("second.txt", "two");
    program.change("[\"kernel.txt\"]", "[\"kernel.txt\", \"./second.txt\"]");
    const KernelFamily family = *loadFamily(program.folder());
    EXPECT_THAT(family.origin.sources, ElementsAre(program.file("kernel.txt").string(), program.file("second.txt").string()));
    EXPECT_EQ(family.sourcePath, "kernel.txt");
    EXPECT_EQ(family.variants.at(0).source, program.text("kernel.txt"));
    EXPECT_THAT(family.origin.others, Not(Contains(program.file("second.txt").string())));
    EXPECT_THAT(family.origin.others, Not(Contains(family.origin.descriptor)));
    EXPECT_EQ(family.sizes, (std::vector<std::string>{"N"}));
    EXPECT_EQ(toText(family.problems.at(0)), "N=512");
    EXPECT_EQ(toText(family.smallest), "N=1");
    EXPECT_EQ(family.suite.size(), 3U);
    program.write("second.txt", "2");
    EXPECT_NE(loadFamily(program.folder())->programHash, family.programHash);
    const KernelFamily instead = *loadFamily(program.folder(), {{program.file("second.txt").string(), "two"}});
    EXPECT_EQ(instead.programHash, family.programHash) << "the text in place of the file";
}

TEST_F(TargetFile, WhatIsLeftOutIsNamedByItsPathOrByItsNameAnywhere)
{
    for (const char* made : {"sub/data", "sub/kept", "logs"})
        std::filesystem::create_directories(program.file(made));
    for (const char* file : {"sub/data/a", "sub/kept/b", "logs/c", "sub/logs", "sub/d"})
        program.write(file, "x");
    program.change("\"edit\"", "\"leave_out\": [\"logs\", \"./sub/data\", \"data/\", \"kept/b\"], \"edit\"");
    const Result<TargetSpec> spec = loadTarget(program.folder());
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_THAT(*projectFiles(*spec),
                ElementsAre("build.sh", "kernel.txt", "kernelloop.json", "reference.sh", "run.sh", "sub/d", "sub/kept/b"));
}

TEST_F(TargetFile, AProjectOfTooMuchSaysWhatToLeaveOut)
{
    program.write("large.bin", "");
    std::filesystem::resize_file(program.file("large.bin"), (std::uintmax_t{256} << 20U) + 1);
    EXPECT_EQ(loadFamily(program.folder()).error().where, program.folder().string());
    program.change("\"edit\"", "\"leave_out\": [\"large.bin\"], \"edit\"");
    EXPECT_TRUE(loadFamily(program.folder()).ok());
    std::filesystem::remove(program.file("large.bin"));
    std::filesystem::create_directories(program.file("many"));
    for (int i = 0; i < 5000; ++i)
        program.write("many/" + std::to_string(i), "");
    EXPECT_EQ(projectFiles(*loadTarget(program.folder())).error().code, ErrorCode::badInput);
    program.change("\"large.bin\"", "\"many\"");
    EXPECT_TRUE(projectFiles(*loadTarget(program.folder())).ok());
}

} // namespace
} // namespace kl::test
