// SPDX-License-Identifier: MIT
#include "core/sass/instruction_class.h"

#include "core/diagnosis/quantities.h"
#include "core/sass/executed_code.h"

#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <sstream>

namespace kl {
namespace {

struct Encoding {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::string mnemonic; ///< "IADD3"; of a matrix product with its shape
};

std::vector<Encoding> encodings()
{
    std::ifstream file(KL_SOURCE_DIR "/tests/data/sass/opcodes.txt");
    std::vector<Encoding> list;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        Encoding one;
        if (words >> std::hex >> one.low >> one.high >> one.mnemonic)
            list.push_back(one);
    }
    return list;
}

ExecutedInstruction executed(const std::string& mnemonic, std::int64_t warps, std::int64_t threads)
{
    for (const Encoding& one : encodings())
        if (one.mnemonic == mnemonic)
            return {one.low, one.high, warps, threads, {}, {}, {}, {}};
    ADD_FAILURE() << mnemonic;
    return {};
}

/// Of the mnemonics that have a class of their own; everything else is "other".
const std::map<std::string, std::string>& classes()
{
    static const std::map<std::string, std::string> table = [] {
        std::map<std::string, std::string> map;
        const std::pair<const char*, const char*> groups[] = {
            {"sass.alu",
             "MOV P2R VOTE SEL FSEL FMNMX FSETP ISETP VIMNMX3 IADD3 LEA LOP3 IABS VABSDIFF PRMT IMNMX SHF PLOP3 VIADD F2FP I2FP "
             "VIADDMNMX VIMNMX"},
            {"sass.fp32", "FMUL FADD FFMA"},
            {"sass.half", "HADD2 HFMA2 HFMA2.MMA"},
            {"sass.imad", "IMAD IDP"},
            {"sass.fp64", "DMUL DADD DSETP DFMA"},
            {"sass.xu", "FLO BREV FCHK F2F F2I I2F FRND MUFU POPC"},
            {"ld.global", "LD LDG"},
            {"st.global", "ST STG"},
            {"ld.shared", "LDS LDSM"},
            {"st.shared", "STS STSM"},
            {"ld.local", "LDL"},
            {"st.local", "STL"},
            {"shfl", "SHFL"},
            {"atom", "ATOM ATOMG RED REDG"},
            {"atom.shared", "ATOMS"},
            {"cp.async", "LDGSTS"},
            {"tma", "UTMALDG UTMASTG UTMAREDG UBLKCP"},
            {"bar", "BAR"},
            {"sass.hmma.16816", "HMMA.16816.F16 HMMA.16816.F32 HMMA.16816.F32.BF16"},
            {"sass.hmma.1688", "HMMA.1688.F32"},
            {"sass.hmma.1688.tf32", "HMMA.1688.F32.TF32"},
            {"sass.hmma.1684", "HMMA.1684.F32.TF32"},
            {"sass.imma.16832", "IMMA.16832.S8.S8"},
            {"sass.imma.16816", "IMMA.16816.S8.S8"},
            {"sass.dmma.884", "DMMA.884 DMMA.8x8x4"},
            {"sass.dmma.1684", "DMMA.16x8x4"},
            {"sass.dmma.1688", "DMMA.16x8x8"},
            {"sass.dmma.16816", "DMMA.16x8x16"},
        };
        for (const auto& [name, words] : groups) {
            std::istringstream list(words);
            for (std::string word; list >> word;)
                map[word] = name;
        }
        for (const char* columns : {"8", "16", "64", "128", "192", "256"}) {
            map[std::string("HGMMA.64x") + columns + "x16.F32.BF16"] = std::string("sass.gmma.") + columns;
            map[std::string("QGMMA.64x") + columns + "x32.F32.E4M3.E4M3"] = std::string("sass.gmma.") + columns;
        }
        return map;
    }();
    return table;
}

TEST(InstructionClass, IsThatOfTheMnemonic)
{
    const std::vector<Encoding> list = encodings();
    ASSERT_GT(list.size(), 200);
    std::map<std::string, int> seen;
    for (const Encoding& one : list) {
        const auto known = classes().find(one.mnemonic);
        EXPECT_EQ(instructionClass(one.low, one.high), known == classes().end() ? "other" : known->second) << one.mnemonic;
        ++seen[one.mnemonic];
    }
    for (const auto& [mnemonic, name] : classes())
        EXPECT_TRUE(seen.contains(mnemonic)) << mnemonic;
}

TEST(InstructionClass, TellsMatrixProducts)
{
    for (const auto& [mnemonic, name] : classes())
        EXPECT_EQ(isMatrixOpcode(name), mnemonic.find("MMA.") != std::string::npos && mnemonic != "HFMA2.MMA") << name;
    EXPECT_TRUE(isMatrixOpcode("mma"));
}

TEST(ExecutedCode, AveragesOverTheWarps)
{
    ExecutedInstruction load = executed("LDG", 200, 6400);
    load.sectors = 6400;
    load.idealSectors = 800;
    ExecutedInstruction store = executed("STG", 100, 1600);
    ExecutedInstruction shared = executed("LDS", 100, 3200);
    shared.wavefronts = 400;
    shared.idealWavefronts = 100;
    ExecutedInstruction atomic = executed("RED", 50, 1600);
    atomic.sectors = 400;
    const std::vector<ExecutedInstruction> code{load, store, shared, atomic, executed("FFMA", 1000, 32000), executed("STL", 50, 1600)};
    const WarpModel warp = buildExecutedModel(code, 100);
    EXPECT_TRUE(warp.complete);
    EXPECT_EQ(warp.warps, 100);
    EXPECT_DOUBLE_EQ(warp.instructions, 15);
    EXPECT_NEAR(warp.activeThreads, 46400 / 1500.0, 1e-9);
    EXPECT_EQ(warp.loads, (WarpAccesses{2, 64, 8, 0}));
    EXPECT_EQ(warp.stores, (WarpAccesses{0, 0, 0, 1})) << "its sectors were not counted";
    EXPECT_DOUBLE_EQ(warp.blockSectors, 64);
    EXPECT_DOUBLE_EQ(warp.sharedWavefronts, 4);
    EXPECT_DOUBLE_EQ(warp.sharedIdeal, 1);
    EXPECT_DOUBLE_EQ(warp.atomicRequests, 0.5);
    EXPECT_DOUBLE_EQ(warp.atomicThreads, 16);
    EXPECT_DOUBLE_EQ(warp.atomicAddresses, 4);
    EXPECT_DOUBLE_EQ(warp.executed.at("sass.fp32"), 10);
    EXPECT_DOUBLE_EQ(warp.executed.at("st.local"), 0.5);
    EXPECT_EQ(codeMix(code).at("sass.fp32"), 1);
}

TEST(ExecutedCode, CountsAreNeverLessThanWhatMustHaveHappened)
{
    ExecutedInstruction copy = executed("LDGSTS", 10, 320);
    copy.sectors = 40;
    copy.idealSectors = 80; // more than there were
    ExecutedInstruction shared = executed("STS", 10, 320);
    const WarpModel warp = buildExecutedModel(std::vector<ExecutedInstruction>{copy, shared}, 10);
    EXPECT_EQ(warp.loads, (WarpAccesses{1, 4, 4, 0}));
    EXPECT_EQ(warp.sharedRequests, 1);
    EXPECT_EQ(warp.sharedWavefronts, 1) << "a pass each where they were not counted";
    EXPECT_EQ(warp.sharedIdeal, 1);
    shared.wavefronts = 5;
    shared.idealWavefronts = 30;
    EXPECT_EQ(buildExecutedModel({&shared, 1}, 10).sharedWavefronts, 1);
    EXPECT_EQ(buildExecutedModel({&shared, 1}, 10).sharedIdeal, 1);
}

TEST(ExecutedCode, AccessesOfWhichOneCountIsMissingAreUnknownAndSharedAtomicsAreShared)
{
    ExecutedInstruction both = executed("LDG", 10, 320);
    both.sectors = 40;
    both.idealSectors = 10;
    ExecutedInstruction sectors = executed("LDG", 20, 640);
    sectors.sectors = 80;
    ExecutedInstruction ideal = executed("LDG", 30, 960);
    ideal.idealSectors = 80;
    ExecutedInstruction atomic = executed("ATOMS", 10, 320);
    atomic.wavefronts = 50;
    atomic.idealWavefronts = 20;
    const WarpModel warp = buildExecutedModel(std::vector<ExecutedInstruction>{both, sectors, ideal, atomic}, 10);
    EXPECT_EQ(warp.loads, (WarpAccesses{1, 4, 1, 5}));
    EXPECT_EQ(warp.sharedRequests, 1);
    EXPECT_EQ(warp.sharedWavefronts, 5);
    EXPECT_EQ(warp.sharedIdeal, 2);
    EXPECT_EQ(warp.atomicRequests, 0);
    EXPECT_EQ(buildExecutedModel({}, 0).instructions, 0);
}

TEST(ExecutedCode, IsDividedByItsWarpsAndCountedByItsInstructions)
{
    const std::vector<ExecutedInstruction> code{executed("FFMA", 30, 900), executed("FFMA", 10, 300), executed("LDG", 20, 640)};
    EXPECT_EQ(codeMix(code), (std::map<std::string, std::int64_t>{{"ld.global", 1}, {"sass.fp32", 2}}));
    const WarpModel warp = buildExecutedModel(code, 10);
    EXPECT_EQ(warp.executed, (std::map<std::string, double>{{"ld.global", 2}, {"sass.fp32", 4}}));
    EXPECT_NEAR(warp.activeThreads, 1840 / 60.0, 1e-12);
    EXPECT_DOUBLE_EQ(buildExecutedModel(code, 0.5).instructions, 60) << "one warp at least";
    EXPECT_EQ(buildExecutedModel(code, 0.5).warps, 1);
    EXPECT_EQ(buildExecutedModel(code, 1e12).warps, std::numeric_limits<int>::max());
}

} // namespace
} // namespace kl
