// SPDX-License-Identifier: MIT
// What experiments tell where there are no counters: the same times and code, another answer.
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"
#include "tests/core/support/profiles.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

Finding diagnoseRun(RunRecord run, const std::vector<Experiment>& experiments)
{
    static const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    run.experiments = experiments;
    return tree->diagnose(run, {}).finding;
}

Experiment ratio(const char* id, double value)
{
    return {id, "changed", value, 24, ""};
}

/// 134 MB in 57 µs: 49 % of the DRAM peak, all of it needed.
RunRecord makeHalfDramRun()
{
    return test::h200Run("user/k", 57, 134e6);
}

TEST(Experiments, AKernelThatHalfTheWarpsDoNotSlowDownIsBusyNotWaiting)
{
    EXPECT_EQ(diagnoseRun(makeHalfDramRun(), {}).classId, "latency-bound");
    EXPECT_EQ(diagnoseRun(makeHalfDramRun(), {ratio("half-occupancy", 1.77)}).classId, "latency-bound");
    const Finding busy = diagnoseRun(makeHalfDramRun(), {ratio("half-occupancy", 0.99)});
    EXPECT_EQ(busy.classId, "dram-bound");
    EXPECT_TRUE(busy.inferred);
    EXPECT_TRUE(std::ranges::any_of(busy.path, [](const PathEntry& entry) {
        return entry.node == "dram" && entry.metric == "half_occupancy_ratio" && entry.taken;
    })) << busy.title;
    EXPECT_NE(busy.title.find(" 0.99 "), std::string::npos) << busy.title;
}

TEST(Experiments, ComputeAtItsPeakIsDistinguishedFromLatencyToo)
{
    RunRecord run = test::h200Run("user/k", 100, 1e6, 3e9); // 30 of 66.9 TFLOP/s
    run.launches.front().warp = WarpModel{};
    run.launches.front().warp->warps = 8;
    run.launches.front().warp->instructions = 100;
    run.launches.front().warp->activeThreads = 32;
    EXPECT_EQ(diagnoseRun(run, {ratio("half-occupancy", 1.9)}).classId, "latency-bound");
    EXPECT_EQ(diagnoseRun(run, {ratio("half-occupancy", 1.01)}).classId, "fp32-bound");
    run.launches.front().opcodes["fma.f64"] = 8; // its FLOPs are not FP32's
    EXPECT_NE(diagnoseRun(run, {ratio("half-occupancy", 1.01)}).classId, "fp32-bound");
}

TEST(Experiments, AGridThatTakesHalfAsLongWhenHalvedFilledTheGpu)
{
    RunRecord run = test::h200Run("user/k", 200, 20e6);
    run.launches.front().gridBlocks = 500;
    run.launches.front().waves = 0.47;
    EXPECT_EQ(diagnoseRun(run, {ratio("half-grid", 0.95)}).classId, "small-grid");
    EXPECT_NE(diagnoseRun(run, {ratio("half-grid", 0.54)}).classId, "small-grid");
}

TEST(Experiments, OneThatCouldNotBeMadeDecidesNothing)
{
    const Experiment none{"half-occupancy", "", {}, 0, "an SM does not hold two of its blocks"};
    EXPECT_EQ(diagnoseRun(makeHalfDramRun(), {none}).classId, diagnoseRun(makeHalfDramRun(), {}).classId);
    RunRecord run = makeHalfDramRun();
    run.experiments = {none};
    EXPECT_FALSE(findQuantity("half_occupancy_ratio")->compute(RunFacts(run)));
}

TEST(Experiments, HardwareCountersDecideWhereThereAreSome)
{
    RunRecord run = test::copyVector();
    const std::string counted = diagnoseRun(run, {}).classId;
    EXPECT_EQ(diagnoseRun(run, {ratio("half-occupancy", 1.9), ratio("half-grid", 1)}).classId, counted);
}

} // namespace
} // namespace kl
