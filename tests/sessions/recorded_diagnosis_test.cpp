// SPDX-License-Identifier: MIT
// The diagnosis tree against every profile that was recorded on a real GPU.

#include "kernels/catalogue.h"
#include "profiler/replay/replay.h"
#include "sessions/engine/workbench.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

/// Replays the carried recordings into a database in memory.
class RecordedDiagnosis : public ::testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(catalogue) << catalogue.error().message;
        ASSERT_TRUE(tree) << tree.error().message;
        ASSERT_TRUE(sample) << sample.error().message;
        ASSERT_TRUE(store) << store.error().message;
        bench.emplace(*catalogue, *tree, **sample, **store);
    }

    std::string classOf(const Address& address, const Params& problem)
    {
        const Result<RunRecord> run = bench->profile(address, problem, 2);
        EXPECT_TRUE(run) << toText(address) << ": " << (run ? "" : run.error().message);
        return run && run->diagnosis ? run->diagnosis->finding.klass : std::string("no diagnosis");
    }

    Result<Catalogue> catalogue = Catalogue::embedded();
    Result<DiagnosisTree> tree = DiagnosisTree::embedded();
    Result<std::unique_ptr<Collector>> sample = openSample();
    Result<std::unique_ptr<Store>> store = Store::open(":memory:");
    std::optional<Workbench> bench;
};

TEST_F(RecordedDiagnosis, EveryPlantedClassIsFound)
{
    int planted = 0;
    for (const Address& address : catalogue->addresses())
        for (const Params& problem : (*catalogue->family(address.family))->problems)
            if (const auto klass = catalogue->plantedClass(address, problem)) {
                EXPECT_EQ(classOf(address, problem), *klass) << toText(address) << ' ' << toText(problem);
                ++planted;
            }
    EXPECT_GE(planted, 18);
}

TEST_F(RecordedDiagnosis, MendedTwinsLoseThePlantedClass)
{
    for (const Address& address : catalogue->addresses())
        for (const Params& problem : (*catalogue->family(address.family))->problems)
            if (const auto klass = catalogue->plantedClass(address, problem))
                for (const Address& twin : catalogue->mendedBy(address)) {
                    EXPECT_NE(classOf(twin, problem), *klass) << toText(twin) << ' ' << toText(problem);
                }
}

TEST_F(RecordedDiagnosis, PassesThatRanAreThosePlanned)
{
    for (const Address& address : catalogue->addresses())
        for (const int tier : {0, 1, 2}) {
            const Result<RunRecord> run = bench->profile(address, (*catalogue->family(address.family))->problems.front(), tier);
            ASSERT_TRUE(run && run->metrics) << toText(address);
            EXPECT_EQ(run->metrics->plan.passes, run->metrics->plan.ran) << toText(address);
            EXPECT_GE(run->metrics->plan.passes, 1);
            if (tier == 0) {
                EXPECT_EQ(run->metrics->plan.passes, 1);
                EXPECT_EQ(run->metrics->values.size(), 15U);
            }
        }
}

TEST_F(RecordedDiagnosis, EveryFindingShowsItsPathAndTheLadderStepFirst)
{
    const Result<RunRecord> run = bench->profile({"transpose", "naive", {}}, {}, 2);
    ASSERT_TRUE(run && run->diagnosis);
    const Finding& finding = run->diagnosis->finding;
    EXPECT_EQ(finding.klass, "uncoalesced");
    EXPECT_EQ(finding.priority, "P0");
    EXPECT_FALSE(finding.inferred);
    ASSERT_FALSE(finding.path.empty());
    EXPECT_TRUE(finding.path.back().taken);
    ASSERT_TRUE(finding.estimate);
    EXPECT_GT(finding.estimate->runtimeReduction, 0.3);
    ASSERT_FALSE(finding.fixes.empty());
    EXPECT_EQ(finding.fixes.front().id, "transpose/tiled");
}

TEST_F(RecordedDiagnosis, EstimateAndOutcomeAgreeWithinAFactorOfTwo)
{
    // The finding's estimate against what the ladder step gave, for every planted problem that a step mends.
    for (const auto& [from, to] : {std::pair{"transpose/naive", "transpose/tiled"}, std::pair{"transpose/tiled", "transpose/padded"},
                                   std::pair{"copy/strided", "copy/coalesced"}}) {
        const Result<RunRecord> before = bench->profile(*parseAddress(from), {}, 2);
        const Result<RunRecord> after = bench->profile(*parseAddress(to), {}, 2);
        ASSERT_TRUE(before && after && before->timing && after->timing && before->diagnosis->finding.estimate) << from;
        const double realised = 1 - after->timing->gpu.median / before->timing->gpu.median;
        const double estimated = before->diagnosis->finding.estimate->runtimeReduction;
        EXPECT_LT(estimated, 2 * realised) << from;
        EXPECT_GT(estimated, realised / 2) << from;
    }
}

TEST_F(RecordedDiagnosis, BothSidesOfEveryLadderEdgeWereRight)
{
    for (const Address& address : catalogue->addresses())
        for (const Address& twin : catalogue->mendedBy(address)) {
            const Result<Comparison> comparison = bench->ab(address, twin, (*catalogue->family(address.family))->problems.front(), 1.2);
            ASSERT_TRUE(comparison) << toText(address) << ": " << comparison.error().message;
            EXPECT_NE(comparison->verdict, Verdict::notComparable) << toText(address);
            EXPECT_GE(comparison->blocks, 10);
        }
}

TEST_F(RecordedDiagnosis, SuitesPassOnEverySize)
{
    for (const Address& address : catalogue->addresses()) {
        const Result<RunRecord> run = bench->run(address, (*catalogue->family(address.family))->problems.front(), true);
        ASSERT_TRUE(run) << toText(address);
        EXPECT_EQ(run->correctness.result, CorrectnessResult::pass) << toText(address) << ' ' << run->correctness.reason;
        EXPECT_EQ(run->correctness.suite.size(), (*catalogue->family(address.family))->suite.size()) << toText(address);
        EXPECT_EQ(run->source, Source::sample);
    }
}

} // namespace
} // namespace kl
