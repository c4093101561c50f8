// SPDX-License-Identifier: MIT
// What a timeline's report adds up over waits, warps and blocks, and in which order it lists them.
#include "core/timeline/report_codec.h"
#include "core/timeline/timeline_report.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

constexpr int kFull = 1, kFullEnd = 2, kFilled = 3, kEmpty = 4, kEmptyEnd = 5;

WarpMarks recordedWarp(std::int64_t block, int warp, std::vector<TimelineMark> marks, std::int64_t end)
{
    WarpMarks one;
    one.block = block;
    one.warp = warp;
    one.marks = std::move(marks);
    one.endCycle = end;
    return one;
}

TimelineReport analyzeWarps(std::vector<WarpMarks> warps)
{
    Timeline timeline;
    timeline.automatic = true;
    timeline.sites = {{kFull, MarkKind::waitBegin, SyncKind::memoryBarrier, "full", 10, false},
                      {kFullEnd, MarkKind::waitEnd, SyncKind::memoryBarrier, "full", 10, false},
                      {kFilled, MarkKind::arrive, SyncKind::memoryBarrier, "arrive", 11, false},
                      {kEmpty, MarkKind::waitBegin, SyncKind::memoryBarrier, "empty", 20, false},
                      {kEmptyEnd, MarkKind::waitEnd, SyncKind::memoryBarrier, "empty", 20, false}};
    timeline.blockWarps = 4;
    timeline.warps = std::move(warps);
    return analyzeTimeline(timeline);
}

TEST(TimelineSums, ARolesSharesAreOfAllItsBlocksTogether)
{
    const TimelineReport report =
        analyzeWarps({recordedWarp(0, 0, {{kFilled, 150, 8}}, 200), recordedWarp(0, 1, {{kFull, 100, 8}, {kFullEnd, 200, 8}}, 200),
                      recordedWarp(1, 0, {{kFilled, 290, 8}}, 400),
                      recordedWarp(1, 1, {{kFull, 100, 8}, {kFullEnd, 300, 8}, {kFull, 310, 8}, {kFullEnd, 330, 8}}, 400)});
    ASSERT_EQ(report.roles.size(), 2U);
    const RoleRow& waits = report.roles[1];
    EXPECT_DOUBLE_EQ(waits.wait, 320.0 / 600);
    EXPECT_DOUBLE_EQ(waits.work, 280.0 / 600);
    EXPECT_EQ(report.roles[0].wait, 0);
    EXPECT_DOUBLE_EQ(report.roles[0].work, 1);
    ASSERT_EQ(waits.waits.size(), 1U);
    EXPECT_EQ(waits.waits[0].count, 2) << "three of two warps: rounded";
    EXPECT_DOUBLE_EQ(waits.waits[0].cycles, 320.0 / 3);
    EXPECT_DOUBLE_EQ(waits.waits[0].share, 320.0 / 600);
    EXPECT_EQ(report.shownBlock, 1) << "it has more segments";
    EXPECT_EQ(report.spanCycles, 400);
}

TEST(TimelineSums, TheLongestWaitOfARoleComesFirst)
{
    const TimelineReport report =
        analyzeWarps({recordedWarp(0, 0, {{kFilled, 90, 16}, {kFilled, 800, 8}}, 1000),
                      recordedWarp(0, 1, {{kEmpty, 50, 16}, {kEmptyEnd, 100, 16}, {kFull, 200, 8}, {kFullEnd, 810, 8}}, 1000)});
    ASSERT_EQ(report.roles.size(), 2U);
    const std::vector<RoleWait>& waits = report.roles[1].waits;
    ASSERT_EQ(waits.size(), 2U);
    EXPECT_EQ(waits[0].label, "full");
    EXPECT_EQ(waits[0].line, 10);
    EXPECT_EQ(waits[0].cycles, 610);
    EXPECT_EQ(waits[1].label, "empty");
    EXPECT_EQ(waits[1].line, 20);
    EXPECT_EQ(waits[1].cycles, 50);
    EXPECT_EQ(waits[1].waitsFor, "warp 0");
}

TEST(TimelineSums, TheRoleThatWaitsMostIsNamedFirst)
{
    const TimelineReport report = analyzeWarps({recordedWarp(0, 0, {{kFilled, 8990, 8}, {kFilled, 8992, 16}}, 10'100),
                                                recordedWarp(0, 1, {{kFull, 4000, 8}, {kFullEnd, 9000, 8}}, 10'000),
                                                recordedWarp(0, 2, {{kFull, 1000, 16}, {kFullEnd, 9000, 16}}, 10'000)});
    EXPECT_EQ(report.waiting, (std::vector<std::string>{"warp 2", "warp 1"}));
    EXPECT_EQ(report.waitedFor, "warp 0");
}

TEST(TimelineSums, EveryPairOfRolesOverlapsAndTheSharesOfThePathAreOne)
{
    const TimelineReport report = analyzeWarps({recordedWarp(0, 0, {{kFilled, 600, 8}, {kFilled, 700, 16}}, 1000),
                                                recordedWarp(0, 1, {{kFull, 100, 8}, {kFullEnd, 650, 8}}, 1000),
                                                recordedWarp(0, 2, {{kFull, 400, 16}, {kFullEnd, 750, 16}}, 1200)});
    std::vector<std::string> pairs;
    for (const RoleOverlap& overlap : report.overlaps)
        pairs.push_back(overlap.a + '+' + overlap.b);
    EXPECT_EQ(pairs, (std::vector<std::string>{"warp 0+warp 1", "warp 0+warp 2", "warp 1+warp 2"}));
    EXPECT_DOUBLE_EQ(report.overlaps[0].share, 1) << "warp 1 works for 450 cycles, all of them beside warp 0";
    EXPECT_DOUBLE_EQ(report.overlaps[2].share, (100 + 250) / 450.0);
    const double path = std::accumulate(report.roles.begin(), report.roles.end(), report.pathCopies + report.pathHandover,
                                        [](double sum, const RoleRow& row) { return sum + row.path; });
    EXPECT_NEAR(path, 1, 1e-12);
    EXPECT_DOUBLE_EQ(report.roles[2].path, 450.0 / 1200);
    EXPECT_DOUBLE_EQ(report.pathHandover, 50.0 / 1200);
    EXPECT_DOUBLE_EQ(report.roles[0].path, 700.0 / 1200);
}

/// A block of three warps on SM 3; the last has no marks.
Timeline unmarkedWarp()
{
    Timeline timeline;
    timeline.automatic = true;
    timeline.sites = {{kFull, MarkKind::waitBegin, SyncKind::memoryBarrier, "full", 10, false},
                      {kFullEnd, MarkKind::waitEnd, SyncKind::memoryBarrier, "full", 10, false},
                      {kFilled, MarkKind::arrive, SyncKind::memoryBarrier, "copy", 11, true}};
    timeline.warps = {recordedWarp(5, 0, {{kFilled, 90, 8}}, 100), recordedWarp(5, 1, {{kFull, 50, 8}, {kFullEnd, 95, 8}}, 100),
                      recordedWarp(5, 2, {}, 100)};
    timeline.warps[0].sm = timeline.warps[1].sm = timeline.warps[2].sm = 3;
    return timeline;
}

std::vector<std::string> namesIn(const Json& trace)
{
    std::vector<std::string> names;
    for (const Json& event : trace["traceEvents"]) {
        EXPECT_EQ(event["pid"], 5);
        if (event["ph"] != "M")
            continue;
        EXPECT_EQ(event.contains("tid"), event["name"] == "thread_name");
        names.push_back(event["args"]["name"].get<std::string>());
    }
    return names;
}

TEST(TimelineSums, ATracesThreadsAreNamedByTheirRoles)
{
    const Json trace = chromeTrace(unmarkedWarp(), "t");
    EXPECT_EQ(trace["displayTimeUnit"], "ns");
    const std::vector<std::string> names = namesIn(trace);
    ASSERT_EQ(names.size(), 4U);
    EXPECT_EQ(test::valueText(names[0]), "\"5 3\"") << "the block and its SM: " << names[0];
    EXPECT_EQ(names[1], "warp 0: producer");
    EXPECT_EQ(names[2], "warp 1: warp 1");
    EXPECT_TRUE(names[3].starts_with("warp 2: ")) << names[3];
    EXPECT_EQ(test::valueText(names[3]), "\"2\"") << "without marks it has no role: " << names[3];
}

TEST(TimelineSums, SnapshotOfATracesNames)
{
    std::string text;
    for (const std::string& name : namesIn(chromeTrace(unmarkedWarp(), "t")))
        text += name + '\n';
    test::expectSnapshot("texts/trace-names.txt", text);
}

TEST(TimelineSums, ThePathGoesOnFromWhoeverWasWaitedForToWhomThatOneWaitedFor)
{
    const TimelineReport report = analyzeWarps({recordedWarp(0, 0, {{kFilled, 300, 8}}, 310),
                                                recordedWarp(0, 1, {{kFull, 10, 8}, {kFullEnd, 320, 8}, {kFilled, 600, 16}}, 610),
                                                recordedWarp(0, 2, {{kFull, 20, 16}, {kFullEnd, 620, 16}}, 1000)});
    ASSERT_EQ(report.roles.size(), 3U);
    EXPECT_DOUBLE_EQ(report.roles[0].path, 0.3);
    EXPECT_DOUBLE_EQ(report.roles[1].path, 0.28);
    EXPECT_DOUBLE_EQ(report.roles[2].path, 0.38);
    EXPECT_DOUBLE_EQ(report.pathHandover, 0.04);
    EXPECT_EQ(report.pathCopies, 0);
}

} // namespace
} // namespace kl
