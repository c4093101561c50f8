// SPDX-License-Identifier: MIT
#include "core/diagnosis/memory_chart.h"

#include "core/device/metric_catalog.h"
#include "core/device/metric_sections.h"
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/run_facts.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline diagnosis {
namespace {

constexpr double kSector = 32; ///< bytes
constexpr const char* kStoresThrough = "stores write through L1: requests x sectors per request x 32";

/// Makes figures of one run.
class Figures {
public:
    explicit Figures(const RunRecord& run) : run_(run), facts_(run) {}

    const RunFacts& facts() const { return facts_; }

    /// The first of the metrics that was collected, times `factor`; missing with the reason of the first.
    MemoryFigure of(const char* name, const char* unit, std::initializer_list<MetricName> metrics, double factor = 1) const
    {
        for (const MetricName metric : metrics)
            if (const Value value = facts_.metric(metric))
                return {
                    name, *value * factor, unit, factor == 1 ? std::string(metric) : fmt::format("{} x {:g}", metric.text(), factor), {}};
        return {name, {}, unit, std::string(*metrics.begin()), findWhyMissing(*metrics.begin())};
    }

    /// The sum of what was collected of the metrics.
    MemoryFigure sum(const char* name, const char* unit, std::initializer_list<MetricName> metrics) const
    {
        MemoryFigure out{name, {}, unit, {}, {}};
        for (const MetricName metric : metrics) {
            out.how += (out.how.empty() ? "" : " + ") + std::string(metric);
            if (const Value value = facts_.metric(metric))
                out.value = out.value.value_or(0) + *value;
        }
        if (!out.value)
            out.missing = findWhyMissing(*metrics.begin());
        return out;
    }

    MemoryFigure value(const char* name, const char* unit, Value value, const std::string& how, const std::string& missing) const
    {
        return {name, value, unit, how, value ? std::string() : missing};
    }

    std::string findWhyMissing(MetricName name) const
    {
        const std::string metric(name);
        if (!run_.metrics)
            return "the run has no hardware counters";
        if (const auto reported = run_.metrics->missing.find(metric); reported != run_.metrics->missing.end())
            return reported->second;
        if (run_.imported)
            return "the report does not contain it";
        if (const MetricInfo* known = findMetric(metric))
            return known->tier > run_.metrics->tier ? fmt::format("tier {} collects it", known->tier) : "not collected";
        for (const MetricSection& section : metricSections())
            if (std::ranges::find(section.metrics, metric) != section.metrics.end())
                return fmt::format("section {} collects it", section.id);
        return "not collected";
    }

private:
    const RunRecord& run_;
    RunFacts facts_;
};

/// Bytes with what follows from them: their rate, and its share of a roof.
std::vector<MemoryFigure> traffic(const Figures& figures, MemoryFigure bytes, Value roof, const char* roofName)
{
    const Value ns = figures.facts().launchNs();
    const Value rate = ns ? quotient(times(bytes.value, 1e9), ns) : std::nullopt;
    const std::string noRate = bytes.value ? "the launch's time is not known" : bytes.missing;
    const std::string noShare = !bytes.value ? bytes.missing
                                : !roof      ? fmt::format("the {} peak of this GPU is not known", roofName)
                                             : noRate;
    std::vector<MemoryFigure> out{std::move(bytes)};
    out.push_back(figures.value("rate", "byte/s", rate, "bytes / gpu__time_duration.sum", noRate));
    out.push_back(figures.value("of peak", "%", times(quotient(rate, roof), 100), fmt::format("rate / {} peak", roofName), noShare));
    return out;
}

/// Without accesses of a kind, its sectors and useful bytes are left out: asynchronous copies affect these ratios too.
MemoryFlow accesses(const Figures& figures, bool loads, Value roof)
{
    const MetricName counted =
        loads ? MetricName("smsp__sass_inst_executed_op_global_ld.sum") : MetricName("smsp__sass_inst_executed_op_global_st.sum");
    const MetricName each = loads ? MetricName("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio")
                                  : MetricName("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio");
    const MetricName share = loads ? MetricName("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct")
                                   : MetricName("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct");
    MemoryFigure requests = figures.of("requests", "count", {counted});
    MemoryFigure sectors = figures.of("sectors per request", "", {each});
    const Value bytes = requests.value && *requests.value == 0 ? Value(0)
                        : requests.value && sectors.value      ? Value(*requests.value * *sectors.value * kSector)
                                                               : std::nullopt;
    MemoryFigure useful = figures.of("useful bytes", "%", {share});
    MemoryFlow flow{loads ? "l1" : "sm", loads ? "sm" : "l1", loads ? "global loads" : "global stores", {std::move(requests)}};
    const std::string missing = flow.figures.front().value ? sectors.missing : flow.figures.front().missing;
    const bool any = flow.figures.front().value != Value(0);
    if (any)
        flow.figures.push_back(std::move(sectors));
    for (MemoryFigure& figure :
         traffic(figures, figures.value("bytes", "bytes", bytes, "requests x sectors per request x 32", missing), roof, "L1"))
        flow.figures.push_back(std::move(figure));
    if (any)
        flow.figures.push_back(std::move(useful));
    return flow;
}

std::vector<MemoryUnit> makeUnits(const Figures& figures)
{
    const Quantity* conflicts = findQuantity("bank_conflict_percent");
    const Value conflictShare = conflicts->compute(figures.facts());
    const Value achieved = figures.facts().metric("sm__warps_active.avg.pct_of_peak_sustained_active");
    return {
        {"sm",
         "Kernel",
         {figures.of("issue slots", "%", {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed"}),
          figures.value("occupancy", "%", achieved, "sm__warps_active.avg.pct_of_peak_sustained_active",
                        figures.findWhyMissing("sm__warps_active.avg.pct_of_peak_sustained_active"))}},
        {"l1",
         "L1 cache",
         {figures.of("hit rate", "%", {"l1tex__t_sector_hit_rate.pct"}),
          figures.of("busy", "%", {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed"}),
          figures.of("bytes", "bytes", {"l1tex__t_sectors.sum"}, kSector)}},
        {"shared",
         "Shared",
         {figures.sum("wavefronts", "count",
                      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}),
          figures.value("bank conflicts", "%", conflictShare, std::string(conflicts->how),
                        figures.findWhyMissing("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"))}},
        {"l2",
         "L2 cache",
         {figures.of("hit rate", "%", {"lts__t_sector_hit_rate.pct"}),
          figures.of("busy", "%", {"lts__throughput.avg.pct_of_peak_sustained_elapsed"}),
          figures.of("bytes", "bytes", {"lts__t_bytes.sum"}), figures.of("requests", "count", {"lts__t_requests_srcunit_tex.sum"})}},
        {"dram", "DRAM", {figures.of("busy", "%", {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"})}},
    };
}

std::vector<MemoryFlow> makeFlows(const Figures& figures, const Peaks& peaks)
{
    std::vector<MemoryFlow> flows{accesses(figures, true, peaks.l1), accesses(figures, false, peaks.l1)};
    flows.push_back({"sm",
                     "l1",
                     "atomics",
                     {figures.sum("requests", "count",
                                  {"smsp__sass_inst_executed_op_global_atom.sum", "smsp__sass_inst_executed_op_global_red.sum"})}});
    flows.push_back(
        {"sm",
         "l1",
         "local memory",
         {figures.sum("requests", "count", {"smsp__sass_inst_executed_op_local_ld.sum", "smsp__sass_inst_executed_op_local_st.sum"})}});
    flows.push_back({"sm", "shared", "shared memory", {figures.of("requests", "count", {"smsp__sass_inst_executed_op_shared.sum"})}});

    MemoryFigure read = figures.of("bytes", "bytes", {"l1tex__m_xbar2l1tex_read_bytes.sum"});
    if (!read.value && figures.facts().metric("lts__t_sectors_op_read.sum")) {
        read = figures.of("bytes", "bytes", {"lts__t_sectors_op_read.sum"}, kSector);
        read.how += ", read by any unit";
    }
    flows.push_back({"l2", "l1", "reads", traffic(figures, std::move(read), peaks.l2, "L2")});
    MemoryFigure written = figures.of("bytes", "bytes", {"l1tex__m_l1tex2xbar_write_bytes.sum"});
    const auto stored = std::ranges::find(flows[1].figures, "bytes", &MemoryFigure::name);
    if (!written.value && stored->value) {
        written = *stored;
        written.how = kStoresThrough;
    }
    flows.push_back({"l1", "l2", "writes", traffic(figures, std::move(written), peaks.l2, "L2")});
    flows.push_back({"dram", "l2", "reads", traffic(figures, figures.of("bytes", "bytes", {"dram__bytes_read.sum"}), peaks.dram, "DRAM")});
    flows.push_back(
        {"l2", "dram", "writes", traffic(figures, figures.of("bytes", "bytes", {"dram__bytes_write.sum"}), peaks.dram, "DRAM")});
    return flows;
}

/// What a figure of a flow is called in a sentence: "global load requests", "L2 read bytes".
std::string nameFigure(const MemoryFlow& flow, const MemoryFigure& figure)
{
    const bool reads = flow.what == "reads";
    if (reads || flow.what == "writes")
        return fmt::format("{} {} {}", flow.from == "dram" || flow.to == "dram" ? "DRAM" : "L2", reads ? "read" : "write", figure.name);
    const std::string_view what = flow.what;
    return fmt::format("{} {}", what.substr(0, what.size() - (what.ends_with('s') ? 1 : 0)), figure.name);
}

} // namespace

std::vector<std::pair<std::string, std::vector<std::string>>> listMissing(const MemoryChart& chart)
{
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    const auto collect = [&](const std::vector<MemoryFigure>& figures, const auto& name) {
        for (const MemoryFigure& figure : figures) {
            if (figure.value || figure.name == "rate" || figure.name == "of peak")
                continue;
            auto reason = std::ranges::find(all, figure.missing, [](const auto& entry) { return entry.first; });
            if (reason == all.end())
                reason = all.insert(all.end(), {figure.missing, {}});
            const std::string what = name(figure);
            if (std::ranges::find(reason->second, what) == reason->second.end())
                reason->second.push_back(what);
        }
    };
    for (const MemoryUnit& unit : chart.units)
        collect(unit.figures, [&](const MemoryFigure& figure) { return unit.title + ' ' + figure.name; });
    for (const MemoryFlow& flow : chart.flows)
        collect(flow.figures, [&](const MemoryFigure& figure) { return nameFigure(flow, figure); });
    return all;
}

MemoryChart memoryChart(const RunRecord& run)
{
    const Figures figures(run);
    MemoryChart chart;
    if (run.metrics)
        chart.launch = run.metrics->launch;
    chart.ns = figures.facts().launchNs();
    chart.units = makeUnits(figures);
    chart.flows = makeFlows(figures, computePeaks(run.device, run.metrics ? run.metrics->clockMhz : std::nullopt));
    return chart;
}

} // namespace kl::inline diagnosis
