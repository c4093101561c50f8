// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/resource.h"
#include "core/diagnosis/without_counters.h"
#include "sessions/confusion/confusion.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <cstddef>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace kl {
namespace {

Params problem(const char* text)
{
    return *parseParams(text);
}

/// A profile of one of transpose's variants: a time, sectors per store, and shared-memory conflicts.
RunRecord profile(const char* address, double us, double perStore, double conflicts)
{
    RunRecord run;
    run.kernel = *parseAddress(address);
    run.problem = problem("M=4096,N=4096");
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.correctness.result = CorrectnessResult::correct;
    run.idealBytes = 2.0 * 4 * 4096 * 4096;
    run.timing.emplace();
    run.timing->gpu = {us * 1e3, us * 1e3, us * 1e3, 20};
    LaunchFacts launch;
    launch.gridBlocks = 16384;
    launch.blockThreads = 256;
    launch.waves = 15.5;
    run.launches.push_back(launch);
    run.metrics.emplace();
    run.metrics->values = {
        {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 30.0},
        {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 60.0},
        {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 40.0},
        {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 20.0},
        {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 4.0},
        {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", perStore},
        {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 100.0},
        {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 400 / perStore},
        {"smsp__sass_inst_executed_op_global_ld.sum", 524288.0},
        {"smsp__sass_inst_executed_op_global_st.sum", 524288.0},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", conflicts},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0.0},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", conflicts + 524288},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 524288.0},
        {"gpc__cycles_elapsed.max", us * 1980},
    };
    return run;
}

std::vector<RunRecord> series()
{
    return {profile("transpose/naive", 150, 32, 0), profile("transpose/tiled", 75, 4, 15e6), profile("transpose/padded", 42, 4, 0)};
}

class ConfusionTest : public testing::Test {
protected:
    Confusion confusion(const std::vector<RunRecord>& runs, const Holdout& holdout = {}, const NcuRules& ncu = {})
    {
        return computeConfusion(runs, {}, *catalog, *tree, holdout, ncu);
    }
    Result<Catalog> catalog = Catalog::loadEmbedded();
    Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
};

TEST_F(ConfusionTest, ExpectedAndFoundAreSetAgainstEachOther)
{
    const Confusion found = confusion(series());
    ASSERT_GE(found.kernels.size(), 2U);
    EXPECT_EQ(found.kernels[0].expected, "uncoalesced");
    EXPECT_EQ(found.kernels[0].by(Judge::counters), "uncoalesced");
    EXPECT_EQ(found.kernels[1].expected, "bank-conflicts");
    EXPECT_EQ(found.kernels[1].by(Judge::counters), "bank-conflicts");
    EXPECT_FALSE(found.kernels[0].by(Judge::inferred).empty());
    EXPECT_TRUE(found.kernels[0].by(Judge::ncu).empty()) << "nobody asked ncu";
    EXPECT_EQ(found.rate(Judge::ncu).of, 0);
    EXPECT_EQ(found.rate(Judge::counters).of, static_cast<int>(found.kernels.size()));
}

TEST_F(ConfusionTest, AStepsGainIsHeldAgainstItsEstimate)
{
    const Confusion found = confusion(series());
    ASSERT_GE(found.steps.size(), 2U);
    const SeriesStep& first = found.steps.front();
    EXPECT_EQ(toText(first.to), "transpose/tiled");
    EXPECT_TRUE(first.lost());
    EXPECT_DOUBLE_EQ(first.realized, 0.5);
    ASSERT_TRUE(first.estimated);
    EXPECT_TRUE(first.isWithinTwo()) << *first.estimated;
    SeriesStep step = first;
    step.estimated = 0.9;
    step.realized = 0.3;
    EXPECT_FALSE(step.isWithinTwo());
    step.realized = -0.1; // it made matters worse
    step.estimated = 0.1;
    EXPECT_FALSE(step.isWithinTwo());
}

TEST_F(ConfusionTest, FailedRunsAndRunsWithoutALabelAreNoEvidence)
{
    std::vector<RunRecord> runs = series();
    runs[0].status = ResultStatus::validationFailed;
    runs[1].correctness.result = CorrectnessResult::replays;
    for (const Judged& one : confusion(runs).kernels)
        EXPECT_EQ(one.kernel.variant, "padded");
}

TEST_F(ConfusionTest, HeldOutKernelsHaveARateOfTheirOwn)
{
    Holdout holdout;
    holdout.families = {"transpose"};
    const Confusion found = confusion(series(), holdout);
    EXPECT_EQ(found.rate(Judge::counters, Part::tuned).of, 0);
    EXPECT_EQ(found.rate(Judge::counters, Part::heldOut).of, found.rate(Judge::counters).of);
}

TEST_F(ConfusionTest, WhatWasNeverSeenIsNeitherTunedOnNorHeldOut)
{
    Holdout holdout;
    holdout.families = {"transpose"};
    const Confusion found = computeConfusion({}, series(), *catalog, *tree, holdout, {});
    EXPECT_EQ(found.rate(Judge::counters, Part::heldOut).of, 0);
    EXPECT_EQ(found.rate(Judge::counters, Part::tuned).of, 0);
    EXPECT_GE(found.rate(Judge::counters, Part::unseen).of, 2);
    ASSERT_FALSE(found.steps.empty());
    EXPECT_EQ(found.steps.front().part, Part::unseen);
    holdout.unseen = "drawn later";
    EXPECT_NE(confusionMarkdown(found, holdout).find("drawn later"), std::string::npos);
}

TEST_F(ConfusionTest, NcusTopRuleIsMappedToAClass)
{
    const auto rules = parseNcuRules(
        R"({"schema": 1, "kernels": {"transpose/naive M=4096,N=4096": {"rules": [
            {"rule": "UncoalescedGlobalAccess", "section": "SourceCounters", "title": "Uncoalesced Global Accesses", "kind": "optimization",
             "text": "This kernel has uncoalesced global accesses", "speedup_percent": 60, "speedup_scope": "global"}], "metrics": {}}}})",
        "test");
    ASSERT_TRUE(rules) << rules.error().message;
    const Confusion found = confusion(series(), {}, *rules);
    EXPECT_EQ(found.kernels[0].by(Judge::ncu), "uncoalesced");
    EXPECT_EQ(found.rate(Judge::ncu).right, 1);
    EXPECT_EQ(found.rate(Judge::ncu).of, 1);
    EXPECT_EQ(found.kernels[0].by(Judge::ncuSpeedOfLight), "none") << "that section is not among the rules";
}

TEST_F(ConfusionTest, NcusSpeedOfLightIsAJudgeOfItsOwn)
{
    const auto rules = parseNcuRules(
        R"({"schema": 1, "kernels": {"transpose/naive M=4096,N=4096": {"rules": [
            {"rule": "SOLBottleneck", "section": "SpeedOfLight", "title": "High Memory Throughput", "kind": "optimization",
             "text": "Memory is more heavily utilized than Compute", "speedup_percent": null, "speedup_scope": ""},
            {"rule": "UncoalescedGlobalAccess", "section": "SourceCounters", "title": "Uncoalesced Global Accesses", "kind": "optimization",
             "text": "This kernel has uncoalesced global accesses", "speedup_percent": 60, "speedup_scope": "global"}],
            "metrics": {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": 40, "lts__throughput.avg.pct_of_peak_sustained_elapsed": 70}}}})",
        "test");
    ASSERT_TRUE(rules) << rules.error().message;
    const Confusion found = confusion(series(), {}, *rules);
    EXPECT_EQ(found.kernels[0].by(Judge::ncu), "uncoalesced");
    EXPECT_EQ(found.kernels[0].by(Judge::ncuSpeedOfLight), "l2-bound");
    EXPECT_EQ(found.rate(Judge::ncuSpeedOfLight).right, 0);
}

std::ptrdiff_t countParts(const std::string& text, const std::string& part)
{
    std::ptrdiff_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST_F(ConfusionTest, TheTablesHoldEveryRateMatrixAndStep)
{
    Holdout holdout;
    holdout.chosenAt = "2026-01-01";
    const Confusion found = confusion(series());
    const std::string text = confusionMarkdown(found, holdout);
    for (const char* part :
         {"| uncoalesced | **1** |", "| transpose/naive > tiled | M=4096,N=4096 | uncoalesced | bank-conflicts |", "2026-01-01"})
        EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
    EXPECT_NE(text.find(formatPercent(50)), std::string::npos) << text;
    const auto judging = std::ranges::count_if(kJudges, [&](Judge judge) { return found.rate(judge).of > 0; });
    EXPECT_LT(judging, std::ssize(kJudges)) << "nobody asked ncu";
    EXPECT_EQ(countParts(text, "\n| --- | ---: |"), judging) << "a matrix of each that judged\n" << text;
    EXPECT_EQ(countParts(text, "\n## "), std::ssize(kJudges) + 2) << "one for each, the misses, and the steps";
}

TEST(DiagnosisTreePatterns, AreOfTheLibrary)
{
    const auto text = resource("resources/diagnosis-tree.json");
    const auto patterns = resource("resources/patterns.json");
    ASSERT_TRUE(text && patterns);
    int named = 0;
    constexpr std::string_view kField = "\"pattern\": \"";
    for (auto at = text->find(kField); at != std::string_view::npos; at = text->find(kField, at + 1), ++named) {
        const std::string_view rest = text->substr(at + kField.size());
        const std::string slug = '"' + std::string(rest.substr(0, rest.find('"'))) + '"';
        EXPECT_NE(patterns->find(slug), std::string_view::npos) << slug;
    }
    EXPECT_GE(named, 5);
}

TEST(HoldoutTest, TheEmbeddedOneNamesItsDateSeedAndChoice)
{
    const auto holdout = loadEmbeddedHoldout();
    ASSERT_TRUE(holdout) << holdout.error().message;
    EXPECT_FALSE(holdout->chosenAt.empty());
    EXPECT_GT(holdout->seed, 0U);
    ASSERT_EQ(holdout->families.size(), 1U);
    EXPECT_GE(holdout->oneSizeIn, 2);
    EXPECT_TRUE(holdout->holds({holdout->families.front(), "any", {}}, problem("N=1")));
}

TEST(HoldoutTest, SizesAreDrawnByTheirHash)
{
    Holdout holdout;
    holdout.seed = 7;
    holdout.oneSizeIn = 4;
    int held = 0;
    for (int n = 1; n <= 400; ++n) {
        const Params size = problem(("N=" + std::to_string(n)).c_str());
        held += holdout.holds({"copy", "a", {}}, size) ? 1 : 0;
        EXPECT_EQ(holdout.holds({"copy", "a", {}}, size), holdout.holds({"copy", "b", {}}, size)) << "a size is held out for all variants";
    }
    EXPECT_GT(held, 60);
    EXPECT_LT(held, 140);
    holdout.oneSizeIn = 0;
    EXPECT_FALSE(holdout.holds({"copy", "a", {}}, problem("N=1")));
}

TEST(HoldoutTest, DamagedDataNameTheField)
{
    const auto wrong = parseHoldout(R"({"families": "all"})", "test");
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("families"), std::string::npos);
    EXPECT_FALSE(parseNcuRules("{}", "test"));
    EXPECT_FALSE(parseNcuRules("[]", "test"));
}

/// A variant of each part, missed by one judge or by none, and a step of each end.
Confusion makeConfusionOfEachPart()
{
    const auto judged = [](const char* kernel, const char* expected, const char* counters, const char* inferred, const char* ncu,
                           Part part) {
        Judged one;
        one.kernel = *parseAddress(kernel);
        one.problem = problem("N=1");
        one.expected = expected;
        one.found = {counters, inferred, "", ncu, ""};
        one.part = part;
        return one;
    };
    Confusion found;
    found.kernels = {judged("a/x", "dram-bound", "dram-bound", "dram-bound", "none", Part::tuned),
                     judged("a/y", "dram-bound", "l2-bound", "dram-bound", "", Part::heldOut),
                     judged("b/x", "balanced", "balanced", "dram-bound", "", Part::unseen)};
    SeriesStep step{*parseAddress("a/x"), *parseAddress("a/y"), problem("N=1"), "dram-bound", "balanced"};
    step.estimated = 0.5;
    step.realized = 0.25;
    SeriesStep kept = step;
    kept.after = "dram-bound";
    kept.estimated = 0.6;
    SeriesStep silent = step;
    silent.estimated.reset();
    found.steps = {step, kept, silent};
    return found;
}

Holdout makeHashedHoldout()
{
    Holdout holdout;
    holdout.chosenAt = "2026-01-01";
    holdout.how = "by hash";
    holdout.unseen = "drawn later";
    return holdout;
}

TEST(ConfusionTables, SayEachRateMatrixMissAndStep)
{
    Confusion found = makeConfusionOfEachPart();
    EXPECT_EQ(found.lost().right, 2);
    EXPECT_EQ(found.lost().of, 3);
    EXPECT_EQ(found.estimates().right, 1);
    EXPECT_EQ(found.estimates().of, 2);
    const Holdout holdout = makeHashedHoldout();
    const std::string text = confusionMarkdown(found, holdout);
    const std::string none = std::string(kNoValue) + " |";
    // What follows a part in its line.
    const auto after = [&](const std::string& part) {
        const std::size_t at = text.find(part);
        EXPECT_NE(at, std::string::npos) << part << '\n' << text;
        return at == std::string::npos ? std::string() : text.substr(at + part.size(), text.find('\n', at) - at - part.size());
    };
    EXPECT_THAT(text, testing::ContainsRegex(" 3 [^0-9]+ 2 [^0-9]+ 3 ")) << "variants, classes, measurements";
    std::size_t last = 0;
    for (const std::string& rates :
         {std::string("| 2 of 3 (67 %) | 1 of 1 (100 %) | 0 of 1 (0 %) | 1 of 1 (100 %) |\n"),
          std::string("| 2 of 3 (67 %) | 1 of 1 (100 %) | 1 of 1 (100 %) | 0 of 1 (0 %) |\n"),
          "| " + none + ' ' + none + ' ' + none + ' ' + none + '\n', "| 0 of 1 (0 %) | 0 of 1 (0 %) | " + none + ' ' + none + '\n'}) {
        const std::size_t at = text.find(rates);
        ASSERT_NE(at, std::string::npos) << rates << text;
        EXPECT_GT(at, last) << "in the order of the judges";
        last = at;
    }
    for (const char* part : {"2026-01-01", "by hash", "drawn later", "| dram-bound | **1** | 1 |  |", "| balanced |  |  | **1** |",
                             "| none |\n| --- | ---: |\n| dram-bound | 1 |\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
    const std::string heldOut = after("| a/y | N=1 | dram-bound | l2-bound | dram-bound |  | ");
    const std::string unseen = after("| b/x | N=1 | balanced | balanced | dram-bound |  | ");
    EXPECT_NE(heldOut, " |");
    EXPECT_NE(unseen, " |");
    EXPECT_NE(heldOut, unseen) << "each is named";
    EXPECT_THAT(text, testing::ContainsRegex("\n## [^\n]* 2 of 3 \\(67 %\\)[^\n]* 1 of 2 \\(50 %\\)\n")) << "steps, then estimates";
    const auto lastCell = [&](const std::string& end, const std::string& estimate) {
        return after("| a/x > y | N=1 | dram-bound | " + end + " | " + estimate + " | " + formatPercent(25) + " | ");
    };
    const std::string near = lastCell("balanced", formatPercent(50));
    const std::string far = lastCell("dram-bound", formatPercent(60));
    EXPECT_NE(near, far) << "one of them is within a factor of two";
    EXPECT_EQ(lastCell("balanced", kNoValue), none);
    EXPECT_NE(near, none);
    EXPECT_NE(far, none);
    EXPECT_EQ(text.find("| a/x | N=1 |"), std::string::npos) << "it was found";
    found.kernels.pop_back();
    EXPECT_EQ(confusionMarkdown(found, holdout).find("drawn later"), std::string::npos);
}

TEST(ConfusionTexts, SnapshotOfTheTables)
{
    Confusion found = makeConfusionOfEachPart();
    std::string text = confusionMarkdown(found, makeHashedHoldout());
    found.kernels.pop_back();
    text += "\n---\n\n" + confusionMarkdown(found, makeHashedHoldout());
    test::expectSnapshot("texts/confusion.txt", text);
}

TEST_F(ConfusionTest, EachJudgeLooksAtWhatItMay)
{
    std::vector<RunRecord> runs = series();
    runs[0].problem = problem("M=1024,N=1024");
    const Confusion found = confusion(runs);
    ASSERT_FALSE(found.kernels.empty());
    for (const Judged& one : found.kernels) {
        const auto run = std::ranges::find_if(runs, [&](const RunRecord& r) { return r.kernel == one.kernel; });
        EXPECT_EQ(one.problem, run->problem);
        EXPECT_EQ(one.by(Judge::inferred), tree->diagnose(withoutCounters(*run), {}).finding.classId);
        RunRecord early = withoutCounters(*run);
        early.experiments.clear();
        EXPECT_EQ(one.by(Judge::early), tree->diagnose(early, {}).finding.classId);
    }
    EXPECT_TRUE(std::ranges::none_of(found.steps, [](const SeriesStep& step) { return step.from.variant == "naive"; }))
        << "its fix was measured on another problem";
    runs = series();
    runs[1].status = ResultStatus::validationFailed;
    for (const SeriesStep& step : confusion(runs).steps)
        EXPECT_NE(step.to.variant, "tiled") << "it failed";
    runs = series();
    runs[1].timing.reset();
    for (const SeriesStep& step : confusion(runs).steps)
        EXPECT_TRUE(step.from.variant != "tiled" && step.to.variant != "tiled") << "it has no time";
}

TEST(ConfusionTables, AlmostAllIsNotAll)
{
    Confusion found;
    Judged one;
    one.kernel = *parseAddress("a/x");
    one.problem = problem("N=1");
    one.expected = "dram-bound";
    one.found = {"dram-bound", "dram-bound", "", "", ""};
    found.kernels.assign(300, one);
    EXPECT_NE(confusionMarkdown(found, {}).find("300 of 300 (100 %)"), std::string::npos);
    found.kernels.back().found = {"l2-bound", "dram-bound", "", "", ""};
    EXPECT_NE(confusionMarkdown(found, {}).find("299 of 300 (99 %)"), std::string::npos);
}

TEST_F(ConfusionTest, OnlyTheExpectedFindingsEstimateIsHeldAgainstTheGain)
{
    std::vector<RunRecord> runs = series();
    runs[0].metrics->values["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"] = 4;
    runs[0].metrics->values["smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"] = 100;
    runs[0].metrics->values["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 15e6;
    runs[0].metrics->values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 15e6 + 524288;
    const Confusion found = confusion(runs);
    ASSERT_FALSE(found.kernels.empty());
    EXPECT_EQ(found.kernels[0].expected, "uncoalesced");
    EXPECT_EQ(found.kernels[0].by(Judge::counters), "bank-conflicts");
    ASSERT_FALSE(found.steps.empty());
    EXPECT_EQ(toText(found.steps[0].from), "transpose/naive");
    EXPECT_FALSE(found.steps[0].estimated) << "what it promises is about something else";
    EXPECT_EQ(found.estimates().of, static_cast<int>(found.steps.size()) - 1);
    EXPECT_EQ(found.lost().of, static_cast<int>(found.steps.size()));
}

TEST_F(ConfusionTest, RunsOfSizesThatNobodyTunedOnAreAPartOfTheirOwn)
{
    const Confusion found = computeConfusion({series()[0]}, {series()[1], series()[2]}, *catalog, *tree, {}, {});
    ASSERT_EQ(found.kernels.size(), 2U) << "no class is expected of the last";
    EXPECT_EQ(found.rate(Judge::counters, Part::unseen).of, 1);
    EXPECT_EQ(found.rate(Judge::counters, Part::all).of, 2);
    EXPECT_EQ(found.rate(Judge::counters, Part::tuned).of + found.rate(Judge::counters, Part::heldOut).of, 1);
    ASSERT_EQ(found.steps.size(), 1U) << "the step from the other run has no end";
    EXPECT_EQ(found.steps[0].part, Part::unseen);
}

} // namespace
} // namespace kl
