// SPDX-License-Identifier: MIT
#include "core/base/scratch_folder.h"
#include "core/codec/code_codec.h"
#include "core/model/kernel_code.h"
#include "core/process/cuda_tool.h"
#include "core/sass/code_diff.h"
#include "core/sass/code_lines.h"
#include "core/sass/cubin.h"
#include "core/sass/disassemble.h"
#include "core/sass/disassembly.h"
#include "core/sass/kernel_code_reader.h"
#include "core/sass/line_table.h"
#include "tests/support/build_folder.h"
#include "tests/support/snapshot.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace kl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStrided = "_Z7stridedPKfPfmi";
constexpr const char* kFmaKernel = "_Z5fma_kPfi";
constexpr std::int64_t kLoad = 0x390; ///< the LDG of kStrided

std::string dataFile(const std::string& name)
{
    std::ifstream in(fs::path(KL_SOURCE_DIR) / "tests/data/sass" / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

const std::string& cubin()
{
    static const std::string bytes = dataFile("three_kernels.cubin");
    return bytes;
}

/// Names the disassembler for one test.
class Tool {
public:
    explicit Tool(const fs::path& program) { ::setenv("KERNELLOOP_NVDISASM", program.c_str(), 1); }
    ~Tool() { ::unsetenv("KERNELLOOP_NVDISASM"); }
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;
};

/// A program that prints what nvdisasm printed for the cubin.
fs::path recordedTool(const ScratchFolder& folder)
{
    const fs::path program = folder.path() / "nvdisasm";
    std::ofstream(program) << "#!/bin/sh\nexec cat " << fs::path(KL_SOURCE_DIR) / "tests/data/sass/three_kernels.nvdisasm.txt" << '\n';
    fs::permissions(program, fs::perms::owner_all);
    return program;
}

CodeInstruction makeInstruction(const std::string& text, std::int64_t samples = 0, int line = 0)
{
    CodeInstruction one;
    one.text = text;
    one.samples = samples;
    if (samples > 0)
        one.stalls = {samples};
    one.file = line > 0 ? 0 : -1;
    one.line = line;
    return one;
}

KernelCode makeKernelCode(std::vector<CodeInstruction> instructions)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"kernel"};
    code.files = {"kernel.cu"};
    code.stalls = {"long_scoreboard"};
    code.instructions = std::move(instructions);
    std::int64_t offset = 0;
    for (CodeInstruction& one : code.instructions)
        one.offset = 16 * offset++;
    return code;
}

TEST(Sass, ACubinGivesLinesAndThePtxOfEachInstruction)
{
    EXPECT_EQ(readComputeCapability(cubin()), 90);
    ASSERT_TRUE(findFunction(cubin(), kStrided));
    EXPECT_EQ(findFunction(cubin(), kStrided)->code.size(), 0x900U);
    EXPECT_FALSE(findFunction(cubin(), "nothing"));
    EXPECT_EQ(readLineTable(cubin(), kStrided, LineTable::source), (std::vector<LineEntry>{{0, "k.cu", 2, "/tmp"}}));

    KernelCode code = readKernelCode(cubin(), {kStrided});
    ASSERT_EQ(code.instructions.size(), 144U);
    EXPECT_EQ(code.language, CodeLanguage::ptx);
    EXPECT_FALSE(code.notDisassembled.empty());
    const CodeInstruction* load = findInstruction(code, 0, kLoad);
    ASSERT_TRUE(load);
    EXPECT_EQ(load->text, "ld.global.f32 %f1, [%rd22];");
    EXPECT_EQ(load->line, 2);
    EXPECT_EQ(code.files, std::vector<std::string>{"k.cu"});
    EXPECT_FALSE(findInstruction(code, 0, 8));
    EXPECT_FALSE(findInstruction(code, 1, 0));
}

TEST(Sass, DamagedCubinsAreReadWithoutHarm)
{
    EXPECT_TRUE(readKernelCode("not a cubin", {kStrided}).instructions.empty());
    for (std::size_t size = 0; size < cubin().size(); size += 509)
        static_cast<void>(readKernelCode(cubin().substr(0, size), {kStrided, kFmaKernel}));
    for (std::size_t at = 0x640; at < 0x1500; at += 41) { // symbols and line tables
        std::string damaged = cubin();
        damaged[at] = static_cast<char>(~damaged[at]);
        damaged[at + 7] = '\xff';
        static_cast<void>(readKernelCode(damaged, {kStrided, kFmaKernel}));
    }
}

TEST(Sass, DisassemblyIsReadWithLabelsAsOffsetsAndLiveRegisters)
{
    const auto sections = readDisassembly(dataFile("three_kernels.nvdisasm.txt"));
    ASSERT_TRUE(sections.contains(".text._Z7stridedPKfPfmi"));
    const std::vector<DisassembledLine>& lines = sections.at(".text._Z7stridedPKfPfmi");
    EXPECT_EQ(lines.at(kLoad / 16), (DisassembledLine{kLoad, "LDG.E R7, desc[UR8][R6.64]", 7}));
    EXPECT_EQ(lines.at(0x410 / 16).text, "@!P0 BRA 0x190");
    EXPECT_EQ(sections.size(), 3U);
    EXPECT_EQ(readDisassembly("        /*0010*/  NOP ;\n").at("").front(), (DisassembledLine{0x10, "NOP", {}}));
    EXPECT_TRUE(readDisassembly("/*zz*/ NOP ;\n/*0000*/ NOP\n.section\n`(\n").empty());
}

TEST(Sass, TheSassReplacesTheImageWhereTheToolIsFound)
{
    const KernelCode plain = readKernelCode(cubin(), {kStrided});
    {
        const Tool none("/nowhere/nvdisasm");
        const KernelCode code = disassemble(plain);
        EXPECT_EQ(code.language, CodeLanguage::ptx);
        EXPECT_EQ(code.image, plain.image) << "another machine can still disassemble it";
        EXPECT_FALSE(code.notDisassembled.empty());
        EXPECT_TRUE(canDisassemble(code));
    }
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    const Tool recorded(recordedTool(*folder));
    const KernelCode code = disassemble(plain);
    EXPECT_EQ(code.language, CodeLanguage::sass);
    EXPECT_EQ(code.notDisassembled, "");
    EXPECT_EQ(code.image, "");
    EXPECT_EQ(code.instructions.at(kLoad / 16).text, "LDG.E R7, desc[UR8][R6.64]");
    EXPECT_EQ(code.instructions.at(kLoad / 16).liveRegisters, 7);
    EXPECT_FALSE(canDisassemble(code));
}

TEST(Sass, PaddingBehindTheLastBranchIsNoInstruction)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    const Tool recorded(recordedTool(*folder));
    KernelCode plain = readKernelCode(cubin(), {kStrided, kFmaKernel});
    const KernelCode code = disassemble(plain);
    EXPECT_LT(code.instructions.size(), plain.instructions.size());
    for (const CodeInstruction& one : code.instructions)
        EXPECT_FALSE(one.text.empty()) << one.function << " " << one.offset;
    EXPECT_EQ(code.instructions.back().offset, 0xa20) << "a branch to itself";

    findInstruction(plain, 1, 0xa70)->samples = 1; // something was seen there: it is shown
    const KernelCode sampled = disassemble(plain);
    EXPECT_EQ(sampled.instructions.back().offset, 0xa70);
}

TEST(Sass, NvdisasmItselfPrintsWhatWasRecorded)
{
    const fs::path wheel = fs::path(test::buildFolder()) / "cuda-wheels/bin/nvdisasm"; // of ./dev build --cuda-wheels
    const std::optional<Tool> ours = fs::exists(wheel) ? std::optional<Tool>(std::in_place, wheel) : std::nullopt;
    if (const auto found = findCudaTool({"nvdisasm", "KERNELLOOP_NVDISASM", "cuda-nvdisasm"}); !found)
        GTEST_SKIP() << found.error().message;
    const KernelCode code = disassemble(readKernelCode(cubin(), {kStrided, kFmaKernel}));
    ASSERT_EQ(code.language, CodeLanguage::sass) << code.notDisassembled;
    EXPECT_EQ(code.instructions.at(kLoad / 16).text, "LDG.E R7, desc[UR8][R6.64]");
    EXPECT_TRUE(code.instructions.at(kLoad / 16).liveRegisters);
    EXPECT_EQ(code.instructions.back().function, 1);

    KernelCode raw = readKernelCode(cubin(), {kStrided}); // as of a cubin that is too large to keep
    raw.image = findFunction(cubin(), kStrided)->code;
    raw = disassemble(raw);
    EXPECT_EQ(raw.instructions.at(kLoad / 16).text, code.instructions.at(kLoad / 16).text);
}

TEST(Sass, CodeSurvivesJsonAndDamageIsRefused)
{
    KernelCode code = readKernelCode(cubin(), {kStrided, kFmaKernel});
    CodeInstruction& one = code.instructions.at(3);
    addStalls(code, one, {{"wait", 3}, {"long_scoreboard", 4}});
    one.executed = 64;
    one.threads = 2048;
    one.sectors = 8;
    one.idealSectors = 4;
    one.wavefronts = 6;
    one.idealWavefronts = 2;
    one.liveRegisters = 12;
    EXPECT_EQ(one.samples, 7);
    EXPECT_EQ(one.bankConflicts(), 4);
    const Json json = codeToJson(SharedCode(code));
    const Result<SharedCode> back = codeFromJson(json);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(**back, code);
    EXPECT_FALSE(*codeFromJson(codeToJson({})));
    for (const auto& [field, value] :
         {std::pair("rows", "0\t16\n"), std::pair("rows", "9\t0\t-1\t0\t\t0\t\t\t\t\t\t\t\tNOP\n"),
          std::pair("rows", "2\t0\t-1\t0\t\t0\t\t\t\t\t\t\t\tNOP\n"), std::pair("rows", "-1\t0\t-1\t0\t\t0\t\t\t\t\t\t\t\tNOP\n"),
          std::pair("rows", "0\t0\t1\t0\t\t0\t\t\t\t\t\t\t\tNOP\n"), std::pair("rows", "0\t0\t0\t0x\t\t0\t\t\t\t\t\t\t\tNOP\n"),
          std::pair("image", "000"), std::pair("image", "0G"), std::pair("rows", "0\t0\t99\t0\t\t0\t\t\t\t\t\t\t\tNOP\n"),
          std::pair("rows", "0\t0\t-2\t0\t\t0\t\t\t\t\t\t\t\tNOP\n"), std::pair("rows", "0\t0\t-1\t0\t\t0\t1,2,3\t\t\t\t\t\t\tNOP\n"),
          std::pair("image", "0g"), std::pair("language", "basic")}) {
        Json damaged = json;
        damaged[field] = value;
        EXPECT_FALSE(codeFromJson(damaged)) << field << ' ' << value;
    }
    Json plain = json;
    plain["rows"] = "0\t0\t-1\t0\t\t0\t1\t\t\t\t\t\t\tNOP\n"; // of no file, with fewer reasons than are known
    EXPECT_TRUE(codeFromJson(plain));
}

TEST(Sass, LinesAreSummedAndHotSpotsArePeaks)
{
    KernelCode code = makeKernelCode(
        {makeInstruction("LDG R1", 10, 4), makeInstruction("FADD R2", 30, 5), makeInstruction("STG R2", 5, 4), makeInstruction("EXIT")});
    code.instructions[0].executed = 2;
    code.instructions[2].liveRegisters = 9;
    const std::vector<LineSum> lines = sumLines(code);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].sum.line, 4);
    EXPECT_EQ(lines[0].sum.samples, 15);
    EXPECT_EQ(lines[0].sum.executed, 2);
    EXPECT_EQ(lines[0].sum.liveRegisters, 9);
    EXPECT_EQ(lines[0].instructions, (std::vector<std::size_t>{0, 2}));
    EXPECT_FALSE(lines[1].sum.executed);
    EXPECT_EQ(dominantStall(code, lines[1].sum), "long_scoreboard");
    EXPECT_EQ(extractOpcode("@!P0 LDG.E R7, desc[UR8][R6.64]"), "LDG.E");
    EXPECT_EQ(extractOpcode(""), "");
    EXPECT_EQ(hotSpots({0, 50, 100, 60, 3, 20, 20, 0}), (std::vector<std::size_t>{2, 5}));
    EXPECT_TRUE(hotSpots({0, 0}).empty());
    EXPECT_TRUE(hotSpots({}).empty());
}

TEST(Sass, TwoBuildsAreAlignedByInstruction)
{
    const KernelCode a = makeKernelCode(
        {makeInstruction("LDC R1", 0), makeInstruction("LDG.E R7, [R2]", 80), makeInstruction("FFMA R1, R2", 20), makeInstruction("EXIT")});
    const KernelCode b =
        makeKernelCode({makeInstruction("LDC R1", 0), makeInstruction("LDG.E R9, [R4]", 30), makeInstruction("FFMA R1, R2", 10),
                        makeInstruction("FFMA R3, R4", 10), makeInstruction("STL [R1], R3"), makeInstruction("EXIT")});
    const CodeDiff diff = diffCode({&a, 1000}, {&b, 500});
    ASSERT_EQ(diff.rows.size(), 6U);
    EXPECT_EQ(diff.added, 2);
    EXPECT_EQ(diff.removed, 0);
    EXPECT_EQ(diff.changed, 1);
    EXPECT_TRUE(diff.rows[1].changed);
    EXPECT_DOUBLE_EQ(*diff.rows[1].movedNs, 300.0 - 800.0);
    EXPECT_EQ(diff.spillsA, 0);
    EXPECT_EQ(diff.spillsB, 1);
    ASSERT_EQ(diff.opcodes.size(), 3U);
    EXPECT_EQ(diff.opcodes[0].opcode, "LDG.E") << "the largest time moved";
    EXPECT_EQ(diff.opcodes[2].opcode, "STL");
    double moved = 0;
    for (const CodeDiffRow& row : diff.rows)
        moved += *row.movedNs;
    EXPECT_NEAR(moved, 500.0 - 1000.0, 1e-9);
    EXPECT_FALSE(diffCode({&a, {}}, {&b, {}}).rows[1].movedNs);
}

TEST(Sass, CodeOfSamplesIsInTheOrderOfItsAddresses)
{
    SourceProfile profile;
    profile.instructions = {{"kernel", 0x20, "a.cu", 3, 5, {{"wait", 2}, {"selected", 3}, {"gone", 0}}, 64, 2048},
                            {"helper", 0x00, "b.cu", 9, 1, {{"wait", 1}}, {}, {}},
                            {"kernel", 0x10, "", 0, 7, {{"barrier", 7}}, 32, {}}};
    const KernelCode code = makeCodeFromSamples(profile);
    ASSERT_EQ(code.instructions.size(), 3U);
    EXPECT_EQ(code.functions, (std::vector<std::string>{"kernel", "helper"}));
    EXPECT_EQ(code.files, (std::vector<std::string>{"a.cu", "b.cu"}));
    EXPECT_EQ(code.instructions[0].offset, 0x10);
    EXPECT_EQ(code.instructions[0].file, -1) << "not in the line table";
    EXPECT_EQ(code.instructions[0].samples, 7);
    EXPECT_EQ(code.instructions[1].offset, 0x20);
    EXPECT_EQ(code.instructions[1].executed, 64);
    EXPECT_EQ(code.instructions[1].threads, 2048);
    EXPECT_EQ(code.instructions[1].samples, 5);
    EXPECT_EQ(dominantStall(code, code.instructions[1]), "wait");
    EXPECT_EQ(code.instructions[2].function, 1);
    EXPECT_EQ(code.files[static_cast<std::size_t>(code.instructions[2].file)], "b.cu");
    EXPECT_FALSE(code.notDisassembled.empty());
    EXPECT_EQ(std::ranges::count(code.stalls, "gone"), 0) << "no samples";
}

TEST(Sass, ThePtxOfACubinIsNumberedAsItsLineTableNumbersIt)
{
    const std::vector<std::string_view> lines = ptxTexts(cubin());
    ASSERT_GT(lines.size(), 100U);
    for (const LineEntry& entry : readLineTable(cubin(), kFmaKernel, LineTable::ptx)) {
        ASSERT_GE(entry.line, 1);
        ASSERT_LE(static_cast<std::size_t>(entry.line), lines.size());
        EXPECT_TRUE(entry.file.empty());
    }
    EXPECT_TRUE(ptxTexts("no cubin").empty());
}

TEST(Sass, TablesOfLinesAreOfOneFunctionAndEndWithIt)
{
    for (const char* name : {kStrided, kFmaKernel}) {
        const std::vector<LineEntry> entries = readLineTable(cubin(), name, LineTable::source);
        ASSERT_FALSE(entries.empty()) << name;
        EXPECT_EQ(entries.front().offset, 0) << name;
        EXPECT_LT(entries.back().offset, static_cast<std::int64_t>(findFunction(cubin(), name)->code.size())) << name;
        EXPECT_TRUE(std::ranges::is_sorted(entries, {}, &LineEntry::offset)) << name;
        EXPECT_TRUE(std::ranges::all_of(entries, [](const LineEntry& one) { return one.file.find('/') == std::string::npos; })) << name;
    }
}

TEST(Sass, ALineNeedsTheMostRegistersOfItsInstructionsNotTheirSum)
{
    KernelCode code;
    code.instructions.resize(3);
    code.instructions[0].line = code.instructions[2].line = 7;
    code.instructions[0].liveRegisters = 12;
    code.instructions[2].liveRegisters = 10;
    code.instructions[0].executed = 3;
    const std::vector<LineSum> lines = sumLines(code);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].sum.liveRegisters, 12);
    EXPECT_EQ(lines[0].sum.executed, 3);
    EXPECT_EQ(lines[0].instructions, (std::vector<std::size_t>{0, 2}));
    EXPECT_FALSE(lines[1].sum.executed);
}

TEST(Sass, ATenthOfTheHottestIsAHotSpot)
{
    EXPECT_EQ(hotSpots({100, 0, 10, 0, 9}), (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(hotSpots({5, 5}), (std::vector<std::size_t>{0})) << "the first of equals";
    EXPECT_TRUE(hotSpots({0, 0}).empty());
    EXPECT_TRUE(hotSpots({}).empty());
}

TEST(Sass, WithoutSamplesNoTimeMoved)
{
    KernelCode code;
    code.instructions.resize(1);
    code.instructions[0].text = "EXIT ;";
    const CodeDiff diff = diffCode({&code, 1000}, {&code, 500});
    ASSERT_EQ(diff.rows.size(), 1U);
    EXPECT_FALSE(diff.rows[0].movedNs);
}

TEST(Sass, OnlyCodeWithAnImageInAnotherLanguageCanBeDisassembled)
{
    KernelCode code;
    code.image = "bytes";
    code.instructions.resize(1);
    EXPECT_TRUE(canDisassemble(code));
    code.language = CodeLanguage::sass;
    EXPECT_FALSE(canDisassemble(code));
    code.language = CodeLanguage::ptx;
    code.image.clear();
    EXPECT_FALSE(canDisassemble(code));
}

TEST(Sass, TheToolIsAskedForTheFunctionsOfACubinAndForTheArchitectureOfRawCode)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    const fs::path program = folder->path() / "tool";
    std::ofstream(program) << "#!/bin/sh\necho \"$@\" > " << (folder->path() / "arguments") << "\nexec cat " << fs::path(KL_SOURCE_DIR)
                           << "/tests/data/sass/three_kernels.nvdisasm.txt\n";
    fs::permissions(program, fs::perms::owner_all);
    const Tool tool(program);
    const auto arguments = [&] {
        std::ifstream in(folder->path() / "arguments");
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    KernelCode plain = readKernelCode(cubin(), {kStrided, "nothing", kFmaKernel});
    static_cast<void>(disassemble(plain));
    const std::string symbols =
        std::to_string(findFunction(cubin(), kStrided)->symbol) + ',' + std::to_string(findFunction(cubin(), kFmaKernel)->symbol);
    EXPECT_TRUE(arguments().starts_with("-c -lrm count -fun " + symbols + ' ')) << arguments();
    plain.image = findFunction(cubin(), kStrided)->code;
    static_cast<void>(disassemble(plain));
    EXPECT_TRUE(arguments().starts_with("-b SM90a ")) << arguments();
    plain.computeCapability = 89;
    static_cast<void>(disassemble(plain));
    EXPECT_TRUE(arguments().starts_with("-b SM89 ")) << arguments();
}

TEST(Sass, AToolThatFailsOrPrintsNothingLeavesTheCodeAsItIs)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    const KernelCode plain = readKernelCode(cubin(), {kStrided});
    std::set<std::string> reasons{"", plain.notDisassembled};
    for (const auto& [script, figure] : {std::pair("exit 3", " 3"), std::pair("echo nothing", "")}) {
        const fs::path program = folder->path() / "tool";
        std::ofstream(program) << "#!/bin/sh\n" << script << '\n';
        fs::permissions(program, fs::perms::owner_all);
        const Tool tool(program);
        const KernelCode code = disassemble(plain);
        EXPECT_TRUE(reasons.insert(code.notDisassembled).second) << code.notDisassembled;
        EXPECT_NE(code.notDisassembled.find(figure), std::string::npos) << code.notDisassembled;
        EXPECT_EQ(code.language, CodeLanguage::ptx);
        EXPECT_EQ(code.instructions, plain.instructions);
        EXPECT_EQ(code.image, plain.image);
    }
}

TEST(Sass, WhyThereIsNoCodeIsDistinguished)
{
    const KernelCode none = readKernelCode("", {kStrided});
    const KernelCode other = readKernelCode(cubin(), {"another"});
    EXPECT_TRUE(none.instructions.empty());
    EXPECT_TRUE(other.instructions.empty());
    const KernelCode there = readKernelCode(cubin(), {kStrided});
    EXPECT_EQ((std::set<std::string>{"", none.notDisassembled, other.notDisassembled, there.notDisassembled}).size(), 4U)
        << none.notDisassembled << ' ' << other.notDisassembled << ' ' << there.notDisassembled;
    EXPECT_EQ(readKernelCode("", {"another"}).notDisassembled, none.notDisassembled) << "whatever the kernel";
    EXPECT_EQ(other.computeCapability, 90);
    EXPECT_EQ(other.functions, std::vector<std::string>{"another"});
    EXPECT_TRUE(other.image.empty());
    EXPECT_TRUE(readKernelCode(cubin(), {}).instructions.empty());
}

TEST(Sass, SnapshotOfWhyThereIsNoCode)
{
    test::expectSnapshot("texts/no-code.txt", "no cubin | " + readKernelCode("", {kStrided}).notDisassembled + "\nanother kernel | " +
                                                  readKernelCode(cubin(), {"another"}).notDisassembled + "\nthere | " +
                                                  readKernelCode(cubin(), {kStrided}).notDisassembled + '\n');
}

TEST(Sass, LabelsAreThoseOfTheirSection)
{
    const auto sections =
        readDisassembly("\t.section\t.text.a,\"ax\",@progbits\n.L_x_0:\n        /*0000*/ BRA `(.L_x_0) ;\n.L_x_1:\n"
                        "\t.section\t.text.b,\"ax\"\n        /*0010*/ NOP ;\n.L_x_0: // |\n.L_x_2:\n        /*0020*/ BRA `(.L_x_0) ;\n"
                        "        /*0030*/ BRA `(.L_x_1) ; // |  12 |\n        /*0040*/ BRA `(.L_x_2) ; // none\n");
    ASSERT_EQ(sections.size(), 2U);
    EXPECT_EQ(sections.at(".text.a"), (std::vector<DisassembledLine>{{0, "BRA 0x0", {}}}));
    EXPECT_EQ(sections.at(".text.b"), (std::vector<DisassembledLine>{{0x10, "NOP", {}},
                                                                     {0x20, "BRA 0x20", {}},
                                                                     {0x30, "BRA `(.L_x_1)", 12}, // of no instruction of this section
                                                                     {0x40, "BRA 0x20", {}}}));
}

TEST(Sass, StallsAreAddedByReasonAndThoseWithoutSamplesAreNot)
{
    KernelCode code = makeKernelCode({makeInstruction("NOP")});
    CodeInstruction& one = code.instructions[0];
    addStalls(code, one, {{"wait", 3}, {"gone", 0}, {"odd", -1}});
    addStalls(code, one, {{"long_scoreboard", 4}, {"wait", 5}});
    EXPECT_EQ(code.stalls, (std::vector<std::string>{"long_scoreboard", "wait"}));
    EXPECT_EQ(one.stalls, (std::vector<std::int64_t>{4, 8}));
    EXPECT_EQ(one.samples, 12);
    EXPECT_EQ(code.samples(), 12);
    EXPECT_EQ(dominantStall(code, one), "wait");
}

TEST(Sass, TheTimeOfAnOpcodeIsThatOfAllItsInstructions)
{
    KernelCode a = makeKernelCode(
        {makeInstruction("LDL R1", 30), makeInstruction("FFMA R1", 10), makeInstruction("FFMA R2", 20), makeInstruction("STL R1", 40)});
    KernelCode b = makeKernelCode({makeInstruction("FFMA R1", 25), makeInstruction("FFMA R2", 25)});
    a.instructions[1].liveRegisters = 20;
    a.instructions[2].liveRegisters = 10;
    const CodeDiff diff = diffCode({&a, 100}, {&b, 80});
    EXPECT_EQ(diff.spillsA, 2);
    EXPECT_EQ(diff.spillsB, 0);
    EXPECT_EQ(diff.mostLiveA, 20);
    EXPECT_EQ(diff.mostLiveB, 0);
    EXPECT_EQ(diff.removed, 2);
    EXPECT_EQ(diff.added, 0);
    EXPECT_EQ(diff.changed, 0);
    EXPECT_EQ(diff.opcodes, (std::vector<OpcodeDiff>{{"FFMA", 2, 2, 50.0}, {"STL", 1, 0, -40.0}, {"LDL", 1, 0, -30.0}}));
    const CodeDiff untimed = diffCode({&a, 100}, {&b, {}});
    EXPECT_EQ(untimed.opcodes, (std::vector<OpcodeDiff>{{"LDL", 1, 0, {}}, {"STL", 1, 0, {}}}));
    EXPECT_FALSE(untimed.rows[0].movedNs);
}

TEST(Sass, AnInstructionIsFoundByFunctionAndOffset)
{
    KernelCode code = makeKernelCode({makeInstruction("A"), makeInstruction("B"), makeInstruction("C")});
    code.functions = {"one", "two"};
    code.instructions[2].function = 1;
    code.instructions[2].offset = 0;
    EXPECT_EQ(findInstruction(code, 0, 16)->text, "B");
    EXPECT_EQ(findInstruction(code, 1, 0)->text, "C");
    EXPECT_EQ(findInstruction(code, 0, 32), nullptr);
    EXPECT_EQ(findInstruction(code, 2, 0), nullptr);
    EXPECT_EQ(extractOpcode("@P1\tBRA 0x10;"), "BRA");
    EXPECT_EQ(extractOpcode("EXIT;"), "EXIT");
    EXPECT_EQ(extractOpcode("@P1"), "");
}

TEST(Sass, LinesSumEveryCounter)
{
    KernelCode code = makeKernelCode({makeInstruction("A", 1, 4), makeInstruction("B", 2, 4)});
    code.stalls = {"wait", "barrier"};
    for (CodeInstruction& one : code.instructions) {
        const std::int64_t by = one.samples;
        one.executed = by;
        one.threads = 10 * by;
        one.sectors = 100 * by;
        one.idealSectors = 1000 * by;
        one.wavefronts = 20 * by;
        one.idealWavefronts = 5 * by;
    }
    code.instructions[1].stalls = {1, 1};
    const LineSum line = sumLines(code).at(0);
    EXPECT_EQ(line.sum.stalls, (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(line.sum.executed, 3);
    EXPECT_EQ(line.sum.threads, 30);
    EXPECT_EQ(line.sum.sectors, 300);
    EXPECT_EQ(line.sum.idealSectors, 3000);
    EXPECT_EQ(line.sum.wavefronts, 60);
    EXPECT_EQ(line.sum.idealWavefronts, 15);
    EXPECT_EQ(line.sum.bankConflicts(), 45);
}

} // namespace
} // namespace kl
