// SPDX-License-Identifier: MIT
// Edges of summing up a program's traces: names, overlaps, ranges, ranks, what is worth counting.
#include "sessions/program/kernel_overlap.h"
#include "sessions/program/lifted_folder.h"
#include "sessions/program/program_finding.h"
#include "sessions/program/range_counters.h"
#include "tests/sessions/program_support.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using support::h200;
using support::kCopy;
using support::kScale;
using support::process;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(KernelNamesEdges, ShortOnesLeaveOutTypesArgumentsAndNamespaces)
{
    for (const auto& [name, expected] :
         {std::pair{"scale(float*, int)", "scale"}, std::pair{"void ns::inner::scale<float, 4>(float*)", "scale<float, 4>"},
          std::pair{"(anonymous namespace)::scale(int)", "scale"}, std::pair{"scale", "scale"}, std::pair{"", ""},
          std::pair{"void f<(int)3>(int)", "f<(int)3>"}, std::pair{"void f<a::b<c> >(x)", "f<a::b<c> >"},
          std::pair{"void apply<X, void (*)(int)>(int)", "apply<X, void (*)(int)>"}})
        EXPECT_EQ(shortKernelName(name), expected) << name;
    const std::string slug = kernelSlug("_Z5scalePfif");
    EXPECT_TRUE(slug.starts_with("scale-")) << slug;
    EXPECT_EQ(slug.size(), std::string("scale-").size() + 6);
    EXPECT_NE(kernelSlug("_Z5scalePf"), slug) << "another one of the name";
    EXPECT_TRUE(kernelSlug("My__Kernel_2").starts_with("my-kernel-2-")) << kernelSlug("My__Kernel_2");
    EXPECT_TRUE(kernelSlug("___").starts_with("kernel-")) << kernelSlug("___");
    const std::string longest(60, 'k');
    EXPECT_EQ(kernelSlug(longest).size(), 40U + 7U);
}

TEST(KernelOverlapEdges, TimesAreSharedByThoseThatRun)
{
    // Row 0: 0-10, row 1: 5-15, row 1 again: 12-20; a pause; row 0: 30-40.
    const std::vector<RowOverlap> rows = computeOverlaps({{0, 0, 10}, {1, 5, 15}, {1, 12, 20}, {0, 30, 40}}, 2);
    EXPECT_EQ(rows[0].exclusiveNs, 5 + 10);
    EXPECT_EQ(rows[0].besideNs, 5);
    EXPECT_EQ(rows[0].beside, (std::map<int, double>{{1, 5}}));
    EXPECT_EQ(rows[1].exclusiveNs, 2 + 5);
    EXPECT_EQ(rows[1].besideNs, 5 + 2 * 3) << "two of its own for 3 ns";
    EXPECT_EQ(rows[1].beside, (std::map<int, double>{{0, 5}, {1, 6}}));
    const std::vector<RowOverlap> touching = computeOverlaps({{0, 0, 10}, {1, 10, 20}}, 2);
    EXPECT_EQ(touching[0].exclusiveNs + touching[1].exclusiveNs, 20);
    EXPECT_EQ(touching[0].besideNs, 0);
    std::vector<KernelInterval> many;
    for (int row = 0; row < 10; ++row)
        many.push_back({row, 0, 1});
    const std::vector<RowOverlap> crowd = computeOverlaps(many, 10);
    for (int row = 0; row < 10; ++row) {
        EXPECT_EQ(crowd[static_cast<std::size_t>(row)].besideNs, 1) << row;
        EXPECT_EQ(crowd[static_cast<std::size_t>(row)].beside.size(), row < 8 ? 7U : 0U) << "pairs of the first eight";
    }
}

TEST(DeviceWorkEdges, PausesCountWithinTheTimeAlone)
{
    const std::vector<TracedPause> pauses{{10, 20}, {30, 40}};
    EXPECT_EQ(sumPauses(pauses, 0, 100), 20U);
    EXPECT_EQ(sumPauses(pauses, 15, 35), 10U);
    EXPECT_EQ(sumPauses(pauses, 20, 30), 0U);
    EXPECT_EQ(sumPauses(pauses, 12, 13), 1U);
    ProcessTrace trace;
    trace.devices[0] = h200();
    EXPECT_EQ(makeKey(trace, 0), (DeviceKey{"GPU-1", 0}));
    EXPECT_EQ(makeKey(trace, 3), (DeviceKey{"", 3})) << "the driver did not describe it";
    EXPECT_EQ(describeDevice(trace, 0).name, "NVIDIA H200");
    EXPECT_EQ(describeDevice(trace, 3).name, "");
}

/// Kernels of these total times, each launched once with a grid of its own.
ProcessTrace tracedKernels(const std::vector<std::uint64_t>& all)
{
    ProcessTrace trace = process(0, 0, 0);
    trace.kernels.clear();
    std::uint64_t at = 1000;
    for (std::size_t i = 0; i < all.size(); ++i) {
        trace.kernels.push_back("k" + std::to_string(i));
        TracedLaunch launch;
        launch.kernel = static_cast<int>(i);
        launch.correlation = static_cast<std::uint32_t>(i + 1);
        launch.start = at;
        launch.end = at + all[i];
        launch.grid = {static_cast<int>(i) + 1, 1, 1};
        launch.block = {32, 1, 1};
        at = launch.end + 10;
        trace.launches.push_back(launch);
    }
    return trace;
}

TEST(WorthCounting, AreTheLongestUntilNineteenOfTwentyPartsOfTheTime)
{
    const auto wanted = [](const ProcessTrace& trace, int count, const std::string& pattern = {}, const RangeChoice& ranges = {}) {
        std::string names;
        for (const WantedLaunch& one : chooseLaunchesToCount(computeTotals({trace}, ranges), *KernelPattern::parse(pattern), count, ranges))
            names += one.kernel + ' ';
        return names;
    };
    ProcessTrace trace = tracedKernels({100, 600, 250, 50});
    EXPECT_EQ(wanted(trace, 9), "k1 k2 k0 ") << "95 % are covered";
    EXPECT_EQ(wanted(tracedKernels({101, 600, 249, 50}), 9), "k1 k2 k0 ");
    EXPECT_EQ(wanted(tracedKernels({99, 600, 250, 51}), 9), "k1 k2 k0 k3 ");
    EXPECT_EQ(wanted(trace, 2), "k1 k2 ");
    EXPECT_EQ(wanted(trace, 0), "");
    EXPECT_EQ(wanted(trace, 9, "k3"), "k3 ");
    trace.launches[1].graph = true;
    EXPECT_EQ(wanted(trace, 9), "k2 k0 k3 ") << "what a graph launches cannot be replayed";
    trace.launches[1].graph = false;
    trace.stacks = {{"step"}, {"other"}};
    trace.stackOf = {{1, 0}, {2, 1}, {4, 0}};
    EXPECT_EQ(wanted(trace, 9, {}, {"step", false}), "k0 k3 ") << "within the range";
}

TEST(WorthCounting, WhatASecondRunCountedReplacesNoTime)
{
    ProcessTrace first = process(3, 400, 1000);
    ProcessTrace second = process(2, 700, 1000);
    second.alone = {1};
    second.profiled.push_back(support::profiled(kScale, 500));
    second.profiled.push_back(support::profiled("_Z5otherv", 500));
    ProgramTotals totals = computeTotals({first});
    addCounted(totals, computeTotals({second}));
    ASSERT_EQ(totals.kernels.size(), 1U) << "the program did something else this time";
    const KernelTotals& kernel = totals.kernels[0];
    EXPECT_TRUE(kernel.countedAgain);
    EXPECT_EQ(kernel.launches, 3);
    EXPECT_EQ(kernel.totalNs, 1200);
    EXPECT_EQ(kernel.profiledNs, 500);
    EXPECT_EQ(kernel.profiled.size(), 1U);
    const ShapeTotals& shape = kernel.shapes.begin()->second;
    ASSERT_EQ(shape.times.size(), 4U) << "a launch made alone adds its time";
    EXPECT_TRUE(shape.times[3].again);
    EXPECT_EQ(shape.times[3].ns, 700);
    EXPECT_EQ(shape.totalNs(), 1200);
}

TEST(RangeTotalsEdges, HoldWhatTheirEntriesLaunchedAndTheTimeBetween)
{
    ProcessTrace trace = process(4, 400, 1000); // 1000-1400, 2000-2400, 3000-3400, 4000-4400
    trace.stacks = {{"step"}, {"step", "inner"}, {"init"}};
    trace.stackOf = {{1, 0}, {2, 1}, {3, 0}};
    trace.entriesOf = {{1, {1}}, {2, {1, 7}}, {3, {2}}};
    trace.ranges = {{0, {2, 9000}}, {1, {1, 100}}, {2, {5, 50}}};
    trace.copies = {{false, 1500, 1700, 0, 64}};
    ProgramTotals totals = computeTotals({trace}, {"step", false});
    ASSERT_EQ(totals.ranges.size(), 3U);
    EXPECT_THAT(totals.ranges[0].stack, ElementsAre("init"));
    EXPECT_EQ(totals.ranges[0].count, 5);
    EXPECT_EQ(totals.ranges[0].launches, 0);
    const RangeTotals& step = totals.ranges[1];
    EXPECT_THAT(step.stack, ElementsAre("step"));
    EXPECT_EQ(step.count, 2);
    EXPECT_EQ(step.hostNs, 9000);
    EXPECT_EQ(step.launches, 3);
    EXPECT_EQ(step.gpuNs, 1200);
    EXPECT_EQ(step.unionNs, 1200);
    EXPECT_EQ(step.spanNs, 1400 + 400) << "1000-2400, 3000-3400";
    EXPECT_EQ(step.busyNs, 400 + 200 + 400 + 400) << "with the copy between";
    EXPECT_EQ(totals.ranges[2].launches, 1);
    ASSERT_TRUE(totals.chosen);
    EXPECT_EQ(totals.chosen->count, 2);
    EXPECT_EQ(totals.chosen->launches, 3);
    EXPECT_EQ(totals.chosen->spanNs, step.spanNs);
    EXPECT_EQ(totals.chosen->busyNs, step.busyNs);
    const ShapeTotals& shape = totals.kernels[0].shapes.begin()->second;
    EXPECT_EQ(shape.chosenLaunches, 3);
    EXPECT_EQ(shape.chosenNs, 1200);
    EXPECT_FALSE(computeTotals({trace}, {"nowhere", false}).chosen);
    EXPECT_FALSE(computeTotals({trace}).chosen) << "none was chosen";
    EXPECT_EQ(computeTotals({trace}, {"inner", false}).chosen->count, 1);
    trace.stackOf.clear();
    EXPECT_EQ(computeTotals({trace}, {"step", false}).chosen->launches, 0) << "entered, without a launch";
    EXPECT_EQ(computeTotals({trace}, {"", true}).kernels[0].shapes.size(), 1U);
    trace.stackOf = {{1, 0}, {2, 2}};
    EXPECT_EQ(computeTotals({trace}, {"", true}).kernels[0].shapes.size(), 3U) << "step, init, and outside of both";
}

TEST(RangeTotalsEdges, ARangeEnteredAgainInsideItselfCountsOnce)
{
    ProcessTrace trace = process(1, 400, 1000);
    trace.stacks = {{"step"}, {"step", "step"}};
    trace.stackOf = {{1, 1}};
    trace.ranges = {{0, {1, 500}}, {1, {1, 300}}};
    const ProgramTotals totals = computeTotals({trace}, {"step", false});
    EXPECT_EQ(totals.chosen->count, 1);
    EXPECT_EQ(totals.chosen->hostNs, 500);
    EXPECT_EQ(totals.chosen->launches, 1);
}

TEST(RangeCountersEdges, AreOfTheShapesThatWereCounted)
{
    MetricSet a, b;
    a.values = {{"x.sum", 10}, {"y.pct", 50}, {"z.ratio", 2}, {"w.max", 1}, {"only.sum", 1}, {"gone.pct", 3}};
    b.values = {{"x.sum", 4}, {"y.pct", 80}, {"z.ratio", 5}, {"w.max", 1}, {"gone.pct", std::nullopt}};
    const auto counters = countersTogether({{&a, 3, 100}, {&b, 5, 200}, {&b, 7, 0}}, 600);
    ASSERT_TRUE(counters);
    EXPECT_DOUBLE_EQ(counters->covered, 0.5);
    EXPECT_EQ(counters->values, (std::map<std::string, double>{{"x.sum", 10 * 3 + 4 * 5}, {"y.pct", 70}, {"z.ratio", 4}}));
    EXPECT_FALSE(countersTogether({{&a, 3, 0}}, 600));
    EXPECT_FALSE(countersTogether({{&a, 3, 1}}, 0));
    EXPECT_FALSE(countersTogether({}, 600));
}

TEST(RankTotalsEdges, RanksComeBeforeProcessesWithoutOne)
{
    ProcessTrace plain = process(1, 100, 1000), second = process(2, 200, 1000), first = process(1, 300, 1000);
    plain.pid = 30;
    second.pid = 20;
    second.rank = ProcessRank{1, 1, 2};
    first.pid = 10;
    first.rank = ProcessRank{0, 0, 2};
    first.kernels[0] = "_Z24ncclDevKernel_AllReducev";
    first.copies = {{false, 5000, 5050, 0, 64}};
    ProcessTrace helper = process(1, 50, 1000); // a second process of the first rank
    helper.pid = 11;
    helper.rank = first.rank;
    const ProgramTotals totals = computeTotals({plain, second, first, helper});
    ASSERT_EQ(totals.ranks.size(), 3U);
    EXPECT_EQ(totals.ranks[0].rank->rank, 0);
    EXPECT_THAT(totals.ranks[0].pids, ElementsAre(10, 11));
    EXPECT_EQ(totals.ranks[0].launches, 2);
    EXPECT_EQ(totals.ranks[0].kernelNs, 350);
    EXPECT_EQ(totals.ranks[0].waitingNs, 300) << "it waits for other GPUs";
    EXPECT_EQ(totals.ranks[0].copyNs, 50);
    EXPECT_EQ(totals.ranks[0].busyNs, 350) << "the helper's launch within the first's, and the copy";
    EXPECT_EQ(totals.ranks[0].spanNs, 4050);
    EXPECT_EQ(totals.ranks[1].rank->rank, 1);
    EXPECT_EQ(totals.ranks[1].launches, 2);
    EXPECT_EQ(totals.ranks[1].waitingNs, 0);
    EXPECT_FALSE(totals.ranks[2].rank);
    EXPECT_THAT(totals.ranks[2].pids, ElementsAre(30));
    EXPECT_EQ(totals.ranks[2].device.name, "NVIDIA H200");
}

TEST(ProgramFindingEdges, AHostThatFeedsTheGpuTooSlowlyIsOne)
{
    ProgramTotals totals;
    totals.launches = kLaunchesForHost;
    totals.spanNs = 1000;
    totals.busyNs = 250;
    const std::optional<Finding> finding = programFinding(totals);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->classId, "host-bound");
    EXPECT_EQ(finding->priority, "P0");
    EXPECT_EQ(finding->path.at(0).value, 25);
    EXPECT_DOUBLE_EQ(finding->estimate->runtimeReduction, 0.75);
    EXPECT_EQ(finding->fixes.size(), 3U);
    EXPECT_GT(finding->fixes[0].confidence, finding->fixes[1].confidence) << "the best first";
    for (const Fix& fix : finding->fixes)
        EXPECT_EQ(fix.next, std::vector<NextStep>{programStep()}) << fix.id;
    totals.busyNs = kHostBoundBelow * 1000;
    EXPECT_FALSE(programFinding(totals));
    totals.busyNs = kHostBoundBelow * 1000 - 1;
    EXPECT_TRUE(programFinding(totals));
    totals.launches = kLaunchesForHost - 1;
    EXPECT_FALSE(programFinding(totals)) << "too few to tell";
    totals.launches = kLaunchesForHost;
    totals.spanNs = 0;
    EXPECT_FALSE(programFinding(totals));
}

TEST(ProgramJsonEdges, HasEachFigureOfTheProgram)
{
    ProcessTrace trace = process(4, 400, 1000);
    trace.cupti = "libcupti.so";
    trace.rank = ProcessRank{0, 0, 1};
    trace.copies = {{false, 9000, 9100, 0, 64}};
    trace.stacks = {{"step"}};
    trace.stackOf = {{1, 0}};
    trace.ranges = {{0, {1, 77}}};
    for (TracedLaunch& launch : trace.launches) {
        launch.graph = launch.correlation == 4;
        launch.graphId = 5;
    }
    const ProgramProfile profile = support::summed({trace});
    const Json json = profileToJson(profile, *Catalog::loadEmbedded());
    EXPECT_EQ(json["schema"], "kernelloop.program/1");
    const Json& program = json["program"];
    EXPECT_EQ(program["command"], Json({"prog", "--fast"}));
    EXPECT_EQ(program["exit_code"], 0);
    EXPECT_EQ(program["signal"], nullptr);
    EXPECT_EQ(program["wall_s"], 1.5);
    EXPECT_EQ(program["started_at"], "2026-01-02T03:04:05.678Z");
    EXPECT_EQ(program["second_run"], nullptr);
    EXPECT_EQ(program["range"], nullptr);
    const Json& gpu = program["gpu"];
    EXPECT_EQ(gpu["launches"], 4);
    EXPECT_EQ(gpu["kernel_ns"], 1600);
    EXPECT_EQ(gpu["kernel_union_ns"], 1600);
    EXPECT_EQ(gpu["copy_ns"], 100);
    EXPECT_EQ(gpu["busy_ns"], 1700);
    EXPECT_EQ(gpu["span_ns"], 8100);
    EXPECT_DOUBLE_EQ(gpu["busy_fraction"].get<double>(), 1700.0 / 8100);
    const Json& kernel = program["kernels"].at(0);
    EXPECT_EQ(kernel["launches"], 4);
    EXPECT_EQ(kernel["total_ns"], 1600);
    EXPECT_EQ(kernel["share"], 1);
    EXPECT_EQ(kernel["graph_launches"], 1);
    EXPECT_EQ(kernel["exclusive_ns"], 1600);
    EXPECT_EQ(kernel["device"], "NVIDIA H200");
    EXPECT_EQ(kernel["run"], profile.runs.at(0).id.text);
    EXPECT_EQ(kernel["gpu_ns"], 400);
    EXPECT_EQ(kernel["median_ns"], 400);
    EXPECT_EQ(kernel["alone_ns"], nullptr);
    const Json& range = program["ranges"].at(0);
    EXPECT_EQ(range["range"], Json({"step"}));
    EXPECT_EQ(range["count"], 1);
    EXPECT_EQ(range["host_ns"], 77);
    EXPECT_EQ(range["launches"], 1);
    EXPECT_EQ(range["gpu_ns"], 400);
    EXPECT_EQ(program["graphs"].at(0)["graph"], 5);
    EXPECT_EQ(program["graphs"].at(0)["kernels"].at(0)["total_ns"], 400);
    EXPECT_EQ(program["ranks"].at(0)["world_size"], 1);
    EXPECT_EQ(program["ranks"].at(0)["copy_ns"], 100);
    EXPECT_EQ(program["ranks"].at(0)["span_ns"], 8100);
    EXPECT_EQ(program["processes"].at(0)["cupti"], "libcupti.so");
    EXPECT_EQ(program["processes"].at(0)["ended"], true);
    EXPECT_EQ(profileToJson({}, *Catalog::loadEmbedded())["program"]["gpu"]["busy_fraction"], nullptr);
}

TEST(ProgramProfileEdges, ATraceThatIsNotWholeIsNotedOnce)
{
    const auto notes = [](std::vector<ProcessTrace> processes) { return support::codes(support::summed(std::move(processes)).notes); };
    ProcessTrace trace = process(2, 400, 1000);
    EXPECT_THAT(notes({trace}), IsEmpty());
    EXPECT_THAT(notes({}), ElementsAre("no-cuda"));
    EXPECT_THAT(notes({process(0, 0, 0)}), ElementsAre("no-launches"));
    trace.notes = {{"lost", "5 records"}, {"lost", "5 records"}};
    EXPECT_THAT(notes({trace, trace}), ElementsAre("lost"));
    trace.notes.clear();
    trace.ended = false;
    EXPECT_THAT(notes({trace}), ElementsAre("cut-short"));
    trace.cut = true;
    EXPECT_THAT(notes({trace}), ElementsAre("cut-short"));
    trace.damage = "line 3";
    EXPECT_THAT(notes({trace}), ElementsAre("damaged-trace"));
}

TEST(LiftedFolderEdges, AFolderIsMadeOnlyWhereNothingIsAndOfASoundLift)
{
    const support::TempDir dir;
    EXPECT_FALSE(*readLift(dir.path())) << "nothing was lifted";
    support::writeBytes(dir / kLiftFile, "{");
    EXPECT_EQ(readLift(dir.path()).error().code, ErrorCode::badInput);
    LiftedLaunch lift;
    lift.kernel = "k";
    EXPECT_EQ(writeLifted(lift, dir.path(), dir / "out", {}).error().code, ErrorCode::refused) << "it reaches no memory";
    support::writeBytes(dir / "0.before", std::string(100, 'a'));
    support::writeBytes(dir / "0.after", std::string(10, 'b'));
    lift.memory = {{4096, 100, "argument", "0.before", "0.after", {{0, 10}}}};
    std::filesystem::create_directories(dir / "full/inner");
    support::writeBytes(dir / "file", "x");
    for (const char* taken : {"full", "file"}) {
        const Error error = writeLifted(lift, dir.path(), dir / taken, {}).error();
        EXPECT_EQ(error.code, ErrorCode::badInput);
        EXPECT_EQ(error.where, (dir / taken).string());
    }
    int number = 0;
    for (const std::vector<LiftedRange>& ranges :
         {std::vector<LiftedRange>{{0, 0}}, {{91, 10}}, {{101, 1}}, {{0, 10}, {5, 10}}, {{20, 5}, {0, 5}}, {{0, 11}}}) {
        lift.memory[0].changed = ranges;
        EXPECT_EQ(writeLifted(lift, dir.path(), dir / ("out" + std::to_string(++number)), {}).error().code, ErrorCode::badInput) << number;
    }
}

TEST(RangeTotalsEdges, EntriesThatOverlapCountTheirTimeOnce)
{
    ProcessTrace trace = process(4, 400, 1000); // 1000-1400, 2000-2400, 3000-3400, 4000-4400
    trace.stacks = {{"step"}};
    trace.stackOf = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
    trace.entriesOf = {{1, {1}}, {3, {1}}, {2, {2}}, {4, {2}}};
    trace.ranges = {{0, {2, 50}}};
    const ProgramTotals totals = computeTotals({trace}, {"step", false});
    const RangeTotals& step = totals.ranges.at(0);
    EXPECT_EQ(step.spanNs, 3400) << "1000-3400 and 2000-4400";
    EXPECT_EQ(step.busyNs, 1600);
    EXPECT_EQ(totals.chosen->spanNs, 3400);
    EXPECT_EQ(totals.chosen->busyNs, 1600);
    trace.entriesOf = {{1, {1}}, {4, {1}}, {2, {2}}, {3, {2}}};
    const ProgramTotals within = computeTotals({trace});
    EXPECT_EQ(within.ranges.at(0).spanNs, 3400) << "one within the other";
    EXPECT_EQ(within.ranges.at(0).busyNs, 1600);
}

TEST(RangeTotalsEdges, EachDeviceHasItsOwnTime)
{
    ProcessTrace trace = process(2, 400, 1000); // 1000-1400, 2000-2400
    trace.devices[1] = h200();
    trace.devices[1].uuid = "GPU-2";
    trace.launches[1].device = 1;
    trace.stacks = {{"step"}};
    trace.stackOf = {{1, 0}, {2, 0}};
    trace.entriesOf = {{1, {1}}, {2, {1}}};
    trace.ranges = {{0, {1, 50}}};
    const RangeTotals step = computeTotals({trace}).ranges.at(0);
    EXPECT_EQ(step.launches, 2);
    EXPECT_EQ(step.gpuNs, 800);
    EXPECT_EQ(step.spanNs, 800) << "the time between belongs to neither";
    EXPECT_EQ(step.busyNs, 800);
    EXPECT_EQ(step.unionNs, 800);
}

} // namespace
} // namespace kl
