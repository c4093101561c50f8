// SPDX-License-Identifier: MIT
// The diagnosis tree against every profile that was recorded on a real GPU.

#include "core/base/resource.h"
#include "core/diagnosis/roofline.h"
#include "kernels/catalog.h"
#include "profiler/replay/replay.h"
#include "sessions/confusion/confusion.h"
#include "sessions/confusion/corpus_confusion.h"
#include "sessions/import/open_file.h"
#include "tests/sessions/bench_support.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iterator>

namespace kl {
namespace {

/// Replays the carried recordings into a database in memory.
class RecordedDiagnosis : public ::testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(catalog) << catalog.error().message;
        ASSERT_TRUE(tree) << tree.error().message;
        ASSERT_TRUE(sample) << sample.error().message;
        ASSERT_TRUE(store) << store.error().message;
        bench.emplace(*catalog, *tree, **sample, **store);
    }

    /// Of the whole catalog what was recorded: a family may be newer than the recording.
    std::vector<RunRecord> recorded(int tier, bool firstProblemsOnly = false)
    {
        std::vector<RunRecord> runs;
        for (const Address& address : catalog->addresses())
            for (const Params& problem : (*catalog->family(address.family))->problems) {
                if (firstProblemsOnly && problem != (*catalog->family(address.family))->problems.front())
                    continue;
                Result<RunRecord> run = bench->profile(address, problem, tier);
                if (run)
                    runs.push_back(std::move(*run));
                else
                    EXPECT_EQ(run.error().code, ErrorCode::notRecorded) << toText(address) << ": " << run.error().message;
            }
        return runs;
    }

    Confusion confusion(const std::vector<RunRecord>& runs)
    {
        const auto text = resource("resources/diagnosis-holdout.json");
        EXPECT_TRUE(text);
        return computeConfusion(runs, unseen(), *catalog, *tree, *parseHoldout(*text, "hold-out"), {});
    }

    /// Profiles of the sizes that were drawn after the tree was set.
    std::vector<RunRecord> unseen()
    {
        std::vector<RunRecord> runs;
        for (const auto& entry : std::filesystem::directory_iterator(KL_SOURCE_DIR "/tests/data/unseen")) {
            Result<OpenedFile> opened = openFile(entry.path().string(), *tree, *catalog);
            EXPECT_TRUE(opened) << entry.path();
            if (opened)
                std::ranges::move(opened->runs, std::back_inserter(runs));
        }
        return runs;
    }

    Result<Catalog> catalog = Catalog::loadEmbedded();
    Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    Result<std::unique_ptr<Collector>> sample = openSample();
    Result<std::unique_ptr<Store>> store = Store::open(":memory:");
    std::optional<test::TestBench> bench;
};

std::string wrongOnes(const Confusion& confusion, Judge judge)
{
    std::string text;
    for (const Judged& one : confusion.kernels)
        if (one.by(judge) != one.expected)
            text += toText(one.kernel) + ' ' + toText(one.problem) + ": " + one.expected + " expected, " + one.by(judge) + " found\n";
    return text;
}

/// What a step's line of a message says.
std::string inWords(const SeriesStep& step)
{
    return fmt::format("{} > {} {}: fixes {}, then {}, estimated {}, realized {}\n", toText(step.from), step.to.variant,
                       toText(step.problem), step.fixed, step.after, step.estimated.value_or(-1), step.realized);
}

/// Findings that another unit at its roof contradicts; an invalid run has no verdict on the kernel.
std::string contradictedOnes(const std::vector<RunRecord>& runs)
{
    std::string text;
    for (const RunRecord& run : runs) {
        const std::string& classId = run.diagnosis->finding.classId;
        const std::optional<Contradiction> other = classId == "invalid" ? std::nullopt : findContradiction(classId, run);
        if (other)
            text += fmt::format("{} {}: {}, while {} is {:.1f}\n", toText(run.kernel), toText(run.problem), classId, other->unit,
                                other->percent);
    }
    return text;
}

/// One test, since replaying everything takes seconds: classes by counters and without, held-out kernels, steps and estimates.
TEST_F(RecordedDiagnosis, MeetsItsBars)
{
    constexpr int kEnough = 8; // held-out kernels: fewer say nothing within 5 points
    std::vector<RunRecord> runs = recorded(kSessionTier);
    const Confusion found = confusion(runs);
    EXPECT_GE(found.rate(Judge::counters).of, 100);
    EXPECT_GE(found.rate(Judge::counters).percent(), 95) << wrongOnes(found, Judge::counters);
    for (const Judge judge : {Judge::counters, Judge::inferred})
        for (const Part part : {Part::heldOut, Part::unseen}) {
            EXPECT_GE(found.rate(judge, part).of, kEnough);
            EXPECT_GE(found.rate(judge, part).percent(), found.rate(judge, Part::tuned).percent() - 5) << wrongOnes(found, judge);
        }

    EXPECT_EQ(contradictedOnes(runs), "") << "no primary finding contradicts the busiest unit";
    EXPECT_EQ(contradictedOnes(unseen()), "");

    ASSERT_FALSE(found.steps.empty());
    std::string wrong;
    for (const SeriesStep& step : found.steps) {
        EXPECT_TRUE(step.lost()) << inWords(step);
        if (step.estimated && !step.isWithinTwo())
            wrong += inWords(step);
    }
    EXPECT_GE(found.estimates().percent(), 70) << wrong;

    std::erase_if(runs, [](const RunRecord& run) { return run.launches.empty() || !run.launches.front().warp; });
    ASSERT_FALSE(runs.empty()) << "the recording is older than the model of the code: record again, ./dev capture";
    const Confusion modeled = confusion(runs);
    EXPECT_GE(modeled.rate(Judge::inferred).percent(), 85) << wrongOnes(modeled, Judge::inferred);
}

TEST_F(RecordedDiagnosis, NoKernelExceedsARoof)
{
    for (const RunRecord& run : recorded(2))
        for (const Roof& roof : computeRoofline(run).roofs)
            EXPECT_FALSE(roof.reachedHere) << toText(run.kernel) << ' ' << toText(run.problem) << ": " << roof.label;
}

TEST_F(RecordedDiagnosis, PassesThatRanAreThosePlanned)
{
    for (const int tier : {0, 1, 2}) {
        const std::vector<RunRecord> runs = recorded(tier, true);
        ASSERT_FALSE(runs.empty()) << "tier " << tier;
        for (const RunRecord& run : runs) {
            ASSERT_TRUE(run.metrics) << toText(run.kernel);
            EXPECT_EQ(run.metrics->plan.passes, run.metrics->plan.ran) << toText(run.kernel);
            EXPECT_GE(run.metrics->plan.passes, 1);
            if (tier == 0) {
                EXPECT_EQ(run.metrics->plan.passes, 1);
                EXPECT_EQ(run.metrics->values.size(), 15U);
            }
        }
    }
}

TEST_F(RecordedDiagnosis, EveryFindingShowsItsPathAndTheNextVariantFirst)
{
    const Result<RunRecord> run = bench->profile({"transpose", "naive", {}}, {}, 2);
    ASSERT_TRUE(run && run->diagnosis);
    const Finding& finding = run->diagnosis->finding;
    EXPECT_EQ(finding.classId, "uncoalesced");
    EXPECT_EQ(finding.priority, "P0");
    EXPECT_FALSE(finding.inferred);
    ASSERT_FALSE(finding.path.empty());
    EXPECT_TRUE(finding.path.back().taken);
    ASSERT_TRUE(finding.estimate);
    EXPECT_GT(finding.estimate->runtimeReduction, 0.3);
    ASSERT_FALSE(finding.fixes.empty());
    EXPECT_EQ(finding.fixes.front().id, "transpose/tiled");
}

TEST_F(RecordedDiagnosis, BothSidesOfEveryStepWereRight)
{
    for (const Address& address : catalog->addresses())
        for (const Address& twin : catalog->fixesFor(address)) {
            const Result<Comparison> comparison = bench->ab(address, twin, (*catalog->family(address.family))->problems.front(), 1.2);
            if (!comparison && comparison.error().code == ErrorCode::notRecorded)
                continue;
            ASSERT_TRUE(comparison) << toText(address) << ": " << comparison.error().message;
            EXPECT_NE(comparison->verdict, Verdict::notComparable) << toText(address);
            EXPECT_GE(comparison->blocks, 10);
        }
}

TEST_F(RecordedDiagnosis, SuitesPassOnEverySize)
{
    for (const Address& address : catalog->addresses()) {
        const Result<RunRecord> run = bench->run(address, (*catalog->family(address.family))->problems.front(), true);
        if ((!run && run.error().code == ErrorCode::notRecorded) || !(*catalog->variant(address))->fault.empty())
            continue;
        ASSERT_TRUE(run) << toText(address);
        EXPECT_EQ(run->correctness.result, CorrectnessResult::correct) << toText(address) << ' ' << run->correctness.reason;
        EXPECT_EQ(run->correctness.suite.size(), (*catalog->family(address.family))->suite.size()) << toText(address);
        EXPECT_EQ(run->source, Source::sample);
    }
}

} // namespace
} // namespace kl
