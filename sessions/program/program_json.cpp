// SPDX-License-Identifier: MIT
#include "core/codec/model_fields.h"
#include "sessions/measure/hot_lines.h"
#include "sessions/program/program_profile.h"

namespace kl::inline program {
namespace {

/// What of the kernel's time nothing else ran, and what ran beside it.
void addOverlap(const KernelTotals& kernel, Json& row)
{
    double exclusive = 0;
    std::map<std::string, double> beside;
    for (const auto& [shape, seen] : kernel.shapes) {
        exclusive += seen.exclusiveNs;
        for (const BesideKernel& other : seen.beside)
            beside[other.name] += other.ns;
    }
    row["exclusive_ns"] = exclusive;
    row["beside"] = Json::array();
    for (const auto& [name, ns] : beside)
        row["beside"].push_back(Json{{"name", name}, {"ns", ns}});
}

Json kernelsToJson(const ProgramProfile& profile)
{
    Json kernels = Json::array();
    for (const KernelTotals& kernel : profile.totals.kernels) {
        Json row{{"name", kernel.name}, {"device", kernel.device.name}, {"launches", kernel.launches}, {"total_ns", kernel.totalNs}};
        row["share"] = profile.totals.kernelNs > 0 ? kernel.totalNs / profile.totals.kernelNs : 0;
        row["shapes"] = kernel.shapes.size();
        row["graph_launches"] = kernel.graphLaunches;
        addOverlap(kernel, row);
        row["run"] = row["gpu_ns"] = row["median_ns"] = row["alone_ns"] = nullptr;
        for (const RunRecord& run : profile.runs) // the first is that of the shape that takes most
            if (row["run"].is_null() && run.program->kernel == kernel.name && run.device == kernel.device) {
                row["run"] = run.id.text;
                const std::optional<double> alone = run.timing ? std::optional(run.timing->gpu.median) : std::nullopt;
                row["gpu_ns"] = toJson(alone);
                row["median_ns"] = toJson(togetherNs(kernel, run) ? togetherNs(kernel, run) : alone);
                row["alone_ns"] = toJson(aloneNs(run));
            }
        kernels.push_back(std::move(row));
    }
    return kernels;
}

Json rangeToJson(const RangeTotals& range)
{
    return {{"range", range.stack},  {"count", range.count},      {"host_ns", range.hostNs}, {"launches", range.launches},
            {"gpu_ns", range.gpuNs}, {"union_ns", range.unionNs}, {"span_ns", range.spanNs}, {"busy_ns", range.busyNs}};
}

Json rangesToJson(const ProgramTotals& totals)
{
    Json ranges = Json::array();
    for (const RangeTotals& range : totals.ranges)
        ranges.push_back(rangeToJson(range));
    return ranges;
}

Json chosenToJson(const ProgramProfile& profile)
{
    const ProgramTotals& totals = profile.totals;
    if (!totals.chosen)
        return nullptr;
    Json json = rangeToJson(*totals.chosen);
    json["share"] = totals.busyNs > 0 ? Json(totals.chosen->unionNs / totals.busyNs) : Json(nullptr);
    json["counters"] = nullptr;
    if (profile.range)
        json["counters"] = Json{{"covered", profile.range->covered}, {"values", profile.range->values}};
    json["whole"] = nullptr;
    if (profile.range && profile.range->whole) {
        json["whole"] = toJson(profile.range->whole->metrics);
        json["whole"]["entries"] = profile.range->whole->entries;
        json["whole"]["failure"] = profile.range->whole->failure;
    }
    return json;
}

Json graphsToJson(const ProgramTotals& totals)
{
    Json graphs = Json::array();
    for (const GraphTotals& graph : totals.graphs) {
        Json row{{"pid", graph.pid},
                 {"graph", graph.id},
                 {"launches", graph.launches},
                 {"kernel_launches", graph.kernelLaunches},
                 {"kernel_ns", graph.kernelNs},
                 {"union_ns", graph.unionNs},
                 {"span_ns", graph.spanNs},
                 {"median_span_ns", graph.medianSpanNs},
                 {"kernels", Json::array()}};
        for (const GraphKernel& kernel : graph.kernels)
            row["kernels"].push_back(Json{{"name", demangle(kernel.mangled)},
                                          {"grid", kernel.grid},
                                          {"block", kernel.block},
                                          {"launches", kernel.launches},
                                          {"total_ns", kernel.ns}});
        graphs.push_back(std::move(row));
    }
    return graphs;
}

Json ranksToJson(const ProgramTotals& totals)
{
    Json ranks = Json::array();
    for (const RankTotals& one : totals.ranks)
        ranks.push_back(Json{{"rank", one.rank ? Json(one.rank->rank) : Json(nullptr)},
                             {"local_rank", one.rank ? toJson(one.rank->localRank) : Json(nullptr)},
                             {"world_size", one.rank ? toJson(one.rank->worldSize) : Json(nullptr)},
                             {"pids", one.pids},
                             {"device_index", one.deviceIndex},
                             {"device", one.device.name},
                             {"uuid", one.device.uuid},
                             {"launches", one.launches},
                             {"kernel_ns", one.kernelNs},
                             {"waiting_ns", one.waitingNs},
                             {"copy_ns", one.copyNs},
                             {"busy_ns", one.busyNs},
                             {"span_ns", one.spanNs}});
    return ranks;
}

Json processesToJson(const std::vector<ProcessTrace>& processes)
{
    Json list = Json::array();
    for (const ProcessTrace& process : processes)
        list.push_back(Json{{"pid", process.pid != 0 ? Json(process.pid) : Json(nullptr)},
                            {"command", process.command},
                            {"cupti", process.cupti},
                            {"ended", process.ended}});
    return list;
}

Json secondRunToJson(const ProgramProfile& profile)
{
    if (!profile.counted)
        return nullptr;
    return {
        {"exit_code", profile.counted->exitCode}, {"signal", toJson(profile.counted->signal)}, {"wall_s", profile.counted->wallSeconds}};
}

/// A run with the fields of a profile, also where its warnings say that there are no counters.
Json resultToJson(const RunRecord& run, const Catalog& catalog)
{
    Json json = runToJsonWithLines(run, catalog);
    if (!run.metrics) {
        json["metrics"] = json["missing"] = Json::object();
        json["plan"] = Json{{"passes", 0}, {"ran", 0}};
    }
    return json;
}

} // namespace

Json profileToJson(const ProgramProfile& profile, const Catalog& catalog)
{
    Json json{{"schema", "kernelloop.program/1"}, {"results", Json::array()}};
    for (const RunRecord& run : profile.runs)
        json["results"].push_back(resultToJson(run, catalog));
    const ProgramTotals& totals = profile.totals;
    json["program"] = Json{{"command", profile.program.command},
                           {"host", profile.program.host},
                           {"exit_code", profile.program.exitCode},
                           {"signal", toJson(profile.program.signal)},
                           {"wall_s", profile.program.wallSeconds},
                           {"started_at", profile.program.startedAt},
                           {"finding", profile.finding ? toJson(*profile.finding) : Json(nullptr)},
                           {"second_run", secondRunToJson(profile)},
                           {"gpu",
                            {{"launches", totals.launches},
                             {"kernel_ns", totals.kernelNs},
                             {"kernel_union_ns", totals.kernelUnionNs},
                             {"copy_ns", totals.copyNs},
                             {"busy_ns", totals.busyNs},
                             {"span_ns", totals.spanNs},
                             {"busy_fraction", totals.spanNs > 0 ? Json(totals.busyNs / totals.spanNs) : Json(nullptr)}}},
                           {"kernels", kernelsToJson(profile)},
                           {"ranges", rangesToJson(totals)},
                           {"range", chosenToJson(profile)},
                           {"graphs", graphsToJson(totals)},
                           {"ranks", ranksToJson(totals)},
                           {"processes", processesToJson(profile.processes)},
                           {"notes", toJson(profile.notes)}};
    return json;
}

} // namespace kl::inline program
