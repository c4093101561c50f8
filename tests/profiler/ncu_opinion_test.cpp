// SPDX-License-Identifier: MIT
// The class behind a rule of Nsight Compute's, and which rule comes first.
#include "profiler/import/ncu_opinion.h"

#include <gtest/gtest.h>
#include <utility>

namespace kl {
namespace {

constexpr const char* kDram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kL2 = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kFma = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active";
constexpr const char* kXu = "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active";
constexpr const char* kMemory = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kCompute = "sm__throughput.avg.pct_of_peak_sustained_elapsed";

RuleResult makeRule(const std::string& rule, const std::string& text, const std::string& title = {},
                    const std::string& kind = "optimization")
{
    RuleResult result;
    result.rule = rule;
    result.text = text;
    result.title = title;
    result.kind = kind;
    return result;
}

RuleResult estimated(const std::string& rule, double percent, const std::string& scope)
{
    RuleResult result = makeRule(rule, {});
    result.speedupPercent = percent;
    result.speedupScope = scope;
    return result;
}

MetricSet makeMetricSet(std::map<std::string, std::optional<double>> values)
{
    MetricSet metrics;
    metrics.values = std::move(values);
    return metrics;
}

std::string classify(const RuleResult& result, const MetricSet& metrics = {})
{
    return classifyNcuRule(result, metrics);
}

TEST(NcuOpinion, TheSpeedOfLightNamesTheBusiestUnitOfItsSide)
{
    const MetricSet metrics = makeMetricSet({{kDram, 60}, {kL2, 70}, {kFma, 90}, {kXu, 80}, {kMemory, 70}, {kCompute, 90}});
    EXPECT_EQ(classify(makeRule("SOLBottleneck", "Memory is more heavily utilized than Compute"), metrics), "l2-bound");
    EXPECT_EQ(classify(makeRule("SOLBottleneck", "Compute is more heavily utilized than Memory"), metrics), "fp32-bound");
    EXPECT_EQ(classify(makeRule("SOLBottleneck", "The kernel is utilizing greater than 80.0%"), metrics), "fp32-bound") << "by the figures";
    EXPECT_EQ(classify(makeRule("SOLBottleneck", "This kernel grid is too small to fill the device"), metrics), "small-grid");
    EXPECT_EQ(classify(makeRule("SOLBottleneck", "typically indicate latency issues"), metrics), "latency-bound");
    EXPECT_EQ(classify(makeRule("SOLBottleneck", "Compute and Memory are well-balanced"), metrics), "balanced");
    EXPECT_EQ(classify(makeRule("SOLBottleneck", "Memory is more heavily utilized")), "") << "without figures nothing is the busiest";
}

TEST(NcuOpinion, RulesOfSeveralClassesAreToldApartByTheirWords)
{
    EXPECT_EQ(classify(makeRule("HighPipeUtilization", "XU is the highest-utilized pipeline")), "xu-bound");
    EXPECT_EQ(classify(makeRule("HighPipeUtilization", "LSU is the highest-utilized pipeline")), "l1-bound");
    EXPECT_EQ(classify(makeRule("HighPipeUtilization", "All compute pipelines are under-utilized. FMA is the highest")), "latency-bound");
    EXPECT_EQ(classify(makeRule("LaunchConfiguration", "1 full waves and a partial wave of 20 thread blocks")), "tail-effect");
    EXPECT_EQ(classify(makeRule("LaunchConfiguration", "", "Tail Effect")), "tail-effect");
    EXPECT_EQ(classify(makeRule("LaunchConfiguration", "is less than the GPU's 132 multiprocessors")), "small-grid");
    EXPECT_EQ(classify(makeRule("LaunchConfiguration", "", "Small Grid")), "small-grid");
    EXPECT_EQ(classify(makeRule("LaunchConfiguration", "Threads are executed in groups of 32")), "occupancy-limited");
    EXPECT_EQ(classify(makeRule("FPInstructions", "this kernel executes FP64 instructions")), "fp64-bound");
    EXPECT_EQ(classify(makeRule("FPInstructions", "12 fused and 3 non-fused double precision instructions")), "fp64-bound");
    EXPECT_EQ(classify(makeRule("FPInstructions", "12 fused and 3 non-fused FP32 instructions")), "fp32-bound");
    EXPECT_EQ(classify(makeRule("LocalMemoryUsage", "")), "register-spills");
    EXPECT_EQ(classify(makeRule("RegisterSpilling", "")), "register-spills");
    EXPECT_EQ(classify(makeRule("UncoalescedSharedAccess", "")), "bank-conflicts");
    EXPECT_EQ(classify(makeRule("MemoryApertureUsage", "")), "dram-bound");
    EXPECT_EQ(classify(makeRule("SlowPipeLimiter", "")), "xu-bound");
    EXPECT_EQ(classify(makeRule("PMSamplingData", "")), "");
}

TEST(NcuOpinion, EveryRuleAndUnitHasItsClass)
{
    for (const auto& [rule, classId] : {std::pair("IssueSlotUtilization", "latency-bound"),
                                        {"AchievedOccupancy", "occupancy-limited"},
                                        {"TheoreticalOccupancy", "occupancy-limited"},
                                        {"WorkloadImbalance", "tail-effect"},
                                        {"MemoryCacheAccessPattern", "uncoalesced"},
                                        {"UncoalescedGlobalAccess", "uncoalesced"},
                                        {"SharedMemoryConflicts", "bank-conflicts"},
                                        {"ThreadDivergence", "divergence"},
                                        {"MemoryL2Compression", "dram-bound"},
                                        {"LocalMemory", "register-spills"},
                                        {"Spill", "register-spills"},
                                        {"", ""}})
        EXPECT_EQ(classify(makeRule(rule, "")), classId) << rule;
    for (const auto& [word, classId] : {std::pair("FMA is", "fp32-bound"),
                                        {"FP64 is", "fp64-bound"},
                                        {"ALU is", "int-bound"},
                                        {"Tensor (FP) is", "tensor-bound"},
                                        {"FP16 is", "fp32-bound"},
                                        {"TEX is", ""}})
        EXPECT_EQ(classify(makeRule("HighPipeUtilization", std::string(word) + " the highest-utilized pipeline")), classId) << word;
    for (const auto& [metric, classId] :
         {std::pair(kDram, "dram-bound"), {kL2, "l2-bound"}, {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", "l1-bound"}})
        EXPECT_EQ(classify(makeRule("SOLBottleneck", "Memory is more heavily utilized"), makeMetricSet({{metric, 1}})), classId) << metric;
    for (const auto& [metric, classId] : {std::pair("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "tensor-bound"),
                                          {kFma, "fp32-bound"},
                                          {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", "fp64-bound"},
                                          {kXu, "xu-bound"},
                                          {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", "int-bound"},
                                          {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", "l1-bound"}})
        EXPECT_EQ(classify(makeRule("SOLBottleneck", "Compute is more heavily utilized"), makeMetricSet({{metric, 1}})), classId) << metric;
    for (const char* words : {"Barrier Stalls", "Membar Stalls", "at a CTA barrier", "on a memory barrier"})
        EXPECT_EQ(classify(makeRule("CPIStall", words)), "sync-bound") << words;
}

TEST(NcuOpinion, TheSideOfTheSpeedOfLightIsByTheLargerFigure)
{
    const auto side = [](double memory, double compute) {
        return classify(makeRule("SOLBottleneck", "The kernel is utilizing"),
                        makeMetricSet({{kDram, 60}, {kFma, 70}, {kMemory, memory}, {kCompute, compute}}));
    };
    EXPECT_EQ(side(70, 60), "dram-bound");
    EXPECT_EQ(side(60, 70), "fp32-bound");
    EXPECT_EQ(side(60, 60), "fp32-bound");
}

TEST(NcuOpinion, AStallIsAClassOnlyAsAnOptimization)
{
    EXPECT_EQ(classify(makeRule("CPIStall", "waits for sibling warps at a CTA barrier")), "sync-bound");
    EXPECT_EQ(classify(makeRule("CPIStall", "", "LG Throttle Stalls")), "uncoalesced");
    EXPECT_EQ(classify(makeRule("CPIStall", "waits for a scoreboard dependency", "Long Scoreboard Stalls")), "latency-bound");
    EXPECT_EQ(classify(makeRule("CPIStall", "", "Math Pipe Throttle Stalls"), makeMetricSet({{kXu, 80}, {kFma, 20}})), "xu-bound");
    EXPECT_EQ(classify(makeRule("CPIStall", "waits at a CTA barrier", {}, "info")), "");
}

TEST(NcuOpinion, AnEstimateForTheWholeKernelComesBeforeALargerLocalOne)
{
    const std::vector<RuleResult> rules{estimated("ThreadDivergence", 80, "local"), estimated("AchievedOccupancy", 20, "global"),
                                        estimated("UncoalescedGlobalAccess", 30, "global")};
    const std::optional<NcuOpinion> top = ncuOpinion(rules, {});
    ASSERT_TRUE(top);
    EXPECT_EQ(top->rule, &rules[2]);
    EXPECT_EQ(top->classId, "uncoalesced");
}

TEST(NcuOpinion, OnePercentCountsAndLessIsNoEstimate)
{
    const std::vector<RuleResult> small{estimated("ThreadDivergence", 0.9, "global"), estimated("AchievedOccupancy", 1, "local")};
    EXPECT_EQ(ncuOpinion(small, {})->rule, &small[1]);
    const std::vector<RuleResult> none{estimated("ThreadDivergence", 0.5, "local"), estimated("AchievedOccupancy", 0.9, "global")};
    EXPECT_EQ(ncuOpinion(none, {})->rule, &none[0]) << "the first of equals";
}

TEST(NcuOpinion, AnOptimizationTakesPrecedenceOverANoteAndRulesOfNoClassOverNothing)
{
    const std::vector<RuleResult> rules{makeRule("PMSamplingData", "", "", "optimization"),
                                        makeRule("IssueSlotUtilization", "", "", "info"), makeRule("ThreadDivergence", ""),
                                        makeRule("AchievedOccupancy", "", "", "warning")};
    EXPECT_EQ(ncuOpinion(rules, {})->rule, &rules[2]);
    EXPECT_EQ(ncuOpinion({rules[0], rules[1], rules[3]}, {})->classId, "latency-bound") << "without an optimization the first note";
    EXPECT_FALSE(ncuOpinion({rules[0]}, {}));
    EXPECT_FALSE(ncuOpinion({}, {}));
}

TEST(NcuOpinion, TheSpeedOfLightIsItsFirstSentenceOfAClass)
{
    const std::vector<RuleResult> rules{makeRule("ThreadDivergence", ""), makeRule("SOLBottleneck", "Memory is more heavily utilized"),
                                        makeRule("SOLBottleneck", "latency issues")};
    EXPECT_EQ(ncuSpeedOfLight(rules, {})->rule, &rules[2]) << "without figures the first says nothing";
    EXPECT_EQ(ncuSpeedOfLight(rules, makeMetricSet({{kDram, 90}}))->classId, "dram-bound");
    EXPECT_FALSE(ncuSpeedOfLight({rules[0]}, {}));
}

} // namespace
} // namespace kl
