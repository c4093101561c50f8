// SPDX-License-Identifier: MIT
// Made-up activity records: kernels that run beside others, CUDA graphs, NVTX ranges as a whole, ranks and GPUs.
#include "kernels/catalog.h"
#include "sessions/program/kernel_overlap.h"
#include "sessions/program/program_profile.h"
#include "sessions/program/trace_program.h"
#include "tests/support/value_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace kl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

DeviceInfo gpu(const std::string& uuid)
{
    DeviceInfo device;
    device.uuid = uuid;
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    device.smCount = 132;
    return device;
}

/// A process with kernels 0 "scale" and 1 "stride" on one GPU.
ProcessTrace process(int pid = 1, const std::string& uuid = "GPU-1")
{
    ProcessTrace trace;
    trace.pid = pid;
    trace.devices[0] = gpu(uuid);
    trace.kernels = {"_Z5scalePfif", "_Z6stridePf"};
    trace.ended = true;
    return trace;
}

TracedLaunch launch(int kernel, std::uint64_t start, std::uint64_t end, std::uint32_t correlation, std::uint32_t stream = 7)
{
    TracedLaunch made;
    made.kernel = kernel;
    made.start = start;
    made.end = end;
    made.stream = stream;
    made.correlation = correlation;
    made.grid = {1320, 1, 1};
    made.block = {256, 1, 1};
    made.registers = 32;
    return made;
}

TracedLaunch byGraph(TracedLaunch made, std::uint32_t graph)
{
    made.graph = true;
    made.graphId = graph;
    return made;
}

ProgramProfile profiled(std::vector<ProcessTrace> processes, const Counting& counting = {})
{
    static const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    return makeProgramProfile({{"prog"}, 0, {}, 1.5, "2026-01-02T03:04:05.678Z"}, std::move(processes), *KernelPattern::parse(""), tree,
                              counting);
}

const ShapeTotals& findShape(const ProgramTotals& totals, const std::string& name)
{
    for (const KernelTotals& kernel : totals.kernels)
        if (kernel.name.starts_with(name))
            return kernel.shapes.begin()->second;
    throw std::out_of_range(name);
}

/// The text of a run's warning; empty without it.
std::string findNote(const RunRecord& run, const std::string& code)
{
    for (const Warning& warning : run.warnings)
        if (warning.code == code)
            return warning.text;
    return {};
}

TEST(KernelOverlap, TimeIsExclusiveOrBesideOthers)
{
    // row 0: 0-100 and 200-300; row 1: 50-250; row 2: 260-270, twice
    const std::vector<RowOverlap> rows = computeOverlaps({{0, 0, 100}, {1, 50, 250}, {0, 200, 300}, {2, 260, 270}, {2, 260, 270}}, 3);
    EXPECT_EQ(rows[0].exclusiveNs, 50 + 10 + 30);
    EXPECT_EQ(rows[0].besideNs, 50 + 50 + 10);
    EXPECT_EQ(rows[1].exclusiveNs, 100);
    EXPECT_EQ(rows[1].beside, (std::map<int, double>{{0, 100}}));
    EXPECT_EQ(rows[2].exclusiveNs, 0);
    EXPECT_EQ(rows[2].besideNs, 20);
    EXPECT_EQ(rows[2].beside, (std::map<int, double>{{0, 20}, {2, 20}})) << "beside itself, too";
    EXPECT_THAT(computeOverlaps({}, 0), IsEmpty());
}

TEST(KernelOverlap, OneAfterTheOtherIsNoOverlap)
{
    const std::vector<RowOverlap> rows = computeOverlaps({{0, 0, 100}, {1, 100, 150}, {0, 150, 200}}, 2);
    EXPECT_EQ(rows[0].exclusiveNs, 150);
    EXPECT_EQ(rows[1].exclusiveNs, 50);
    EXPECT_EQ(rows[0].besideNs + rows[1].besideNs, 0);
}

TEST(KernelOverlap, ManyAtOnceAddUpToTheirTimes)
{
    std::vector<KernelInterval> intervals;
    for (int row = 0; row < 40; ++row)
        intervals.push_back({row, static_cast<std::uint64_t>(row), 1000});
    const std::vector<RowOverlap> rows = computeOverlaps(intervals, 40);
    for (int row = 0; row < 40; ++row)
        EXPECT_EQ(rows[static_cast<std::size_t>(row)].exclusiveNs + rows[static_cast<std::size_t>(row)].besideNs, 1000 - row) << row;
}

TEST(ProgramStreams, ConcurrentKernelsAreToldApartFromSerialOnes)
{
    ProcessTrace trace = process();
    for (std::uint32_t i = 0; i < 10; ++i) {
        const std::uint64_t at = 1000 + 1000 * std::uint64_t{i};
        trace.launches.push_back(launch(0, at, at + 400, 2 * i + 1, 7));
        trace.launches.push_back(launch(1, at + 100, at + 400, 2 * i + 2, 13));
    }
    ProgramProfile profile = profiled({trace});
    EXPECT_EQ(profile.totals.kernelNs, 7000);
    EXPECT_EQ(profile.totals.kernelUnionNs, 4000);
    const ShapeTotals& scale = findShape(profile.totals, "scale");
    EXPECT_EQ(scale.exclusiveNs, 1000);
    EXPECT_EQ(scale.beside.at(0).name, "stride(float*)");
    EXPECT_EQ(findShape(profile.totals, "stride").exclusiveNs, 0);
    EXPECT_EQ(findShape(profile.totals, "stride").beside.at(0).name, "scale(float*, int, float)");
    EXPECT_EQ(shapeTotals(profile.totals, profile.runs.at(0)), &scale);
    EXPECT_THAT(findNote(profile.runs.at(0), "runs-beside"), AllOf(HasSubstr("stride"), HasSubstr("25")));
    const Json kernels = profileToJson(profile, *Catalog::loadEmbedded())["program"]["kernels"];
    EXPECT_EQ(kernels[0]["exclusive_ns"], 1000);
    EXPECT_EQ(kernels[0]["beside"][0]["ns"], 3000);

    for (TracedLaunch& made : trace.launches)
        if (made.kernel == 1) { // the same streams, one after the other
            made.start += 350;
            made.end += 350;
        }
    profile = profiled({trace});
    EXPECT_EQ(profile.totals.kernelUnionNs, 7000);
    EXPECT_EQ(findShape(profile.totals, "scale").exclusiveNs, 4000);
    EXPECT_EQ(findNote(profile.runs.at(0), "runs-beside"), "");
}

TEST(ProgramStreams, KernelsOfTwoGpusAreNotBesideEachOther)
{
    ProcessTrace trace = process();
    trace.devices[1] = gpu("GPU-2");
    trace.launches = {launch(0, 1000, 2000, 1), launch(1, 1000, 2000, 2)};
    trace.launches[1].device = 1;
    const ProgramTotals totals = computeTotals({trace});
    EXPECT_EQ(findShape(totals, "scale").exclusiveNs, 1000);
    EXPECT_THAT(findShape(totals, "scale").beside, IsEmpty());
    EXPECT_EQ(totals.kernelUnionNs, 2000) << "of each GPU, added up";
}

TEST(ProgramStreams, AShortTouchIsNotWorthTelling)
{
    ProcessTrace trace = process();
    trace.launches = {launch(0, 1000, 2000, 1), launch(1, 1960, 3000, 2)};
    EXPECT_THAT(findShape(computeTotals({trace}), "scale").beside, IsEmpty()) << "40 of 1000 ns, as with programmatic dependent launches";
}

TEST(ProgramGraphs, LaunchesAreAttributedToTheirKernels)
{
    ProcessTrace trace = process();
    for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint64_t at = 1000 + 10'000 * std::uint64_t{i};
        trace.launches.push_back(byGraph(launch(0, at, at + 1000, i + 1), 5));
        trace.launches.push_back(byGraph(launch(1, at + 1100, at + 1600, i + 1), 5));
        trace.launches.push_back(byGraph(launch(0, at + 1700, at + 2700, i + 1), 5));
    }
    trace.launches.push_back(launch(1, 90'000, 90'500, 77));
    const ProgramProfile profile = profiled({trace});
    ASSERT_THAT(profile.totals.graphs, SizeIs(1));
    const GraphTotals& graph = profile.totals.graphs[0];
    EXPECT_EQ(graph.id, 5U);
    EXPECT_EQ(graph.launches, 4);
    EXPECT_EQ(graph.kernelLaunches, 12);
    EXPECT_EQ(graph.kernelNs, 10'000);
    EXPECT_EQ(graph.unionNs, 10'000);
    EXPECT_EQ(graph.medianSpanNs, 2700);
    EXPECT_EQ(graph.spanNs, 4 * 2700);
    ASSERT_THAT(graph.kernels, SizeIs(2));
    EXPECT_EQ(graph.kernels[0].launches, 8);
    EXPECT_EQ(graph.kernels[0].ns, 8000);
    EXPECT_EQ(graph.kernels[0].grid, (std::array<int, 3>{1320, 1, 1}));
    EXPECT_EQ(test::valueText(findNote(profile.runs.at(0), "by-graph")), "\"8 8\"");
    EXPECT_EQ(test::valueText(findNote(profile.runs.at(1), "by-graph")), "\"4 5\"");
    const Json json = profileToJson(profile, *Catalog::loadEmbedded())["program"]["graphs"][0];
    EXPECT_EQ(json["kernels"][0]["name"], "scale(float*, int, float)");
    EXPECT_EQ(json["kernels"][1]["total_ns"], 2000);
}

TEST(ProgramGraphs, OfTwoProcessesAreTwo)
{
    ProcessTrace one = process(1), other = process(2);
    one.launches = {byGraph(launch(0, 1000, 2000, 1), 5)};
    other.launches = {byGraph(launch(0, 5000, 9000, 1), 5)};
    const ProgramTotals totals = computeTotals({one, other});
    ASSERT_THAT(totals.graphs, SizeIs(2));
    EXPECT_EQ(totals.graphs[0].pid, 2) << "most time first";
    EXPECT_EQ(totals.graphs[1].kernelNs, 1000);
}

TEST(ProgramGraphs, AKernelThatIsAlsoLaunchedByItselfIsCounted)
{
    ProcessTrace trace = process();
    trace.launches = {launch(0, 1000, 2000, 1), byGraph(launch(0, 3000, 4000, 2), 5)};
    EXPECT_THAT(chooseLaunchesToCount(computeTotals({trace}), *KernelPattern::parse(""), 20), SizeIs(1));
    trace.launches.erase(trace.launches.begin());
    EXPECT_THAT(chooseLaunchesToCount(computeTotals({trace}), *KernelPattern::parse(""), 20), IsEmpty());
}

/// Two entries of "step": each runs scale beside stride, with a copy between them; another kernel is outside.
ProcessTrace twoSteps()
{
    ProcessTrace trace = process();
    trace.stacks = {{"epoch", "step"}};
    std::uint32_t correlation = 0;
    for (std::uint32_t entry : {11U, 12U}) {
        const std::uint64_t at = 10'000 * std::uint64_t{entry};
        for (const TracedLaunch& made : {launch(0, at, at + 1000, ++correlation), launch(1, at + 500, at + 2000, ++correlation, 13),
                                         launch(0, at + 3000, at + 4000, ++correlation)}) {
            trace.launches.push_back(made);
            trace.stackOf[made.correlation] = 0;
            trace.entriesOf[made.correlation] = {1, entry};
        }
        trace.copies.push_back({false, at + 2500, at + 2900, 0, 64});
    }
    trace.launches.push_back(launch(1, 200'000, 205'000, 99));
    trace.ranges = {{0, {2, 7000}}};
    return trace;
}

TEST(ProgramRanges, AreCountedAsAWhole)
{
    const ProgramTotals totals = computeTotals({twoSteps()}, {"step", false});
    ASSERT_TRUE(totals.chosen);
    const RangeTotals& step = *totals.chosen;
    EXPECT_EQ(step.count, 2);
    EXPECT_EQ(step.hostNs, 7000);
    EXPECT_EQ(step.launches, 6);
    EXPECT_EQ(step.gpuNs, 2 * 3500);
    EXPECT_EQ(step.unionNs, 2 * 3000) << "overlaps once";
    EXPECT_EQ(step.spanNs, 2 * 4000) << "of each entry, not from the first to the last";
    EXPECT_EQ(step.busyNs, 2 * 3400) << "the copies, too";
    EXPECT_EQ(totals.busyNs, 2 * 3400 + 5000);
    ASSERT_THAT(totals.ranges, SizeIs(2));
    EXPECT_THAT(totals.ranges[0].stack, ElementsAre("epoch"));
    EXPECT_EQ(totals.ranges[0].spanNs, 14'000) << "one entry around both steps";
    EXPECT_FALSE(computeTotals({twoSteps()}).chosen) << "none was chosen";
    EXPECT_FALSE(computeTotals({twoSteps()}, {"other", false}).chosen) << "it was never entered";
}

TEST(ProgramRanges, WithoutEntriesTheirSpanIsUnknown)
{
    ProcessTrace trace = twoSteps();
    trace.entriesOf.clear();
    const ProgramTotals totals = computeTotals({trace}, {"step", false});
    EXPECT_EQ(totals.chosen->spanNs, 0);
    EXPECT_EQ(totals.chosen->unionNs, 6000);
}

MetricSet counters(double dram, double bytes)
{
    MetricSet set;
    set.values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", dram}, {"dram__bytes_read.sum", bytes}, {"x.max", 3}};
    return set;
}

TEST(RangeCounters, AreWeightedByTimeOrAddedUp)
{
    const MetricSet first = counters(80, 100), second = counters(20, 10), outside = counters(1, 1);
    const auto together = countersTogether({{&first, 4, 3000}, {&second, 1, 1000}, {&outside, 0, 0}}, 5000);
    ASSERT_TRUE(together);
    EXPECT_DOUBLE_EQ(together->covered, 0.8);
    EXPECT_DOUBLE_EQ(together->values.at("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"), 65);
    EXPECT_DOUBLE_EQ(together->values.at("dram__bytes_read.sum"), 410);
    EXPECT_THAT(together->values, SizeIs(2)) << "a maximum says nothing of several launches";
    EXPECT_FALSE(countersTogether({{&outside, 0, 0}}, 5000));
    MetricSet lacking = counters(20, 10);
    lacking.values["dram__bytes_read.sum"] = std::nullopt;
    EXPECT_THAT(countersTogether({{&first, 4, 3000}, {&lacking, 1, 1000}}, 5000)->values, SizeIs(1));
}

TEST(RangeCounters, OfTheSecondRunAreInTheAnswer)
{
    Counting counting;
    counting.ranges = {"step", false};
    counting.run = ProgramRun{{"prog"}, 0, {}, 2, ""};
    ProcessTrace again = twoSteps();
    ProfiledLaunch counted{"_Z5scalePfif", 0, 0, {1320, 1, 1}, {256, 1, 1}, {}, {"epoch", "step"}, counters(80, 100), "", 0.2};
    counted.metrics.values["gpu__time_duration.sum"] = 1000;
    again.profiled = {counted};
    again.countedRanges = {{"step", 0, {}, "counters are kept to administrators"}, {"step", 9, counters(40, 300), ""}};
    counting.processes = {again};
    const Json range = profileToJson(profiled({twoSteps()}, counting), *Catalog::loadEmbedded())["program"]["range"];
    EXPECT_EQ(range["launches"], 6);
    EXPECT_NEAR(range["share"].get<double>(), 6000.0 / 11'800, 1e-9);
    EXPECT_NEAR(range["counters"]["covered"].get<double>(), 4000.0 / 7000, 1e-9);
    EXPECT_EQ(range["counters"]["values"]["dram__bytes_read.sum"], 400);
    EXPECT_EQ(range["whole"]["entries"], 9);
    EXPECT_EQ(range["whole"]["failure"], "");
    EXPECT_EQ(range["whole"]["metrics"]["dram__bytes_read.sum"], 300);
}

TEST(ProgramRanks, ProcessesAndGpusAreSummedPerRank)
{
    ProcessTrace zero = process(10, "GPU-1"), one = process(11, "GPU-2"), helper = process(12, "GPU-2");
    zero.rank = ProcessRank{0, 0, 2};
    one.rank = helper.rank = ProcessRank{1, 1, 2};
    zero.kernels.emplace_back("ncclDevKernel_AllReduce");
    zero.launches = {launch(0, 1000, 2000, 1), launch(2, 2000, 5000, 2)};
    one.launches = {launch(0, 1000, 4000, 1)};
    helper.launches = {launch(1, 3000, 6000, 1)};
    one.copies = {{false, 7000, 7500, 0, 64}};
    const ProgramTotals totals = computeTotals({one, zero, helper});
    ASSERT_THAT(totals.ranks, SizeIs(2));
    const RankTotals& first = totals.ranks[0];
    EXPECT_EQ(first.rank, zero.rank);
    EXPECT_EQ(first.launches, 2);
    EXPECT_EQ(first.kernelNs, 4000);
    EXPECT_EQ(first.waitingNs, 3000);
    EXPECT_EQ(first.device.uuid, "GPU-1");
    const RankTotals& second = totals.ranks[1];
    EXPECT_THAT(second.pids, ElementsAre(11, 12));
    EXPECT_EQ(second.kernelNs, 6000);
    EXPECT_EQ(second.copyNs, 500);
    EXPECT_EQ(second.busyNs, 5500) << "overlaps once";
    EXPECT_EQ(second.spanNs, 6500);
    const Json ranks = profileToJson(profiled({one, zero, helper}), *Catalog::loadEmbedded())["program"]["ranks"];
    EXPECT_EQ(ranks[1]["rank"], 1);
    EXPECT_EQ(ranks[1]["pids"], (std::vector<int>{11, 12}));
}

TEST(ProgramRanks, WithoutRanksEachProcessAndGpuIsARow)
{
    ProcessTrace one = process(20), other = process(10);
    one.devices[1] = gpu("GPU-2");
    one.launches = {launch(0, 1000, 2000, 1), launch(0, 1000, 2000, 2)};
    one.launches[1].device = 1;
    other.launches = {launch(0, 3000, 4000, 1)};
    const ProgramTotals totals = computeTotals({one, other});
    ASSERT_THAT(totals.ranks, SizeIs(3));
    EXPECT_THAT(totals.ranks[0].pids, ElementsAre(20)) << "in order of start";
    EXPECT_EQ(totals.ranks[1].device.uuid, "GPU-2");
    EXPECT_THAT(totals.ranks[2].pids, ElementsAre(10));
    EXPECT_FALSE(totals.ranks[2].rank);
}

TEST(ProgramStreams, WhatRanBesideAKernelIsOfAllItsShapes)
{
    ProcessTrace trace = process();
    trace.kernels.push_back("_Z4copyPf");
    trace.launches = {launch(0, 1000, 2000, 1, 7), launch(1, 1100, 1400, 2, 13), launch(2, 1500, 1600, 3, 13), launch(0, 5000, 6000, 4, 7),
                      launch(1, 5100, 5800, 5, 13)};
    trace.launches[3].grid = {660, 1, 1};
    const Json kernels = profileToJson(profiled({trace}), *Catalog::loadEmbedded())["program"]["kernels"];
    const Json& scale = kernels[0];
    ASSERT_EQ(scale["shapes"], 2);
    EXPECT_EQ(scale["exclusive_ns"], 600 + 300) << "of both shapes";
    std::map<std::string, double> beside;
    for (const Json& row : scale["beside"])
        beside[row["name"].get<std::string>()] = row["ns"].get<double>();
    EXPECT_EQ(beside, (std::map<std::string, double>{{"stride(float*)", 1000}, {"copy(float*)", 100}}));
    EXPECT_DOUBLE_EQ(scale["share"].get<double>(), 2000.0 / 3100);
    EXPECT_EQ(kernels[1]["exclusive_ns"], 0);
    EXPECT_EQ(kernels[1]["total_ns"], 1000);
}

} // namespace
} // namespace kl
