// SPDX-License-Identifier: MIT
// Launches of other people's programs: figures that were recorded on an H200 (tests/corpus), reduced to what decides.
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"
#include "tests/core/support/profile_parts.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

using test::M;

Finding found(const RunRecord& run)
{
    static const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    return tree.diagnose(run, {}).finding;
}

double value(const RunRecord& run, const char* id)
{
    return findQuantity(id)->compute(RunFacts(run, RunFacts::Missing::predict)).value_or(-1);
}

/// torch.amax over rows of bfloat16: DRAM is nearer to what it can reach than the ALU pipe is.
RunRecord amax(const std::map<M, double>& more = {})
{
    const std::map<M, double> recorded{
        {M::sm, 73.1},           {M::mem, 73.4},
        {M::dram, 73.4},         {M::l2, 86},
        {M::l1, 12.1},           {M::tensor, 0.1},
        {M::occupancy, 98.2},    {M::issue, 0.555},
        {M::issueElapsed, 55},   {M::fma, 10.8},
        {M::alu, 73.6},          {M::threadsOn, 30.5},
        {M::sectorsLd, 8},       {M::sectorsSt, 1},
        {M::usefulLd, 100},      {M::usefulSt, 6.25},
        {M::global, 8650752},    {M::globalLd, 8388608},
        {M::globalSt, 262144},   {M::cycles, 1208383},
        {M::latency, 28.3},      {M::longScoreboard, 20.2},
        {M::readBytes, 2.148e9}, {M::writeBytes, 2e7},
    };
    RunRecord run = test::profile("user/amax", 609, 0, 0, test::with(recorded, more));
    run.launches.front().waves = 31;
    return run;
}

TEST(FieldDiagnosis, DramIsJudgedAgainstWhatItCanReach)
{
    RunRecord run = amax();
    EXPECT_NEAR(value(run, "dram_roof_percent"), 73.4 * 4.8 / 4.46, 0.01);
    EXPECT_EQ(found(run).classId, "dram-bound");
    EXPECT_EQ(found(amax({{M::longScoreboard, 5}})).classId, "int-bound") << "warps do not wait for it";
    run.device.name = "unknown GPU";
    EXPECT_NEAR(value(run, "dram_roof_percent"), 73.4, 1e-9) << "nothing was measured there";
    EXPECT_EQ(found(run).classId, "int-bound");
}

TEST(FieldDiagnosis, WhatStreamsThroughL2IsNotL2s)
{
    // As batch norm: L2 above the memory speed of light, which is DRAM's.
    const RunRecord streams = amax({{M::dram, 65.9}, {M::mem, 65.9}, {M::l2, 75.7}, {M::alu, 22}});
    EXPECT_NEAR(value(streams, "l2_own_percent"), 65.9, 1e-9);
    EXPECT_EQ(found(streams).classId, "dram-bound");
    const RunRecord own = amax({{M::dram, 30}, {M::mem, 75.7}, {M::l2, 75.7}, {M::alu, 22}});
    EXPECT_NEAR(value(own, "l2_own_percent"), 75.7, 1e-9);
    EXPECT_EQ(found(own).classId, "l2-bound");
}

/// index_add of 16 M values into 64 places, and scatter_add into 512 M.
RunRecord atomics(double dram, double bytes)
{
    RunRecord run = test::profile("user/index_add", 4874, 0, 0,
                                  {{M::sm, 0.6},
                                   {M::mem, dram},
                                   {M::dram, dram},
                                   {M::l2, 2.1},
                                   {M::l1, 0.8},
                                   {M::tensor, 0},
                                   {M::occupancy, 49.7},
                                   {M::issue, 0.007},
                                   {M::issueElapsed, 0.64},
                                   {M::fma, 0.2},
                                   {M::alu, 0.4},
                                   {M::threadsOn, 29.9},
                                   {M::sectorsLd, 6},
                                   {M::sectorsSt, 0},
                                   {M::usefulLd, 66.7},
                                   {M::usefulSt, 0},
                                   {M::global, 1572864},
                                   {M::globalLd, 1048576},
                                   {M::globalSt, 0},
                                   {M::cycles, 9658217},
                                   {M::latency, 1173},
                                   {M::longScoreboard, 1165},
                                   {M::readBytes, bytes},
                                   {M::writeBytes, bytes}});
    run.metrics->values["smsp__sass_inst_executed_op_global_red.sum"] = 524288;
    run.metrics->values["smsp__sass_inst_executed_op_global_atom.sum"] = 0;
    run.metrics->values["lts__t_bytes.sum"] = 6.3e8;
    run.launches.front().waves = 0.5;
    return run;
}

TEST(FieldDiagnosis, AtomicsQueueUpWhereNothingIsBusyAndMoveSectorsWhereTheyScatter)
{
    EXPECT_EQ(found(atomics(1, 1.1e8)).classId, "atomics");
    const Finding scattered = found(atomics(29, 4e8));
    EXPECT_EQ(scattered.classId, "uncoalesced");
    EXPECT_TRUE(std::ranges::any_of(scattered.path, [](const PathEntry& entry) {
        return entry.metric == "atomic_share_percent" && entry.sense == ">=" && entry.taken;
    })) << scattered.title;
}

/// A launch whose instructions were counted in its machine code, without hardware counters: 100 us on 132 SMs at 1980 MHz.
RunRecord executed(double memoryBytes)
{
    RunRecord run = test::profile("program/k", 100, 0, 0, {});
    run.metrics.reset();
    run.flops = run.idealBytes = 0;
    run.program.emplace();
    run.device.l2Bytes = 60 << 20;
    run.memoryBytes = static_cast<std::int64_t>(memoryBytes);
    LaunchFacts& launch = run.launches.front();
    launch.gridBlocks = 13200;
    launch.blockThreads = 256;
    launch.waves = 12.5;
    launch.gpuNs = 1e5;
    launch.theoreticalOccupancy = 100;
    launch.localBytes = 0;
    launch.opcodes = {{"sass.alu", 20}, {"ld.global", 2}, {"st.global", 1}};
    launch.warp.emplace();
    launch.warp->warps = 105600;
    launch.warp->instructions = 50;
    launch.warp->activeThreads = 32;
    launch.warp->executed = {{"sass.alu", 20}};
    launch.warp->loads = {7, 28 * 4, 28 * 4, 0}; // 3.6 KB a warp: 378 MB
    launch.warp->stores = {1, 4, 4, 0};
    launch.warp->blockSectors = 28 * 4;
    return run;
}

TEST(FieldDiagnosis, StreamsAreDramBoundByTheSectorsThatTheyTouch)
{
    RunRecord run = executed(1e9);
    EXPECT_NEAR(value(run, "executed_dram_percent"), 100 * 105600.0 * 116 * 32 / 1e-4 / 4.8e12, 1e-6);
    EXPECT_EQ(found(run).classId, "dram-bound");
    EXPECT_TRUE(found(run).inferred);
    run.memoryBytes = 1 << 24; // all of it fits in L2
    EXPECT_EQ(value(run, "executed_dram_percent"), 0);
    EXPECT_NE(found(run).classId, "dram-bound");
    run = executed(1e9);
    test::getWarp(run).loads.ideal = 7; // a sector for each lane's four bytes
    EXPECT_LT(value(run, "requested_dram_percent"), 20);
    EXPECT_EQ(found(run).classId, "uncoalesced");
}

TEST(FieldDiagnosis, MachineCodeShowsItsPipes)
{
    RunRecord run = executed(1e9);
    test::getWarp(run).loads = {1, 4, 4, 0};
    test::getWarp(run).blockSectors = 4;
    const double cyclesPerWarp = 198000 / 800.0 * 4; // of a scheduler
    const auto with = [&](const char* kind, double count) {
        RunRecord other = run;
        test::getWarp(other).instructions = count * 1.05;
        test::getWarp(other).executed = {{kind, count}};
        return other;
    };
    EXPECT_NEAR(value(with("sass.gmma.256", 1), "tensor_percent"), 100 * 128 / cyclesPerWarp, 1e-6);
    EXPECT_EQ(found(with("sass.gmma.256", 6)).classId, "tensor-bound");
    EXPECT_NEAR(value(with("sass.dmma.16816", 1), "tensor_percent"), 100 * 64 / cyclesPerWarp, 1e-6);
    EXPECT_EQ(found(with("sass.fp32", 800)).classId, "fp32-bound");
    EXPECT_EQ(found(with("sass.fp64", 400)).classId, "fp64-bound");
    EXPECT_EQ(found(with("sass.xu", 100)).classId, "xu-bound");
    EXPECT_EQ(found(with("sass.alu", 400)).classId, "int-bound");
    RunRecord mixed = with("sass.alu", 100);
    test::getWarp(mixed).executed = {{"sass.alu", 180}, {"sass.fp32", 300}, {"other", 300}};
    test::getWarp(mixed).instructions = 780;
    EXPECT_EQ(found(mixed).classId, "issue-bound");
}

TEST(FieldDiagnosis, CountedAtomicsQueueUpOrScatter)
{
    RunRecord run = executed(1e9);
    WarpModel& warp = test::getWarp(run);
    warp.loads = {2, 12, 12, 0};
    warp.blockSectors = 12;
    warp.stores = {};
    warp.atomicRequests = 1;
    warp.atomicThreads = 32;
    warp.atomicAddresses = 4;
    run.launches.front().waves = 0.5; // few blocks, and not the reason
    run.launches.front().gpuNs = run.timing->gpu.median = 5e6;
    EXPECT_EQ(found(run).classId, "atomics");
    warp.atomicAddresses = 32;
    EXPECT_EQ(found(run).classId, "uncoalesced");
    warp.executed["tma"] = 1; // moves what no load does
    EXPECT_LT(value(run, "counted_atomic_percent"), 5);
    EXPECT_NE(found(run).classId, "atomics");
}

TEST(FieldDiagnosis, LocalMemoryIsTheAnswerOnlyWhereItIsUsed)
{
    RunRecord run = executed(1e9);
    run.launches.front().localBytes = 64;
    EXPECT_EQ(found(run).classId, "dram-bound") << "a frame that nobody touches";
    test::getWarp(run).executed["ld.local"] = 20;
    EXPECT_EQ(found(run).classId, "register-spills");
}

TEST(FieldDiagnosis, WithoutAnyCountTheLaunchSaysWhatItCan)
{
    RunRecord run = executed(1e9);
    run.launches.front().warp.reset();
    run.launches.front().opcodes.clear();
    EXPECT_EQ(found(run).classId, "not-measured");
    run.memoryBytes = 360'000'000; // moved once it takes three quarters of the DRAM peak
    EXPECT_EQ(found(run).classId, "dram-bound");
    EXPECT_LE(found(run).confidence, 0.3);
    run.launches.front().opcodes = {{"sass.gmma.256", 4}, {"sass.alu", 40}};
    EXPECT_EQ(found(run).classId, "not-measured") << "matrices, or memory";
    run.memoryBytes = 100'000'000;
    EXPECT_EQ(found(run).classId, "tensor-bound");
    run.launches.front().opcodes.clear();
    EXPECT_EQ(found(run).classId, "not-measured");
    run.launches.front().gridBlocks = 8;
    run.launches.front().waves = 0.01;
    EXPECT_EQ(found(run).classId, "small-grid");
    run.launches.front().gpuNs = run.timing->gpu.median = 2e3;
    run.timing->gpu = {2e3, 2e3, 2e3, 10};
    EXPECT_EQ(found(run).classId, "launch-overhead");
}

} // namespace
} // namespace kl
