// SPDX-License-Identifier: MIT
// Findings of kernels with matrix instructions on chips that have more than mma.sync.
#include "core/device/metric_catalog.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/run_facts.h"
#include "core/diagnosis/tree.h"
#include "tests/core/support/embedded_tree.h"
#include "tests/core/support/profiles.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr const char* kHmma = "sm__inst_executed_pipe_tensor_op_hmma.sum"; // counts HGMMA, too
constexpr const char* kGmma = "sm__inst_executed_pipe_tensor_op_gmma.sum";
constexpr const char* kTensor = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kLatency = "smsp__average_warp_latency_per_inst_issued.ratio";
const std::string kLong(stallMetric("long_scoreboard"));

using test::diagnose;

RunRecord matrixRun(double hmma, double gmma)
{
    RunRecord run = test::attentionFusedLarge();
    run.metrics->values[kHmma] = hmma;
    run.metrics->values[kGmma] = gmma;
    return run;
}

std::optional<double> value(const RunRecord& run, const char* quantity)
{
    return findQuantity(quantity)->compute(RunFacts(run));
}

bool says(const Diagnosis& diagnosis, const std::string& words)
{
    return diagnosis.finding.title.find(words) != std::string::npos ||
           std::ranges::any_of(diagnosis.secondary, [&](const Finding& f) { return f.title.find(words) != std::string::npos; });
}

/// Whether a finding is the answer to this question of the tree.
bool isFoundBy(const Diagnosis& diagnosis, const std::string& node)
{
    const auto from = [&](const Finding& finding) { return !finding.path.empty() && finding.path.back().node == node; };
    return from(diagnosis.finding) || std::ranges::any_of(diagnosis.secondary, from);
}

/// Tensor products whose tiles TMA brings, while the tensor pipe is idle for most of the time.
RunRecord waitingForCopies()
{
    RunRecord run = matrixRun(1e6, 1e6);
    run.launches.front().opcodes = {{"wgmma", 30}, {"tma", 4}, {"mbarrier", 8}, {"int", 60}};
    run.metrics->values[kTensor] = 35;
    run.metrics->values[kLatency] = 10;
    run.metrics->values[kLong] = 6;
    return run;
}

TEST(MatrixFindings, AReportThatCountsWarpgroupProductsIsNotToldToUseThem)
{
    RunRecord run = test::attentionFusedLarge();
    run.metrics->values.erase(kHmma);
    run.metrics->values.erase(kGmma);
    const auto offersWgmma = [](const Diagnosis& diagnosis) {
        return std::ranges::any_of(diagnosis.finding.fixes, [](const Fix& fix) { return fix.id == "wgmma"; });
    };
    ASSERT_EQ(diagnose(run).finding.classId, "tensor-bound");
    EXPECT_TRUE(offersWgmma(diagnose(run))) << "nobody knows";
    run.metrics->values["sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum"] = 1e12;
    EXPECT_EQ(value(run, "mma_sync_percent"), 0.0);
    EXPECT_FALSE(offersWgmma(diagnose(run)));
}

TEST(MatrixFindings, MmaSyncIsNamedOnAChipWithMore)
{
    const Diagnosis diagnosis = diagnose(matrixRun(1e6, 0));
    EXPECT_EQ(diagnosis.finding.classId, "tensor-bound");
    ASSERT_FALSE(diagnosis.finding.path.empty());
    EXPECT_EQ(diagnosis.finding.path.back().node, "mma-sync");
    EXPECT_TRUE(diagnosis.finding.title.starts_with("mma.sync ")) << diagnosis.finding.title;
    EXPECT_TRUE(std::ranges::any_of(diagnosis.finding.fixes, [](const Fix& fix) { return fix.id == "wgmma"; }));
    ASSERT_TRUE(diagnosis.finding.estimate);
    RunRecord ampere = matrixRun(1e6, 0);
    ampere.device.ccMajor = 8;
    const Diagnosis older = diagnose(ampere);
    EXPECT_EQ(older.finding.classId, "tensor-bound");
    EXPECT_FALSE(says(older, "mma.sync"));
    EXPECT_TRUE(std::ranges::none_of(older.finding.fixes, [](const Fix& fix) { return fix.id == "wgmma"; }));
}

TEST(MatrixFindings, WarpgroupInstructionsAreNotBlamed)
{
    const Diagnosis diagnosis = diagnose(matrixRun(1e6, 1e6));
    EXPECT_EQ(diagnosis.finding.classId, "tensor-bound");
    EXPECT_FALSE(says(diagnosis, "mma.sync"));
    EXPECT_EQ(value(matrixRun(1e6, 1e6), "mma_sync_percent"), 0);
    EXPECT_EQ(value(matrixRun(4e6, 1e6), "mma_sync_percent"), 75);
}

TEST(MatrixFindings, WhatWasNotMeasuredIsNotGuessed)
{
    RunRecord run = matrixRun(1e6, 0);
    run.metrics->values.erase(kGmma);
    EXPECT_EQ(value(run, "mma_sync_percent"), std::nullopt);
    EXPECT_FALSE(isFoundBy(diagnose(run), "mma-sync"));
    EXPECT_TRUE(says(diagnose(run), ": " + std::string(findQuantity("mma_sync_percent")->title))) << "a question that was skipped";
    run.launches.front().opcodes.clear();
    EXPECT_EQ(value(run, "tensor_copy_opcodes"), std::nullopt);
    EXPECT_EQ(value(run, "matrix_opcode_percent"), std::nullopt);
}

TEST(MatrixFindings, WithoutCountersTheCodeAnswers)
{
    RunRecord run = test::attentionFusedLarge();
    run.metrics.reset();
    run.launches.front().opcodes = {{"mma", 30}, {"int", 60}};
    EXPECT_EQ(value(run, "mma_sync_percent"), 100);
    run.launches.front().opcodes = {{"mma", 10}, {"wgmma", 30}, {"int", 60}};
    EXPECT_EQ(value(run, "mma_sync_percent"), 25);
    EXPECT_EQ(value(run, "matrix_opcode_percent"), 40);
    run.launches.front().opcodes = {{"int", 60}};
    EXPECT_EQ(value(run, "mma_sync_percent"), std::nullopt);
}

TEST(MatrixFindings, ATensorPipeThatWaitsForTmaIsSeen)
{
    RunRecord run = waitingForCopies();
    EXPECT_TRUE(isFoundBy(diagnose(run), "tensor-copies"));
    run.launches.front().opcodes.erase("tma");
    EXPECT_FALSE(isFoundBy(diagnose(run), "tensor-copies"));
    run.launches.front().opcodes["tma"] = 4;
    run.metrics->values[kTensor] = 75;
    EXPECT_FALSE(isFoundBy(diagnose(run), "tensor-copies"));
    run.metrics->values[kTensor] = 35;
    run.metrics->values.erase(kLong);
    EXPECT_FALSE(isFoundBy(diagnose(run), "tensor-copies"));
}

TEST(MatrixFindings, SnapshotOfTheSentences)
{
    RunRecord unknown = matrixRun(1e6, 0);
    unknown.metrics->values.erase(kGmma);
    std::string text;
    for (const auto& [name, run] : {std::pair("mma.sync", matrixRun(1e6, 0)), std::pair("both", matrixRun(1e6, 1e6)),
                                    std::pair("not measured", unknown), std::pair("waits for copies", waitingForCopies())}) {
        const Diagnosis diagnosis = diagnose(run);
        text += std::string(name) + ": " + diagnosis.finding.title + '\n';
        for (const Finding& other : diagnosis.secondary)
            text += "  " + other.title + '\n';
    }
    test::expectSnapshot("texts/matrix-findings.txt", text);
}

TEST(MatrixFindings, ClustersAreAQuantity)
{
    RunRecord run = matrixRun(1, 0);
    EXPECT_EQ(value(run, "cluster_blocks"), 1);
    run.launches.front().clusterBlocks = 4;
    EXPECT_EQ(value(run, "cluster_blocks"), 4);
}

} // namespace
} // namespace kl
