// SPDX-License-Identifier: MIT
// From the traces of a program's processes to runs: sums, gaps, the launch that a run is about, the messages where something is missing.
#include "core/codec/run_codec.h"
#include "sessions/learning/recommend.h"
#include "sessions/measure/hot_lines.h"
#include "sessions/program/program_profile.h"
#include "sessions/store/sqlite.h"
#include "tests/sessions/store_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kScale = "_Z5scalePfif";
const std::string kCopy = "_Z6stridePf";

DeviceInfo h200()
{
    DeviceInfo device;
    device.uuid = "GPU-1";
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    device.smCount = 132;
    return device;
}

/// A process that ran `launches` of kernel 0, each `ns` long, every `period`.
ProcessTrace process(int launches, std::uint64_t ns, std::uint64_t period)
{
    ProcessTrace trace;
    trace.pid = 1;
    trace.command = {"prog"};
    trace.devices[0] = h200();
    trace.kernels = {kScale, kCopy};
    trace.ended = true;
    for (int i = 0; i < launches; ++i) {
        TracedLaunch launch;
        launch.start = 1000 + static_cast<std::uint64_t>(i) * period;
        launch.end = launch.start + ns;
        launch.correlation = static_cast<std::uint32_t>(i + 1);
        launch.grid = {1320, 1, 1};
        launch.block = {256, 1, 1};
        launch.registers = 32;
        trace.launches.push_back(launch);
    }
    return trace;
}

ProfiledLaunch profiled(const std::string& kernel, double ns)
{
    ProfiledLaunch launch{kernel, 0, 0, {1320, 1, 1}, {256, 1, 1}, {}, {"step"}, {}, "", 0.2};
    launch.metrics.values = {{"gpu__time_duration.sum", ns},
                             {"dram__throughput.avg.pct_of_peak_sustained_elapsed", 92},
                             {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 10}};
    return launch;
}

ProgramProfile summed(std::vector<ProcessTrace> processes, const std::string& pattern = {})
{
    static const DiagnosisTree tree = *DiagnosisTree::embedded();
    const ProgramRun run{{"prog", "--fast"}, 0, {}, 1.5, "2026-01-02T03:04:05.678Z"};
    return profileOf(run, std::move(processes), *KernelPattern::parse(pattern), tree);
}

std::vector<std::string> codes(const std::vector<Warning>& warnings)
{
    std::vector<std::string> list;
    for (const Warning& warning : warnings)
        list.push_back(warning.code);
    return list;
}

TEST(ProgramTotals, CountsOverlapsOnceAndLeavesPausesOut)
{
    ProcessTrace trace = process(2, 400, 1000); // 1000-1400, 2000-2400
    trace.copies = {{false, 1200, 1600, 0, 64}, {true, 5000, 5100, 0, 64}};
    trace.pauses = {{3000, 4000}};
    const ProgramTotals totals = totalsOf({trace});
    EXPECT_EQ(totals.launches, 2);
    EXPECT_EQ(totals.kernelNs, 800);
    EXPECT_EQ(totals.copyNs, 500);
    EXPECT_EQ(totals.busyNs, 600 + 400 + 100);
    EXPECT_EQ(totals.spanNs, 5100 - 1000 - 1000);
    const auto& times = totals.kernels.at(0).shapes.begin()->second.times;
    EXPECT_EQ(times.at(0).idleBeforeNs, std::nullopt) << "nothing is before the first";
    EXPECT_EQ(times.at(1).idleBeforeNs, 400) << "the copy ended at 1600";
}

TEST(ProgramTotals, AGapAcrossAProfiledLaunchIsNoGap)
{
    ProcessTrace trace = process(3, 400, 1000);
    trace.pauses = {{1500, 1900}};
    const ProgramTotals totals = totalsOf({trace});
    const auto& times = totals.kernels.at(0).shapes.begin()->second.times;
    EXPECT_EQ(times.at(1).idleBeforeNs, std::nullopt);
    EXPECT_EQ(times.at(2).idleBeforeNs, 600);
}

TEST(ProgramTotals, RangesHoldTheLaunchesWithinThem)
{
    ProcessTrace trace = process(2, 400, 1000);
    trace.stacks = {{"step"}, {"step", "scale"}};
    trace.stackOf = {{1, 0}, {2, 1}};
    trace.ranges = {{0, {1, 9000}}, {1, {1, 100}}};
    const ProgramTotals totals = totalsOf({trace});
    ASSERT_THAT(totals.ranges, SizeIs(2));
    EXPECT_THAT(totals.ranges[0].stack, ElementsAre("step"));
    EXPECT_EQ(totals.ranges[0].launches, 2);
    EXPECT_EQ(totals.ranges[0].gpuNs, 800);
    EXPECT_EQ(totals.ranges[0].hostNs, 9000);
    EXPECT_EQ(totals.ranges[1].launches, 1);
}

TEST(ProgramTotals, ProcessesOnOneDeviceAreOneKernel)
{
    ProcessTrace other = process(3, 400, 1000);
    other.devices = {{1, h200()}}; // the same GPU under another number
    for (TracedLaunch& launch : other.launches)
        launch.device = 1;
    const ProgramTotals totals = totalsOf({process(2, 400, 1000), other});
    ASSERT_THAT(totals.kernels, SizeIs(1));
    EXPECT_EQ(totals.kernels[0].launches, 5);
}

TEST(ProgramProfile, TimesAreThoseOfLaunchesThatNobodyProfiled)
{
    ProcessTrace trace = process(20, 5000, 5100);
    trace.profiled = {profiled(kScale, 6000)};
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(1));
    const RunRecord& run = profile.runs[0];
    EXPECT_EQ(run.timing->gpu.n, 20);
    EXPECT_EQ(run.timing->gpu.median, 5000);
    EXPECT_NEAR(*run.timing->busyFraction, 5000.0 / 5100, 1e-9);
    EXPECT_EQ(run.program->launches, 21);
    EXPECT_EQ(run.program->totalNs, 106'000);
    EXPECT_EQ(run.program->share, 1);
    EXPECT_EQ(run.program->kernel, "scale(float*, int, float)");
    EXPECT_EQ(run.program->profiledLaunch, 0);
    EXPECT_THAT(run.program->ranges, ElementsAre("step"));
    EXPECT_EQ(run.kernel.family, "program");
    EXPECT_THAT(run.kernel.variant, ::testing::StartsWith("scale-"));
    EXPECT_EQ(toText(run.problem), "BLOCK=256x1x1,GRID=1320x1x1");
    EXPECT_EQ(run.launches.at(0).blocksPerSm, 8);
    EXPECT_EQ(run.launches[0].waves, 1.25);
    ASSERT_TRUE(run.diagnosis);
    EXPECT_FALSE(run.diagnosis->finding.inferred);
    EXPECT_THAT(run.warnings, IsEmpty());
}

TEST(ProgramProfile, LaunchesMadeAloneAreTheTimeAndTheOthersAreReported)
{
    ProcessTrace trace = process(20, 5000, 5100);
    trace.profiled = {profiled(kScale, 5400)};
    for (std::uint32_t i = 0; i < 8; ++i) {
        trace.launches[i].end += 400;
        trace.alone.insert(trace.launches[i].correlation);
    }
    const ProgramProfile profile = summed({trace});
    const RunRecord& run = profile.runs.at(0);
    EXPECT_EQ(run.timing->gpu.median, 5400);
    EXPECT_EQ(run.timing->gpu.n, 8);
    EXPECT_NEAR(*run.timing->busyFraction, 5000.0 / 5100, 1e-9) << "the gaps around waiting are not the program's";
    EXPECT_EQ(togetherNs(profile.totals.kernels.at(0), run), 5000);
    ASSERT_THAT(codes(run.warnings), ElementsAre("faster-together"));
    EXPECT_THAT(run.warnings[0].text, HasSubstr("7.4 % less than alone"));
    const Json kernel = profileToJson(profile, *Catalog::embedded())["program"]["kernels"][0];
    EXPECT_EQ(kernel["gpu_ns"], 5400);
    EXPECT_EQ(kernel["median_ns"], 5000);
}

TEST(ProgramProfile, TwoLaunchesAloneAreNoMedian)
{
    ProcessTrace trace = process(4, 5000, 5100);
    trace.profiled = {profiled(kScale, 5400)};
    trace.alone = {trace.launches[0].correlation, trace.launches[1].correlation};
    const ProgramProfile profile = summed({trace});
    EXPECT_EQ(profile.runs.at(0).timing->gpu.n, 4);
    EXPECT_EQ(togetherNs(profile.totals.kernels.at(0), profile.runs[0]), std::nullopt);
    EXPECT_THAT(profile.runs[0].warnings, IsEmpty());
}

TEST(ProgramProfile, SamplesBelongToTheirKernel)
{
    ProcessTrace trace = process(20, 5000, 5100);
    trace.profiled = {profiled(kScale, 6000)};
    for (const std::int64_t samples : {100, 250}) { // the second line holds the first one's
        SampledKernel sampled{kScale, 0, samples == 100 ? 1 : 2, {}};
        sampled.source.samples = samples;
        trace.sampled.push_back(sampled);
    }
    const RunRecord run = summed({trace}).runs.at(0);
    ASSERT_TRUE(run.sourceProfile);
    EXPECT_EQ(run.sourceProfile->samples, 250);
    EXPECT_EQ(run.sourceProfile->launch, run.program->kernel);
    EXPECT_EQ(run.program->launches, 23);
    EXPECT_EQ(run.program->totalNs, 100'000 + 3 * 6000);
    EXPECT_THAT(run.warnings, IsEmpty()) << "counted launches are no other geometry";
}

TEST(ProgramProfile, ASampledKernelOfLittleTimeIsReported)
{
    ProcessTrace trace = process(1000, 5000, 5100);
    trace.kernels.push_back("small");
    TracedLaunch small = trace.launches[0];
    small.kernel = 1;
    small.correlation = 999'999;
    small.end = small.start + 100;
    trace.launches.push_back(small);
    EXPECT_THAT(summed({trace}).runs, SizeIs(1));
    trace.sampledAt = {small.correlation};
    trace.sampled = {SampledKernel{"small", 0, 0, {}}};
    EXPECT_THAT(summed({trace}).runs, SizeIs(2));
}

TEST(ProgramProfile, TimesOfSampledLaunchesCountWhereThereAreNoOthers)
{
    ProcessTrace trace = process(3, 5000, 5100);
    trace.launches[0].end += 900;
    trace.sampledAt = {trace.launches[0].correlation};
    EXPECT_EQ(summed({trace}).runs.at(0).timing->gpu.n, 2);
    EXPECT_EQ(summed({trace}).runs[0].timing->gpu.median, 5000);
    trace.launches.resize(1);
    SampledKernel sampled{kScale, 0, 0, {}};
    sampled.source.samples = 900;
    trace.sampled.push_back(sampled);
    const RunRecord once = summed({trace}).runs.at(0);
    EXPECT_EQ(once.timing->gpu.median, 5900);
    EXPECT_EQ(once.program->launches, 1);
    EXPECT_THAT(codes(once.warnings), ElementsAre("no-counters", "sampled-time"));
    EXPECT_THAT(once.warnings[0].text, HasSubstr("omit --source"));
    const Json json = profileToJson(summed({trace}), *Catalog::embedded())["results"][0];
    EXPECT_TRUE(json["metrics"].is_object()) << "a profile has them, be there none";
    EXPECT_EQ(json["plan"]["passes"], 0);
}

TEST(ProgramProfile, HotLinesByFileAndNumberOrWhyNot)
{
    const Catalog catalog = *Catalog::embedded();
    RunRecord run = summed({process(20, 5000, 5100)}).runs.at(0);
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 9;
    run.sourceProfile->lines = {{"train.cu", 12, 9, 1, {{"long_scoreboard", 9}}, {}, {}, {}}};
    HotLines hot = hotLines(run, catalog);
    ASSERT_THAT(hot.lines, SizeIs(1));
    EXPECT_THAT(hot.note, HasSubstr("by file and number"));
    EXPECT_FALSE(shownSource(run, catalog));
    EXPECT_EQ(runToJsonWithLines(run, catalog)["hot_lines"][0]["file"], "train.cu");
}

TEST(ProgramProfile, HotLinesCarryTheTextThatWasFoundWhereItWasCompiled)
{
    const Catalog catalog = *Catalog::embedded();
    RunRecord run = summed({process(20, 5000, 5100)}).runs.at(0);
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 10;
    run.sourceProfile->lines = {{"half.h", 7, 6, 0.6, {{"wait", 6}}, {}, {}, {}}, {"train.cu", 2, 4, 0.4, {{"wait", 4}}, {}, {}, {}}};
    run.sourceProfile->texts = {{"train.cu", "// one\n  x[i] = 2;\n"}};
    const HotLines hot = hotLines(run, catalog);
    ASSERT_THAT(hot.lines, SizeIs(2));
    EXPECT_EQ(hot.lines[0].text, "");
    EXPECT_EQ(hot.lines[1].text, "x[i] = 2;");
    EXPECT_EQ(hot.note, "");
    ASSERT_TRUE(shownSource(run, catalog));
    EXPECT_EQ(shownSource(run, catalog)->file, "train.cu");
}

TEST(ProgramProfile, CodeWithoutALineTableHasHotInstructions)
{
    const Catalog catalog = *Catalog::embedded();
    RunRecord run = summed({process(20, 5000, 5100)}).runs.at(0);
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 10;
    run.sourceProfile->lines = {{"", 0, 10, 1, {{"barrier", 9}, {"wait", 1}}, {}, {}, {}}};
    run.sourceProfile->instructions = {{"sdpa", 0x1a40, "", 0, 8, {{"barrier", 8}}, 64, 2048},
                                       {"sdpa", 16, "", 0, 2, {{"wait", 1}}, {}, {}}};
    const HotLines hot = hotLines(run, catalog, 1);
    EXPECT_TRUE(hot.instructions);
    ASSERT_THAT(hot.lines, SizeIs(1));
    EXPECT_EQ(hot.lines[0].offset, 0x1a40);
    EXPECT_EQ(hot.lines[0].text, "sdpa");
    EXPECT_THAT(hot.note, HasSubstr("-lineinfo"));
    const Json json = runToJsonWithLines(run, catalog);
    EXPECT_THAT(json["hot_lines"], IsEmpty());
    EXPECT_EQ(json["hot_instructions"][0]["offset"], 0x1a40);
    EXPECT_EQ(json["hot_instructions"][0]["share"], 0.8);
    EXPECT_EQ(json["hot_instructions"][0]["stall"], "barrier");
    EXPECT_EQ(json["hot_instructions"][0]["executed"], 64);
    EXPECT_TRUE(json["hot_instructions"][1]["executed"].is_null());
}

TEST(ProgramProfile, AKernelLaunchedOnceHasTheProfilersTimeAlone)
{
    ProcessTrace trace = process(0, 0, 0);
    trace.profiled = {profiled(kScale, 6000)};
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(1));
    EXPECT_FALSE(profile.runs[0].timing);
    EXPECT_EQ(profile.runs[0].program->totalNs, 6000);
    EXPECT_THAT(codes(profile.runs[0].warnings), ElementsAre("launched-once"));
}

TEST(ProgramProfile, OtherGeometriesAreDistinguished)
{
    ProcessTrace trace = process(4, 5000, 6000);
    trace.launches[3].grid = {7, 1, 1};
    trace.profiled = {profiled(kScale, 6000)};
    const ProgramProfile profile = summed({trace});
    EXPECT_EQ(profile.runs.at(0).timing->gpu.n, 3);
    ASSERT_THAT(codes(profile.runs[0].warnings), ElementsAre("other-shapes"));
    EXPECT_THAT(profile.runs[0].warnings[0].text, HasSubstr("1 of its 5 launches"));
    ASSERT_THAT(profile.runs, SizeIs(2)) << "the other shape takes more than a hundredth of the time";
    EXPECT_EQ(toText(profile.runs[1].problem), "BLOCK=256x1x1,GRID=7x1x1");
    EXPECT_EQ(profile.runs[1].program->launches, 1);
    EXPECT_NEAR(profile.runs[0].program->share + profile.runs[1].program->share, 1, 1e-9);
    EXPECT_EQ(profileToJson(profile, *Catalog::embedded())["program"]["kernels"][0]["run"], profile.runs[0].id.text);
}

TEST(ProgramProfile, LaunchesOfOneGridAreToldApartByTheirSharedMemory)
{
    ProcessTrace trace = process(4, 5000, 6000);
    trace.launches[3].dynamicSmem = 1024;
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(2));
    EXPECT_EQ(toText(profile.runs[1].problem), "BLOCK=256x1x1,GRID=1320x1x1,SMEM=1024");
    EXPECT_EQ(profile.runs[1].timing->gpu.n, 1);
}

TEST(ProgramProfile, GapsAreTheProgramsAndNotTheKernels)
{
    ProcessTrace trace = process(50, 38'000, 200'000);
    trace.profiled = {profiled(kScale, 38'000)};
    const ProgramProfile profile = summed({trace});
    ASSERT_TRUE(profile.finding);
    EXPECT_EQ(profile.finding->classId, "host-bound");
    EXPECT_NEAR(profile.finding->estimate->runtimeReduction, 1 - 50 * 38'000.0 / (49 * 200'000 + 38'000), 1e-9);
    EXPECT_NE(profile.runs.at(0).diagnosis->finding.classId, "launch-overhead");
    EXPECT_EQ(profileToJson(profile, *Catalog::embedded())["program"]["finding"]["class"], "host-bound");
    ProcessTrace copying = process(50, 38'000, 200'000);
    for (const TracedLaunch& launch : process(50, 38'000, 200'000).launches) // to the device before each, back after it
        copying.copies.insert(copying.copies.end(), {{false, launch.start - 900, launch.start - 100, 0, 4096},
                                                     {false, launch.end + 1000, launch.end + 20'000, 0, 4096}});
    copying.profiled = trace.profiled;
    const ProgramProfile between = summed({copying});
    ASSERT_TRUE(between.finding);
    EXPECT_EQ(between.finding->classId, "host-bound") << "the GPU idles between its copies, too";
    EXPECT_NE(between.runs.at(0).diagnosis->finding.classId, "launch-overhead");
    EXPECT_FALSE(summed({process(50, 5000, 6000)}).finding) << "the GPU is busy";
    EXPECT_FALSE(summed({process(2, 5000, 60'000)}).finding) << "too few launches to say";
}

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
    const ProgramTotals totals = totalsOf({threeShapes()});
    const KernelPattern any = *KernelPattern::parse("");
    const LaunchShape wide{{1320, 1, 1}, {256, 1, 1}, 0}, narrow{{7, 1, 1}, {256, 1, 1}, 0};
    EXPECT_THAT(launchesWorthCounting(totals, any, 20), ElementsAre(WantedLaunch{kScale, wide}, WantedLaunch{kScale, narrow}))
        << "they make up 95 %";
    EXPECT_THAT(launchesWorthCounting(totals, any, 1), ElementsAre(WantedLaunch{kScale, wide}));
    EXPECT_THAT(launchesWorthCounting(totals, *KernelPattern::parse("^stride"), 20), ElementsAre(WantedLaunch{kCopy, wide}))
        << "of the kernels that match";
    ProcessTrace graph = process(4, 1000, 1100);
    for (TracedLaunch& launch : graph.launches)
        launch.graph = true;
    EXPECT_THAT(launchesWorthCounting(totalsOf({graph}), any, 20), IsEmpty());
    ProcessTrace waits = process(4, 1000, 1100);
    waits.kernels[0] = "ncclDevKernel_AllReduce";
    EXPECT_THAT(launchesWorthCounting(totalsOf({waits}), any, 20), IsEmpty());
}

TEST(ProgramProfile, CountersOfASecondRunLeaveTheSumsOfTheFirst)
{
    static const DiagnosisTree tree = *DiagnosisTree::embedded();
    const ProgramRun first{{"prog"}, 0, {}, 1.5, "2026-01-02T03:04:05.678Z"};
    Counting counting;
    counting.run = ProgramRun{{"prog"}, 1, {}, 9, "2026-01-02T03:05:05.678Z"};
    counting.wanted = launchesWorthCounting(totalsOf({threeShapes()}), *KernelPattern::parse(""), 20);
    ProcessTrace again = process(9, 1200, 9000);
    for (const TracedLaunch& launch : again.launches)
        again.alone.insert(launch.correlation);
    again.profiled = {profiled(kScale, 1300)};
    counting.processes = {again};
    const ProgramProfile profile = profileOf(first, {threeShapes()}, *KernelPattern::parse(""), tree, counting);
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
    EXPECT_THAT(profile.runs[1].warnings.at(0).text, HasSubstr("did not launch it"));
    EXPECT_THAT(profile.runs[2].warnings.at(0).text, HasSubstr("launches that take more time"));
    EXPECT_THAT(codes(profile.notes), ElementsAre("second-run")) << "it ended otherwise";
    EXPECT_EQ(profileToJson(profile, *Catalog::embedded())["program"]["second_run"]["exit_code"], 1);
}

TEST(ProgramProfile, WithoutCountersTheRunsSaySo)
{
    static const DiagnosisTree tree = *DiagnosisTree::embedded();
    const ProgramProfile profile =
        profileOf({{"prog"}, 0, {}, 1, "2026-01-02T03:04:05.678Z"}, {threeShapes()}, *KernelPattern::parse(""), tree, {.off = true});
    EXPECT_THAT(profile.runs.at(0).warnings.at(0).text, HasSubstr("--no-counters"));
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
    static const DiagnosisTree tree = *DiagnosisTree::embedded();
    Counting counting;
    counting.ranges = {"corpus", true};
    const ProgramProfile profile = profileOf({{"prog"}, 0, {}, 1.5, ""}, {trace}, *KernelPattern::parse(""), tree, counting);
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
        launchesWorthCounting(totalsOf({trace}, counting.ranges), *KernelPattern::parse(""), 20, counting.ranges);
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

    trace = process(4, 5000, 6000);
    for (TracedLaunch& launch : trace.launches)
        launch.graph = true;
    EXPECT_THAT(summed({trace}).runs.at(0).warnings.at(0).text, HasSubstr("CUDA graphs"));

    trace = process(4, 5000, 6000);
    trace.kernels[0] = "ncclDevKernel_AllReduce";
    EXPECT_THAT(summed({trace}).runs.at(0).warnings.at(0).text, HasSubstr("other GPUs"));
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

TEST(ProgramProfile, NotesWhatWasLost)
{
    EXPECT_THAT(codes(summed({}).notes), ElementsAre("no-cuda"));
    EXPECT_THAT(codes(summed({process(0, 0, 0)}).notes), ElementsAre("no-launches"));
    ProcessTrace killed = process(2, 5, 10);
    killed.ended = false;
    killed.notes = {{"records-dropped", "x"}};
    EXPECT_THAT(codes(summed({killed}).notes), ElementsAre("records-dropped", "cut-short"));
    ProcessTrace cut = process(2, 5, 10);
    cut.ended = false;
    cut.cut = true;
    EXPECT_THAT(summed({cut}).notes.at(0).text, HasSubstr("disk for temporary files"));
    ProcessTrace damaged = process(2, 5, 10);
    damaged.damage = "line 7 (why)";
    const ProgramProfile profile = summed({damaged});
    EXPECT_THAT(codes(profile.notes), ElementsAre("damaged-trace"));
    EXPECT_THAT(profile.notes.at(0).text, HasSubstr("only up to line 7 (why)"));
    EXPECT_EQ(profile.totals.launches, 2) << "what could be read";
}

TEST(ProgramProfile, WhatCannotBeStoredIsReportedAndKept)
{
    const support::TempDir folder;
    const auto store = support::openStore(folder / "a.db");
    ProgramProfile profile = summed({process(20, 5000, 5100)});
    storeRuns(*store, profile, {});
    EXPECT_THAT(profile.notes, IsEmpty());
    const char* refusing = "CREATE TRIGGER full BEFORE INSERT ON runs BEGIN SELECT RAISE(FAIL, 'as if'); END";
    ASSERT_TRUE(sqlite::Connection::open(folder / "a.db", true, false)->exec(refusing));
    ProgramProfile later = summed({process(20, 5000, 5100)});
    storeRuns(*store, later, {});
    EXPECT_THAT(codes(later.notes), ElementsAre("not-stored"));
    EXPECT_THAT(later.runs, SizeIs(1));
}

TEST(ProgramProfile, AJsonResultIsAProfileAndSurvivesTheStore)
{
    ProcessTrace trace = process(20, 5000, 5100);
    trace.profiled = {profiled(kScale, 6000)};
    const ProgramProfile profile = summed({trace});
    const Json json = profileToJson(profile, *Catalog::embedded());
    EXPECT_EQ(json["program"]["exit_code"], 0);
    EXPECT_EQ(json["program"]["kernels"][0]["run"], profile.runs[0].id.text);
    EXPECT_EQ(json["program"]["kernels"][0]["median_ns"], 5000);
    EXPECT_EQ(json["program"]["kernels"][0]["alone_ns"], 6000);
    const Json& result = json["results"][0];
    EXPECT_EQ(result["schema"], "kernelloop.profile/1");
    EXPECT_EQ(result["kernel"], "program");
    EXPECT_TRUE(result.contains("finding"));
    EXPECT_EQ(result["program"]["kernel"], "scale(float*, int, float)");

    const support::TempDir folder;
    const auto store = support::openStore((folder / "a.db").string());
    const Status saved = store->saveRun(profile.runs[0]);
    ASSERT_TRUE(saved.ok()) << saved.error().message;
    EXPECT_EQ(*store->run(profile.runs[0].id), profile.runs[0]);
}

TEST(KernelNames, WithoutTypesAndArguments)
{
    EXPECT_EQ(shortKernelName("void lib::scale<float, (int)4>(float*, int)"), "scale<float, (int)4>");
    EXPECT_EQ(shortKernelName("void (anonymous namespace)::softmax<c10::Half>(x)"), "softmax<c10::Half>");
    EXPECT_EQ(shortKernelName("cudnn_sdpa_sm90"), "cudnn_sdpa_sm90");
    EXPECT_EQ(shortKernelName(""), "");
    EXPECT_THAT(kernelSlug("cudnn_Generated_fort.native"), ::testing::MatchesRegex("cudnn-generated-fort-native-[0-9a-f]{6}"));
    EXPECT_NE(kernelSlug("_Z5scalePfif"), kernelSlug("_Z5scalePdif"));
    EXPECT_LE(kernelSlug(std::string(500, 'x')).size(), 47U);
    EXPECT_THAT(kernelSlug("???"), ::testing::MatchesRegex("kernel-[0-9a-f]{6}"));
}

TEST(ProgramFixes, CarryTheChancesThatWereLearned)
{
    const DiagnosisTree tree = *DiagnosisTree::embedded();
    ProcessTrace trace = process(20, 50'000, 100'000);
    trace.profiled = {profiled(kScale, 50'000), profiled(kCopy, 50'000)};
    for (ProfiledLaunch& launch : trace.profiled)
        launch.metrics.values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 92;
    ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(2));
    weighFixes(profile, shippedModel(), tree);
    EXPECT_THAT(codes(profile.notes), IsEmpty());
    int weighed = 0;
    for (const RunRecord& run : profile.runs)
        for (const Fix& fix : run.diagnosis->finding.fixes) {
            if (fix.kind.empty())
                continue;
            EXPECT_DOUBLE_EQ(fix.confidence, (*shippedModel())->chanceOf(stateOf(run, tree), fix.kind).chance) << fix.kind;
            EXPECT_TRUE(fix.gain) << fix.kind;
            ++weighed;
        }
    EXPECT_GT(weighed, 0);

    weighFixes(profile, Error{.code = ErrorCode::badInput, .message = "It is damaged."}, tree);
    ASSERT_THAT(codes(profile.notes), ElementsAre("no-recommender")) << "once, of two kernels";
    EXPECT_THAT(profile.notes[0].text, HasSubstr("It is damaged."));
}

} // namespace
} // namespace kl
