// SPDX-License-Identifier: MIT
// The memory chart behind `kloop show` and the Diagnose page: its units, its flows, and what it misses.
#include "core/diagnosis/memory_chart.h"
#include "tests/core/support/charted_profile.h"
#include "tests/core/support/profiles.h"

#include <algorithm>
#include <cstddef>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::test {
namespace {

const MemoryFigure* findMemoryFigure(const std::vector<MemoryFigure>& figures, const std::string& name)
{
    const auto found = std::ranges::find(figures, name, &MemoryFigure::name);
    return found == figures.end() ? nullptr : &*found;
}

const MemoryFlow* findFlow(const MemoryChart& chart, const std::string& from, const std::string& to)
{
    const auto found = std::ranges::find_if(chart.flows, [&](const MemoryFlow& flow) { return flow.from == from && flow.to == to; });
    return found == chart.flows.end() ? nullptr : &*found;
}

TEST(MemoryChart, FollowsTheBytesFromLevelToLevel)
{
    const MemoryChart chart = memoryChart(profile());
    ASSERT_EQ(chart.units.size(), 5U);
    const MemoryFlow* loads = findFlow(chart, "l1", "sm");
    ASSERT_NE(loads, nullptr);
    EXPECT_DOUBLE_EQ(*findMemoryFigure(loads->figures, "requests")->value, 1e6);
    EXPECT_DOUBLE_EQ(*findMemoryFigure(loads->figures, "bytes")->value, 1e6 * 4 * 32);
    const MemoryFlow* dram = findFlow(chart, "dram", "l2");
    ASSERT_NE(dram, nullptr);
    EXPECT_DOUBLE_EQ(*findMemoryFigure(dram->figures, "rate")->value, 6e10); // 6 MB / 100 µs
    EXPECT_NEAR(*findMemoryFigure(dram->figures, "of peak")->value, 1.25, 1e-9);
}

TEST(MemoryChart, AccessesThatWereNotMadeHaveNoUsefulBytes)
{
    RunRecord run = profile(); // no stores
    run.metrics->values["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"] = 16;
    run.metrics->values["smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"] = 0;
    const MemoryChart chart = memoryChart(run);
    const MemoryFlow* stores = findFlow(chart, "sm", "l1");
    ASSERT_NE(stores, nullptr);
    EXPECT_DOUBLE_EQ(*findMemoryFigure(stores->figures, "bytes")->value, 0);
    EXPECT_EQ(findMemoryFigure(stores->figures, "sectors per request"), nullptr);
    EXPECT_EQ(findMemoryFigure(stores->figures, "useful bytes"), nullptr);
    EXPECT_DOUBLE_EQ(*findMemoryFigure(findFlow(chart, "l1", "l2")->figures, "bytes")->value, 0) << "stores write through";
    run.metrics->values["smsp__sass_inst_executed_op_global_st.sum"] = 1e6;
    EXPECT_DOUBLE_EQ(*findMemoryFigure(findFlow(memoryChart(run), "sm", "l1")->figures, "useful bytes")->value, 0);
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
    EXPECT_EQ(findMemoryFigure(chart.units[3].figures, "busy")->missing, "left out: too many passes");
    EXPECT_THAT(findMemoryFigure(chart.units[3].figures, "requests")->missing, testing::HasSubstr("section MemoryWorkload "));
    EXPECT_EQ(*findMemoryFigure(chart.units[3].figures, "hit rate")->value, 75);
}

TEST(MemoryChart, CuptisOwnBytesBetweenL1AndL2AreTakenWhereTheyWereCollected)
{
    RunRecord run = profile();
    run.metrics->values["lts__t_sectors_op_read.sum"] = 1e6;
    EXPECT_DOUBLE_EQ(*findMemoryFigure(findFlow(memoryChart(run), "l2", "l1")->figures, "bytes")->value, 32e6);
    run.metrics->values["l1tex__m_xbar2l1tex_read_bytes.sum"] = 31e6;
    EXPECT_DOUBLE_EQ(*findMemoryFigure(findFlow(memoryChart(run), "l2", "l1")->figures, "bytes")->value, 31e6);
}

TEST(MemoryChart, AReasonIsThereOnceWithWhatItPrevents)
{
    RunRecord run = profile();
    const auto all = listMissing(memoryChart(run));
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
    const auto bare = listMissing(memoryChart(run));
    ASSERT_EQ(bare.size(), 1U) << "one reason for all";
    EXPECT_EQ(std::ranges::count(bare.front().second, "DRAM busy"), 1);
}

TEST(MemoryChart, ThePeaksAreThoseAtTheClockOfTheCountedPass)
{
    RunRecord run = profile();
    const auto computeLoadShare = [&] {
        const MemoryChart chart = memoryChart(run);
        return findMemoryFigure(findFlow(chart, "l1", "sm")->figures, "of peak")->value.value_or(0);
    };
    const double fast = computeLoadShare();
    run.metrics->clockMhz = 990;
    EXPECT_NEAR(computeLoadShare(), 2 * fast, 1e-9);
}

TEST(MemoryChart, WhatIsMissingIsSaidToBeOfAnotherTierOrNotOfTheReport)
{
    RunRecord run = profile();
    run.metrics->values.clear();
    run.metrics->missing.clear();
    const auto ofATier = [&] {
        const auto all = listMissing(memoryChart(run));
        return std::ranges::count_if(all, [](const auto& reason) { return reason.first.starts_with("tier "); });
    };
    run.metrics->tier = 0;
    EXPECT_GT(ofATier(), 0);
    run.metrics->tier = 3;
    EXPECT_EQ(ofATier(), 0);
    run.imported.emplace();
    const auto all = listMissing(memoryChart(run));
    EXPECT_EQ(all.size(), 1U) << "the report does not contain them";
    run.metrics->missing = {{"dram__bytes_read.sum", "not on this chip"}};
    EXPECT_EQ(listMissing(memoryChart(run)).size(), 2U);
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
    const auto value = [&](std::size_t flow, const char* name) { return findMemoryFigure(chart.flows[flow].figures, name)->value; };
    EXPECT_EQ(value(1, "requests"), 2e6);
    EXPECT_EQ(value(1, "sectors per request"), 8);
    EXPECT_EQ(value(1, "useful bytes"), 40);
    EXPECT_EQ(value(1, "bytes"), 2e6 * 8 * 32);
    EXPECT_EQ(value(2, "requests"), 7);
    EXPECT_EQ(value(3, "requests"), 11);
    EXPECT_EQ(value(4, "requests"), 8);
    EXPECT_FALSE(value(5, "bytes")) << "what L1 read was not counted";
    EXPECT_EQ(findMemoryFigure(chart.flows[5].figures, "bytes")->how, "l1tex__m_xbar2l1tex_read_bytes.sum");
    EXPECT_FALSE(findMemoryFigure(chart.flows[5].figures, "rate")->missing.empty());
    EXPECT_EQ(value(6, "bytes"), 2e6 * 8 * 32) << "stores write through";
    EXPECT_EQ(value(7, "bytes"), 6e6);
    EXPECT_EQ(value(8, "bytes"), 4e6);
    EXPECT_DOUBLE_EQ(*value(8, "rate"), 4e10);
    EXPECT_NEAR(*value(8, "of peak"), 100 * 4e10 / 4.8e12, 1e-9);
    EXPECT_NEAR(*value(6, "of peak"), 100 * (2e6 * 8 * 32 / 1e-4) / 10.28e12, 1e-9);
    EXPECT_EQ(chart.ns, 100e3);
    EXPECT_EQ(chart.launch, run.metrics->launch);
    values["l1tex__m_l1tex2xbar_write_bytes.sum"] = 77.0;
    EXPECT_EQ(findMemoryFigure(memoryChart(run).flows[6].figures, "bytes")->value, 77) << "counted by itself";
    values.erase("l1tex__m_l1tex2xbar_write_bytes.sum");
    values.erase("smsp__sass_inst_executed_op_global_st.sum");
    EXPECT_FALSE(findMemoryFigure(memoryChart(run).flows[6].figures, "bytes")->value);
    EXPECT_EQ(findMemoryFigure(memoryChart(run).flows[6].figures, "bytes")->how, "l1tex__m_l1tex2xbar_write_bytes.sum");
    values.erase("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio");
    const MemoryChart lacking = memoryChart(run);
    EXPECT_FALSE(findMemoryFigure(lacking.flows[0].figures, "bytes")->value);
    EXPECT_EQ(findMemoryFigure(lacking.flows[0].figures, "bytes")->missing,
              findMemoryFigure(lacking.flows[0].figures, "sectors per request")->missing);
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

} // namespace
} // namespace kl::test
