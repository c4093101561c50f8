// SPDX-License-Identifier: MIT
// The plain values behind `kloop show` and the Diagnose page: roofline, memory chart, occupancy what-if.
#include "core/diagnosis/charts_codec.h"
#include "core/diagnosis/memory_chart.h"
#include "core/diagnosis/occupancy_what_if.h"
#include "core/diagnosis/roofline.h"
#include "tests/core/support/profiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// 1e9 FLOPs by formula, 1.25e9 executed in 100 µs; 8 MB needed, 10 MB of DRAM, 40 MB of L2 and 64 MB of L1 traffic.
RunRecord profile()
{
    RunRecord run = test::h200Run("user/k", 100, 8e6, 1e9);
    MetricSet metrics;
    metrics.clockMhz = 1980;
    metrics.launch = run.launches.empty() ? "" : run.launches.front().entry;
    metrics.values = {{"gpu__time_duration.sum", 100e3},
                      {"dram__bytes_read.sum", 6e6},
                      {"dram__bytes_write.sum", 4e6},
                      {"lts__t_bytes.sum", 40e6},
                      {"l1tex__t_sectors.sum", 2e6},
                      {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0.25e9},
                      {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0.0},
                      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0.5e9},
                      {"smsp__sass_inst_executed_op_global_ld.sum", 1e6},
                      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 4.0},
                      {"smsp__sass_inst_executed_op_global_st.sum", 0.0},
                      {"lts__t_sector_hit_rate.pct", 75.0}};
    run.metrics = metrics;
    return run;
}

const MemoryFigure* figureOf(const std::vector<MemoryFigure>& figures, const std::string& name)
{
    const auto found = std::ranges::find(figures, name, &MemoryFigure::name);
    return found == figures.end() ? nullptr : &*found;
}

const MemoryFlow* flowOf(const MemoryChart& chart, const std::string& from, const std::string& to)
{
    const auto found = std::ranges::find_if(chart.flows, [&](const MemoryFlow& flow) { return flow.from == from && flow.to == to; });
    return found == chart.flows.end() ? nullptr : &*found;
}

TEST(RooflineOf, HasNominalAndMeasuredRoofsOfEveryLevelAtTheClockOfThePass)
{
    const Roofline roofline = rooflineOf(profile());
    EXPECT_EQ(roofline.clockMhz, 1980);
    EXPECT_EQ(roofline.clockFrom, "the counted pass");
    for (const char* id : {"dram", "l2", "l1", "fp64", "fp32", "tensor"})
        for (const bool measured : {false, true})
            ASSERT_NE(roofOf(roofline, id, measured), nullptr) << id << ' ' << measured;
    EXPECT_NEAR(roofOf(roofline, "l1")->value, 128.0 * 132 * 1980e6, 1e9); // bytes per clock x SMs x clock
    for (const char* id : {"dram", "l2", "l1", "fp64", "fp32", "tensor"})
        EXPECT_LE(roofOf(roofline, id, true)->value, 1.01 * roofOf(roofline, id)->value) << id << ": measured above the nominal roof";
    EXPECT_NE(roofOf(roofline, "fp32")->label.find("1\u202f980\u202fMHz"), std::string::npos) << roofOf(roofline, "fp32")->label;
    EXPECT_EQ(roofOf(roofline, "tensor", true)->label.find("MHz"), std::string::npos) << "held by power: not brought to the pass's clock";
}

TEST(RooflineOf, PlacesUsefulAndExecutedWorkAtEveryLevel)
{
    const Roofline roofline = rooflineOf(profile());
    EXPECT_EQ(roofline.compute, "fp32");
    const RooflinePoint* dram = mainPoint(roofline, MemoryLevel::dram);
    ASSERT_NE(dram, nullptr);
    EXPECT_EQ(dram->kind, "useful");
    EXPECT_DOUBLE_EQ(dram->intensity, 100);       // 1e9 FLOP / 10 MB
    EXPECT_DOUBLE_EQ(dram->flopsPerSecond, 1e13); // 1e9 FLOP / 100 µs
    EXPECT_DOUBLE_EQ(mainPoint(roofline, MemoryLevel::l2)->intensity, 25);
    EXPECT_NEAR(mainPoint(roofline, MemoryLevel::l1)->intensity, 15.625, 1e-9);
    EXPECT_DOUBLE_EQ(roofline.reached.at("l2"), 4e11);
    EXPECT_DOUBLE_EQ(roofline.reached.at("fp32"), 1.25e13);
    EXPECT_DOUBLE_EQ(*roofline.trafficAmplification, 1.25);
    EXPECT_DOUBLE_EQ(*roofline.flopAmplification, 1.25);
}

TEST(RooflineOf, ARoofThatTheKernelExceedsBecomesWhatItReached)
{
    RunRecord run = profile();
    run.metrics->values["lts__t_bytes.sum"] = 1.0e9; // 10 TB/s: above what was measured on the product, below its nominal roof
    const Roofline roofline = rooflineOf(run);
    const Roof* measured = roofOf(roofline, "l2", true);
    EXPECT_TRUE(measured->reachedHere);
    EXPECT_DOUBLE_EQ(measured->value, 1e13);
    EXPECT_FALSE(roofOf(roofline, "l2")->reachedHere);
    EXPECT_FALSE(roofOf(roofline, "dram", true)->reachedHere);
    run.metrics->values["lts__t_bytes.sum"] = 1.2e9;
    const Roofline above = rooflineOf(run);
    for (const bool kind : {false, true})
        EXPECT_DOUBLE_EQ(roofOf(above, "l2", kind)->value, 1.2e13) << "never more than 100 %";
    const Json json = toJson(above);
    EXPECT_TRUE(std::ranges::any_of(json["roofs"], [](const Json& roof) { return roof["id"] == "l2" && roof["reached_here"] == true; }));
}

TEST(RooflineOf, WithoutCountersTheFormulasPointIsLeftAndTheRestIsReportedMissing)
{
    RunRecord run = profile();
    run.metrics.reset();
    const Roofline roofline = rooflineOf(run);
    ASSERT_EQ(roofline.points.size(), 1U);
    EXPECT_EQ(roofline.points.front().kind, "analytic");
    EXPECT_FALSE(roofline.points.front().measured);
    EXPECT_FALSE(roofline.trafficAmplification);
    EXPECT_FALSE(roofline.missing.empty());
    EXPECT_EQ(mainPoint(roofline, MemoryLevel::l1), nullptr);
}

TEST(RooflineOf, TheWorkOfSeveralLaunchesIsNotSetAgainstTheTrafficOfOne)
{
    RunRecord run = profile();
    run.launches.resize(2);
    const Roofline roofline = rooflineOf(run);
    EXPECT_FALSE(roofline.trafficAmplification);
    EXPECT_FALSE(roofline.flopAmplification);
    for (const RooflinePoint& point : roofline.points)
        EXPECT_NE(point.kind, "useful");
    EXPECT_EQ(mainPoint(roofline, MemoryLevel::l2)->kind, "executed");
}

TEST(RooflineOf, AKernelWithoutAFormulaStandsWhereItsInstructionsPutIt)
{
    RunRecord run = profile();
    run.flops = 0;
    const Roofline roofline = rooflineOf(run);
    ASSERT_NE(mainPoint(roofline, MemoryLevel::dram), nullptr);
    EXPECT_EQ(mainPoint(roofline, MemoryLevel::dram)->kind, "executed");
    EXPECT_DOUBLE_EQ(mainPoint(roofline, MemoryLevel::dram)->intensity, 125);
    EXPECT_FALSE(roofline.flopAmplification);
}

TEST(RooflineOf, AReportThatHasRatesACycleInPlaceOfCountsStandsWhereItsCountsWouldPutIt)
{
    RunRecord run = profile();
    run.flops = 0;
    const double executed = *rooflineOf(run).executedFlops;
    auto& values = run.metrics->values;
    const double cycles = 198000; // 100 µs at 1.98 GHz
    for (auto at = values.begin(); at != values.end();)
        if (at->first.starts_with("smsp__sass_thread_inst_executed_op_") && at->first.ends_with("_pred_on.sum")) {
            values[at->first + ".per_cycle_elapsed"] = *at->second / cycles;
            at = values.erase(at);
        } else {
            ++at;
        }
    EXPECT_FALSE(rooflineOf(run).executedFlops) << "a rate without its cycles says nothing";
    values["smsp__cycles_elapsed.avg.per_second"] = 1.98e9;
    EXPECT_NEAR(rooflineOf(run).executedFlops.value_or(0), executed, 1e-6 * executed);
    values["smsp__cycles_elapsed.avg"] = 2 * cycles;
    EXPECT_NEAR(rooflineOf(run).executedFlops.value_or(0), 2 * executed, 1e-6 * executed) << "counted cycles before those of the clock";
    EXPECT_EQ(mainPoint(rooflineOf(run), MemoryLevel::dram)->kind, "executed");
}

TEST(RooflineOf, ConversionsOfHalvesAreNoWork)
{
    RunRecord run = profile();
    run.metrics->values["smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"] = 1e9;   // HADD2.F32: halves made floats
    run.metrics->values["smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"] = 0.1e9; // HFMA2: a constant
    run.launches.front().opcodes.clear();
    EXPECT_DOUBLE_EQ(*rooflineOf(run).executedFlops, 3.65e9) << "code that is not known counts as Nsight Compute counts it";
    run.launches.front().opcodes = {{"fma.f32", 8}, {"cvt", 16}};
    EXPECT_DOUBLE_EQ(*rooflineOf(run).executedFlops, 1.25e9);
    EXPECT_DOUBLE_EQ(*rooflineOf(run).flopAmplification, 1.25);
    run.launches.front().opcodes["fma.f16"] = 1;
    EXPECT_DOUBLE_EQ(*rooflineOf(run).executedFlops, 3.65e9);
}

TEST(RooflineOf, AnUnknownGpuHasNoRoofsAndSaysSo)
{
    RunRecord run = profile();
    run.device.name = "Prototype";
    run.device.ccMajor = 99;
    run.device.memoryClockMhz = 0;
    const Roofline roofline = rooflineOf(run);
    EXPECT_TRUE(roofline.roofs.empty());
    EXPECT_GE(roofline.missing.size(), 6U);
    EXPECT_FALSE(roofline.points.empty());
}

TEST(MemoryChart, FollowsTheBytesFromLevelToLevel)
{
    const MemoryChart chart = memoryChart(profile());
    ASSERT_EQ(chart.units.size(), 5U);
    const MemoryFlow* loads = flowOf(chart, "l1", "sm");
    ASSERT_NE(loads, nullptr);
    EXPECT_DOUBLE_EQ(*figureOf(loads->figures, "requests")->value, 1e6);
    EXPECT_DOUBLE_EQ(*figureOf(loads->figures, "bytes")->value, 1e6 * 4 * 32);
    const MemoryFlow* dram = flowOf(chart, "dram", "l2");
    ASSERT_NE(dram, nullptr);
    EXPECT_DOUBLE_EQ(*figureOf(dram->figures, "rate")->value, 6e10); // 6 MB / 100 µs
    EXPECT_NEAR(*figureOf(dram->figures, "of peak")->value, 1.25, 1e-9);
}

TEST(MemoryChart, AccessesThatWereNotMadeHaveNoUsefulBytes)
{
    RunRecord run = profile(); // no stores
    run.metrics->values["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"] = 16;
    run.metrics->values["smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"] = 0;
    const MemoryChart chart = memoryChart(run);
    const MemoryFlow* stores = flowOf(chart, "sm", "l1");
    ASSERT_NE(stores, nullptr);
    EXPECT_DOUBLE_EQ(*figureOf(stores->figures, "bytes")->value, 0);
    EXPECT_EQ(figureOf(stores->figures, "sectors per request"), nullptr);
    EXPECT_EQ(figureOf(stores->figures, "useful bytes"), nullptr);
    EXPECT_DOUBLE_EQ(*figureOf(flowOf(chart, "l1", "l2")->figures, "bytes")->value, 0) << "stores write through";
    run.metrics->values["smsp__sass_inst_executed_op_global_st.sum"] = 1e6;
    EXPECT_DOUBLE_EQ(*figureOf(flowOf(memoryChart(run), "sm", "l1")->figures, "useful bytes")->value, 0);
}

TEST(MemoryChart, WhatWasNotMeasuredHasAReasonAndNoValue)
{
    RunRecord run = profile();
    run.metrics->missing["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = "left out: too many passes";
    for (const MemoryChart& chart : {memoryChart(run), memoryChart(test::withoutCounters(run))}) {
        const auto check = [](const std::vector<MemoryFigure>& figures) {
            for (const MemoryFigure& figure : figures)
                EXPECT_EQ(figure.value.has_value(), figure.missing.empty()) << figure.name << ": " << figure.missing;
        };
        for (const MemoryUnit& unit : chart.units)
            check(unit.figures);
        for (const MemoryFlow& flow : chart.flows)
            check(flow.figures);
    }
    const MemoryChart chart = memoryChart(run);
    EXPECT_EQ(figureOf(chart.units[3].figures, "busy")->missing, "left out: too many passes");
    EXPECT_EQ(figureOf(chart.units[3].figures, "requests")->missing, "section MemoryWorkload collects it");
    EXPECT_EQ(*figureOf(chart.units[3].figures, "hit rate")->value, 75);
}

TEST(MemoryChart, CuptisOwnBytesBetweenL1AndL2AreTakenWhereTheyWereCollected)
{
    RunRecord run = profile();
    run.metrics->values["lts__t_sectors_op_read.sum"] = 1e6;
    EXPECT_DOUBLE_EQ(*figureOf(flowOf(memoryChart(run), "l2", "l1")->figures, "bytes")->value, 32e6);
    run.metrics->values["l1tex__m_xbar2l1tex_read_bytes.sum"] = 31e6;
    EXPECT_DOUBLE_EQ(*figureOf(flowOf(memoryChart(run), "l2", "l1")->figures, "bytes")->value, 31e6);
}

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

TEST(ChartsJson, MissingFiguresAreNullWithTheirReason)
{
    const Json json = toJson(memoryChart(test::withoutCounters(profile())));
    for (const Json& flow : json["flows"])
        for (const Json& figure : flow["figures"]) {
            EXPECT_TRUE(figure["value"].is_null());
            EXPECT_EQ(figure["missing"], "the run has no hardware counters");
        }
    const Json roofline = toJson(rooflineOf(profile()));
    EXPECT_EQ(roofline["points"][1]["level"], "dram");
    EXPECT_DOUBLE_EQ(roofline["traffic_amplification"].get<double>(), 1.25);
}

TEST(RooflineOf, TrafficBelowTheLeastIsNotedWhereItIsMoreThanACountingError)
{
    Roofline roofline;
    EXPECT_EQ(amplificationNote(roofline), "");
    roofline.trafficAmplification = 0.95;
    EXPECT_EQ(amplificationNote(roofline), "");
    roofline.trafficAmplification = 0.949;
    EXPECT_NE(amplificationNote(roofline), "");
}

TEST(RooflineOf, EachLevelHasItsBytes)
{
    RunRecord run = profile();
    EXPECT_EQ(bytesAt(run, MemoryLevel::dram), 10e6);
    EXPECT_EQ(bytesAt(run, MemoryLevel::l2), 40e6);
    EXPECT_EQ(bytesAt(run, MemoryLevel::l1), 64e6);
    run.metrics->values.erase("dram__bytes_write.sum");
    EXPECT_FALSE(bytesAt(run, MemoryLevel::dram)) << "half of the traffic is none";
    EXPECT_EQ(roofKind(MemoryLevel::l2).id, "l2");
    EXPECT_EQ(titleFor(MemoryLevel::l1), "L1");
}

TEST(MemoryChart, AReasonIsThereOnceWithWhatItPrevents)
{
    RunRecord run = profile();
    const auto all = missingOf(memoryChart(run));
    ASSERT_FALSE(all.empty());
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_FALSE(all[i].first.empty());
        EXPECT_FALSE(all[i].second.empty());
        for (std::size_t k = i + 1; k < all.size(); ++k)
            EXPECT_NE(all[i].first, all[k].first);
        for (std::size_t k = 0; k < all[i].second.size(); ++k) {
            EXPECT_TRUE(std::find(all[i].second.begin() + static_cast<std::ptrdiff_t>(k) + 1, all[i].second.end(), all[i].second[k]) ==
                        all[i].second.end())
                << all[i].second[k];
            EXPECT_FALSE(all[i].second[k].ends_with(" rate") && !all[i].second[k].ends_with("hit rate")) << all[i].second[k];
            EXPECT_FALSE(all[i].second[k].ends_with("of peak")) << all[i].second[k];
        }
    }
    run.metrics.reset();
    const auto bare = missingOf(memoryChart(run));
    ASSERT_EQ(bare.size(), 1U) << "one reason for all";
    EXPECT_EQ(std::ranges::count(bare.front().second, "DRAM busy"), 1);
}

TEST(MemoryChart, ThePeaksAreThoseAtTheClockOfTheCountedPass)
{
    RunRecord run = profile();
    const auto shareOfLoads = [&] {
        const MemoryChart chart = memoryChart(run);
        return figureOf(flowOf(chart, "l1", "sm")->figures, "of peak")->value.value_or(0);
    };
    const double fast = shareOfLoads();
    run.metrics->clockMhz = 990;
    EXPECT_NEAR(shareOfLoads(), 2 * fast, 1e-9);
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

TEST(MemoryChart, WhatIsMissingIsSaidToBeOfAnotherTierOrNotOfTheReport)
{
    RunRecord run = profile();
    run.metrics->values.clear();
    run.metrics->missing.clear();
    const auto ofATier = [&] {
        const auto all = missingOf(memoryChart(run));
        return std::ranges::count_if(all, [](const auto& reason) { return reason.first.starts_with("tier "); });
    };
    run.metrics->tier = 0;
    EXPECT_GT(ofATier(), 0);
    run.metrics->tier = 3;
    EXPECT_EQ(ofATier(), 0);
    run.imported.emplace();
    const auto all = missingOf(memoryChart(run));
    EXPECT_EQ(all.size(), 1U) << "the report does not contain them";
    run.metrics->missing = {{"dram__bytes_read.sum", "not on this chip"}};
    EXPECT_EQ(missingOf(memoryChart(run)).size(), 2U);
}

} // namespace
} // namespace kl
