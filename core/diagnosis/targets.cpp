// SPDX-License-Identifier: MIT
#include "core/diagnosis/targets.h"

#include "core/base/format.h"
#include "core/codec/or_null.h"
#include "core/diagnosis/quantities.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline diagnosis {
namespace {

constexpr const char* kDocument = "learning-loop document, October 2025: key metrics to check";
constexpr double kWarpThreads = 32;

struct TargetFigure {
    const char* id;
    const char* title;
    const char* quantity;
    const char* unit;
    bool isMinimum;
    double documentLimit;
    double MetricLimits::*methodLimit;
    double scale; ///< from the quantity's unit to this figure's
    const char* why;
    const char* action;
};

// The document's limits are those of its "Key Metrics to Check". The method's reasons are in docs/diagnosis-tree.md.
constexpr TargetFigure kFigures[] = {
    {"memory-bandwidth", "Memory bandwidth", "dram_percent", "%", true, 70, &MetricLimits::memoryBandwidthMin, 1,
     "the same limit, but only a kernel that waits for DRAM has to reach it: the tree first asks which unit is the busiest",
     "Fix the access pattern: coalesced, 16-byte loads. Skip it if the finding names another unit."},
    {"occupancy", "Occupancy", "achieved_occupancy_percent", "%", true, 50, &MetricLimits::occupancyMin, 1,
     "the same limit, but low occupancy costs time only while issue slots are idle: the tree asks for those as well",
     "Use fewer registers or less shared memory per block, if the finding is about latency or occupancy."},
    {"kernel-duration", "Kernel duration", "duration_us", "us", true, 10, &MetricLimits::kernelDurationMinUs, 1,
     "the same limit: below it, launch overhead is suspected, and confirmed only by gaps between launches",
     "Give a launch more work: larger tiles, or fuse kernels. First check how busy the GPU is between launches."},
    {"warp-efficiency", "Warp efficiency", "threads_per_warp", "%", true, 50, &MetricLimits::warpEfficiencyMin, 100 / kWarpThreads,
     "24 of 32 threads: at half a warp, half of the issued work is lost already",
     "Let the threads of a warp take the same branch and the same number of iterations."},
    {"bank-conflicts", "Bank conflicts", "bank_conflict_percent", "%", false, 0, &MetricLimits::bankConflictsMax, 1,
     "a tenth of the wavefronts: fewer conflicts cost less than padding gains", "Pad the rows of the shared-memory tile, or swizzle it."},
};

TargetResult judge(std::optional<double> value, double limit, bool isMinimum)
{
    if (!value)
        return TargetResult::notMeasured;
    return (isMinimum ? *value >= limit : *value <= limit) ? TargetResult::meets : TargetResult::misses;
}

std::string actionFor(const TargetRow& row, const char* action)
{
    constexpr double kInefficientAccess = 50; // the document's second limit for bandwidth
    if (row.id == "memory-bandwidth" && row.value && *row.value < kInefficientAccess)
        return fmt::format("Below 50 %, accesses are probably inefficient. {}", action);
    return action;
}

Json targetToJson(const Target& target)
{
    return {{"target", target.limit}, {"result", toString(target.result)}, {"source", target.source}};
}

} // namespace

const char* toString(TargetResult result) noexcept
{
    return result == TargetResult::meets ? "meets" : result == TargetResult::misses ? "misses" : "not-measured";
}

std::vector<TargetRow> compareWithTargets(const RunRecord& run, const MetricLimits& limits)
{
    const RunFacts facts(run);
    std::vector<TargetRow> rows;
    for (const TargetFigure& figure : kFigures) {
        TargetRow row{figure.id, figure.title, figure.quantity, figure.unit, figure.isMinimum, {}, {}, {}, {}};
        row.value = times(findQuantity(figure.quantity)->compute(facts), figure.scale);
        const double own = limits.*figure.methodLimit;
        row.document = {figure.documentLimit, judge(row.value, figure.documentLimit, figure.isMinimum), kDocument};
        row.method = {own, judge(row.value, own, figure.isMinimum), figure.why};
        row.action = actionFor(row, figure.action);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string limitText(const TargetRow& row, const Target& target)
{
    return fmt::format("{} {}", row.isMinimum ? "at least" : "at most", formatWithUnit(target.limit, row.unit));
}

std::string valueText(const TargetRow& row)
{
    return row.value ? formatWithUnit(*row.value, row.unit) : std::string("not measured");
}

Json targetsToJson(const std::vector<TargetRow>& rows)
{
    Json list = Json::array();
    for (const TargetRow& row : rows) {
        Json item = targetToJson(row.method);
        item.update({{"id", row.id},
                     {"title", row.title},
                     {"metric", row.quantity},
                     {"value", orNull(row.value)},
                     {"unit", row.unit},
                     {"sense", row.isMinimum ? ">=" : "<="},
                     {"document", targetToJson(row.document)},
                     {"action", row.action}});
        list.push_back(std::move(item));
    }
    return list;
}

} // namespace kl::inline diagnosis
