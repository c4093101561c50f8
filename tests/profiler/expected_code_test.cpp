// SPDX-License-Identifier: MIT
// What the compiler makes of the catalog: every source compiles for the architectures that kernels run on, and what a descriptor
// plants survives optimization.
#ifdef KL_HAVE_LIVE
#include "kernels/catalog.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/ptx/ptxas_log.h"

#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

class ExpectedCode : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (const auto& loaded = Nvrtc::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
        ASSERT_TRUE(catalog.ok()) << catalog.error().message;
    }

    struct Code {
        KernelResources resources;
        std::map<std::string, std::int64_t> opcodes;
    };

    /// One entry of a variant's source, compiled for Hopper.
    Code compileCode(const char* address, const std::string& entry)
    {
        const auto work = catalog->work(*parseAddress(address), {});
        EXPECT_TRUE(work.ok()) << address;
        const auto compiled = Nvrtc::load()->compile({work->source, work->options, "sm_90"});
        EXPECT_TRUE(compiled.ok() && compiled->ok) << address;
        const auto resources = kernelResources(compiled->log);
        EXPECT_TRUE(resources.contains(entry)) << address << ' ' << entry;
        Code code;
        if (resources.contains(entry))
            code.resources = resources.at(entry);
        for (const auto& [name, count] : opcodeMix(compiled->ptx, entry))
            code.opcodes[name] = static_cast<std::int64_t>(count);
        return code;
    }

    Result<Catalog> catalog = Catalog::loadEmbedded();
};

/// Families whose code may or must use local memory.
bool mayUseLocalMemory(const Address& address)
{
    return address.family == "spilling" || address.family == "attention";
}

/// Hopper's code is looked at in LineInfo. Inline assembly is what a newer compiler or architecture may refuse.
TEST_F(ExpectedCode, SourcesCompileForOlderAndNewerArchitecturesAndOnlyTheExpectedOnesSpill)
{
    std::set<std::pair<std::string, std::vector<std::string>>> seen;
    for (const Address& address : catalog->addresses()) {
        const auto work = catalog->work(address, {});
        ASSERT_TRUE(work.ok()) << toText(address);
        if (!seen.emplace(work->source, work->options).second || !work->targets.empty())
            continue;
        const bool assembly = work->source.find("asm") != std::string::npos;
        for (const char* arch : assembly ? std::vector{"sm_80", "sm_100"} : std::vector{"sm_80"}) {
            const auto compiled = Nvrtc::load()->compile({work->source, work->options, arch});
            ASSERT_TRUE(compiled.ok()) << toText(address);
            EXPECT_TRUE(compiled->ok) << toText(address) << ' ' << arch << '\n' << compiled->log;
            if (mayUseLocalMemory(address))
                continue;
            for (const auto& [entry, resources] : kernelResources(compiled->log))
                EXPECT_EQ(resources.stackBytes, 0) << entry << ' ' << arch;
        }
    }
}

TEST_F(ExpectedCode, RegistersAndSharedMemoryLeaveRoomForFewWarps)
{
    EXPECT_GT(compileCode("occupancy/registers", "walk_registers").resources.registers, 192);
    EXPECT_LE(compileCode("occupancy/full", "walk_forward").resources.registers, 32);
    EXPECT_EQ(compileCode("occupancy/shared", "walk_shared").resources.staticSmem, 48 * 1024);
}

TEST_F(ExpectedCode, SpillsAndLocalArraysAreReal)
{
    EXPECT_GE(compileCode("spilling/local-array", "transform_local_array").resources.stackBytes, 128);
    EXPECT_GE(compileCode("spilling/spilled", "transform_unrolled").resources.spillLoads, 100);
    for (const char* fixed : {"spilling/registers", "spilling/enough"}) {
        const Code code = compileCode(fixed, "transform_unrolled");
        EXPECT_EQ(code.resources.stackBytes, 0) << fixed;
        EXPECT_EQ(code.resources.spillLoads, 0) << fixed;
    }
}

TEST_F(ExpectedCode, BarriersAtomicsDoublesSinesAndMatrixInstructionsAreThere)
{
    EXPECT_GE(compileCode("scan/each-step", "scan_each_step").opcodes["bar"], 3);
    EXPECT_EQ(compileCode("scan/vector", "scan_vector").opcodes["bar"], 0);
    EXPECT_GT(compileCode("histogram/global", "histogram_global").opcodes["atom"], 0);
    EXPECT_GE(compileCode("polynomial/double", "polynomial_double").opcodes["fma.f64"], 16);
    EXPECT_EQ(compileCode("polynomial/ridge", "polynomial_float").opcodes["fma.f64"], 0);
    EXPECT_GE(compileCode("series/sines", "series_sines").opcodes["xu"], 64);
    EXPECT_GE(compileCode("matmul/tensor", "matmul_tensor").opcodes["mma"], 64);
    for (const auto& [variant, entry] : {std::pair("jacobi/single", "jacobi_single"), std::pair("jacobi/packed", "jacobi_packed")}) {
        const Code code = compileCode(variant, entry);
        EXPECT_GE(code.opcodes.at("mma"), 8) << variant;
        EXPECT_EQ(code.opcodes.count("ld.shared") + code.opcodes.count("bar"), 0U) << variant;
    }
    EXPECT_GE(compileCode("matmul/registers", "matmul_registers").opcodes["fma.f32"], 1024);
}

/// Lanes of a warp take paths of their own: jumps, not selections.
TEST_F(ExpectedCode, BranchesAreNotPredicatedAway)
{
    EXPECT_GE(compileCode("branch/by-lane", "branch_by_lane").opcodes["branch"], 8);
    EXPECT_GE(compileCode("branch/trips-by-lane", "branch_trips_by_lane").opcodes["branch"], 2);
}

} // namespace
} // namespace kl
#endif
