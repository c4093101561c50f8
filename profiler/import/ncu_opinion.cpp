// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_opinion.h"

#include "core/device/metric_value.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace kl::inline nsight {
namespace {

constexpr double kWorthDoing = 1; ///< percent; an estimate below is as good as none

using Candidate = std::pair<std::string_view, std::string_view>; ///< word, and class

struct Unit {
    MetricName share; ///< of its peak
    std::string_view classId;
};

constexpr std::array<Unit, 3> kMemoryUnits{{{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "dram-bound"},
                                            {"lts__throughput.avg.pct_of_peak_sustained_elapsed", "l2-bound"},
                                            {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", "l1-bound"}}};
constexpr std::array<Unit, 6> kPipes{{{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "tensor-bound"},
                                      {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "fp32-bound"},
                                      {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", "fp64-bound"},
                                      {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", "xu-bound"},
                                      {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", "int-bound"},
                                      {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", "l1-bound"}}};
/// Pipes by the words that ncu's sentences begin with.
constexpr std::array<Candidate, 7> kPipeWords{{{"FMA is", "fp32-bound"},
                                               {"FP64 is", "fp64-bound"},
                                               {"XU is", "xu-bound"},
                                               {"ALU is", "int-bound"},
                                               {"LSU is", "l1-bound"},
                                               {"Tensor", "tensor-bound"},
                                               {"FP16 is", "fp32-bound"}}};
/// Stall reasons by the titles and sentences of CPIStall's messages; every other one is a latency.
constexpr std::array<Candidate, 5> kStalls{{{"Barrier", "sync-bound"},
                                            {"Membar", "sync-bound"},
                                            {"CTA barrier", "sync-bound"},
                                            {"memory barrier", "sync-bound"},
                                            {"LG Throttle", "uncoalesced"}}};
/// Rules that mean one thing.
constexpr std::array<Candidate, 12> kPlainRules{{{"IssueSlotUtilization", "latency-bound"},
                                                 {"AchievedOccupancy", "occupancy-limited"},
                                                 {"TheoreticalOccupancy", "occupancy-limited"},
                                                 {"WorkloadImbalance", "tail-effect"},
                                                 {"MemoryCacheAccessPattern", "uncoalesced"},
                                                 {"UncoalescedGlobalAccess", "uncoalesced"},
                                                 {"UncoalescedSharedAccess", "bank-conflicts"},
                                                 {"SharedMemoryConflicts", "bank-conflicts"},
                                                 {"ThreadDivergence", "divergence"},
                                                 {"MemoryL2Compression", "dram-bound"},
                                                 {"MemoryApertureUsage", "dram-bound"},
                                                 {"SlowPipeLimiter", "xu-bound"}}};

std::string_view among(std::span<const Candidate> words, std::string_view text)
{
    for (const auto& [word, classId] : words)
        if (text.find(word) != std::string_view::npos)
            return classId;
    return {};
}

std::string_view findBusiest(std::span<const Unit> units, const MetricSet& metrics)
{
    std::string_view best;
    double most = 0;
    for (const auto& [metric, classId] : units) {
        const double share = metricValue(metrics, metric).value_or(0);
        if (share > most) {
            most = share;
            best = classId;
        }
    }
    return best;
}

bool says(const RuleResult& result, std::string_view words)
{
    return result.text.find(words) != std::string::npos;
}

/// The first rule of the speed-of-light section: what kind of bottleneck.
std::string_view classifySpeedOfLight(const RuleResult& result, const MetricSet& metrics)
{
    if (says(result, "grid is too small"))
        return "small-grid";
    if (says(result, "latency issues"))
        return "latency-bound";
    if (says(result, "well-balanced"))
        return "balanced";
    const bool memory = says(result, "Memory is more heavily utilized") ||
                        (!says(result, "Compute is more heavily utilized") &&
                         metricValue(metrics, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed").value_or(0) >
                             metricValue(metrics, "sm__throughput.avg.pct_of_peak_sustained_elapsed").value_or(0));
    return findBusiest(memory ? std::span<const Unit>(kMemoryUnits) : std::span<const Unit>(kPipes), metrics);
}

std::string_view classifyPipes(const RuleResult& result)
{
    return says(result, "under-utilized") ? "latency-bound" : among(kPipeWords, result.text);
}

std::string_view classifyLaunch(const RuleResult& result)
{
    if (says(result, "partial wave") || result.title.find("Tail") != std::string::npos)
        return "tail-effect";
    if (says(result, "less than the GPU's") || result.title.find("Grid") != std::string::npos)
        return "small-grid";
    return "occupancy-limited"; // block sizes that waste lanes or warps
}

std::string_view classifyStall(const RuleResult& result, const MetricSet& metrics)
{
    if (result.kind != "optimization")
        return {};
    if (result.title.find("Math Pipe") != std::string::npos)
        return findBusiest(kPipes, metrics);
    const std::string_view classId = among(kStalls, result.title + ' ' + result.text);
    return classId.empty() ? "latency-bound" : classId;
}

bool better(const RuleResult& a, const RuleResult& b)
{
    const auto rank = [](const RuleResult& r) {
        const double percent = r.speedupPercent.value_or(0);
        return percent < kWorthDoing ? std::pair(0, 0.0) : std::pair(r.speedupScope == "global" ? 2 : 1, percent);
    };
    return rank(a) > rank(b);
}

} // namespace

std::string classifyNcuRule(const RuleResult& result, const MetricSet& metrics)
{
    const std::string& rule = result.rule;
    if (rule == "SOLBottleneck")
        return std::string(classifySpeedOfLight(result, metrics));
    if (rule == "HighPipeUtilization")
        return std::string(classifyPipes(result));
    if (rule == "LaunchConfiguration")
        return std::string(classifyLaunch(result));
    if (rule == "CPIStall")
        return std::string(classifyStall(result, metrics));
    if (rule == "FPInstructions")
        return says(result, "FP64") || says(result, "double") ? "fp64-bound" : "fp32-bound";
    if (rule.find("LocalMemory") != std::string::npos || rule.find("Spill") != std::string::npos)
        return "register-spills";
    for (const auto& [name, classId] : kPlainRules)
        if (name == rule)
            return std::string(classId);
    return {};
}

std::optional<NcuOpinion> ncuOpinion(const std::vector<RuleResult>& rules, const MetricSet& metrics)
{
    std::optional<NcuOpinion> best;
    bool advice = false; // an optimization takes precedence over a note
    for (const RuleResult& result : rules) {
        const bool optimization = result.kind == "optimization";
        std::string classId = classifyNcuRule(result, metrics);
        if (classId.empty() || (best && advice && !optimization))
            continue;
        if (!best || (optimization && !advice) || (optimization && better(result, *best->rule)))
            best = NcuOpinion{&result, std::move(classId)};
        advice = advice || optimization;
    }
    return best;
}

std::optional<NcuOpinion> ncuSpeedOfLight(const std::vector<RuleResult>& rules, const MetricSet& metrics)
{
    for (const RuleResult& result : rules)
        if (result.rule == "SOLBottleneck")
            if (std::string classId = classifyNcuRule(result, metrics); !classId.empty())
                return NcuOpinion{&result, std::move(classId)};
    return {};
}

} // namespace kl::inline nsight
