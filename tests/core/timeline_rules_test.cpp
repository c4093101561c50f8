// SPDX-License-Identifier: MIT
// The rules by which marks become segments, releases, roles and the critical path, one at a time.
#include "core/timeline/block_tracks.h"
#include "core/timeline/critical_path.h"
#include "core/timeline/releases.h"
#include "core/timeline/report_codec.h"
#include "core/timeline/roles.h"
#include "core/timeline/timeline_report.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr int kWaitBegin = 1, kWaitEnd = 2, kArrives = 3, kArrivesCopies = 4, kProducts = 5, kProductsEnd = 6, kBarBegin = 7, kBarEnd = 8,
              kBarArrives = 9, kUserWork = 20, kUserWait = 21;

std::vector<MarkSite> sites()
{
    return {{kWaitBegin, MarkKind::waitBegin, SyncKind::memoryBarrier, "wait", 10, false},
            {kWaitEnd, MarkKind::waitEnd, SyncKind::memoryBarrier, "wait", 10, false},
            {kArrives, MarkKind::arrive, SyncKind::memoryBarrier, "arrive", 11, false},
            {kArrivesCopies, MarkKind::arrive, SyncKind::memoryBarrier, "copy", 12, true},
            {kProducts, MarkKind::waitBegin, SyncKind::products, "products", 13, false},
            {kProductsEnd, MarkKind::waitEnd, SyncKind::products, "products", 13, false},
            {kBarBegin, MarkKind::waitBegin, SyncKind::threadBarrier, "bar", 14, false},
            {kBarEnd, MarkKind::waitEnd, SyncKind::threadBarrier, "bar", 14, false},
            {kBarArrives, MarkKind::arrive, SyncKind::threadBarrier, "bar.arrive", 15, false},
            {kUserWork, MarkKind::user, SyncKind::none, "compute", 0, false},
            {kUserWait, MarkKind::user, SyncKind::none, "wait for load", 0, false}};
}

WarpMarks warpWith(int warp, std::vector<TimelineMark> marks, std::optional<std::int64_t> end = {})
{
    WarpMarks one;
    one.warp = warp;
    one.marks = std::move(marks);
    one.endCycle = end;
    return one;
}

Timeline makeTimeline(std::vector<WarpMarks> warps, bool automatic = true)
{
    Timeline timeline;
    timeline.automatic = automatic;
    timeline.sites = sites();
    timeline.blockWarps = static_cast<int>(warps.size());
    timeline.warps = std::move(warps);
    return timeline;
}

TEST(BlockTracks, ABarriersAddressIsThatInItsOwnBlock)
{
    const auto blocks = trackBlocks(makeTimeline({warpWith(0, {{kWaitBegin, 10, 0x0500'0040}, {kWaitEnd, 20, 0x0500'0040}}, 30),
                                                  warpWith(1, {{kArrives, 15, 0x0700'0040}, {kBarArrives, 16, 0x0700'0001}}, 30)}));
    ASSERT_EQ(blocks.size(), 1U);
    EXPECT_EQ(blocks[0].warps[0].waits.at(0).object, 0x40U);
    EXPECT_EQ(blocks[0].warps[1].arrivals.at(0).object, 0x40U);
    EXPECT_EQ(blocks[0].warps[1].arrivals.at(1).object, 0x0700'0001U) << "a barrier's number is not an address";
}

TEST(BlockTracks, AWaitEndsWithAMarkOfItsKind)
{
    const auto blocks =
        trackBlocks(makeTimeline({warpWith(0, {{kWaitBegin, 10, 8}, {kProductsEnd, 20, 0}, {kWaitEnd, 30, 8}, {kUserWork, 40, 0}}, 50)}));
    const WarpTrack& track = blocks.at(0).warps.at(0);
    ASSERT_EQ(track.waits.size(), 1U);
    EXPECT_EQ(track.waits[0].end, 30);
    ASSERT_EQ(track.segments.size(), 4U);
    EXPECT_EQ(track.segments[0], (Segment{0, 10, SegmentKind::work, "", 0}));
    EXPECT_EQ(track.segments[1], (Segment{10, 30, SegmentKind::wait, "wait", 10}));
    EXPECT_EQ(track.segments[2], (Segment{30, 40, SegmentKind::work, "", 0}));
    EXPECT_EQ(track.segments[3], (Segment{40, 50, SegmentKind::work, "compute", 0}));
}

TEST(BlockTracks, AMarkNamedWaitIsAWaitOnlyWhereNoneAreRecordedByThemselves)
{
    const auto track = [](bool automatic) {
        return trackBlocks(makeTimeline({warpWith(0, {{kUserWait, 10, 0}, {kUserWork, 30, 0}}, 50)}, automatic)).at(0).warps.at(0);
    };
    ASSERT_EQ(track(false).waits.size(), 1U);
    EXPECT_EQ(track(false).waits[0].begin, 10);
    EXPECT_EQ(track(false).waits[0].end, 30);
    EXPECT_TRUE(track(true).waits.empty());
    EXPECT_EQ(track(true).segments.at(1).kind, SegmentKind::work);
}

TEST(BlockTracks, AWarpThatStillWaitsWaitsUntilItsBlockEnds)
{
    const auto blocks = trackBlocks(
        makeTimeline({warpWith(0, {{kWaitBegin, 10, 8}}), warpWith(1, {{kUserWork, 10, 0}}, 100), warpWith(2, {{kUserWork, 60, 0}})}));
    EXPECT_EQ(blocks.at(0).end, 100);
    EXPECT_EQ(blocks[0].warps[0].end, 100);
    EXPECT_EQ(blocks[0].warps[0].waits.at(0).end, 100);
    EXPECT_FALSE(blocks[0].warps[0].ended);
    EXPECT_EQ(blocks[0].warps[2].end, 60) << "of one that does not wait nothing is known behind its last mark";
}

/// Release of the first wait of warp 0 in a block of these tracks, with each warp in a role of its own.
std::optional<Release> findRelease(const BlockTrack& block, const std::vector<Role>& roles = {{"load", {0}}, {"use", {1}}, {"store", {2}}})
{
    std::vector<int> roleOf;
    for (std::size_t i = 0; i < block.warps.size(); ++i)
        roleOf.push_back(static_cast<int>(i));
    return Releases(block, roleOf, roles).of(0, block.warps[0].waits.at(0));
}

TEST(ReleasesRules, AMemoryBarrierIsCompletedByTheLastArrivalAtItsOwnObject)
{
    const auto blocks = trackBlocks(makeTimeline({warpWith(0, {{kWaitBegin, 10, 8}, {kWaitEnd, 100, 8}}, 200),
                                                  warpWith(1, {{kArrives, 40, 8}, {kArrives, 90, 16}, {kArrives, 150, 8}}, 200),
                                                  warpWith(2, {{kArrivesCopies, 60, 8}, {kBarArrives, 95, 8}}, 200)}));
    const auto release = findRelease(blocks.at(0));
    ASSERT_TRUE(release);
    EXPECT_EQ(release->warp, 2U);
    EXPECT_EQ(release->at, 60);
    EXPECT_TRUE(release->copies);
}

TEST(ReleasesRules, AThreadBarrierReleasesAllTogetherSoTheLastToComeIsTheOne)
{
    const auto blocks =
        trackBlocks(makeTimeline({warpWith(0, {{kBarBegin, 10, 1}, {kBarEnd, 1000, 1}}, 3000),
                                  warpWith(1, {{kBarBegin, 980, 1}, {kBarEnd, 1010, 1}, {kBarBegin, 1500, 1}, {kBarEnd, 2500, 1}}, 3000),
                                  warpWith(2, {{kBarArrives, 700, 1}, {kBarArrives, 1200, 1}, {kBarArrives, 999, 2}}, 3000)}));
    const auto release = findRelease(blocks.at(0));
    ASSERT_TRUE(release);
    EXPECT_EQ(release->warp, 1U);
    EXPECT_EQ(release->at, 980);
    const auto arrivals = trackBlocks(makeTimeline({warpWith(0, {{kBarBegin, 10, 1}, {kBarEnd, 1000, 1}}, 3000),
                                                    warpWith(1, {{kBarBegin, 20, 1}, {kBarEnd, 500, 1}, {kBarArrives, 800, 1}}, 3000),
                                                    warpWith(2, {{kBarArrives, 700, 1}, {kBarArrives, 1200, 1}}, 3000)}));
    const auto arrived = findRelease(arrivals.at(0));
    ASSERT_TRUE(arrived);
    EXPECT_EQ(arrived->warp, 1U) << "its wait was another phase, its arrival was not";
    EXPECT_EQ(arrived->at, 800) << "an arrival afterwards is for the next phase";
}

TEST(ReleasesRules, AMarksWaitEndsWithTheWorkOfTheRoleThatItNames)
{
    const auto block = [](std::int64_t loaded, std::int64_t stored) {
        return trackBlocks(makeTimeline({warpWith(0, {{kUserWait, 10, 0}, {kUserWork, 500, 0}}, 2000),
                                         warpWith(1, {{kUserWork, 5, 0}, {kUserWait, loaded, 0}, {kUserWork, 1500, 0}}, 2000),
                                         warpWith(2, {{kUserWork, 5, 0}, {kUserWait, stored, 0}, {kUserWork, 1500, 0}}, 2000)},
                                        false))
            .at(0);
    };
    const std::vector<Role> roles{{"use", {0}}, {"load", {1}}, {"store", {2}}};
    const auto load = findRelease(block(300, 400), roles);
    ASSERT_TRUE(load);
    EXPECT_EQ(load->warp, 1U) << "though the other came later";
    EXPECT_EQ(load->at, 300);
    EXPECT_EQ(findRelease(block(590, 400), roles)->at, 500) << "a mark hardly behind the end is what it waited for";
    EXPECT_EQ(findRelease(block(700, 400), roles)->at, 5) << "a later one is not";
}

TEST(CriticalPathRules, FollowsWhoeverEndedALongWait)
{
    const auto path = [](std::int64_t begin, std::int64_t arrival, int site) {
        const Timeline timeline =
            makeTimeline({warpWith(0, {{kWaitBegin, begin, 8}, {kWaitEnd, 1000, 8}}, 1500), warpWith(1, {{site, arrival, 8}}, 1100)});
        const auto blocks = trackBlocks(timeline);
        return findCriticalPath(blocks.at(0), Releases(blocks[0], {0, 1}, {{"a", {0}}, {"b", {1}}}));
    };
    const CriticalPath handed = path(200, 900, kArrives);
    EXPECT_EQ(handed.warps[0], 500);
    EXPECT_EQ(handed.warps[1], 900);
    EXPECT_EQ(handed.handover, 100);
    EXPECT_EQ(handed.copies, 0);
    const CriticalPath before = path(200, 100, kArrives);
    EXPECT_EQ(before.warps[0], 1500) << "what it waited for was there before";
    const CriticalPath copied = path(200, 100, kArrivesCopies);
    EXPECT_EQ(copied.copies, 900) << "but not the bytes of a copy";
    EXPECT_EQ(copied.warps[1], 100);
    EXPECT_EQ(path(200, 200, kArrives).warps[0], 1500) << "it was there when the wait began";
    EXPECT_EQ(path(850, 900, kArrives).warps[0], 1500) << "a wait of 150 cycles is none";
    EXPECT_EQ(path(849, 900, kArrives).warps[0], 500);
}

TEST(RolesRules, ProductsMakeAConsumerEvenIfItStartsCopies)
{
    const auto blocks = trackBlocks(makeTimeline({warpWith(0, {{kArrivesCopies, 10, 8}, {kWaitBegin, 12, 16}, {kWaitEnd, 14, 16}}, 100),
                                                  warpWith(1, {{kArrivesCopies, 10, 8}, {kProducts, 20, 0}, {kProductsEnd, 30, 0}}, 100)}));
    const std::vector<Role> roles = findRoles(blocks);
    ASSERT_EQ(roles.size(), 2U);
    EXPECT_EQ(roles[0].name, "producer");
    EXPECT_EQ(roles[1].name, "consumer");
}

TEST(TimelineReports, CountsWaitsPerWarpAndOnlyThoseOfOthersAsWaitingForOthers)
{
    // Two warps of one role wait for each other at a barrier; a third, of another role, makes no wait.
    const std::vector<TimelineMark> first{{kBarBegin, 100, 1}, {kBarEnd, 500, 1}, {kBarBegin, 600, 1}, {kBarEnd, 700, 1}};
    const std::vector<TimelineMark> second{{kBarBegin, 490, 1}, {kBarEnd, 500, 1}, {kBarBegin, 690, 1}, {kBarEnd, 700, 1}};
    const TimelineReport report =
        analyzeTimeline(makeTimeline({warpWith(0, first, 1000), warpWith(1, second, 1000), warpWith(2, {{kUserWork, 1, 0}}, 1000)}));
    ASSERT_EQ(report.roles.size(), 2U);
    EXPECT_EQ(report.roles[0].warps, (std::vector<int>{0, 1}));
    EXPECT_EQ(report.roles[0].waits.at(0).count, 2);
    EXPECT_EQ(report.roles[0].waits[0].cycles, 130);
    EXPECT_EQ(report.roles[0].waitForOthers, 0);
    EXPECT_GT(report.roles[0].wait, 0);
}

TEST(TimelineReports, ARoleWaitsMuchIfItWaitsHalfAsMuchAsTheOneThatWaitsMost)
{
    // Three roles wait for warp 0: for 80, 30 and 50 % of the time.
    const auto waiter = [](int warp, std::int64_t begin) {
        const auto object = static_cast<std::uint32_t>(8 * warp);
        return warpWith(warp, {{kWaitBegin, begin, object}, {kWaitEnd, 9000, object}}, 10'000);
    };
    const TimelineReport report =
        analyzeTimeline(makeTimeline({warpWith(0, {{kArrives, 8990, 8}, {kArrives, 8991, 16}, {kArrives, 8992, 24}}, 10'100),
                                      waiter(1, 1000), waiter(2, 6000), waiter(3, 4000)}));
    EXPECT_EQ(report.waitedFor, "warp 0");
    EXPECT_EQ(report.waiting, (std::vector<std::string>{"warp 1", "warp 3"}));
}

TEST(TimelineReports, TheBlockThatIsShownIsTheOneOfTheMostSegmentsOfWarpsThatEnded)
{
    WarpMarks open = warpWith(0, {{kWaitBegin, 10, 8}, {kWaitEnd, 20, 8}, {kWaitBegin, 30, 8}, {kWaitEnd, 40, 8}});
    WarpMarks whole = warpWith(0, {{kWaitBegin, 10, 8}, {kWaitEnd, 20, 8}}, 30);
    whole.block = 1;
    const TimelineReport report = analyzeTimeline(makeTimeline({open, whole}));
    EXPECT_EQ(report.shownBlock, 1);
    EXPECT_EQ(report.spanCycles, 30);
    WarpMarks brief = warpWith(0, {{kWaitBegin, 10, 8}}, 25);
    brief.block = 2;
    EXPECT_EQ(analyzeTimeline(makeTimeline({open, whole, brief})).shownBlock, 1) << "whatever comes behind it";
    brief = whole;
    brief.block = 2;
    EXPECT_EQ(analyzeTimeline(makeTimeline({open, whole, brief})).shownBlock, 1) << "the first of two";
}

TEST(TimelineReports, TheClockIsOfWarpsWhoseTimeIsKnown)
{
    WarpMarks timed = warpWith(0, {{kUserWork, 10, 0}}, 300);
    timed.endNs = 100;
    WarpMarks untimed = warpWith(1, {{kUserWork, 10, 0}}, 700);
    untimed.endNs = 0;
    EXPECT_EQ(analyzeTimeline(makeTimeline({timed, untimed})).cyclesPerNs, 3);
    EXPECT_EQ(reportToJson(analyzeTimeline(makeTimeline({timed})))["cycles_per_ns"], 3);
    EXPECT_TRUE(reportToJson(analyzeTimeline(makeTimeline({untimed})))["cycles_per_ns"].is_null());
}

TEST(ChromeTraces, TimesAreMicrosecondsSinceTheFirstBlockBegan)
{
    WarpMarks first = warpWith(0, {{kUserWork, 2000, 0}}, 4000);
    first.endNs = 2000;
    first.beginNs = 5'000'000;
    WarpMarks second = first;
    second.block = 1;
    second.beginNs = 5'010'000;
    const Json trace = chromeTrace(makeTimeline({first, second}), "t");
    std::vector<double> begins, lengths;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "X") {
            begins.push_back(event["ts"].get<double>());
            lengths.push_back(event["dur"].get<double>());
        }
    EXPECT_EQ(begins, (std::vector<double>{0, 1, 10, 11}));
    EXPECT_EQ(lengths, (std::vector<double>{1, 1, 1, 1}));
}

/// Warp 0 arrives at 600; warp 1, which waited from 100, goes on at 700.
Timeline handedOver(int site)
{
    return makeTimeline({warpWith(0, {{site, 600, 8}}, 1000), warpWith(1, {{kWaitBegin, 100, 8}, {kWaitEnd, 700, 8}}, 1200)});
}

TEST(TimelineReports, HaveTheSharesOfEveryRole)
{
    const TimelineReport report = analyzeTimeline(handedOver(kArrives));
    ASSERT_EQ(report.roles.size(), 2U);
    const RoleRow& first = report.roles[0];
    EXPECT_EQ(first.name, "warp 0");
    EXPECT_DOUBLE_EQ(first.work, 1000.0 / 1200);
    EXPECT_EQ(first.wait, 0);
    EXPECT_DOUBLE_EQ(first.path, 0.5);
    EXPECT_EQ(first.segments, (std::vector<Segment>{{0, 1000, SegmentKind::work, "", 0}}));
    const RoleRow& second = report.roles[1];
    EXPECT_EQ(second.name, "warp 1");
    EXPECT_DOUBLE_EQ(second.work, 0.5);
    EXPECT_DOUBLE_EQ(second.wait, 0.5);
    EXPECT_DOUBLE_EQ(second.waitForOthers, 0.5);
    EXPECT_EQ(second.async, 0);
    EXPECT_DOUBLE_EQ(second.path, 500.0 / 1200);
    EXPECT_DOUBLE_EQ(report.pathHandover, 100.0 / 1200);
    EXPECT_EQ(report.pathCopies, 0);
    ASSERT_EQ(second.waits.size(), 1U);
    EXPECT_EQ(second.waits[0].label, "wait");
    EXPECT_EQ(second.waits[0].line, 10);
    EXPECT_EQ(second.waits[0].sync, SyncKind::memoryBarrier);
    EXPECT_EQ(second.waits[0].count, 1);
    EXPECT_EQ(second.waits[0].cycles, 600);
    EXPECT_DOUBLE_EQ(second.waits[0].share, 0.5);
    EXPECT_EQ(second.waits[0].waitsFor, "warp 0");
    EXPECT_DOUBLE_EQ(second.waits[0].waitsForShare, 1);
    ASSERT_EQ(report.overlaps.size(), 1U);
    EXPECT_EQ(report.overlaps[0].a, "warp 0");
    EXPECT_EQ(report.overlaps[0].b, "warp 1");
    EXPECT_DOUBLE_EQ(report.overlaps[0].share, 400.0 / 600) << "100 cycles before the wait and 300 after it, of 600";
    EXPECT_EQ(test::valueText(report.sentence), "\"1 0 50 50 0\"") << report.sentence;
    EXPECT_EQ(report.spanCycles, 1200);
}

TEST(TimelineReports, ACopyIsWaitedForFromItsStartOn)
{
    const TimelineReport report = analyzeTimeline(handedOver(kArrivesCopies));
    EXPECT_DOUBLE_EQ(report.pathCopies, 100.0 / 1200);
    EXPECT_EQ(report.pathHandover, 0);
    EXPECT_EQ(report.roles.at(0).name, "producer");
    EXPECT_EQ(report.roles.at(1).waits.at(0).waitsFor, "producer") << "until it started the copy";
    EXPECT_DOUBLE_EQ(report.roles[1].waits[0].waitsForShare, 500.0 / 600);
    const TimelineReport early = analyzeTimeline(
        makeTimeline({warpWith(0, {{kArrivesCopies, 50, 8}}, 60), warpWith(1, {{kWaitBegin, 100, 8}, {kWaitEnd, 900, 8}}, 1000)}));
    EXPECT_EQ(early.roles.at(1).waits.at(0).waitsFor, kCopies);
    EXPECT_DOUBLE_EQ(early.pathCopies, 0.85);
    EXPECT_EQ(early.waitedFor, kCopies);
    EXPECT_EQ(test::valueText(early.sentence), "\"1 80 85\"") << early.sentence;
}

TEST(TimelineReports, AWaitBelowATenthOfTheTimeIsNotNamed)
{
    const auto waiting = [](std::int64_t begin) {
        return analyzeTimeline(
                   makeTimeline({warpWith(0, {{kArrives, 690, 8}}, 1000), warpWith(1, {{kWaitBegin, begin, 8}, {kWaitEnd, 700, 8}}, 1000)}))
            .waiting;
    };
    EXPECT_EQ(waiting(600), std::vector<std::string>{"warp 1"});
    EXPECT_EQ(waiting(601), std::vector<std::string>{});
}

TEST(TimelineReports, ABlockOfWhichNoWarpEndedIsShownWhereThereIsNoOther)
{
    WarpMarks open = warpWith(0, {{kUserWork, 10, 0}, {kUserWork, 70, 0}});
    open.block = 5;
    const TimelineReport report = analyzeTimeline(makeTimeline({open}));
    EXPECT_EQ(report.shownBlock, 5);
    EXPECT_EQ(report.spanCycles, 70);
}

TEST(TimelineReports, OverheadNeedsTwoWholeBlocks)
{
    const auto analyzeOverhead = [](std::vector<AbBlock> blocks) {
        Timeline timeline = makeTimeline({warpWith(0, {{kUserWork, 10, 0}}, 100)});
        timeline.overhead = std::move(blocks);
        return analyzeTimeline(timeline).overhead;
    };
    const AbBlock whole{{100, 100}, {110, 110}};
    ASSERT_TRUE(analyzeOverhead({whole, whole}));
    EXPECT_NEAR(analyzeOverhead({whole, whole})->value, 1.1, 1e-12);
    EXPECT_FALSE(analyzeOverhead({whole}));
    EXPECT_FALSE(analyzeOverhead({whole, {{100, 100}, {110}}}));
    EXPECT_FALSE(analyzeOverhead({whole, {}}));
}

TEST(TimelineReports, NotesAreTheRecordingsAndWhatIsMissing)
{
    WarpMarks lost = warpWith(0, {{kUserWork, 10, 0}}, 100);
    lost.lost = 3;
    Timeline timeline = makeTimeline({lost, warpWith(1, {{kUserWork, 10, 0}}), warpWith(2, {{kUserWork, 10, 0}})});
    timeline.notes = {"first"};
    const std::vector<std::string> notes = analyzeTimeline(timeline).notes;
    ASSERT_EQ(notes.size(), 3U);
    EXPECT_EQ(notes[0], "first");
    EXPECT_TRUE(notes[1].starts_with("3 marks"));
    EXPECT_TRUE(notes[2].starts_with("2 warps ")) << notes[2];
}

TEST(TimelineReports, AsJsonHaveEveryMember)
{
    TimelineReport report;
    report.roles = {{"load",
                     {0, 1},
                     0.5,
                     0.25,
                     0.125,
                     0.2,
                     0.4,
                     {{"w", 7, SyncKind::memoryBarrier, 3, 12.5, 0.25, "use", 0.75}},
                     {{1, 2, SegmentKind::async, "s", 9}}}};
    report.overlaps = {{"load", "use", 0.5}};
    report.pathCopies = 0.25;
    report.pathHandover = 0.125;
    report.waiting = {"use"};
    report.waitedFor = "load";
    report.sentence = "s";
    report.shownBlock = 2;
    report.spanCycles = 99;
    report.cyclesPerNs = 1.5;
    report.overhead = Ratio{1.25, 1, 1.5};
    report.notes = {"n"};
    EXPECT_EQ(reportToJson(report), Json::parse(R"({
        "finding": {"sentence": "s", "waiting": ["use"], "waited_for": "load"},
        "roles": [{"name": "load", "warps": [0, 1], "work": 0.5, "wait": 0.25, "async": 0.125, "wait_for_others": 0.2, "path": 0.4,
                   "waits": [{"label": "w", "line": 7, "sync": "mbarrier", "count": 3, "cycles": 12.5, "share": 0.25, "waits_for": "use",
                              "waits_for_share": 0.75}],
                   "segments": [{"begin": 1, "end": 2, "kind": "async", "label": "s", "line": 9}]}],
        "overlap": [{"a": "load", "b": "use", "share": 0.5}],
        "critical_path": {"copies": 0.25, "handover": 0.125},
        "block": {"index": 2, "cycles": 99},
        "cycles_per_ns": 1.5,
        "overhead": {"value": 1.25, "low": 1.0, "high": 1.5},
        "notes": ["n"]})"));
    EXPECT_TRUE(reportToJson({})["finding"]["waited_for"].is_null());
}

TEST(BlockTracks, WorkUnderOneLabelIsOneSegmentAlsoBehindAWait)
{
    const auto blocks = trackBlocks(makeTimeline(
        {warpWith(0, {{kWaitBegin, 10, 8}, {kWaitEnd, 30, 8}, {kUserWork, 40, 0}, {kUserWork, 60, 0}, {kArrives, 70, 8}}, 90)}));
    const std::vector<Segment>& segments = blocks.at(0).warps.at(0).segments;
    ASSERT_EQ(segments.size(), 4U);
    EXPECT_EQ(segments[2], (Segment{30, 40, SegmentKind::work, "", 0}));
    EXPECT_EQ(segments[3], (Segment{40, 90, SegmentKind::work, "compute", 0}));
}

TEST(BlockTracks, BlocksAndWarpsAreInOrderAndBeginWithTheFirstWarp)
{
    WarpMarks late = warpWith(1, {{kUserWork, 10, 0}}, 50);
    late.beginCycle = 1100;
    WarpMarks early = warpWith(0, {});
    early.beginCycle = 1000;
    WarpMarks other = warpWith(0, {}, 7);
    other.block = -1;
    const auto blocks = trackBlocks(makeTimeline({late, early, other}));
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].block, -1);
    EXPECT_EQ(blocks[0].end, 7);
    EXPECT_EQ(blocks[1].end, 150);
    ASSERT_EQ(blocks[1].warps.size(), 2U);
    EXPECT_EQ(blocks[1].warps[0].warp, 0);
    EXPECT_EQ(blocks[1].warps[0].end, 0) << "nothing is known of it but its begin";
    EXPECT_EQ(blocks[1].warps[1].begin, 100);
    EXPECT_EQ(blocks[1].warps[1].segments.at(0), (Segment{100, 110, SegmentKind::work, "", 0}));
    EXPECT_EQ(trackBlocks(makeTimeline({warpWith(0, {})})).at(0).end, 0);
}

TEST(BlockTracks, AMarkOfAnUnknownSiteIsNamedByItsNumber)
{
    const auto blocks = trackBlocks(makeTimeline({warpWith(0, {{99, 10, 0}}, 30)}));
    EXPECT_EQ(blocks.at(0).warps.at(0).segments.back().label, "mark 99");
}

TEST(ReleasesRules, AClusterBarrierIsLikeAThreadBarrierAndOwnCopiesAreReleasedByNobody)
{
    Timeline timeline = makeTimeline({warpWith(0, {{50, 10, 0}, {51, 1000, 0}}, 3000), warpWith(1, {{50, 980, 0}, {51, 1010, 0}}, 3000),
                                      warpWith(2, {{kUserWork, 5, 0}}, 3000)});
    timeline.sites.push_back({50, MarkKind::waitBegin, SyncKind::clusterBarrier, "cluster", 1, false});
    timeline.sites.push_back({51, MarkKind::waitEnd, SyncKind::clusterBarrier, "cluster", 1, false});
    const auto release = findRelease(trackBlocks(timeline).at(0));
    ASSERT_TRUE(release);
    EXPECT_EQ(release->warp, 1U);
    EXPECT_EQ(release->at, 980);
    const auto products = trackBlocks(makeTimeline({warpWith(0, {{kProducts, 10, 0}, {kProductsEnd, 90, 0}}, 100),
                                                    warpWith(1, {{kArrives, 80, 0}}, 100), warpWith(2, {{kUserWork, 5, 0}}, 100)}));
    EXPECT_FALSE(findRelease(products.at(0)));
}

TEST(ReleasesRules, TheLastToComeToAThreadBarrierReleasesItself)
{
    const auto blocks =
        trackBlocks(makeTimeline({warpWith(0, {{kBarBegin, 990, 1}, {kBarEnd, 1000, 1}}, 3000),
                                  warpWith(1, {{kBarBegin, 10, 1}, {kBarEnd, 1000, 1}}, 3000), warpWith(2, {{kUserWork, 5, 0}}, 3000)}));
    const auto release = findRelease(blocks.at(0));
    ASSERT_TRUE(release);
    EXPECT_EQ(release->warp, 0U);
    EXPECT_EQ(release->at, 990);
}

TEST(CriticalPathRules, ABlockWithoutWarpsHasNone)
{
    const BlockTrack block{};
    const CriticalPath path = findCriticalPath(block, Releases(block, {}, {}));
    EXPECT_TRUE(path.warps.empty());
    EXPECT_EQ(path.copies + path.handover, 0);
}

TEST(RolesRules, WarpsOfOneConductAreSplitByWarpGroupWhereThereAreOthers)
{
    const auto listRoles = [](int same, bool other, const std::vector<TimelineMark>& marks) {
        std::vector<WarpMarks> warps;
        for (int warp = 0; warp < same; ++warp)
            warps.push_back(warpWith(warp, marks, 100));
        if (other)
            warps.push_back(warpWith(same, {{kWaitBegin, 1, 64}, {kWaitEnd, 2, 64}}, 100));
        std::vector<std::string> names;
        for (const Role& role : findRoles(trackBlocks(makeTimeline(warps))))
            names.push_back(role.name);
        return names;
    };
    using RoleNames = std::vector<std::string>;
    const std::vector<TimelineMark> waits{{kWaitBegin, 10, 8}, {kWaitEnd, 20, 8}};
    EXPECT_EQ(listRoles(6, false, waits), RoleNames{"all warps"});
    EXPECT_EQ(listRoles(6, true, waits), (RoleNames{"warps 0-3", "warps 4-5", "warp 6"}));
    EXPECT_EQ(listRoles(4, true, waits), (RoleNames{"warps 0-3", "warp 4"}));
    EXPECT_EQ(listRoles(8, true, {{kProducts, 10, 0}, {kProductsEnd, 20, 0}}), (RoleNames{"consumer 1", "consumer 2", "warp 8"}));
    EXPECT_EQ(listRoles(3, false, {}), RoleNames{}) << "warps without marks have no role";
}

TEST(RolesRules, WarpsThatAreNotBesideEachOtherAreListed)
{
    const std::vector<TimelineMark> waits{{kWaitBegin, 10, 8}, {kWaitEnd, 20, 8}};
    const std::vector<Role> roles =
        findRoles(trackBlocks(makeTimeline({warpWith(0, waits, 100), warpWith(1, waits, 100),
                                            warpWith(2, {{kWaitBegin, 1, 64}, {kWaitEnd, 2, 64}}, 100), warpWith(3, waits, 100)})));
    ASSERT_EQ(roles.size(), 2U);
    EXPECT_EQ(roles[0].name, "warps 0-1, 3");
    EXPECT_EQ(roles[1].name, "warp 2");
}

TEST(ChromeTraces, ABlockBeginsWithItsEarliestWarpAndWithoutAClockCyclesAreNanoseconds)
{
    WarpMarks one = warpWith(0, {{kUserWork, 2000, 0}}, 4000);
    one.block = 3;
    one.sm = 17;
    one.beginNs = 5'000'900;
    WarpMarks two = warpWith(1, {{kWaitBegin, 1000, 8}, {kWaitEnd, 3000, 8}}, 4000);
    two.block = 3;
    two.sm = 17;
    two.beginNs = 5'000'000;
    WarpMarks later = warpWith(0, {{kUserWork, 0, 0}}, 500);
    later.block = 4;
    later.beginNs = 5'007'000;
    const Json trace = chromeTrace(makeTimeline({one, two, later}), "my title");
    EXPECT_EQ(trace["otherData"]["title"], "my title");
    std::vector<Json> segments;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] == "X")
            segments.push_back(event);
        else if (event["name"] == "process_name" && event["pid"] == 3) {
            EXPECT_EQ(event["args"]["name"], "block 3 (SM 17)");
        }
    }
    ASSERT_EQ(segments.size(), 6U);
    EXPECT_EQ(segments[0]["ts"], 0);
    EXPECT_EQ(segments[0]["dur"], 2);
    EXPECT_EQ(segments[0]["name"], "work") << "it has no label";
    EXPECT_EQ(segments[1]["name"], "compute");
    EXPECT_EQ(segments[1]["cat"], "work");
    EXPECT_EQ(segments[3]["tid"], 1);
    EXPECT_EQ(segments[3]["cat"], "wait");
    EXPECT_EQ(segments[3]["ts"], 1);
    EXPECT_EQ(segments[3]["args"], (Json{{"cycles", 2000}, {"line", 10}}));
    EXPECT_EQ(segments[5]["ts"], 7);
    EXPECT_EQ(segments[5]["dur"], 0.5);
    EXPECT_TRUE(chromeTrace({}, "none")["traceEvents"].empty());
}

TEST(BlockTracks, AWarpOfWhichAllMarksWereLostHasItsEnd)
{
    WarpMarks lost = warpWith(0, {}, 100);
    lost.lost = 3;
    const auto blocks = trackBlocks(makeTimeline({lost}));
    EXPECT_EQ(blocks.at(0).warps.at(0).segments, (std::vector<Segment>{{0, 100, SegmentKind::work, "", 0}}));
}

TEST(RolesRules, OneWarpThatStartsCopiesMakesAProducerAndANameOfMarksStays)
{
    const auto producer = findRoles(trackBlocks(makeTimeline(
        {warpWith(0, {{kArrivesCopies, 5, 8}, {kWaitBegin, 10, 16}, {kWaitEnd, 20, 16}}, 100),
         warpWith(1, {{kWaitBegin, 10, 16}, {kWaitEnd, 20, 16}}, 100), warpWith(2, {{kProducts, 10, 0}, {kProductsEnd, 20, 0}}, 100)})));
    ASSERT_EQ(producer.size(), 2U);
    EXPECT_EQ(producer[0].name, "producer");
    EXPECT_EQ(producer[0].warps, (std::vector<int>{0, 1}));
    Timeline named = makeTimeline({warpWith(0, {{60, 10, 0}}, 100)});
    named.sites.push_back({60, MarkKind::user, SyncKind::none, " load :  copy ", 0, false});
    const auto blocks = trackBlocks(named);
    EXPECT_EQ(findRoles(blocks).at(0).name, "load") << "one role alone, too";
    EXPECT_EQ(blocks.at(0).warps.at(0).segments.back().label, "copy");
}

TEST(ReleasesRules, AWaitForANameThatNoRoleHasIsForAnyOther)
{
    const auto warp = [](int index, std::int64_t wait) {
        return warpWith(index, {{kUserWork, 5, 0}, {60, wait, 0}, {kUserWork, 500, 0}}, 2000);
    };
    Timeline timeline = makeTimeline({warp(0, 10), warp(1, 300), warp(2, 400)}, false);
    timeline.sites.push_back({60, MarkKind::user, SyncKind::none, "wait for nobody", 0, false});
    const auto blocks = trackBlocks(timeline);
    const std::vector<Role> roles{{"use", {0}}, {"load", {1}}, {"store", {2}}};
    const auto release = findRelease(blocks.at(0), roles);
    ASSERT_TRUE(release);
    EXPECT_EQ(release->warp, 2U);
    EXPECT_EQ(release->at, 400);
    EXPECT_FALSE(Releases(blocks[0], {0, 0, -1}, roles).of(0, blocks[0].warps[0].waits.at(0))) << "one's own role, or none";
}

} // namespace
} // namespace kl
