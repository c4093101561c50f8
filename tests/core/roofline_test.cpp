// SPDX-License-Identifier: MIT
// The roofline behind `kloop show` and the Diagnose page: its roofs, its points, and what it misses.
#include "core/diagnosis/charts_codec.h"
#include "core/diagnosis/roofline.h"
#include "tests/core/support/charted_profile.h"
#include "tests/core/support/profiles.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace kl::test {
namespace {

TEST(RooflineOf, HasNominalAndMeasuredRoofsOfEveryLevelAtTheClockOfThePass)
{
    const Roofline roofline = computeRoofline(profile());
    EXPECT_EQ(roofline.clockMhz, 1980);
    for (const char* id : {"dram", "l2", "l1", "fp64", "fp32", "tensor"})
        for (const bool measured : {false, true})
            ASSERT_NE(findRoof(roofline, id, measured), nullptr) << id << ' ' << measured;
    EXPECT_NEAR(findRoof(roofline, "l1")->value, 128.0 * 132 * 1980e6, 1e9); // bytes per clock x SMs x clock
    for (const char* id : {"dram", "l2", "l1", "fp64", "fp32", "tensor"})
        EXPECT_LE(findRoof(roofline, id, true)->value, 1.01 * findRoof(roofline, id)->value) << id << ": measured above the nominal roof";
    EXPECT_NE(findRoof(roofline, "fp32")->label.find("1980\u202fMHz"), std::string::npos) << findRoof(roofline, "fp32")->label;
    EXPECT_EQ(findRoof(roofline, "tensor", true)->label.find("MHz"), std::string::npos) << "held by power: not brought to the pass's clock";
}

TEST(RooflineOf, PlacesUsefulAndExecutedWorkAtEveryLevel)
{
    const Roofline roofline = computeRoofline(profile());
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
    const Roofline roofline = computeRoofline(run);
    const Roof* measured = findRoof(roofline, "l2", true);
    EXPECT_TRUE(measured->reachedHere);
    EXPECT_DOUBLE_EQ(measured->value, 1e13);
    EXPECT_FALSE(findRoof(roofline, "l2")->reachedHere);
    EXPECT_FALSE(findRoof(roofline, "dram", true)->reachedHere);
    run.metrics->values["lts__t_bytes.sum"] = 1.2e9;
    const Roofline above = computeRoofline(run);
    for (const bool kind : {false, true})
        EXPECT_DOUBLE_EQ(findRoof(above, "l2", kind)->value, 1.2e13) << "never more than 100 %";
    const Json json = toJson(above);
    EXPECT_TRUE(std::ranges::any_of(json["roofs"], [](const Json& roof) { return roof["id"] == "l2" && roof["reached_here"] == true; }));
}

TEST(RooflineOf, WithoutCountersTheFormulasPointIsLeftAndTheRestIsReportedMissing)
{
    RunRecord run = profile();
    run.metrics.reset();
    const Roofline roofline = computeRoofline(run);
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
    const Roofline roofline = computeRoofline(run);
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
    const Roofline roofline = computeRoofline(run);
    ASSERT_NE(mainPoint(roofline, MemoryLevel::dram), nullptr);
    EXPECT_EQ(mainPoint(roofline, MemoryLevel::dram)->kind, "executed");
    EXPECT_DOUBLE_EQ(mainPoint(roofline, MemoryLevel::dram)->intensity, 125);
    EXPECT_FALSE(roofline.flopAmplification);
}

TEST(RooflineOf, AReportThatHasRatesACycleInPlaceOfCountsStandsWhereItsCountsWouldPutIt)
{
    RunRecord run = profile();
    run.flops = 0;
    const double executed = *computeRoofline(run).executedFlops;
    auto& values = run.metrics->values;
    const double cycles = 198000; // 100 µs at 1.98 GHz
    for (auto at = values.begin(); at != values.end();)
        if (at->first.starts_with("smsp__sass_thread_inst_executed_op_") && at->first.ends_with("_pred_on.sum")) {
            values[at->first + ".per_cycle_elapsed"] = *at->second / cycles;
            at = values.erase(at);
        } else {
            ++at;
        }
    EXPECT_FALSE(computeRoofline(run).executedFlops) << "a rate without its cycles says nothing";
    values["smsp__cycles_elapsed.avg.per_second"] = 1.98e9;
    EXPECT_NEAR(computeRoofline(run).executedFlops.value_or(0), executed, 1e-6 * executed);
    values["smsp__cycles_elapsed.avg"] = 2 * cycles;
    EXPECT_NEAR(computeRoofline(run).executedFlops.value_or(0), 2 * executed, 1e-6 * executed)
        << "counted cycles before those of the clock";
    EXPECT_EQ(mainPoint(computeRoofline(run), MemoryLevel::dram)->kind, "executed");
}

TEST(RooflineOf, ConversionsOfHalvesAreNoWork)
{
    RunRecord run = profile();
    run.metrics->values["smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"] = 1e9;   // HADD2.F32: halves made floats
    run.metrics->values["smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"] = 0.1e9; // HFMA2: a constant
    run.launches.front().opcodes.clear();
    EXPECT_DOUBLE_EQ(*computeRoofline(run).executedFlops, 3.65e9) << "code that is not known counts as Nsight Compute counts it";
    run.launches.front().opcodes = {{"fma.f32", 8}, {"cvt", 16}};
    EXPECT_DOUBLE_EQ(*computeRoofline(run).executedFlops, 1.25e9);
    EXPECT_DOUBLE_EQ(*computeRoofline(run).flopAmplification, 1.25);
    run.launches.front().opcodes["fma.f16"] = 1;
    EXPECT_DOUBLE_EQ(*computeRoofline(run).executedFlops, 3.65e9);
}

TEST(RooflineOf, AnUnknownGpuHasNoRoofsAndSaysSo)
{
    RunRecord run = profile();
    run.device.name = "Prototype";
    run.device.ccMajor = 99;
    run.device.memoryClockMhz = 0;
    const Roofline roofline = computeRoofline(run);
    EXPECT_TRUE(roofline.roofs.empty());
    EXPECT_GE(roofline.missing.size(), 6U);
    EXPECT_FALSE(roofline.points.empty());
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

TEST(RooflineOf, WithoutCountersTheCodeTellsItsArithmetic)
{
    RunRecord run = profile();
    run.metrics.reset();
    const auto classifyCompute = [&](const std::map<std::string, std::int64_t>& opcodes) {
        run.launches.front().opcodes.clear();
        for (const auto& [name, count] : opcodes)
            run.launches.front().opcodes[name] = static_cast<int>(count);
        return computeRoofline(run).compute;
    };
    EXPECT_EQ(classifyCompute({{"fma.f32", 2}, {"fma.f64", 3}}), "fp64");
    EXPECT_EQ(classifyCompute({{"fma.f32", 3}, {"fma.f64", 3}}), "fp32");
    EXPECT_EQ(classifyCompute({{"fma.f64", 3}, {"wgmma", 1}}), "tensor");
    EXPECT_EQ(classifyCompute({}), "fp32");
    run.launches.clear();
    EXPECT_EQ(computeRoofline(run).compute, "fp32");
}

TEST(RooflineOf, WithCountersTheKindThatTakesMostOfItsPeak)
{
    RunRecord run = profile();
    run.metrics->values["smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"] = 0.32e9; // 0.64 of 1.25 GFLOP, at half of the peak
    EXPECT_EQ(computeRoofline(run).compute, "fp64");
    EXPECT_DOUBLE_EQ(computeRoofline(run).reached.at("fp64"), 0.64e13);
    run.metrics->values["sm__ops_path_tensor_src_fp16.sum"] = 30e9;
    EXPECT_EQ(computeRoofline(run).compute, "tensor");
    EXPECT_DOUBLE_EQ(computeRoofline(run).reached.at("tensor"), 30e13);
    EXPECT_DOUBLE_EQ(*computeRoofline(run).executedFlops, 1.25e9 + 0.64e9 + 30e9);
}

TEST(RooflineOf, TheClockIsThatOfThePassElseOfTheTimingElseTheDevices)
{
    RunRecord run = profile();
    const std::string pass = computeRoofline(run).clockFrom;
    run.metrics->clockMhz.reset();
    run.timing->clockMhz = 1500;
    EXPECT_EQ(computeRoofline(run).clockMhz, 1500);
    const std::string timing = computeRoofline(run).clockFrom;
    run.timing->clockMhz.reset();
    run.device.clockMhz = 1700;
    EXPECT_EQ(computeRoofline(run).clockMhz, 1700);
    const std::string device = computeRoofline(run).clockFrom;
    EXPECT_EQ((std::set<std::string>{"", pass, timing, device}).size(), 4U) << pass << ", " << timing << ", " << device;
    run.timing.reset();
    EXPECT_EQ(computeRoofline(run).clockMhz, 1700);
    EXPECT_EQ(computeRoofline(run).clockFrom, device);
    run.metrics->clockMhz = 1600;
    EXPECT_EQ(computeRoofline(run).clockFrom, pass);
}

TEST(RooflineOf, SnapshotOfWhereTheClockIsFrom)
{
    RunRecord run = profile();
    run.timing->clockMhz = 1500;
    run.device.clockMhz = 1700;
    std::string text = "pass | " + computeRoofline(run).clockFrom + '\n';
    run.metrics->clockMhz.reset();
    text += "timing | " + computeRoofline(run).clockFrom + '\n';
    run.timing->clockMhz.reset();
    text += "device | " + computeRoofline(run).clockFrom + '\n';
    expectSnapshot("texts/roofline-clock.txt", text);
}

TEST(RooflineOf, WithoutBytesOrTimeThereIsNoPoint)
{
    RunRecord run = profile();
    run.idealBytes = 0;
    Roofline roofline = computeRoofline(run);
    EXPECT_TRUE(std::ranges::none_of(roofline.points, [](const RooflinePoint& point) { return point.kind == "analytic"; }));
    EXPECT_FALSE(roofline.trafficAmplification);
    EXPECT_EQ(roofline.points.size(), 6U) << "useful and executed at three levels";
    run.metrics->values["lts__t_bytes.sum"] = 0.0;
    EXPECT_EQ(computeRoofline(run).points.size(), 4U);
    run.metrics->values.erase("gpu__time_duration.sum");
    run.timing.reset();
    for (LaunchFacts& launch : run.launches)
        launch.gpuNs.reset();
    roofline = computeRoofline(run);
    EXPECT_TRUE(roofline.points.empty());
    EXPECT_TRUE(roofline.reached.empty());
}

TEST(RooflineOf, WhatIsMissingIsListedByItsKind)
{
    const auto lists = [](const RunRecord& run, const char* what) {
        const std::vector<std::string> missing = computeRoofline(run).missing;
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

} // namespace
} // namespace kl::test
