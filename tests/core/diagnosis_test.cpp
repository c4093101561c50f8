// SPDX-License-Identifier: MIT
#include "core/diagnosis/tree.h"

#include "core/diagnosis/classes.h"
#include "core/diagnosis/quantities.h"
#include "tests/core/support/embedded_tree.h"
#include "tests/core/support/profiles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

using test::diagnose;

bool mentions(const Diagnosis& diagnosis, const std::string& classId)
{
    return diagnosis.finding.classId == classId ||
           std::any_of(diagnosis.secondary.begin(), diagnosis.secondary.end(), [&](const Finding& f) { return f.classId == classId; });
}

/// The fixture and the class that it must get.
struct Case {
    const char* name;
    RunRecord (*make)();
    const char* classId;
};
class Labeled : public testing::TestWithParam<Case> {};

TEST_P(Labeled, GetsItsClassWithSoundEvidence)
{
    const RunRecord run = GetParam().make();
    const Diagnosis diagnosis = diagnose(run);
    const Finding& finding = diagnosis.finding;
    EXPECT_EQ(finding.classId, GetParam().classId) << finding.title;
    EXPECT_FALSE(finding.inferred);
    EXPECT_FALSE(finding.fixes.empty());
    ASSERT_FALSE(finding.path.empty());
    for (const PathEntry& entry : finding.path) {
        ASSERT_TRUE(findQuantity(entry.metric)) << entry.metric;
        if (!entry.value) {
            EXPECT_FALSE(entry.taken);
            continue;
        }
        const double v = *entry.value, t = *entry.threshold;
        EXPECT_EQ(entry.taken, entry.sense == "<"    ? v < t
                               : entry.sense == "<=" ? v <= t
                               : entry.sense == ">"  ? v > t
                                                     : v >= t)
            << entry.metric;
    }
    EXPECT_TRUE(finding.path.back().taken);
    EXPECT_EQ(finding.title.find('{'), std::string::npos);
    if (finding.estimate) {
        EXPECT_GE(finding.estimate->runtimeReduction, 0);
        EXPECT_LE(finding.estimate->runtimeReduction, 1);
        EXPECT_FALSE(finding.estimate->how.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Labels, Labeled,
    testing::Values(
        Case{"recordedStrided", test::recordedStrided, "uncoalesced"}, Case{"recordedFma", test::recordedFma, "fp32-bound"},
        Case{"copyStrided", test::copyStrided, "uncoalesced"}, Case{"copyVector", test::copyVector, "dram-bound"},
        Case{"transposeNaive", test::transposeNaive, "uncoalesced"}, Case{"transposeTiled", test::transposeTiled, "bank-conflicts"},
        Case{"transposePadded", test::transposePadded, "dram-bound"}, Case{"reductionDivergent", test::reductionDivergent, "divergence"},
        Case{"reductionConflicting", test::reductionConflicting, "bank-conflicts"},
        Case{"reductionSequential", test::reductionSequential, "sync-bound"},
        Case{"reductionGridStride", test::reductionGridStride, "dram-bound"}, Case{"chainTiny", test::chainTiny, "launch-overhead"},
        Case{"chainLarge", test::chainLarge, "dram-bound"}, Case{"fmaFp64", test::fmaFp64, "fp64-bound"},
        Case{"fmaTranscendental", test::fmaTranscendental, "xu-bound"}, Case{"fmaInteger", test::fmaInteger, "int-bound"},
        Case{"attentionFusedLarge", test::attentionFusedLarge, "tensor-bound"},
        Case{"attentionFusedSmall", test::attentionFusedSmall, "small-grid"}, Case{"spilling", test::spilling, "register-spills"},
        Case{"registerHog", test::registerHog, "occupancy-limited"}, Case{"histogramAtomics", test::histogramAtomics, "atomics"}),
    [](const auto& expected) { return std::string(expected.param.name); });

TEST(Diagnosis, TheNotesCaseIsUncoalescedFirstPriority)
{
    RunRecord run = test::copyStrided(); // DRAM at 42 % of peak
    run.speedup = 0.10;
    const Diagnosis diagnosis = diagnose(run);
    EXPECT_EQ(diagnosis.finding.classId, "uncoalesced");
    EXPECT_EQ(diagnosis.finding.priority, "P0");
    const auto& fixes = diagnosis.finding.fixes;
    EXPECT_TRUE(std::any_of(fixes.begin(), fixes.end(), [](const Fix& fix) { return fix.id == "vector-loads"; }));
}

TEST(Diagnosis, FixedVariantsLoseTheExpectedClass)
{
    const Diagnosis padded = diagnose(test::transposePadded());
    EXPECT_FALSE(mentions(padded, "uncoalesced"));
    EXPECT_FALSE(mentions(padded, "bank-conflicts"));
    EXPECT_FALSE(mentions(diagnose(test::transposeTiled()), "uncoalesced"));
    EXPECT_FALSE(mentions(diagnose(test::reductionSequential()), "bank-conflicts"));
    EXPECT_FALSE(mentions(diagnose(test::reductionConflicting()), "divergence"));
    EXPECT_FALSE(mentions(diagnose(test::copyVector()), "uncoalesced"));
}

TEST(Diagnosis, OneLoneStoreABlockIsNotUncoalesced)
{
    EXPECT_LT(sectorWaste(RunFacts(test::reductionGridStride()))->percent, 1);
}

TEST(Diagnosis, AFewAtomicsBesideTensorCopiesAreNoVerdict)
{
    RunRecord run; // an attention kernel of cuDNN on an H200: TMA moves its data, a thousand atomics hand out its tiles
    run.metrics.emplace();
    run.metrics->values = {{"smsp__sass_inst_executed_op_global.sum", 1156},
                           {"smsp__sass_inst_executed_op_global_atom.sum", 1156},
                           {"smsp__sass_inst_executed_op_global_red.sum", 0},
                           {"lts__t_bytes.sum", 286'523'104},
                           {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 49.1}};
    EXPECT_LT(*findQuantity("atomic_share_percent")->compute(RunFacts(run)), 1);
    EXPECT_NE(diagnose(run).finding.classId, "atomics");
    run.metrics->values["lts__t_bytes.sum"] = 1156 * 32;
    EXPECT_EQ(diagnose(run).finding.classId, "atomics");
}

TEST(Diagnosis, OfAFewMetricsNothingIsConcludedButThatMoreAreNeeded)
{
    RunRecord run = test::transposeNaive();
    run.metrics->values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 12.0},
                           {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 8.0}};
    const Finding few = diagnose(run).finding;
    EXPECT_EQ(few.classId, "not-measured");
    ASSERT_FALSE(few.path.empty());
    EXPECT_EQ(few.path.back().metric, "unmeasured_units");
    EXPECT_NE(few.title.find("12\u202f%"), std::string::npos) << "the busiest of those that were measured: " << few.title;
    ASSERT_EQ(few.fixes.size(), 1U);
    EXPECT_EQ(few.fixes.front().id, "measure-more");
}

TEST(Diagnosis, BytesStillInL2AtTheEndCountForDram)
{
    RunRecord run = test::transposePadded(); // with caches emptied before the pass: 27 % of what it writes never left the L2
    run.metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 63.4;
    run.metrics->values["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = 81.1;
    EXPECT_NEAR(*findQuantity("needed_dram_percent")->compute(RunFacts(run)), run.idealBytes / 150e-6 / 4.8e12 * 100, 0.1);
    const Diagnosis diagnosis = diagnose(run);
    EXPECT_EQ(diagnosis.finding.classId, "dram-bound");
    ASSERT_FALSE(diagnosis.finding.path.empty());
    EXPECT_EQ(diagnosis.finding.path.back().metric, "memory_over_compute") << "the last question of the way by what it must move";
    EXPECT_NE(diagnosis.finding.title.find("63.4"), std::string::npos) << diagnosis.finding.title;
    run.idealBytes /= 2; // a kernel that moves twice what it must is not excused
    EXPECT_EQ(diagnose(run).finding.classId, "l2-bound");
}

TEST(Diagnosis, UncoalescedSentenceNamesTheWorseSide)
{
    const std::string stores = diagnose(test::transposeNaive()).finding.title;
    EXPECT_LT(stores.find("stores: 32 "), stores.find(" 4 ")) << stores;
    EXPECT_NE(stores.find(" 4 "), std::string::npos) << stores;
    EXPECT_NE(diagnose(test::recordedStrided()).finding.title.find("loads: 32 "), std::string::npos);
}

TEST(Diagnosis, AWrongResultEndsEverything)
{
    RunRecord run = test::transposeNaive();
    run.correctness.result = CorrectnessResult::incorrect;
    run.correctness.reason = "4 elements are NaN";
    const Diagnosis diagnosis = diagnose(run);
    EXPECT_EQ(diagnosis.finding.classId, "invalid");
    EXPECT_NE(diagnosis.finding.title.find("4 elements are NaN"), std::string::npos);
    EXPECT_TRUE(diagnosis.secondary.empty());
    EXPECT_EQ(diagnosis.finding.path.size(), 1U);
}

TEST(Diagnosis, ShortAloneIsOnlySecondary)
{
    RunRecord run = test::attentionFusedSmall();
    run.timing->gpu.median = 8000;
    const Diagnosis diagnosis = diagnose(run);
    EXPECT_EQ(diagnosis.finding.classId, "small-grid");
    ASSERT_TRUE(mentions(diagnosis, "launch-overhead"));
}

TEST(Diagnosis, AQuestionWhoseCountersWereNotReadIsSkippedAndNamed)
{
    RunRecord whole = test::transposePadded();
    test::set(whole,
              {{test::M::localLd, 0}, {test::M::localSt, 0}, {test::M::issueElapsed, 30}, {test::M::issue, 0.3}, {test::M::tensor, 0}});
    const Diagnosis answered = diagnose(whole);
    RunRecord part = whole;
    for (const char* ratio :
         {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
          "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
          "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"})
        part.metrics->values.erase(ratio);
    const Diagnosis skipped = diagnose(part);
    EXPECT_EQ(skipped.finding.classId, answered.finding.classId);
    EXPECT_LT(skipped.finding.confidence, answered.finding.confidence);
    ASSERT_TRUE(skipped.finding.title.starts_with(answered.finding.title)) << skipped.finding.title;
    const std::string missing = skipped.finding.title.substr(answered.finding.title.size());
    const std::string lead = missing.substr(0, missing.find(": "));
    EXPECT_TRUE(missing.starts_with(lead + ": " + std::string(findQuantity("excess_dram_percent")->title))) << missing;
    ASSERT_GT(lead.size(), 1U) << missing;
    EXPECT_EQ(answered.finding.title.find(lead), std::string::npos) << answered.finding.title;
    RunRecord none = whole;
    none.metrics.reset();
    EXPECT_EQ(diagnose(none).finding.title.find(lead), std::string::npos) << "inferred: no counter was to be read";
}

TEST(Diagnosis, AMissingMetricIsTestedWithNoValueAndNotTaken)
{
    RunRecord run = test::transposeNaive();
    run.metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = std::nullopt;
    run.metrics->missing["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = "not on this chip";
    run.metrics->values.erase("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct");
    run.metrics->values.erase("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct");
    run.metrics->values.erase("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio");
    run.metrics->values.erase("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio");
    const Finding finding = diagnose(run).finding;
    bool seen = false;
    for (const PathEntry& entry : finding.path)
        if (entry.metric == "excess_sectors_percent") {
            seen = true;
            EXPECT_FALSE(entry.value);
            EXPECT_FALSE(entry.taken);
        }
    EXPECT_TRUE(seen);
    EXPECT_NE(finding.classId, "uncoalesced");
}

TEST(Diagnosis, CatalogFixesComeFirst)
{
    const std::vector<CatalogFix> catalogFixes{{"transpose/padded", "Pad each tile row by one float", "bank-conflicts"},
                                               {"transpose/tiled", "Stage a tile in shared memory", "uncoalesced"}};
    const Finding finding = test::embeddedTree().diagnose(test::transposeNaive(), catalogFixes).finding;
    ASSERT_GE(finding.fixes.size(), 3U);
    EXPECT_EQ(finding.fixes[0].id, "transpose/tiled");
    EXPECT_EQ(finding.fixes[0].variant, "transpose/tiled");
    EXPECT_TRUE(finding.fixes.back().variant.empty());
}

TEST(Diagnosis, SecondaryFindingsAreRankedAndDistinct)
{
    const Diagnosis diagnosis = diagnose(test::copyStrided());
    std::set<std::string> seen{diagnosis.finding.classId};
    double last = 1;
    for (const Finding& finding : diagnosis.secondary) {
        EXPECT_TRUE(seen.insert(finding.classId).second) << finding.classId;
        const double gain = finding.estimate ? finding.estimate->runtimeReduction : 0;
        EXPECT_LE(gain, last);
        last = gain;
        EXPECT_NE(finding.priority, "P0");
        EXPECT_FALSE(finding.path.empty());
    }
}

TEST(Diagnosis, WithoutCountersTheSameClassesAreInferred)
{
    const auto infer = [](const RunRecord& run) { return diagnose(test::withoutCounters(run)).finding; };
    const Finding copy = infer(test::copyVector());
    EXPECT_EQ(copy.classId, "dram-bound");
    EXPECT_TRUE(copy.inferred);
    EXPECT_LT(copy.confidence, diagnose(test::copyVector()).finding.confidence);
    EXPECT_EQ(infer(test::chainTiny()).classId, "launch-overhead");
    EXPECT_EQ(infer(test::attentionFusedSmall()).classId, "small-grid");
    EXPECT_EQ(infer(test::transposeTiled()).classId, "bank-conflicts");
    EXPECT_EQ(infer(test::spilling()).classId, "register-spills");
    EXPECT_EQ(infer(test::transposeNaive()).classId, "uncoalesced");
}

TEST(Diagnosis, ABareRunStillGetsAClass)
{
    const Diagnosis diagnosis = diagnose(RunRecord{});
    EXPECT_TRUE(isClass(diagnosis.finding.classId));
    EXPECT_LT(diagnosis.finding.confidence, 0.5);
    EXPECT_FALSE(diagnosis.finding.estimate);
}

} // namespace
} // namespace kl
