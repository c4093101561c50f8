// SPDX-License-Identifier: MIT
// Which launches of a program are counted, and what is reported where they are not.
#include "sessions/program/program_profile.h"
#include "tests/sessions/program_support.h"
#include "tests/support/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl {
namespace {

using support::codes;
using support::kCopy;
using support::kScale;
using support::process;
using support::profiled;
using support::summed;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Kernel 0 with two shapes, of 60 % and 36 % of the time; kernel 1 has 4 %.
ProcessTrace threeShapes()
{
    ProcessTrace trace = process(100, 1000, 1100);
    for (std::size_t i = 60; i < 96; ++i)
        trace.launches[i].grid = {7, 1, 1};
    for (std::size_t i = 96; i < 100; ++i)
        trace.launches[i].kernel = 1;
    return trace;
}

TEST(ProgramProfile, TheTimesDecideWhichLaunchesAreCounted)
{
    const ProgramTotals totals = computeTotals({threeShapes()});
    const KernelPattern any = *KernelPattern::parse("");
    const LaunchShape wide{{1320, 1, 1}, {256, 1, 1}, 0}, narrow{{7, 1, 1}, {256, 1, 1}, 0};
    EXPECT_THAT(chooseLaunchesToCount(totals, any, 20), ElementsAre(WantedLaunch{kScale, wide}, WantedLaunch{kScale, narrow}))
        << "they make up 95 %";
    EXPECT_THAT(chooseLaunchesToCount(totals, any, 1), ElementsAre(WantedLaunch{kScale, wide}));
    EXPECT_THAT(chooseLaunchesToCount(totals, *KernelPattern::parse("^stride"), 20), ElementsAre(WantedLaunch{kCopy, wide}))
        << "of the kernels that match";
    ProcessTrace graph = process(4, 1000, 1100);
    for (TracedLaunch& launch : graph.launches)
        launch.graph = true;
    EXPECT_THAT(chooseLaunchesToCount(computeTotals({graph}), any, 20), IsEmpty());
    ProcessTrace waits = process(4, 1000, 1100);
    waits.kernels[0] = "ncclDevKernel_AllReduce";
    EXPECT_THAT(chooseLaunchesToCount(computeTotals({waits}), any, 20), IsEmpty());
}

/// Its second run, in which counters are read, launches the first shape alone.
ProgramProfile countedInASecondRun()
{
    static const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    const ProgramRun first{{"prog"}, 0, {}, 1.5, "2026-01-02T03:04:05.678Z"};
    Counting counting;
    counting.run = ProgramRun{{"prog"}, 1, {}, 9, "2026-01-02T03:05:05.678Z"};
    counting.wanted = chooseLaunchesToCount(computeTotals({threeShapes()}), *KernelPattern::parse(""), 20);
    ProcessTrace again = process(9, 1200, 9000);
    for (const TracedLaunch& launch : again.launches)
        again.alone.insert(launch.correlation);
    again.profiled = {profiled(kScale, 1300)};
    counting.processes = {again};
    return makeProgramProfile(first, {threeShapes()}, *KernelPattern::parse(""), tree, counting);
}

TEST(ProgramProfile, CountersOfASecondRunLeaveTheSumsOfTheFirst)
{
    const ProgramProfile profile = countedInASecondRun();
    EXPECT_EQ(profile.totals.launches, 100);
    EXPECT_EQ(profile.totals.kernelNs, 100'000);
    ASSERT_THAT(profile.runs, SizeIs(3));
    const RunRecord& wide = profile.runs[0];
    EXPECT_EQ(wide.program->launches, 60);
    EXPECT_EQ(wide.program->totalNs, 60'000);
    EXPECT_EQ(wide.timing->gpu.median, 1200) << "alone, in the second run";
    EXPECT_TRUE(wide.metrics);
    EXPECT_EQ(togetherNs(profile.totals.kernels[0], wide), 1000);
    EXPECT_FALSE(profile.runs[1].metrics);
    EXPECT_EQ(profile.runs[1].warnings.at(0).code, "no-counters");
    EXPECT_EQ(profile.runs[2].warnings.at(0).code, "no-counters");
    EXPECT_NE(profile.runs[2].warnings[0].text, profile.runs[1].warnings[0].text) << "it was not selected, the other was";
    EXPECT_THAT(codes(profile.notes), ElementsAre("second-run")) << "it ended otherwise";
    EXPECT_EQ(profileToJson(profile, *Catalog::loadEmbedded())["program"]["second_run"]["exit_code"], 1);
}

TEST(ProgramProfile, WithoutCountersTheRunsSaySo)
{
    static const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    const ProgramProfile profile = makeProgramProfile({{"prog"}, 0, {}, 1, "2026-01-02T03:04:05.678Z"}, {threeShapes()},
                                                      *KernelPattern::parse(""), tree, {.off = true});
    EXPECT_EQ(profile.runs.at(0).warnings.at(0).code, "no-counters");
    EXPECT_TRUE(profile.runs[0].diagnosis->finding.inferred);
}

ProfiledLaunch executed(const std::string& kernel, const std::vector<std::string>& ranges)
{
    ProfiledLaunch launch{kernel, 0, 0, {1320, 1, 1}, {256, 1, 1}, {}, ranges, {}, "", 0.1};
    launch.facts.warp.emplace();
    launch.facts.warp->instructions = 50;
    launch.facts.warp->activeThreads = 32;
    launch.facts.warp->executed = {{"sass.alu", 50}};
    launch.facts.opcodes = {{"sass.alu", 5}};
    launch.memoryBytes = 1 << 20;
    return launch;
}

TEST(ProgramProfile, WhatInstructionsDoIsOfTheLaunchAndNoMetric)
{
    ProcessTrace trace = process(20, 400'000, 500'000);
    trace.executed = {executed(kScale, {"step"})};
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(1));
    const RunRecord& run = profile.runs.front();
    EXPECT_EQ(run.launches.front().warp, trace.executed.front().facts.warp);
    EXPECT_EQ(run.launches.front().opcodes.at("sass.alu"), 5);
    EXPECT_EQ(run.memoryBytes, 1 << 20);
    EXPECT_FALSE(run.metrics);
    EXPECT_TRUE(run.diagnosis->finding.inferred);
    EXPECT_EQ(run.program->launches, 21) << "the patched launch has no time";
    EXPECT_DOUBLE_EQ(run.program->totalNs, 20 * 400'000.0);
}

TEST(ProgramProfile, WhereNothingCouldBeCountedTheCodeIsKnown)
{
    ProcessTrace trace = process(20, 400'000, 500'000);
    trace.executed = {executed(kScale, {"step"})};
    trace.executed.front().facts.warp.reset();
    trace.executed.front().failure = "CUPTI refused.";
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(1));
    const RunRecord& run = profile.runs.front();
    EXPECT_FALSE(run.launches.front().warp);
    EXPECT_EQ(run.launches.front().opcodes.at("sass.alu"), 5);
    EXPECT_EQ(run.memoryBytes, 1 << 20);
    EXPECT_THAT(codes(run.warnings), testing::Contains("no-executions"));
    EXPECT_EQ(run.program->launches, 20) << "it was recorded like any other";
}

TEST(ProgramProfile, RangesTellLaunchesOfOneShapeApart)
{
    ProcessTrace trace = process(4, 400, 1000);
    trace.stacks = {{"corpus", "a"}, {"corpus", "b"}, {"other"}};
    trace.stackOf = {{1, 0}, {2, 0}, {3, 1}, {4, 2}};
    ProfiledLaunch inB = profiled(kScale, 450);
    inB.ranges = {"corpus", "b", "library"};
    trace.profiled = {inB};
    trace.executed = {executed(kScale, {"corpus", "a"})};
    static const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    Counting counting;
    counting.ranges = {"corpus", true};
    const ProgramProfile profile = makeProgramProfile({{"prog"}, 0, {}, 1.5, ""}, {trace}, *KernelPattern::parse(""), tree, counting);
    std::map<std::string, const RunRecord*> byRange;
    for (const RunRecord& run : profile.runs)
        byRange[run.program->ranges.size() > 1 ? run.program->ranges[1] : ""] = &run;
    ASSERT_TRUE(byRange.contains("a") && byRange.contains("b"));
    EXPECT_EQ(byRange["a"]->timing->gpu.n, 2);
    EXPECT_FALSE(byRange["a"]->metrics);
    EXPECT_TRUE(byRange["a"]->launches.front().warp);
    EXPECT_EQ(byRange["b"]->timing->gpu.n, 1);
    EXPECT_TRUE(byRange["b"]->metrics);
    EXPECT_FALSE(byRange["b"]->launches.front().warp);
    EXPECT_EQ(byRange["a"]->problem, byRange["b"]->problem);
    const std::vector<WantedLaunch> wanted =
        chooseLaunchesToCount(computeTotals({trace}, counting.ranges), *KernelPattern::parse(""), 20, counting.ranges);
    EXPECT_TRUE(std::ranges::all_of(wanted, [](const WantedLaunch& one) { return one.shape.range == "a" || one.shape.range == "b"; }));
}

TEST(ProgramProfile, LaunchesThatDoDifferentWorkAreNoNoise)
{
    ProcessTrace trace = process(20, 5000, 60'000);
    for (std::size_t i = 0; i < 10; ++i)
        trace.launches[2 * i].end += 20'000;
    trace.profiled = {profiled(kScale, 6000)};
    const RunRecord run = summed({trace}).runs.at(0);
    EXPECT_NE(run.diagnosis->finding.classId, "invalid");
    EXPECT_THAT(codes(run.warnings), ElementsAre("varied-times"));
}

TEST(ProgramProfile, SaysWhyAKernelHasNoCounters)
{
    ProcessTrace trace = process(4, 5000, 6000);
    ProfiledLaunch failed = profiled(kScale, 0);
    failed.failure = "counters are kept to administrators";
    failed.metrics = {};
    trace.profiled = {failed};
    const RunRecord run = summed({trace}).runs.at(0);
    EXPECT_FALSE(run.metrics);
    EXPECT_TRUE(run.diagnosis->finding.inferred);
    EXPECT_THAT(run.warnings.at(0).text, HasSubstr("counters are kept to administrators"));
    EXPECT_EQ(run.program->launches, 4) << "the failed one was recorded like any other";

    std::set<std::string> reasons{run.warnings[0].text};
    const auto add = [&] {
        const RunRecord other = summed({trace}).runs.at(0);
        EXPECT_EQ(other.warnings.at(0).code, "no-counters");
        reasons.insert(other.warnings.at(0).text);
    };
    trace = process(4, 5000, 6000);
    add();
    for (TracedLaunch& launch : trace.launches)
        launch.graph = true;
    add();
    trace = process(4, 5000, 6000);
    trace.kernels[0] = "ncclDevKernel_AllReduce";
    add();
    EXPECT_THAT(reasons, SizeIs(4)) << "each has its own";
}

TEST(NoCounterTexts, SnapshotOfEachReason)
{
    static const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    std::string text;
    const auto add = [&](const std::string& which, const RunRecord& run) {
        for (const Warning& warning : run.warnings)
            if (warning.code == "no-counters" || warning.code == "no-executions")
                text += which + ": " + warning.text + '\n';
    };
    const ProgramProfile off = makeProgramProfile({{"prog"}, 0, {}, 1, "2026-01-02T03:04:05.678Z"}, {threeShapes()},
                                                  *KernelPattern::parse(""), tree, {.off = true});
    add("not wanted", off.runs.at(0));
    const ProgramProfile again = countedInASecondRun();
    add("not in the second run", again.runs.at(1));
    add("behind others", again.runs.at(2));
    ProcessTrace trace = process(4, 5000, 6000);
    add("not selected", summed({trace}).runs.at(0));
    ProfiledLaunch failed = profiled(kScale, 0);
    failed.failure = "counters are off";
    failed.metrics = {};
    trace.profiled = {failed};
    add("failed", summed({trace}).runs.at(0));
    trace = process(4, 5000, 6000);
    for (TracedLaunch& launch : trace.launches)
        launch.graph = true;
    add("from graphs", summed({trace}).runs.at(0));
    trace = process(4, 5000, 6000);
    trace.kernels[0] = "ncclDevKernel_AllReduce";
    add("waits for others", summed({trace}).runs.at(0));
    trace = process(1, 5000, 6000);
    SampledKernel sampled{kScale, 0, 0, {}};
    sampled.source.samples = 900;
    trace.sampled.push_back(sampled);
    add("sampled", summed({trace}).runs.at(0));
    trace = process(20, 400'000, 500'000);
    trace.executed = {executed(kScale, {"step"})};
    trace.executed.front().facts.warp.reset();
    trace.executed.front().failure = "CUPTI refused.";
    add("not patched", summed({trace}).runs.at(0));
    test::expectSnapshot("texts/no-counters.txt", text);
}

TEST(ProgramProfile, KernelsOfLittleTimeAreLeftOutUnlessProfiled)
{
    ProcessTrace trace = process(200, 5000, 6000);
    trace.launches[0].kernel = 1;
    EXPECT_THAT(summed({trace}).runs, SizeIs(1));
    EXPECT_THAT(summed({trace}).totals.kernels, SizeIs(2));
    trace.profiled = {profiled(kCopy, 5000)};
    EXPECT_THAT(summed({trace}).runs, SizeIs(2));
    const ProgramProfile one = summed({trace}, "^stride");
    ASSERT_THAT(one.runs, SizeIs(1));
    EXPECT_EQ(one.runs[0].program->kernel, "stride(float*)");
    EXPECT_LT(one.runs[0].program->share, 0.02) << "of the whole program";
}

TEST(ProgramProfile, ProfiledLaunchesCountOfTheirOwnShape)
{
    ProcessTrace trace = process(10, 1000, 1100);
    ProfiledLaunch second = profiled(kScale, 700), third = profiled(kScale, 500);
    second.grid = {7, 1, 1};
    third.grid = {9, 1, 1};
    trace.profiled = {second, third};
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(3));
    EXPECT_EQ(profile.runs[0].program->launches, 10);
    EXPECT_EQ(profile.runs[0].program->totalNs, 10'000);
    EXPECT_EQ(profile.runs[1].problem.at("GRID"), ParamValue(std::string("7x1x1")));
    EXPECT_EQ(profile.runs[1].program->launches, 1);
    EXPECT_EQ(profile.runs[1].program->totalNs, 700);
    EXPECT_EQ(profile.runs[2].program->launches, 1);
    EXPECT_EQ(profile.runs[2].program->totalNs, 500);
}

TEST(ProgramProfile, OfManySmallShapesTheLongestStandsForTheKernel)
{
    ProcessTrace trace = process(151, 1000, 1100);
    for (std::size_t i = 0; i < 151; ++i)
        trace.launches[i].grid = {i == 150 ? 77 : static_cast<int>(i) + 1, 1, 1}; // one of them twice: none reaches a hundredth but it
    for (int i = 0; i < 100; ++i) {
        TracedLaunch other = trace.launches[1];
        other.kernel = 1;
        other.grid = {5, 1, 1};
        other.start += 200'000 + 1000 * static_cast<std::uint64_t>(i);
        other.end = other.start + 900;
        other.correlation += 1000 + static_cast<std::uint32_t>(i);
        trace.launches.push_back(other);
    }
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(2));
    EXPECT_EQ(profile.runs[1].problem.at("GRID"), ParamValue(std::string("77x1x1")));
    EXPECT_EQ(profile.runs[1].program->launches, 2);
    const Json json = profileToJson(profile, *Catalog::loadEmbedded())["program"]["kernels"];
    EXPECT_EQ(json[0]["beside"], Json::array()) << "nothing ran beside it";
}

} // namespace
} // namespace kl
