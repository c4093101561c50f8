// SPDX-License-Identifier: MIT
// The plain values behind `kloop show` and the Diagnose page: roofline, memory chart, occupancy what-if.
#include "core/diagnosis/charts_codec.h"
#include "core/diagnosis/memory_chart.h"
#include "core/diagnosis/occupancy_what_if.h"
#include "core/diagnosis/roofline.h"
#include "tests/core/support/profiles.h"

#include <cstdint>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

TEST(RooflineOf, WithoutCountersTheCodeTellsItsArithmetic)
{
    RunRecord run = profile();
    run.metrics.reset();
    const auto computeOf = [&](std::map<std::string, std::int64_t> opcodes) {
        run.launches.front().opcodes.clear();
        for (const auto& [name, count] : opcodes)
            run.launches.front().opcodes[name] = static_cast<int>(count);
        return rooflineOf(run).compute;
    };
    EXPECT_EQ(computeOf({{"fma.f32", 2}, {"fma.f64", 3}}), "fp64");
    EXPECT_EQ(computeOf({{"fma.f32", 3}, {"fma.f64", 3}}), "fp32");
    EXPECT_EQ(computeOf({{"fma.f64", 3}, {"wgmma", 1}}), "tensor");
    EXPECT_EQ(computeOf({}), "fp32");
    run.launches.clear();
    EXPECT_EQ(rooflineOf(run).compute, "fp32");
}

TEST(RooflineOf, WithCountersTheKindThatTakesMostOfItsPeak)
{
    RunRecord run = profile();
    run.metrics->values["smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"] = 0.32e9; // 0.64 of 1.25 GFLOP, at half of the peak
    EXPECT_EQ(rooflineOf(run).compute, "fp64");
    EXPECT_DOUBLE_EQ(rooflineOf(run).reached.at("fp64"), 0.64e13);
    run.metrics->values["sm__ops_path_tensor_src_fp16.sum"] = 30e9;
    EXPECT_EQ(rooflineOf(run).compute, "tensor");
    EXPECT_DOUBLE_EQ(rooflineOf(run).reached.at("tensor"), 30e13);
    EXPECT_DOUBLE_EQ(*rooflineOf(run).executedFlops, 1.25e9 + 0.64e9 + 30e9);
}

TEST(RooflineOf, TheClockIsThatOfThePassElseOfTheTimingElseTheDevices)
{
    RunRecord run = profile();
    run.metrics->clockMhz.reset();
    run.timing->clockMhz = 1500;
    EXPECT_EQ(rooflineOf(run).clockMhz, 1500);
    EXPECT_EQ(rooflineOf(run).clockFrom, "the timing");
    run.timing->clockMhz.reset();
    run.device.clockMhz = 1700;
    EXPECT_EQ(rooflineOf(run).clockMhz, 1700);
    EXPECT_EQ(rooflineOf(run).clockFrom, "the device's maximum");
    run.timing.reset();
    EXPECT_EQ(rooflineOf(run).clockMhz, 1700);
}

TEST(RooflineOf, WithoutBytesOrTimeThereIsNoPoint)
{
    RunRecord run = profile();
    run.idealBytes = 0;
    Roofline roofline = rooflineOf(run);
    EXPECT_TRUE(std::ranges::none_of(roofline.points, [](const RooflinePoint& point) { return point.kind == "analytic"; }));
    EXPECT_FALSE(roofline.trafficAmplification);
    EXPECT_EQ(roofline.points.size(), 6U) << "useful and executed at three levels";
    run.metrics->values["lts__t_bytes.sum"] = 0.0;
    EXPECT_EQ(rooflineOf(run).points.size(), 4U);
    run.metrics->values.erase("gpu__time_duration.sum");
    run.timing.reset();
    for (LaunchFacts& launch : run.launches)
        launch.gpuNs.reset();
    roofline = rooflineOf(run);
    EXPECT_TRUE(roofline.points.empty());
    EXPECT_TRUE(roofline.reached.empty());
}

TEST(RooflineOf, WhatIsMissingIsListedByItsKind)
{
    const auto lists = [](const RunRecord& run, const char* what) {
        const std::vector<std::string> missing = rooflineOf(run).missing;
        return std::ranges::any_of(missing, [&](const std::string& one) { return one.starts_with(what); });
    };
    RunRecord run = profile();
    for (const char* what : {"executed FLOPs", "useful FLOPs", "DRAM traffic", "L2 traffic", "L1 traffic", "measured traffic"})
        EXPECT_FALSE(lists(run, what)) << what;
    run.flops = 0;
    EXPECT_TRUE(lists(run, "useful FLOPs"));
    run.metrics->values.erase("lts__t_bytes.sum");
    EXPECT_TRUE(lists(run, "L2 traffic"));
    EXPECT_FALSE(lists(run, "L1 traffic"));
    for (const char* op : {"fadd", "fmul", "ffma"})
        run.metrics->values.erase("smsp__sass_thread_inst_executed_op_" + std::string(op) + "_pred_on.sum");
    EXPECT_TRUE(lists(run, "executed FLOPs"));
    EXPECT_TRUE(lists(test::withoutCounters(run), "measured traffic") || lists(test::withoutCounters(run), "DRAM traffic"));
    run.metrics.reset();
    EXPECT_TRUE(lists(run, "measured traffic"));
}

TEST(MemoryChart, EveryFlowHasItsEndsAndItsFigures)
{
    RunRecord run = profile();
    auto& values = run.metrics->values;
    values["smsp__sass_inst_executed_op_global_st.sum"] = 2e6;
    values["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"] = 8.0;
    values["smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"] = 40.0;
    values["smsp__sass_inst_executed_op_global_atom.sum"] = 3.0;
    values["smsp__sass_inst_executed_op_global_red.sum"] = 4.0;
    values["smsp__sass_inst_executed_op_local_ld.sum"] = 5.0;
    values["smsp__sass_inst_executed_op_local_st.sum"] = 6.0;
    values["smsp__sass_inst_executed_op_shared.sum"] = 8.0;
    const MemoryChart chart = memoryChart(run);
    std::vector<std::string> flows;
    for (const MemoryFlow& flow : chart.flows)
        flows.push_back(flow.from + '>' + flow.to + ' ' + flow.what);
    EXPECT_EQ(flows,
              (std::vector<std::string>{"l1>sm global loads", "sm>l1 global stores", "sm>l1 atomics", "sm>l1 local memory",
                                        "sm>shared shared memory", "l2>l1 reads", "l1>l2 writes", "dram>l2 reads", "l2>dram writes"}));
    const auto value = [&](std::size_t flow, const char* name) { return figureOf(chart.flows[flow].figures, name)->value; };
    EXPECT_EQ(value(1, "requests"), 2e6);
    EXPECT_EQ(value(1, "sectors per request"), 8);
    EXPECT_EQ(value(1, "useful bytes"), 40);
    EXPECT_EQ(value(1, "bytes"), 2e6 * 8 * 32);
    EXPECT_EQ(value(2, "requests"), 7);
    EXPECT_EQ(value(3, "requests"), 11);
    EXPECT_EQ(value(4, "requests"), 8);
    EXPECT_FALSE(value(5, "bytes")) << "what L1 read was not counted";
    EXPECT_EQ(figureOf(chart.flows[5].figures, "bytes")->how, "l1tex__m_xbar2l1tex_read_bytes.sum");
    EXPECT_FALSE(figureOf(chart.flows[5].figures, "rate")->missing.empty());
    EXPECT_EQ(value(6, "bytes"), 2e6 * 8 * 32) << "stores write through";
    EXPECT_EQ(value(7, "bytes"), 6e6);
    EXPECT_EQ(value(8, "bytes"), 4e6);
    EXPECT_DOUBLE_EQ(*value(8, "rate"), 4e10);
    EXPECT_NEAR(*value(8, "of peak"), 100 * 4e10 / 4.8e12, 1e-9);
    EXPECT_NEAR(*value(6, "of peak"), 100 * (2e6 * 8 * 32 / 1e-4) / 10.28e12, 1e-9);
    EXPECT_EQ(chart.ns, 100e3);
    EXPECT_EQ(chart.launch, run.metrics->launch);
    values["l1tex__m_l1tex2xbar_write_bytes.sum"] = 77.0;
    EXPECT_EQ(figureOf(memoryChart(run).flows[6].figures, "bytes")->value, 77) << "counted by itself";
    values.erase("l1tex__m_l1tex2xbar_write_bytes.sum");
    values.erase("smsp__sass_inst_executed_op_global_st.sum");
    EXPECT_FALSE(figureOf(memoryChart(run).flows[6].figures, "bytes")->value);
    EXPECT_EQ(figureOf(memoryChart(run).flows[6].figures, "bytes")->how, "l1tex__m_l1tex2xbar_write_bytes.sum");
    values.erase("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio");
    const MemoryChart lacking = memoryChart(run);
    EXPECT_FALSE(figureOf(lacking.flows[0].figures, "bytes")->value);
    EXPECT_EQ(figureOf(lacking.flows[0].figures, "bytes")->missing, figureOf(lacking.flows[0].figures, "sectors per request")->missing);
}

TEST(MemoryChart, EveryUnitHasItsFigures)
{
    RunRecord run = profile();
    auto& values = run.metrics->values;
    values["sm__inst_issued.avg.pct_of_peak_sustained_elapsed"] = 11.0;
    values["sm__warps_active.avg.pct_of_peak_sustained_active"] = 12.0;
    values["l1tex__t_sector_hit_rate.pct"] = 13.0;
    values["l1tex__throughput.avg.pct_of_peak_sustained_elapsed"] = 14.0;
    values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 15.0;
    values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = 5.0;
    values["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 5.0;
    values["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = 16.0;
    values["lts__t_requests_srcunit_tex.sum"] = 17.0;
    values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 18.0;
    std::map<std::string, std::optional<double>> figures;
    for (const MemoryUnit& unit : memoryChart(run).units)
        for (const MemoryFigure& figure : unit.figures)
            figures[unit.id + ' ' + figure.name] = figure.value;
    EXPECT_EQ(figures, (std::map<std::string, std::optional<double>>{{"sm issue slots", 11},
                                                                     {"sm occupancy", 12},
                                                                     {"l1 hit rate", 13},
                                                                     {"l1 busy", 14},
                                                                     {"l1 bytes", 64e6},
                                                                     {"shared wavefronts", 20},
                                                                     {"shared bank conflicts", 25},
                                                                     {"l2 hit rate", 75},
                                                                     {"l2 busy", 16},
                                                                     {"l2 bytes", 40e6},
                                                                     {"l2 requests", 17},
                                                                     {"dram busy", 18}}));
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
} // namespace kl
