// SPDX-License-Identifier: MIT
// The occupancy what-if behind `kloop show` and the Diagnose page, and all their charts as JSON.
#include "core/diagnosis/charts_codec.h"
#include "core/diagnosis/memory_chart.h"
#include "core/diagnosis/occupancy_what_if.h"
#include "core/diagnosis/roofline.h"
#include "tests/core/support/charted_profile.h"
#include "tests/core/support/profiles.h"
#include "tests/support/snapshot.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

namespace kl::test {
namespace {

TEST(OccupancyWhatIf, NamesTheLimiterAndTheSmallestChanges)
{
    RunRecord run = profile();
    run.launches = {{"k", 1000, 256, 168, 0, 0, 0, 1, 12.5, "registers", 1.0, 100e3, {}}};
    run.experiments = {{"half-occupancy", "", 1.9, 10, ""}};
    const auto whatIf = occupancyWhatIf(run);
    ASSERT_TRUE(whatIf);
    EXPECT_EQ(whatIf->now.limiter, "registers");
    EXPECT_EQ(whatIf->terms.byRegisters, whatIf->now.blocksPerSm);
    ASSERT_FALSE(whatIf->levers.empty());
    EXPECT_EQ(whatIf->levers.front().input, OccupancyInput::registers);
    EXPECT_GT(whatIf->levers.front().gives.percent, whatIf->now.percent);
    EXPECT_EQ(whatIf->halvedTakes, 1.9);
    run.launches.clear();
    EXPECT_FALSE(occupancyWhatIf(run));
}

TEST(OccupancyWhatIf, CountsStaticAndDynamicSharedMemoryAndTheExperimentOfThatName)
{
    RunRecord run = profile();
    ASSERT_FALSE(run.launches.empty());
    run.launches.front().registers = 32;
    run.launches.front().staticSmem = 1000;
    run.launches.front().dynamicSmem = 24;
    run.experiments = {{"half-occupancy", "", 1.5, 10, ""}, {"half-grid", "", 0.5, 10, ""}};
    const std::optional<OccupancyWhatIf> whatIf = occupancyWhatIf(run);
    ASSERT_TRUE(whatIf);
    EXPECT_EQ(whatIf->needs.smem, 1024);
    EXPECT_EQ(whatIf->halvedTakes, 1.5);
}

TEST(ChartsJson, MissingFiguresAreNullWithTheirReason)
{
    const Json json = toJson(memoryChart(test::withoutCounters(profile())));
    std::set<std::string> reasons;
    for (const Json& flow : json["flows"])
        for (const Json& figure : flow["figures"]) {
            EXPECT_TRUE(figure["value"].is_null());
            reasons.insert(figure["missing"].get<std::string>());
        }
    EXPECT_EQ(reasons.size(), 1U) << "that there are no counters";
    EXPECT_FALSE(reasons.contains(""));
    const Json roofline = toJson(computeRoofline(profile()));
    EXPECT_EQ(roofline["points"][1]["level"], "dram");
    EXPECT_DOUBLE_EQ(roofline["traffic_amplification"].get<double>(), 1.25);
}

/// Why figures of both charts are missing, each reason once.
std::string listReasons(const RunRecord& run)
{
    std::set<std::string> reasons;
    const MemoryChart chart = memoryChart(run);
    for (const MemoryUnit& unit : chart.units)
        for (const MemoryFigure& figure : unit.figures)
            reasons.insert(figure.missing);
    for (const MemoryFlow& flow : chart.flows)
        for (const MemoryFigure& figure : flow.figures)
            reasons.insert(figure.missing);
    const Roofline roofline = computeRoofline(run);
    for (const std::string& missing : roofline.missing)
        reasons.insert("roofline: " + missing);
    std::string text;
    for (const std::string& reason : reasons)
        if (!reason.empty())
            text += "  " + reason + '\n';
    return text;
}

TEST(ChartsJson, SnapshotOfTheReasonsOfMissingFigures)
{
    RunRecord run = profile();
    std::string text = "without counters\n" + listReasons(test::withoutCounters(run));
    run.metrics->values.clear();
    run.metrics->missing.clear();
    for (const int tier : {0, 3}) {
        run.metrics->tier = tier;
        text += "no metric of tier " + std::to_string(tier) + '\n' + listReasons(run);
    }
    run.imported.emplace();
    text += "an imported run\n" + listReasons(run);
    run = profile();
    run.device = {};
    run.flops = 0;
    run.timing.reset();
    run.metrics->values.erase("gpu__time_duration.sum");
    for (LaunchFacts& launch : run.launches)
        launch.gpuNs.reset();
    text += "a GPU that is not known, without a time\n" + listReasons(run);
    expectSnapshot("texts/missing-figures.txt", text);
}

TEST(ChartsJson, ARooflineHasEveryMember)
{
    Roofline roofline;
    roofline.clockMhz = 1980;
    roofline.clockFrom = "the timing";
    roofline.compute = "fp32";
    roofline.roofs = {{"DRAM 4.8 TB/s", 4.8e12, true, true, MemoryLevel::dram, "dram", true},
                      {"FP32", 67e12, false, false, {}, "fp32", false}};
    roofline.points = {{"k", 10, 1e13, true, MemoryLevel::l1, "executed"},
                       {"k", 20, 2e13, false, MemoryLevel::dram, "analytic"},
                       {"k", 30, 3e13, true, MemoryLevel::l2, "useful"}};
    roofline.reached = {{"l2", 4e12}};
    roofline.flops = 1;
    roofline.executedFlops = 2;
    roofline.trafficAmplification = 3;
    roofline.flopAmplification = 4;
    roofline.missing = {"L1"};
    EXPECT_EQ(toJson(roofline), Json::parse(R"({"clock_mhz": 1980.0, "clock_from": "the timing", "compute": "fp32",
        "roofs": [{"id": "dram", "label": "DRAM 4.8 TB/s", "value": 4.8e12, "unit": "byte/s", "slanted": true, "measured": true,
                   "reached_here": true},
                  {"id": "fp32", "label": "FP32", "value": 67e12, "unit": "flop/s", "slanted": false, "measured": false,
                   "reached_here": false}],
        "points": [{"kind": "executed", "level": "l1", "intensity": 10.0, "flops_per_second": 1e13, "bytes": "measured"},
                   {"kind": "analytic", "level": "dram", "intensity": 20.0, "flops_per_second": 2e13, "bytes": "formula"},
                   {"kind": "useful", "level": "l2", "intensity": 30.0, "flops_per_second": 3e13, "bytes": "measured"}],
        "reached": {"l2": 4e12}, "flops": 1.0, "executed_flops": 2.0, "traffic_amplification": 3.0, "flop_amplification": 4.0,
        "missing": ["L1"]})"));
    EXPECT_TRUE(toJson(Roofline{})["flops"].is_null());
}

TEST(ChartsJson, AMemoryChartAndAWhatIfHaveEveryMember)
{
    MemoryChart chart;
    chart.launch = "k";
    chart.ns = 7;
    chart.units = {{"l2", "L2 cache", {{"busy", 16.0, "%", "metric", ""}}}};
    chart.flows = {{"l2", "dram", "writes", {{"bytes", std::nullopt, "bytes", "other", "why"}}}};
    EXPECT_EQ(toJson(chart), Json::parse(R"({"launch": "k", "ns": 7.0,
        "units": [{"id": "l2", "title": "L2 cache",
                   "figures": [{"name": "busy", "value": 16.0, "unit": "%", "how": "metric", "missing": null}]}],
        "flows": [{"from": "l2", "to": "dram", "what": "writes",
                   "figures": [{"name": "bytes", "value": null, "unit": "bytes", "how": "other", "missing": "why"}]}]})"));
    OccupancyWhatIf whatIf;
    whatIf.launch = "k";
    whatIf.needs = {256, 72, 1024};
    whatIf.now = {3, 37.5, "registers"};
    whatIf.terms = {1, 2, 3, 4};
    whatIf.levers = {{OccupancyInput::registers, 72, 64, {4, 50, "registers"}}};
    whatIf.achieved = 30;
    whatIf.halvedTakes = 1.5;
    EXPECT_EQ(toJson(whatIf), Json::parse(R"({"launch": "k", "block_threads": 256, "registers": 72, "smem": 1024,
        "now": {"blocks": 3, "percent": 37.5, "limiter": "registers"},
        "terms": {"registers": 1, "shared_memory": 2, "warps": 3, "blocks": 4}, "achieved": 30.0, "half_occupancy_ratio": 1.5,
        "levers": [{"change": "registers", "from": 72, "to": 64, "gives": {"blocks": 4, "percent": 50.0, "limiter": "registers"}}]})"));
}

TEST(ChartsJson, StallsAreListedLargestFirstWithWhatTheyMean)
{
    RunRecord run = profile();
    run.metrics->values["smsp__average_warp_latency_per_inst_issued.ratio"] = 20.0;
    run.metrics->values["smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"] = 5.0;
    run.metrics->values["smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"] = 10.0;
    const Json stalls = stallsToJson(run);
    ASSERT_EQ(stalls.size(), 2U);
    EXPECT_EQ(stalls[0]["id"], "barrier");
    EXPECT_EQ(stalls[0]["title"], "barrier");
    EXPECT_EQ(stalls[0]["percent"], 50.0);
    EXPECT_FALSE(stalls[0]["help"].get<std::string>().empty());
    EXPECT_EQ(stalls[1]["id"], "wait");
    EXPECT_EQ(stalls[1]["percent"], 25.0);
}

} // namespace
} // namespace kl::test
