// SPDX-License-Identifier: MIT
// The instructions of a kernel as its image and its lines give them.
#include "core/model/kernel_code.h"

#include "core/base/scratch_folder.h"
#include "core/sass/code_lines.h"
#include "core/sass/cubin.h"
#include "core/sass/disassemble.h"
#include "core/sass/kernel_code_reader.h"
#include "tests/support/set_variable.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace kl {
namespace {

constexpr const char* kFirstKernel = "_Z7stridedPKfPfmi";
constexpr const char* kOtherKernel = "_Z5fma_kPfi";

std::string threeKernels()
{
    std::ifstream in(KL_SOURCE_DIR "/tests/data/sass/three_kernels.cubin", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(KernelCodeReader, OfALargeImageOnlyTheKernelsInstructionsAreKept)
{
    std::string image = threeKernels();
    ASSERT_LT(image.size(), 512U << 10U);
    image.resize(512U << 10U, '\0');
    EXPECT_EQ(readKernelCode(image, {kFirstKernel, kOtherKernel}).image, image) << "as large as may be";
    image += '\0';
    const KernelCode code = readKernelCode(image, {kFirstKernel, kOtherKernel});
    EXPECT_EQ(code.image, findFunction(image, kFirstKernel)->code);
    EXPECT_EQ(code.computeCapability, 90);
    EXPECT_FALSE(code.instructions.empty());
}

TEST(KernelCodeReader, FunctionsAreInTheOrderThatWasAskedForWithEveryInstruction)
{
    const std::string image = threeKernels();
    const KernelCode code = readKernelCode(image, {kOtherKernel, "nothing", kFirstKernel});
    EXPECT_EQ(code.functions, (std::vector<std::string>{kOtherKernel, "nothing", kFirstKernel}));
    std::vector<std::int64_t> counts(3, 0);
    for (const CodeInstruction& one : code.instructions) {
        EXPECT_EQ(one.offset, 16 * counts.at(static_cast<std::size_t>(one.function))++);
        EXPECT_EQ(one.file, 0);
        EXPECT_GT(one.line, 0);
    }
    EXPECT_EQ(counts[0], static_cast<std::int64_t>(findFunction(image, kOtherKernel)->code.size() / 16));
    EXPECT_EQ(counts[1], 0);
    EXPECT_EQ(counts[2], 144);
    EXPECT_TRUE(std::ranges::is_sorted(code.instructions, {}, &CodeInstruction::function));
}

TEST(CodeLines, TheSameLineOfTwoFilesIsTwo)
{
    KernelCode code;
    code.instructions.resize(4);
    for (CodeInstruction& one : code.instructions) {
        one.line = 4;
        one.file = 0;
        one.samples = 1;
    }
    code.instructions[0].function = 1;
    code.instructions[0].offset = 32;
    code.instructions[1].file = 1;
    code.instructions[3].line = 5;
    const std::vector<LineSum> lines = sumLines(code);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].instructions, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(lines[0].sum.function, 1) << "where its first instruction is";
    EXPECT_EQ(lines[0].sum.offset, 32);
    EXPECT_EQ(lines[0].sum.file, 0);
    EXPECT_EQ(lines[1].sum.file, 1);
    EXPECT_EQ(lines[1].sum.line, 4);
    EXPECT_EQ(lines[2].sum.line, 5);
}

TEST(CodeLines, AStallThatHasNoNameIsLeftOut)
{
    KernelCode code;
    code.stalls = {"selected", "wait"};
    CodeInstruction one;
    one.stalls = {9, 2, 99};
    EXPECT_EQ(dominantStall(code, one), "wait");
    one.stalls = {9, 0};
    EXPECT_EQ(dominantStall(code, one), "selected");
    one.stalls.clear();
    EXPECT_EQ(dominantStall(code, one), "");
}

TEST(CodeOfSamples, AnInstructionWithoutALineHasNoFile)
{
    SourceProfile profile;
    profile.instructions = {{"k", 0x10, "k.cu", 0, 3, {{"wait", 3}}, {}, {}}, {"k", 0, "k.cu", 1, 2, {{"wait", 2}}, 8, 9}};
    const KernelCode code = makeCodeFromSamples(profile);
    ASSERT_EQ(code.instructions.size(), 2U);
    EXPECT_EQ(code.instructions[0].line, 1);
    EXPECT_EQ(code.instructions[0].threads, 9);
    EXPECT_EQ(code.instructions[0].stalls, std::vector<std::int64_t>{2});
    EXPECT_EQ(code.instructions[1].file, -1);
    EXPECT_EQ(code.instructions[1].line, 0);
    EXPECT_EQ(code.files, std::vector<std::string>{"k.cu"});
}

TEST(Disassemble, RawCodeIsThatOfTheFirstFunctionAlone)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    const std::filesystem::path program = folder->path() / "nvdisasm";
    std::ofstream(program) << "#!/bin/sh\nprintf '        /*0000*/ MOV R1, R2 ;\\n        /*0010*/ EXIT ;\\n'\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const support::SetVariable tool("KERNELLOOP_NVDISASM", program.c_str());
    KernelCode code;
    code.language = CodeLanguage::ptx;
    code.computeCapability = 80;
    code.functions = {"k", "helper"};
    code.image = "no ELF file";
    code.notDisassembled = "not yet";
    code.instructions.resize(4);
    code.instructions[1].offset = 16;
    code.instructions[2].offset = 32;
    code.instructions[3].function = 1;
    for (CodeInstruction& one : code.instructions)
        one.text = "ptx";
    SourceProfile profile;
    profile.code = SharedCode(code);
    disassemble(profile);
    const KernelCode& read = *profile.code;
    EXPECT_EQ(read.language, CodeLanguage::sass);
    EXPECT_EQ(read.notDisassembled, "");
    EXPECT_EQ(read.image, "");
    ASSERT_EQ(read.instructions.size(), 3U) << "what only fills up to the alignment is left out";
    EXPECT_EQ(read.instructions[0].text, "MOV R1, R2");
    EXPECT_FALSE(read.instructions[0].liveRegisters);
    EXPECT_EQ(read.instructions[1].text, "EXIT");
    EXPECT_EQ(read.instructions[1].offset, 16);
    EXPECT_EQ(read.instructions[2].function, 1);
    EXPECT_EQ(read.instructions[2].text, "") << "PTX is not shown as machine code";
}

} // namespace
} // namespace kl
