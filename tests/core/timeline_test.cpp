// SPDX-License-Identifier: MIT
// Timelines of made-up recordings: who waits for whom, by automatic marks, by KL_MARKs, at named barriers.
#include "core/timeline/report_codec.h"
#include "core/timeline/timeline_report.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr int kArrive = 1028;
constexpr int kArriveCopies = 1029;

/// Sites of waits at mbarriers, named barriers and for products: begin, and end one higher.
std::vector<MarkSite> automaticSites()
{
    return {{1024, MarkKind::waitBegin, SyncKind::memoryBarrier, "mbarrier.try_wait", 10, false},
            {1025, MarkKind::waitEnd, SyncKind::memoryBarrier, "mbarrier.try_wait", 10, false},
            {1026, MarkKind::waitBegin, SyncKind::threadBarrier, "bar.sync", 20, false},
            {1027, MarkKind::waitEnd, SyncKind::threadBarrier, "bar.sync", 20, false},
            {kArrive, MarkKind::arrive, SyncKind::memoryBarrier, "mbarrier.arrive", 30, false},
            {kArriveCopies, MarkKind::arrive, SyncKind::memoryBarrier, "mbarrier.arrive", 40, true},
            {1030, MarkKind::waitBegin, SyncKind::products, "wgmma.wait_group", 50, false},
            {1031, MarkKind::waitEnd, SyncKind::products, "wgmma.wait_group", 50, false},
            {1032, MarkKind::arrive, SyncKind::threadBarrier, "bar.arrive", 60, false}};
}

struct Pipeline {
    std::int64_t produce = 100; ///< cycles of a role's work on a tile
    std::int64_t latency = 50;  ///< of a copy
    std::vector<std::int64_t> consume{100, 100};
    int tiles = 40;
    int stages = 2;
};

/// A producer (warp 0) and consumers (of a warp group each) that hand tiles on through barriers full (object 8 × stage) and empty (64 + 8 ×
/// stage), as the arithmetic of their times says.
Timeline recordPipeline(const Pipeline& pipeline)
{
    Timeline timeline;
    timeline.automatic = true;
    timeline.sites = automaticSites();
    timeline.blockWarps = 4 + 4 * static_cast<int>(pipeline.consume.size());
    WarpMarks producer;
    std::vector<WarpMarks> consumers(pipeline.consume.size());
    std::vector<std::int64_t> ends(pipeline.consume.size(), 0);
    std::vector<std::int64_t> freed(static_cast<std::size_t>(pipeline.tiles), 0);
    std::int64_t produced = 0;
    for (int tile = 0; tile < pipeline.tiles; ++tile) {
        const auto stage = static_cast<std::uint32_t>(tile % pipeline.stages);
        const std::uint32_t full = 8 * stage;
        const std::uint32_t empty = 64 + 8 * stage;
        producer.marks.push_back({1024, produced, empty});
        if (tile >= pipeline.stages)
            produced = std::max(produced, freed[static_cast<std::size_t>(tile - pipeline.stages)]);
        producer.marks.push_back({1025, produced, empty});
        produced += pipeline.produce;
        producer.marks.push_back({kArriveCopies, produced, full});
        for (std::size_t i = 0; i < consumers.size(); ++i) {
            consumers[i].marks.push_back({1024, ends[i], full});
            ends[i] = std::max(ends[i], produced + pipeline.latency);
            consumers[i].marks.push_back({1025, ends[i], full});
            ends[i] += pipeline.consume[i];
            consumers[i].marks.push_back({kArrive, ends[i], empty});
            std::int64_t& all = freed[static_cast<std::size_t>(tile)];
            all = std::max(all, ends[i]);
        }
    }
    producer.endCycle = produced;
    producer.endNs = produced / 2;
    timeline.warps.push_back(producer);
    for (std::size_t i = 0; i < consumers.size(); ++i)
        for (int warp = 0; warp < 4; ++warp) {
            consumers[i].warp = 4 + 4 * static_cast<int>(i) + warp;
            consumers[i].endCycle = ends[i];
            consumers[i].endNs = ends[i] / 2;
            timeline.warps.push_back(consumers[i]);
        }
    return timeline;
}

const RoleRow& roleNamed(const TimelineReport& report, const std::string& name)
{
    const auto found = std::ranges::find(report.roles, name, &RoleRow::name);
    EXPECT_NE(found, report.roles.end()) << name;
    return found == report.roles.end() ? report.roles.front() : *found;
}

TEST(Timelines, AllWaitForASlowProducer)
{
    const TimelineReport report = analyzeTimeline(recordPipeline({.produce = 1000}));
    EXPECT_EQ(report.waitedFor, "producer");
    EXPECT_THAT(report.waiting, UnorderedElementsAre("warps 4-7", "warps 8-11"));
    EXPECT_GT(roleNamed(report, "producer").path, 0.8);
    EXPECT_NEAR(roleNamed(report, "warps 4-7").wait, 0.9, 0.05);
    EXPECT_DOUBLE_EQ(report.cyclesPerNs, 2);
}

TEST(Timelines, ASlowConsumerIsFoundBehindTheRoleThatPassesItsDelayOn)
{
    for (const bool second : {false, true}) {
        const std::vector<std::int64_t> consume = second ? std::vector<std::int64_t>{100, 1000} : std::vector<std::int64_t>{1000, 100};
        const TimelineReport report = analyzeTimeline(recordPipeline({.consume = consume}));
        const std::string slow = second ? "warps 8-11" : "warps 4-7";
        const std::string quick = second ? "warps 4-7" : "warps 8-11";
        EXPECT_EQ(report.waitedFor, slow);
        EXPECT_THAT(report.waiting, UnorderedElementsAre("producer", quick)) << report.sentence;
        EXPECT_EQ(roleNamed(report, "producer").waits.front().waitsFor, slow);
        EXPECT_GT(roleNamed(report, slow).path, 0.9);
    }
}

TEST(Timelines, SlowCopiesAreNoRolesFault)
{
    const TimelineReport report = analyzeTimeline(recordPipeline({.produce = 10, .latency = 2000}));
    EXPECT_EQ(report.waitedFor, kCopies);
    EXPECT_THAT(report.waiting, UnorderedElementsAre("producer", "warps 4-7", "warps 8-11"));
    EXPECT_GT(report.pathCopies, 0.8);
    EXPECT_EQ(roleNamed(report, "warps 4-7").waits.front().waitsFor, kCopies);
}

/// Each tile takes either as long, so that all keep pace.
TEST(Timelines, NobodyWaitsMuchInABalancedPipeline)
{
    const TimelineReport report = analyzeTimeline(recordPipeline({.produce = 995, .latency = 2, .consume = {1000, 998}, .tiles = 200}));
    EXPECT_THAT(report.waiting, IsEmpty()) << report.sentence;
    EXPECT_THAT(report.waitedFor, IsEmpty());
    for (const RoleOverlap& overlap : report.overlaps)
        EXPECT_GT(overlap.share, 0.95);
}

/// Two warp groups that take turns at named barriers; `first` holds its turn for so long.
Timeline takeTurns(std::int64_t first, std::int64_t second)
{
    Timeline timeline;
    timeline.automatic = true;
    timeline.sites = automaticSites();
    timeline.blockWarps = 8;
    WarpMarks one;
    WarpMarks other;
    std::int64_t time = 0;
    std::int64_t oneAsked = 0;
    std::int64_t otherAsked = 0;
    const auto turn = [&](WarpMarks& warp, std::int64_t& requested, std::uint32_t own, std::uint32_t next, std::int64_t hold) {
        warp.marks.push_back({1026, requested, own});
        warp.marks.push_back({1027, time, own});
        time += hold;
        warp.marks.push_back({1032, time, next});
        requested = time + 10;
        warp.endCycle = requested;
    };
    for (int i = 0; i < 30; ++i) {
        turn(one, oneAsked, 1, 2, first);
        turn(other, otherAsked, 2, 1, second);
    }
    for (int warp = 0; warp < 8; ++warp) {
        timeline.warps.push_back(warp < 4 ? one : other);
        timeline.warps.back().warp = warp;
    }
    return timeline;
}

TEST(Timelines, InPingPongTheQuickRoleWaitsForTheSlowOnesTurn)
{
    const TimelineReport one = analyzeTimeline(takeTurns(900, 100));
    EXPECT_EQ(one.waitedFor, "warps 0-3");
    EXPECT_THAT(one.waiting, ElementsAre("warps 4-7"));
    const TimelineReport other = analyzeTimeline(takeTurns(100, 900));
    EXPECT_EQ(other.waitedFor, "warps 4-7");
    EXPECT_THAT(other.waiting, ElementsAre("warps 0-3"));
    EXPECT_LT(other.overlaps.front().share, 0.2);
}

/// By KL_MARKs alone: a loader and a user that wait for each other.
Timeline recordOwnMarks(std::int64_t load, std::int64_t use)
{
    Timeline timeline;
    timeline.sites = {{0, MarkKind::user, SyncKind::none, "load: wait for use", 0, false},
                      {1, MarkKind::user, SyncKind::none, "load: copy", 0, false},
                      {2, MarkKind::user, SyncKind::none, "use: wait for load", 0, false},
                      {3, MarkKind::user, SyncKind::none, "use: compute", 0, false}};
    timeline.blockWarps = 2;
    WarpMarks loader;
    WarpMarks user;
    user.warp = 1;
    std::int64_t loaded = 0;
    std::int64_t used = 0;
    for (int i = 0; i < 20; ++i) {
        loader.marks.push_back({0, loaded, 0});
        loaded = std::max(loaded, used);
        loader.marks.push_back({1, loaded, 0});
        loaded += load;
        user.marks.push_back({2, used, 0});
        used = std::max(used, loaded);
        user.marks.push_back({3, used, 0});
        used += use;
    }
    loader.endCycle = loaded;
    user.endCycle = used;
    timeline.warps = {loader, user};
    return timeline;
}

TEST(Timelines, OwnMarksNameRolesSegmentsAndWaits)
{
    const TimelineReport report = analyzeTimeline(recordOwnMarks(1000, 100));
    EXPECT_EQ(report.waitedFor, "load");
    EXPECT_THAT(report.waiting, ElementsAre("use"));
    const RoleRow& use = roleNamed(report, "use");
    ASSERT_FALSE(use.waits.empty());
    EXPECT_EQ(use.waits.front().label, "wait for load");
    EXPECT_EQ(use.waits.front().count, 20);
    EXPECT_EQ(use.segments.front().kind, SegmentKind::wait);
    EXPECT_EQ(use.segments.back().label, "compute");
    EXPECT_EQ(analyzeTimeline(recordOwnMarks(100, 1000)).waitedFor, "use");
}

/// One warp that waits for its own products for 80 % of its time.
Timeline waitForProducts()
{
    Timeline timeline;
    timeline.automatic = true;
    timeline.sites = automaticSites();
    timeline.blockWarps = 1;
    WarpMarks warp;
    warp.marks = {{1030, 100, 0}, {1031, 900, 0}};
    warp.endCycle = 1000;
    timeline.warps = {warp};
    return timeline;
}

TEST(Timelines, WaitsForOwnProductsAreWorkUnderWay)
{
    const TimelineReport report = analyzeTimeline(waitForProducts());
    ASSERT_EQ(report.roles.size(), 1U);
    EXPECT_EQ(report.roles.front().name, "all warps");
    EXPECT_DOUBLE_EQ(report.roles.front().async, 0.8);
    EXPECT_DOUBLE_EQ(report.roles.front().path, 1);
    EXPECT_EQ(test::valueText(report.sentence), "\"0 80\"");
    EXPECT_THAT(report.waiting, IsEmpty());
}

TEST(Timelines, ABlockLastsUntilTheEndOfAWarpThatBeganLate)
{
    Timeline timeline;
    timeline.blockWarps = 2;
    for (const std::int64_t begin : {7000, 7500}) {
        WarpMarks& warp = timeline.warps.emplace_back();
        warp.warp = static_cast<int>(timeline.warps.size()) - 1;
        warp.beginCycle = begin;
        warp.endCycle = 1000;
    }
    EXPECT_EQ(analyzeTimeline(timeline).spanCycles, 1500);
}

TEST(Timelines, AWarpThatNeverEndsWaitsUntilItsBlocksLastSign)
{
    Timeline timeline = recordPipeline({});
    WarpMarks& stuck = timeline.warps.back();
    stuck.marks.resize(1);
    stuck.endCycle.reset();
    const TimelineReport report = analyzeTimeline(timeline);
    EXPECT_FALSE(report.roles.empty());
    ASSERT_EQ(report.notes.size(), 1U);
    EXPECT_TRUE(report.notes.front().starts_with("1 warp ")) << report.notes.front();
}

TEST(Timelines, LostBeginsAreSaidAndNotCounted)
{
    Timeline timeline = recordPipeline({.produce = 1000});
    for (WarpMarks& warp : timeline.warps) {
        warp.marks.erase(warp.marks.begin(), warp.marks.begin() + 31); // in the middle of a wait
        warp.lost = 31;
    }
    const TimelineReport report = analyzeTimeline(timeline);
    EXPECT_EQ(report.waitedFor, "producer");
    EXPECT_EQ(report.notes.size(), 1U);
    EXPECT_GT(roleNamed(report, "producer").segments.front().begin, 0);
}

TEST(Timelines, NothingRecordedHasNoFinding)
{
    const TimelineReport report = analyzeTimeline({});
    EXPECT_TRUE(report.roles.empty());
    EXPECT_EQ(test::valueText(report.sentence), "\"\"") << report.sentence;
}

TEST(Timelines, SnapshotOfTheSentences)
{
    std::string text;
    const auto add = [&](const std::string& name, const Timeline& timeline) {
        const TimelineReport report = analyzeTimeline(timeline);
        text += name + ": " + report.sentence + '\n';
        for (const std::string& note : report.notes)
            text += "  " + note + '\n';
    };
    add("a slow producer", recordPipeline({.produce = 1000}));
    add("a slow consumer", recordPipeline({.consume = {1000, 100}}));
    add("slow copies", recordPipeline({.produce = 10, .latency = 2000}));
    add("a balanced pipeline", recordPipeline({.produce = 995, .latency = 2, .consume = {1000, 998}, .tiles = 200}));
    add("turns", takeTurns(900, 100));
    add("own marks", recordOwnMarks(1000, 100));
    add("own products", waitForProducts());
    add("nothing", {});
    Timeline open = recordPipeline({});
    open.warps.front().lost = 3;
    for (std::size_t stuck = 1; stuck <= 2; ++stuck) {
        open.warps[open.warps.size() - stuck].endCycle.reset();
        add("a warp more that did not end", open);
    }
    test::expectSnapshot("texts/timelines.txt", text);
}

TEST(Timelines, OverheadIsMarkedOverPlain)
{
    Timeline timeline = recordPipeline({});
    for (int i = 0; i < 10; ++i)
        timeline.overhead.push_back({{100.0 + i % 2, 100}, {105.0 + i % 2, 105}});
    const TimelineReport report = analyzeTimeline(timeline);
    ASSERT_TRUE(report.overhead.has_value());
    EXPECT_NEAR(report.overhead->value, 1.05, 0.005);
    EXPECT_LE(report.overhead->low, report.overhead->value);
    EXPECT_GE(report.overhead->high, report.overhead->value);
}

TEST(Timelines, TracesHaveAnEventPerSegment)
{
    const Timeline timeline = recordPipeline({.tiles = 4});
    const Json trace = chromeTrace(timeline, "made up");
    std::size_t names = 0;
    std::size_t segments = 0;
    for (const Json& event : trace["traceEvents"]) {
        names += event["ph"] == "M" ? 1 : 0;
        segments += event["ph"] == "X" ? 1 : 0;
        if (event["ph"] == "X") {
            EXPECT_GT(event["dur"].get<double>(), 0);
        }
    }
    EXPECT_EQ(names, 1 + timeline.warps.size());
    EXPECT_GT(segments, timeline.warps.size());
    const Json json = reportToJson(analyzeTimeline(timeline));
    EXPECT_EQ(json["roles"].size(), 3U);
    EXPECT_TRUE(json["overhead"].is_null());
}

} // namespace
} // namespace kl
