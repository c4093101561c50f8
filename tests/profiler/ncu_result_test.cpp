// SPDX-License-Identifier: MIT
// Results of Nsight Compute reports, put together field by field.
#include "core/model/kernel_code.h"
#include "profiler/import/ncu_report.pb.h"
#include "profiler/import/ncu_result.h"
#include "profiler/import/ncu_series.h"
#include "profiler/import/ncu_source.h"
#include "profiler/import/result_layout.h"
#include "tests/support/snapshot.h"
#include "tests/support/wire_bytes.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace kl::ncu {
namespace {

using support::wireBytes;
using support::wireFixed;
using support::wireNumber;
using support::wireVarint;

std::string sizes(std::uint64_t x, std::uint64_t y, std::uint64_t z)
{
    return wireNumber(1, x) + wireNumber(2, y) + wireNumber(3, z);
}
/// A metric's message: the place of its name, and its Value.
std::string metricMessage(std::uint64_t name, const std::string& value)
{
    return wireNumber(1, name) + wireBytes(2, value);
}

const NameTable kNames({"b.float", "a.double", "text", "u32", "u64", "none", "nan", "launch__device_id"});

ImportedResult readKernel(const std::string& message)
{
    Result<ImportedResult> result = readResult(ResultKind::kernel, message, kNames, Modules());
    EXPECT_TRUE(result) << result.error().message;
    return result ? *std::move(result) : ImportedResult();
}

TEST(NcuSession, VersionsAndCommandsAreThoseOfTheReport)
{
    Session session;
    session.set_command_line("ncu --set full ./app");
    session.mutable_executable()->set_path("/bin/app");
    session.mutable_executable()->set_arguments("-n 3");
    const auto version = [&](const char* provider, const char* text) {
        Version* one = session.add_versions();
        one->set_provider(provider);
        one->set_version(text);
    };
    version("Nsight Compute Target", "2025.3.1.0 (build 36398880) (public-release)");
    version("CUDA Version", "13.1");
    version("Other", "9.9");
    SessionFacts facts;
    facts.add(session);
    EXPECT_EQ(facts.command, "/bin/app -n 3");
    EXPECT_EQ(facts.toolCommand, "ncu --set full ./app");
    EXPECT_EQ(facts.tool, "Nsight Compute 2025.3.1.0");
    EXPECT_EQ(facts.cudaVersion, 13010);
    facts.add(Session());
    EXPECT_EQ(facts.command, "/bin/app -n 3") << "another block adds nothing";
    EXPECT_EQ(facts.cudaVersion, 13010);
    session.mutable_executable()->clear_arguments();
    facts.add(session);
    EXPECT_EQ(facts.command, "/bin/app");
}

TEST(NcuSession, ACudaVersionIsTwoNumbers)
{
    for (const auto& [text, version] : {std::pair("13.0", 13000),
                                        {"12.9", 12090},
                                        {"12.99", 12990},
                                        {"1000.1", 1000010},
                                        {"12.100", 0},
                                        {"1001.0", 0},
                                        {"-1.0", 0},
                                        {"13", 0},
                                        {"13-1", 0},
                                        {"", 0},
                                        {"x.1", 0},
                                        {"13.", 13000},
                                        {"12.-1", 0}}) {
        Session session;
        Version* one = session.add_versions();
        one->set_provider("CUDA Version");
        one->set_version(text);
        SessionFacts facts;
        facts.cudaVersion = 7;
        facts.add(session);
        EXPECT_EQ(facts.cudaVersion, version) << text;
    }
}

TEST(NcuSession, EachDeviceHasItsNameAndAttributes)
{
    Session session;
    for (const int id : {0, 2}) {
        Device* device = session.add_devices();
        device->set_id(static_cast<std::uint32_t>(id));
        device->set_name("GPU " + std::to_string(id));
        Attribute* attribute = device->add_attributes();
        attribute->set_name("device__attribute_multiprocessor_count");
        attribute->set_value(wireNumber(4, 100U + static_cast<unsigned>(id)));
    }
    SessionFacts facts;
    facts.add(session);
    Session nameless;
    nameless.add_devices()->set_id(2);
    facts.add(nameless);
    ASSERT_EQ(facts.devices.size(), 2U);
    EXPECT_EQ(facts.devices.at(2).device.name, "GPU 2") << "a block without the name does not take it away";
    ImportedResult first = readKernel({});
    complete(first, facts);
    EXPECT_EQ(first.device.name, "GPU 0");
    EXPECT_EQ(first.device.smCount, 100);
    ImportedResult second = readKernel(wireBytes(13, metricMessage(7, wireNumber(4, 2))));
    complete(second, facts);
    EXPECT_EQ(second.device.name, "GPU 2");
    EXPECT_EQ(second.device.smCount, 102);
    ImportedResult third = readKernel(wireBytes(13, metricMessage(7, wireNumber(4, 1))));
    complete(third, facts);
    EXPECT_EQ(third.device.name, "");
}

TEST(NcuSession, ConditionsAreTheOptionsOfTheCommandOrTheirDefaults)
{
    const auto conditions = [](const std::string& command) {
        SessionFacts facts;
        facts.toolCommand = command;
        facts.cudaVersion = 12090;
        facts.command = "app";
        facts.tool = "tool";
        ImportedResult result;
        complete(result, facts);
        EXPECT_EQ(result.device.cudaDriverVersion, 12090);
        EXPECT_EQ(result.facts.command, "app");
        EXPECT_EQ(result.facts.tool, "tool");
        return result;
    };
    const std::string flushed = conditions("ncu app").cacheControl;
    EXPECT_FALSE(flushed.empty());
    EXPECT_NE(flushed, "none");
    const auto shortly = [&](const std::string& command) {
        const ImportedResult result = conditions(command);
        return result.replayMode.substr(0, result.replayMode.find(' ')) + '|' +
               (result.cacheControl == flushed ? "flushed" : result.cacheControl) + '|' +
               (result.warnings.empty() ? "" : result.warnings[0].code);
    };
    EXPECT_EQ(shortly(""), "||");
    EXPECT_EQ(shortly("ncu app"), "kernel|flushed|clock-base");
    EXPECT_EQ(shortly("ncu --replay-mode application --cache-control none --clock-control none app"), "application|none|clock-unlocked");
    EXPECT_EQ(shortly("ncu --replay-mode=range --cache-control=all --clock-control=base"), "range|flushed|clock-base");
    EXPECT_EQ(shortly("ncu --clock-control=none"), "kernel|flushed|clock-unlocked");
    EXPECT_EQ(shortly("ncu --cache-controlXnone"), "kernel|flushed|clock-base");
    EXPECT_EQ(shortly("ncu --clock-control"), "kernel|flushed|clock-base");
    EXPECT_EQ(shortly("ncu --clock-controls none"), "kernel|flushed|clock-base") << "another option";
}

TEST(NcuResult, EveryPartOfAKernelIsRead)
{
    const ImportedResult result = readKernel(
        wireNumber(1, 77) + wireBytes(5, "_Z4spinILi32EEvi") + wireBytes(6, "spin") + wireBytes(7, "spin<(int)32, (int)-1>(int)") +
        wireBytes(10, sizes(4, 5, 6)) + wireBytes(11, sizes(64, 2, 1)) + wireNumber(14, 1'700'000'000) + wireNumber(22, 3) +
        wireNumber(23, 9) + wireFixed(35, 580.159F) + wireBytes(13, metricMessage(0, wireFixed(2, 1.5F))) +
        wireBytes(13, metricMessage(1, wireFixed(3, -2.25))) + wireBytes(13, metricMessage(2, wireBytes(1, "word"))) +
        wireBytes(13, metricMessage(3, wireNumber(4, 0x1'0000'0007U))) + wireBytes(13, metricMessage(4, wireNumber(5, 0x1'0000'0007U))) +
        wireBytes(13, metricMessage(5, {})) + wireBytes(13, metricMessage(6, wireFixed(3, std::numeric_limits<double>::quiet_NaN()))));
    EXPECT_EQ(result.facts.kernel, "spin<32, -1>(int)");
    EXPECT_EQ(result.facts.mangled, "_Z4spinILi32EEvi");
    EXPECT_EQ(result.facts.grid, (std::vector<int>{4, 5, 6}));
    EXPECT_EQ(result.facts.block, (std::vector<int>{64, 2, 1}));
    EXPECT_EQ(result.startedAt.substr(0, 19), "2023-11-14T22:13:20");
    EXPECT_EQ(result.facts.context, 3);
    EXPECT_EQ(result.facts.stream, 9);
    EXPECT_EQ(result.device.driverVersion, "580.159");
    EXPECT_EQ(result.values, (std::map<std::string, std::optional<double>>{
                                 {"b.float", 1.5}, {"a.double", -2.25}, {"u32", 7}, {"u64", 4294967303.0}, {"none", {}}, {"nan", {}}}));
    EXPECT_EQ(result.facts.texts, (std::map<std::string, std::string>{{"text", "word"}}));
    EXPECT_EQ(result.missing.size(), 2U);
    EXPECT_NE(result.missing.at("none"), result.missing.at("nan"));
    EXPECT_FALSE(result.series);
    EXPECT_FALSE(result.source);
}

TEST(NcuResult, AKernelIsNamedByTheBestOfItsNames)
{
    EXPECT_EQ(readKernel(wireBytes(5, "_Z1k") + wireBytes(6, "k")).facts.kernel, "k");
    EXPECT_EQ(readKernel(wireBytes(5, "_Z1k")).facts.kernel, "_Z1k");
    EXPECT_EQ(readKernel(wireBytes(7, "f<(int)x, a(int)3>((int)4)")).facts.kernel, "f<(int)x, a(int)3>((int)4)") << "no casts of numbers";
    EXPECT_EQ(readKernel(wireBytes(7, "f<1,(int)3,(int)0, (int)9>")).facts.kernel, "f<1,3,0, 9>");
    EXPECT_EQ(readKernel(wireBytes(7, "(int)")).facts.kernel, "(int)");
    EXPECT_EQ(readKernel(wireBytes(7, "f<(int)(3), (int) 4, (int)>")).facts.kernel, "f<(int)(3), (int) 4, (int)>");
    EXPECT_TRUE(readKernel({}).facts.grid.empty());
    EXPECT_EQ(readKernel(wireBytes(10, sizes(1ULL << 40, 1, 1))).facts.grid[0], std::numeric_limits<int>::max());
}

TEST(NcuResult, TimesAndDriversThatCannotBeAreLeftOut)
{
    EXPECT_EQ(readKernel(wireNumber(14, 0)).startedAt, "");
    EXPECT_EQ(readKernel(wireNumber(14, 4'102'444'800)).startedAt.substr(0, 10), "2100-01-01");
    EXPECT_EQ(readKernel(wireNumber(14, 4'102'444'801)).startedAt, "");
    EXPECT_EQ(readKernel(wireFixed(35, 0.0F)).device.driverVersion, "");
    EXPECT_EQ(readKernel(wireFixed(35, -1.0F)).device.driverVersion, "");
    EXPECT_EQ(readKernel(wireFixed(35, 1e6F)).device.driverVersion, "");
    EXPECT_EQ(readKernel(wireFixed(35, 99999.0F)).device.driverVersion, "99999");
}

TEST(NcuResult, OtherKindsAreNamedByTheirKind)
{
    const auto name = [](ResultKind kind, const std::string& message) {
        return readResult(kind, message, kNames, Modules())->facts.kernel;
    };
    EXPECT_EQ(name(ResultKind::range, ""), "range");
    EXPECT_EQ(name(ResultKind::graph, ""), "graph");
    EXPECT_EQ(name(ResultKind::commandList, ""), "command list");
    EXPECT_EQ(name(ResultKind::commandList, wireBytes(18, "frame 3")), "frame 3");
    const Result<ImportedResult> range =
        readResult(ResultKind::range, wireBytes(4, metricMessage(3, wireNumber(4, 5))) + wireNumber(5, 1'700'000'000) + wireNumber(11, 2),
                   kNames, Modules());
    ASSERT_TRUE(range);
    EXPECT_EQ(range->values.at("u32"), 5);
    EXPECT_EQ(range->facts.context, 2);
    EXPECT_EQ(range->startedAt.substr(0, 4), "2023");
}

TEST(NcuResult, EachKindHasItsFieldsUnderItsOwnNumbers)
{
    const struct {
        ResultKind kind;
        std::uint32_t metrics, rules, created, nvtx, context, stream, driver, name;
    } kinds[] = {{ResultKind::kernel, 13, 19, 14, 21, 22, 23, 35, 0},
                 {ResultKind::range, 4, 20, 5, 10, 11, 0, 21, 0},
                 {ResultKind::commandList, 4, 21, 5, 10, 11, 12, 25, 18},
                 {ResultKind::graph, 4, 22, 5, 10, 11, 12, 23, 0}};
    for (const auto& one : kinds) {
        SCOPED_TRACE(toWord(one.kind));
        std::string message = wireNumber(1, 77) + wireBytes(one.metrics, metricMessage(3, "value")) + wireBytes(one.rules, "rule") +
                              wireBytes(one.rules, "other") + wireNumber(one.created, 1'700'000'000) + wireBytes(one.nvtx, "nvtx") +
                              wireNumber(one.context, 3) + wireFixed(one.driver, 580.5F);
        if (one.stream != 0)
            message += wireNumber(one.stream, 9);
        if (one.name != 0)
            message += wireBytes(one.name, "frame");
        const Result<RawResult> parts = findParts(one.kind, message);
        ASSERT_TRUE(parts) << parts.error().message;
        EXPECT_EQ(parts->thread, 77U);
        EXPECT_EQ(parts->created, 1'700'000'000U);
        EXPECT_EQ(parts->context, 3U);
        EXPECT_EQ(parts->stream, one.stream != 0 ? 9U : 0U);
        EXPECT_EQ(parts->driver, 580.5F);
        EXPECT_EQ(parts->nvtx, "nvtx");
        EXPECT_EQ(parts->name, one.name != 0 ? "frame" : "");
        EXPECT_EQ(parts->rules, (std::vector<std::string_view>{"rule", "other"}));
        ASSERT_EQ(parts->metrics.size(), 1U);
        EXPECT_EQ(parts->metrics[0].name, 3U);
        EXPECT_EQ(parts->metrics[0].value, "value");
        EXPECT_EQ(parts->metrics[0].whole, metricMessage(3, "value"));
    }
    const std::string code = wireBytes(5, "mangled") + wireBytes(6, "function") + wireBytes(7, "demangled") + wireBytes(10, "grid") +
                             wireBytes(11, "block") + wireBytes(15, wireNumber(2, 4) + wireNumber(1, 8));
    const Result<RawResult> kernel = findParts(ResultKind::kernel, code);
    ASSERT_TRUE(kernel);
    EXPECT_EQ(kernel->mangled, "mangled");
    EXPECT_EQ(kernel->function, "function");
    EXPECT_EQ(kernel->demangled, "demangled");
    EXPECT_EQ(kernel->grid, "grid");
    EXPECT_EQ(kernel->block, "block");
    EXPECT_EQ(kernel->module, 8U);
    const Result<RawResult> graph = findParts(ResultKind::graph, code);
    ASSERT_TRUE(graph);
    EXPECT_TRUE(graph->mangled.empty() && graph->function.empty() && graph->demangled.empty() && graph->grid.empty()) << "only of kernels";
    EXPECT_EQ(graph->module, 0U);
}

TEST(NcuResult, WhatIsNoMessageIsAnError)
{
    const auto fails = [](const std::string& message) {
        const Result<ImportedResult> result = readResult(ResultKind::kernel, message, kNames, Modules());
        return !result && result.error().code == ErrorCode::badInput;
    };
    EXPECT_TRUE(fails("\x0a\x05x"));
    EXPECT_TRUE(fails(wireBytes(13, metricMessage(8, wireNumber(4, 1))))) << "there is no name 8";
    EXPECT_FALSE(fails(wireBytes(13, metricMessage(7, wireNumber(4, 1)))));
    EXPECT_TRUE(fails(wireBytes(13, metricMessage(0, "\x0a\x05x"))));
    EXPECT_TRUE(fails(wireBytes(10, "\x0a\x05x")));
    EXPECT_TRUE(fails(wireBytes(11, "\x0a\x05x")));
    EXPECT_TRUE(fails(wireBytes(19, "\x0a\x05x")));
    EXPECT_TRUE(fails(wireBytes(21, "\x0a\x05x")));
}

TEST(NcuResult, TheFirstOfTwoMetricsOfANameCounts)
{
    const NameTable twice({"m", "l", "m"});
    EXPECT_EQ(twice.ranks, (std::vector<std::uint32_t>{1, 0, 2}));
    const std::string message = wireBytes(13, metricMessage(2, wireNumber(4, 9))) + wireBytes(13, metricMessage(0, wireNumber(4, 5)));
    EXPECT_EQ(readResult(ResultKind::kernel, message, twice, Modules())->values.at("m"), 5) << "of the name that comes first in the table";
}

TEST(NcuResult, RangesAreThoseOfTheLaunchingThread)
{
    NvtxState state;
    const auto add = [&](std::uint32_t thread, const std::vector<std::vector<const char*>>& stacks) {
        NvtxThread* one = state.add_threads();
        one->set_id(thread);
        for (const std::vector<const char*>& names : stacks) {
            NvtxStack* stack = one->add_stacks();
            for (const char* name : names)
                stack->add_ranges()->set_name(name);
        }
    };
    const auto ranges = [&] { return readKernel(wireNumber(1, 77) + wireBytes(21, state.SerializeAsString())).facts.ranges; };
    add(5, {{"outer", "inner"}, {"other domain"}});
    EXPECT_EQ(ranges(), (std::vector<std::string>{"outer", "inner", "other domain"})) << "the only thread, whatever its number";
    add(77, {{"own"}});
    EXPECT_EQ(ranges(), std::vector<std::string>{"own"});
    NvtxRange* attributed = state.mutable_threads(1)->mutable_stacks(0)->add_ranges();
    EXPECT_EQ(ranges(), std::vector<std::string>{"own"}) << "one without a name";
    attributed->mutable_attributes()->mutable_message()->set_text("by message");
    EXPECT_EQ(ranges(), (std::vector<std::string>{"own", "by message"}));
}

TEST(NcuResult, EachMessageOfARuleIsOneResult)
{
    Rule rule;
    rule.set_identifier("CPIStall");
    rule.set_title("The rule");
    rule.set_section("WarpStateStats");
    RuleMarker* marker = rule.add_markers();
    marker->set_file("k.cu");
    marker->set_line(7);
    marker->set_text("87.5% @section:A:B@");
    rule.add_markers()->set_file("k.cu"); // of no line
    rule.add_markers()->set_line(8);      // of no file
    rule.mutable_body()->add_items();     // of no message
    const auto item = [&](std::uint32_t type, const char* name, const char* text) {
        RuleItem* one = rule.mutable_body()->add_items();
        one->mutable_message()->set_type(type);
        one->mutable_message()->set_name(name);
        one->mutable_message()->set_text(text);
        return one;
    };
    RuleItem* first = item(4, "", "See @section:Occupancy:Occupancy@.");
    first->mutable_speedup()->set_percent(12.5);
    first->mutable_speedup()->set_type(2);
    RuleFocus* focus = first->add_focus();
    focus->set_metric("m");
    focus->set_value(3);
    focus->set_info("Less");
    first->add_focus()->set_metric("n");
    RuleItem* second = item(2, "Own title", "text");
    second->mutable_speedup()->set_percent(std::numeric_limits<double>::infinity());
    item(1, "", "");
    item(3, "", "")->mutable_speedup()->set_percent(5);
    item(9, "", "");
    const std::vector<RuleResult> rules = readKernel(wireBytes(19, rule.SerializeAsString())).facts.rules;
    ASSERT_EQ(rules.size(), 5U);
    EXPECT_EQ(rules[0], (RuleResult{"WarpStateStats",
                                    "CPIStall",
                                    "The rule",
                                    "optimization",
                                    "See Occupancy.",
                                    12.5,
                                    "global",
                                    {{"m", 3, "Less"}, {"n", {}, ""}},
                                    {{"k.cu", 7, "87.5% B"}}}));
    EXPECT_EQ(rules[1], (RuleResult{"WarpStateStats", "CPIStall", "Own title", "warning", "text", {}, "", {}, {}}));
    EXPECT_EQ(rules[2].kind, "info");
    EXPECT_EQ(rules[3].kind, "error");
    EXPECT_EQ(rules[3].speedupScope, "local");
    EXPECT_EQ(rules[4].kind, "");
}

TEST(NcuResult, AGraphHasTheSizeThatItsMetricsName)
{
    const auto completeSizes = [](std::map<std::string, std::optional<double>> values, const char* kind = "graph") {
        ImportedResult result;
        result.values = std::move(values);
        result.facts.kind = kind;
        complete(result, {});
        return std::pair(result.facts.grid, result.facts.block);
    };
    const std::map<std::string, std::optional<double>> all{{"launch__grid_dim_x", 2},  {"launch__grid_dim_y", 3},
                                                           {"launch__grid_dim_z", 4},  {"launch__block_dim_x", 5},
                                                           {"launch__block_dim_y", 6}, {"launch__block_dim_z", 0}};
    EXPECT_EQ(completeSizes(all), std::pair(std::vector<int>({2, 3, 4}), std::vector<int>({5, 6, 0})));
    EXPECT_TRUE(completeSizes(all, "range").first.empty());
    for (const auto wrong : {std::optional<double>(), std::optional(-1.0)}) {
        auto fewer = all;
        fewer["launch__grid_dim_y"] = wrong;
        EXPECT_TRUE(completeSizes(fewer).first.empty());
    }
}

/// A metric's message with instances: the times and the values of its samples.
std::string sampledMetric(std::uint64_t name, const std::vector<std::pair<std::uint64_t, double>>& samples)
{
    std::string message = wireNumber(1, name);
    for (const auto& [time, value] : samples)
        message += wireBytes(3, wireBytes(1, wireNumber(5, time)) + wireBytes(2, wireFixed(3, value)));
    return message;
}

TEST(NcuSeriesOfMessages, SamplesAreCutToTheLaunchAndGroupedByTheirTimes)
{
    const NameTable names({"sm__cycles_active.avg", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                           "dram__throughput.avg.pct_of_peak_sustained_elapsed", "other.sum",
                           "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"});
    std::vector<std::pair<std::uint64_t, double>> active, sm, dram, l1;
    for (std::uint64_t i = 0; i < 14; ++i) {
        active.emplace_back(1000 + 50 * i, i < 2 || i == 13 ? 0 : 1);
        sm.emplace_back(1000 + 50 * i, 10.00049 * static_cast<double>(i));
        dram.emplace_back(7000 + 100 * i, i == 0 ? 0 : 5);
        l1.emplace_back(7000 + 100 * i, 7);
    }
    dram.insert(dram.begin(), {0, 99}); // of the whole launch
    dram.emplace_back(7100, 3);         // back in time
    RawResult kernel;
    kernel.mangled = "k";
    const std::string nothing = wireBytes(3, wireBytes(1, wireNumber(5, 9000))); // an instance without a value
    const std::vector<std::string> messages{sampledMetric(0, active), sampledMetric(1, sm), sampledMetric(2, dram) + nothing,
                                            sampledMetric(3, sm), sampledMetric(4, l1)};
    for (std::size_t i = 0; i < messages.size(); ++i)
        kernel.metrics.push_back({i, {}, messages[i]});
    kernel.metrics.push_back({9, {}, messages[0]}); // of no name
    const std::optional<PmSampling> sampling = readSeries(kernel, names);
    ASSERT_TRUE(sampling);
    EXPECT_EQ(sampling->launch, "k");
    EXPECT_EQ(sampling->unavailable, "");
    ASSERT_EQ(sampling->passes.size(), 2U);
    const PmPass& first = sampling->passes[0];
    ASSERT_EQ(first.endNs.size(), 11U) << "while SMs are active";
    EXPECT_EQ(first.endNs.front(), 50);
    EXPECT_EQ(first.endNs.back(), 550);
    ASSERT_EQ(first.series.size(), 1U);
    EXPECT_EQ(first.series[0].metric, "sm__throughput.avg.pct_of_peak_sustained_elapsed");
    EXPECT_EQ(first.series[0].values.front(), 20.001) << "to three places";
    const PmPass& second = sampling->passes[1];
    ASSERT_EQ(second.endNs.size(), 13U) << "without the activity of SMs while the first series is";
    ASSERT_EQ(second.series.size(), 2U);
    EXPECT_EQ(second.series[0].values, std::vector<double>(13, 5));
    EXPECT_EQ(second.series[1].values, std::vector<double>(13, 7));
    EXPECT_EQ(sampling->intervalNs, 100);
}

/// A metric with twenty samples, so many of them in the launch.
std::optional<PmSampling> sampled(int inLaunch)
{
    std::vector<std::pair<std::uint64_t, double>> active;
    for (int i = 0; i < 20; ++i)
        active.emplace_back(1000 + 50 * i, i < inLaunch ? 1 : 0);
    const std::string message = sampledMetric(0, active);
    RawResult kernel;
    kernel.metrics.push_back({0, {}, message});
    return readSeries(kernel, NameTable({"sm__cycles_active.avg"}));
}

TEST(NcuSeriesOfMessages, TenSamplesOfTheLaunchAreEnough)
{
    EXPECT_EQ(sampled(10)->passes.size(), 1U);
    EXPECT_EQ(sampled(10)->unavailable, "");
    EXPECT_TRUE(sampled(9)->passes.empty());
    for (const int few : {9, 0}) {
        EXPECT_TRUE(sampled(few)->passes.empty());
        EXPECT_THAT(sampled(few)->unavailable, testing::HasSubstr(" " + std::to_string(few) + " "));
    }
    EXPECT_FALSE(readSeries({}, NameTable({"sm__cycles_active.avg"})));
}

TEST(NcuSeriesOfMessages, SnapshotOfTooFewSamples)
{
    test::expectSnapshot("texts/too-few-samples.txt", sampled(9)->unavailable + '\n' + sampled(0)->unavailable + '\n');
}

TEST(NcuSeriesOfMessages, AFirstPassThatIsTooShortIsNoReasonWhereAnotherIsNot)
{
    const NameTable names({"sm__cycles_active.avg", "sm__cycles_active.sum"});
    std::vector<std::pair<std::uint64_t, double>> little, enough;
    for (int i = 0; i < 20; ++i) {
        little.emplace_back(1000 + 50 * i, i < 5 ? 1 : 0);
        enough.emplace_back(9000 + 50 * i, 1);
    }
    const std::vector<std::string> messages{sampledMetric(0, little), sampledMetric(1, enough)};
    RawResult kernel;
    for (std::size_t i = 0; i < messages.size(); ++i)
        kernel.metrics.push_back({i, {}, messages[i]});
    const std::optional<PmSampling> sampling = readSeries(kernel, names);
    ASSERT_TRUE(sampling);
    EXPECT_EQ(sampling->passes.size(), 1U);
    EXPECT_EQ(sampling->unavailable, "");
}

TEST(NcuSourceOfMessages, CountsOfUnknownCodeAreKeptByAddress)
{
    const NameTable names({"inst_executed", "thread_inst_executed", "other"});
    const auto counted = [](std::uint64_t name, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& counts) {
        std::string message = wireNumber(1, name);
        for (const auto& [address, count] : counts)
            message += wireBytes(3, wireBytes(1, wireNumber(5, address)) + wireBytes(2, wireNumber(5, count)));
        return message;
    };
    const std::vector<std::string> messages{counted(0, {{0x20, 7}, {0x10, 5}}), counted(1, {{0x20, 224}}), counted(2, {{0x30, 1}}),
                                            counted(9, {{0x40, 1}}) + wireBytes(3, wireBytes(2, wireNumber(5, 1)))};
    RawResult kernel;
    kernel.mangled = "k";
    for (std::size_t i = 0; i < messages.size(); ++i)
        kernel.metrics.push_back({i == 3 ? 0 : i, {}, messages[i]});
    kernel.metrics.push_back({9, {}, messages[0]});
    const std::optional<SourceProfile> profile = readSource(kernel, names, nullptr);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->launch, "k");
    ASSERT_TRUE(profile->code);
    const std::vector<CodeInstruction>& instructions = profile->code->instructions;
    ASSERT_EQ(instructions.size(), 3U);
    EXPECT_EQ(instructions[0].offset, 0x10);
    EXPECT_EQ(instructions[0].executed, 5);
    EXPECT_FALSE(instructions[0].threads);
    EXPECT_EQ(instructions[1].offset, 0x20);
    EXPECT_EQ(instructions[1].executed, 7);
    EXPECT_EQ(instructions[1].threads, 224);
    EXPECT_EQ(instructions[2].offset, 0x40);
    EXPECT_EQ(instructions[2].function, instructions[0].function);
    EXPECT_FALSE(profile->unavailable.empty()) << "there are no samples";
    EXPECT_EQ(profile->countsUnavailable, "");
    EXPECT_FALSE(readSource({}, names, nullptr));
}

TEST(NcuSourceOfMessages, SamplesAreThoseOfTheStalls)
{
    const NameTable names({"smsp__pcsamp_warps_issue_stalled_long_scoreboard", "smsp__pcsamp_warps_issue_stalled_barrier"});
    const auto counted = [](std::uint64_t name, std::uint64_t address, std::uint64_t count) {
        return wireNumber(1, name) + wireBytes(3, wireBytes(1, wireNumber(5, address)) + wireBytes(2, wireNumber(4, count)));
    };
    const std::vector<std::string> messages{counted(0, 0x10, 3), counted(1, 0x10, 4), counted(1, 0x20, 0)};
    RawResult kernel;
    for (const std::string& message : messages)
        kernel.metrics.push_back({&message == &messages[0] ? 0U : 1U, {}, message});
    const std::optional<SourceProfile> profile = readSource(kernel, names, nullptr);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->samples, 7);
    ASSERT_EQ(profile->instructions.size(), 1U) << "the others were never sampled";
    EXPECT_EQ(profile->instructions[0].samples, 7);
    EXPECT_EQ(profile->instructions[0].stalls, (std::map<std::string, std::int64_t>{{"barrier", 4}, {"long_scoreboard", 3}}));
    EXPECT_EQ(profile->unavailable, "");
    EXPECT_FALSE(profile->countsUnavailable.empty()) << "executions are not counted";
}

TEST(NcuSourceOfMessages, EachCounterHasItsMemberWhateverItsNumberIs)
{
    const NameTable names({"inst_executed", "thread_inst_executed", "memory_l2_theoretical_sectors_global",
                           "memory_l2_theoretical_sectors_global_ideal", "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal",
                           "smsp__pcsamp_warps_issue_stalled_barrier"});
    const std::vector<std::string> numbers{wireNumber(4, 11), wireNumber(5, 12), wireFixed(2, 13.0F), wireFixed(3, 14.0),
                                           wireNumber(5, 15), wireNumber(5, 16), wireNumber(4, 2)};
    std::vector<std::string> messages;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        messages.push_back(wireNumber(1, i) + wireBytes(3, wireBytes(1, wireNumber(5, 0x10)) + wireBytes(2, numbers[i])));
    RawResult kernel;
    for (std::size_t i = 0; i < messages.size(); ++i)
        kernel.metrics.push_back({i, {}, messages[i]});
    const std::optional<SourceProfile> profile = readSource(kernel, names, nullptr);
    ASSERT_TRUE(profile && profile->code);
    ASSERT_EQ(profile->code->instructions.size(), 1U);
    const CodeInstruction& one = profile->code->instructions[0];
    EXPECT_EQ(one.executed, 11);
    EXPECT_EQ(one.threads, 12);
    EXPECT_EQ(one.sectors, 13);
    EXPECT_EQ(one.idealSectors, 14);
    EXPECT_EQ(one.wavefronts, 15);
    EXPECT_EQ(one.idealWavefronts, 16);
    ASSERT_EQ(profile->instructions.size(), 1U);
    EXPECT_EQ(profile->instructions[0].samples, 2);
    EXPECT_EQ(profile->instructions[0].executed, 11);
    EXPECT_EQ(profile->instructions[0].threads, 12);
    EXPECT_EQ(profile->instructions[0].offset, 0x10);
    Module module;
    module.texts["a.cu"] = "text";
    EXPECT_EQ(readSource(kernel, names, &module)->texts, module.texts);
}

TEST(NcuModules, BlocksOfAModuleAreJoined)
{
    Modules modules;
    EXPECT_EQ(modules.find(3), nullptr);
    const std::string code =
        wireNumber(1, 3) + wireBytes(4, "code") + wireBytes(8, wireBytes(1, wireBytes(1, "/src/dir/a.cu") + wireBytes(2, "text")));
    const std::string functions = wireNumber(1, 3) + wireBytes(9, wireBytes(1, wireBytes(1, "f") + wireNumber(2, 0x700)));
    EXPECT_TRUE(modules.add(code));
    EXPECT_TRUE(modules.add(functions));
    const Module* module = modules.find(3);
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(module->cubin, "code") << "a block without one does not take it away";
    EXPECT_EQ(module->texts, (std::map<std::string, std::string>{{"a.cu", "text"}}));
    EXPECT_EQ(module->functions.at("f"), 0x700U);
    EXPECT_FALSE(modules.add(wireNumber(1, 4) + wireBytes(8, "\x0a\x05x")));
    EXPECT_FALSE(modules.add(wireNumber(1, 4) + wireBytes(9, "\x0a\x05x")));
    EXPECT_FALSE(modules.add("\x0a\x05x"));
}

} // namespace
} // namespace kl::ncu
