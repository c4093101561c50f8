// SPDX-License-Identifier: MIT
#include "core/diagnosis/charts_codec.h"

#include "core/codec/or_null.h"
#include "core/device/metric_catalog.h"
#include "core/diagnosis/quantities.h"

#include <nlohmann/json.hpp>

namespace kl::inline diagnosis {
namespace {

const char* toWord(MemoryLevel level)
{
    return level == MemoryLevel::dram ? "dram" : level == MemoryLevel::l2 ? "l2" : "l1";
}

Json figuresJson(const std::vector<MemoryFigure>& figures)
{
    Json all = Json::array();
    for (const MemoryFigure& one : figures)
        all.push_back({{"name", one.name},
                       {"value", orNull(one.value)},
                       {"unit", one.unit},
                       {"how", one.how},
                       {"missing", one.missing.empty() ? Json(nullptr) : Json(one.missing)}});
    return all;
}

Json occupancyJson(const Occupancy& occupancy)
{
    return {{"blocks", occupancy.blocksPerSm}, {"percent", occupancy.percent}, {"limiter", occupancy.limiter}};
}

} // namespace

Json toJson(const Roofline& roofline)
{
    Json json{{"clock_mhz", roofline.clockMhz}, {"clock_from", roofline.clockFrom}, {"compute", roofline.compute}};
    json["roofs"] = Json::array();
    for (const Roof& roof : roofline.roofs)
        json["roofs"].push_back({{"id", roof.id},
                                 {"label", roof.label},
                                 {"value", roof.value},
                                 {"unit", roof.slanted ? "byte/s" : "flop/s"},
                                 {"slanted", roof.slanted},
                                 {"measured", roof.measured},
                                 {"reached_here", roof.reachedHere}});
    json["points"] = Json::array();
    for (const RooflinePoint& point : roofline.points)
        json["points"].push_back({{"kind", point.kind},
                                  {"level", toWord(point.level)},
                                  {"intensity", point.intensity},
                                  {"flops_per_second", point.flopsPerSecond},
                                  {"bytes", point.measured ? "measured" : "formula"}});
    json["reached"] = roofline.reached;
    json["flops"] = orNull(roofline.flops);
    json["executed_flops"] = orNull(roofline.executedFlops);
    json["traffic_amplification"] = orNull(roofline.trafficAmplification);
    json["flop_amplification"] = orNull(roofline.flopAmplification);
    json["missing"] = roofline.missing;
    return json;
}

Json toJson(const MemoryChart& chart)
{
    Json json{{"launch", chart.launch}, {"ns", orNull(chart.ns)}, {"units", Json::array()}, {"flows", Json::array()}};
    for (const MemoryUnit& unit : chart.units)
        json["units"].push_back({{"id", unit.id}, {"title", unit.title}, {"figures", figuresJson(unit.figures)}});
    for (const MemoryFlow& flow : chart.flows)
        json["flows"].push_back({{"from", flow.from}, {"to", flow.to}, {"what", flow.what}, {"figures", figuresJson(flow.figures)}});
    return json;
}

Json toJson(const OccupancyWhatIf& whatIf)
{
    Json json{{"launch", whatIf.launch},
              {"block_threads", whatIf.needs.threads},
              {"registers", whatIf.needs.registersPerThread},
              {"smem", whatIf.needs.smem},
              {"now", occupancyJson(whatIf.now)},
              {"terms",
               {{"registers", whatIf.terms.byRegisters},
                {"shared_memory", whatIf.terms.bySharedMemory},
                {"warps", whatIf.terms.byWarps},
                {"blocks", whatIf.terms.byBlocks}}},
              {"achieved", orNull(whatIf.achieved)},
              {"half_occupancy_ratio", orNull(whatIf.halvedTakes)},
              {"levers", Json::array()}};
    for (const OccupancyLever& lever : whatIf.levers)
        json["levers"].push_back(
            {{"change", toWord(lever.input)}, {"from", lever.from}, {"to", lever.to}, {"gives", occupancyJson(lever.gives)}});
    return json;
}

Json stallsToJson(const RunRecord& run)
{
    Json all = Json::array();
    for (const StallShare& share : stallShares(RunFacts(run)))
        for (const StallReason& reason : stallReasons())
            if (reason.id == share.id)
                all.push_back({{"id", share.id}, {"title", reason.title}, {"percent", share.percent}, {"help", reason.help}});
    return all;
}

} // namespace kl::inline diagnosis
